// The server side of docs/page_server.md: one open store for many programs.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "store/files/store_sessions.h"
#include "store/serve/server_permissions.h"
#include "store/serve/service_collections.h"
#include "store/serve/service_doubts.h"
#include "store/server/page_server.h"
#include "store/server/request_check.h"

namespace tenure::store {

// Any thread. `store` outlives it.
class PageService {
 public:
  // `directory`: of the store.
  PageService(PageServer& store, const std::string& directory);

  // Tells on stderr whose transaction is refused what, and why. Before the first connection.
  void LogConflicts() { log_conflicts_ = true; }
  // What programs store is not read, as their page server's tests make it of anything. Before the
  // first connection.
  void TrustContents() { trusts_contents_ = true; }
  // Before the first connection. A failure: the store cannot be served.
  Status Start();
  // Serves one connection until it ends, however it ends. Closes the socket.
  void Serve(int socket);
  // Ends all connections: their Serve returns soon.
  void CutOffAll();
  // Before the store is closed.
  void Stop() { doubts_.Stop(); }
  // The store can do no more: the process is to end. Any thread, with any lock.
  void Fail();
  bool failed() const { return failed_; }

 private:
  class Client;
  friend class Client;
  struct OpenDatabaseState {
    std::string name;
    std::set<Client*> users;
  };
  // It has said hello.
  void NoteGreeted(Client& client);
  // Places of the locks of those that are connected (StoreSessions).
  std::set<uint64_t> Here();

  PageServer& store_;
  const std::string directory_;
  std::unique_ptr<StoreSessions> sessions_;  // from Start on
  Permissions permissions_;
  std::mutex databases_lock_;
  std::map<uint32_t, OpenDatabaseState> databases_;  // by DatabaseId
  ServiceCollections collections_;
  std::mutex commit_lock_;
  std::atomic<bool> failed_{false};
  bool log_conflicts_ = false;
  bool trusts_contents_ = false;
  RequestCheck check_;
  std::set<CommitId> refused_;  // somebody was told that these did not happen
  ServiceDoubts doubts_;
  std::mutex clients_lock_;
  std::set<Client*> clients_;
  std::list<Client*> silent_;  // of them, who have not said hello; the first has waited longest
};

}  // namespace tenure::store
