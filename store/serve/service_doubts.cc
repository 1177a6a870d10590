#include "store/serve/service_doubts.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/mutex.h"
#include "store/directory/recovery.h"
#include "store/format/status_text.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/serve/serving_messages.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

using Clock = std::chrono::steady_clock;

// The pause before the deciding store is asked again: a quarter of the time for which the newest
// commit has been in doubt, within these bounds.
constexpr std::chrono::milliseconds kAskAgainSoonest(250);
constexpr std::chrono::milliseconds kAskAgainLatest(4000);
// A deciding store that is not served can be opened here only while no other process has it open.
// Its own program, started again, should get it first.
constexpr std::chrono::seconds kOpenAfter(2);

}  // namespace

// Holds the pages that the commit writes. When its owner makes others wait for too long it is cut
// off.
class ServiceDoubts::Holder final : public PermissionClient {
 public:
  explicit Holder(PermissionClient* owner) : owner_(owner) {}

  bool SendCallback(uint32_t, uint64_t, bool) override { return true; }
  void CutOff() override {
    const MutexLock guard(lock_);
    if (owner_ != nullptr) owner_->CutOff();
  }
  bool in_doubt() const override { return true; }
  void LoseOwner() {
    const MutexLock guard(lock_);
    owner_ = nullptr;
  }

 private:
  Mutex lock_;
  PermissionClient* owner_ TN_GUARDED_BY(lock_);
};

ServiceDoubts::ServiceDoubts(PageServer& store, Permissions& permissions, std::string directory,
                             std::function<void()> failed)
    : store_(store),
      permissions_(permissions),
      directory_(std::move(directory)),
      failed_(std::move(failed)) {}

ServiceDoubts::~ServiceDoubts() { Stop(); }

void ServiceDoubts::Stop() {
  {
    const MutexLock guard(lock_);
    stop_ = true;
    changed_.notify_all();
  }
  thread_.Join();
}

Status ServiceDoubts::Adopt() {
  const MutexLock guard(lock_);
  TN_ASSIGN_OR_RETURN(const std::vector<PreparedCommit> commits, store_.Prepared());
  for (const PreparedCommit& commit : commits) {
    Doubt doubt{.coordinator = commit.coordinator,
                .holder = std::make_unique<Holder>(nullptr),
                .since = Clock::now()};
    for (const PreparedPart& part : commit.parts) {
      TN_ASSIGN_OR_RETURN(const DatabaseId id, store_.OpenDatabase(part.database, OpenMode::kOpen));
      adopted_[id.index] = part.database;
      for (const PageId page : part.pages) doubt.keys.emplace_back(id.index, page.number);
      for (const PageId page : part.fresh) doubt.fresh.emplace(id.index, page.number);
      if (part.root) doubt.keys.emplace_back(id.index, 0);
      if (part.tables) doubt.keys.emplace_back(id.index, Permissions::kTables);
    }
    for (const Permissions::Key& key : doubt.keys) permissions_.GrantWrite(*doubt.holder, key);
    doubts_.emplace(commit.id, std::move(doubt));
  }
  if (thread_.Start([this] { Run(); })) return Status::Ok();
  return Failure(StatusCode::kNoMemory, "no thread can be made for the store at " + directory_);
}

// A commit without a store that decides would keep its pages for ever.
Status ServiceDoubts::CheckCoordinator(const Coordinator& coordinator) const {
  const auto wrong = [&](const char* how) {
    return Failure(StatusCode::kInvalidArgument,
                   std::string("the store that decides about a commit ") + how);
  };
  constexpr size_t kPathBytesMost = 4096;
  if (coordinator.path.size() > kPathBytesMost ||
      coordinator.path.find('\0') != std::string::npos) {
    return wrong("has no possible path");
  }
  if (coordinator.store == store_.store_uuid()) return wrong("is the one that prepares it");
  const std::string at = StoreOfHint(directory_, coordinator.path);
  // Only a node of its group could tell, and it may be taking over now.
  if (IsClusterUri(at)) return Status::Ok();
  const Result<StoreState> state = StoreFiles(at).Examine();
  if (state.status().code() == StatusCode::kPermission) return Status::Ok();
  if (!state.ok() || *state != StoreState::kComplete) return wrong("is not there");
  return Status::Ok();
}

Status ServiceDoubts::Prepare(PermissionClient& client, const CommitRequest& request,
                              const Coordinator& coordinator, Keys keys,
                              std::set<Permissions::Key> fresh) {
  MutexLock guard(lock_);
  if (doubts_.contains(request.id)) {
    return Status(StatusCode::kInvalidArgument, "the commit has been prepared already");
  }
  Doubt& doubt = doubts_
                     .emplace(request.id, Doubt{.coordinator = coordinator,
                                                .owner = &client,
                                                .place = request.asker.place,
                                                .keys = std::move(keys),
                                                .fresh = std::move(fresh),
                                                .holder = std::make_unique<Holder>(&client),
                                                .since = Clock::now(),
                                                .busy = true})
                     .first->second;
  guard.unlock();
  const Status status = store_.Prepare(request, coordinator);
  if (!status.ok() && !store_.Prepared().ok()) failed_();
  guard.lock();
  doubt.busy = false;
  changed_.notify_all();
  if (!status.ok()) {
    doubts_.erase(request.id);
    return status;
  }
  for (const Permissions::Key& key : doubt.keys) {
    (void)permissions_.Transfer(client, *doubt.holder, key);
  }
  return Status::Ok();
}

ServiceDoubts::DoubtMap::iterator ServiceDoubts::FindIdle(MutexLock& guard, CommitId id) {
  while (true) {
    const auto doubt = doubts_.find(id);
    if (doubt == doubts_.end() || !doubt->second.busy) return doubt;
    changed_.wait(guard);
  }
}

CommitAnswer ServiceDoubts::ResolveUnlocked(MutexLock& guard, DoubtMap::iterator doubt,
                                            bool commit) TN_NO_LOCK_ANALYSIS {
  doubt->second.busy = true;
  guard.unlock();
  const CommitAnswer answer = ResolveHere(doubt->first, commit);
  guard.lock();
  doubt->second.busy = false;
  changed_.notify_all();
  return answer;
}

CommitAnswer ServiceDoubts::ResolveHere(CommitId id, bool commit) {
  const CommitAnswer answer = store_.Resolve(id, commit);
  // A failure that leaves the store unusable also shows in its next answer.
  if (answer.outcome == CommitOutcome::kUnknown || !store_.Prepared().ok()) failed_();
  return answer;
}

void ServiceDoubts::Remove(DoubtMap::iterator at, PermissionClient* heir,
                           const std::set<uint32_t>& open) {
  Doubt& doubt = at->second;
  for (const Permissions::Key& key : doubt.keys) {
    if (heir != nullptr && key.second != Permissions::kTables && open.contains(key.first)) {
      (void)permissions_.Transfer(*doubt.holder, *heir, key);
    }
  }
  permissions_.Forget(*doubt.holder);
  doubts_.erase(at);
}

void ServiceDoubts::ReturnFresh(const Doubt& doubt) {
  // Pages that the store does not take back are lost until it is opened again.
  for (const auto& [database, page] : doubt.fresh) {
    (void)store_.ReturnPages(DatabaseId{database}, {PageId{page}, 1});
  }
}

CommitAnswer ServiceDoubts::Resolve(PermissionClient& client, uint64_t place, CommitId id,
                                    bool commit, const std::set<uint32_t>& open,
                                    std::set<Permissions::Key>* unused) {
  MutexLock guard(lock_);
  const auto doubt = FindIdle(guard, id);
  if (doubt == doubts_.end()) {
    return {CommitOutcome::kFailed, 0, Status(StatusCode::kNotFound, "there is no such commit")};
  }
  // A program that is connected again may come before the end of its old connection is noticed.
  const PermissionClient* const owner = doubt->second.owner;
  const bool own = owner == &client || (place != 0 && place == doubt->second.place);
  if (owner != nullptr && !own) {
    return {CommitOutcome::kFailed, 0,
            Status(StatusCode::kPermission, "another program has prepared the commit")};
  }
  const CommitAnswer answer = ResolveUnlocked(guard, doubt, commit);
  if (commit ? answer.outcome != CommitOutcome::kCommitted : !answer.status.ok()) return answer;
  PermissionClient* const heir = doubt->second.owner == &client ? &client : nullptr;
  if (!commit && heir != nullptr) {
    *unused = doubt->second.fresh;
  } else if (!commit) {
    ReturnFresh(doubt->second);
  }
  Remove(doubt, heir, open);
  return answer;
}

void ServiceDoubts::Abandon(PermissionClient& client) {
  const MutexLock guard(lock_);
  for (auto& [id, doubt] : doubts_) {
    if (doubt.owner != &client) continue;
    doubt.owner = nullptr;
    doubt.holder->LoseOwner();
    doubt.since = Clock::now();
  }
  changed_.notify_all();
}

std::vector<PreparedCommit> ServiceDoubts::InDoubt() {
  const MutexLock guard(lock_);
  std::vector<PreparedCommit> commits;
  for (const auto& [id, doubt] : doubts_) {
    if (doubt.owner == nullptr) commits.push_back({id, doubt.coordinator, {}});
  }
  return commits;
}

bool ServiceDoubts::Has(CommitId id) {
  const MutexLock guard(lock_);
  return doubts_.contains(id);
}

bool ServiceDoubts::Concern(uint32_t database) {
  const MutexLock guard(lock_);
  return std::any_of(doubts_.begin(), doubts_.end(), [&](const auto& entry) {
    const Keys& keys = entry.second.keys;
    return std::any_of(keys.begin(), keys.end(),
                       [&](const auto& key) { return key.first == database; });
  });
}

void ServiceDoubts::Run() {
  MutexLock guard(lock_);
  while (!stop_) {
    std::vector<std::pair<CommitId, Coordinator>> open;
    Clock::time_point oldest = Clock::now(), newest = Clock::time_point::min();
    for (const auto& [id, doubt] : doubts_) {
      if (doubt.owner != nullptr) continue;
      open.emplace_back(id, doubt.coordinator);
      oldest = std::min(oldest, doubt.since);
      newest = std::max(newest, doubt.since);
    }
    if (open.empty()) {
      changed_.wait(guard);
      continue;
    }
    const bool may_open = Clock::now() - oldest > kOpenAfter;
    guard.unlock();
    for (const auto& [id, coordinator] : open) AskCoordinator(id, coordinator, may_open);
    guard.lock();
    const auto pause =
        std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - newest) / 4,
                   kAskAgainSoonest, kAskAgainLatest);
    if (!stop_) changed_.wait_for(guard, pause);
  }
}

// Other failures pass; this one lasts until somebody grants the role.
void ServiceDoubts::SayRefusal(CommitId id, const std::string& at, const Status& status) {
  if (status.code() != StatusCode::kPermission) return;
  {
    const MutexLock guard(lock_);
    const auto doubt = doubts_.find(id);
    if (doubt == doubts_.end() || std::exchange(doubt->second.refused, true)) return;
  }
  SayAsServer("store " + directory_ + ": a commit waits for its outcome, which only " + at +
              " knows: " + status.text());
}

void ServiceDoubts::AskCoordinator(CommitId id, const Coordinator& coordinator, bool may_open) {
  const std::string at = StoreOfHint(directory_, coordinator.path);
  if (!IsClusterUri(at) && !may_open && !RemotePageServer::IsServed(at)) return;
  Result<std::unique_ptr<PageServer>> store = OpenStore(at, {});
  if (!store.ok()) return SayRefusal(id, at, store.status());
  if ((*store)->store_uuid() != coordinator.store) return;
  const Result<bool> decided = (*store)->Decided(id);
  if (!decided.ok()) return SayRefusal(id, at, decided.status());
  {
    MutexLock guard(lock_);
    const auto doubt = FindIdle(guard, id);
    if (doubt == doubts_.end() || doubt->second.owner != nullptr || stop_) return;
    const CommitAnswer answer = ResolveUnlocked(guard, doubt, *decided);
    if (*decided ? answer.outcome != CommitOutcome::kCommitted : !answer.status.ok()) return;
    if (!*decided) ReturnFresh(doubt->second);
    Remove(doubt, nullptr, {});
  }
  // If the acknowledgement is lost, a record remains that no store asks for.
  if (*decided) (void)(*store)->Acknowledge(id, store_.participant());
}

}  // namespace tenure::store
