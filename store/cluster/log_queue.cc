#include "store/cluster/log_queue.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

bool IsCommit(const LogRecord& record) {
  return record.kind == RecordKind::kCommit ||
         (record.kind == RecordKind::kResolve && record.body == "1");
}

}  // namespace

uint64_t LogQueue::Put(LogRecord record) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(record));
  return ++put_;
}

uint64_t LogQueue::put() const {
  const std::lock_guard lock(mutex_);
  return put_;
}

Status LogQueue::AwaitDurable(uint64_t position) {
  std::unique_lock lock(mutex_);
  TN_CHECK(position <= put_);
  while (durable_ < position) {
    if (!failed_.ok()) return failed_;
    if (appending_) {
      appended_.wait(lock);
    } else {
      AppendAll(lock);
    }
  }
  return Status::Ok();
}

void LogQueue::AppendAll(std::unique_lock<std::mutex>& lock) {
  appending_ = true;
  const std::vector<LogRecord> records = std::exchange(waiting_, {});
  const uint64_t last = durable_;
  lock.unlock();
  const AppendAnswer answer = engine_.Append(store_, term_, last, records);
  lock.lock();
  appending_ = false;
  if (const auto commits = static_cast<uint64_t>(std::ranges::count_if(records, IsCommit));
      commits > 0) {
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
  const std::lock_guard lock(mutex_);
  return durable_;
}

Status LogQueue::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

bool LogQueue::failed_whole() const {
  const std::lock_guard lock(mutex_);
  return failed_whole_;
}

void LogQueue::FailWith(Status status) {
  const std::lock_guard lock(mutex_);
  if (failed_.ok()) failed_ = status;
  appended_.notify_all();
}

uint64_t LogQueue::appends() const {
  const std::lock_guard lock(mutex_);
  return appends_;
}

uint64_t LogQueue::largest_group() const {
  const std::lock_guard lock(mutex_);
  return largest_group_;
}

}  // namespace tenure::store
