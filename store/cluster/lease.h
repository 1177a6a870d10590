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
//
// A beat that was seen had begun before. If its number is still the last one when the node's place
// is taken, no later beat was answered. So the node's lease began before the beat was seen first,
// through whichever connection, and whatever the engine has lost since.
class BeatWatch {
 public:
  // `rank`: how many other nodes should take that one's place rather than this node.
  BeatWatch(LeaseTime lease_length, uint32_t rank)
      : lease_(LeaseTime(
            static_cast<int64_t>(static_cast<double>(lease_length.count()) * kRateTolerance))),
        patience_(lease_ + rank * kStagger),
        grace_(lease_length / 2) {}

  // Notes a row that the engine returned at `now` through the connection of this number.
  void Saw(const NodeRow& row, uint64_t connection, LeaseTime now);
  // Whether the caller may call Engine::TakeNode with seen(): the node's last beat is at least the
  // patience old, so the node has stopped answering for its stores. While the engine was away no
  // node could beat: after a new connection nodes get a while to do so.
  bool Silent(LeaseTime now) const {
    return watching_ && now - since_ >= patience_ && now - connected_ >= grace_;
  }
  // Whether the node has not beaten for a while: it may be silent soon.
  bool Late(LeaseTime now) const { return watching_ && now - since_ >= lease_ / 2; }
  const NodeRow& seen() const { return seen_; }
  // Whether a beat of the node's present life has come while this node watched. Rows of a group
  // that was restored from a backup name nodes that live elsewhere, and beat there.
  bool heard() const { return heard_; }
  // The latest life of the node that is known to have stopped answering: its last beat had been
  // seen for a lease when another node, or a new process, took the place. 0: none.
  uint64_t silent_epoch() const { return silent_epoch_; }
  // Whether nobody has beaten in the place since then.
  bool vacant() const { return vacant_; }

 private:
  static constexpr LeaseTime kStagger = std::chrono::milliseconds(100);

  const LeaseTime lease_, patience_, grace_;
  bool watching_ = false;
  bool heard_ = false;
  NodeRow seen_;
  uint64_t connection_ = 0;
  uint64_t silent_epoch_ = 0;
  bool vacant_ = false;
  LeaseTime since_{}, connected_{};
};

}  // namespace tenure::store
