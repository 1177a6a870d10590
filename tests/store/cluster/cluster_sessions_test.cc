// Programs that may come again, over a simulated engine: whichever node leads the store knows them,
// and nothing that one of them may still hold is freed.

#include "store/cluster/cluster_sessions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "store/faults/simulated_engine.h"
#include "store/remote/remote_page_server.h"
#include "store/serve/page_service.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::MakePage;
using testing::PageImage;

// Nanoseconds; the threads of a service read it.
std::atomic<int64_t> clock_now{0};
LeaseTime Now() { return LeaseTime(clock_now.load()); }
void Pass(LeaseTime time) { clock_now += time.count(); }

constexpr LeaseTime kTimeout = std::chrono::seconds(300);

class ClusterSessionsTest : public ::testing::Test {
 protected:
  void SetUp() override { Lead(OpenMode::kCreate); }

  // Another node becomes the leader.
  bool Lead(OpenMode mode = OpenMode::kOpen) {
    auto opened =
        ClusterPageServer::Open(SimulatedCluster::Connect(cluster), "store", mode, options);
    if (!opened.ok()) return false;
    sessions.reset();
    server = *std::move(opened);
    sessions = std::make_unique<ClusterSessions>(*server, kTimeout, Now);
    return true;
  }
  KnownSessions::Entered Enter(const char* name, const Uuid& earlier = {}) {
    const auto entered = sessions->Enter(0, name, earlier);
    EXPECT_TRUE(entered.ok()) << entered.status().text();
    return entered.ok() ? *entered : KnownSessions::Entered{};
  }

  const std::shared_ptr<SimulatedCluster> cluster = std::make_shared<SimulatedCluster>(1);
  ClusterOptions options{.apply_thread = false};
  std::unique_ptr<ClusterPageServer> server;
  std::unique_ptr<ClusterSessions> sessions;
};

TEST_F(ClusterSessionsTest, AreKnownToTheNextLeader) {
  const KnownSessions::Entered alice = Enter("alice");
  EXPECT_FALSE(alice.again);
  EXPECT_TRUE(sessions->CheckNobodyAway({alice.place}).ok());
  for (const bool applied : {false, true}) {
    if (applied) {
      ASSERT_TRUE(server->ApplyNow().ok());
    }
    ASSERT_TRUE(Lead());
    EXPECT_TRUE(sessions->MayComeAgain(alice.serving, 0));
    const Status away = sessions->CheckNobodyAway({});
    EXPECT_EQ(away.code(), StatusCode::kInUse);
    EXPECT_STREQ(away.text(),
                 "a program of 'alice' has lost its connection and may come again for 300 s: "
                 "nothing is collected now");
  }
  const KnownSessions::Entered again = Enter("alice", alice.serving);
  EXPECT_TRUE(again.again);
  EXPECT_EQ(again.serving, alice.serving);
  EXPECT_TRUE(sessions->CheckNobodyAway({again.place}).ok());
}

TEST_F(ClusterSessionsTest, AProgramThatIsComingBackIsAway) {
  const KnownSessions::Entered alice = Enter("alice");
  EXPECT_STREQ(sessions->CheckNobodyAway({}).text(),
               "a program of 'alice' is coming back: nothing is collected now");
  sessions->Leave(alice.place, false);
  EXPECT_EQ(sessions->CheckNobodyAway({}).code(), StatusCode::kInUse);
}

TEST_F(ClusterSessionsTest, EndWithAWordOrAfterATime) {
  const KnownSessions::Entered alice = Enter("alice"), bob = Enter("bob");
  sessions->Leave(alice.place, /*for_good=*/true);
  EXPECT_FALSE(sessions->MayComeAgain(alice.serving, 0));
  Pass(kTimeout);
  EXPECT_TRUE(sessions->MayComeAgain(bob.serving, 0));  // it is connected
  sessions->Leave(bob.place, /*for_good=*/false);
  Pass(kTimeout - LeaseTime(1));
  EXPECT_EQ(sessions->CheckNobodyAway({}).code(), StatusCode::kInUse);
  EXPECT_TRUE(sessions->MayComeAgain(bob.serving, 0));
  Pass(LeaseTime(1));
  EXPECT_TRUE(sessions->CheckNobodyAway({}).ok());
  EXPECT_FALSE(sessions->MayComeAgain(bob.serving, 0));
  EXPECT_FALSE(Enter("bob", bob.serving).again);
  // Every later leader knows that they have ended.
  ASSERT_TRUE(server->ApplyNow().ok());
  ASSERT_TRUE(Lead());
  EXPECT_FALSE(sessions->MayComeAgain(alice.serving, 0));
  EXPECT_FALSE(sessions->MayComeAgain(bob.serving, 0));
}

TEST_F(ClusterSessionsTest, AProgramWithTwoConnectionsLeavesWithTheLast) {
  const KnownSessions::Entered alice = Enter("alice");
  EXPECT_EQ(Enter("alice", alice.serving).place, alice.place);
  sessions->Leave(alice.place, /*for_good=*/true);
  EXPECT_TRUE(sessions->MayComeAgain(alice.serving, 0));
  sessions->Leave(alice.place, /*for_good=*/false);  // the old one is found to be lost
  EXPECT_FALSE(sessions->MayComeAgain(alice.serving, 0));
}

TEST_F(ClusterSessionsTest, WhoHasSeenALostCommitBeginsAnew) {
  const KnownSessions::Entered alice = Enter("alice");
  EXPECT_TRUE(sessions->MayComeAgain(alice.serving, server->DurableVersion()));
  EXPECT_FALSE(sessions->MayComeAgain(alice.serving, server->DurableVersion() + 1));
  EXPECT_FALSE(sessions->MayComeAgain(NewUuid(), 0));
}

TEST_F(ClusterSessionsTest, AnEngineWithoutSpaceKeepsNobodyOut) {
  options.refusal = Status(StatusCode::kNoSpace, "the engine is full");
  options.now = Now;
  options.refuses_until = Now() + kTimeout;
  ASSERT_TRUE(Lead());
  const KnownSessions::Entered alice = Enter("alice");
  sessions->Leave(alice.place, false);
  EXPECT_TRUE(sessions->MayComeAgain(alice.serving, 0));
  EXPECT_EQ(sessions->CheckNobodyAway({}).code(), StatusCode::kInUse);
  ASSERT_TRUE(Lead());
  EXPECT_FALSE(sessions->MayComeAgain(alice.serving, 0));
}

TEST_F(ClusterSessionsTest, NoneThatWasEnteredIsForgotten) {
  uint64_t entered = 0, leaders = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto engines = std::make_shared<SimulatedCluster>(seed);
    Random random(seed + 1000);
    auto leader = ClusterPageServer::Open(SimulatedCluster::Connect(engines), "store",
                                          OpenMode::kCreate, options);
    ASSERT_TRUE(leader.ok());
    engines->SetFaults({.lost_request = 30,
                        .late_request = 30,
                        .lost_answer = 30,
                        .lost_replication = 30,
                        .failed_request = 10,
                        .failed_read = 10,
                        .failover = 15});
    std::set<Uuid> there, perhaps;  // perhaps: unknown whether it was entered, or has ended
    std::vector<Uuid> ended;        // and perhaps not durably
    for (int step = 0; step < 200; ++step) {
      if (!leader.ok() || !(*leader)->failed().ok() || random.OneIn(20)) {
        // Its successor attaches while it is there.
        auto next = ClusterPageServer::Open(SimulatedCluster::Connect(engines), "store",
                                            OpenMode::kOpen, options);
        leader = std::move(next);
        if (!leader.ok()) continue;
        ++leaders;
        perhaps.insert(ended.begin(), ended.end());
        ended.clear();
        const std::map<Uuid, std::string> known = (*leader)->Sessions();
        for (const Uuid& session : there) ASSERT_TRUE(known.contains(session));
        for (const auto& [session, program] : known) {
          ASSERT_TRUE(there.contains(session) || perhaps.contains(session));
          ASSERT_EQ(program, "p" + TextOf(session));
        }
        // What is unknown is known now.
        for (const auto& [session, program] : known) there.insert(session);
        perhaps.clear();
      } else if (random.OneIn(4)) {
        (void)(*leader)->ApplyNow();
      } else if (!there.empty() && random.OneIn(3)) {
        const Uuid session = *there.begin();
        if ((*leader)->EndSession(session).ok()) {
          there.erase(session);
          ended.push_back(session);
        }
      } else {
        const Uuid session = NewUuid();
        if ((*leader)->EnterSession(session, "p" + TextOf(session)).ok()) {
          there.insert(session);
          // What was put into the log before is durable as well.
          ended.clear();
          ++entered;
        } else {
          perhaps.insert(session);
        }
      }
    }
  }
  EXPECT_GT(entered, 2000u);
  EXPECT_GT(leaders, 1000u);
}

// A leader that serves the store in this process, at the socket of a directory. Its successor
// serves there, too.
class Leader {
 public:
  Leader(const std::shared_ptr<SimulatedCluster>& cluster, const std::string& directory) {
    auto opened = ClusterPageServer::Open(SimulatedCluster::Connect(cluster), "store",
                                          OpenMode::kOpenOrCreate, {});
    TN_CHECK(opened.ok());
    store_ = *std::move(opened);
    service_ = std::make_unique<PageService>(*store_, directory);
    service_->TrustContents();
    TN_CHECK(service_->Start(std::make_unique<ClusterSessions>(*store_, kTimeout, Now)).ok());
    std::filesystem::create_directory(directory);
    socket_ = std::make_unique<testing::ServiceAtSocket>(*service_, directory);
  }
  ~Leader() {
    socket_.reset();
    service_->Stop();
  }

 private:
  std::unique_ptr<ClusterPageServer> store_;
  std::unique_ptr<PageService> service_;
  std::unique_ptr<testing::ServiceAtSocket> socket_;
};

// Says that it refers to everything.
class Holder final : public CallbackListener {
 public:
  Answer CalledBack(PageServer&, DatabaseId, PageId, bool) override { return Answer::kGivenUp; }
  std::vector<bool> RefersTo(PageServer&, DatabaseId,
                             std::span<const Candidate> candidates) override {
    return std::vector<bool>(candidates.size(), true);
  }
};

class CollectedClusterTest : public ::testing::Test {
 protected:
  std::unique_ptr<RemotePageServer> Connect() {
    return *RemotePageServer::Connect(directory_.path());
  }
  void NextLeader() {
    leader_.reset();
    leader_ = std::make_unique<Leader>(cluster_, directory_.path());
  }
  // As `tenure db gc`, with one candidate.
  Result<std::vector<bool>> Collect() {
    const auto collector = Connect();
    const DatabaseId id = *collector->OpenDatabase("main", OpenMode::kOpenOrCreate);
    const Candidate candidate{PersistentRef::Object(page_, 8), 32};
    TN_RETURN_IF_ERROR(collector->OfferCandidates(id, std::span(&candidate, 1)));
    return collector->HeldCandidates(id);
  }

  // Whether the candidate is held; none: the collection failed.
  std::vector<bool> Held() {
    // As `tenure db gc`: a program that has just ended may not have left yet.
    Result<std::vector<bool>> held = Collect();
    for (int attempt = 1; attempt < 20 && held.status().code() == StatusCode::kInUse; ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      held = Collect();
    }
    EXPECT_TRUE(held.ok()) << held.status().text();
    return held.ok() ? *held : std::vector<bool>();
  }

  const std::shared_ptr<SimulatedCluster> cluster_ = std::make_shared<SimulatedCluster>(7);
  testing::TemporaryDirectory directory_;
  std::unique_ptr<Leader> leader_ = std::make_unique<Leader>(cluster_, directory_.path());
  Holder holder_;
  PageId page_;
};

TEST_F(CollectedClusterTest, NothingIsFreedThatAProgramMayComeAgainFor) {
  auto program = Connect();
  program->SetListener(&holder_);
  const DatabaseId id = *program->OpenDatabase("main", OpenMode::kOpenOrCreate);
  page_ = program->AllocatePages(id, 1)->first;
  const PageImage image = MakePage(1);
  ASSERT_EQ(CommitBuilder(*program, id).Whole(page_, 0, image).Commit().outcome,
            CommitOutcome::kCommitted);
  EXPECT_EQ(Held(), std::vector<bool>{true});  // it is asked
  NextLeader();
  const Result<std::vector<bool>> refused = Collect();
  EXPECT_EQ(refused.status().code(), StatusCode::kInUse) << refused.status().text();
  // It comes again, and is asked.
  EXPECT_TRUE(*program->StartTransaction());
  program->EndTransaction();
  EXPECT_EQ(Held(), std::vector<bool>{true});
  // It is away for too long.
  NextLeader();
  Pass(kTimeout);
  EXPECT_EQ(Held(), std::vector<bool>{false});
  (void)program->StartTransaction();
  program->EndTransaction();
  EXPECT_EQ(program->Root(id).status().code(), StatusCode::kClosed);
  // Nobody waits for a program that has closed the store.
  program.reset();
  EXPECT_EQ(Held(), std::vector<bool>{false});
  NextLeader();
  EXPECT_EQ(Held(), std::vector<bool>{false});
}

}  // namespace
}  // namespace tenure::store
