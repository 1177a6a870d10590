// What only a real server shows: its crashes, its settings, its statements' sizes.

#include "store/postgres/postgres_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/cluster/cluster_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/postgres_node.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::PostgresNode;
using testing::ReadPage;

class PostgresEngineTest : public ::testing::Test {
 protected:
  static PostgresNode& Node() {
    static PostgresNode node;
    return node;
  }
  void SetUp() override {
    options = {.connection = Node().connection(), .quorum = false};
    ASSERT_TRUE(PostgresEngine::MakeTables(options).ok());
    name = "engine" + std::to_string(++stores_made);
    ASSERT_TRUE(PostgresEngine(options).CreateStore(name).ok());
    uuid = *PostgresEngine(options).FindStore(name);
  }

  static inline int stores_made = 0;
  PostgresOptions options;
  std::string name;
  Uuid uuid;
};

LogRecord Record(std::string body) {
  return {.kind = RecordKind::kType, .id = NewCommitId(), .body = std::move(body)};
}

ApplyBatch Empty(uint64_t position) {
  ApplyBatch batch;
  batch.position = position;
  return batch;
}

TEST_F(PostgresEngineTest, AnAppendOfAnEarlierTermChangesNothing) {
  PostgresEngine first(options), second(options);
  const Attachment a = *first.Attach(uuid, {});
  const LogRecord record = Record("a");
  ASSERT_EQ(first.Append(uuid, a.term, a.last, std::span(&record, 1)).outcome,
            AppendOutcome::kDurable);
  const Attachment b = *second.Attach(uuid, {});
  EXPECT_EQ(b.term, a.term + 1);
  EXPECT_EQ(b.last, a.last + 2);
  EXPECT_EQ(first.Append(uuid, a.term, a.last + 1, std::span(&record, 1)).outcome,
            AppendOutcome::kFenced);
  EXPECT_EQ(first.Append(uuid, a.term, b.last, std::span(&record, 1)).outcome,
            AppendOutcome::kFenced);
  EXPECT_EQ(first.Load(uuid, a.term).status().code(), StatusCode::kConflict);
  EXPECT_EQ(first.Apply(uuid, a.term, Empty(a.last + 1)).code(), StatusCode::kConflict);
  // Not the place behind the last record.
  EXPECT_EQ(second.Append(uuid, b.term, b.last - 1, std::span(&record, 1)).outcome,
            AppendOutcome::kFenced);
  EXPECT_EQ(second.Load(uuid, b.term)->log.size(), 3u);
}

TEST_F(PostgresEngineTest, RecordsOfAnySizeComeBackAsTheyWere) {
  options.statement_bytes = 5 << 20;
  PostgresEngine engine(options);
  const Attachment attachment = *engine.Attach(uuid, {});
  std::vector<LogRecord> records;
  Random random(3);
  for (const size_t size :
       {size_t{0}, size_t{1}, size_t{4} << 20, (size_t{4} << 20) + 1, size_t{7}}) {
    std::string body(size, '\0');
    for (size_t i = 0; i < size; i += 1 + random.Below(5000)) {
      body[i] = static_cast<char>(random.Next());
    }
    records.push_back(Record(std::move(body)));
  }
  ASSERT_EQ(engine.Append(uuid, attachment.term, attachment.last, records).outcome,
            AppendOutcome::kDurable);
  const StoreContents contents = *engine.Load(uuid, attachment.term);
  ASSERT_EQ(contents.log.size(), 1 + records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_EQ(contents.log[1 + i].position, attachment.last + 1 + i);
    EXPECT_EQ(contents.log[1 + i].record.id, records[i].id);
    EXPECT_TRUE(contents.log[1 + i].record.body == records[i].body) << i;
  }
}

TEST_F(PostgresEngineTest, AServerThatWaitsForNoStandbyIsRefused) {
  PostgresOptions strict = options;
  strict.quorum = true;
  PostgresEngine engine(strict);
  const Status status = engine.Attach(uuid, {}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnknownOutcome);
  EXPECT_NE(std::string(status.text()).find("synchronous_standby_names"), std::string::npos);
}

TEST_F(PostgresEngineTest, ACrashEndsTheAttachment) {
  PostgresEngine engine(options);
  const Attachment attachment = *engine.Attach(uuid, {});
  const LogRecord record = Record("a");
  ASSERT_EQ(engine.Append(uuid, attachment.term, attachment.last, std::span(&record, 1)).outcome,
            AppendOutcome::kDurable);
  Node().Crash();
  EXPECT_EQ(
      engine.Append(uuid, attachment.term, attachment.last + 1, std::span(&record, 1)).outcome,
      AppendOutcome::kUnknown);
  EXPECT_EQ(engine.CountPages(uuid, uuid).status().code(), StatusCode::kClosed);
  EXPECT_EQ(engine.Apply(uuid, attachment.term, Empty(1)).code(), StatusCode::kClosed);
  // And stays so, though the server is there again.
  EXPECT_EQ(
      engine.Append(uuid, attachment.term, attachment.last + 1, std::span(&record, 1)).outcome,
      AppendOutcome::kUnknown);
  const Result<Attachment> again = engine.Attach(uuid, {});
  ASSERT_TRUE(again.ok()) << again.status().text();
  EXPECT_EQ(engine.Load(uuid, again->term)->log.size(), 3u);
}

TEST_F(PostgresEngineTest, ANodeThatLostItsPlaceLeadsNothing) {
  PostgresEngine engine(options), other(options);
  const NodeId a = *engine.EnterNode(name + "a", "a:7300", "node"),
               b = *other.EnterNode(name + "b", "b", "node");
  const Attachment attachment = *engine.Attach(uuid, a);
  EXPECT_EQ(other.LeaderOf(uuid)->name, a.name);
  const auto row = [&](const NodeId& node) {
    const std::vector<NodeRow> nodes = *other.Nodes();
    return *std::ranges::find(nodes, node.name, &NodeRow::name);
  };
  const NodeRow seen = row(a);
  EXPECT_EQ(seen.address, "a:7300");
  EXPECT_TRUE(*engine.Beat(a, 1));
  EXPECT_FALSE(*other.TakeNode(seen));  // it has beaten since
  EXPECT_TRUE(*other.TakeNode(row(a)));
  EXPECT_FALSE(*engine.Beat(a, 1));
  EXPECT_EQ(engine.Attach(uuid, a).status().code(), StatusCode::kConflict);
  // Its attachment is over with another node's.
  ASSERT_TRUE(other.Attach(uuid, b).ok());
  EXPECT_EQ(other.LeaderOf(uuid)->name, b.name);
  const LogRecord record = Record("a");
  EXPECT_NE(engine.Append(uuid, attachment.term, attachment.last, std::span(&record, 1)).outcome,
            AppendOutcome::kDurable);
  // It comes again as another life.
  const NodeId again = *engine.EnterNode(a.name, "a:7300", "node");
  EXPECT_GT(again.epoch, a.epoch + 1);
  EXPECT_TRUE(*engine.Beat(again, 2));
}

TEST_F(PostgresEngineTest, SessionsOutliveTheirLeader) {
  const auto lead = [&] {
    return *ClusterPageServer::Open(std::make_unique<PostgresEngine>(options), name,
                                    OpenMode::kOpen, {});
  };
  const Uuid one = NewUuid(), two = NewUuid();
  auto leader = lead();
  ASSERT_TRUE(leader->EnterSession(one, "alice").ok());
  ASSERT_TRUE(leader->EnterSession(two, std::string("b\0b", 3)).ok());
  Node().Crash();
  leader = lead();
  const std::map<Uuid, std::string> both = {{one, "alice"}, {two, std::string("b\0b", 3)}};
  EXPECT_EQ(leader->Sessions(), both);
  ASSERT_TRUE(leader->ApplyNow().ok());
  leader = lead();
  EXPECT_EQ(leader->Sessions(), both);
  ASSERT_TRUE(leader->EndSession(one).ok());
  ASSERT_TRUE(leader->Close().ok());
  leader = lead();
  EXPECT_EQ(leader->Sessions().size(), 1u);
  EXPECT_TRUE(leader->Sessions().contains(two));
}

TEST_F(PostgresEngineTest, AGroupOfAnEarlierVersionGetsItsTable) {
  const auto connection = *PostgresConnection::Open(options.connection);
  ASSERT_TRUE(PostgresEngine(options).CheckTables().ok());
  ASSERT_TRUE(connection->Run("DROP TABLE tenure.session").status.ok());
  ASSERT_TRUE(connection->Run("UPDATE tenure.format SET version = 1").status.ok());
  const Status early = PostgresEngine(options).CheckTables();
  EXPECT_EQ(early.code(), StatusCode::kFormat);
  EXPECT_STREQ(early.text(),
               "the group has the tables of an earlier version: 'tenure node init' makes those "
               "that are missing");
  ASSERT_TRUE(PostgresEngine::MakeTables(options).ok());
  ASSERT_TRUE(PostgresEngine(options).CheckTables().ok());
  auto leader = *ClusterPageServer::Open(std::make_unique<PostgresEngine>(options), name,
                                         OpenMode::kOpen, {});
  EXPECT_TRUE(leader->EnterSession(NewUuid(), "alice").ok());
  ASSERT_TRUE(connection->Run("UPDATE tenure.format SET version = 99").status.ok());
  EXPECT_EQ(PostgresEngine(options).CheckTables().code(), StatusCode::kFormat);
  EXPECT_EQ(PostgresEngine::MakeTables(options).code(), StatusCode::kFormat);
  ASSERT_TRUE(connection->Run("UPDATE tenure.format SET version = 2").status.ok());
}

// Threads that commit, a server that crashes, a leader that attaches again and asks.
TEST_F(PostgresEngineTest, NothingAcknowledgedIsLostByCrashes) {
  constexpr int kThreads = 4, kCrashes = 2;
  const ClusterOptions cluster{.cached_records = 2, .apply_interval = std::chrono::milliseconds(5)};
  const auto attach = [&] {
    auto opened = ClusterPageServer::Open(std::make_unique<PostgresEngine>(options), name,
                                          OpenMode::kOpen, cluster);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return *std::move(opened);
  };
  std::unique_ptr<ClusterPageServer> server = attach();
  (void)server->OpenDatabase("main", OpenMode::kCreate);
  struct Page {
    uint64_t version = 0, contents = 0;
    std::optional<std::pair<CommitId, uint64_t>> unknown;  // and its contents
  };
  std::vector<Page> pages(kThreads);
  uint64_t acknowledged = 0;
  for (int crash = 0; crash <= kCrashes; ++crash) {
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
    for (int t = 0; t < kThreads; ++t) {
      Page& page = pages[static_cast<size_t>(t)];
      const PageId number{static_cast<uint64_t>(t) + 1};
      if (page.unknown) {
        const std::optional<uint64_t> version = *server->Outcome({page.unknown->first});
        if (version) page = {*version, page.unknown->second, std::nullopt};
        page.unknown.reset();
      }
      const auto reply = ReadPage(*server, db, number);
      if (page.version == 0) {
        ASSERT_EQ(reply->status.code(), StatusCode::kNotFound);
      } else {
        ASSERT_TRUE(Holds(*reply, MakePage(page.contents))) << reply->status.text();
        ASSERT_EQ(reply->record.version, page.version);
      }
    }
    while (server->MaxPage(db)->number < kThreads) (void)server->AllocatePages(db, 1);
    if (crash == kCrashes) break;
    std::vector<std::thread> threads;
    std::atomic<uint64_t> count{0};
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Page& page = pages[static_cast<size_t>(t)];
        Random random(static_cast<uint64_t>(crash * kThreads + t));
        while (true) {
          const uint64_t contents = random.Next();
          const PageImage image = MakePage(contents);
          const CommitId id = NewCommitId();
          const CommitAnswer answer =
              CommitBuilder(*server, db)
                  .Whole(PageId{static_cast<uint64_t>(t) + 1}, page.version, image)
                  .Commit(id);
          if (answer.outcome != CommitOutcome::kCommitted) {
            if (answer.outcome == CommitOutcome::kUnknown) page.unknown = {id, contents};
            return;
          }
          page.version = answer.version;
          page.contents = contents;
          ++count;
        }
      });
    }
    while (count < 40) std::this_thread::yield();
    Node().Crash();
    for (std::thread& thread : threads) thread.join();
    acknowledged += count;
    server = attach();
  }
  EXPECT_GE(acknowledged, 40u * kCrashes);
}

// Programs whose server crashes while they commit ask when others have committed more than a leader
// remembers. The pages tell what took place.
TEST_F(PostgresEngineTest, LeadersThatForgetDenyNoCommit) {
  constexpr size_t kPrograms = 3, kCrashes = 3, kLatest = 4, kOlder = 5;
  ClusterOptions cluster{.apply_interval = std::chrono::milliseconds(5)};
  cluster.latest_outcomes = kLatest;
  cluster.older_outcomes = kOlder;
  const auto attach = [&] {
    auto opened = ClusterPageServer::Open(std::make_unique<PostgresEngine>(options), name,
                                          OpenMode::kOpen, cluster);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return *std::move(opened);
  };
  std::unique_ptr<ClusterPageServer> server = attach();
  (void)server->OpenDatabase("main", OpenMode::kCreate);
  ASSERT_TRUE(server->EnterSession(NewUuid(), "a program").ok());
  struct Asked {
    OutcomeQuestion question;
    std::optional<uint64_t> version;
  };
  struct Program {
    uint64_t version = 0;  // of its page
    std::optional<OutcomeQuestion> unknown;
    std::vector<Asked> asked;  // that it has not settled
  };
  std::vector<Program> programs(kPrograms);
  const auto commit = [&](size_t number, DatabaseId db) {
    Program& program = programs[number];
    const PageImage image = MakePage(program.version);
    CommitBuilder builder(*server, db);
    const DatabaseCommit part = builder.Whole(PageId{number + 1}, program.version, image).part();
    CommitRequest request{NewCommitId(), std::span(&part, 1)};
    // The first one settles nothing; the others know what became of their commits before this one.
    request.asker = {.place = number + 1, .settled = number == 0 ? 0 : program.version};
    if (number != 0) program.asked.clear();
    const OutcomeQuestion question{request.id, program.version, /*kept=*/true};
    const CommitAnswer answer = server->Commit(request);
    if (answer.outcome == CommitOutcome::kCommitted) {
      program.version = answer.version;
      program.asked.push_back({question, answer.version});
    } else if (answer.outcome == CommitOutcome::kUnknown) {
      program.unknown = question;
    }
    return answer.outcome == CommitOutcome::kCommitted;
  };
  int remembered = 0, forgotten = 0;
  for (size_t crash = 0; crash < kCrashes; ++crash) {
    const DatabaseId db = *server->OpenDatabase("main", OpenMode::kOpen);
    while (server->MaxPage(db)->number < kPrograms) (void)server->AllocatePages(db, 1);
    std::atomic<uint64_t> count{0};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kPrograms; ++i) {
      threads.emplace_back([&, i] {
        while (commit(i, db)) ++count;
      });
    }
    while (count < 30) std::this_thread::yield();
    Node().Crash();
    for (std::thread& thread : threads) thread.join();
    server = attach();
    // More than is remembered, by one program.
    const DatabaseId again = *server->OpenDatabase("main", OpenMode::kOpen);
    const auto version_of = [&](size_t number) {
      const auto reply = ReadPage(*server, again, PageId{number + 1});
      return reply->status.code() == StatusCode::kNotFound ? 0 : reply->record.version;
    };
    for (size_t i = 0; i < kPrograms; ++i) {
      Program& program = programs[i];
      const uint64_t version = version_of(i);
      if (program.unknown) {
        const bool happened = version != program.version;
        program.asked.push_back(
            {*program.unknown, happened ? std::optional(version) : std::nullopt});
      } else {
        ASSERT_EQ(version, program.version);
      }
      program.version = version;
      program.unknown.reset();
    }
    const size_t more = crash == 0 ? 1 : kLatest + kOlder + 2;
    for (size_t i = 0; i < more; ++i) ASSERT_TRUE(commit(0, again));
    for (int round = 0; round < 2; ++round) {
      for (const Program& program : programs) {
        for (const Asked& each : program.asked) {
          const auto outcome = server->Outcome(each.question);
          if (outcome.ok()) {
            ++remembered;
            ASSERT_EQ(*outcome, each.version) << "round " << round;
          } else {
            ++forgotten;
            ASSERT_EQ(outcome.status().code(), StatusCode::kUnknownOutcome);
          }
        }
      }
      // No more rows than are remembered, and the limit's.
      ASSERT_TRUE(server->ApplyNow().ok());
      const auto connection = *PostgresConnection::Open(options.connection);
      std::unique_ptr<Rows> rows;
      ASSERT_TRUE(connection
                      ->Run("SELECT count(*) FROM tenure.outcome o JOIN tenure.store s"
                            " ON o.store = s.uuid WHERE s.name = convert_from($1::bytea, 'UTF8')",
                            Parameters().Bytes(name), &rows)
                      .status.ok());
      EXPECT_LE(rows->Number(0, 0), kLatest + kOlder + 1);
      if (round == 0) server = attach();
    }
  }
  EXPECT_GT(remembered, 0);
  EXPECT_GT(forgotten, 0);
}

}  // namespace
}  // namespace tenure::store
