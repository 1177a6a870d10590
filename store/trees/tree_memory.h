// Memory for Berkeley DB in place of malloc, realloc and free. Its buffers for pages of trees, 64
// KB each, come from a region of their own in which another thread makes memory ready. Otherwise a
// buffer costs a page fault for each 4 KB, which takes longer than reading the page.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/mutex.h"

namespace tenure::store {

// The largest that Berkeley DB has: seven page records to a leaf and none on overflow pages.
constexpr size_t kTreePageBytes = 64 << 10;

// Buffers of one size. Any thread.
class TreeBuffers {
 public:
  // A page and the data that Berkeley DB keeps beside it.
  static constexpr size_t kBufferBytes = kTreePageBytes + 512;

  TreeBuffers() = default;
  ~TreeBuffers();  // none is in use
  TreeBuffers(const TreeBuffers&) = delete;
  TreeBuffers& operator=(const TreeBuffers&) = delete;

  bool Contains(const void* memory) const;
  // Null if there is no room.
  void* Take();
  // When none is in use any more the system gets the memory, but for a megabyte.
  void Give(void* buffer);

  // Makes a step of memory ready if less than a megabyte is ready beyond the buffers in use. Best
  // called in another thread than the one that reads.
  void Ready();
  // Does that whenever it is wanted, until no buffer is in use. Returns at once where another
  // thread does it already.
  void Serve();

  size_t in_use();

 private:
  struct FreeBuffer {
    FreeBuffer* next;
  };

  // Reserves the region. False: there is none.
  bool Reserve() TN_REQUIRES(mutex_);
  // Makes the addresses before `end` usable; false if the system refuses.
  bool Open(size_t end) TN_REQUIRES(mutex_);
  bool Wanted() const TN_REQUIRES(mutex_);
  void MakeReady(MutexLock& lock) TN_REQUIRES(mutex_);

  Mutex mutex_;
  CondVar changed_;  // for who serves
  bool served_ TN_GUARDED_BY(mutex_) = false;
  bool failed_ TN_GUARDED_BY(mutex_) = false;
  char* base_ = nullptr;
  std::atomic<size_t> bytes_ = 0;          // 0 until `base_` is there; both are set once
  size_t open_ TN_GUARDED_BY(mutex_) = 0;  // what lies before it can be read and written
  size_t used_ TN_GUARDED_BY(mutex_) = 0;  // all buffers that have ever been taken lie before it
  size_t ready_ TN_GUARDED_BY(mutex_) =
      0;  // what lies before it has been made ready, or is about to be
  size_t in_use_ TN_GUARDED_BY(mutex_) = 0;
  FreeBuffer* free_ TN_GUARDED_BY(mutex_) = nullptr;
};

// The buffers of all stores, for as long as the process lives.
TreeBuffers& TheTreeBuffers();

// Berkeley DB's malloc, realloc and free. Memory that is not a buffer comes from the C library's.
void* TreeAllocate(size_t bytes);
void* TreeReallocate(void* memory, size_t bytes);
void TreeFree(void* memory);

}  // namespace tenure::store
