#include "store/remote/wandering_pages.h"

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
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::MakePage;
using testing::PageImage;

constexpr PageId kPage{7};

// --- the guess

// A transaction touches the page and writes it as `version`. Whether it gives the page up.
bool Use(WanderingPages& pages, uint64_t seen, uint64_t version) {
  if (!pages.WillBeWritten(kPage)) return false;
  pages.NoteGranted(kPage, seen);
  if (version != 0) pages.NoteWritten(kPage, version);
  return !pages.TakeGranted().empty();
}

TEST(WanderingPages, APageThatNobodyWantsIsKept) {
  WanderingPages pages;
  EXPECT_FALSE(pages.WillBeWritten(kPage));
  pages.NoteWritten(kPage, 3);
  EXPECT_FALSE(pages.WillBeWritten(kPage));
  EXPECT_TRUE(pages.TakeGranted().empty());
}

TEST(WanderingPages, APageThatOthersWriteInBetweenIsGivenUpEachTime) {
  WanderingPages pages;
  pages.NoteWanted(kPage);
  for (uint64_t version = 10; version < 100; version += 2) {
    EXPECT_TRUE(Use(pages, version, version + 1));
  }
}

TEST(WanderingPages, APageThatNobodyElseWritesAnyMoreIsKeptAgain) {
  WanderingPages pages;
  for (int i = 0; i < 5; ++i) pages.NoteWanted(kPage);
  uint64_t version = 10;
  int given_up = 0;
  while (Use(pages, version, version + 1)) {
    ++version;
    ASSERT_LT(++given_up, 10);
  }
  EXPECT_FALSE(pages.WillBeWritten(kPage));
}

TEST(WanderingPages, APageThatWasNotWrittenIsOnlyReadNextTime) {
  WanderingPages pages;
  pages.NoteWanted(kPage);
  EXPECT_TRUE(Use(pages, 10, 0));
  EXPECT_FALSE(pages.WillBeWritten(kPage));
  pages.NoteWritten(kPage, 12);
  EXPECT_TRUE(pages.WillBeWritten(kPage));
}

// --- what that means for programs

class ServedWanderingTest : public ::testing::Test {
 protected:
  struct Program {
    std::unique_ptr<RemotePageServer> server;
    DatabaseId database;

    std::unique_ptr<PageReply> Touch(PageId page) {
      auto reply = std::make_unique<PageReply>();
      const Status status =
          server->ReadTouched(database, page, *reply, [](PageId) { return false; });
      if (!status.ok()) reply->status = status;
      return reply;
    }
    // A transaction that reads the page and writes it.
    void Write(PageId page, const PageImage& image) {
      ASSERT_TRUE(server->StartTransaction().ok());
      const auto there = Touch(page);
      ASSERT_TRUE(there->status.ok());
      const CommitAnswer commit =
          CommitBuilder(*server, database).Whole(page, there->record.version, image).Commit();
      ASSERT_EQ(commit.outcome, CommitOutcome::kCommitted) << commit.status.text();
      server->EndTransaction();
      // The server has got the page back when it answers.
      ASSERT_TRUE(server->Recent(0).ok());
    }
  };

  void SetUp() override {
    Program maker = Connect(OpenMode::kCreate);
    page_ = maker.server->AllocatePages(maker.database, 2)->first;
    ASSERT_EQ(CommitBuilder(*maker.server, maker.database)
                  .Whole(page_, 0, image_)
                  .Whole(page_ + 1, 0, image_)
                  .Commit()
                  .outcome,
              CommitOutcome::kCommitted);
  }
  Program Connect(OpenMode mode = OpenMode::kOpen) {
    Program program{*RemotePageServer::Connect(directory_.path()), {}};
    program.database = *program.server->OpenDatabase("main", mode);
    return program;
  }

  testing::TemporaryDirectory directory_;
  testing::ServedStore served_{directory_.path()};
  const PageImage image_ = MakePage(1);
  PageId page_;
};

// A transaction on a page that wanders sends three messages: one that asks for the page to read and
// to write, the commit, and one that gives the page up. Write sends one more. The other program is
// not asked for anything.
TEST_F(ServedWanderingTest, APageThatWandersNeedsNoCallbacks) {
  Program first = Connect(), second = Connect();
  for (uint64_t i = 0; i < 4; ++i) {
    first.Write(page_, MakePage(10 + i));
    second.Write(page_, MakePage(20 + i));
  }
  const uint64_t before_first = first.server->messages();
  const uint64_t before_second = second.server->messages();
  for (uint64_t i = 0; i < 10; ++i) {
    first.Write(page_, MakePage(30 + i));
    second.Write(page_, MakePage(40 + i));
  }
  EXPECT_EQ(first.server->messages() - before_first, 40u);
  EXPECT_EQ(second.server->messages() - before_second, 40u);
}

TEST_F(ServedWanderingTest, AProgramThatIsAloneAgainKeepsThePage) {
  Program first = Connect(), second = Connect();
  for (uint64_t i = 0; i < 4; ++i) {
    first.Write(page_, MakePage(10 + i));
    second.Write(page_, MakePage(20 + i));
  }
  for (uint64_t i = 0; i < 8; ++i) first.Write(page_, MakePage(30 + i));
  const uint64_t before = first.server->messages();
  ASSERT_TRUE(first.server->StartTransaction().ok());
  ASSERT_TRUE(first.server->WantWrite(first.database, std::span(&page_, 1)).ok());
  first.server->EndTransaction();
  EXPECT_EQ(first.server->messages(), before);
}

// The transaction that has a page which wanders may come to nothing.
TEST_F(ServedWanderingTest, APageIsGivenUpWithoutACommit) {
  Program first = Connect(), second = Connect();
  for (uint64_t i = 0; i < 4; ++i) {
    first.Write(page_, MakePage(10 + i));
    second.Write(page_, MakePage(20 + i));
  }
  ASSERT_TRUE(first.server->StartTransaction().ok());
  ASSERT_TRUE(first.Touch(page_)->status.ok());
  std::atomic<bool> written{false};
  std::thread thread([&] {
    second.Write(page_, MakePage(30));
    written = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(written);
  first.server->EndTransaction();
  thread.join();
  EXPECT_TRUE(written);
}

// While a thread of a program receives its own answers, another program may want what the program
// holds, and threads of the program may wait for commits.
TEST_F(ServedWanderingTest, ProgramsThatWriteTheSamePagesLoseNoWrite) {
  constexpr uint64_t kTransactions = 200;
  std::atomic<uint64_t> refused{0};
  const auto work = [&](uint64_t seed) {
    Program program = Connect();
    for (uint64_t done = 0; done < kTransactions;) {
      program.server->AwaitTurn();
      ASSERT_TRUE(program.server->StartTransaction().ok());
      const PageId low = page_ + (seed + done) % 2, high = page_ + (seed + done + 1) % 2;
      const auto a = program.Touch(low);
      const auto b = a->status.ok() ? program.Touch(high) : std::make_unique<PageReply>(*a);
      CommitOutcome outcome = CommitOutcome::kConflict;
      if (a->status.ok() && b->status.ok()) {
        PageImage first, second;
        std::memcpy(first.bytes, a->record.contents, sizeof first.bytes);
        std::memcpy(second.bytes, b->record.contents, sizeof second.bytes);
        const auto add = [](PageImage& image) {
          uint64_t count;
          std::memcpy(&count, image.bytes, sizeof count);
          ++count;
          std::memcpy(image.bytes, &count, sizeof count);
        };
        add(first);
        add(second);
        CommitBuilder commit(*program.server, program.database);
        commit.Whole(low, a->record.version, first).Whole(high, b->record.version, second);
        const CommitAnswer answer = done % 2 == 0 ? commit.Commit() : commit.Order();
        outcome = answer.outcome;
        if (outcome == CommitOutcome::kCommitted) {
          program.server->EndTransaction();
          ASSERT_TRUE(program.server->AwaitDurable(answer.version).ok());
          ++done;
          continue;
        }
      }
      ASSERT_EQ(outcome, CommitOutcome::kConflict);
      ++refused;
      program.server->EndTransaction();
    }
  };
  uint64_t before, after;
  const auto count = [&](uint64_t* number) {
    Program program = Connect();
    ASSERT_TRUE(program.server->StartTransaction().ok());
    std::memcpy(number, program.Touch(page_)->record.contents, sizeof *number);
    program.server->EndTransaction();
  };
  count(&before);
  std::vector<std::thread> programs;
  for (uint64_t i = 0; i < 4; ++i) programs.emplace_back(work, i);
  for (std::thread& program : programs) program.join();
  count(&after);
  EXPECT_EQ(after - before, 4 * kTransactions) << refused << " transactions were refused";
}

}  // namespace
}  // namespace tenure::store
