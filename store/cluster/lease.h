// How long a node may answer for the stores that it leads without asking the engine, and when
// another node may take its place. docs/models/lease.pml is the model.
//
// Times are of a clock that goes on while the machine or the process sleeps, such as
// CLOCK_BOOTTIME. Clocks of different machines need not agree, but their rates must, within
// kRateTolerance.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "store/cluster/engine.h"

namespace tenure::store {

using LeaseTime = std::chrono::nanoseconds;  // since some moment, of one machine's clock

inline constexpr double kRateTolerance = 1.05;

// The time of this machine's clock, which counts while the machine sleeps.
LeaseTime LeaseNow();

// A node's lease for all its stores. Any thread.
class Lease {
 public:
  explicit Lease(LeaseTime length) : length_(length) {}

  // The engine has answered a beat that was sent at this time. Answers may come in any order.
  void Answered(LeaseTime sent);
  // Another node has this node's place: nothing makes the lease valid again.
  void Ended();

  bool ValidAt(LeaseTime now) const { return now.count() < end_.load(std::memory_order_acquire); }
  // The time until the lease ends; zero if it has ended.
  LeaseTime Left(LeaseTime now) const;
  LeaseTime length() const { return length_; }

 private:
  const LeaseTime length_;
  std::atomic<int64_t> end_{0};  // of LeaseTime; negative: it has ended for ever
};

// A node's knowledge of another node's beats. One thread at a time.
class BeatWatch {
 public:
  // `rank`: how many other nodes should take that one's place rather than this node.
  BeatWatch(LeaseTime lease_length, uint32_t rank)
      : patience_(LeaseTime(static_cast<int64_t>(static_cast<double>(lease_length.count()) *
                                                 kRateTolerance)) +
                  rank * kStagger) {}

  // Notes a row that the engine returned at `now` through the connection of this number. A row from
  // another connection may come from a machine that was the primary before.
  void Saw(const NodeRow& row, uint64_t connection, LeaseTime now);
  // Whether the node's last beat is at least the patience old: then the node has stopped answering
  // for its stores, and the caller may call Engine::TakeNode with seen().
  bool Silent(LeaseTime now) const { return watching_ && now - since_ >= patience_; }
  const NodeRow& seen() const { return seen_; }

 private:
  static constexpr LeaseTime kStagger = std::chrono::milliseconds(500);

  const LeaseTime patience_;
  bool watching_ = false;
  NodeRow seen_;
  uint64_t connection_ = 0;
  LeaseTime since_{};
};

}  // namespace tenure::store
