// A private file without a name, for data that exceeds the memory: images of dirty pages during a
// transaction, and the encoded pages of a large commit. The file ends with the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"

namespace tenure::store {

// With the session's lock, but for MapAt.
class SpillFile {
 public:
  SpillFile() = default;
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  // Where to make it, the first time that it is needed: a directory.
  void SetDirectory(const std::string& directory) {
    const MutexLock guard(directory_mutex_);
    directory_ = directory;
  }
  // Writes a page (kPageBytes); returns its slot.
  Result<uint32_t> Write(const std::byte* page);
  Status Read(uint32_t slot, std::byte* page) const;
  void Free(uint32_t slot) { free_.push_back(slot); }

  // `bytes` of memory that the system may write to such a file; null if there is none.
  void* MapScratch(size_t bytes) const;
  static void UnmapScratch(void* memory, size_t bytes);
  // The same at an address, in place of the mapping there: zero; the child of a fork does not have
  // it. False: there is none, or files of the directory are in memory themselves (tmpfs). Any
  // thread.
  bool MapAt(void* at, size_t bytes) const;

 private:
  std::string directory() const {
    const MutexLock guard(directory_mutex_);
    return directory_;
  }
  Result<int> Make() const;

  mutable Mutex directory_mutex_;
  std::string directory_ TN_GUARDED_BY(directory_mutex_) = "/tmp";
  int fd_ = -1;
  uint32_t slots_ = 0;
  std::vector<uint32_t> free_;
};

}  // namespace tenure::store
