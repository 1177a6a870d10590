#include "store/bdb/bdb_warm_handoff.h"

#include <unistd.h>

#include <utility>

#include "base/mutex.h"
#include "store/bdb/bdb_page_server.h"

namespace tenure::store {

namespace {

// Callers only try to lock the mutex: in a forked child, a thread of the parent may hold it for
// ever.
struct Slot {
  Mutex mutex;
  std::unique_ptr<BdbPageServer> server TN_GUARDED_BY(mutex);
  pid_t process TN_GUARDED_BY(mutex) = 0;  // the process that made the store
};

// Never destroyed: a kept store has nothing to write.
Slot& SlotOfProcess() {
  static Slot& slot = *new Slot;
  return slot;
}

}  // namespace

std::unique_ptr<BdbPageServer> WarmHandoff::Take(const std::string& path) {
  Slot& slot = SlotOfProcess();
  if (!slot.mutex.try_lock()) return nullptr;
  const MutexLock lock(slot.mutex, std::adopt_lock);
  if (slot.server == nullptr || slot.server->path() != path) return nullptr;
  // A forked child lacks the threads and locks that Berkeley DB needs to close the store.
  if (slot.process != getpid()) static_cast<void>(slot.server.release());
  return std::move(slot.server);
}

void WarmHandoff::Keep(std::unique_ptr<BdbPageServer> server) {
  Slot& slot = SlotOfProcess();
  if (!slot.mutex.try_lock()) return;
  const MutexLock lock(slot.mutex, std::adopt_lock);
  if (slot.process != getpid()) static_cast<void>(slot.server.release());
  slot.server = std::move(server);
  slot.process = getpid();
}

}  // namespace tenure::store
