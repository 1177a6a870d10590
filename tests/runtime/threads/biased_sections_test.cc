// A lock that is biased to a thread guards what the thread does in its sections.
#include "runtime/threads/biased_sections.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/sanitizers.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/threads.h"
#include "tests/runtime/test_program.h"

namespace tenure::runtime::test {
namespace {

class BiasedSectionsTest : public testing::Test {
 protected:
  // Keeps this process from being a process of one thread, in which locks are not shared.
  BiasedSectionsTest()
      : other_([this] {
          AttachedMutator();
          while (!stop_) std::this_thread::yield();
        }) {
    AttachedMutator();
    uint64_t word = 0;
    LockWord(&word).Bias();
    if (word == 0) has_membarrier_ = false;
  }
  ~BiasedSectionsTest() override {
    stop_ = true;
    other_.join();
  }

  std::atomic<bool> stop_{false};
  bool has_membarrier_ = true;
  std::thread other_;
};

TEST_F(BiasedSectionsTest, OnlyItsThreadEntersAndOnlyWhileItIsFree) {
  if (!has_membarrier_) GTEST_SKIP() << "no membarrier";
  uint64_t word = 0;
  LockWord lock(&word);
  EXPECT_FALSE(LockWord::EnterBiased(&word));
  lock.Bias();
  EXPECT_FALSE(lock.IsMine());
  EXPECT_FALSE(lock.Release());
  ASSERT_TRUE(LockWord::EnterBiased(&word));
  LockWord::LeaveBiased();
  std::thread([&] { EXPECT_FALSE((AttachedMutator(), LockWord::EnterBiased(&word))); }).join();
  // The thread itself ends its bias by acquiring the lock, once.
  EXPECT_TRUE(lock.Acquire());
  EXPECT_TRUE(lock.IsMine());
  EXPECT_FALSE(lock.Acquire());
  EXPECT_FALSE(LockWord::EnterBiased(&word));
  lock.Bias();
  EXPECT_TRUE(lock.IsMine());
  EXPECT_TRUE(lock.Release());
  EXPECT_EQ(word, 0u);
}

TEST_F(BiasedSectionsTest, ALockBiasedToAThreadThatHasEndedCanBeAcquired) {
  uint64_t word = 0;
  std::thread([&] {
    AttachedMutator();
    LockWord(&word).Bias();
  }).join();
  EXPECT_FALSE(LockWord::EnterBiased(&word));
  EXPECT_TRUE(LockWord(&word).Acquire());
  EXPECT_TRUE(LockWord(&word).Release());
}

TEST_F(BiasedSectionsTest, AThreadThatAcquiresTheLockWaitsForTheEndOfTheSection) {
  if (!has_membarrier_) GTEST_SKIP() << "no membarrier";
  uint64_t word = 0;
  LockWord(&word).Bias();
  ASSERT_TRUE(LockWord::EnterBiased(&word));
  std::atomic<bool> acquired{false};
  std::thread taker([&] {
    EXPECT_TRUE(LockWord(&word).Acquire());
    acquired = true;
    EXPECT_TRUE(LockWord(&word).Release());
  });
  // The word changes at once, so that the thread does not enter again.
  while (__atomic_load_n(&word, __ATOMIC_RELAXED) % 4 == LockWord::kBiased) {
    std::this_thread::yield();
  }
  for (int i = 0; i < 100; ++i) std::this_thread::yield();
  EXPECT_FALSE(acquired);
  LockWord::LeaveBiased();
  taker.join();
  EXPECT_TRUE(acquired);
}

TEST_F(BiasedSectionsTest, SectionsAndHoldersOfTheLockDoNotOverlap) {
  if (kThreadSanitizer) GTEST_SKIP() << "membarrier is unknown to the sanitizer";
  constexpr int kRounds = 20'000;
  uint64_t word = 0;
  // Not atomic: the lock must guard it.
  volatile int64_t counter = 0;
  std::atomic<int64_t> entered{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      AttachedMutator();
      for (int i = 0; i < kRounds; ++i) {
        if (LockWord::EnterBiased(&word)) {
          counter = counter + 1;
          LockWord::LeaveBiased();
          ++entered;
          continue;
        }
        ASSERT_TRUE(LockWord(&word).Acquire());
        counter = counter + 1;
        ASSERT_TRUE(LockWord(&word).Release());
        if (i % (10 + thread) == 0) LockWord(&word).Bias();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, 3 * kRounds);
  if (has_membarrier_) {
    EXPECT_GT(entered, 0);
  }
}

TEST_F(BiasedSectionsTest, MoreThreadsThanThereAreSectionsDoWithout) {
  uint64_t words[2 * kBiasedSections] = {};
  std::atomic<int> ready{0};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t& word : words) {
    threads.emplace_back([&] {
      AttachedMutator();
      LockWord(&word).Bias();
      ++ready;
      while (ready < static_cast<int>(2 * kBiasedSections)) std::this_thread::yield();
      if (LockWord::EnterBiased(&word)) LockWord::LeaveBiased();
      if (!LockWord(&word).Acquire() || !LockWord(&word).Release()) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tenure::runtime::test
