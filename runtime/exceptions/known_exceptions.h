// Exceptions of the library that the run time itself raises. They are looked up by their symbols; a
// program that does not contain the interface has none.
#pragma once

#include "abi/program.h"

namespace tenure::runtime::known_exceptions {

// Each answers null when the program does not contain the interface.
const abi::ExceptionDescriptor* RuntimeError();               // RuntimeError.E(RuntimeError.T)
const abi::ExceptionDescriptor* TransactionNotInProgress();   // no argument
const abi::ExceptionDescriptor* TransactionAborted();         // no argument
const abi::ExceptionDescriptor* TransactionOutcomeUnknown();  // (TEXT)
const abi::ExceptionDescriptor* TransactionReadOnly();        // no argument
const abi::ExceptionDescriptor* DatabaseFailure();            // (TEXT)
const abi::ExceptionDescriptor* DatabaseTypeMismatch();       // (TEXT)
const abi::ExceptionDescriptor* DatabaseMissing();            // (TEXT)

}  // namespace tenure::runtime::known_exceptions
