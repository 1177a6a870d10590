// errno in code that may be switched to another kernel thread in between (workers.h). A compiler
// takes the address of errno for the same throughout a function, but it is the kernel thread's.
#pragma once

#include <cerrno>

namespace tenure::runtime {

// Of the kernel thread on which the call is made.
__attribute__((noinline)) inline int OwnErrno() {
  __asm__ volatile("");
  return errno;
}
__attribute__((noinline)) inline void SetOwnErrno(int value) {
  __asm__ volatile("");
  errno = value;
}

}  // namespace tenure::runtime
