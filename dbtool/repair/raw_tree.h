// The records of a Berkeley DB tree, taken out of its file without Berkeley DB, from all leaf pages
// that are there. Each of our records has a checksum of its own, which tells whether the record is
// whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/result.h"

namespace tenure::dbtool {

// Calls visit(key, value) for everything on a leaf page that may be a record, in any order; some
// may be old or nonsense. Values that Berkeley DB keeps outside of the leaf pages (longer than 16
// KB) are left out.
Status ForEachRawRecord(
    const std::string& file,
    const std::function<void(std::span<const std::byte>, std::span<const std::byte>)>& visit);

}  // namespace tenure::dbtool
