// Lets one sync of a log serve all commits that were written before it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>

#include "base/mutex.h"
#include "base/result.h"

namespace tenure::store {

// Commits have versions, which rise by one in the order in which they are written to the log. A
// thread that waits while no sync is running syncs for all commits that are written by then.
// Commits that are written meanwhile form the next group, and that thread wakes one of the threads
// that wait for this group, which syncs for it.
//
// A sync costs the processor and the disk the same for many commits as for one. So while fewer
// threads wait than lately, one of them holds the sync back for the others, as long as they keep
// coming and at most for kLongestHold. Any thread.
class GroupSync {
 public:
  // `sync` makes the commits up to the version that it gets durable. Only one thread at a time
  // calls it, without any lock.
  explicit GroupSync(std::function<Status(uint64_t version)> sync) : sync_(std::move(sync)) {}
  GroupSync(const GroupSync&) = delete;
  GroupSync& operator=(const GroupSync&) = delete;

  static constexpr std::chrono::microseconds kLongestHold{2000};

  // The commit with this version, the highest so far, is written.
  void NoteWritten(uint64_t version) { written_.store(version, std::memory_order_release); }
  // Commits up to this version, which are written, are durable by other means than `sync`.
  void NoteDurable(uint64_t version);

  // Waits until the commits up to `version`, which are written, are durable. Not ok: a sync has
  // failed, or End was called with a failure, before they were.
  Status Await(uint64_t version);
  // Commits up to this version are durable.
  uint64_t durable() const { return durable_.load(std::memory_order_acquire); }

  // Waits for the end of a sync that is running. No sync begins afterwards; threads that wait go on
  // waiting for End.
  void Pause();
  // Called after Pause. Ok: all written commits are durable. Otherwise no thread will learn whether
  // the commits that were not durable yet ever become durable.
  void End(Status status);

  // The most commits that one call of `sync` made durable.
  uint64_t largest_group() const { return largest_group_.load(std::memory_order_relaxed); }

 private:
  // Threads that wait for the same sync.
  struct Group {
    std::atomic<uint32_t> word{0};  // changes when the threads must look again
    std::atomic<uint32_t> waiting{0};
  };

  using Clock = std::chrono::steady_clock;

  // How long a thread holds a sync back.
  class Hold {
   public:
    // Beside this thread `waiting` others wait, and a sync takes `sync_time`. Returns when to look
    // again.
    timespec Next(uint32_t waiting, Clock::duration sync_time);
    // At that time: whether no other has come since, or kLongestHold has passed.
    bool IsOver(uint32_t waiting) const;

   private:
    uint32_t waiting_ = 0;
    Clock::time_point until_, longest_;
  };

  // Whether these are about as many as have waited at the same time lately.
  bool AreEnough(uint32_t threads) const TN_REQUIRES(mutex_) {
    return threads * 8 >= expected_ * 7;
  }
  void Lead(MutexLock& lock) TN_REQUIRES(mutex_);
  void RaiseDurable(uint64_t version);
  static void Wake(Group& group, int count);
  void WakeAll();

  const std::function<Status(uint64_t)> sync_;
  std::atomic<uint64_t> written_{0}, durable_{0}, largest_group_{0};

  // Held for some instructions only, never during a sync.
  Mutex mutex_;
  bool syncing_ TN_GUARDED_BY(mutex_) = false, paused_ TN_GUARDED_BY(mutex_) = false;
  uint64_t syncing_version_ TN_GUARDED_BY(mutex_) =
      0;  // up to which the sync that is running makes commits durable
  Status failure_ TN_GUARDED_BY(mutex_);
  // groups_[group_ % 2] is the group of the running sync, or of the last one; the other one is the
  // group that forms.
  uint64_t group_ TN_GUARDED_BY(mutex_) = 0;
  Group groups_[2];
  bool is_held_ TN_GUARDED_BY(mutex_) = false;  // a thread holds the next sync back
  uint32_t expected_ TN_GUARDED_BY(mutex_) =
      0;  // so many threads have waited at the same time lately
  Clock::duration sync_time_ TN_GUARDED_BY(mutex_){};  // of the last syncs, about
};

}  // namespace tenure::store
