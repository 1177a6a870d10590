// Weak references (language.md, interface WeakRef): they do not keep their object alive, and may
// ask for a clean-up when no other reference keeps the object alive.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/heap_lock.h"
#include "gc/raw_array.h"

namespace tenure::gc {

class Evacuator;

// Mutators call the public functions on any thread; they take the heap's lock, so that no thread is
// stopped inside. The collector calls the others with the world stopped.
class WeakRefs {
 public:
  explicit WeakRefs(HeapLock& heap_lock) : lock_(heap_lock) {}

  // A weak reference to `object`, not NIL. `cookie` is the caller's, for the clean-up. An id is
  // never 0 and never used again; in another process, which may get the id from a database or a
  // file, the id names no object.
  uint64_t Register(abi::Ref object, uint64_t cookie, bool wants_cleanup);
  // The object; null when the object was found unreachable (also while its clean-up waits) or the
  // reference was released.
  abi::Ref Get(uint64_t id);
  // Forgets the reference, and the clean-up. A clean-up that is queued already stays.
  void Release(uint64_t id);

  // Takes the oldest waiting clean-up. The caller makes the object reachable again.
  // An object is queued only when no other object that waits for its clean-up reaches it: users
  // before what they use. Objects that reach themselves are never queued. An object that went home
  // to a database is persistent: its clean-up is forgotten.
  struct Cleanup {
    abi::Ref object;
    uint64_t id;
    uint64_t cookie;
  };
  bool TakeCleanup(Cleanup* cleanup);
  bool CleanupsWait() const {
    const HeapEntry guard(lock_);
    return queue_first_ < queue_.size();
  }

  // Collector: the objects that wait for their clean-up are exact roots.
  template <typename Visit>
  void VisitQueue(Visit&& visit) {
    for (size_t i = queue_first_; i < queue_.size(); ++i) visit(&queue_[i].object);
  }
  // Every object that has a weak reference or waits for its clean-up.
  template <typename Visit>
  void ForEachObject(Visit&& visit) const {
    for (size_t i = 0; i < entries_.size(); ++i) visit(entries_[i].object);
    for (size_t i = queue_first_; i < queue_.size(); ++i) visit(queue_[i].object);
  }
  // Collector: when every strongly reachable object has been evacuated. Evacuates the objects that
  // clean-ups need.
  void Process(Evacuator& evacuator);

  size_t size() const { return entries_.size() - free_.size(); }

 private:
  struct Entry {
    abi::Ref object;  // null: free
    uint64_t id;      // 0: free
    uint64_t cookie;
    bool wants_cleanup;
  };
  // An id is serial << 32 | index + 1, in the key of the process.
  Entry* Find(uint64_t id);
  // The next reference may have the place.
  void Free(Entry& entry);

  HeapLock& lock_;
  RawArray<Entry> entries_;
  RawArray<uint32_t> free_;
  RawArray<Cleanup> queue_;
  size_t queue_first_ = 0;
  uint64_t next_serial_ = 1;
};

}  // namespace tenure::gc
