// What a ClusterPageServer does beyond the contract of every page server.

#include "store/cluster/cluster_page_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "store/faults/simulated_engine.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

class ClusterPageServerTest : public ::testing::Test {
 protected:
  void SetUp() override { Attach(OpenMode::kCreate); }

  // Another node, or this one again, becomes the leader.
  void Attach(OpenMode mode = OpenMode::kOpen) {
    auto opened =
        ClusterPageServer::Open(SimulatedCluster::Connect(cluster), "store", mode, options);
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    server = *std::move(opened);
    db = *server->OpenDatabase("main",
                               mode == OpenMode::kCreate ? OpenMode::kCreate : OpenMode::kOpen);
  }

  const std::shared_ptr<SimulatedCluster> cluster = std::make_shared<SimulatedCluster>(1);
  ClusterOptions options{.apply_thread = false};
  std::unique_ptr<ClusterPageServer> server;
  DatabaseId db;
  const PageImage one = MakePage(1), two = MakePage(2);
};

TEST_F(ClusterPageServerTest, ADeposedLeaderCommitsNothing) {
  const PageId page = server->AllocatePages(db, 1)->first;
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, one).Commit().version;
  const std::unique_ptr<ClusterPageServer> deposed = std::move(server);
  Attach();
  const CommitId id = NewCommitId();
  const CommitAnswer answer = CommitBuilder(*deposed, db).Whole(page, version, two).Commit(id);
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(answer.status.code(), StatusCode::kInUse);
  EXPECT_EQ(deposed->failed().code(), StatusCode::kInUse);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
  EXPECT_EQ(*server->Outcome({id}), std::nullopt);
}

TEST_F(ClusterPageServerTest, CommitsAreRefusedForAWhileAndReadsGoOn) {
  const PageId page = server->AllocatePages(db, 1)->first;
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, one).Commit().version;
  static LeaseTime now;
  now = LeaseTime(100);
  options.now = [] { return now; };
  options.refusal = Status(StatusCode::kNoSpace, "the engine is full");
  options.refuses_until = LeaseTime(200);
  Attach();
  const CommitAnswer refused = CommitBuilder(*server, db).Whole(page, version, two).Commit();
  EXPECT_EQ(refused.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(refused.status.code(), StatusCode::kNoSpace);
  EXPECT_STREQ(refused.status.text(), "the engine is full");
  EXPECT_TRUE(server->failed().ok());
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
  now = options.refuses_until;
  EXPECT_EQ(CommitBuilder(*server, db).Whole(page, version, two).Commit().outcome,
            CommitOutcome::kCommitted);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), two));
}

TEST_F(ClusterPageServerTest, ALeaderWhosePrimaryIsLostAttachesAgain) {
  const PageId page = server->AllocatePages(db, 1)->first;
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, one).Commit().version;
  // The pages are applied, which another primary may not have.
  ASSERT_TRUE(server->ApplyNow().ok());
  cluster->FailOver();
  const CommitId id = NewCommitId();
  EXPECT_EQ(CommitBuilder(*server, db).Whole(page, version, two).Commit(id).outcome,
            CommitOutcome::kUnknown);
  EXPECT_EQ(ReadPage(*server, db, page)->status.code(), StatusCode::kIo);
  Attach();
  EXPECT_EQ(*server->Outcome({id}), std::nullopt);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
}

TEST_F(ClusterPageServerTest, ALeaderThatCannotReadTheWholeLogAppliesNothing) {
  const PageId page = server->AllocatePages(db, 2)->first;
  CommitBuilder(*server, db).Whole(page, 0, one).Commit();
  CommitBuilder(*server, db).Whole(page + 1, 0, two).Commit();
  server->ApplyNow().ok();
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t version = ReadPage(*server, db, page)->record.version;
    ASSERT_EQ(CommitBuilder(*server, db)
                  .Region(page, version, i % 2 == 0 ? two : one, 0, 8192)
                  .Commit()
                  .outcome,
              CommitOutcome::kCommitted);
  }
  // The log stays behind: this leader goes without applying.
  const std::unique_ptr<ClusterPageServer> gone = std::move(server);
  cluster->SetFaults({.failed_read = 400});
  int failures = 0;
  for (int i = 0; i < 50; ++i) {
    failures += !ClusterPageServer::Open(SimulatedCluster::Connect(cluster), "store",
                                         OpenMode::kOpen, options)
                     .ok();
  }
  EXPECT_GT(failures, 5);
  cluster->SetFaults({});
  Attach();
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page + 1), two));
}

TEST_F(ClusterPageServerTest, OneAppendServesAllThatWait) {
  constexpr int kThreads = 8, kCommits = 50;
  const PageId first = server->AllocatePages(db, kThreads)->first;
  std::atomic<int> committed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      uint64_t version = 0;
      for (int i = 0; i < kCommits; ++i) {
        const PageImage image = MakePage(static_cast<uint64_t>(t * kCommits + i));
        const CommitAnswer answer = CommitBuilder(*server, db)
                                        .Whole(first + static_cast<uint64_t>(t), version, image)
                                        .Commit();
        committed += answer.outcome == CommitOutcome::kCommitted;
        version = answer.version;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(committed, kThreads * kCommits);
  EXPECT_LE(server->statistics().syncs, cluster->counts().appends);
  Attach();
  for (int t = 0; t < kThreads; ++t) {
    EXPECT_TRUE(Holds(*ReadPage(*server, db, first + static_cast<uint64_t>(t)),
                      MakePage(static_cast<uint64_t>(t * kCommits + kCommits - 1))));
  }
}

TEST_F(ClusterPageServerTest, APreparedCommitSurvivesItsLeader) {
  const PageId page = server->AllocatePages(db, 2)->first;
  const Coordinator coordinator{.store = NewUuid(), .path = "../other", .lineage = 7};
  const auto prepare = [&](CommitId id, PageId written, const PageImage& image) {
    CommitBuilder builder(*server, db);
    builder.Whole(written, 0, image);
    const DatabaseCommit part = builder.part();
    return server->Prepare({id, std::span(&part, 1)}, coordinator);
  };
  const CommitId kept = NewCommitId(), dropped = NewCommitId();
  ASSERT_TRUE(prepare(kept, page, one).ok());
  ASSERT_TRUE(prepare(dropped, page + 1, two).ok());
  for (int round = 0; round < 2; ++round) {
    Attach();
    const std::vector<PreparedCommit> prepared = *server->Prepared();
    ASSERT_EQ(prepared.size(), 2u);
    EXPECT_EQ(prepared[0].coordinator.store, coordinator.store);
    EXPECT_EQ(prepared[0].coordinator.path, coordinator.path);
    ASSERT_TRUE(server->ApplyNow().ok());  // the second time they are in the tables
  }
  EXPECT_EQ(server->Resolve(kept, true).outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(server->Resolve(dropped, false).outcome, CommitOutcome::kFailed);
  EXPECT_EQ(server->Resolve(kept, true).status.code(), StatusCode::kNotFound);
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(server->Prepared()->empty());
    EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
    EXPECT_EQ(ReadPage(*server, db, page + 1)->status.code(), StatusCode::kNotFound);
    EXPECT_TRUE(server->Outcome({kept})->has_value());
    ASSERT_TRUE(server->ApplyNow().ok());
    Attach();
  }
}

TEST_F(ClusterPageServerTest, AnOutcomeForWhichAProgramMayAskSurvivesLeaders) {
  const uint64_t seed = NewCommitId().high;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  options.latest_outcomes = 4;
  Attach();
  ASSERT_TRUE(server->EnterSession(NewUuid(), "a program").ok());
  const PageId page = server->AllocatePages(db, 1)->first;
  struct Asked {
    OutcomeQuestion question;
    std::optional<uint64_t> version;
  };
  std::vector<Asked> asked;
  CommitId forgotten;
  uint64_t version = 0;
  for (int i = 0; i < 150; ++i) {
    const CommitId id = NewCommitId();
    CommitBuilder builder(*server, db);
    const DatabaseCommit part = builder.Whole(page, version, one).part();
    CommitRequest request{id, std::span(&part, 1)};
    if (random.OneIn(3)) request.asker.place = 7;
    const uint64_t above = version;
    const CommitAnswer answer = server->Commit(request);
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    version = answer.version;
    if (request.asker.place == 7) {
      asked.push_back({{id, above, /*kept=*/true}, version});
      asked.push_back({{NewCommitId(), above, /*kept=*/true}, std::nullopt});
    } else if (i < 5) {
      forgotten = id;
    }
    if (random.OneIn(8)) {
      ASSERT_TRUE(server->ApplyNow().ok());
    }
    if (i > 20 && random.OneIn(12)) Attach();
  }
  for (int round = 0; round < 2; ++round) {
    for (const Asked& each : asked) ASSERT_EQ(*server->Outcome(each.question), each.version);
    if (forgotten != CommitId()) {
      const auto outcome = server->Outcome({forgotten});
      // A leader may still know it; it must not deny it.
      EXPECT_TRUE(outcome.ok() ? outcome->has_value()
                               : outcome.status().code() == StatusCode::kUnknownOutcome)
          << outcome.status().text();
    }
    ASSERT_TRUE(server->ApplyNow().ok());
    Attach();
  }
}

TEST_F(ClusterPageServerTest, WhatTheClusterForgotItDoesNotDeny) {
  options.latest_outcomes = 4;
  options.older_outcomes = 2;
  Attach();
  ASSERT_TRUE(server->EnterSession(NewUuid(), "a program").ok());
  const PageId page = server->AllocatePages(db, 1)->first;
  std::vector<OutcomeQuestion> asked;
  uint64_t version = 0;
  for (int i = 0; i < 12; ++i) {
    CommitBuilder builder(*server, db);
    const DatabaseCommit part = builder.Whole(page, version, one).part();
    asked.push_back({NewCommitId(), version, /*kept=*/true});
    CommitRequest request{asked.back().id, std::span(&part, 1)};
    request.asker.place = 7;
    version = server->Commit(request).version;
    if (i % 4 == 3) {
      ASSERT_TRUE(server->ApplyNow().ok());
    }
  }
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < asked.size(); ++i) {
      const auto outcome = server->Outcome(asked[i]);
      if (i < 6) {
        EXPECT_EQ(outcome.status().code(), StatusCode::kUnknownOutcome) << i;
      } else {
        EXPECT_TRUE(outcome.ok() && outcome->has_value()) << i;
      }
    }
    EXPECT_EQ(server->Outcome({NewCommitId(), asked[5].above, true}).status().code(),
              StatusCode::kUnknownOutcome);
    EXPECT_EQ(*server->Outcome({NewCommitId(), version, true}), std::nullopt);
    Attach();
  }
}

TEST_F(ClusterPageServerTest, WhatIsNoCommitCountsAsNoGroup) {
  Attach();
  ASSERT_TRUE(server->EnterSession(NewUuid(), "a program").ok());
  EXPECT_EQ(server->statistics().largest_group, 0u);
  EXPECT_EQ(server->statistics().syncs, 0u);
  const PageId page = server->AllocatePages(db, 1)->first;
  ASSERT_EQ(CommitBuilder(*server, db).Whole(page, 0, one).Commit().outcome,
            CommitOutcome::kCommitted);
  EXPECT_EQ(server->statistics().largest_group, 1u);
  EXPECT_EQ(server->statistics().syncs, 1u);
}

TEST_F(ClusterPageServerTest, ADecisionIsKeptUntilAllHaveAcknowledged) {
  const PageId page = server->AllocatePages(db, 1)->first;
  const Uuid participants[] = {NewUuid(), NewUuid()};
  const CommitId id = NewCommitId();
  CommitBuilder builder(*server, db);
  builder.Whole(page, 0, one);
  const DatabaseCommit part = builder.part();
  ASSERT_EQ(server->Commit({id, std::span(&part, 1), participants}).outcome,
            CommitOutcome::kCommitted);
  Attach();
  EXPECT_TRUE(*server->Decided(id));
  EXPECT_FALSE(*server->Decided(NewCommitId()));
  ASSERT_TRUE(server->Acknowledge(id, participants[0]).ok());
  ASSERT_TRUE(server->ApplyNow().ok());
  Attach();
  EXPECT_TRUE(*server->Decided(id));
  ASSERT_TRUE(server->Acknowledge(id, participants[1]).ok());
  ASSERT_TRUE(server->ApplyNow().ok());
  Attach();
  EXPECT_FALSE(*server->Decided(id));
}

TEST_F(ClusterPageServerTest, TablesOfReferencesGrowAtTheirEnds) {
  const PageId page = server->AllocatePages(db, 1)->first;
  CommitBuilder(*server, db).Whole(page, 0, one).Commit();
  const auto add = [&](uint64_t before, uint64_t number) {
    const ImportEntry import{.database = NewUuid(),
                             .store = "../x",
                             .name = "y",
                             .export_number = number,
                             .export_tag = 3,
                             .lineage = 4};
    const ExportEntry exported{.object = PersistentRef::Object(page, 8), .tag = number};
    const DatabaseCommit commit{.database = db,
                                .pages = {},
                                .root = std::nullopt,
                                .imports_before = before,
                                .exports_before = before,
                                .imports = std::span(&import, 1),
                                .exports = std::span(&exported, 1)};
    return server->Commit({NewCommitId(), std::span(&commit, 1)}).outcome;
  };
  EXPECT_EQ(add(0, 10), CommitOutcome::kCommitted);
  ASSERT_TRUE(server->ApplyNow().ok());
  EXPECT_EQ(add(1, 11), CommitOutcome::kCommitted);
  EXPECT_EQ(add(1, 12), CommitOutcome::kConflict);
  Attach();
  EXPECT_EQ(add(2, 12), CommitOutcome::kCommitted);
  ASSERT_TRUE(server->ApplyNow().ok());
  Attach();
  const std::vector<ImportEntry> imports = *server->Imports(db);
  ASSERT_EQ(imports.size(), 3u);
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(imports[i].export_number, 10 + i);
    EXPECT_EQ((*server->Exports(db))[i].tag, 10 + i);
  }
}

TEST_F(ClusterPageServerTest, AnEngineWithoutSpaceCommitsNothingAndLosesNothing) {
  const PageId page = server->AllocatePages(db, 1)->first;
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, one).Commit().version;
  cluster->SetFaults({.failed_request = 1000});
  const CommitId id = NewCommitId();
  const CommitAnswer answer = CommitBuilder(*server, db).Whole(page, version, two).Commit(id);
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(answer.status.code(), StatusCode::kNoSpace);
  cluster->SetFaults({});
  Attach();
  EXPECT_EQ(*server->Outcome({id}), std::nullopt);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
}

TEST_F(ClusterPageServerTest, WhatIsCommittedBesideAnApplyIsKept) {
  options.apply_thread = true;
  options.apply_interval = std::chrono::milliseconds(1);
  options.cached_records = 4;
  Attach();
  constexpr uint64_t kPages = 16;
  const PageId first = server->AllocatePages(db, kPages)->first;
  std::vector<uint64_t> versions(kPages), contents(kPages);
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const uint64_t at = random.Below(kPages);
    contents[at] = random.Next();
    const PageImage image = MakePage(contents[at]);
    const CommitAnswer answer =
        CommitBuilder(*server, db).Whole(first + at, versions[at], image).Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    versions[at] = answer.version;
    const uint64_t other = random.Below(kPages);
    if (versions[other] == 0) continue;
    const auto reply = ReadPage(*server, db, first + other);
    ASSERT_TRUE(Holds(*reply, MakePage(contents[other]))) << reply->status.text();
    ASSERT_EQ(reply->record.version, versions[other]);
  }
  Attach();
  for (uint64_t at = 0; at < kPages; ++at) {
    EXPECT_TRUE(Holds(*ReadPage(*server, db, first + at), MakePage(contents[at])));
  }
}

}  // namespace
}  // namespace tenure::store
