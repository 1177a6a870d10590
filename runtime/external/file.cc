// The C side of the library's files: operations on descriptors. Failures are -errno.

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "runtime/external/file_status.h"
#include "runtime/sessions/io_buffer.h"
#include "runtime/start/exit_actions.h"
#include "runtime/threads/file_waits.h"

using namespace tenure::runtime;

namespace {

int64_t OrErrno(int64_t result) { return result < 0 ? -errno : result; }

int Fd(int64_t fd) { return static_cast<int>(fd); }

}  // namespace

extern "C" {

int64_t tn_file_open(const char* path, int64_t length, int64_t flags, int64_t permissions) {
  const bool reads = (flags & 1) != 0;
  const bool writes = (flags & 2) != 0;
  int mode = O_CLOEXEC | (reads && writes ? O_RDWR : writes ? O_WRONLY : O_RDONLY);
  if ((flags & 4) != 0) mode |= O_CREAT;
  if ((flags & 8) != 0) mode |= O_EXCL;
  if ((flags & 16) != 0) mode |= O_TRUNC;
  if ((flags & 32) != 0) mode |= O_APPEND;
  const std::string name(path, static_cast<size_t>(length));
  return OrErrno(open(name.c_str(), mode, static_cast<mode_t>(permissions)));
}

int64_t tn_file_read(int64_t fd, char* buffer, int64_t count) {
  const auto bytes = static_cast<size_t>(count);
  return CallWithBuffer([&] { TouchForWriting(buffer, bytes); },
                        [&] { return ReadWhenReady(Fd(fd), buffer, bytes); });
}

int64_t tn_file_read_now(int64_t fd, char* buffer, int64_t count) {
  pollfd poll_fd = {Fd(fd), POLLIN, 0};
  const int ready = poll(&poll_fd, 1, 0);
  if (ready < 0) return -errno;
  if (ready == 0) return -EAGAIN;
  return tn_file_read(fd, buffer, count);
}

int64_t tn_file_write(int64_t fd, const char* buffer, int64_t count, int64_t* done) {
  *done = 0;
  auto left = static_cast<size_t>(count);
  while (left > 0) {
    const int64_t written = CallWithBuffer([&] { TouchForReading(buffer, left); },
                                           [&] { return WriteWhenReady(Fd(fd), buffer, left); });
    if (written == -EAGAIN) {
      static_cast<void>(AwaitFile(Fd(fd), /*output=*/true, -1, -1));
      continue;
    }
    if (written == -EPIPE && (fd == STDOUT_FILENO || fd == STDERR_FILENO)) NoteUnreadOutput();
    if (written < 0) return written;
    *done += written;
    buffer += written;
    left -= static_cast<size_t>(written);
  }
  return 0;
}

int64_t tn_file_seek(int64_t fd, int64_t origin, int64_t offset) {
  static constexpr int kOrigins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if (origin < 0 || origin > 2) return -EINVAL;
  return OrErrno(lseek(Fd(fd), offset, kOrigins[origin]));
}

int64_t tn_file_size(int64_t fd) {
  struct stat status;
  if (fstat(Fd(fd), &status) != 0) return -errno;
  return status.st_size;
}

int64_t tn_file_close(int64_t fd) { return OrErrno(close(Fd(fd))); }

int64_t tn_file_sync(int64_t fd) { return OrErrno(fsync(Fd(fd))); }

int64_t tn_file_truncate(int64_t fd, int64_t size) { return OrErrno(ftruncate(Fd(fd), size)); }

int64_t tn_file_kind(int64_t fd) {
  struct stat status;
  if (fstat(Fd(fd), &status) != 0) return -errno;
  if (isatty(Fd(fd)) == 1) return kFileKindTerminal;
  return FileKindOf(status);
}

double tn_file_modified(int64_t fd) {
  struct stat status;
  if (fstat(Fd(fd), &status) != 0) return -1;
  return ModificationTimeOf(status);
}

int64_t tn_file_available(int64_t fd) {
  struct stat status;
  if (fstat(Fd(fd), &status) != 0) return -errno;
  if (S_ISREG(status.st_mode)) {
    const off_t position = lseek(Fd(fd), 0, SEEK_CUR);
    if (position < 0) return -errno;
    return position < status.st_size ? status.st_size - position : 0;
  }
  int count = 0;
  if (ioctl(Fd(fd), FIONREAD, &count) != 0) return -errno;
  return count;
}

int64_t tn_file_lock(int64_t fd) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(Fd(fd), F_SETLK, &lock) == 0) return 1;
  return errno == EACCES || errno == EAGAIN ? 0 : -errno;
}

int64_t tn_file_unlock(int64_t fd) {
  struct flock lock = {};
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  return OrErrno(fcntl(Fd(fd), F_SETLK, &lock));
}

}  // extern "C"
