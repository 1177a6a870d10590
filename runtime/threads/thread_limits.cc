#include "runtime/threads/thread_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace tenure::runtime {

namespace {

char explanation[400];

// The number in a file of /proc; 0 if it cannot be read.
uint64_t NumberIn(const char* path) {
  char text[32] = {};
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  return count <= 0 ? 0 : std::strtoull(text, nullptr, 10);
}

uint64_t CountMappings() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  uint64_t lines = 0;
  char part[4096];
  ssize_t count;
  while ((count = read(file, part, sizeof part)) > 0) {
    lines += static_cast<uint64_t>(std::count(part, part + count, '\n'));
  }
  close(file);
  return lines;
}

}  // namespace

const char* WhyNoThread(int error) {
  const uint64_t mappings = CountMappings(), most = NumberIn("/proc/sys/vm/max_map_count");
  // A thread needs several.
  constexpr uint64_t kOfOneThread = 8;
  if (most != 0 && mappings + kOfOneThread >= most) {
    std::snprintf(explanation, sizeof explanation,
                  "no room for another thread: the system allows a process %llu mappings of memory "
                  "(vm.max_map_count), and %llu are in use; each thread takes some. To raise the "
                  "limit: sysctl vm.max_map_count=%llu",
                  static_cast<unsigned long long>(most), static_cast<unsigned long long>(mappings),
                  static_cast<unsigned long long>(most * 8));
    return explanation;
  }
  if (error != EAGAIN) return "no room for another thread: out of memory";
  rlimit threads = {};
  getrlimit(RLIMIT_NPROC, &threads);
  std::snprintf(
      explanation, sizeof explanation,
      "no room for another thread: the system starts no more. Its limits are %lld threads "
      "of this user (ulimit -u), %llu of the machine (kernel.threads-max), and pids.max "
      "of a container",
      threads.rlim_cur == RLIM_INFINITY ? -1LL : static_cast<long long>(threads.rlim_cur),
      static_cast<unsigned long long>(NumberIn("/proc/sys/kernel/threads-max")));
  return explanation;
}

}  // namespace tenure::runtime
