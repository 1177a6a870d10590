#include "stabilize/state/ordered_commits.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"

namespace tenure::stabilize {

using store::CommitId;
using store::PageServer;

namespace {

// The time between two syncs for which nobody waits: each costs as much as some transactions.
constexpr std::chrono::microseconds kBetweenSyncs(300);

}  // namespace

OrderedCommits::~OrderedCommits() {
  {
    const MutexLock lock(mutex_);
    ends_ = true;
  }
  wanted_changed_.notify_all();
  background_.Join();
}

uint64_t OrderedCommits::Add(const std::shared_ptr<PageServer>& server, const CommitId& id,
                             uint64_t version) {
  const MutexLock lock(mutex_);
  // All waiting commits are of one server, perhaps not of this one.
  const uint64_t durable = waiting_.empty() ? 0 : server_->DurableVersion();
  while (!waiting_.empty() && waiting_.front().version <= durable) waiting_.pop_front();
  if (version <= server->DurableVersion()) return 0;
  TN_CHECK(waiting_.empty() || server_ == server);
  server_ = server;
  waiting_.push_back({++last_, id, version});
  return last_;
}

uint64_t OrderedCommits::Newest() {
  const MutexLock lock(mutex_);
  if (waiting_.empty()) return 0;
  if (waiting_.back().version > server_->DurableVersion()) return waiting_.back().number;
  waiting_.clear();
  return 0;
}

std::shared_ptr<PageServer> OrderedCommits::Server() {
  const MutexLock lock(mutex_);
  return waiting_.empty() ? nullptr : server_;
}

std::optional<Status> OrderedCommits::Await(uint64_t number) {
  std::shared_ptr<PageServer> server;
  uint64_t version = 0;
  {
    const MutexLock lock(mutex_);
    if (std::optional<Status> known = OutcomeLocked(number)) return known;
    server = server_;
    version = waiting_[number - waiting_.front().number].version;
  }
  // Many threads return from there together, so they do not queue for the mutex again. Add and
  // Newest drop durable commits.
  if (server->AwaitDurable(version).ok()) return Status::Ok();
  const MutexLock lock(mutex_);
  return OutcomeLocked(number);
}

std::optional<Status> OrderedCommits::Outcome(uint64_t number) {
  const MutexLock lock(mutex_);
  if (std::optional<Status> known = OutcomeLocked(number)) return known;
  const uint64_t version = waiting_[number - waiting_.front().number].version;
  if (version > server_->DurableVersion()) return std::nullopt;
  DropDurable(number);
  return Status::Ok();
}

void OrderedCommits::MakeDurableInBackground(uint64_t number) {
  const MutexLock lock(mutex_);
  if (number <= wanted_) return;
  wanted_ = number;
  // If no thread can be started, a commit becomes durable when a thread waits for it.
  if (!background_.started() && !background_.Start([this] { RunBackground(); })) return;
  if (is_idle_) wanted_changed_.notify_one();
}

void OrderedCommits::RunBackground() {
  uint64_t done = 0;
  MutexLock lock(mutex_);
  while (!ends_) {
    if (wanted_ == done) {
      is_idle_ = true;
      wanted_changed_.wait(lock);
      is_idle_ = false;
      continue;
    }
    done = wanted_;
    lock.unlock();
    // The next caller that asks meets the failure.
    (void)Await(done);
    std::this_thread::sleep_for(kBetweenSyncs);
    lock.lock();
  }
}

std::vector<OrderedCommits::Commit> OrderedCommits::Undecided() {
  const MutexLock lock(mutex_);
  if (!waiting_.empty()) {
    const uint64_t durable = server_->DurableVersion();
    while (!waiting_.empty() && waiting_.front().version <= durable) waiting_.pop_front();
  }
  return {waiting_.begin(), waiting_.end()};
}

void OrderedCommits::NoteDurable(uint64_t number) {
  const MutexLock lock(mutex_);
  DropDurable(number);
}

void OrderedCommits::NoteFailed(uint64_t first, Status why) {
  const MutexLock lock(mutex_);
  if (waiting_.empty() || waiting_.back().number < first) return;
  failed_.push_back({std::max(first, waiting_.front().number), waiting_.back().number, why});
  while (!waiting_.empty() && waiting_.back().number >= first) waiting_.pop_back();
}

void OrderedCommits::ForgetAll() TN_NO_LOCK_ANALYSIS {
  // The thread is only the parent's, and may have had the lock.
  background_.Forget();
  std::construct_at(&mutex_);
  std::construct_at(&wanted_changed_);
  waiting_.clear();
  server_.reset();
}

void OrderedCommits::DropDurable(uint64_t number) {
  while (!waiting_.empty() && waiting_.front().number <= number) waiting_.pop_front();
}

std::optional<Status> OrderedCommits::OutcomeLocked(uint64_t number) const {
  if (!waiting_.empty() && number >= waiting_.front().number && number <= last_)
    return std::nullopt;
  for (const Failed& failed : failed_) {
    if (failed.first <= number && number <= failed.last) return failed.why;
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
