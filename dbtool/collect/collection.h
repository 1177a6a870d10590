// The options of a disk collection, and its results.
#pragma once

#include <cstdint>

namespace tenure::dbtool {

struct CollectOptions {
  uint64_t pages_at_once = 2048;  // the most pages that a commit writes
};

struct CollectTotals {
  uint64_t pages = 0, objects = 0;              // before
  uint64_t freed_objects = 0, freed_bytes = 0;  // with their headers
  uint64_t freed_pages = 0;                     // pages whose numbers are free now
};

}  // namespace tenure::dbtool
