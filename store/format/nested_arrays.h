// Which reference of a field is where, if the field's type has arrays within records: from the type
// as text, without names that stand for arrays or records.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tenure::store {

// For each of the `slots` traced references of the field, in order, which of its referents it is
// declared as; nothing where that cannot be told. `names`: of the referents, one for each reference
// in the type's text, in their order.
std::optional<std::vector<size_t>> ReferentsInArrays(std::string_view type, size_t slots,
                                                     std::span<const std::string_view> names);

}  // namespace tenure::store
