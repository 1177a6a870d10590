// The queue of threads that wait for a transaction to end, without a session.
#include "runtime/threads/transaction_turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <thread>
#include <vector>

#include "base/shared_processor.h"

namespace tenure::runtime::test {
namespace {

using namespace std::chrono_literals;
using Place = TransactionTurns::Place;
using Event = Place::Event;
using Holder = TransactionTurns::Holder;

constexpr TransactionTurns::Limits kShort{.tell_after = 50ms, .abandoned_after = 50ms};
constexpr TransactionTurns::Limits kLong{.tell_after = 1h, .abandoned_after = 1h};

TEST(TransactionTurns, WhoComesFirstIsServedFirst) {
  TransactionTurns turns(kLong);
  turns.Began(1);
  constexpr int kThreads = 50;
  std::deque<Place> places;
  for (int i = 0; i < kThreads; ++i) {
    places.emplace_back(turns).Enter();
    EXPECT_EQ(places.back().IsFirst(), i == 0);
  }
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  // The threads begin to wait in any order.
  for (int i = kThreads - 1; i >= 0; --i) {
    threads.emplace_back([&, i] {
      Holder holder;
      EXPECT_EQ(places[static_cast<size_t>(i)].Await(&holder), Event::kLook);
      EXPECT_EQ(served++, i);
      places[static_cast<size_t>(i)].Leave();
      turns.Ended();
    });
  }
  turns.Ended();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, kThreads);
}

TEST(TransactionTurns, ATransactionThatNobodyWorksInIsFoundAbandoned) {
  TransactionTurns turns({.tell_after = 1h, .abandoned_after = 50ms});
  turns.Began(7);
  turns.WorkerCame(7);
  turns.WorkerLeft(7);
  Place first(turns), second(turns);
  first.Enter();
  second.Enter();
  std::atomic<bool> left = false;
  std::thread worker([&] {
    std::this_thread::sleep_for(50ms);
    left = true;
    turns.WorkerLeft(6);  // that is over
    turns.WorkerLeft(7);
  });
  Holder holder;
  EXPECT_EQ(first.Await(&holder), Event::kLook);
  EXPECT_TRUE(left);
  EXPECT_EQ(first.Await(&holder), Event::kAbandoned);
  EXPECT_EQ(holder.transaction, 7u);
  worker.join();
  first.Leave();
  // The next thread need not wait as long again.
  EXPECT_EQ(second.Await(&holder), Event::kAbandoned);
  // A thread joins: the transaction has an owner again.
  turns.WorkerCame(7);
  std::thread end([&] {
    std::this_thread::sleep_for(100ms);
    turns.Ended();
  });
  EXPECT_EQ(second.Await(&holder), Event::kLook);
  end.join();
}

TEST(TransactionTurns, ALongWaitIsToldOnceForATransaction) {
  TransactionTurns turns({.tell_after = 50ms, .abandoned_after = 1h});
  turns.Began(1);
  Place first(turns), second(turns);
  first.Enter();
  second.Enter();
  Holder holder;
  const auto start = TransactionTurns::Clock::now();
  EXPECT_EQ(first.Await(&holder), Event::kTell);
  EXPECT_GE(TransactionTurns::Clock::now() - start, 50ms);
  EXPECT_EQ(holder.transaction, 1u);
  EXPECT_NE(holder.Text().find("began it 0 s ago"), std::string::npos) << holder.Text();
  std::thread end([&] {
    std::this_thread::sleep_for(200ms);
    turns.Ended();
  });
  EXPECT_EQ(first.Await(&holder), Event::kLook);
  end.join();
  turns.Began(2);
  first.Leave();
  EXPECT_EQ(second.Await(&holder), Event::kTell);
  EXPECT_EQ(holder.transaction, 2u);
}

TEST(TransactionTurns, WhoeverGivesUpItsPlacePassesTheTurnOn) {
  TransactionTurns turns(kShort);
  Place second(turns);
  {
    Place first(turns);
    first.Enter();
    second.Enter();
    EXPECT_FALSE(second.IsFirst());
  }
  EXPECT_TRUE(second.IsFirst());
  Holder holder;
  EXPECT_EQ(second.Await(&holder), Event::kLook);
}

TEST(TransactionTurns, ReadersHaveTheirTurnTogetherUnlessAWriterCameBetween) {
  TransactionTurns turns(kLong);
  turns.Began(1);
  std::deque<Place> places;
  // Two readers, a writer, two readers.
  for (const bool reads : {true, true, false, true, true})
    places.emplace_back(turns, reads).Enter();
  const auto first = [&](size_t i) { return places[i].IsFirst(); };
  EXPECT_TRUE(first(0) && first(1));
  EXPECT_FALSE(first(2) || first(3) || first(4));
  Place late(turns, /*read_only=*/true);
  EXPECT_FALSE(late.IsFirst());
  turns.Ended();
  Holder holder;
  // Both were woken, the second one first.
  EXPECT_EQ(places[1].Await(&holder), Event::kLook);
  EXPECT_EQ(places[0].Await(&holder), Event::kLook);
  turns.Began(2, /*read_only=*/true);
  places[1].Leave();
  EXPECT_FALSE(first(2));
  turns.Began(3, /*read_only=*/true);
  places[0].Leave();
  EXPECT_TRUE(first(2));
  EXPECT_FALSE(first(3));
  EXPECT_EQ(turns.ReaderEnded(2), 1u);
  EXPECT_EQ(turns.ReaderEnded(2), 0u);
  EXPECT_EQ(turns.ReaderEnded(3), 1u);
  turns.Ended();
  EXPECT_EQ(places[2].Await(&holder), Event::kLook);
  places[2].Leave();
  EXPECT_TRUE(first(3) && first(4) && late.IsFirst());
}

TEST(TransactionTurns, AReaderInWhichNobodyWorksIsFoundAmongOthers) {
  TransactionTurns turns({.tell_after = 1h, .abandoned_after = 50ms});
  turns.Began(1);
  turns.WorkerLeft(1);  // and has ended
  turns.Began(2, /*read_only=*/true);
  turns.Began(3, /*read_only=*/true);
  turns.WorkerCame(3);
  Place writer(turns);
  writer.Enter();
  turns.WorkerLeft(3);
  turns.WorkerLeft(3);
  Holder holder;
  EXPECT_EQ(writer.Await(&holder), Event::kLook);
  EXPECT_EQ(writer.Await(&holder), Event::kAbandoned);
  EXPECT_EQ(holder.transaction, 3u);
}

// Threads that take `count` turns each, with `other_work` between two turns, or fewer once all have
// been on the shared processor; how many have been there.
int CountMembers(TransactionTurns& turns, bool read_only, std::chrono::microseconds other_work,
                 int count) {
  constexpr int kThreads = 5;
  const auto work_for = [](std::chrono::microseconds time) {
    const auto end = TransactionTurns::Clock::now() + time;
    while (TransactionTurns::Clock::now() < end) continue;
  };
  std::atomic<bool> is_open = false;
  std::atomic<uint64_t> last = 0;
  std::atomic<int> members = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      bool was_member = false;
      for (int turn = 0; turn < count && members < kThreads; ++turn) {
        Place place(turns, read_only);
        place.Enter();
        if (!was_member && SharedProcessor::IsMember()) {
          was_member = true;
          ++members;
        }
        Holder holder;
        while (!place.IsFirst() || is_open.exchange(true)) place.Await(&holder);
        turns.Began(++last, read_only);
        place.Leave();
        work_for(20us);
        if (read_only) turns.ReaderEnded(last);
        is_open = false;
        turns.Ended();
        TransactionTurns::NoteReturn();
        work_for(other_work);
      }
      SharedProcessor::LeaveHere();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return members;
}

TEST(TransactionTurns, ThreadsThatDoLittleElseHaveTheirTurnsOnOneProcessor) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  TransactionTurns turns(kLong);
  EXPECT_GT(CountMembers(turns, /*read_only=*/false, 0us, 100000), 1);
}

TEST(TransactionTurns, AThreadOnTheSharedProcessorKeepsItsTurnForAShortTime) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  TransactionTurns turns(kLong);
  Place waiting(turns);
  waiting.Enter();
  Place again(turns);
  uint64_t transaction = 0;
  // Whether it does at once; the test may lose the processor in between.
  const auto keeps = [&] {
    for (int i = 0; i < 100; ++i) {
      turns.Began(++transaction);
      if (again.IsFirst()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  };
  EXPECT_FALSE(keeps());
  // Nobody joins during a pause, which an earlier test may have begun.
  for (int i = 0; i < 1000 && !SharedProcessor::IsMember(); ++i) {
    SharedProcessor::OfProcess().Join();
    std::this_thread::sleep_for(1ms);
  }
  ASSERT_TRUE(SharedProcessor::IsMember());
  EXPECT_TRUE(keeps());
  std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(again.IsFirst());
  SharedProcessor::LeaveHere();
  EXPECT_FALSE(keeps());
}

TEST(TransactionTurns, ThreadsWithOtherWorkStayWhereTheyAre) {
  TransactionTurns turns(kLong);
  EXPECT_EQ(CountMembers(turns, /*read_only=*/false, 2000us, 150), 0);
}

TEST(TransactionTurns, ReadersStayWhereTheyAre) {
  TransactionTurns turns(kLong);
  EXPECT_EQ(CountMembers(turns, /*read_only=*/true, 0us, 400), 0);
}

}  // namespace
}  // namespace tenure::runtime::test
