#include "stabilize/descriptor.h"

#include <unistd.h>

#include "stabilize/store_io.h"

namespace tenure::stabilize {

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

ssize_t ReadAt(int fd, void* bytes, size_t count, uint64_t at) {
  return StoreRead(fd, bytes, count, static_cast<off_t>(at));
}

}  // namespace tenure::stabilize
