#include "store/files/descriptor.h"

#include <unistd.h>

#include "store/files/store_io.h"

namespace tenure::store {

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

ssize_t ReadAt(int fd, void* bytes, size_t count, uint64_t at) {
  return StoreRead(fd, bytes, count, static_cast<off_t>(at));
}

}  // namespace tenure::store
