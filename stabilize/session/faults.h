// Page faults: a touch that the state of a frame or governed page does not allow
// (docs/design.md, "Faults").
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "stabilize/session/page_requests.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// The answer to a trap.
struct FaultAnswer {
  enum class Kind : uint8_t {
    kNotOurs,   // the address belongs to no database
    kResolved,  // the access can be repeated
    kFailed,    // the access must raise: see error and status
  } kind = Kind::kNotOurs;
  enum class Error : uint8_t {
    kNone,
    kTransactionNotInProgress,
    kFailure,
    kTypeMismatch,
    kAborted,
    kMissing,
    kReadOnly
  } error = Error::kNone;
  Status status;
};

// With the session's lock.

// `top`: the top-level transaction in which the thread works or worked last. A thread whose
// read-only transaction has been aborted is told so once. `answers`: to the request that
// RequestOfFault has named, and to no other.
FaultAnswer HandleFault(SessionState& session, const void* address, bool is_write, uint64_t top,
                        const PageAnswers& answers);
// The request that HandleFault of this address has to send to a shared page server.
std::optional<PageRequest> RequestOfFault(SessionState& session, const void* address, bool is_write,
                                          uint64_t top);
// kResolved: a thread that works in this top-level transaction may touch persistent objects, or
// write to them. Threads that work in none have no part in the transaction of another thread.
FaultAnswer MayTouch(SessionState& session, bool is_write, uint64_t top);
// The same as MayTouch, also false for a thread whose read-only transaction has been aborted.
bool MayTouchNow(SessionState& session, bool is_write, uint64_t top);
// Stores a word to an object that is not persistent, while the page stays protected. A store by the
// program would open the page for all stores if displaced objects lie beside the object.
Status StoreBeside(SessionState& session, void** place, void* word);
// Asks the page server for permission to write the home of a displaced object.
Status WantWriteOf(const DisplacedObject& object);

}  // namespace tenure::stabilize
