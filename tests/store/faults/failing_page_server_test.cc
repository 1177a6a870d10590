#include "store/faults/failing_page_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/faults/linked_faults.h"
#include "store/open.h"
#include "store/server/memory_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using ::testing::HasSubstr;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

TEST(FailPoint, IsParsed) {
  const Result<FailPoint> point = ParseFailPoint("commit-conflict:12");
  ASSERT_TRUE(point.ok());
  EXPECT_EQ(point->kind, FailPointKind::kCommitConflict);
  EXPECT_EQ(point->count, 12u);
  for (const char* wrong : {"", "commit-conflict", "commit-conflict:", "commit-conflict:0", "x:1",
                            "commit-conflict:1x", "commit-conflict:-1", ":1"}) {
    const Result<FailPoint> bad = ParseFailPoint(wrong);
    ASSERT_FALSE(bad.ok()) << wrong;
    EXPECT_EQ(bad.status().code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(bad.status().text(), HasSubstr("commit-nospace"));
  }
  EXPECT_THAT(FailPointHelp(), HasSubstr("read-corrupt: "));
}

class FailingPageServerTest : public ::testing::Test {
 protected:
  void TearDown() override {
    server.reset();
    MemoryPageServer::Forget("failing");
  }
  void Open(const char* point) {
    StoreOptions options;
    options.kind = PageServerKind::kMemory;
    options.mode = OpenMode::kOpenOrCreate;
    options.fail = FaultsAt(*ParseFailPoint(point));
    server = *OpenStore("failing", options);
    db = *server->OpenDatabase("main", OpenMode::kOpenOrCreate);
    page = server->AllocatePages(db, 1)->first;
  }
  CommitAnswer Commit(CommitId id = NewCommitId()) {
    return CommitBuilder(*server, db).Whole(page, 0, image).Commit(id);
  }
  bool Happened() { return Holds(*ReadPage(*server, db, page), image); }

  const PageImage image = MakePage(1);
  std::unique_ptr<PageServer> server;
  DatabaseId db;
  PageId page;
};

TEST_F(FailingPageServerTest, CommitsThatFailDoNotHappen) {
  const struct {
    const char* point;
    CommitOutcome outcome;
    StatusCode code;
  } cases[] = {{"commit-conflict:1", CommitOutcome::kConflict, StatusCode::kConflict},
               {"commit-nospace:1", CommitOutcome::kFailed, StatusCode::kNoSpace},
               {"commit-io:1", CommitOutcome::kFailed, StatusCode::kIo},
               {"commit-missing:1", CommitOutcome::kFailed, StatusCode::kNotFound}};
  for (const auto& c : cases) {
    Open(c.point);
    const CommitId id = NewCommitId();
    const CommitAnswer answer = Commit(id);
    EXPECT_EQ(answer.outcome, c.outcome) << c.point;
    EXPECT_EQ(answer.status.code(), c.code) << c.point;
    EXPECT_FALSE(Happened()) << c.point;
    EXPECT_EQ(*server->Outcome({id}), std::nullopt) << c.point;
    EXPECT_EQ(Commit().outcome, CommitOutcome::kCommitted) << c.point;  // only the first
    EXPECT_TRUE(Happened());
    TearDown();
  }
}

TEST_F(FailingPageServerTest, UnknownCommitsHaveOrHaveNotHappened) {
  Open("commit-unknown-done:1");
  CommitId id = NewCommitId();
  EXPECT_EQ(Commit(id).outcome, CommitOutcome::kUnknown);
  EXPECT_TRUE(server->Outcome({id})->has_value());
  EXPECT_TRUE(Happened());
  TearDown();

  Open("commit-unknown-lost:1");
  id = NewCommitId();
  EXPECT_EQ(Commit(id).outcome, CommitOutcome::kUnknown);
  EXPECT_EQ(*server->Outcome({id}), std::nullopt);
  EXPECT_FALSE(Happened());
  TearDown();

  Open("commit-unknown-silent:1");
  id = NewCommitId();
  EXPECT_EQ(Commit(id).outcome, CommitOutcome::kUnknown);
  EXPECT_FALSE(server->Outcome({id}).ok());
}

TEST_F(FailingPageServerTest, TheNthOperationFails) {
  Open("read-corrupt:3");
  ASSERT_EQ(Commit().outcome, CommitOutcome::kCommitted);
  EXPECT_TRUE(Happened());
  EXPECT_TRUE(Happened());
  const auto reply = ReadPage(*server, db, page);
  EXPECT_EQ(reply->status.code(), StatusCode::kCorrupt);
  EXPECT_EQ(reply->status.number(), static_cast<int64_t>(page.number));
  EXPECT_TRUE(Happened());
}

TEST_F(FailingPageServerTest, OtherOperationsFailToo) {
  Open("read-io:1");
  EXPECT_EQ(ReadPage(*server, db, page)->status.code(), StatusCode::kIo);
  TearDown();
  Open("read-conflict:1");
  EXPECT_EQ(ReadPage(*server, db, page)->status.code(), StatusCode::kConflict);
  TearDown();
  Open("write-conflict:1");
  EXPECT_EQ(server->WantWrite(db, std::span(&page, 1)).code(), StatusCode::kConflict);
  EXPECT_TRUE(server->WantWrite(db, std::span(&page, 1)).ok());
  TearDown();
  Open("allocate-nospace:2");  // the first was in Open
  EXPECT_EQ(server->AllocatePages(db, 1).status().code(), StatusCode::kNoSpace);
  TearDown();
  Open("type-nospace:1");
  EXPECT_EQ(server->AddType({}).status().code(), StatusCode::kNoSpace);
  EXPECT_TRUE(server->AddType({}).ok());
}

class NotesForgotten final : public PageServerWrapper {
 public:
  NotesForgotten(std::unique_ptr<PageServer> server, uint64_t* asker)
      : PageServerWrapper(std::move(server)), asker_(asker) {}
  void ForgetAsker(uint64_t asker) override { *asker_ = asker; }

 private:
  uint64_t* const asker_;
};

TEST_F(FailingPageServerTest, TheStoreBehindItForgetsAnAskerToo) {
  uint64_t forgotten = 0;
  auto noting = std::make_unique<NotesForgotten>(
      *MemoryPageServer::Open("failing", OpenMode::kCreate), &forgotten);
  FailingPageServer(std::move(noting), FailPoint()).ForgetAsker(7);
  EXPECT_EQ(forgotten, 7u);
}

}  // namespace
}  // namespace tenure::store
