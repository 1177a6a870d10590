#include "gc/weak_refs.h"

#include <sys/random.h>

#include "base/metrics.h"
#include "gc/evacuator.h"

namespace tenure::gc {

namespace {

uint64_t RandomKey() {
  uint64_t key;
  // Without random bytes from the system, uses addresses of the process, which are random as well.
  if (getrandom(&key, sizeof key, GRND_NONBLOCK) != sizeof key) {
    key = reinterpret_cast<uintptr_t>(&key) * 0x9e3779b97f4a7c15u ^ MonotonicNanoseconds();
  }
  return key;
}

// The key of the process. An id of another process, even of the same position, means nothing here.
uint64_t Key() {
  static const uint64_t key = RandomKey();
  return key;
}

size_t IndexOf(uint64_t id) { return ((id ^ Key()) & 0xffffffffu) - 1; }

}  // namespace

uint64_t WeakRefs::Register(abi::Ref object, uint64_t cookie, bool wants_cleanup) {
  const HeapEntry guard(lock_);
  uint32_t index;
  if (free_.empty()) {
    index = static_cast<uint32_t>(entries_.size());
    entries_.Push(Entry{});
  } else {
    index = free_.Pop();
  }
  uint64_t id = ((next_serial_++ << 32) | (index + 1)) ^ Key();
  if (id == 0) id = ((next_serial_++ << 32) | (index + 1)) ^ Key();
  entries_[index] = {object, id, cookie, wants_cleanup};
  return id;
}

WeakRefs::Entry* WeakRefs::Find(uint64_t id) {
  const size_t index = IndexOf(id);
  if (id == 0 || index >= entries_.size() || entries_[index].id != id) return nullptr;
  return &entries_[index];
}

abi::Ref WeakRefs::Get(uint64_t id) {
  const HeapEntry guard(lock_);
  Entry* entry = Find(id);
  return entry == nullptr ? nullptr : entry->object;
}

void WeakRefs::Release(uint64_t id) {
  const HeapEntry guard(lock_);
  Entry* entry = Find(id);
  if (entry == nullptr) return;
  Free(*entry);
}

void WeakRefs::Free(Entry& entry) {
  free_.Push(static_cast<uint32_t>(&entry - entries_.begin()));
  entry = Entry{};
}

bool WeakRefs::TakeCleanup(Cleanup* cleanup) {
  const HeapEntry guard(lock_);
  if (queue_first_ == queue_.size()) return false;
  *cleanup = queue_[queue_first_++];
  if (queue_first_ == queue_.size()) {
    queue_.Clear();
    queue_first_ = 0;
  }
  return true;
}

void WeakRefs::Process(Evacuator& evacuator) {
  // Objects reached from dying objects live until the clean-ups have run. A dying object that is
  // reached from a dying object (also from itself) waits.
  for (Entry& entry : entries_) {
    if (entry.object != nullptr && entry.wants_cleanup && !evacuator.IsLive(entry.object)) {
      evacuator.VisitFieldsInPlace(entry.object);
    }
  }
  evacuator.Drain();

  const size_t first_new = queue_.size();
  // All weak references to an object become NIL before the first clean-up makes it reachable again.
  for (Entry& entry : entries_) {
    if (entry.object == nullptr || evacuator.IsLive(entry.object)) continue;
    if (entry.wants_cleanup) queue_.Push({entry.object, entry.id, entry.cookie});
    Free(entry);
  }
  for (size_t i = first_new; i < queue_.size(); ++i) evacuator.VisitSlot(&queue_[i].object);
  evacuator.Drain();

  for (Entry& entry : entries_) {
    if (entry.object == nullptr) continue;
    if (!evacuator.IsLive(entry.object)) {
      Free(entry);
      continue;
    }
    entry.object = evacuator.CurrentAddress(entry.object);
    if (evacuator.IsOutsideHeap(entry.object)) entry.wants_cleanup = false;
  }
}

}  // namespace tenure::gc
