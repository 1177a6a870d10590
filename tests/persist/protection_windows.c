/* For LD_PRELOAD: waits WIDEN_US microseconds before and after each change of a page's
   protection, so that other threads use the page meanwhile. */
#define _GNU_SOURCE
#include <linux/ioctl.h>
#include <linux/types.h>
#include <linux/userfaultfd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void widen(void) {
  static long microseconds = -1;
  if (microseconds < 0) {
    const char* text = getenv("WIDEN_US");
    microseconds = text == NULL ? 1000 : atol(text);
  }
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

/* A longer range is not a page that a thread uses at the moment, but the heap or a database as a
   whole. */
static int few(size_t bytes) { return bytes <= 4 * 8192; }

int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  int protects = 0, opens = 0;
  if (request == UFFDIO_WRITEPROTECT) {
    struct uffdio_writeprotect* range = argument;
    protects = few(range->range.len) && range->mode != 0;
    opens = few(range->range.len) && range->mode == 0;
  }
  if (protects) widen();
  const int result = syscall(SYS_ioctl, fd, request, argument);
  if (opens) widen();
  return result;
}

int mprotect(void* begin, size_t bytes, int protection) {
  const int opens = (protection & PROT_WRITE) != 0;
  if (!opens && few(bytes)) widen();
  const int result = syscall(SYS_mprotect, begin, bytes, protection);
  if (opens && few(bytes)) widen();
  return result;
}

int madvise(void* begin, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED && bytes == 8192) widen();
  return syscall(SYS_madvise, begin, bytes, advice);
}
