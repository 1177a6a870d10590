// A thread that waits for a page of a served store, which another program holds, and the operations
// of other threads meanwhile.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <span>

#include "store/remote/remote_page_server.h"
#include "tests/support/served_store.h"
#include "tests/support/session_world.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using store::RemotePageServer;
using testing::ServedStore;
using testing::SessionWorld;
using testing::TemporaryDirectory;
using testing::WordOf;

using Kind = FaultAnswer::Kind;

constexpr std::chrono::seconds kPatience(60);
constexpr std::chrono::milliseconds kSoon(200);

class PageRequests : public ::testing::Test {
 protected:
  // A root of word 10 that is at home and not in memory. Another program holds its page.
  void SetUp() override {
    world.Start();
    world.Create();
    world.Open();
    Ref neighbour = nullptr;
    world.MakeRootAndNeighbour(&root, &neighbour);
    world.Start();
    world.Open();
    other = *RemotePageServer::Connect(directory.path());
    const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
    const PageId page = other->Root(same)->page();
    ASSERT_TRUE(other->StartTransaction().ok());
    ASSERT_TRUE(other->WantWrite(same, std::span(&page, 1)).ok());
    transaction = world.Begin();
    root = world.Root();
  }

  std::future<FaultAnswer> Touch() {
    return std::async(std::launch::async,
                      [this] { return world.session->HandleFault(root, /*is_write=*/false); });
  }
  template <typename Operation>
  std::future<Status> Do(Operation&& operation) {
    return std::async(std::launch::async, operation);
  }
  static bool Ends(const auto& future, auto patience) {
    return future.wait_for(patience) == std::future_status::ready;
  }

  TemporaryDirectory directory;
  ServedStore served{directory.path()};
  SessionWorld world{FaultTier::kMprotect, PageServerKind::kBdb, directory.path()};
  std::unique_ptr<RemotePageServer> other;
  uint64_t transaction = 0;
  Ref root = nullptr;
};

TEST_F(PageRequests, QuestionsToTheSessionAreAnsweredMeanwhile) {
  auto touch = Touch();
  EXPECT_FALSE(Ends(touch, kSoon));
  auto asks = Do([&] {
    EXPECT_EQ(world.session->statistics().objects_displaced, 0u);
    EXPECT_EQ(world.session->DepthOf(world.session->TopOf(transaction)), 1u);
    EXPECT_EQ(world.Root(), root);
    return Status::Ok();
  });
  EXPECT_TRUE(Ends(asks, kPatience));
  EXPECT_FALSE(Ends(touch, kSoon));
  other->EndTransaction();
  ASSERT_TRUE(Ends(touch, kPatience));
  EXPECT_EQ(touch.get().kind, Kind::kResolved);
  EXPECT_EQ(WordOf(root), 10u);
}

TEST_F(PageRequests, ACommitWaitsForTheAnswer) {
  auto touch = Touch();
  EXPECT_FALSE(Ends(touch, kSoon));
  auto commit = Do([&] { return world.session->Commit(transaction); });
  EXPECT_FALSE(Ends(commit, kSoon));
  other->EndTransaction();
  ASSERT_TRUE(Ends(touch, kPatience));
  ASSERT_TRUE(Ends(commit, kPatience));
  EXPECT_TRUE(commit.get().ok());
  // The commit may have been faster.
  const FaultAnswer answer = touch.get();
  EXPECT_TRUE(answer.kind == Kind::kResolved ||
              answer.error == FaultAnswer::Error::kTransactionNotInProgress ||
              answer.error == FaultAnswer::Error::kAborted);
}

TEST_F(PageRequests, AnAnswerToAnEarlierTransactionIsVoid) {
  auto touch = Touch();
  EXPECT_FALSE(Ends(touch, kSoon));
  auto again = Do([&] {
    Status status = world.session->Abort(transaction);
    transaction = world.Begin();
    return status;
  });
  other->EndTransaction();
  ASSERT_TRUE(Ends(again, kPatience));
  EXPECT_TRUE(again.get().ok());
  ASSERT_TRUE(Ends(touch, kPatience));
  // In whichever of the transactions the thread goes on: the page is held in the one that is open.
  (void)touch.get();
  EXPECT_EQ(world.session->HandleFault(world.Root(), /*is_write=*/false).kind, Kind::kResolved);
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const PageId page = other->Root(same)->page();
  ASSERT_TRUE(other->StartTransaction().ok());
  auto want = Do([&] { return other->WantWrite(same, std::span(&page, 1)); });
  EXPECT_FALSE(Ends(want, kSoon));
  world.Commit(transaction);
  ASSERT_TRUE(Ends(want, kPatience));
  EXPECT_TRUE(want.get().ok());
}

}  // namespace
}  // namespace tenure::stabilize
