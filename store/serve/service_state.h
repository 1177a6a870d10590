// The state that the connections of a PageService share, for the source files of this folder.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/serve/connected_clients.h"
#include "store/serve/server_permissions.h"
#include "store/serve/service_collections.h"
#include "store/serve/service_doubts.h"
#include "store/serve/service_durability.h"
#include "store/serve/service_history.h"
#include "store/serve/service_watch.h"
#include "store/server/known_sessions.h"
#include "store/server/page_server.h"
#include "store/server/request_check.h"

namespace tenure::store {

class ServiceClient;

struct ServiceState {
  // A database that clients have open.
  struct OpenedDatabase {
    std::string name;
    std::set<ServiceClient*> users;
  };

  // `served` outlives the state. `place` is the directory of the store.
  ServiceState(PageServer& served, const std::string& place);

  // The store can do no more: the process is to end, or what `on_failure` does is done. Any thread,
  // with any lock.
  void Fail();
  // Whether answers of the store still count. If not, clients are cut off rather than answered:
  // they ask the node that leads the store now.
  bool Leads() const { return !leads || leads(); }
  // The name of a database that is open; empty for another one.
  std::string NameOf(uint32_t database);
  // Opens one of the store's databases, which stays open until it is deleted.
  Result<DatabaseId> OpenForGood(const std::string& name);
  // The names of a commit's databases, in the commit's order.
  std::vector<std::string> NamesOf(const CommitRequest& request);

  PageServer& store;
  const std::string directory;              // or the URI
  std::unique_ptr<KnownSessions> sessions;  // null before PageService::Start
  std::function<void()> on_failure;         // set before the first connection; null: SIGTERM
  std::function<bool()> leads;              // set before the first connection; null: always
  // The time for which no other node can lead the store. Set before the first connection; null: no
  // lease.
  std::function<std::chrono::milliseconds()> lease_left;
  Permissions permissions;
  Mutex databases_lock;
  std::map<uint32_t, OpenedDatabase> databases TN_GUARDED_BY(databases_lock);  // by DatabaseId
  ServiceCollections collections;
  ServiceHistory history;
  Mutex commit_lock;  // held while a commit is ordered, not until it is durable
  std::atomic<bool> failed{false};
  bool log_conflicts = false;    // set before the first connection
  bool trusts_contents = false;  // set before the first connection
  RequestCheck check;
  // Commits that are being prepared, and have been watched by collections.
  std::multiset<CommitId> preparing TN_GUARDED_BY(commit_lock);
  // Commits that a client was told have not happened.
  std::set<CommitId> refused TN_GUARDED_BY(commit_lock);
  ServiceDoubts doubts;
  ServiceDurability durability;
  ConnectedClients clients;
  ServiceWatch watch;
};

}  // namespace tenure::store
