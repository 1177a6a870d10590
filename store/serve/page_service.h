// The server side of docs/page_server.md: one open store for many programs.
#pragma once

#include <string>

#include "store/serve/service_state.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread. `store` outlives it.
class PageService {
 public:
  // `directory`: of the store.
  PageService(PageServer& store, const std::string& directory);

  // Writes a line to stderr for each refused transaction: which process, what, and why. Before the
  // first connection.
  void LogConflicts() { state_.log_conflicts = true; }
  // Does not check the contents of pages that clients write: tests write pages of anything. Before
  // the first connection.
  void TrustContents() { state_.trusts_contents = true; }
  // Before the first connection. A failure: the store cannot be served.
  Status Start();
  // Serves one connection until it ends, however it ends. Closes the socket.
  void Serve(int socket);
  // Ends all connections: their Serve returns soon.
  void CutOffAll();
  // Before the store is closed.
  void Stop() {
    state_.doubts.Stop();
    state_.durability.Stop();
  }
  // The store can do no more: the process is to end. Any thread, with any lock.
  void Fail() { state_.Fail(); }
  bool failed() const { return state_.failed; }

 private:
  ServiceState state_;
};

}  // namespace tenure::store
