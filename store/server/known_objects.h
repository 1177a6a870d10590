// Objects that stored pages were seen to have, for the check of requests: an object keeps its place
// and its type until a collection has found it dead.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "store/server/dead_objects.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Bounded: knows the latest ones. Any thread.
class KnownObjects {
 public:
  explicit KnownObjects(const DeadObjects& dead) : dead_(dead) {}

  // The index of the object's type; nothing: the object is not known.
  std::optional<uint32_t> TypeOf(DatabaseId database, uint64_t bits);
  // `dead_changes`: DeadObjects::changes from before the page was read.
  void Note(DatabaseId database, uint64_t bits, uint32_t type, uint64_t dead_changes);
  void Forget();

 private:
  struct Known {
    uint64_t bits = 0;
    uint32_t database = 0, type = 0;
  };

  const DeadObjects& dead_;
  Mutex lock_;
  std::vector<Known> known_ TN_GUARDED_BY(lock_);
};

}  // namespace tenure::store
