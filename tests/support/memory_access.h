// The access rights of memory, as the system reports them. A test cannot try an access to a frame
// in a child process, because children do not have the frames.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace tenure::testing {

// A byte that may be written is zero afterwards.
inline bool MayWrite(char* at) {
  int ends[2];
  const char byte = 0;
  if (pipe(ends) != 0 || write(ends[1], &byte, 1) != 1) std::abort();
  const bool written = read(ends[0], at, 1) == 1;
  if (!written && errno != EFAULT) std::abort();
  close(ends[0]);
  close(ends[1]);
  return written;
}

}  // namespace tenure::testing
