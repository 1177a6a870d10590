// The server side of docs/page_server.md: one open store for many programs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "store/serve/service_peer.h"
#include "store/serve/service_state.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread. `store` outlives it.
class PageService {
 public:
  // `directory`: of the store, or its URI.
  PageService(PageServer& store, const std::string& directory);

  // Writes a line to stderr for each refused transaction: which process, what, and why. To be
  // called before the first connection.
  void LogConflicts() { state_.log_conflicts = true; }
  // Does not check the contents of pages that clients write: tests write pages of anything. Call
  // before the first connection.
  void TrustContents() { state_.trusts_contents = true; }
  // Calls `failed` when the store fails, instead of sending SIGTERM to this process: in any thread,
  // with any lock held. Call before Start.
  void OnFailure(std::function<void()> failed) { state_.on_failure = std::move(failed); }
  // While `leads` returns false the store's answers do not count: clients are cut off instead of
  // answered. Call before Start.
  void ServeWhile(std::function<bool()> leads) { state_.leads = std::move(leads); }
  // `left` returns the time for which no other node can lead the store; for that time clients may
  // use the pages that they hold without asking. Call before Start.
  void LeaseFor(std::function<std::chrono::milliseconds()> left) {
    state_.lease_left = std::move(left);
  }
  // Call before the first connection. Fails if the store cannot be served. Without `sessions` those
  // of the store's directory are known.
  Status Start(std::unique_ptr<KnownSessions> sessions = nullptr);
  // Serves one connection until it ends, however it ends. Closes the socket. `peer`: the program at
  // the other end of a connection from elsewhere; null: a process of this machine with all rights.
  void Serve(int socket, const ServicePeer* peer = nullptr);
  // Ends all connections: their Serve returns soon.
  void CutOffAll();
  // Call before the store is closed.
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
