#include "store/format/random_source.h"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "store/format/status_text.h"

namespace tenure::store {
namespace {

// Repeats the read while signals interrupt it. A read of `bytes`, which are few, is never partial.
template <typename Read>
bool ReadsAll(size_t bytes, Read&& read) {
  ssize_t got;
  do got = read();
  while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(bytes);
}

}  // namespace

Status FillRandom(void* to, size_t bytes) {
  if (ReadsAll(bytes, [&] { return getrandom(to, bytes, 0); })) return Status::Ok();
  const int call_error = errno;
  constexpr const char* kDevice = "/dev/urandom";
  const int fd = open(kDevice, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  const bool read = fd >= 0 && ReadsAll(bytes, [&] { return ::read(fd, to, bytes); });
  const int error = errno;
  if (fd >= 0) close(fd);
  if (read) return Status::Ok();
  return SystemFailure(error,
                       "the system gives no random numbers, which name stores and commits: "
                       "getrandom fails (" +
                           std::string(std::strerror(call_error)) + "), and so does " + kDevice);
}

Status CheckRandomSource() {
  uint64_t ignored;
  return FillRandom(&ignored, sizeof ignored);
}

}  // namespace tenure::store
