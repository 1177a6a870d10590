// What Berkeley DB calls instead of the system's functions for its files: pages of a tree go
// through the DoubleWrite of its store, everything else through store_io.h.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "store/trees/double_write.h"

namespace tenure::store {

// From now on, until it is removed, files that Berkeley DB opens in `pages->directory()` are
// written and read by `pages`, which does both of itself while it lives. Any thread.
void AddTreeOwner(DoubleWrite* pages);
void RemoveTreeOwner(DoubleWrite* pages);

// While one lives, a read, list or look-up by Berkeley DB on this thread that fails is remembered,
// and all that it would change from then on fails with the same error: it takes some failures for
// an answer ("here the log ends"). It reads copies of log files, in memory, so that no read of a
// log fails but here. None while another one lives on this thread.
class TreeLookGuard {
 public:
  TreeLookGuard();
  ~TreeLookGuard();
  TreeLookGuard(const TreeLookGuard&) = delete;
  TreeLookGuard& operator=(const TreeLookGuard&) = delete;

  // The error number, or 0; and of what.
  int error() const { return error_; }
  const std::string& path() const { return path_; }
  void Note(int error, const std::string& path);

 private:
  int error_ = 0;
  std::string path_;
};

// Like the system calls that they stand for; -1 with errno.
ssize_t TreeRead(int fd, void* bytes, size_t count, off_t offset);
ssize_t TreeWrite(int fd, const void* bytes, size_t count, off_t offset);
ssize_t TreeWriteHere(int fd, const void* bytes, size_t count);
// A page that TreeRead has found trouble with has got a wrong checksum. What the trouble was, of
// the last such page that this thread has read since the other call: "FILE: page N ..."; or empty.
const std::string& PageTrouble();
void ClearPageTrouble();
// These return an error number or 0, which is what Berkeley DB, other than the system, asks of
// them.
int TreeSync(int fd);
int TreeTruncate(int fd, off_t size);
int TreeRename(const char* from, const char* to);
int TreeUnlink(const char* path);
// The names of the files in the directory, each and all of them from malloc; all, or an error.
int TreeList(const char* path, char*** names, int* count);
void TreeFreeList(char** names, int count);
int TreeExists(const char* path, int* is_directory);
int TreeInfo(const char* path, int fd, uint32_t* megabytes, uint32_t* bytes, uint32_t* io_bytes);
// The descriptor, or -1.
int TreeOpen(const char* path, int flags, ...);

}  // namespace tenure::store
