// What the caller of an operation of the session holds, and how a transaction ends.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace tenure::stabilize {

enum class Reach : uint8_t {
  // Other threads run, and do not stop the world during the call. An operation that needs more
  // answers nothing, and has done nothing: it must be called again with kAlone.
  kBesideOthers,
  // The world is stopped, or the caller is the only mutator.
  kAlone,
};

enum class TransactionEnd : uint8_t {
  kCommit,
  kAbort,
  kCheckpoint,  // it commits, and stays open: a later abort returns to here
  // It commits, and a transaction with the same number begins: pages that other programs wait for
  // are given up, by a read-only transaction only if no other one is open.
  kChain,
};

struct TransactionEnded {
  Status status;
  uint64_t reader = 0;  // the top-level transaction that it was in, if that is read-only
};

}  // namespace tenure::stabilize
