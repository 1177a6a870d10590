// Leases alone, and of two nodes over a simulated engine and a clock that the test moves: whatever
// a node answers is what was committed last.

#include "store/cluster/lease.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/cluster/cluster_page_server.h"
#include "store/faults/simulated_engine.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

using std::chrono::milliseconds;
using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

constexpr LeaseTime kLength = milliseconds(4000);

TEST(Lease, LastsFromWhenTheBeatWasSent) {
  Lease lease(kLength);
  EXPECT_FALSE(lease.ValidAt(milliseconds(0)));
  lease.Answered(milliseconds(1000));
  EXPECT_TRUE(lease.ValidAt(milliseconds(4999)));
  EXPECT_FALSE(lease.ValidAt(milliseconds(5000)));
  EXPECT_EQ(lease.Left(milliseconds(4000)), milliseconds(1000));
  EXPECT_EQ(lease.Left(milliseconds(9000)), milliseconds(0));
  lease.Answered(milliseconds(3000));
  lease.Answered(milliseconds(2000));  // an older answer that comes later
  EXPECT_TRUE(lease.ValidAt(milliseconds(6999)));
}

TEST(Lease, ThatHasEndedStaysSo) {
  Lease lease(kLength);
  lease.Answered(milliseconds(1000));
  lease.Ended();
  lease.Answered(milliseconds(2000));
  EXPECT_FALSE(lease.ValidAt(milliseconds(2001)));
}

TEST(BeatWatch, ANodeIsSilentAfterALeaseWithTheSameBeat) {
  BeatWatch watch(kLength, 0);
  EXPECT_FALSE(watch.Silent(milliseconds(100000)));
  NodeRow row{.name = "a", .address = "", .epoch = 1, .beat = 1};
  watch.Saw(row, 1, milliseconds(0));
  watch.Saw(row, 1, milliseconds(4100));
  EXPECT_FALSE(watch.Silent(milliseconds(4199)));  // clocks may differ by 5 %
  EXPECT_TRUE(watch.Silent(milliseconds(4200)));
  ++row.beat;
  watch.Saw(row, 1, milliseconds(4200));
  EXPECT_FALSE(watch.Silent(milliseconds(8399)));
  // The engine was away: the node gets half a lease to beat again.
  watch.Saw(row, 2, milliseconds(8300));
  EXPECT_FALSE(watch.Silent(milliseconds(10299)));
  EXPECT_TRUE(watch.Silent(milliseconds(10300)));
}

TEST(BeatWatch, ALifeIsOverWhenItWasSilentBeforeItsPlaceWasTaken) {
  BeatWatch watch(kLength, 3);
  NodeRow row{.name = "a", .address = "", .epoch = 5, .beat = 7};
  watch.Saw(row, 1, milliseconds(0));
  row.epoch = 6;
  watch.Saw(row, 1, milliseconds(4200));
  EXPECT_EQ(watch.silent_epoch(), 5u);
  EXPECT_TRUE(watch.vacant());
  row.beat = 8;  // a new life begins
  watch.Saw(row, 1, milliseconds(4300));
  EXPECT_EQ(watch.silent_epoch(), 5u);
  EXPECT_FALSE(watch.vacant());
  row.epoch = 7;  // another process of this name, at once
  watch.Saw(row, 1, milliseconds(4400));
  EXPECT_EQ(watch.silent_epoch(), 5u);
  EXPECT_FALSE(watch.vacant());
  row.epoch = 8;
  row.beat = 9;  // there was a beat in between, of an unknown life
  watch.Saw(row, 1, milliseconds(20000));
  EXPECT_EQ(watch.silent_epoch(), 5u);
}

TEST(BeatWatch, ANodeIsHeardOnlyByABeatThatComes) {
  BeatWatch watch(kLength, 0);
  NodeRow row{.name = "a", .address = "", .epoch = 1, .beat = 7};
  EXPECT_FALSE(watch.heard());
  watch.Saw(row, 1, milliseconds(0));  // of a backup, perhaps
  watch.Saw(row, 1, milliseconds(1000));
  EXPECT_FALSE(watch.heard());
  ++row.beat;
  watch.Saw(row, 1, milliseconds(1100));
  EXPECT_TRUE(watch.heard());
  watch.Saw(row, 1, milliseconds(3000));
  EXPECT_TRUE(watch.heard());
  ++row.epoch;  // somebody took the place
  watch.Saw(row, 1, milliseconds(5400));
  EXPECT_FALSE(watch.heard());
}

TEST(BeatWatch, WhoComesLaterInTheOrderWaitsLonger) {
  BeatWatch watch(kLength, 2);
  watch.Saw({.name = "a", .address = "", .epoch = 1, .beat = 1}, 1, milliseconds(0));
  EXPECT_FALSE(watch.Silent(milliseconds(4399)));
  EXPECT_TRUE(watch.Silent(milliseconds(4400)));
}

LeaseTime now;

struct Node {
  std::string name;
  std::unique_ptr<Engine> engine;
  std::optional<NodeId> id;
  std::unique_ptr<Lease> lease;
  std::unique_ptr<BeatWatch> watch;         // of the other node
  std::unique_ptr<BeatWatch> former_watch;  // of its life that led the store last
  uint64_t beats = 0;
  std::unique_ptr<ClusterPageServer> server;
  DatabaseId db;
  // A beat whose answer is on its way, sent then.
  std::optional<LeaseTime> beat_sent;
};

class TwoNodes {
 public:
  explicit TwoNodes(uint64_t seed)
      : random_(seed), cluster_(std::make_shared<SimulatedCluster>(seed + 77)) {
    now = milliseconds(1000);
    for (int i = 0; i < 2; ++i) nodes_[i].name = i == 0 ? "a" : "b";
    ClusterOptions options{.apply_thread = false};
    const auto made = ClusterPageServer::Open(SimulatedCluster::Connect(cluster_), "store",
                                              OpenMode::kCreate, options);
    (void)(*made)->OpenDatabase("main", OpenMode::kCreate);
  }

  void Run(int steps) {
    cluster_->SetFaults({.lost_request = 20,
                         .late_request = 20,
                         .lost_answer = 20,
                         .lost_replication = 20,
                         .failed_read = 5,
                         .failover = 5});
    for (int step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) {
      now += milliseconds(random_.Below(400));
      const size_t which = random_.Below(2);
      Node& node = nodes_[which];
      if (!node.id) Enter(node);
      if (!node.id) continue;
      // A node that sleeps does nothing for a while, and then goes on where it was.
      if (asleep_until_[which] > now) continue;
      if (random_.OneIn(40)) asleep_until_[which] = now + milliseconds(random_.Below(12000));
      Beat(node);
      Watch(node, nodes_[1 - which]);
      if (random_.OneIn(2)) Read(node);
      if (random_.OneIn(3)) Commit(node);
    }
  }

  uint64_t reads = 0, refused = 0, takeovers = 0, seen_over = 0, commits = 0;

 private:
  void Enter(Node& node) {
    node.engine = SimulatedCluster::Connect(cluster_);
    const Result<NodeId> id = node.engine->EnterNode(node.name, node.name + ":7300", "node");
    if (!id.ok()) return;
    node.id = *id;
    node.lease = std::make_unique<Lease>(kLength);
    node.watch = std::make_unique<BeatWatch>(kLength, 0);
    node.former_watch = std::make_unique<BeatWatch>(kLength, 0);
    node.server.reset();
    node.beat_sent.reset();
  }

  void Beat(Node& node) {
    // The answer of the last one may come now, or later.
    if (node.beat_sent) {
      if (random_.OneIn(3)) {
        node.lease->Answered(*node.beat_sent);
        node.beat_sent.reset();
      }
      return;
    }
    const LeaseTime sent = now;
    now += milliseconds(random_.Below(100));
    const Result<bool> beaten = node.engine->Beat(*node.id, ++node.beats);
    if (!beaten.ok()) return;
    if (*beaten) {
      node.beat_sent = sent;
    } else {
      node.lease->Ended();
      node.id.reset();
    }
  }

  // Takes the place of the leader when that is silent, or leads what nobody leads.
  void Watch(Node& node, Node& other) {
    if (!node.id || (node.server != nullptr && node.server->failed().ok())) return;
    const Result<std::vector<NodeRow>> rows = node.engine->Nodes();
    const Result<Uuid> store = node.engine->FindStore("store");
    if (!rows.ok() || !store.ok()) return;
    const Result<NodeId> leader = node.engine->LeaderOf(*store);
    if (!leader.ok()) return;
    const auto row = std::ranges::find(*rows, other.name, &NodeRow::name);
    // A connection of this simulation leads to the primary of the moment, whose loss is a new one.
    if (row != rows->end()) node.watch->Saw(*row, cluster_->counts().failovers, now);
    if (leader->name == other.name && row != rows->end() && row->epoch == leader->epoch) {
      if (!node.watch->Silent(now)) return;
      const Result<bool> taken = node.engine->TakeNode(node.watch->seen());
      if (!taken.ok() || !*taken) return;
      ++takeovers;
    } else if (leader->name == other.name && node.watch->silent_epoch() >= leader->epoch) {
      ++seen_over;
    } else if (leader->name == other.name && row != rows->end()) {
      // The other has come anew since it led the store, or lost its place: its last lease must be
      // over, which only waiting tells.
      NodeRow former = *row;
      former.epoch = leader->epoch;
      former.beat = 0;
      node.former_watch->Saw(former, cluster_->counts().failovers, now);
      if (!node.former_watch->Silent(now)) return;
    }
    Lead(node);
  }

  void Lead(Node& node) {
    ClusterOptions options{.node = *node.id,
                           .lease = node.lease.get(),
                           .now = [] { return now; },
                           .cached_records = 10,
                           .apply_thread = false};
    auto opened = ClusterPageServer::Open(SimulatedCluster::Connect(cluster_), "store",
                                          OpenMode::kOpen, options);
    if (!opened.ok()) return;
    const Result<DatabaseId> db = (*opened)->OpenDatabase("main", OpenMode::kOpen);
    if (!db.ok()) return;
    if (unknown_) {
      const Result<std::optional<uint64_t>> outcome = (*opened)->Outcome({unknown_->first});
      if (!outcome.ok()) return;
      if (*outcome) {
        version_ = **outcome;
        contents_ = unknown_->second;
      }
      unknown_.reset();
    }
    node.server = *std::move(opened);
    node.db = *db;
  }

  void Read(Node& node) {
    if (node.server == nullptr) return;
    const auto reply = ReadPage(*node.server, node.db, PageId{1});
    if (!reply->status.ok() && reply->status.code() != StatusCode::kNotFound) {
      ++refused;
      return;
    }
    ++reads;
    // What is unknown may have happened; its own node may show it before others know.
    if (unknown_ && reply->status.ok() && Holds(*reply, MakePage(unknown_->second))) return;
    if (version_ == 0) {
      ASSERT_EQ(reply->status.code(), StatusCode::kNotFound);
    } else {
      ASSERT_TRUE(reply->status.ok());
      ASSERT_EQ(reply->record.version, version_) << node.name;
      ASSERT_TRUE(Holds(*reply, MakePage(contents_)));
    }
  }

  void Commit(Node& node) {
    if (node.server == nullptr || unknown_) return;
    if (version_ == 0 && !node.server->AllocatePages(node.db, 1).ok()) return;
    const uint64_t contents = random_.Next();
    const PageImage image = MakePage(contents);
    const CommitId id = NewCommitId();
    const CommitAnswer answer =
        CommitBuilder(*node.server, node.db).Whole(PageId{1}, version_, image).Commit(id);
    if (answer.outcome == CommitOutcome::kCommitted) {
      ++commits;
      version_ = answer.version;
      contents_ = contents;
    } else if (answer.outcome == CommitOutcome::kUnknown) {
      unknown_ = {id, contents};
      node.server.reset();
    } else if (!node.server->failed().ok()) {
      node.server.reset();
    }
  }

  Random random_;
  std::shared_ptr<SimulatedCluster> cluster_;
  Node nodes_[2];
  LeaseTime asleep_until_[2] = {};
  uint64_t version_ = 0, contents_ = 0;
  std::optional<std::pair<CommitId, uint64_t>> unknown_;
};

TEST(Leases, NobodyReadsWhatAnotherLeaderHasChanged) {
  uint64_t reads = 0, refused = 0, takeovers = 0, seen_over = 0, commits = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    TwoNodes run(seed);
    run.Run(600);
    if (HasFatalFailure()) return;
    reads += run.reads;
    refused += run.refused;
    takeovers += run.takeovers;
    seen_over += run.seen_over;
    commits += run.commits;
  }
  std::printf("%llu reads answered, %llu refused, %llu takeovers, %llu commits\n",
              static_cast<unsigned long long>(reads), static_cast<unsigned long long>(refused),
              static_cast<unsigned long long>(takeovers), static_cast<unsigned long long>(commits));
  EXPECT_GT(reads, 1000u);
  EXPECT_GT(refused, 50u);
  EXPECT_GT(takeovers, 50u);
  EXPECT_GT(seen_over, 0u);
  EXPECT_GT(commits, 500u);
}

}  // namespace
}  // namespace tenure::store
