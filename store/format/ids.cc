#include "store/format/ids.h"

#include <pthread.h>

#include <array>
#include <cstdlib>

#include "base/hex.h"
#include "base/mutex.h"
#include "base/standard_error.h"
#include "store/format/random_source.h"

namespace tenure::store {

namespace {

template <typename T>
T RandomValue() {
  T value;
  if (const Status status = FillRandom(&value, sizeof value); !status.ok()) {
    // The random source worked when the store was opened. Without an id no commit is possible.
    WriteToStandardError(std::string("*** ") + status.text() + "\n");
    std::abort();
  }
  return value;
}

}  // namespace

// Each call of the system costs a good part of a small commit.
CommitId NewCommitId() {
  constexpr size_t kTogether = 16;  // The system gives 256 bytes in one piece.
  struct Batch {
    Mutex mutex;
    std::array<CommitId, kTogether> ids TN_GUARDED_BY(mutex);
    size_t left TN_GUARDED_BY(mutex) = 0;
  };
  // Never destroyed: threads may commit until the process ends.
  static Batch& batch = *new Batch;
  // The child of a fork would give out the same ones.
  static const bool forks = [] {
    // Forks happen with the mutex, which the analysis cannot follow.
    return pthread_atfork([]() TN_NO_LOCK_ANALYSIS { batch.mutex.lock(); },
                          []() TN_NO_LOCK_ANALYSIS { batch.mutex.unlock(); },
                          []() TN_NO_LOCK_ANALYSIS {
                            batch.left = 0;
                            batch.mutex.unlock();
                          }) == 0;
  }();
  const MutexLock lock(batch.mutex);
  if (!forks) return RandomValue<CommitId>();
  if (batch.left == 0) {
    batch.ids = RandomValue<std::array<CommitId, kTogether>>();
    batch.left = kTogether;
  }
  return batch.ids[--batch.left];
}

Uuid NewUuid() {
  Uuid uuid = RandomValue<Uuid>();
  uuid.bytes[6] = static_cast<uint8_t>((uuid.bytes[6] & 0x0F) | 0x40);  // RFC 4122: random
  uuid.bytes[8] = static_cast<uint8_t>((uuid.bytes[8] & 0x3F) | 0x80);
  return uuid;
}

std::string TextOf(const Uuid& uuid) { return HexOf(std::as_bytes(std::span(uuid.bytes))); }

uint64_t NewTag() {
  uint64_t tag = 0;
  while (tag == 0) tag = RandomValue<uint64_t>();
  return tag;
}

}  // namespace tenure::store
