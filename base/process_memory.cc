#include "base/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace tenure {

uint64_t AnonymousBytes() {
  // Stays open for the process that asks first. For the child of a fork the open file would show
  // the parent; the child gets 0.
  static const pid_t opener = getpid();
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (file < 0 || getpid() != opener) return 0;
  char text[128];
  const ssize_t bytes = pread(file, text, sizeof text - 1, 0);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  // SIZE RESIDENT SHARED ..., in pages; SHARED counts files and shared memory.
  char* at = text;
  strtoull(at, &at, 10);
  const uint64_t resident = strtoull(at, &at, 10);
  const uint64_t shared = strtoull(at, &at, 10);
  return resident < shared ? 0 : (resident - shared) * page_bytes;
}

}  // namespace tenure
