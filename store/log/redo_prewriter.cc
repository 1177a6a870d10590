#include "store/log/redo_prewriter.h"

#include <utility>

#include "abi/heap_constants.h"
#include "base/mutex.h"

namespace tenure::store {

void RedoPrewriter::Begin(uint64_t version, CommitId id, bool thread) {
  Drop();
  begun_ = true;
  version_ = version;
  id_ = id;
  if (thread) static_cast<void>(thread_.Start([this] { Run(); }));
}

void RedoPrewriter::Add(std::span<const std::byte* const> pages) {
  for (const std::byte* page : pages) places_.insert({page, places_.size()});
  bytes_ += pages.size() * abi::kPageBytes;
  Do([this, list = std::vector(pages.begin(), pages.end())] {
    return failed_ || log_.WritePrewritten(version_, id_, list).ok();
  });
}

void RedoPrewriter::Do(std::function<bool()> work) {
  if (!thread_.started()) {
    failed_ |= !work();
    return;
  }
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(std::move(work));
  }
  more_.notify_one();
}

void RedoPrewriter::Run() {
  MutexLock lock(mutex_);
  while (true) {
    more_.wait(lock, [&]() TN_REQUIRES(mutex_) { return !waiting_.empty() || last_; });
    if (waiting_.empty()) return;
    const std::vector<std::function<bool()>> now = std::exchange(waiting_, {});
    lock.unlock();
    for (const std::function<bool()>& work : now) failed_ |= !work();
    lock.lock();
  }
}

void RedoPrewriter::Wait() {
  if (!thread_.started()) return;
  {
    const MutexLock lock(mutex_);
    last_ = true;
  }
  more_.notify_one();
  thread_.Join();
  const MutexLock lock(mutex_);
  last_ = false;
}

PrewrittenPages RedoPrewriter::Finish(uint64_t version, CommitId id) {
  if (!begun_) return {};
  Wait();
  if (failed_ || version_ != version || id_ != id) {
    Drop();
    return {};
  }
  begun_ = false;
  bytes_ = 0;
  return std::exchange(places_, {});
}

void RedoPrewriter::Drop() {
  if (!begun_) return;
  Wait();
  log_.DropAhead();
  begun_ = failed_ = false;
  bytes_ = 0;
  places_.clear();
}

}  // namespace tenure::store
