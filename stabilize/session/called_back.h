// The requests of a page server that other programs use too: to give up a page, and to tell whether
// the program refers to an object (docs/design.md, "Locks" and "Space").
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "stabilize/state/session_state.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

// Called by threads of page servers, and by a page server that an operation of the session is
// calling: then the operation holds the lock.
class SessionCallbacks final : public CallbackListener {
 public:
  explicit SessionCallbacks(SessionState& session) : session_(session) {}

  Answer CalledBack(PageServer& server, DatabaseId id, PageId page, bool to_read) override;
  // Collects the heap first: displaced objects move home, and dead ones are gone.
  void WithOthersStopped(const std::function<void()>& ask) override;
  std::vector<bool> RefersTo(PageServer& server, DatabaseId id,
                             std::span<const Candidate> candidates) override;

 private:
  SessionState& session_;
};

}  // namespace tenure::stabilize
