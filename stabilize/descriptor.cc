#include "stabilize/descriptor.h"

#include <unistd.h>

#include <cerrno>

namespace tenure::stabilize {

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

ssize_t ReadAt(int fd, void* bytes, size_t count, uint64_t at) {
  size_t done = 0;
  while (done < count) {
    const ssize_t got =
        pread(fd, static_cast<char*>(bytes) + done, count - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace tenure::stabilize
