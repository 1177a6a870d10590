// The system calls that touch a store's files, as an object: the functions of store_io.h make them
// through the file system in use. Tests put another one in its place, which fails or ends the
// process on purpose (store/faults/io_faults.h).
//
// Each function is the system call that its comment names: the same results, errno for failures.
// Any thread.

#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tenure::store {

// The arguments of the *at system calls.
struct Place {
  int directory;
  const char* name;  // part of the path that was asked for, or "."
};

class FileSystem {
 public:
  constexpr FileSystem() = default;

  // --- operations that change files ---
  virtual ssize_t Write(int fd, const void* bytes, size_t count);                 // write
  virtual ssize_t Pwrite(int fd, const void* bytes, size_t count, off_t offset);  // pwrite
  virtual ssize_t Pwritev(int fd, const iovec* parts, int count, off_t offset);   // pwritev
  virtual int Sync(int fd);                                                       // fdatasync
  virtual int SyncDirectory(int fd);                                              // fsync
  virtual int Truncate(int fd, off_t size);                                       // ftruncate
  virtual int Rename(const Place& from, const Place& to);                         // renameat
  virtual int Unlink(const Place& place);                                         // unlinkat
  virtual int MakeDirectory(const char* path);                                    // mkdir, 0700
  // openat with O_CREAT and O_EXCL, mode 0600; close-on-exec, never through a link.
  virtual int Create(const Place& place, int flags);
  // As Create, after an unlinkat of an earlier file of that name.
  virtual int CreateAgain(const Place& place, int flags);

  // --- operations that only look ---
  // openat of a file that exists; close-on-exec, never through a link, does not wait.
  virtual int Open(const Place& place, int flags);
  virtual ssize_t Pread(int fd, void* bytes, size_t count, off_t offset);  // pread
  virtual int Stat(const Place& place, struct stat* info);  // fstatat, of a link itself
  virtual int Info(int fd, struct stat* info);              // fstat
  // opendir and readdir of an open directory, which is closed afterwards: all names but "." and
  // "..", in `names`, which is empty after a failure.
  virtual int List(int fd, std::vector<std::string>* names);

 protected:
  ~FileSystem() = default;
};

// The one that this process uses: the operating system's until a test has chosen another
// (UseFileSystem). Any thread.
FileSystem& FilesInUse();
// `files` lives as long as the process.
void SetFilesInUse(FileSystem& files);

}  // namespace tenure::store
