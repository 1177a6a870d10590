// The end of a store's log, to which the leader appends: records get their positions in the order
// in which they are put, and one of the waiting threads appends all records that have been put
// meanwhile. Any thread.
//
// Programs that commit one transaction after the other come again at once when a commit is durable.
// Without more ado they fall into two groups that take turns: two programs commit no more together
// than one alone, since each waits for the append of the other. So the thread that is to append
// waits for those that are likely to come: as many commits as the last append had, and as waited
// meanwhile. It waits for a part of the time that an append takes, and after waiting in vain not
// again for some appends.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "base/mutex.h"
#include "store/cluster/engine.h"

namespace tenure::store {

class LogQueue {
 public:
  LogQueue(Engine& engine, const Uuid& store, uint64_t term, uint64_t last)
      : engine_(engine), store_(store), term_(term), put_(last), durable_(last) {}

  // The position of the record. It is durable when AwaitDurable says so.
  uint64_t Put(LogRecord record);
  // The position of the record that was put last.
  uint64_t put() const;

  // Waits until the record at `position` and all records before it are durable. Not ok: this and
  // every later call fails. Only another attachment can find out which of the other records exist.
  // `at_once`: does not wait for commits that are likely to come, as when the caller holds a lock
  // that they need.
  Status AwaitDurable(uint64_t position, bool at_once = false);
  uint64_t durable() const;
  // Not ok: an append has failed, or FailWith was called.
  Status failed() const;
  // After a failure: none of the records that are not durable exists or ever will.
  bool failed_whole() const;
  void FailWith(Status status);

  // Appends that had commits among their records; the most commits of one.
  uint64_t appends() const;
  uint64_t largest_group() const;

 private:
  using Clock = std::chrono::steady_clock;

  // Appends the records that have been put. Releases `lock` during the append.
  void AppendAll(MutexLock& lock, bool at_once) TN_REQUIRES(mutex_);
  // Waits, with `lock`, until as many commits wait as are likely to come, but not for long.
  void AwaitOthers(MutexLock& lock) TN_REQUIRES(mutex_);

  Engine& engine_;
  const Uuid store_;
  const uint64_t term_;

  mutable Mutex mutex_;
  CondVar appended_;
  CondVar gathered_;  // waiting_commits_ has become expected_
  std::vector<LogRecord> waiting_
      TN_GUARDED_BY(mutex_);  // at the positions behind those that are being appended
  uint64_t waiting_commits_ TN_GUARDED_BY(mutex_) = 0;   // of waiting_
  uint64_t expected_ TN_GUARDED_BY(mutex_) = 0;          // commits, of the next append
  Clock::duration append_time_ TN_GUARDED_BY(mutex_){};  // of the last append
  bool hurried_ TN_GUARDED_BY(mutex_) = false;  // somebody waits who cannot wait for others
  uint32_t vain_ TN_GUARDED_BY(mutex_) =
      0;  // how often AwaitOthers has waited in vain, one after the other
  uint32_t skip_ TN_GUARDED_BY(mutex_) = 0;  // appends that do not wait for others
  uint64_t put_ TN_GUARDED_BY(mutex_);
  uint64_t durable_ TN_GUARDED_BY(mutex_);
  bool appending_ TN_GUARDED_BY(mutex_) = false;
  Status failed_ TN_GUARDED_BY(mutex_);
  bool failed_whole_ TN_GUARDED_BY(mutex_) = false;
  uint64_t appends_ TN_GUARDED_BY(mutex_) = 0, largest_group_ TN_GUARDED_BY(mutex_) = 0;
};

}  // namespace tenure::store
