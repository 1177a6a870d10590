// Messages between a client and the recovery server, over a stream socket.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "lab/support/fail.h"

namespace tenure::lab::recovery {

enum class MessageKind : uint32_t {
  kRead,     // a page; answered with its bytes
  kLog,      // log records, without an answer
  kRedoLog,  // log records that the server applies to its pages, without an answer
  kPage,     // a changed page, which the server has the log records of; without an answer
  kLogPage,  // a changed page, for the log; without an answer
  kCommit,   // answered when it is durable
  kReport,   // answered with a ServerReport
};

struct MessageHead {
  MessageKind kind;
  uint32_t bytes;  // behind the head
  uint64_t page;
};

// The server's counts and costs since it began.
struct ServerReport {
  uint64_t processor_us = 0;
  uint64_t log_bytes = 0;  // appended, but for checkpoints' tables
  uint64_t checkpoint_bytes = 0;
  uint64_t log_operations = 0;  // of the log's device
  uint64_t syncs = 0, largest_group = 0;
  uint64_t data_reads = 0, data_writes = 0;  // pages, of the data's device
  uint64_t log_reads = 0;                    // pages read back from the log
  uint64_t applied = 0;                      // records applied to pages
  uint64_t installed = 0;                    // whole pages that went from the log to their places
};

inline void SendAll(int socket, const void* bytes, size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) _exit(3);  // the other side has ended
    at += sent;
    count -= static_cast<size_t>(sent);
  }
}

// False: the other side has ended.
inline bool ReceiveAll(int socket, void* bytes, size_t count) {
  auto* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t received = recv(socket, at, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    count -= static_cast<size_t>(received);
  }
  return true;
}

}  // namespace tenure::lab::recovery
