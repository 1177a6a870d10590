#include "runtime/exceptions/known_exceptions.h"

using tenure::abi::ExceptionDescriptor;

// Weak: the linker leaves the address null when no object file defines the symbol.
#define TN_WEAK_EXCEPTION(variable, symbol) \
  extern "C" const ExceptionDescriptor variable __asm__(symbol) __attribute__((weak))

TN_WEAK_EXCEPTION(tn_weak_runtime_error, "RuntimeError.E");
TN_WEAK_EXCEPTION(tn_weak_not_in_progress, "Transaction.TransactionNotInProgress");
TN_WEAK_EXCEPTION(tn_weak_aborted, "Transaction.Aborted");
TN_WEAK_EXCEPTION(tn_weak_outcome_unknown, "Transaction.OutcomeUnknown");
TN_WEAK_EXCEPTION(tn_weak_read_only, "Transaction.ReadOnly");
TN_WEAK_EXCEPTION(tn_weak_failure, "Database.Failure");
TN_WEAK_EXCEPTION(tn_weak_type_mismatch, "Database.TypeMismatch");
TN_WEAK_EXCEPTION(tn_weak_missing, "Database.Missing");

#undef TN_WEAK_EXCEPTION

namespace tenure::runtime::known_exceptions {

const ExceptionDescriptor* RuntimeError() { return &tn_weak_runtime_error; }
const ExceptionDescriptor* TransactionNotInProgress() { return &tn_weak_not_in_progress; }
const ExceptionDescriptor* TransactionAborted() { return &tn_weak_aborted; }
const ExceptionDescriptor* TransactionOutcomeUnknown() { return &tn_weak_outcome_unknown; }
const ExceptionDescriptor* TransactionReadOnly() { return &tn_weak_read_only; }
const ExceptionDescriptor* DatabaseFailure() { return &tn_weak_failure; }
const ExceptionDescriptor* DatabaseTypeMismatch() { return &tn_weak_type_mismatch; }
const ExceptionDescriptor* DatabaseMissing() { return &tn_weak_missing; }

}  // namespace tenure::runtime::known_exceptions
