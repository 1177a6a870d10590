#include "store/remote/read_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "store/remote/remote_page_server.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::MakePage;
using testing::PageImage;

// --- which pages are asked for

std::unique_ptr<PageRecord> RecordOf(uint64_t version) {
  auto record = std::make_unique<PageRecord>();
  record->version = version;
  return record;
}

// Touches the page as a RemotePageServer does. The pages that were asked for; none: it was kept.
PageRun Touch(ReadAhead& ahead, PageId page, uint64_t pages_there = ~uint64_t{0}) {
  PageRecord record;
  if (ahead.Take(page, &record)) {
    EXPECT_EQ(record.version, page.number);
    return {};
  }
  const PageRun run = ahead.Around(page);
  EXPECT_TRUE(run.first <= page && page < run.first + run.pages);
  for (PageId near = run.first; near < run.first + run.pages; near = near + 1) {
    if (near == page || !near.valid() || near.number > pages_there || ahead.Has(near)) continue;
    ahead.Keep(near, std::as_bytes(std::span(RecordOf(near.number).get(), 1)));
    while (ahead.DropSurplus().valid()) {
    }
  }
  return run;
}

TEST(ReadAhead, ReadsInOrderAskForTwiceAsMuchEachTime) {
  ReadAhead ahead;
  std::vector<uint64_t> asked;
  for (uint64_t page = 1; page < 400; ++page) {
    const PageRun run = Touch(ahead, PageId{page});
    if (run.pages == 0) continue;
    EXPECT_EQ(run.first.number, page);
    asked.push_back(run.pages);
  }
  ASSERT_GE(asked.size(), 5u);
  EXPECT_LE(asked.size(), 12u);
  EXPECT_EQ(asked[0], ReadAhead::kWindowFirst);
  for (size_t i = 1; i < asked.size(); ++i) EXPECT_GE(asked[i], asked[i - 1]);
  EXPECT_EQ(asked.back(), ReadAhead::kWindowMost);
}

TEST(ReadAhead, ScatteredReadsOfMostPagesAskForLargeGroups) {
  ReadAhead ahead;
  uint64_t asked = 0;
  for (uint64_t i = 0; i < 500; ++i)
    asked += Touch(ahead, PageId{1 + i * 251 % 500}, 500).pages > 0;
  // A group of eight each time would be 63.
  EXPECT_LT(asked, 40u);
}

TEST(ReadAhead, ScatteredReadsOfFewPagesAskForThemAlone) {
  ReadAhead ahead;
  uint64_t came = 0;
  const auto touch = [&](uint64_t from, uint64_t count) {
    came = 0;
    for (uint64_t i = from; i < from + count; ++i) came += Touch(ahead, PageId{1 + i * 1009}).pages;
  };
  touch(0, 1000);
  touch(1000, 1000);
  EXPECT_LT(came, 1400u);
  EXPECT_LE(ahead.size(), ReadAhead::kPagesMost);
  // Reads in order are noticed at once.
  const PageId begin{5000000};
  for (uint64_t i = 0; i < 20; ++i) came = Touch(ahead, begin + i).pages;
  EXPECT_EQ(came, 0u);
}

TEST(ReadAhead, PagesThatAnotherProgramWantsAreAskedForNoMore) {
  ReadAhead ahead;
  uint64_t came = 0;
  // Of each two pages one is touched here, and one by another program.
  for (uint64_t page = 2; page < 400; page += 2) {
    came += Touch(ahead, PageId{page}).pages;
    (void)ahead.Lose(PageId{page + 1});
  }
  EXPECT_LT(came, 250u);
}

// --- what that means for other programs

class ServedReadAheadTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kPages = 64;

  struct Program {
    std::unique_ptr<RemotePageServer> server;
    DatabaseId database;

    std::unique_ptr<PageReply> Touch(PageId page) {
      auto reply = std::make_unique<PageReply>();
      const Status status =
          server->ReadTouched(database, page, *reply, [](PageId) { return true; });
      if (!status.ok()) reply->status = status;
      return reply;
    }
    Status WantWrite(PageId page) { return server->WantWrite(database, std::span(&page, 1)); }
    uint64_t ahead() const { return server->statistics().pages_prefetched; }
  };

  void SetUp() override {
    Program maker = Connect(OpenMode::kCreate);
    first_ = maker.server->AllocatePages(maker.database, kPages)->first;
    CommitBuilder commit(*maker.server, maker.database);
    for (uint64_t i = 0; i < kPages; ++i) commit.Whole(first_ + i, 0, image_);
    ASSERT_EQ(commit.Commit().outcome, CommitOutcome::kCommitted);
  }
  Program Connect(OpenMode mode = OpenMode::kOpen) {
    Program program{*RemotePageServer::Connect(directory_.path()), {}};
    program.database = *program.server->OpenDatabase("main", mode);
    return program;
  }
  static bool EndsSoon(const std::atomic<bool>& done) {
    for (int i = 0; i < 200 && !done; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return done;
  }

  testing::TemporaryDirectory directory_;
  testing::ServedStore served_{directory_.path()};
  const PageImage image_ = MakePage(1), after_ = MakePage(2);
  PageId first_;
};

TEST_F(ServedReadAheadTest, AKeptPageNeedsNoMessage) {
  Program reader = Connect();
  ASSERT_TRUE(reader.server->StartTransaction().ok());
  ASSERT_TRUE(reader.Touch(first_ + 8)->status.ok());
  EXPECT_GT(reader.ahead(), 0u);
  const uint64_t before = reader.server->messages();
  const auto next = reader.Touch(first_ + 9);
  EXPECT_TRUE(testing::Holds(*next, image_));
  EXPECT_EQ(reader.server->messages(), before);
  EXPECT_EQ(reader.server->statistics().pages_prefetched_used, 1u);
  reader.server->EndTransaction();
}

TEST_F(ServedReadAheadTest, AKeptPageIsGivenUpInTheMiddleOfATransaction) {
  Program reader = Connect(), writer = Connect();
  ASSERT_TRUE(reader.server->StartTransaction().ok());
  const uint64_t version = reader.Touch(first_ + 8)->record.version;
  ASSERT_GT(reader.ahead(), 0u);
  ASSERT_TRUE(writer.server->StartTransaction().ok());
  // With the reader's transaction open: else the wait would end as a conflict after some seconds.
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(writer.WantWrite(first_ + 9).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  const CommitAnswer commit =
      CommitBuilder(*writer.server, writer.database).Whole(first_ + 9, version, after_).Commit();
  ASSERT_EQ(commit.outcome, CommitOutcome::kCommitted) << commit.status.text();
  writer.server->EndTransaction();
  // What the reader has not touched it may see as it is now.
  const auto now = reader.Touch(first_ + 9);
  EXPECT_TRUE(testing::Holds(*now, after_));
  EXPECT_EQ(now->record.version, commit.version);
  reader.server->EndTransaction();
}

TEST_F(ServedReadAheadTest, ATouchedPageStaysUntilTheEndOfTheTransaction) {
  Program reader = Connect(), writer = Connect();
  ASSERT_TRUE(reader.server->StartTransaction().ok());
  ASSERT_TRUE(reader.Touch(first_ + 8)->status.ok());
  ASSERT_TRUE(reader.Touch(first_ + 9)->status.ok());
  ASSERT_TRUE(writer.server->StartTransaction().ok());
  std::atomic<bool> has{false};
  std::thread thread([&] { has = writer.WantWrite(first_ + 9).ok(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(has);
  reader.server->EndTransaction();
  EXPECT_TRUE(EndsSoon(has));
  thread.join();
  writer.server->EndTransaction();
}

// A page that is wanted for writing counts as used before the server is asked: the permission
// would be given up while it is on its way.
TEST_F(ServedReadAheadTest, AKeptPageThatIsWrittenStays) {
  Program first = Connect(), second = Connect();
  ASSERT_TRUE(first.server->StartTransaction().ok());
  ASSERT_TRUE(first.Touch(first_ + 8)->status.ok());
  ASSERT_TRUE(first.WantWrite(first_ + 9).ok());
  ASSERT_TRUE(second.server->StartTransaction().ok());
  std::atomic<bool> has{false};
  std::thread thread([&] { has = second.WantWrite(first_ + 9).ok(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(has);
  first.server->EndTransaction();
  EXPECT_TRUE(EndsSoon(has));
  thread.join();
}

TEST_F(ServedReadAheadTest, WhatAnotherProgramWritesDoesNotComeAlong) {
  Program reader = Connect(), writer = Connect();
  ASSERT_TRUE(writer.server->StartTransaction().ok());
  ASSERT_TRUE(writer.WantWrite(first_ + 9).ok());
  ASSERT_TRUE(reader.server->StartTransaction().ok());
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(reader.Touch(first_ + 8)->status.ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  const uint64_t before = reader.server->messages();
  EXPECT_TRUE(reader.Touch(first_ + 10)->status.ok());
  EXPECT_EQ(reader.server->messages(), before);
  reader.server->EndTransaction();
  writer.server->EndTransaction();
  EXPECT_TRUE(reader.server->StartTransaction().ok());
  EXPECT_TRUE(reader.Touch(first_ + 9)->status.ok());
  EXPECT_GT(reader.server->messages(), before);
  reader.server->EndTransaction();
}

TEST_F(ServedReadAheadTest, WhatTheProgramItselfCommitsIsNotKeptAsItWas) {
  Program program = Connect();
  ASSERT_TRUE(program.server->StartTransaction().ok());
  const uint64_t version = program.Touch(first_ + 8)->record.version;
  const CommitAnswer commit =
      CommitBuilder(*program.server, program.database).Whole(first_ + 9, version, after_).Commit();
  ASSERT_EQ(commit.outcome, CommitOutcome::kCommitted) << commit.status.text();
  EXPECT_TRUE(testing::Holds(*program.Touch(first_ + 9), after_));
  program.server->EndTransaction();
}

// If the page came along with another thread's page, it could be given up as one that nobody uses,
// and arrive for its own thread afterwards: the program would hold it without the server's
// knowledge.
TEST_F(ServedReadAheadTest, APageThatAThreadAsksForDoesNotComeAlongWithAnotherThreadsPage) {
  Program reader = Connect();
  ASSERT_TRUE(reader.server->StartTransaction().ok());
  std::atomic<bool> asks{false}, goes_on{false};
  PageReply reply;
  std::thread beside([&] {
    const Status status =
        reader.server->ReadTouched(reader.database, first_ + 9, reply, [&](PageId) {
          asks = true;
          while (!goes_on) std::this_thread::yield();
          return false;
        });
    EXPECT_TRUE(status.ok());
  });
  while (!asks) std::this_thread::yield();
  EXPECT_TRUE(reader.Touch(first_ + 8)->status.ok());
  const uint64_t came = reader.ahead();
  goes_on = true;
  beside.join();
  EXPECT_TRUE(testing::Holds(reply, image_));
  EXPECT_EQ(came, ReadAhead::kWindowFirst - 2);
  reader.server->EndTransaction();
}

// Programs that write pairs of pages, and read pairs: a page that is kept too long would be read as
// it was before, or be committed with an old version.
TEST_F(ServedReadAheadTest, NobodySeesWhatWasGivenUp) {
  constexpr uint64_t kUsed = 16, kTransactions = 150;
  std::atomic<uint64_t> committed{0}, wrong{0};
  const auto work = [&](uint64_t seed, bool writes) {
    Program program = Connect();
    Random random(seed);
    PageImage next = image_;
    for (uint64_t done = 0; done < kTransactions; ++done) {
      program.server->AwaitTurn();
      if (!program.server->StartTransaction().ok()) {
        ++wrong;
        return;
      }
      const uint64_t pair = random.Next() % (kUsed / 2);
      const PageId low = first_ + pair, high = first_ + (kUsed - 1 - pair);
      const auto a = program.Touch(low), b = program.Touch(high);
      if (a->status.ok() && b->status.ok()) {
        if (std::memcmp(a->record.contents, b->record.contents, 16) != 0) ++wrong;
        if (writes && program.WantWrite(low).ok() && program.WantWrite(high).ok()) {
          std::memcpy(next.bytes, a->record.contents, sizeof next.bytes);
          const uint64_t mark[2] = {seed, done};
          std::memcpy(next.bytes, mark, sizeof mark);
          const CommitAnswer commit = CommitBuilder(*program.server, program.database)
                                          .Whole(low, a->record.version, next)
                                          .Whole(high, b->record.version, next)
                                          .Commit();
          if (commit.outcome == CommitOutcome::kCommitted) {
            ++committed;
          } else {
            ++wrong;
          }
        }
      } else if (a->status.code() != StatusCode::kConflict &&
                 b->status.code() != StatusCode::kConflict) {
        ++wrong;
      }
      program.server->EndTransaction();
    }
  };
  std::vector<std::thread> programs;
  for (uint64_t i = 0; i < 4; ++i) programs.emplace_back(work, i + 1, i < 3);
  for (std::thread& program : programs) program.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(committed, kTransactions);
}

}  // namespace
}  // namespace tenure::store
