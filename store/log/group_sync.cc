#include "store/log/group_sync.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "base/futex.h"
#include "base/mutex.h"

namespace tenure::store {

timespec GroupSync::Hold::Next(uint32_t waiting, Clock::duration sync_time) {
  const Clock::time_point now = Clock::now();
  if (longest_ == Clock::time_point()) longest_ = now + kLongestHold;
  waiting_ = waiting;
  until_ = std::min(now + sync_time, longest_);
  return FutexDeadline(until_);
}

bool GroupSync::Hold::IsOver(uint32_t waiting) const {
  return waiting <= waiting_ || until_ == longest_;
}

Status GroupSync::Await(uint64_t version) {
  if (durable() >= version) return Status::Ok();
  Hold hold;
  bool is_over = false;
  MutexLock lock(mutex_);
  while (true) {
    if (durable() >= version) return Status::Ok();
    if (!failure_.ok()) return failure_;
    const bool next = !syncing_ || version > syncing_version_;
    Group& group = groups_[(group_ + (next ? 1 : 0)) % 2];
    const uint32_t others = group.waiting.load(std::memory_order_relaxed);
    const bool may_lead = !syncing_ && !paused_;
    if (may_lead && (is_over || AreEnough(others + 1))) {
      if (is_over) expected_ = std::min(expected_, others + 1);
      Lead(lock);
      continue;
    }
    const bool holds = may_lead && !is_held_;
    timespec deadline;
    if (holds) {
      is_held_ = true;
      deadline = hold.Next(others, sync_time_);
    }
    const uint32_t seen = group.word.load(std::memory_order_relaxed);
    group.waiting.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    const bool in_time = FutexWait(&group.word, seen, holds ? &deadline : nullptr);
    const uint32_t left = group.waiting.fetch_sub(1, std::memory_order_relaxed) - 1;
    // A thread that was served need not queue for the mutex with all the others.
    if (!holds && durable() >= version) return Status::Ok();
    lock.lock();
    if (holds) {
      // A second thread may hold the next sync back as well then, which does no harm.
      is_held_ = false;
      is_over = !in_time && hold.IsOver(left);
    }
  }
}

// The analysis cannot follow the lock of a caller, which this function releases for a while.
void GroupSync::Lead(MutexLock& lock) TN_NO_LOCK_ANALYSIS {
  syncing_ = true;
  // Whoever held it back is served, perhaps after another has begun to hold back the next one.
  is_held_ = false;
  syncing_version_ = written_.load(std::memory_order_acquire);
  ++group_;
  Group& served = groups_[group_ % 2];
  Group& forming = groups_[(group_ + 1) % 2];
  lock.unlock();
  WillBlock();
  const Clock::time_point begin = Clock::now();
  const Status status = sync_(syncing_version_);
  const Clock::duration took = Clock::now() - begin;
  lock.lock();
  if (status.ok()) {
    sync_time_ += (took - sync_time_) / 4;
    const uint32_t waited = served.waiting.load(std::memory_order_relaxed) +
                            forming.waiting.load(std::memory_order_relaxed) + 1;
    expected_ = std::max(expected_ - expected_ / 8, waited);
    // What became durable by other means is no group.
    const uint64_t group = syncing_version_ - std::min(syncing_version_, durable());
    largest_group_.store(std::max(largest_group(), group), std::memory_order_relaxed);
    RaiseDurable(syncing_version_);
  } else if (failure_.ok()) {
    failure_ = status;
  }
  syncing_ = false;
  served.word.fetch_add(1, std::memory_order_relaxed);
  forming.word.fetch_add(1, std::memory_order_relaxed);
  lock.unlock();
  // The thread that syncs next comes first: the disk has nothing to do until it runs.
  Wake(forming, status.ok() ? 1 : INT_MAX);
  Wake(served, INT_MAX);
  lock.lock();
}

void GroupSync::RaiseDurable(uint64_t version) {
  if (version > durable()) durable_.store(version, std::memory_order_release);
}

void GroupSync::Wake(Group& group, int count) {
  // A thread is counted before the word changes, under the mutex, or sees the word changed.
  if (group.waiting.load(std::memory_order_relaxed) != 0) FutexWake(&group.word, count);
}

void GroupSync::WakeAll() {
  for (Group& group : groups_) {
    group.word.fetch_add(1, std::memory_order_relaxed);
    Wake(group, INT_MAX);
  }
}

void GroupSync::NoteDurable(uint64_t version) {
  const MutexLock lock(mutex_);
  if (written_.load(std::memory_order_relaxed) < version) NoteWritten(version);
  RaiseDurable(version);
  WakeAll();
}

void GroupSync::Pause() {
  MutexLock lock(mutex_);
  paused_ = true;
  while (syncing_) {
    Group& group = groups_[group_ % 2];
    const uint32_t seen = group.word.load(std::memory_order_relaxed);
    group.waiting.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    FutexWait(&group.word, seen);
    group.waiting.fetch_sub(1, std::memory_order_relaxed);
    lock.lock();
  }
}

void GroupSync::End(Status status) {
  const MutexLock lock(mutex_);
  if (status.ok()) {
    RaiseDurable(written_.load(std::memory_order_acquire));
  } else if (failure_.ok()) {
    failure_ = status;
  }
  WakeAll();
}

}  // namespace tenure::store
