#include "store/serve/service_collections.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/remote/server_protocol.h"

namespace tenure::store {

namespace {

Status NotNow(int64_t process, const char* how) {
  return Failure(StatusCode::kInUse,
                 (process == 0 ? std::string("a program") : "process " + std::to_string(process)) +
                     how + ": nothing is collected now",
                 process);
}

}  // namespace

Status ServiceCollections::Begin(uint32_t database, CollectionClient& collector,
                                 std::vector<Candidate> candidates,
                                 std::set<CollectionClient*> others) {
  const MutexLock guard(lock_);
  Collection& collection = collections_[database];
  if (collection.collector != nullptr && collection.collector != &collector) {
    return Status(StatusCode::kInUse, "another collection of the database is going on");
  }
  collection =
      Collection{&collector, ++last_question_, std::move(candidates), {}, std::move(others)};
  collection.held.resize(collection.candidates.size());
  return Status::Ok();
}

Result<std::vector<bool>> ServiceCollections::Held(uint32_t database, CollectionClient& collector,
                                                   Mutex& ordering, const Decide& decide) {
  // Only its collector ends a collection, in this thread, so it stays while lock_ is not held.
  const auto find = [&]() TN_REQUIRES(lock_) -> Collection* {
    const auto found = collections_.find(database);
    return found == collections_.end() || found->second.collector != &collector ? nullptr
                                                                                : &found->second;
  };
  bool all = false;
  {
    MutexLock guard(lock_);
    Collection* const collection = find();
    if (collection == nullptr) {
      return Status(StatusCode::kInvalidArgument, "no collection is going on");
    }
    // No client can leave while the lock is held.
    for (CollectionClient* const client : collection->others) {
      if (!client->SendCandidates(database, collection->question, collection->candidates)) {
        collection->left = true;
        collection->left_process = client->process();
      }
    }
    all = changed_.wait_for(guard, std::chrono::seconds(kAnswerSeconds),
                            [&] { return collection->left || collection->others.empty(); });
  }
  // A commit that is ordered before this is watched, and one that is ordered afterwards knows what
  // is dead.
  const MutexLock ordered(ordering);
  const MutexLock guard(lock_);
  Collection collection = std::move(*find());
  collections_.erase(database);
  if (collection.left) return NotNow(collection.left_process, " has lost its connection");
  if (!all) {
    const int64_t process = collection.others.empty() ? 0 : (*collection.others.begin())->process();
    return NotNow(process, " does not tell what it refers to");
  }
  if (decide) decide(collection.candidates, &collection.held);
  return std::move(collection.held);
}

void ServiceCollections::Note(Collection& collection, PersistentRef reference) {
  const auto found = std::lower_bound(
      collection.candidates.begin(), collection.candidates.end(), reference.bits,
      [](const Candidate& candidate, uint64_t bits) { return candidate.object.bits < bits; });
  if (found == collection.candidates.end() || found->object != reference) return;
  collection.held[static_cast<size_t>(found - collection.candidates.begin())] = true;
}

void ServiceCollections::NoteCommit(const CommitRequest& request) {
  const MutexLock guard(lock_);
  if (collections_.empty()) return;
  for (const DatabaseCommit& commit : request.databases) {
    const auto found = collections_.find(commit.database.index);
    if (found == collections_.end()) continue;
    Collection& collection = found->second;
    const auto note_words = [&](size_t offset, std::span<const std::byte> bytes) {
      for (size_t at = (offset + 7) / 8 * 8 - offset; at + 8 <= bytes.size(); at += 8) {
        PersistentRef reference;
        std::memcpy(&reference, bytes.data() + at, sizeof reference);
        Note(collection, reference);
      }
    };
    if (commit.root) Note(collection, *commit.root);
    for (const ExportEntry& entry : commit.exports) Note(collection, entry.object);
    for (const PageWrite& write : commit.pages) {
      if (write.contents != nullptr) note_words(0, {write.contents, abi::kPageBytes});
      for (const ChangedRegion& region : write.regions) note_words(region.offset, region.bytes);
    }
  }
}

bool ServiceCollections::Told(CollectionClient& client, uint64_t question,
                              const std::vector<bool>& refers) {
  const MutexLock guard(lock_);
  for (auto& [database, collection] : collections_) {
    if (collection.question != question) continue;
    if (refers.size() != collection.candidates.size()) return false;
    for (size_t i = 0; i < refers.size(); ++i) {
      if (refers[i]) collection.held[i] = true;
    }
    collection.others.erase(&client);
    changed_.notify_all();
  }
  return true;  // it may have come too late
}

void ServiceCollections::Leave(uint32_t database, CollectionClient& client, bool lost) {
  const MutexLock guard(lock_);
  const auto found = collections_.find(database);
  if (found == collections_.end()) return;
  if (found->second.others.erase(&client) != 0 && lost) {
    found->second.left = true;
    found->second.left_process = client.process();
  }
  if (found->second.collector == &client) collections_.erase(found);
  changed_.notify_all();
}

}  // namespace tenure::store
