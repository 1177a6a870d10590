// A node's life in its group: it beats, and leads the stores that have no leader.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "node/led_store.h"
#include "store/cluster/lease.h"
#include "store/postgres/postgres_engine.h"

namespace tenure::node {

struct MemberOptions {
  store::PostgresOptions postgres;
  std::string name;     // of the node, its own in the group
  std::string address;  // where programs reach it: HOST:PORT
  std::string subject;  // the common name (CN) in its certificate
  // Whether programs accept the certificate now. From when it fails on, the node ends.
  std::function<Status()> check_certificate = [] { return Status::Ok(); };
  std::chrono::milliseconds lease{4000};
  size_t cached_records = 1 << 15;
  std::chrono::seconds session_timeout = store::kSessionTimeout;
};

// Any thread.
class GroupMember {
 public:
  explicit GroupMember(MemberOptions options);
  ~GroupMember();

  // Enters the group and begins to beat. While the group cannot be reached, or none of its standbys
  // streams, says so once and tries again, until Stop is called. Fails if the group is not set to
  // wait for a quorum, if its tables are not those of this version, if another node that beats has
  // this one's name, or after Stop.
  Status Start();
  // Gives up all stores, so that other nodes lead them at once, and leaves.
  void Stop();
  // Whether this node cannot go on: it could not start, or another one has its name, or its
  // certificate has expired. In the last two cases the process has got SIGTERM.
  bool failed() const { return failed_; }

  struct Place {
    std::shared_ptr<LedStore> here;  // null: another node leads the store
    std::string address;             // the leader's; empty: the store has no leader yet
  };
  Place Find(const std::string& store);

 private:
  // As far as this node knows, the store has had no leader since this time.
  struct Orphan {
    store::NodeId leader;
    store::LeaseTime since{};
  };
  using Rows = std::vector<store::PostgresEngine::StoreRow>;

  // Once.
  Status Enter();
  // Finds another node that beats with this one's name. Watches such a place for half a lease.
  Result<std::optional<store::NodeRow>> Namesake();
  // Says why the node cannot go on, and ends the process in order.
  void Fail(const std::string& why);
  // A number that this object has not used. One thread at a time.
  uint64_t NextBeat();
  void Beat();
  void Elect();
  // False: the group cannot be read now.
  bool LookAround();
  // Takes the places of nodes that have been silent for longer than a lease, and changes their
  // epochs in `nodes`.
  void TakeSilent(std::vector<store::NodeRow>& nodes);
  // Whether somebody may have to act soon.
  bool Urgent() const;
  // Whether the node had this epoch when its place was taken, and has not come again.
  bool IsTaken(const store::NodeRow& node) const;
  // Leads orphans, and gives up the stores that others lead.
  void Settle(const std::vector<store::NodeRow>& nodes, const Rows& stores);
  bool MayLead(const store::PostgresEngine::StoreRow& row,
               const std::vector<store::NodeRow>& nodes);
  void Lead(const store::PostgresEngine::StoreRow& row);
  // Gives the store up and says `why`; null: the reason has been said.
  void GiveUp(const std::string& store, const char* why);
  // The engine has failed. If it has no space, the store's commits are refused for a while.
  void GiveUpFailed(const std::string& store, const Status& why);
  std::shared_ptr<NodeLife> life();
  // Another node has this one's place: begins anew.
  void LosePlace();
  void Say(const std::string& text);

  const MemberOptions options_;
  store::PostgresEngine beats_, election_;
  uint64_t last_beat_ = 0;  // of Enter, then of the beater
  WorkerThread beater_, elector_;

  std::atomic<bool> failed_{false};
  Mutex mutex_;
  CondVar changed_;
  bool stop_ TN_GUARDED_BY(mutex_) = false, stop_beats_ TN_GUARDED_BY(mutex_) = false;
  std::shared_ptr<NodeLife> life_;
  std::map<std::string, std::shared_ptr<LedStore>> led_ TN_GUARDED_BY(mutex_);
  std::map<std::string, std::string> elsewhere_
      TN_GUARDED_BY(mutex_);  // store -> address of its leader

  // Of the elector.
  std::map<std::string, store::BeatWatch> watches_;
  std::map<std::string, Orphan> orphans_;
  std::map<std::string, uint64_t> taken_;  // node -> epoch at which this node has taken its place
  struct Full {
    Status refusal;
    store::LeaseTime until{};
  };
  std::map<std::string, std::string> not_led_;  // by store: why not, as it has said
  std::map<std::string, Full> full_;            // stores whose commits PostgreSQL had no space for
  bool unreachable_ = false;                    // and said so
};

// Where `node` stands among the live nodes that could lead the store, 0 the first: every node
// counts alike, so that the stores of a group are spread over the nodes.
size_t RankFor(const std::string& store, const std::string& node,
               const std::vector<std::string>& live);

}  // namespace tenure::node
