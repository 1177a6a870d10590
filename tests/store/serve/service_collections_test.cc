// The page server's handling of commits and answers during a disk collection.
#include "store/serve/service_collections.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace tenure::store {
namespace {

constexpr uint32_t kDatabase = 3;

PersistentRef At(uint64_t page, uint64_t offset) {
  return PersistentRef::Object(PageId{page}, offset);
}

// Answers at once, in another thread, or never.
class Program final : public CollectionClient {
 public:
  explicit Program(ServiceCollections& collections) : collections_(collections) {}
  ~Program() {
    for (std::thread& thread : threads_) thread.join();
  }

  bool SendCandidates(uint32_t, uint64_t question, std::span<const Candidate> candidates) override {
    const size_t count = candidates.size();
    // An earlier one may still wait for the lock that is held now.
    threads_.emplace_back([this, question, count] {
      if (leaves) return collections_.Leave(kDatabase, *this, /*lost=*/true);
      std::vector<bool> answer(count);
      for (const size_t i : refers) answer[i] = true;
      told = collections_.Told(*this, question, answer);
    });
    return true;
  }

  std::vector<size_t> refers;
  bool leaves = false;
  std::atomic<bool> told = false;

 private:
  ServiceCollections& collections_;
  std::vector<std::thread> threads_;
};

class ServiceCollectionsTest : public ::testing::Test {
 protected:
  Status Begin(CollectionClient& by) {
    return collections.Begin(kDatabase, by, {{At(1, 8), 32}, {At(1, 40), 32}, {At(2, 8), 9000}},
                             {&first, &second});
  }

  void Commit(const DatabaseCommit& commit) {
    collections.NoteCommit({NewCommitId(), std::span(&commit, 1)});
  }

  ServiceCollections collections;
  Mutex ordering;
  Program first{collections}, second{collections}, collector{collections};
};

TEST_F(ServiceCollectionsTest, WhatProgramsReferToIsHeld) {
  ASSERT_TRUE(Begin(collector).ok());
  second.refers = {1};
  const auto held = collections.Held(kDatabase, collector, ordering);
  ASSERT_TRUE(held.ok()) << held.status().text();
  EXPECT_EQ(*held, std::vector<bool>({false, true, false}));
  // The collection has been decided.
  EXPECT_FALSE(collections.Held(kDatabase, collector, ordering).ok());
  EXPECT_TRUE(Begin(second).ok());
}

TEST_F(ServiceCollectionsTest, WhatIsCommittedIsHeld) {
  ASSERT_TRUE(Begin(collector).ok());
  DatabaseCommit commit;
  commit.database = DatabaseId{kDatabase};
  commit.root = At(2, 8);
  Commit(commit);
  // A region that begins in the middle of a word, and a whole page.
  std::byte bytes[20] = {};
  const PersistentRef to = At(1, 40);
  std::memcpy(bytes + 4, &to, sizeof to);
  const ChangedRegion region{12, bytes};
  PageWrite write;
  write.regions = std::span(&region, 1);
  DatabaseCommit other;
  other.database = DatabaseId{kDatabase};
  other.pages = std::span(&write, 1);
  Commit(other);
  const auto held = collections.Held(kDatabase, collector, ordering);
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(*held, std::vector<bool>({false, true, true}));
}

TEST_F(ServiceCollectionsTest, WholePagesExportsAndOtherDatabases) {
  ASSERT_TRUE(Begin(collector).ok());
  std::vector<std::byte> page(abi::kPageBytes);
  const PersistentRef to = At(1, 8);
  const ExportEntry exported{At(2, 8), 1};
  std::memcpy(page.data() + abi::kPageBytes - 8, &to, sizeof to);
  PageWrite write;
  write.contents = page.data();
  DatabaseCommit commit;
  commit.database = DatabaseId{kDatabase + 1};
  commit.pages = std::span(&write, 1);
  Commit(commit);
  commit.database = DatabaseId{kDatabase};
  commit.pages = {};
  commit.exports = std::span(&exported, 1);
  Commit(commit);
  const auto held = collections.Held(kDatabase, collector, ordering);
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(*held, std::vector<bool>({false, false, true}));
}

TEST_F(ServiceCollectionsTest, OneThatIsLostMayComeAgain) {
  ASSERT_TRUE(Begin(collector).ok());
  first.leaves = true;
  EXPECT_EQ(collections.Held(kDatabase, collector, ordering).status().code(), StatusCode::kInUse);
  // A client that says goodbye has no references any more.
  ASSERT_TRUE(Begin(collector).ok());
  collections.Leave(kDatabase, first, /*lost=*/false);
  EXPECT_TRUE(collections.Held(kDatabase, collector, ordering).ok());
}

TEST_F(ServiceCollectionsTest, OneAtATime) {
  ASSERT_TRUE(Begin(collector).ok());
  EXPECT_EQ(Begin(second).code(), StatusCode::kInUse);
  collections.Leave(kDatabase, collector, /*lost=*/true);
  EXPECT_TRUE(Begin(second).ok());
}

}  // namespace
}  // namespace tenure::store
