// A disk collection's changes to the contents of one page of small objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.h"
#include "dbtool/stored/stored_types.h"

namespace tenure::dbtool {

enum class SweepStep {
  kCount,       // changes nothing
  kDisconnect,  // dead objects lose their references
  kFree,        // dead objects become free places, joined with those beside them
};

struct PageSweep {
  bool some_live = false, some_dead = false;
  bool references = false;  // dead objects had some, and have lost them
};

// Carries the step out on the kPageBytes at `contents`. `is_live` is asked of each object, in
// order, with its payload's offset and its length with the header; `type_of` for its type by
// number. kCorrupt at an object that cannot be one.
Result<PageSweep> SweepContents(std::byte* contents, SweepStep step,
                                const std::function<Result<const StoredType*>(uint64_t)>& type_of,
                                const std::function<bool(size_t payload, uint64_t bytes)>& is_live);

}  // namespace tenure::dbtool
