// A library for LD_PRELOAD that counts the calls which return when a file's data is durable: syncs,
// and writes to a file that was opened with O_DSYNC or O_SYNC. It counts those of all processes
// that have the same BENCH_SYNCS, a file of at least 8 bytes, which begins with the count. Without
// BENCH_SYNCS it counts nothing.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>

namespace {

using Counter = std::atomic<uint64_t>;
static_assert(Counter::is_always_lock_free);

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

Counter* MapCounter() {
  const char* path = std::getenv("BENCH_SYNCS");
  const int fd = path != nullptr ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return nullptr;
  void* place = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return place == MAP_FAILED ? nullptr : static_cast<Counter*>(place);
}

void Count() {
  const int error = errno;
  static Counter* const counter = MapCounter();
  if (counter != nullptr) counter->fetch_add(1, std::memory_order_relaxed);
  errno = error;
}

// Whether writes to a descriptor are synchronous, for descriptors below the limit.
constexpr int kDescriptors = 65536;
std::atomic<bool> synchronous[kDescriptors];

int Opened(int fd, int flags) {
  if (fd >= 0 && fd < kDescriptors) {
    synchronous[fd].store((flags & O_DSYNC) != 0,
                          std::memory_order_relaxed);  // O_SYNC has this bit
  }
  return fd;
}

ssize_t Written(int fd, ssize_t result) {
  if (result > 0 && fd < kDescriptors && synchronous[fd].load(std::memory_order_relaxed)) Count();
  return result;
}

bool HasMode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

mode_t ModeOf(int flags, va_list arguments) {
  return HasMode(flags) ? static_cast<mode_t>(va_arg(arguments, unsigned)) : 0;
}

}  // namespace

extern "C" {

int fsync(int fd) {
  static const auto next = Next<int (*)(int)>("fsync");
  Count();
  return next(fd);
}

int fdatasync(int fd) {
  static const auto next = Next<int (*)(int)>("fdatasync");
  Count();
  return next(fd);
}

int msync(void* address, size_t bytes, int flags) {
  static const auto next = Next<int (*)(void*, size_t, int)>("msync");
  if ((flags & MS_SYNC) != 0) Count();
  return next(address, bytes, flags);
}

#define BENCH_OPEN(name)                                   \
  int name(const char* path, int flags, ...) {             \
    static const auto next = Next<decltype(&name)>(#name); \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    const mode_t mode = ModeOf(flags, arguments);          \
    va_end(arguments);                                     \
    return Opened(next(path, flags, mode), flags);         \
  }
BENCH_OPEN(open)
BENCH_OPEN(open64)
#undef BENCH_OPEN

#define BENCH_OPENAT(name)                                 \
  int name(int folder, const char* path, int flags, ...) { \
    static const auto next = Next<decltype(&name)>(#name); \
    va_list arguments;                                     \
    va_start(arguments, flags);                            \
    const mode_t mode = ModeOf(flags, arguments);          \
    va_end(arguments);                                     \
    return Opened(next(folder, path, flags, mode), flags); \
  }
BENCH_OPENAT(openat)
BENCH_OPENAT(openat64)
#undef BENCH_OPENAT

int close(int fd) {
  static const auto next = Next<int (*)(int)>("close");
  Opened(fd, 0);
  return next(fd);
}

ssize_t write(int fd, const void* data, size_t bytes) {
  static const auto next = Next<decltype(&write)>("write");
  return Written(fd, next(fd, data, bytes));
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  static const auto next = Next<decltype(&pwrite)>("pwrite");
  return Written(fd, next(fd, data, bytes, offset));
}

ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
  static const auto next = Next<decltype(&pwrite64)>("pwrite64");
  return Written(fd, next(fd, data, bytes, offset));
}

ssize_t writev(int fd, const iovec* parts, int count) {
  static const auto next = Next<decltype(&writev)>("writev");
  return Written(fd, next(fd, parts, count));
}

ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  static const auto next = Next<decltype(&pwritev)>("pwritev");
  return Written(fd, next(fd, parts, count, offset));
}

ssize_t pwritev64(int fd, const iovec* parts, int count, off64_t offset) {
  static const auto next = Next<decltype(&pwritev64)>("pwritev64");
  return Written(fd, next(fd, parts, count, offset));
}

ssize_t pwritev2(int fd, const iovec* parts, int count, off_t offset, int flags) {
  static const auto next = Next<decltype(&pwritev2)>("pwritev2");
  if ((flags & (RWF_DSYNC | RWF_SYNC)) != 0) Count();
  return Written(fd, next(fd, parts, count, offset, flags));
}

}  // extern "C"
