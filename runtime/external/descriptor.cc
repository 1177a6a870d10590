// For Uuio and Usocket: calls that read or write a buffer of the program's, which may be in the
// pages of a database (runtime/sessions/io_buffer.h). As in C they return -1 and set errno.

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "runtime/sessions/io_buffer.h"
#include "runtime/threads/file_waits.h"
#include "runtime/threads/own_errno.h"

using tenure::runtime::AwaitInput;
using tenure::runtime::AwaitOutput;
using tenure::runtime::CallWithBuffer;
using tenure::runtime::ReadWhenReady;
using tenure::runtime::TouchForReading;
using tenure::runtime::TouchForWriting;
using tenure::runtime::WriteWhenReady;

namespace {

// Converts -errno to C's convention.
int64_t Answer(long result) {
  if (result >= 0) return result;
  tenure::runtime::SetOwnErrno(static_cast<int>(-result));
  return -1;
}

void TouchEach(const iovec* parts, int count, void (*touch)(void*, size_t)) {
  for (int i = 0; i < count; ++i) touch(parts[i].iov_base, parts[i].iov_len);
}

void TouchToRead(void* buffer, size_t bytes) { TouchForReading(buffer, bytes); }

}  // namespace

extern "C" {

int64_t tn_unix_read(int fd, void* buffer, size_t bytes) {
  return Answer(CallWithBuffer([&] { TouchForWriting(buffer, bytes); },
                               [&] { return ReadWhenReady(fd, buffer, bytes); }));
}

int64_t tn_unix_write(int fd, const void* buffer, size_t bytes) {
  return Answer(CallWithBuffer([&] { TouchForReading(buffer, bytes); },
                               [&] { return WriteWhenReady(fd, buffer, bytes); }));
}

int64_t tn_unix_readv(int fd, const iovec* parts, int count) {
  return Answer(CallWithBuffer([&] { TouchEach(parts, count, TouchForWriting); },
                               [&] {
                                 AwaitInput(fd);
                                 return readv(fd, parts, count);
                               }));
}

int64_t tn_unix_writev(int fd, const iovec* parts, int count) {
  return Answer(CallWithBuffer([&] { TouchEach(parts, count, TouchToRead); },
                               [&] {
                                 AwaitOutput(fd);
                                 return writev(fd, parts, count);
                               }));
}

int64_t tn_unix_send(int fd, const void* buffer, size_t bytes, int flags) {
  return Answer(CallWithBuffer([&] { TouchForReading(buffer, bytes); },
                               [&] {
                                 if ((flags & MSG_DONTWAIT) == 0) AwaitOutput(fd);
                                 return send(fd, buffer, bytes, flags);
                               }));
}

int64_t tn_unix_sendto(int fd, const void* buffer, size_t bytes, int flags, const sockaddr* to,
                       size_t to_bytes) {
  return Answer(CallWithBuffer(
      [&] { TouchForReading(buffer, bytes); },
      [&] { return sendto(fd, buffer, bytes, flags, to, static_cast<socklen_t>(to_bytes)); }));
}

int64_t tn_unix_recv(int fd, void* buffer, size_t bytes, int flags) {
  return Answer(CallWithBuffer([&] { TouchForWriting(buffer, bytes); },
                               [&] {
                                 if ((flags & MSG_DONTWAIT) == 0) AwaitInput(fd);
                                 return recv(fd, buffer, bytes, flags);
                               }));
}

int64_t tn_unix_recvfrom(int fd, void* buffer, size_t bytes, int flags, sockaddr* from,
                         socklen_t* from_bytes) {
  return Answer(CallWithBuffer([&] { TouchForWriting(buffer, bytes); },
                               [&] {
                                 if ((flags & MSG_DONTWAIT) == 0) AwaitInput(fd);
                                 return recvfrom(fd, buffer, bytes, flags, from, from_bytes);
                               }));
}

}  // extern "C"
