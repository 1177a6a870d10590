// Page faults: a touch that the state of a frame or governed page does not allow
// (docs/design.md, "Faults").
#pragma once

#include <cstdint>

#include "base/result.h"
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
    kMissing
  } error = Error::kNone;
  Status status;
};

// With the session's lock.

FaultAnswer HandleFault(SessionState& session, const void* address, bool is_write);
// Reads, decodes and publishes the page, with neighbours that are likely to be wanted next.
Status MakeResident(SessionState& session, Database& database, PageId page);
Status MakeResidentAlone(SessionState& session, Database& database, PageId page);
// Asks the page server for permission to write the home of a displaced object.
Status WantWriteOf(const DisplacedObject& object);

}  // namespace tenure::stabilize
