// A file's descriptor that is closed at the end of its scope, and reading at a place.

#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tenure::store {

class Descriptor {
 public:
  // Owned from now on; negative: none.
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// A device's number and a file's on it.
using FileKey = std::pair<dev_t, ino_t>;

// Reads up to `count` bytes at `at`, fewer only at the file's end; the number read, or -1 with
// errno.
ssize_t ReadAt(int fd, void* bytes, size_t count, uint64_t at);

}  // namespace tenure::store
