// The connections that a service has now.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <set>

#include "base/mutex.h"
#include "store/serve/server_permissions.h"

namespace tenure::store {

// The state of its transaction, as a client has reported it.
struct ToldTransaction {
  uint64_t question = 0;                           // that it has answered last; 0: none
  std::optional<std::chrono::milliseconds> since;  // the open transaction began, at the answer
  uint64_t free_pages = 0;
};

// One connection, as the others of its service see it. Any thread.
class ConnectedClient : public PermissionClient {
 public:
  // The client's place among KnownSessions; 0: the client has none, or is not there yet.
  virtual uint64_t place() const = 0;
  // Whether it has said hello.
  virtual bool greeted() const = 0;
  virtual std::chrono::steady_clock::time_point connected_since() const = 0;
  // Asks the client for its transaction, without waiting.
  virtual void SendAskTransaction(uint64_t question) = 0;

  // With the lock of ServiceWatch.
  ToldTransaction& told() { return told_; }
  const ToldTransaction& told() const { return told_; }

 private:
  ToldTransaction told_;
};

// Any thread.
class ConnectedClients {
 public:
  // Adds the client until Remove. When more than kSilentMax clients have not said hello, cuts off
  // the one that has been silent longest.
  void Add(ConnectedClient& client);
  void Remove(ConnectedClient& client);
  void NoteGreeted(ConnectedClient& client);

  // ConnectedClient::place() of all.
  std::set<uint64_t> Places();
  void CutOffAll();
  // Calls visit(ConnectedClient&) for all, with the lock of the list.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    const MutexLock guard(lock_);
    for (ConnectedClient* const client : all_) visit(*client);
  }

 private:
  static constexpr size_t kSilentMax = 64;

  Mutex lock_;
  std::set<ConnectedClient*> all_ TN_GUARDED_BY(lock_);
  std::list<ConnectedClient*> silent_
      TN_GUARDED_BY(lock_);  // have not said hello; the first has waited longest
};

}  // namespace tenure::store
