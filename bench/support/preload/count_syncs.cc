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
#include <cstdarg>
#include <cstdint>
#include <cstdlib>

namespace {

using Counter = std::atomic<uint64_t>;
static_assert(Counter::is_always_lock_free);

// The function that this library stands before. Resolved when the library is loaded, since a signal
// handler must not search for it; or before, if the constructor of another library calls it.
template <typename Function>
class Next {
 public:
  explicit constexpr Next(const char* name) : name_(name) {}
  Function Resolve() {
    Function function = function_.load(std::memory_order_relaxed);
    if (function == nullptr) {
      function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name_));
      function_.store(function, std::memory_order_relaxed);
    }
    return function;
  }
  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    return Resolve()(arguments...);
  }

 private:
  const char* name_;
  std::atomic<Function> function_{nullptr};
};

// The attributes of the declarations do not matter to a call through a pointer.
#pragma GCC diagnostic ignored "-Wignored-attributes"
#define BENCH_NEXT(name) constinit Next<decltype(&::name)> next_##name(#name)
BENCH_NEXT(fsync);
BENCH_NEXT(fdatasync);
BENCH_NEXT(msync);
BENCH_NEXT(sync_file_range);
BENCH_NEXT(open);
BENCH_NEXT(open64);
BENCH_NEXT(openat);
BENCH_NEXT(openat64);
BENCH_NEXT(close);
BENCH_NEXT(write);
BENCH_NEXT(pwrite);
BENCH_NEXT(pwrite64);
BENCH_NEXT(writev);
BENCH_NEXT(pwritev);
BENCH_NEXT(pwritev64);
BENCH_NEXT(pwritev2);
BENCH_NEXT(pwritev64v2);
#undef BENCH_NEXT

constinit std::atomic<Counter*> counter{nullptr};

__attribute__((constructor)) void Load() {
  next_fsync.Resolve();
  next_fdatasync.Resolve();
  next_msync.Resolve();
  next_sync_file_range.Resolve();
  next_open.Resolve();
  next_open64.Resolve();
  next_openat.Resolve();
  next_openat64.Resolve();
  next_close.Resolve();
  next_write.Resolve();
  next_pwrite.Resolve();
  next_pwrite64.Resolve();
  next_writev.Resolve();
  next_pwritev.Resolve();
  next_pwritev64.Resolve();
  next_pwritev2.Resolve();
  next_pwritev64v2.Resolve();
  const char* path = std::getenv("BENCH_SYNCS");
  const int fd = path != nullptr ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void* place = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (place != MAP_FAILED) counter.store(static_cast<Counter*>(place));
}

void Count() {
  Counter* const count = counter.load(std::memory_order_relaxed);
  if (count != nullptr) count->fetch_add(1, std::memory_order_relaxed);
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
  Count();
  return next_fsync(fd);
}

int fdatasync(int fd) {
  Count();
  return next_fdatasync(fd);
}

int msync(void* address, size_t bytes, int flags) {
  if ((flags & MS_SYNC) != 0) Count();
  return next_msync(address, bytes, flags);
}

#define BENCH_OPEN(name)                                  \
  int name(const char* path, int flags, ...) {            \
    va_list arguments;                                    \
    va_start(arguments, flags);                           \
    const mode_t mode = ModeOf(flags, arguments);         \
    va_end(arguments);                                    \
    return Opened(next_##name(path, flags, mode), flags); \
  }
BENCH_OPEN(open)
BENCH_OPEN(open64)
#undef BENCH_OPEN

#define BENCH_OPENAT(name)                                        \
  int name(int folder, const char* path, int flags, ...) {        \
    va_list arguments;                                            \
    va_start(arguments, flags);                                   \
    const mode_t mode = ModeOf(flags, arguments);                 \
    va_end(arguments);                                            \
    return Opened(next_##name(folder, path, flags, mode), flags); \
  }
BENCH_OPENAT(openat)
BENCH_OPENAT(openat64)
#undef BENCH_OPENAT

int close(int fd) {
  Opened(fd, 0);
  return next_close(fd);
}

ssize_t write(int fd, const void* data, size_t bytes) {
  return Written(fd, next_write(fd, data, bytes));
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  return Written(fd, next_pwrite(fd, data, bytes, offset));
}

ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
  return Written(fd, next_pwrite64(fd, data, bytes, offset));
}

ssize_t writev(int fd, const iovec* parts, int count) {
  return Written(fd, next_writev(fd, parts, count));
}

ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  return Written(fd, next_pwritev(fd, parts, count, offset));
}

ssize_t pwritev64(int fd, const iovec* parts, int count, off64_t offset) {
  return Written(fd, next_pwritev64(fd, parts, count, offset));
}

ssize_t pwritev2(int fd, const iovec* parts, int count, off_t offset, int flags) {
  if ((flags & (RWF_DSYNC | RWF_SYNC)) != 0) Count();
  return Written(fd, next_pwritev2(fd, parts, count, offset, flags));
}

ssize_t pwritev64v2(int fd, const iovec* parts, int count, off64_t offset, int flags) {
  if ((flags & (RWF_DSYNC | RWF_SYNC)) != 0) Count();
  return Written(fd, next_pwritev64v2(fd, parts, count, offset, flags));
}

}  // extern "C"
