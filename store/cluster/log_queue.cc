#include "store/cluster/log_queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// How long commits wait for as many others, or more: a part of the time of an append, and no more
// than this. For fewer others they wait shorter.
constexpr uint64_t kWaitPart = 2;
constexpr std::chrono::milliseconds kWaitMost(4);
// After waiting in vain N times, 2^N appends do not wait, but at most 2^kVainMost.
constexpr uint32_t kVainMost = 7;

bool IsCommit(const LogRecord& record) {
  return record.kind == RecordKind::kCommit ||
         (record.kind == RecordKind::kResolve && record.body == "1");
}

}  // namespace

uint64_t LogQueue::Put(LogRecord record) {
  const MutexLock lock(mutex_);
  if (IsCommit(record) && ++waiting_commits_ == expected_) gathered_.notify_one();
  waiting_.push_back(std::move(record));
  return ++put_;
}

uint64_t LogQueue::put() const {
  const MutexLock lock(mutex_);
  return put_;
}

Status LogQueue::AwaitDurable(uint64_t position, bool at_once) {
  MutexLock lock(mutex_);
  TN_CHECK(position <= put_);
  while (durable_ < position) {
    if (!failed_.ok()) return failed_;
    if (appending_) {
      if (at_once) {
        hurried_ = true;
        gathered_.notify_one();
      }
      appended_.wait(lock);
    } else {
      AppendAll(lock, at_once);
    }
  }
  return Status::Ok();
}

void LogQueue::AwaitOthers(MutexLock& lock) {
  if (waiting_commits_ == 0 || waiting_commits_ >= expected_) return;
  if (skip_ > 0) {
    --skip_;
    return;
  }
  const uint64_t before = waiting_commits_, others = expected_ - before;
  const auto patience = std::min<Clock::duration>(
      append_time_ * others / (kWaitPart * std::max(others, before)), kWaitMost);
  hurried_ = false;
  gathered_.wait_for(lock, patience, [&]() TN_REQUIRES(mutex_) {
    return waiting_commits_ >= expected_ || hurried_ || !failed_.ok();
  });
  if (2 * (waiting_commits_ - before) >= others) {
    vain_ = 0;
  } else if (!hurried_) {
    vain_ = std::min(vain_ + 1, kVainMost);
    skip_ = 1u << vain_;
  }
}

// The analysis cannot follow the lock of a caller, which this function releases for a while.
void LogQueue::AppendAll(MutexLock& lock, bool at_once) TN_NO_LOCK_ANALYSIS {
  appending_ = true;
  if (!at_once) AwaitOthers(lock);
  if (!failed_.ok()) {
    appending_ = false;
    appended_.notify_all();
    return;
  }
  const std::vector<LogRecord> records = std::exchange(waiting_, {});
  const uint64_t commits = std::exchange(waiting_commits_, 0);
  const uint64_t last = durable_;
  lock.unlock();
  const Clock::time_point begin = Clock::now();
  const AppendAnswer answer = engine_.Append(store_, term_, last, records);
  const Clock::duration took = Clock::now() - begin;
  lock.lock();
  appending_ = false;
  if (commits > 0) {
    append_time_ = took;
    expected_ = commits + waiting_commits_;
    ++appends_;
    largest_group_ = std::max(largest_group_, commits);
  }
  switch (answer.outcome) {
    case AppendOutcome::kDurable: durable_ += records.size(); break;
    case AppendOutcome::kFenced:
      failed_ = Failure(StatusCode::kInUse, "another node has become the store's leader");
      failed_whole_ = true;
      break;
    case AppendOutcome::kFailed:
      failed_ = answer.status;
      failed_whole_ = true;
      break;
    case AppendOutcome::kUnknown:
      // kClosed would say that the store was closed.
      failed_ = Status(StatusCode::kIo, answer.status.text());
      break;
  }
  TN_CHECK(durable_ == last + records.size() || !failed_.ok());
  appended_.notify_all();
}

uint64_t LogQueue::durable() const {
  const MutexLock lock(mutex_);
  return durable_;
}

Status LogQueue::failed() const {
  const MutexLock lock(mutex_);
  return failed_;
}

bool LogQueue::failed_whole() const {
  const MutexLock lock(mutex_);
  return failed_whole_;
}

void LogQueue::FailWith(Status status) {
  const MutexLock lock(mutex_);
  if (failed_.ok()) failed_ = status;
  appended_.notify_all();
  gathered_.notify_all();
}

uint64_t LogQueue::appends() const {
  const MutexLock lock(mutex_);
  return appends_;
}

uint64_t LogQueue::largest_group() const {
  const MutexLock lock(mutex_);
  return largest_group_;
}

}  // namespace tenure::store
