#include "store/log/group_sync.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "base/futex.h"

namespace tenure::store {

Status GroupSync::Await(uint64_t version) {
  if (durable() >= version) return Status::Ok();
  std::unique_lock lock(mutex_);
  while (true) {
    if (durable() >= version) return Status::Ok();
    if (!failure_.ok()) return failure_;
    if (!syncing_ && !paused_) {
      Lead(lock);
      continue;
    }
    const bool next = !syncing_ || version > syncing_version_;
    Group& group = groups_[(group_ + (next ? 1 : 0)) % 2];
    const uint32_t seen = group.word.load(std::memory_order_relaxed);
    group.waiting.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    FutexWait(&group.word, seen);
    group.waiting.fetch_sub(1, std::memory_order_relaxed);
    // A thread that was served need not queue for the mutex with all the others.
    if (durable() >= version) return Status::Ok();
    lock.lock();
  }
}

void GroupSync::Lead(std::unique_lock<std::mutex>& lock) {
  syncing_ = true;
  syncing_version_ = written_.load(std::memory_order_acquire);
  ++group_;
  Group& served = groups_[group_ % 2];
  Group& forming = groups_[(group_ + 1) % 2];
  lock.unlock();
  const Status status = sync_(syncing_version_);
  lock.lock();
  if (status.ok()) {
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
  const uint64_t before = durable();
  if (version <= before) return;
  if (version - before > largest_group()) {
    largest_group_.store(version - before, std::memory_order_relaxed);
  }
  durable_.store(version, std::memory_order_release);
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
  const std::lock_guard lock(mutex_);
  if (written_.load(std::memory_order_relaxed) < version) NoteWritten(version);
  RaiseDurable(version);
  WakeAll();
}

void GroupSync::Pause() {
  std::unique_lock lock(mutex_);
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
  const std::lock_guard lock(mutex_);
  if (status.ok()) {
    RaiseDurable(written_.load(std::memory_order_acquire));
  } else if (failure_.ok()) {
    failure_ = status;
  }
  WakeAll();
}

}  // namespace tenure::store
