// Leaves frames of the program for an exception without libgcc's interpretation of tables.
#pragma once

#include "runtime/exceptions/exceptions.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {

// Looks for the handler of the exception, which the calling thread has just raised, by the rules
// that frame_rules.h remembers, and goes on at the first landing pad on the way there: the handler,
// or a cleanup, which hands over to libgcc by _Unwind_Resume. Returns, having changed nothing, if
// there is no handler, a raises set stops the exception, or some frame on the way has no simple
// rule (a trap, code of a shared library): then libgcc has to search.
void UnwindQuickly(const Mutator& mutator, ExceptionInFlight& exception);

}  // namespace tenure::runtime
