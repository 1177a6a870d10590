#include "runtime/sessions/session_entry.h"

#include "runtime/exceptions/exceptions.h"
#include "runtime/exceptions/known_exceptions.h"
#include "runtime/heap/other_collector.h"
#include "runtime/threads/transaction_turns.h"

namespace tenure::runtime {

void RequireDatabases() {
  if (LinkedCollector() != nullptr) {
    RaiseWithText(*known_exceptions::DatabaseFailure(),
                  "a program that is built with --gc=boehm has no databases",
                  {nullptr, 0, __builtin_return_address(0)});
  }
  if (InForkedChild()) {
    RaiseWithText(*known_exceptions::DatabaseFailure(), kForkedChildText,
                  {nullptr, 0, __builtin_return_address(0)});
  }
}

ExclusiveSession::ExclusiveSession() : session_(PersistenceSession()) {
  RequireDatabases();
  Runtime::Get().heap().StopWorld();
}

ExclusiveSession::~ExclusiveSession() {
  const bool idle = session_.MayBegin(/*read_only=*/false);
  Runtime::Get().heap().ResumeWorld();
  if (idle) TransactionTurns::OfProcess().Ended();
}

}  // namespace tenure::runtime
