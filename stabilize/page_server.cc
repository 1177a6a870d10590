#include "stabilize/page_server.h"

#include <sys/random.h>

#include <cerrno>

#include "base/check.h"

namespace tenure::stabilize {

namespace {

template <typename T>
T RandomValue() {
  T value;
  ssize_t got;
  do {
    got = getrandom(&value, sizeof value, 0);  // whole for so few bytes, once it is not interrupted
  } while (got < 0 && errno == EINTR);
  TN_CHECK(got == sizeof value);
  return value;
}

}  // namespace

CommitId NewCommitId() { return RandomValue<CommitId>(); }

Uuid NewUuid() {
  Uuid uuid = RandomValue<Uuid>();
  uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0F) | 0x40);  // RFC 4122: random
  uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3F) | 0x80);
  return uuid;
}

}  // namespace tenure::stabilize
