// One sync for the commits of many threads, held back for those that are about to come.

#include "store/log/group_sync.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <latch>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace tenure::store {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// A log that counts its syncs.
class CountedLog {
 public:
  explicit CountedLog(microseconds sync_takes) : sync_takes_(sync_takes) {}

  // Writes a commit and waits until it is durable.
  Status Commit() {
    uint64_t version;
    {
      const std::lock_guard lock(mutex_);
      version = ++written_;
      group.NoteWritten(version);
    }
    Status status = group.Await(version);
    if (status.ok() && synced_ < version) too_early_ = true;
    return status;
  }
  int syncs() const { return syncs_; }
  bool too_early() const { return too_early_; }
  void FailFrom(int sync) { fails_from_ = sync; }

  GroupSync group{[this](uint64_t version) {
    std::this_thread::sleep_for(sync_takes_);
    if (++syncs_ >= fails_from_) return Status(StatusCode::kIo, "the disk is gone");
    synced_ = version;
    return Status::Ok();
  }};

 private:
  const microseconds sync_takes_;
  std::mutex mutex_;
  uint64_t written_ = 0;
  std::atomic<uint64_t> synced_{0};
  std::atomic<int> syncs_{0}, fails_from_{1 << 30};
  std::atomic<bool> too_early_{false};
};

void InThreads(int count, const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(GroupSync, OneThreadSyncsForEachOfItsCommits) {
  CountedLog log(microseconds(10));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(log.Commit().ok());
  EXPECT_EQ(log.syncs(), 50);
  EXPECT_EQ(log.group.durable(), 50u);
}

TEST(GroupSync, WhatIsDurableByOtherMeansIsNoGroup) {
  CountedLog log(microseconds(10));
  // As when a store of 50 commits is opened.
  log.group.NoteDurable(50);
  EXPECT_EQ(log.group.largest_group(), 0u);
  log.group.NoteWritten(53);
  ASSERT_TRUE(log.group.Await(53).ok());
  EXPECT_EQ(log.group.largest_group(), 3u);
  log.group.NoteWritten(60);
  log.group.Pause();
  log.group.End(Status::Ok());
  EXPECT_EQ(log.group.durable(), 60u);
  EXPECT_EQ(log.group.largest_group(), 3u);
}

// Without a hold each of two threads finds the other's sync running, and syncs after it.
TEST(GroupSync, ThreadsThatCommitInTurnShareSyncs) {
  CountedLog log(milliseconds(1));
  InThreads(2, [&](int) {
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(log.Commit().ok());
  });
  EXPECT_LT(log.syncs(), 150);
  EXPECT_FALSE(log.too_early());
}

TEST(GroupSync, AThreadWhosePartnersHaveGoneIsNotHeldBackForEver) {
  CountedLog log(microseconds(200));
  InThreads(8, [&](int i) {
    for (int n = 0; n < (i == 0 ? 200 : 50); ++n) ASSERT_TRUE(log.Commit().ok());
  });
  EXPECT_EQ(log.group.durable(), 200u + 7 * 50);
  const int before = log.syncs();
  for (int n = 0; n < 10; ++n) ASSERT_TRUE(log.Commit().ok());
  EXPECT_EQ(log.syncs(), before + 10);
}

TEST(GroupSync, ManyThreadsAndNoLostWakeUp) {
  std::atomic<uint64_t> next{0}, synced{0};
  std::mutex order;
  GroupSync group([&](uint64_t version) {
    EXPECT_GT(version, synced.exchange(version));
    if (version % 4 == 0) std::this_thread::sleep_for(microseconds(20));
    return Status::Ok();
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        uint64_t version;
        {
          const std::lock_guard lock(order);
          version = ++next;
          group.NoteWritten(version);
        }
        if (t == 0 && i % 50 == 0) group.NoteDurable(version);
        ASSERT_TRUE(group.Await(version).ok());
        ASSERT_GE(group.durable(), version);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(group.durable(), next);
}

TEST(GroupSync, NothingAfterAFailureIsTried) {
  int syncs = 0;
  GroupSync group([&](uint64_t) {
    ++syncs;
    return syncs == 2 ? Status(StatusCode::kIo, "no") : Status::Ok();
  });
  group.NoteWritten(1);
  EXPECT_TRUE(group.Await(1).ok());
  group.NoteWritten(2);
  EXPECT_FALSE(group.Await(2).ok());
  group.NoteWritten(3);
  EXPECT_FALSE(group.Await(3).ok());
  EXPECT_TRUE(group.Await(1).ok());
  EXPECT_EQ(group.durable(), 1u);
  EXPECT_EQ(syncs, 2);
}

// Threads that come and go at any time: none waits for ever, none returns too early.
TEST(GroupSync, NoThreadIsLeftBehind) {
  for (int round = 0; round < 20; ++round) {
    CountedLog log(microseconds(50));
    InThreads(12, [&](int i) {
      std::minstd_rand random(100 * round + i);
      const int commits = 20 + 20 * (i % 5);
      for (int n = 0; n < commits; ++n) {
        if (random() % 4 == 0) std::this_thread::sleep_for(microseconds(random() % 400));
        ASSERT_TRUE(log.Commit().ok());
      }
    });
    EXPECT_FALSE(log.too_early());
  }
}

TEST(GroupSync, AFailedSyncReachesAllThatWait) {
  CountedLog log(microseconds(300));
  log.FailFrom(20);
  std::atomic<int> failures = 0;
  InThreads(8, [&](int) {
    while (log.Commit().ok()) {
    }
    ++failures;
  });
  EXPECT_EQ(failures, 8);
  // It is not repeated.
  EXPECT_FALSE(log.Commit().ok());
  EXPECT_EQ(log.syncs(), 20);
}

TEST(GroupSync, ThreadsThatWaitWhileTheStoreIsClosedLearnHowThatEnded) {
  for (const bool ends_well : {true, false}) {
    CountedLog log(microseconds(100));
    log.group.Pause();
    std::atomic<int> durable = 0;
    std::latch all(5);
    std::thread closer([&] {
      all.wait();
      std::this_thread::sleep_for(milliseconds(5));
      log.group.End(ends_well ? Status::Ok() : Status(StatusCode::kIo, "not closed"));
    });
    InThreads(5, [&](int) {
      all.count_down();
      if (log.Commit().ok()) ++durable;
    });
    closer.join();
    EXPECT_EQ(durable, ends_well ? 5 : 0);
    EXPECT_EQ(log.syncs(), 0);
  }
}

TEST(GroupSync, CommitsThatBecameDurableByOtherMeansNeedNoSync) {
  CountedLog log(microseconds(100));
  log.group.Pause();
  std::latch written(3);
  std::thread other([&] {
    written.wait();
    while (log.group.durable() < 3) {
      log.group.NoteDurable(3);
      std::this_thread::yield();
    }
  });
  InThreads(3, [&](int) {
    written.count_down();
    EXPECT_TRUE(log.Commit().ok());
  });
  other.join();
  EXPECT_EQ(log.syncs(), 0);
}

}  // namespace
}  // namespace tenure::store
