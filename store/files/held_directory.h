// A store is its directory, not the path that led there. While a directory is held, each file that
// this layer or Berkeley DB names by the directory's path and a name is reached through the
// directory's descriptor. Another directory that gets the path meanwhile is not touched.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/files/file_system.h"

namespace tenure::store {

// The place of the file with that path. For a held directory: its descriptor and "."; for a file in
// one: the descriptor and the name; else: AT_FDCWD and the path. In a forked child nothing is in a
// directory that the parent holds: system calls fail with EBADF. Any thread.
Place PlaceOf(const char* path);

// Whether it is the path of a held directory.
bool IsHeld(const std::string& path);

// The owner that a new file gets.
struct FileOwner {
  bool known = false;  // false: the process that makes the file is its owner
  uid_t user = 0;
  gid_t group = 0;
  mode_t mode = 0600;
};

// The owner for a file in a held directory: that of its FORMAT, or of the directory while FORMAT is
// missing. So the owner can use a store after another user, such as root, has used it.
FileOwner OwnerFor(const Place& place);

// A directory that is held from Open until the object is destroyed, by exactly the path that Open
// was given. Forked children keep no copy of the descriptor. One thread at a time.
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
