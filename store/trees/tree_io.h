// The functions that Berkeley DB calls for its files instead of the system's: pages of a tree go
// through the TreeOwner of their store, all else through store_io.h.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "store/files/descriptor.h"

namespace tenure::store {

// Reads and writes the pages of the trees in one directory, in the place of the system. Functions
// behave like the system calls of their names: -1 with errno. Any thread.
class TreeOwner {
 public:
  virtual const std::string& directory() const = 0;

  virtual ssize_t Write(int fd, const FileKey& key, const std::string& name, const void* bytes,
                        size_t count, off_t offset) = 0;
  virtual ssize_t Read(int fd, const FileKey& key, void* bytes, size_t count, off_t offset) = 0;
  virtual int Sync(int fd, const FileKey& key) = 0;
  // Writes all pages that the owner has collected to their places, perhaps without a sync.
  virtual int Settle() = 0;
  // Settle, with a sync. Call before files change otherwise than by Write.
  virtual int Retire() = 0;
  // Whether pages of the file were written since everything was synced.
  virtual bool HasPages(const FileKey& key) = 0;

  // Whether pages that are zero may be pages that were not written yet; else they are damaged.
  virtual bool may_have_holes() const = 0;
  // The reason why Berkeley DB must not get a whole page that has just been read. Empty: it may get
  // the page, or the answer is unknown and `*error` is the errno.
  virtual std::string TroubleOf(int fd, const FileKey& key, uint32_t number,
                                std::span<const std::byte> page, int* error) = 0;
  // The key is that of the file with this name from now on.
  virtual void ForgetPages(const FileKey& key, const std::string& name) = 0;

 protected:
  ~TreeOwner() = default;
};

// Between the two calls `owner` reads and writes the files that Berkeley DB opens in
// `owner->directory()`. Any thread.
void AddTreeOwner(TreeOwner* owner);
void RemoveTreeOwner(TreeOwner* owner);

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

  // The errno of the remembered failure, or 0; path() is what it concerns.
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
// TreeRead gives a bad page a wrong checksum. Returns the trouble of the last such page that this
// thread has read since the other call, "FILE: page N ...", or the empty text.
const char* PageTrouble();
void ClearPageTrouble();
// These return 0 or an error number, as Berkeley DB's hooks must.
int TreeSync(int fd);
int TreeTruncate(int fd, off_t size);
int TreeRename(const char* from, const char* to);
int TreeUnlink(const char* path);
// The names of the files in the directory; the array and each name are from malloc. All names, or
// an error.
int TreeList(const char* path, char*** names, int* count);
void TreeFreeList(char** names, int count);
int TreeExists(const char* path, int* is_directory);
int TreeInfo(const char* path, int fd, uint32_t* megabytes, uint32_t* bytes, uint32_t* io_bytes);
// The descriptor, or -1.
int TreeOpen(const char* path, int flags, ...);

}  // namespace tenure::store
