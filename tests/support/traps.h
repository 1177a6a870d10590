// Traps of a session's frames, in tests: the run time's handling of a signal, and a way out of an
// access that must raise.
#pragma once

#include <setjmp.h>

#include "stabilize/session/session.h"

namespace tenure::testing {

// Installs the handlers of SIGSEGV and SIGBUS; traps go to this session until the next call. Null:
// to none. A signal that is not the session's ends the process as usual.
void HandleTrapsBy(stabilize::Session* session);

namespace internal {
extern sigjmp_buf raise_target;
extern bool catching;
extern stabilize::FaultAnswer raised;
// As the run time does before it raises.
void FinishRaise();
}  // namespace internal

// Makes the access and returns the error that it raised, or kNone. Objects that the access
// constructs are not destroyed when it raises, so it should construct none.
template <typename Access>
stabilize::FaultAnswer::Error Catch(Access&& access) {
  internal::raised = {};
  internal::catching = true;
  if (sigsetjmp(internal::raise_target, 1) == 0) access();
  internal::catching = false;
  internal::FinishRaise();
  return internal::raised.error;
}

// The status that came with the last error.
inline Status CaughtStatus() { return internal::raised.status; }

}  // namespace tenure::testing
