// The ways of the run time into the session. Each says what it holds while it calls the session
// (stabilize/session/reach.h). An operation is tried beside other threads first where that may
// suffice, and the world is stopped only for what needs it.
#pragma once

#include <optional>
#include <utility>

#include "base/result.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/safepoint.h"
#include "runtime/traps/traps.h"
#include "stabilize/session/session.h"

namespace tenure::runtime {

// Raises Database.Failure if this process cannot have databases.
void RequireDatabases();

// The session, while all other threads are stopped: none of them is in the middle of a fault, nor
// of anything that a database must not see half done. Makes the session if there is none. At its
// end threads that wait for their turns hear of it if no transaction is open.
class ExclusiveSession {
 public:
  ExclusiveSession();
  ~ExclusiveSession();
  ExclusiveSession(const ExclusiveSession&) = delete;
  ExclusiveSession& operator=(const ExclusiveSession&) = delete;
  stabilize::Session* operator->() const { return &session_; }
  stabilize::Session& operator*() const { return session_; }

 private:
  stabilize::Session& session_;
};

// The answer of question(session), beside other threads; without a session, the default answer. No
// thread is stopped while it holds the session's lock, which collections take.
template <typename Question>
auto AskSession(Question&& question) {
  RequireStackRoom(nullptr);
  stabilize::Session* session = ExistingSession();
  if (session == nullptr) return decltype(question(*session))();
  const gc::Heap::WithoutStops guard(Runtime::Get().heap());
  return question(*session);
}

// Asks page servers for what the next operation will need: while this thread waits for the answer
// other threads run, and may stop the world.
template <typename Ask>
Status AskBeforeStop(Ask&& ask) {
  RequireStackRoom(nullptr);
  stabilize::Session* const session = ExistingSession();
  if (session == nullptr || InForkedChild()) return Status::Ok();
  const StopsHeldUntilWait held;
  return ask(*session);
}

// The answer of operation(session, reach, asked), which answers nothing where it needs kAlone:
// first beside other threads, then, after ask(session) has answered `asked`, alone.
template <typename Ask, typename Operation>
auto EnterSession(Ask&& ask, Operation&& operation) {
  using stabilize::Reach;
  auto beside = AskSession([&](stabilize::Session& session) {
    return operation(session, Reach::kBesideOthers, Status::Ok());
  });
  if (beside) return *std::move(beside);
  const Status asked = AskBeforeStop(std::forward<Ask>(ask));
  const ExclusiveSession session;
  return *operation(*session, Reach::kAlone, asked);
}

// The same for an operation that asks no server before.
template <typename Operation>
auto EnterSession(Operation&& operation) {
  return EnterSession([](const stabilize::Session&) { return Status::Ok(); },
                      [&](stabilize::Session& session, stabilize::Reach reach, const Status&) {
                        return operation(session, reach);
                      });
}

}  // namespace tenure::runtime
