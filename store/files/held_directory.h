// A store is its directory, not the path that led there: while a directory is held, every file that
// is named by the directory's path and a name, as all of this layer and Berkeley DB name files, is
// reached by the descriptor of the directory. What has the path meanwhile is not touched.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/files/file_system.h"

namespace tenure::store {

// Where the file with that path is: in a held directory if the path is that of one ("." then), or a
// name in it; else the path itself with AT_FDCWD. In a forked child nothing is in a directory that
// the parent holds: system calls fail with EBADF. Any thread.
Place PlaceOf(const char* path);

// Whether it is the path of a held directory.
bool IsHeld(const std::string& path);

// To whom a new file belongs.
struct FileOwner {
  bool known = false;  // else to whoever makes it
  uid_t user = 0;
  gid_t group = 0;
  mode_t mode = 0600;
};

// For a file in a held directory: as its FORMAT, or as the directory while there is none, so that
// the owner can use a store that someone else, as root, has used.
FileOwner OwnerFor(const Place& place);

// Held from Open until it is destroyed, by the path that Open was given, blanks and all. Copies of
// the descriptor are not kept by forked children. One thread at a time.
class HeldDirectory {
 public:
  HeldDirectory() = default;  // none
  HeldDirectory(HeldDirectory&& other) noexcept;
  HeldDirectory& operator=(HeldDirectory&& other) noexcept;
  ~HeldDirectory();

  // Links that lead to the directory are followed. kNotFound if there is none. kInUse if this
  // process holds another directory that had the same path.
  static Result<HeldDirectory> Open(const std::string& path);

  // In a forked child: paths of directories that the parent holds become ordinary paths.
  static void ForgetThoseOfParent();

  int fd() const { return fd_; }
  // The path from the root, as it was when it was opened; links are not resolved.
  std::string AbsolutePath() const;

 private:
  HeldDirectory(int fd, uint64_t number) : fd_(fd), number_(number) {}
  int fd_ = -1;
  uint64_t number_ = 0;
};

}  // namespace tenure::store
