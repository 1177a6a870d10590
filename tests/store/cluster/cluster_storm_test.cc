// Commits of two nodes over a simulated engine with faults: whatever is acknowledged is there, in
// order and whole; whatever was refused is not; and what was unknown is one of the two for ever.
// Leaders that remember few outcomes may not know what became of a commit, but deny none.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/cluster/cluster_page_server.h"
#include "store/faults/simulated_engine.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

constexpr uint64_t kPages = 6;
constexpr const char* kNames[] = {"main", "other"};

struct Attempt {
  CommitId id;
  uint64_t above = 0;  // the store's version when it was sent
  // By database and page: what the page's contents are made from; nullopt: removed.
  std::map<std::pair<size_t, uint64_t>, std::optional<uint64_t>> writes;
  std::map<size_t, PersistentRef> roots;
};

// How much a leader remembers. `forgets`: programs ask for more than that.
struct Memory {
  size_t latest = 4096, older = kOlderOutcomesMost;
  bool forgets = false;
};

class Storm {
 public:
  explicit Storm(uint64_t seed, const Memory& memory = {})
      : memory_(memory),
        random_(seed),
        cluster_(std::make_shared<SimulatedCluster>(seed * 7919 + 1)),
        options_{.cached_records = random_.OneIn(2) ? size_t{3} : size_t{100},
                 .latest_outcomes = memory.latest,
                 .older_outcomes = memory.older,
                 .apply_thread = false,
                 .pending_bytes = random_.OneIn(2) ? 4 * kPageRecordBytes : uint64_t{1} << 30} {}

  void Run(int steps) {
    Take(0);
    ASSERT_NE(nodes_[0].server, nullptr);
    for (const char* name : kNames) {
      ASSERT_TRUE(nodes_[0].server->OpenDatabase(name, OpenMode::kCreate).ok());
    }
    OpenDatabases(nodes_[0]);
    // A program that may ask whichever node leads.
    ASSERT_TRUE(nodes_[0].server->EnterSession(NewUuid(), "a program").ok());
    faults_ = {.lost_request = Chance(),
               .late_request = Chance(),
               .lost_answer = Chance(),
               .lost_replication = Chance(),
               .failed_request = Chance(),
               .failed_read = Chance() / 4,
               .failover = Chance() / 4};
    cluster_->SetFaults(faults_);
    for (int step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) {
      const uint64_t what = random_.Below(100);
      if (what < 60) {
        Commit(nodes_[leader_]);
      } else if (what < 70) {
        Commit(nodes_[1 - leader_]);  // which may believe to be the leader
      } else if (what < 80) {
        (void)nodes_[leader_].server->ApplyNow();
      } else if (what < 84) {
        (void)AddType();
      } else if (what < 88) {
        cluster_->FailOver();
      } else {
        Take(random_.Below(2));
      }
      if (memory_.forgets && random_.OneIn(4)) AskAgain(nodes_[leader_]);
    }
    cluster_->SetFaults({});
    Take(leader_);
    Check();
  }

  uint64_t committed = 0, refused = 0, unknown = 0, unknown_committed = 0;
  uint64_t remembered = 0, forgotten = 0;  // answers to AskAgain

  void Add(SimulatedCluster::Counts* sum) const {
    const SimulatedCluster::Counts counts = cluster_->counts();
    sum->appends += counts.appends;
    sum->unknown += counts.unknown;
    sum->fenced += counts.fenced;
    sum->failovers += counts.failovers;
    sum->changes_lost += counts.changes_lost;
    sum->late += counts.late;
  }

 private:
  struct Node {
    std::unique_ptr<ClusterPageServer> server;
    std::vector<DatabaseId> databases;
  };
  struct PageState {
    uint64_t version = 0;
    uint64_t contents = 0;
  };

  uint32_t Chance() { return random_.OneIn(3) ? static_cast<uint32_t>(random_.Below(120)) : 0; }

  void OpenDatabases(Node& node) {
    node.databases.clear();
    for (const char* name : kNames) {
      const Result<DatabaseId> database = node.server->OpenDatabase(name, OpenMode::kOpen);
      ASSERT_TRUE(database.ok()) << database.status().text();
      node.databases.push_back(*database);
    }
  }

  // The node attaches, however often that has to be tried, and settles what was unknown.
  void Take(size_t index) {
    Node& node = nodes_[index];
    node.server.reset();
    while (node.server == nullptr) {
      Result<std::unique_ptr<ClusterPageServer>> opened = ClusterPageServer::Open(
          SimulatedCluster::Connect(cluster_), "store", OpenMode::kOpenOrCreate, options_);
      ASSERT_NE(opened.status().code(), StatusCode::kCorrupt) << opened.status().text();
      if (opened.ok()) node.server = *std::move(opened);
    }
    leader_ = index;
    if (model_version_ > 0 || !unsettled_.empty() ||
        !nodes_[index].server->ListDatabases()->empty()) {
      OpenDatabases(node);
    }
    std::map<uint64_t, const Attempt*> happened;
    for (const Attempt& attempt : unsettled_) {
      Result<std::optional<uint64_t>> outcome =
          node.server->Outcome({attempt.id, attempt.above, /*kept=*/memory_.forgets});
      if (memory_.forgets && outcome.status().code() == StatusCode::kUnknownOutcome) {
        outcome = Looked(node, attempt);
      }
      ASSERT_TRUE(outcome.ok()) << outcome.status().text();
      if (*outcome) {
        happened[**outcome] = &attempt;
        ++unknown_committed;
      } else {
        absent_.push_back(attempt.id);
      }
    }
    for (const auto& [version, attempt] : happened) Happened(*attempt, version);
    unsettled_.clear();
  }

  // What the pages tell about an attempt.
  Result<std::optional<uint64_t>> Looked(Node& node, const Attempt& attempt) {
    const auto write = std::ranges::find_if(
        attempt.writes, [](const auto& each) { return each.second.has_value(); });
    const auto reply =
        ReadPage(*node.server, node.databases[write->first.first], PageId{write->first.second});
    if (!testing::Holds(*reply, MakePage(*write->second))) {
      if (reply->status.ok() || reply->status.code() == StatusCode::kNotFound) {
        return std::optional<uint64_t>();
      }
      return reply->status;
    }
    return std::optional(reply->record.version);
  }

  void Happened(const Attempt& attempt, uint64_t version) {
    ASSERT_GT(version, model_version_);
    model_version_ = version;
    present_[attempt.id] = version;
    for (const auto& [page, contents] : attempt.writes) {
      if (contents) {
        pages_[page] = {version, *contents};
        next_page_[page.first] = std::max(next_page_[page.first], page.second + 1);
      } else {
        pages_.erase(page);
      }
    }
    for (const auto& [database, root] : attempt.roots) roots_[database] = root;
  }

  void Commit(Node& node) {
    if (node.server == nullptr || node.databases.size() < std::size(kNames)) return;
    if (!node.server->failed().ok()) return;
    // Versions as they are; a node that is not a leader any more is fenced all the same.
    Attempt attempt{.id = NewCommitId(), .above = model_version_, .writes = {}, .roots = {}};
    std::vector<std::vector<PageWrite>> writes(std::size(kNames));
    std::vector<std::unique_ptr<PageImage>> images;
    std::vector<std::unique_ptr<ChangedRegion>> regions;
    std::vector<DatabaseCommit> parts;
    for (size_t d = 0; d < std::size(kNames); ++d) {
      while (node.server->MaxPage(node.databases[d]).ok() &&
             node.server->MaxPage(node.databases[d])->number < kPages) {
        if (!node.server->AllocatePages(node.databases[d], 1).ok()) return;
      }
      for (uint64_t number = 1; number <= kPages; ++number) {
        if (!random_.OneIn(3)) continue;
        const PageId page{number};
        const auto state = pages_.find({d, number});
        const uint64_t version = state == pages_.end() ? 0 : state->second.version;
        if (version != 0 && random_.OneIn(5)) {
          writes[d].push_back({.page = page, .expected_version = version, .remove = true});
          attempt.writes[{d, number}] = std::nullopt;
          continue;
        }
        const uint64_t contents = random_.Next();
        images.push_back(std::make_unique<PageImage>(MakePage(contents)));
        const PageImage& image = *images.back();
        const uint32_t checksum = PageChecksum(page, {}, image.bytes);
        attempt.writes[{d, number}] = contents;
        if (version != 0 && random_.OneIn(2)) {
          // All of the page, as a region.
          regions.push_back(std::make_unique<ChangedRegion>(ChangedRegion{0, image.bytes}));
          writes[d].push_back({.page = page,
                               .expected_version = version,
                               .checksum = checksum,
                               .regions = std::span(regions.back().get(), 1)});
        } else {
          writes[d].push_back({.page = page,
                               .expected_version = version,
                               .checksum = checksum,
                               .contents = image.bytes});
        }
      }
      DatabaseCommit part{.database = node.databases[d], .pages = writes[d], .root = std::nullopt};
      const PageId root{1 + random_.Below(kPages)};
      const auto written = attempt.writes.find({d, root.number});
      if (written != attempt.writes.end() ? written->second.has_value()
                                          : pages_.contains({d, root.number})) {
        part.root = PersistentRef::Object(root, 8);
        attempt.roots[d] = *part.root;
      }
      if (!part.pages.empty() || part.root) parts.push_back(part);
    }
    if (parts.empty()) return;
    // Looked needs a page.
    if (memory_.forgets && std::ranges::none_of(attempt.writes, [](const auto& each) {
          return each.second.has_value();
        })) {
      return;
    }
    CommitRequest request{attempt.id, parts};
    request.asker.place = 1 + random_.Below(3);
    if (memory_.forgets) asked_.push_back({attempt.id, model_version_});
    CommitAnswer answer = node.server->Order(request);
    if (answer.outcome != CommitOutcome::kCommitted) {
      if (answer.outcome != CommitOutcome::kUnknown) {
        ++refused;
        absent_.push_back(attempt.id);
        return;
      }
    } else if (const Status status = node.server->AwaitDurable(answer.version); status.ok()) {
      ++committed;
      // An acknowledgement of a node that is not a leader would be one of a lost commit.
      ASSERT_EQ(&node, &nodes_[leader_]);
      Happened(attempt, answer.version);
      return;
    }
    ++unknown;
    unsettled_.push_back(std::move(attempt));
    if (&node == &nodes_[leader_]) Take(leader_);
  }

  // Asks for a commit of some time ago, which its program has not settled.
  void AskAgain(Node& node) {
    if (node.server == nullptr || asked_.empty()) return;
    const Asked& asked = asked_[random_.Below(asked_.size())];
    const Result<std::optional<uint64_t>> outcome =
        node.server->Outcome({asked.id, asked.above, /*kept=*/true});
    if (!outcome.ok()) {
      forgotten += outcome.status().code() == StatusCode::kUnknownOutcome;
      return;
    }
    ++remembered;
    const auto happened = present_.find(asked.id);
    if (happened == present_.end()) {
      ASSERT_EQ(*outcome, std::nullopt);
    } else {
      ASSERT_EQ(*outcome, std::optional(happened->second)) << "a commit that took place is denied";
    }
  }

  Status AddType() {
    const std::string description = "type " + std::to_string(random_.Below(20));
    ClusterPageServer& server = *nodes_[leader_].server;
    return server.AddType(std::as_bytes(std::span(description))).status();
  }

  void Check() {
    Node& node = nodes_[leader_];
    for (int round = 0; round < 2; ++round) {
      for (size_t d = 0; d < std::size(kNames); ++d) {
        for (uint64_t number = 1; number <= kPages; ++number) {
          const auto reply = ReadPage(*node.server, node.databases[d], PageId{number});
          const auto state = pages_.find({d, number});
          if (state == pages_.end()) {
            ASSERT_EQ(reply->status.code(), StatusCode::kNotFound)
                << "round " << round << ", page " << number << " of " << kNames[d];
            continue;
          }
          ASSERT_TRUE(reply->status.ok()) << reply->status.text();
          ASSERT_EQ(reply->record.version, state->second.version) << number;
          ASSERT_TRUE(testing::Holds(*reply, MakePage(state->second.contents))) << number;
        }
        ASSERT_EQ(*node.server->Root(node.databases[d]), roots_[d]);
      }
      if (memory_.forgets) {
        for (size_t i = 0; i < 2 * asked_.size(); ++i) AskAgain(node);
      } else {
        for (const auto& [id, version] : present_) {
          ASSERT_EQ(*node.server->Outcome({id}), std::optional(version));
        }
        for (const CommitId id : absent_) ASSERT_EQ(*node.server->Outcome({id}), std::nullopt);
      }
      std::set<std::string> types;
      const std::vector<TypeEntry> entries = *node.server->TypeEntries();
      for (const TypeEntry& entry : entries) {
        ASSERT_TRUE(types.insert(entry.description).second) << entry.description;
      }
      ASSERT_TRUE(node.server->ApplyNow().ok());
      Take(leader_);
    }
  }

  struct Asked {
    CommitId id;
    uint64_t above = 0;
  };

  const Memory memory_;
  Random random_;
  std::shared_ptr<SimulatedCluster> cluster_;
  EngineFaults faults_;
  ClusterOptions options_;
  Node nodes_[2];
  size_t leader_ = 0;

  // What must be there.
  std::map<std::pair<size_t, uint64_t>, PageState> pages_;
  std::map<size_t, PersistentRef> roots_;
  std::map<size_t, uint64_t> next_page_;
  uint64_t model_version_ = 0;
  std::map<CommitId, uint64_t> present_;
  std::vector<CommitId> absent_;
  std::vector<Attempt> unsettled_;
  std::vector<Asked> asked_;
};

// TENURE_CLUSTER_SEEDS: how many runs; else thousands with TENURE_LONG.
uint64_t Seeds() {
  const char* const wanted = std::getenv("TENURE_CLUSTER_SEEDS");
  const uint64_t usual = std::getenv("TENURE_LONG") != nullptr ? 5000 : 300;
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual;
}

// Programs that were away while more others committed than a leader remembers.
TEST(ClusterStorm, LeadersThatForgetDenyNoCommit) {
  const uint64_t seeds = Seeds();
  uint64_t remembered = 0, forgotten = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed, {.latest = 4 + seed % 5, .older = 1 + seed % 9, .forgets = true});
    storm.Run(80);
    if (HasFatalFailure()) return;
    remembered += storm.remembered;
    forgotten += storm.forgotten;
  }
  std::printf("%llu runs: %llu remembered, %llu perhaps forgotten\n",
              static_cast<unsigned long long>(seeds), static_cast<unsigned long long>(remembered),
              static_cast<unsigned long long>(forgotten));
  EXPECT_GT(remembered, seeds * 10);
  EXPECT_GT(forgotten, seeds * 10);
}

TEST(ClusterStorm, NothingAcknowledgedIsLostAndNothingRefusedStays) {
  const uint64_t seeds = Seeds();
  uint64_t committed = 0, refused = 0, unknown = 0, unknown_committed = 0;
  SimulatedCluster::Counts counts;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed);
    storm.Run(80);
    if (HasFatalFailure()) return;
    committed += storm.committed;
    refused += storm.refused;
    unknown += storm.unknown;
    unknown_committed += storm.unknown_committed;
    storm.Add(&counts);
  }
  std::printf(
      "%llu runs: %llu acknowledged, %llu refused, %llu unknown (%llu of them had happened); "
      "%llu fenced, %llu failovers that lost %llu changes, %llu late requests\n",
      static_cast<unsigned long long>(seeds), static_cast<unsigned long long>(committed),
      static_cast<unsigned long long>(refused), static_cast<unsigned long long>(unknown),
      static_cast<unsigned long long>(unknown_committed),
      static_cast<unsigned long long>(counts.fenced),
      static_cast<unsigned long long>(counts.failovers),
      static_cast<unsigned long long>(counts.changes_lost),
      static_cast<unsigned long long>(counts.late));
  // The faults do happen.
  EXPECT_GT(committed, seeds);
  EXPECT_GT(unknown, seeds / 4);
  EXPECT_GT(unknown_committed, seeds / 16);
  EXPECT_GT(counts.fenced, seeds / 8);
  EXPECT_GT(counts.changes_lost, seeds / 8);
  EXPECT_GT(counts.late, seeds / 16);
}

}  // namespace
}  // namespace tenure::store
