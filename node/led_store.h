// A store that this node leads.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "store/cluster/cluster_page_server.h"
#include "store/cluster/cluster_sessions.h"
#include "store/cluster/lease.h"
#include "store/postgres/postgres_engine.h"
#include "store/serve/page_service.h"

namespace tenure::node {

// One life of this node in its group: it ends when another node takes its place.
struct NodeLife {
  NodeLife(store::NodeId id, store::LeaseTime length) : id(std::move(id)), lease(length) {}
  const store::NodeId id;
  store::Lease lease;
};

// Any thread.
class LedStore {
 public:
  struct Options {
    store::PostgresOptions postgres;
    std::string uri;  // of the store, for messages
    size_t cached_records = 1 << 15;
    std::chrono::seconds session_timeout = store::kSessionTimeout;
    Status refusal = {};  // as in ClusterOptions
    store::LeaseTime refuses_until{};
  };
  // Makes this node the leader, if `former` led the store last. The store is loaded.
  static Result<std::shared_ptr<LedStore>> Lead(const Options& options,
                                                const store::PostgresEngine::StoreRow& row,
                                                std::shared_ptr<const NodeLife> life);
  // After Stop.
  ~LedStore();

  // Serves a connection until it ends; closes it. At once if the store is being stopped.
  void Serve(int socket, const store::ServicePeer& peer);
  // Whether its answers still count: no other node leads the store, and the engine is reachable.
  bool Leads() const;
  // Why not.
  Status failure() const;
  size_t clients() const;
  uint64_t term() const { return server_->term(); }
  const store::Uuid& uuid() const { return uuid_; }
  const std::string& name() const { return name_; }
  // Cuts all programs off, waits for the end of their threads and closes the store.
  Status Stop();

 private:
  LedStore(const store::PostgresEngine::StoreRow& row, std::shared_ptr<const NodeLife> life)
      : name_(row.name), uuid_(row.uuid), life_(std::move(life)) {}

  const std::string name_;
  const store::Uuid uuid_;
  const std::shared_ptr<const NodeLife> life_;
  std::unique_ptr<store::ClusterPageServer> server_;
  std::unique_ptr<store::PageService> service_;
  std::atomic<bool> failed_{false};
  mutable Mutex mutex_;
  CondVar left_;
  size_t clients_ TN_GUARDED_BY(mutex_) = 0;
  bool stopping_ TN_GUARDED_BY(mutex_) = false;
};

}  // namespace tenure::node
