// The C side of the library's interfaces to C and Unix: the calls whose C types Modula-3 has no
// word for (results narrower than INTEGER, variadic parameters, records that differ by system).

#include <fcntl.h>
#include <netdb.h>
#include <sys/ioctl.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <vector>

namespace {

// Ustat.struct_stat.
struct UnixStat {
  int64_t device;
  int64_t inode;
  int64_t modified;
  int64_t links;
  int64_t device_of_special_file;
  int64_t size;
  int64_t flags;
  int64_t group;
  int64_t mode;
  int64_t user;
};

int FillStat(int result, const struct stat& from, UnixStat* to) {
  if (result != 0) return result;
  *to = {static_cast<int64_t>(from.st_dev),
         static_cast<int64_t>(from.st_ino),
         from.st_mtime,
         static_cast<int64_t>(from.st_nlink),
         static_cast<int64_t>(from.st_rdev),
         from.st_size,
         0,
         from.st_gid,
         from.st_mode,
         from.st_uid};
  return 0;
}

// Unix.struct_flock.
struct UnixLock {
  int64_t length;
  int64_t start;
  int64_t process;
  int64_t type;
  int64_t whence;
};

int FcntlLock(int fd, int request, UnixLock* lock) {
  struct flock c_lock = {};
  c_lock.l_len = lock->length;
  c_lock.l_start = lock->start;
  c_lock.l_pid = static_cast<pid_t>(lock->process);
  c_lock.l_type = static_cast<short>(lock->type);
  c_lock.l_whence = static_cast<short>(lock->whence);
  const int result = fcntl(fd, request, &c_lock);
  if (result >= 0) {
    *lock = {c_lock.l_len, c_lock.l_start, c_lock.l_pid, c_lock.l_type, c_lock.l_whence};
  }
  return result;
}

}  // namespace

extern "C" {

int tn_c_get_errno() { return errno; }

void tn_c_set_errno(int value) { errno = value; }

int tn_unix_stat(const char* path, UnixStat* buffer) {
  struct stat status;
  return FillStat(stat(path, &status), status, buffer);
}

int tn_unix_lstat(const char* path, UnixStat* buffer) {
  struct stat status;
  return FillStat(lstat(path, &status), status, buffer);
}

int tn_unix_fstat(int fd, UnixStat* buffer) {
  struct stat status;
  return FillStat(fstat(fd, &status), status, buffer);
}

int tn_unix_open(const char* path, int flags, int64_t mode) {
  return open(path, flags, static_cast<mode_t>(mode));
}

int tn_unix_fcntl(int fd, int64_t request, int64_t argument) {
  switch (request) {
    case F_GETLK:
    case F_SETLK:
    case F_SETLKW:
      return FcntlLock(fd, static_cast<int>(request), reinterpret_cast<UnixLock*>(argument));
    default: return fcntl(fd, static_cast<int>(request), argument);
  }
}

int tn_unix_ioctl(int fd, int64_t request, void* argument) {
  return ioctl(fd, static_cast<unsigned long>(request), argument);
}

int64_t tn_unix_tell(int fd) { return lseek(fd, 0, SEEK_CUR); }

int64_t tn_unix_umask(int64_t mask) { return umask(static_cast<mode_t>(mask)); }

// In the classic binding this checked that C's values fit its own; here the compiler checks that.
void tn_unix_assertions() {
  static_assert(sizeof(UnixStat) == 80 && sizeof(UnixLock) == 40 && sizeof(off_t) == 8);
}

int64_t tn_unix_getpid() { return getpid(); }
int64_t tn_unix_getppid() { return getppid(); }
int64_t tn_unix_getpgrp() { return getpgrp(); }
int64_t tn_unix_setsid() { return setsid(); }
int tn_unix_setpgid(int64_t process, int64_t group) {
  return setpgid(static_cast<pid_t>(process), static_cast<pid_t>(group));
}
int64_t tn_unix_fork() { return fork(); }
int64_t tn_unix_tcgetpgrp(int fd) { return tcgetpgrp(fd); }
int tn_unix_tcsetpgrp(int fd, int64_t group) { return tcsetpgrp(fd, static_cast<pid_t>(group)); }
int64_t tn_unix_getuid() { return getuid(); }
int64_t tn_unix_geteuid() { return geteuid(); }
int64_t tn_unix_getgid() { return getgid(); }
int64_t tn_unix_getegid() { return getegid(); }

int tn_unix_havegroup(int64_t group) {
  const auto wanted = static_cast<gid_t>(group);
  if (getgid() == wanted || getegid() == wanted) return 1;
  const int count = getgroups(0, nullptr);
  if (count <= 0) return 0;
  std::vector<gid_t> groups(static_cast<size_t>(count));
  const int got = getgroups(count, groups.data());
  for (int i = 0; i < got; ++i) {
    if (groups[static_cast<size_t>(i)] == wanted) return 1;
  }
  return 0;
}

int64_t tn_unix_waitpid(int64_t process, int* status, int options) {
  return waitpid(static_cast<pid_t>(process), status, options);
}

int64_t tn_unix_wait(int* status) { return wait(status); }

int tn_unix_h_errno() { return h_errno; }

// The fourth argument of semctl is a union of the size of a word.
int tn_unix_semctl(int id, int number, int command, int64_t argument) {
  return semctl(id, number, command, argument);
}

void tn_unix_repack_status(int* status) {
  const int c_status = *status;
  *status = WIFEXITED(c_status)     ? WEXITSTATUS(c_status) << 8
            : WIFSIGNALED(c_status) ? WTERMSIG(c_status) | (WCOREDUMP(c_status) ? 0x80 : 0)
                                    : c_status;
}

// The C library's ctime_r and asctime_r write up to 26 bytes and do not know the buffer's size.
char* tn_unix_ctime_r(const time_t* clock, char* buffer, int length) {
  if (length < 26) {
    errno = ERANGE;
    return nullptr;
  }
  return ctime_r(clock, buffer);
}

char* tn_unix_asctime_r(const struct tm* time, char* buffer, int length) {
  if (length < 26) {
    errno = ERANGE;
    return nullptr;
  }
  // Programs ask for this function by its name, and the length has been tested.
  return asctime_r(time, buffer);  // NOLINT(bugprone-unsafe-functions)
}

}  // extern "C"
