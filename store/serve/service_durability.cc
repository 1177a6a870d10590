#include "store/serve/service_durability.h"

#include <algorithm>
#include <chrono>

#include "base/mutex.h"

namespace tenure::store {

Status ServiceDurability::Ordered(DurabilityClient& client, uint64_t version) {
  const MutexLock guard(lock_);
  if (!thread_.started() && !stop_ && !thread_.Start([this] { Run(); })) {
    return Status(StatusCode::kNoMemory, "no thread can be made for commits");
  }
  uint64_t& last = waiting_[&client];
  last = std::max(last, version);
  changed_.notify_one();
  return Status::Ok();
}

void ServiceDurability::Leave(DurabilityClient& client) {
  const MutexLock guard(lock_);
  waiting_.erase(&client);
}

void ServiceDurability::Stop() {
  {
    const MutexLock guard(lock_);
    stop_ = true;
    changed_.notify_one();
  }
  thread_.Join();
}

// False: some client must be told again.
bool ServiceDurability::TellAll(uint64_t durable) {
  bool told_all = true;
  for (auto it = waiting_.begin(); it != waiting_.end();) {
    const bool told = it->first->TellDurable(durable);
    told_all = told_all && told;
    it = told && it->second <= durable ? waiting_.erase(it) : std::next(it);
  }
  return told_all;
}

void ServiceDurability::Run() {
  constexpr std::chrono::milliseconds kTellAgain(1);
  MutexLock guard(lock_);
  while (true) {
    changed_.wait(guard, [&]() TN_REQUIRES(lock_) { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    // The first commit that a client waits for: the next sync may serve others.
    uint64_t version = ~uint64_t{0};
    for (const auto& [client, last] : waiting_) version = std::min(version, last);
    guard.unlock();
    const Status status = store_.AwaitDurable(version);
    guard.lock();
    if (!status.ok()) return failed_();
    if (!TellAll(store_.DurableVersion())) changed_.wait_for(guard, kTellAgain);
  }
}

void UndurablePages::Note(const CommitRequest& request, uint64_t version) {
  const MutexLock guard(lock_);
  version_ = version;
  for (const DatabaseCommit& commit : request.databases) {
    if (commit.root) written_[{commit.database.index, 0}] = version;
    for (const PageWrite& write : commit.pages) {
      written_[{commit.database.index, write.page.number}] = version;
    }
  }
}

bool UndurablePages::Defer(Permissions::Key key, bool keep_read, uint64_t durable) {
  const MutexLock guard(lock_);
  const auto found = written_.find(key);
  if (found == written_.end() || found->second <= durable) return false;
  deferred_.push_back({key, keep_read, found->second});
  return true;
}

std::vector<UndurablePages::Release> UndurablePages::Take(uint64_t durable) {
  const MutexLock guard(lock_);
  std::erase_if(written_, [&](const auto& entry) { return entry.second <= durable; });
  const auto due =
      std::stable_partition(deferred_.begin(), deferred_.end(),
                            [&](const Release& release) { return release.version > durable; });
  std::vector<Release> releases(due, deferred_.end());
  deferred_.erase(due, deferred_.end());
  return releases;
}

uint64_t UndurablePages::deferred_version() {
  const MutexLock guard(lock_);
  uint64_t version = 0;
  for (const Release& release : deferred_) version = std::max(version, release.version);
  return version;
}

uint64_t UndurablePages::version() {
  const MutexLock guard(lock_);
  return version_;
}

}  // namespace tenure::store
