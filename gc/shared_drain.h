// The drain of a full collection, shared by several threads. Each copies to pages of its own and
// claims what it has copied by storing the new address into the old header with compare-and-swap; a
// thread that loses the race gives its copy up. Pages that are full and not yet scanned go to a
// pool from which every thread takes (as in Flood et al. 2001, by pages in place of stealing). Rare
// cases (large objects, new pages) are handled under one lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/mutex.h"
#include "gc/evacuator.h"
#include "gc/heap_state.h"
#include "gc/helper_threads.h"

namespace tenure::gc {

// Works between the visit of all roots and Evacuator::Drain, which then finds nothing left.
class SharedDrain {
 public:
  // For a major collection, after all pins and the visits of displaced objects.
  SharedDrain(HeapState& heap, Evacuator& evacuator) : heap_(heap), evacuator_(evacuator) {}
  SharedDrain(const SharedDrain&) = delete;
  SharedDrain& operator=(const SharedDrain&) = delete;

  void Run(HelperThreads& helpers);

 private:
  // The destination of one thread's copies, and the pages that it has taken to scan; like
  // Evacuator::Destination.
  class Worker;
  struct Work {
    enum class Kind : uint8_t { kNone, kCopies, kObject, kPart };
    Kind kind = Kind::kNone;
    char* begin = nullptr;      // kCopies, kPart
    char* end = nullptr;        // kCopies, kPart
    abi::Ref object = nullptr;  // kObject, kPart
    ptrdiff_t card_distance = 0;
  };

  // The next part of the drain for the calling thread; false when no thread has work left.
  bool Take(Work& work);
  Work Next() TN_REQUIRES(lock_);
  void Lock() TN_ACQUIRE(lock_);
  // Tells the others that there is more to take.
  void Added() TN_REQUIRES(lock_) {
    if (idle_ > 0) changed_.notify_one();
  }

  HeapState& heap_;
  Evacuator& evacuator_;
  size_t threads_ = 0;

  Mutex lock_;  // for the evacuator, its lists, the pages and all below
  CondVar changed_;
  size_t idle_ TN_GUARDED_BY(lock_) = 0;
  char* next_part_ TN_GUARDED_BY(lock_) =
      nullptr;  // of the large object that is next, null at its begin
};

}  // namespace tenure::gc
