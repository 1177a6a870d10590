#include "compiler/dependencies/package_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tenure::compiler {

PackageLock::PackageLock(const std::string& directory)
    : directory_(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (directory_ >= 0 && flock(directory_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

PackageLock::~PackageLock() {
  if (directory_ >= 0) close(directory_);
}

}  // namespace tenure::compiler
