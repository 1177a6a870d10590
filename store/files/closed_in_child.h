// Descriptors that a forked child closes at once: locks and sockets that only the parent uses. A
// child that kept such a descriptor would hold the parent's lock or connection beyond the parent's
// death.
#pragma once

#include <set>

#include "base/mutex.h"

namespace tenure::store {

struct ClosedInChild {
  // No fork happens while a thread holds it: hold it from opening a descriptor to noting it.
  Mutex mutex;
  // Protected by the mutex. Empty in a child, where the parent's numbers may name other files.
  std::set<int> descriptors TN_GUARDED_BY(mutex);
};

// The set of this process.
ClosedInChild& DescriptorsClosedInChild();

}  // namespace tenure::store
