// The queue of a leader's log: how many appends the commits of several programs take.

#include "store/cluster/log_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace tenure::store {
namespace {

using std::chrono::milliseconds;

const Status kUnused(StatusCode::kNotSupported, "not of this test");

// Every append takes a while, as one that several machines have to write.
class SlowLog final : public Engine {
 public:
  explicit SlowLog(milliseconds append) : append_(append) {}

  Result<std::vector<std::string>> Stores() override { return kUnused; }
  Status CreateStore(std::string_view) override { return kUnused; }
  Result<Uuid> FindStore(std::string_view) override { return kUnused; }
  Result<NodeId> EnterNode(std::string_view, std::string_view, std::string_view) override {
    return kUnused;
  }
  Result<bool> Beat(const NodeId&, uint64_t) override { return kUnused; }
  Result<std::vector<NodeRow>> Nodes() override { return kUnused; }
  Result<bool> TakeNode(const NodeRow&) override { return kUnused; }
  Result<NodeId> LeaderOf(const Uuid&) override { return kUnused; }
  Result<Attachment> Attach(const Uuid&, const NodeId&, const NodeId*) override { return kUnused; }
  AppendAnswer Append(const Uuid&, uint64_t, uint64_t last,
                      std::span<const LogRecord> records) override {
    if (last != appended_.fetch_add(records.size())) {
      return {AppendOutcome::kFenced, Status(StatusCode::kConflict, "not behind the last record")};
    }
    std::this_thread::sleep_for(append_);
    return {AppendOutcome::kDurable, Status::Ok()};
  }
  Result<StoreContents> Load(const Uuid&, uint64_t) override { return kUnused; }
  Status ReadPages(const Uuid&, const Uuid&, std::span<const PageId>,
                   std::span<PageReply>) override {
    return kUnused;
  }
  Result<uint64_t> CountPages(const Uuid&, const Uuid&) override { return kUnused; }
  Status Apply(const Uuid&, uint64_t, const ApplyBatch&) override { return kUnused; }

  uint64_t appended() const { return appended_; }

 private:
  const milliseconds append_;
  std::atomic<uint64_t> appended_{0};
};

LogRecord Commit() { return {.kind = RecordKind::kCommit, .id = {}, .body = "a"}; }

// Programs that begin one after the other, half an append apart, and commit without a pause.
uint64_t AppendsOf(int programs, int commits) {
  constexpr milliseconds kAppend(16);
  SlowLog log(kAppend);
  LogQueue queue(log, Uuid(), 1, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < programs; ++i) {
    threads.emplace_back([&] {
      for (int c = 0; c < commits; ++c) {
        const Status status = queue.AwaitDurable(queue.Put(Commit()));
        ASSERT_TRUE(status.ok()) << status.text();
      }
    });
    std::this_thread::sleep_for(kAppend / 2);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(log.appended(), static_cast<uint64_t>(programs) * static_cast<uint64_t>(commits));
  EXPECT_EQ(queue.durable(), log.appended());
  EXPECT_LE(queue.largest_group(), static_cast<uint64_t>(programs));
  return queue.appends();
}

// Without waiting for each other they take turns: twice as many appends.
TEST(LogQueue, ProgramsThatCommitWithoutAPauseShareTheirAppends) {
  constexpr int kCommits = 25;
  EXPECT_EQ(AppendsOf(1, kCommits), kCommits);
  EXPECT_LE(AppendsOf(2, kCommits), kCommits * 3 / 2);
  EXPECT_LE(AppendsOf(4, kCommits), kCommits * 3 / 2);
}

TEST(LogQueue, WhatCannotWaitIsAppendedAtOnce) {
  SlowLog log(milliseconds(5));
  LogQueue queue(log, Uuid(), 1, 0);
  // Two programs, so that the queue expects two commits.
  std::thread other([&] { EXPECT_TRUE(queue.AwaitDurable(queue.Put(Commit())).ok()); });
  EXPECT_TRUE(queue.AwaitDurable(queue.Put(Commit())).ok());
  other.join();
  for (int i = 0; i < 50; ++i) {
    const uint64_t position = queue.Put(Commit());
    EXPECT_TRUE(queue.AwaitDurable(position, /*at_once=*/true).ok());
    EXPECT_EQ(queue.durable(), position);
  }
}

}  // namespace
}  // namespace tenure::store
