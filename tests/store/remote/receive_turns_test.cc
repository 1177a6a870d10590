#include "store/remote/receive_turns.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace tenure::store {
namespace {

using std::chrono::milliseconds;

// A socket with a thread that receives bytes in the background.
class ReceiveTurnsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_), 0);
    ASSERT_TRUE(turns_.Open(sockets_[0]));
    background_ = std::thread([this] {
      while (true) {
        turns_.AwaitInBackground();
        const MutexLock turn(turns_.turn(), std::adopt_lock);
        if (!Receive()) return;
        ++heard_;
      }
    });
  }
  void TearDown() override {
    shutdown(sockets_[0], SHUT_RDWR);
    background_.join();
    close(sockets_[0]);
    close(sockets_[1]);
  }
  void Send() { ASSERT_EQ(write(sockets_[1], "x", 1), 1); }
  bool Receive() {
    char byte;
    return recv(sockets_[0], &byte, 1, 0) == 1;
  }
  bool HearsSoon(int count) {
    for (int i = 0; i < 400 && heard_ < count; ++i) std::this_thread::sleep_for(milliseconds(5));
    return heard_ == count;
  }

  int sockets_[2];
  ReceiveTurns turns_;
  std::atomic<int> heard_{0};
  std::thread background_;
};

TEST_F(ReceiveTurnsTest, TheBackgroundThreadReceivesWhileNobodyHasTheTurn) {
  Send();
  EXPECT_TRUE(HearsSoon(1));
  Send();
  EXPECT_TRUE(HearsSoon(2));
}

TEST_F(ReceiveTurnsTest, AThreadThatHasTheTurnReceives) {
  ReceiveTurns::Turn turn(turns_);
  ASSERT_TRUE(turn.TryTake());
  EXPECT_FALSE(turn.Await(milliseconds(0)));
  Send();
  EXPECT_TRUE(turn.Await(milliseconds(1000)));
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(heard_, 0);
  EXPECT_TRUE(Receive());
  turn.Leave();
  Send();
  EXPECT_TRUE(HearsSoon(1));
}

TEST_F(ReceiveTurnsTest, WhatCameDuringATurnIsHeardAfterIt) {
  {
    ReceiveTurns::Turn turn(turns_);
    turn.Take();
    Send();
    Send();
    EXPECT_TRUE(Receive());
  }
  EXPECT_TRUE(HearsSoon(1));
}

TEST_F(ReceiveTurnsTest, OneThreadHasTheTurn) {
  ReceiveTurns::Turn turn(turns_);
  turn.Take();
  std::thread([&] {
    ReceiveTurns::Turn other(turns_);
    EXPECT_FALSE(other.TryTake());
  }).join();
  turn.Leave();
  std::thread([&] {
    ReceiveTurns::Turn other(turns_);
    EXPECT_TRUE(other.TryTake());
  }).join();
}

// Threads and the background thread receive each byte once, and none stays.
TEST_F(ReceiveTurnsTest, EachMessageIsReceivedOnce) {
  constexpr int kSent = 20000;
  std::atomic<int> received{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        ReceiveTurns::Turn turn(turns_);
        if (turn.TryTake() && turn.Await(milliseconds(1)) && Receive()) ++received;
        turn.Leave();
        std::this_thread::yield();
      }
    });
  }
  for (int i = 0; i < kSent; ++i) Send();
  for (int i = 0; i < 2000 && received + heard_ < kSent; ++i) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(received + heard_, kSent);
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ReceiveTurnsTest, TheEndWaitsForThreadsThatMayTakeTurns) {
  ASSERT_TRUE(turns_.Join());
  std::atomic<bool> parted{false};
  std::thread member([&] {
    std::this_thread::sleep_for(milliseconds(50));
    parted = true;
    turns_.Part();
  });
  turns_.End();
  EXPECT_TRUE(parted);
  EXPECT_FALSE(turns_.Join());
  member.join();
}

}  // namespace
}  // namespace tenure::store
