// Which reference of a field is where, if the field's type has arrays within records: from the type
// as text, without names that stand for arrays or records.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tenure::store {

// For each of the `slots` traced references of the field, in order: the index of its declared
// referent, or nothing if the text does not show it. `names`: the names of the referents, one for
// each reference in the type's text, in order.
std::optional<std::vector<size_t>> ReferentsInArrays(std::string_view type, size_t slots,
                                                     std::span<const std::string_view> names);

}  // namespace tenure::store
