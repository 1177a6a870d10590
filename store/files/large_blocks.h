// Large blocks of memory that the system can write out. A commit of many objects, or a message with
// one, takes for a moment blocks in proportion to its size: such a block would take the process
// beyond the memory that it may use. So `operator new` of a process that has called
// UseFilesForLargeBlocks asks where blocks from kLargeBlockBytes on come from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "store/files/spill_file.h"

namespace tenure::store {

inline constexpr size_t kLargeBlockBytes = size_t{1} << 20;

// From now on `operator new` calls take(context, bytes) for blocks of at least kLargeBlockBytes,
// from any thread and under any lock: it gives memory of a file, as SpillFile::MapScratch, or null
// for private memory. Null: no more. Without effect under sanitizers, which have an operator of
// their own.
void UseFilesForLargeBlocks(void* (*take)(void* context, size_t bytes), void* context);

// While one lives, such blocks come from `files` where the process would otherwise take more than
// `memory_bytes`. One at a time; the files must outlive it.
class LargeBlocksInFiles {
 public:
  LargeBlocksInFiles(uint64_t memory_bytes, const SpillFile& files);
  ~LargeBlocksInFiles();
  LargeBlocksInFiles(const LargeBlocksInFiles&) = delete;
  LargeBlocksInFiles& operator=(const LargeBlocksInFiles&) = delete;

 private:
  static void* Take(void* self, size_t bytes);

  const uint64_t memory_bytes_;
  const SpillFile& files_;
};

// Before a fork: the child would share memory of files; it becomes private.
void MakeLargeBlocksPrivate();

}  // namespace tenure::store
