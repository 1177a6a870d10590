// Transient objects that happen to lie beside displaced ones, with a served store: a store to a
// transient object asks for no permission, and a displaced object beside it that was changed
// without permission is not committed without it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/linked_faults.h"
#include "store/remote/remote_page_server.h"
#include "tests/support/served_store.h"
#include "tests/support/session_world.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Catch;
using testing::ServedStore;
using testing::SessionWorld;
using testing::TemporaryDirectory;
using testing::WordOf;

// The number of write permissions that Make asks for: the root's and its page's.
constexpr uint64_t kAskedFirst = 2;

class Neighbours : public ::testing::TestWithParam<FaultTier> {
 protected:
  void SetUp() override {
    if (GetParam() == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
  }
  // A displaced root, and a transient object beside it. The permission requested after
  // `refused_after` others is refused; 0: none is refused.
  void Make(uint64_t refused_after) {
    FailPoint fail;
    if (refused_after != 0) fail = {FailPointKind::kWriteConflict, kAskedFirst + refused_after};
    world.Start(fail);
    world.Create();
    world.Open();
    world.MakeRootAndNeighbour(&root, &neighbour);
  }
  uint64_t StoredWord() {
    world.Reopen();
    const uint64_t transaction = world.Begin();
    const uint64_t word = WordOf(world.Root());
    world.Commit(transaction);
    return word;
  }

  TemporaryDirectory directory;
  ServedStore served{directory.path()};
  SessionWorld world{GetParam(), PageServerKind::kBdb, directory.path()};
  Ref root = nullptr, neighbour = nullptr;
};

TEST_P(Neighbours, AStoreToOneAsksNobody) {
  Make(1);
  uint64_t transaction = world.Begin();
  EXPECT_EQ(Catch([&] { WordOf(neighbour) = 21; }), FaultAnswer::Error::kNone);
  world.Commit(transaction);
  transaction = world.Begin();
  EXPECT_EQ(Catch([&] { WordOf(neighbour) = 22; }), FaultAnswer::Error::kNone);
  EXPECT_TRUE(world.session->Abort(transaction).ok());
  EXPECT_EQ(WordOf(neighbour), 22u);
}

TEST_P(Neighbours, AStoreToThePersistentOneAsks) {
  Make(1);
  const uint64_t transaction = world.Begin();
  EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), FaultAnswer::Error::kAborted);
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_EQ(WordOf(root), 10u);
  EXPECT_EQ(StoredWord(), 10u);
}

TEST_P(Neighbours, WhatWasStoredWithoutPermissionIsRefusedByTheCommit) {
  Make(1);
  uint64_t transaction = world.Begin();
  WordOf(neighbour) = 21;
  EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), FaultAnswer::Error::kNone);
  EXPECT_EQ(world.session->Commit(transaction).code(), StatusCode::kConflict);
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_EQ(WordOf(root), 10u);
  EXPECT_EQ(WordOf(neighbour), 21u);
  transaction = world.Begin();
  WordOf(root) = 12;
  world.Commit(transaction);
  EXPECT_EQ(StoredWord(), 12u);
}

TEST_P(Neighbours, AChildsStoreToOneAsksNobodyEither) {
  Make(1);
  const uint64_t transaction = world.Begin();
  WordOf(neighbour) = 21;
  const uint64_t child = world.Begin();
  EXPECT_EQ(Catch([&] { WordOf(neighbour) = 22; }), FaultAnswer::Error::kNone);
  world.Commit(child);
  const uint64_t second = world.Begin();
  EXPECT_EQ(Catch([&] { WordOf(root) = 11; }), FaultAnswer::Error::kAborted);
  EXPECT_FALSE(world.session->IsOpen(second));
  EXPECT_FALSE(world.session->IsOpen(transaction));
  EXPECT_EQ(WordOf(neighbour), 22u);
}

TEST_P(Neighbours, ALockAsksThoughThePageIsOpen) {
  Make(1);
  const uint64_t transaction = world.Begin();
  WordOf(neighbour) = 21;
  EXPECT_TRUE(world.session->LockForWriting(neighbour).ok());
  EXPECT_EQ(world.session->LockForWriting(root).code(), StatusCode::kConflict);
  EXPECT_FALSE(world.session->IsOpen(transaction));
}

TEST_P(Neighbours, TheCommitWaitsForWhoReadsWhatItHasChanged) {
  Make(0);
  const std::unique_ptr<RemotePageServer> other = *RemotePageServer::Connect(directory.path());
  const DatabaseId same = *other->OpenDatabase("main", OpenMode::kOpen);
  const PageId page = other->Root(same)->page();
  ASSERT_TRUE(other->StartTransaction().ok());
  ASSERT_TRUE(other->WantRead(same, std::span(&page, 1)).ok());

  const uint64_t transaction = world.Begin();
  WordOf(neighbour) = 21;
  WordOf(root) = 11;
  std::atomic<bool> reader_is_done = false;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    reader_is_done = true;
    other->EndTransaction();
  });
  world.Commit(transaction);
  EXPECT_TRUE(reader_is_done);
  reader.join();
  ASSERT_TRUE(other->Close().ok());
  EXPECT_EQ(StoredWord(), 11u);
}

INSTANTIATE_TEST_SUITE_P(Tiers, Neighbours,
                         ::testing::Values(FaultTier::kUserfaultfd, FaultTier::kMprotect),
                         [](const auto& info) {
                           return info.param == FaultTier::kUserfaultfd ? "Userfaultfd"
                                                                        : "Mprotect";
                         });

}  // namespace
}  // namespace tenure::stabilize
