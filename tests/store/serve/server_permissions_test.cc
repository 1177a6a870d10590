#include "store/serve/server_permissions.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "store/remote/server_protocol.h"

namespace tenure::store {
namespace {

using Key = Permissions::Key;

constexpr Key kPage{1, 7}, kOther{1, 8};

// A client that answers callbacks as its test wants, at once, from a thread of its own.
class Client final : public PermissionClient {
 public:
  enum class Answers { kNothing, kBusy, kRelease };
  explicit Client(Permissions& permissions, Answers answers = Answers::kBusy)
      : permissions_(permissions), answers_(answers) {}
  ~Client() override {
    permissions_.Stop(*this);
    for (std::thread& thread : threads_) thread.join();
    permissions_.Forget(*this);
  }
  bool SendCallback(uint32_t database, uint64_t page, bool to_read) override {
    ++callbacks;
    if (cannot_be_told) return false;
    if (answers_ == Answers::kNothing) return true;
    threads_.emplace_back([this, key = Key(database, page), to_read] {
      if (answers_ == Answers::kBusy) {
        permissions_.Busy(*this, key);
      } else {
        permissions_.Release(*this, key, to_read);
      }
    });
    return true;
  }
  void CutOff() override { cut_off = true; }

  std::atomic<int> callbacks = 0;
  std::atomic<bool> cannot_be_told = false;
  bool cut_off = false;

 private:
  Permissions& permissions_;
  const Answers answers_;
  std::vector<std::thread> threads_;
};

TEST(Permissions, ManyReadOneWrites) {
  Permissions permissions;
  Client a(permissions, Client::Answers::kRelease), b(permissions, Client::Answers::kRelease);
  EXPECT_TRUE(permissions.Acquire(a, 1, kPage, false).ok());
  EXPECT_TRUE(permissions.Acquire(b, 1, kPage, false).ok());
  EXPECT_EQ(a.callbacks + b.callbacks, 0);
  EXPECT_TRUE(permissions.Acquire(a, 1, kPage, true).ok());
  EXPECT_EQ(b.callbacks, 1);
  EXPECT_TRUE(permissions.HasWrite(a, kPage));
  EXPECT_FALSE(permissions.TryAcquire(b, kPage));
  EXPECT_TRUE(permissions.Acquire(b, 2, kPage, false).ok());
  // The writer still reads.
  EXPECT_FALSE(permissions.HasWrite(a, kPage));
  EXPECT_TRUE(permissions.TryAcquire(a, kPage));
}

TEST(Permissions, AWriterWaitsForTheEndOfATransaction) {
  Permissions permissions;
  Client reader(permissions), writer(permissions);
  ASSERT_TRUE(permissions.Acquire(reader, 1, kPage, false).ok());
  bool had = false;
  std::thread thread([&] { had = permissions.Acquire(writer, 1, kPage, true).ok(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(permissions.HasWrite(writer, kPage));
  permissions.Release(reader, kPage, /*keep_read=*/false);
  thread.join();
  EXPECT_TRUE(had);
}

TEST(Permissions, WhoCouldNotBeToldIsToldSoonWithoutAnyoneElse) {
  Permissions permissions;
  Client holder(permissions, Client::Answers::kRelease), writer(permissions);
  ASSERT_TRUE(permissions.Acquire(holder, 1, kPage, true).ok());
  holder.cannot_be_told = true;
  std::thread thread([&] { EXPECT_TRUE(permissions.Acquire(writer, 1, kPage, true).ok()); });
  while (holder.callbacks < 3) std::this_thread::yield();
  holder.cannot_be_told = false;
  thread.join();
  EXPECT_TRUE(permissions.HasWrite(writer, kPage));
}

TEST(Permissions, WhatHappensToOnePageConcernsNobodyWhoWaitsForAnother) {
  Permissions permissions;
  Client holder(permissions), writer(permissions), other(permissions);
  ASSERT_TRUE(permissions.Acquire(holder, 1, kPage, true).ok());
  holder.cannot_be_told = true;  // so that each look is a callback
  std::thread thread([&] { EXPECT_TRUE(permissions.Acquire(writer, 1, kPage, true).ok()); });
  while (holder.callbacks == 0) std::this_thread::yield();
  constexpr int kTimes = 20'000;
  for (int i = 0; i < kTimes; ++i) {
    ASSERT_TRUE(permissions.Acquire(other, i, kOther, true).ok());
    permissions.Release(other, kOther, /*keep_read=*/false);
  }
  EXPECT_LT(holder.callbacks, kTimes / 100);
  permissions.Release(holder, kPage, /*keep_read=*/false);
  thread.join();
}

TEST(Permissions, OfTwoThatUpgradeTheYoungerIsTheVictim) {
  Permissions permissions;
  Client older(permissions), younger(permissions);
  ASSERT_TRUE(permissions.Acquire(older, 1, kPage, false).ok());
  ASSERT_TRUE(permissions.Acquire(younger, 1, kPage, false).ok());
  Status of_older;
  std::thread thread([&] { of_older = permissions.Acquire(older, 1, kPage, true); });
  EXPECT_EQ(permissions.Acquire(younger, 1, kPage, true).code(), StatusCode::kConflict);
  permissions.Release(younger, kPage, /*keep_read=*/false);
  thread.join();
  EXPECT_TRUE(of_older.ok());
}

TEST(Permissions, WhoGivesWayIsTheVictimAlsoWhenItIsTheOldest) {
  Permissions permissions;
  Client looker(permissions), program(permissions);
  const WaitManner gives_way{.gives_way = true};
  ASSERT_TRUE(permissions.Acquire(looker, 1, kPage, false, gives_way).ok());
  ASSERT_TRUE(permissions.Acquire(program, 1, kOther, true).ok());
  Status of_looker;
  std::thread thread([&] {
    of_looker = permissions.Acquire(looker, 1, kOther, false, gives_way);
    if (!of_looker.ok()) permissions.Forget(looker, 1);
  });
  const Status of_program = permissions.Acquire(program, 1, kPage, true);
  if (!of_program.ok()) permissions.Forget(program, 1);
  thread.join();
  EXPECT_TRUE(of_program.ok());
  EXPECT_EQ(of_looker.code(), StatusCode::kConflict);
}

TEST(Permissions, ACycleOverTwoPagesHasAVictim) {
  Permissions permissions;
  Client a(permissions), b(permissions);
  ASSERT_TRUE(permissions.Acquire(a, 1, kPage, true).ok());
  ASSERT_TRUE(permissions.Acquire(b, 1, kOther, true).ok());
  Status of_a;
  std::thread thread([&] {
    of_a = permissions.Acquire(a, 1, kOther, true);
    if (!of_a.ok()) permissions.Forget(a, 1);
  });
  const Status of_b = permissions.Acquire(b, 1, kPage, true);
  if (!of_b.ok()) permissions.Forget(b, 1);
  thread.join();
  EXPECT_TRUE(of_a.ok());
  EXPECT_EQ(of_b.code(), StatusCode::kConflict);
}

TEST(Permissions, WhoUpgradesDoesNotWaitForThoseInTheQueue) {
  Permissions permissions;
  Client a(permissions), b(permissions), writer(permissions);
  ASSERT_TRUE(permissions.Acquire(a, 1, kPage, false).ok());
  ASSERT_TRUE(permissions.Acquire(b, 1, kPage, false).ok());
  Status of_writer, of_a;
  std::thread writes([&] { of_writer = permissions.Acquire(writer, 1, kPage, true); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  // The writer waits for it; it waits for b only.
  std::thread upgrades([&] { of_a = permissions.Acquire(a, 1, kPage, true); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  permissions.Release(b, kPage, /*keep_read=*/false);
  upgrades.join();
  EXPECT_TRUE(of_a.ok());
  permissions.Release(a, kPage, /*keep_read=*/false);
  writes.join();
  EXPECT_TRUE(of_writer.ok());
}

TEST(Permissions, ATransactionThatIsTriedAgainIsAsOldAsBefore) {
  Permissions permissions;
  Client again(permissions), other(permissions);
  ASSERT_TRUE(permissions.Acquire(again, 1, kPage, true).ok());
  permissions.KeepAge(again);  // as if its commit was refused
  permissions.Forget(again, 1);
  ASSERT_TRUE(permissions.Acquire(other, 1, kOther, true).ok());
  ASSERT_TRUE(permissions.Acquire(again, 2, kPage, true).ok());
  Status of_other;
  std::thread thread([&] {
    of_other = permissions.Acquire(other, 1, kPage, true);
    if (!of_other.ok()) permissions.Forget(other, 1);
  });
  const Status of_again = permissions.Acquire(again, 2, kOther, true);
  if (!of_again.ok()) permissions.Forget(again, 1);
  thread.join();
  EXPECT_TRUE(of_again.ok());
  EXPECT_EQ(of_other.code(), StatusCode::kConflict);
}

TEST(Permissions, WhatIsTransferredOnlyTheOtherMayWrite) {
  Permissions permissions;
  Client one(permissions), two(permissions);
  ASSERT_TRUE(permissions.Acquire(one, 1, kPage, true).ok());
  ASSERT_TRUE(permissions.Acquire(one, 1, kOther, false).ok());
  EXPECT_TRUE(permissions.Transfer(one, two, kPage));
  EXPECT_FALSE(permissions.Has(one, kPage));
  EXPECT_TRUE(permissions.HasWrite(two, kPage));
  EXPECT_FALSE(permissions.Transfer(one, two, kPage));
  EXPECT_FALSE(permissions.Transfer(one, two, kOther));  // it may not write it
}

TEST(Permissions, WhoIsGoneHoldsNothing) {
  Permissions permissions;
  Client waiter(permissions);
  {
    Client dead(permissions, Client::Answers::kNothing);
    ASSERT_TRUE(permissions.Acquire(dead, 1, kPage, true).ok());
    EXPECT_FALSE(permissions.TryAcquire(waiter, kPage));
  }
  EXPECT_TRUE(permissions.TryAcquire(waiter, kPage));
}

TEST(Permissions, WhoDoesNotAnswerIsCutOff) {
  Permissions permissions;
  Client silent(permissions, Client::Answers::kNothing), waiter(permissions);
  ASSERT_TRUE(permissions.Acquire(silent, 1, kPage, true).ok());
  Status status;
  std::thread thread([&] { status = permissions.Acquire(waiter, 1, kPage, false); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2 * kAnswerSeconds);
  while (!silent.cut_off && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(silent.cut_off);
  permissions.Forget(silent);  // as its connection's thread does
  thread.join();
  EXPECT_TRUE(status.ok());
}

// --- who holds and who waits

TEST(Permissions, CountsThePagesOfAClient) {
  Permissions permissions;
  Client a(permissions, Client::Answers::kRelease), b(permissions, Client::Answers::kRelease);
  using Pages = std::pair<uint64_t, uint64_t>;
  ASSERT_TRUE(permissions.Acquire(a, 1, {1, 0}, true).ok());  // the root is not a page
  ASSERT_TRUE(permissions.AcquireMore(a, {1, Permissions::kTables}).ok());
  EXPECT_EQ(permissions.PagesOf(a), Pages(0, 0));
  ASSERT_TRUE(permissions.Acquire(a, 1, kPage, false).ok());
  ASSERT_TRUE(permissions.TryAcquire(a, kOther));
  EXPECT_EQ(permissions.PagesOf(a), Pages(2, 0));
  ASSERT_TRUE(permissions.Acquire(a, 1, kPage, true).ok());
  permissions.GrantWrite(a, {2, 1});
  EXPECT_EQ(permissions.PagesOf(a), Pages(1, 2));
  ASSERT_TRUE(permissions.Acquire(b, 1, kPage, false).ok());  // a keeps it for reading
  EXPECT_EQ(permissions.PagesOf(a), Pages(2, 1));
  EXPECT_EQ(permissions.PagesOf(b), Pages(1, 0));
  ASSERT_TRUE(permissions.Transfer(a, b, {2, 1}));
  EXPECT_EQ(permissions.PagesOf(a), Pages(2, 0));
  EXPECT_EQ(permissions.PagesOf(b), Pages(1, 1));
  permissions.Release(a, kOther, /*keep_read=*/false);
  EXPECT_EQ(permissions.PagesOf(a), Pages(1, 0));
  permissions.Forget(b, 2);
  EXPECT_EQ(permissions.PagesOf(b), Pages(1, 0));
  permissions.Forget(b);
  EXPECT_EQ(permissions.PagesOf(b), Pages(0, 0));
}

TEST(Permissions, TellsWhoWaitsAndWhyAndSaysItOnceWhenThatTakesLong) {
  Permissions permissions;
  std::atomic<int> said{0};
  Permissions::Wait last;
  permissions.OnLongWait(std::chrono::milliseconds(100), [&](const Permissions::Wait& wait) {
    last = wait;
    ++said;
  });
  Client reader(permissions), first(permissions), second(permissions);
  ASSERT_TRUE(permissions.Acquire(reader, 1, kPage, false).ok());
  EXPECT_TRUE(permissions.Waits().empty());
  std::thread one([&] { EXPECT_TRUE(permissions.Acquire(first, 1, kPage, true).ok()); });
  while (permissions.Waits().empty()) std::this_thread::yield();
  std::thread two([&] { EXPECT_FALSE(permissions.Acquire(second, 1, kPage, false).ok()); });
  while (permissions.Waits().size() < 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  EXPECT_EQ(said, 2);
  std::vector<Permissions::Wait> waits = permissions.Waits();
  ASSERT_EQ(waits.size(), 2u);
  if (!waits[0].write) std::swap(waits[0], waits[1]);
  EXPECT_EQ(waits[0].key, kPage);
  ASSERT_EQ(waits[0].holders.size(), 1u);
  EXPECT_TRUE(waits[0].holders[0].busy);
  ASSERT_TRUE(waits[0].holders[0].asked.has_value());
  EXPECT_LE(waits[0].holders[0].since, *waits[0].holders[0].asked);
  EXPECT_TRUE(waits[0].before.empty());
  // It wants to read what the reader reads; only the writer before it is in the way.
  EXPECT_TRUE(waits[1].holders.empty());
  EXPECT_EQ(waits[1].before.size(), 1u);
  permissions.Stop(second);
  two.join();
  permissions.Release(reader, kPage, /*keep_read=*/false);
  one.join();
  EXPECT_TRUE(permissions.Waits().empty());
  EXPECT_EQ(said, 2);
}

}  // namespace
}  // namespace tenure::store
