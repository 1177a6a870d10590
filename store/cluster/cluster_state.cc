#include "store/cluster/cluster_state.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "store/format/status_text.h"

namespace tenure::store {

ApplyBatch FrozenChanges::Batch() const {
  return {.position = position,
          .pages = pages,
          .deleted = deleted,
          .databases = databases,
          .references = references,
          .types = types,
          .outcomes = outcomes,
          .forgotten = forgotten,
          .prepared = prepared,
          .decisions = decisions,
          .sessions = sessions};
}

Status ClusterState::Load(StoreContents& tables) {
  const auto damaged = [](const std::string& what) {
    return Failure(StatusCode::kCorrupt, "the cluster's tables are damaged: " + what);
  };
  std::map<Uuid, ClusterDatabase*> by_uuid;
  for (DatabaseRow& row : tables.databases) {
    auto database = std::make_shared<ClusterDatabase>();
    database->number = next_number_++;
    database->uuid = row.uuid;
    database->name = row.name;
    database->root = row.root;
    database->next_page = row.next_page;
    if (row.next_page == 0 || row.next_page > kPageNumberLimit) {
      return damaged("the number of pages of database " + row.name);
    }
    for (const PageRun& run : row.freed) {
      if (!database->freed.Load(run)) return damaged("the freed pages of database " + row.name);
    }
    by_uuid[row.uuid] = database.get();
    if (!databases_.emplace(row.name, std::move(database)).second) {
      return damaged("two databases " + row.name);
    }
  }
  for (ReferenceRows& rows : tables.references) {
    const auto found = by_uuid.find(rows.database);
    if (found == by_uuid.end() || rows.imports_before != 0 || rows.exports_before != 0) {
      return damaged("a table of references");
    }
    found->second->applied_imports = rows.imports.size();
    found->second->applied_exports = rows.exports.size();
    found->second->imports = std::move(rows.imports);
    found->second->exports = std::move(rows.exports);
  }
  for (std::string& description : tables.types) StageType(std::move(description));
  applied_types_ = types_.size();
  // A session may be in the log only.
  outcomes_.Load(std::move(tables.outcomes), !tables.sessions.empty() || !tables.log.empty());
  for (PreparedRow& row : tables.prepared) prepared_.emplace(row.id, std::move(row.body));
  for (DecisionRow& row : tables.decisions) decisions_.emplace(row.id, std::move(row.waits_for));
  for (SessionRow& row : tables.sessions) sessions_.emplace(row.session, std::move(row.program));
  return Status::Ok();
}

std::shared_ptr<ClusterDatabase> ClusterState::Find(std::string_view name) const {
  const auto found = databases_.find(name);
  return found == databases_.end() ? nullptr : found->second;
}

bool ClusterState::FindPage(const ClusterDatabase& database, PageId page,
                            std::shared_ptr<const PageRecord>* record) {
  for (const PageRecords* records : {&database.changed, &database.applying}) {
    if (const auto found = records->find(page.number); found != records->end()) {
      *record = found->second;
      return true;
    }
  }
  if (page.number >= database.next_page || database.freed.Contains(page)) {
    *record = nullptr;
    return true;
  }
  *record = cache_.Find(database.number, page);
  return *record != nullptr;
}

void ClusterState::StageCommit(const CommitMark& mark, const CommitAsker& asker,
                               std::span<const Uuid> participants,
                               std::span<const StagedPart> parts) {
  for (const StagedPart& part : parts) {
    ClusterDatabase& database = *part.database;
    touched_.insert(part.database);
    const DatabaseCommit& commit = *part.commit;
    if (commit.root) database.root = *commit.root;
    for (size_t i = 0; i < commit.pages.size(); ++i) {
      const PageWrite& write = commit.pages[i];
      database.next_page = std::max(database.next_page, write.page.number + 1);
      if (write.remove) {
        database.freed.Add(write.page);
      } else if (write.expected_version == 0) {
        database.freed.Take(write.page);
      }
      changed_pages_ +=
          database.changed.insert_or_assign(write.page.number, part.records[i]).second;
      cache_.Remove(database.number, write.page);
    }
    database.freed.Settle();
    database.imports.insert(database.imports.end(), commit.imports.begin(), commit.imports.end());
    database.exports.insert(database.exports.end(), commit.exports.begin(), commit.exports.end());
  }
  if (!participants.empty()) {
    decisions_[mark.id].assign(participants.begin(), participants.end());
    changed_decisions_.insert(mark.id);
  }
  new_outcomes_.push_back(mark);
  outcomes_.Note(mark, asker);
}

void ClusterState::StagePrepared(CommitId id, std::string body) {
  prepared_[id] = std::move(body);
  changed_prepared_.insert(id);
}

void ClusterState::StageResolved(CommitId id) {
  prepared_.erase(id);
  outcomes_.ForgetPrepared(id);
  changed_prepared_.insert(id);
}

void ClusterState::StageAcknowledged(CommitId id, const Uuid& participant) {
  const auto found = decisions_.find(id);
  if (found == decisions_.end()) return;
  std::erase(found->second, participant);
  if (found->second.empty()) decisions_.erase(found);
  changed_decisions_.insert(id);
}

void ClusterState::StageType(std::string description) {
  // The views in type_indexes_ must survive that types_ grows.
  if (types_.size() == types_.capacity()) {
    types_.reserve(2 * types_.size() + 64);
    type_indexes_.clear();
    for (uint32_t i = 0; i < types_.size(); ++i) type_indexes_.emplace(types_[i], i + 1);
  }
  types_.push_back(std::move(description));
  type_indexes_.emplace(types_.back(), static_cast<uint32_t>(types_.size()));
}

void ClusterState::StageSession(const Uuid& session, std::string program) {
  sessions_[session] = std::move(program);
  changed_sessions_.insert(session);
}

void ClusterState::StageSessionEnd(const Uuid& session) {
  sessions_.erase(session);
  changed_sessions_.insert(session);
}

uint32_t ClusterState::FindType(std::string_view description) const {
  const auto found = type_indexes_.find(description);
  return found == type_indexes_.end() ? 0 : found->second;
}

std::shared_ptr<ClusterDatabase> ClusterState::StageCreate(const Uuid& uuid,
                                                           std::string_view name) {
  auto database = std::make_shared<ClusterDatabase>();
  database->number = next_number_++;
  database->uuid = uuid;
  database->name = name;
  databases_[database->name] = database;
  touched_.insert(database);
  return database;
}

void ClusterState::StageDelete(const std::shared_ptr<ClusterDatabase>& database) {
  database->deleted = true;
  changed_pages_ -= database->changed.size();
  database->changed.clear();
  touched_.erase(database);
  deleted_.push_back(database->uuid);
  databases_.erase(database->name);
}

uint64_t ClusterState::pending_bytes() const {
  return (changed_pages_ + applying_pages_) * kPageRecordBytes;
}

bool ClusterState::has_changes() const {
  return !touched_.empty() || !deleted_.empty() || types_.size() > applied_types_ ||
         !new_outcomes_.empty() || !forgotten_.empty() || !changed_prepared_.empty() ||
         !changed_decisions_.empty() || !changed_sessions_.empty();
}

void ClusterState::TakeOutcomes() {
  const OutcomeMemory::Changes& changes = outcomes_.changes();
  std::set<uint64_t> gone;
  for (const auto* marks : {&changes.dropped, &changes.forgotten}) {
    for (const CommitMark& mark : *marks) gone.insert(mark.version);
  }
  // The engine forgets before it gets new ones.
  std::erase_if(new_outcomes_, [&](const CommitMark& mark) { return gone.contains(mark.version); });
  forgotten_.insert(forgotten_.end(), gone.begin(), gone.end());
  if (changes.limit) new_outcomes_.push_back(*changes.limit);
  outcomes_.NoteSaved();
}

FrozenChanges ClusterState::Freeze(uint64_t position) {
  FrozenChanges frozen;
  frozen.position = position;
  frozen.deleted = std::exchange(deleted_, {});
  TakeOutcomes();
  frozen.outcomes = std::exchange(new_outcomes_, {});
  frozen.forgotten = std::exchange(forgotten_, {});
  frozen.types.assign(types_.begin() + static_cast<ptrdiff_t>(applied_types_), types_.end());
  applying_types_ = frozen.types.size();
  for (const std::shared_ptr<ClusterDatabase>& database : touched_) {
    TN_CHECK(database->applying.empty());
    DatabaseRow row{.uuid = database->uuid,
                    .name = database->name,
                    .root = database->root,
                    .next_page = database->next_page,
                    .freed = {}};
    for (const auto& [first, pages] : database->freed.runs()) {
      row.freed.push_back({PageId{first}, pages});
    }
    frozen.databases.push_back(std::move(row));
    const auto tail = [](const auto& entries, size_t applied) {
      return std::decay_t<decltype(entries)>(entries.begin() + static_cast<ptrdiff_t>(applied),
                                             entries.end());
    };
    if (database->imports.size() > database->applied_imports ||
        database->exports.size() > database->applied_exports) {
      frozen.references.push_back({.database = database->uuid,
                                   .imports_before = database->applied_imports,
                                   .exports_before = database->applied_exports,
                                   .imports = tail(database->imports, database->applied_imports),
                                   .exports = tail(database->exports, database->applied_exports)});
    }
    database->applying = std::exchange(database->changed, {});
    for (const auto& [page, record] : database->applying) {
      frozen.pages.push_back({database->uuid, PageId{page}, record.get()});
    }
    frozen.touched.push_back(database);
  }
  std::ranges::sort(frozen.pages, [](const AppliedPage& a, const AppliedPage& b) {
    return std::pair(a.database, a.page) < std::pair(b.database, b.page);
  });
  touched_.clear();
  for (const CommitId id : std::exchange(changed_prepared_, {})) {
    const auto found = prepared_.find(id);
    frozen.prepared.push_back({id, found == prepared_.end() ? std::string() : found->second});
  }
  for (const CommitId id : std::exchange(changed_decisions_, {})) {
    const auto found = decisions_.find(id);
    frozen.decisions.push_back(
        {id, found == decisions_.end() ? std::vector<Uuid>() : found->second});
  }
  for (const Uuid& session : std::exchange(changed_sessions_, {})) {
    const auto found = sessions_.find(session);
    const bool ended = found == sessions_.end();
    frozen.sessions.push_back({session, ended ? std::string() : found->second, ended});
  }
  applying_pages_ = std::exchange(changed_pages_, 0);
  return frozen;
}

void ClusterState::Applied(const FrozenChanges& frozen) {
  applied_types_ += std::exchange(applying_types_, 0);
  applying_pages_ = 0;
  for (const ReferenceRows& rows : frozen.references) {
    for (const std::shared_ptr<ClusterDatabase>& database : frozen.touched) {
      if (database->uuid != rows.database) continue;
      database->applied_imports += rows.imports.size();
      database->applied_exports += rows.exports.size();
    }
  }
  for (const std::shared_ptr<ClusterDatabase>& database : frozen.touched) {
    for (const auto& [page, record] : std::exchange(database->applying, {})) {
      if (record != nullptr && !database->deleted && !database->changed.contains(page)) {
        cache_.Put(database->number, PageId{page}, record);
      }
    }
  }
}

void ClusterState::Unfreeze(const FrozenChanges& frozen) {
  applying_types_ = 0;
  applying_pages_ = 0;
  for (const std::shared_ptr<ClusterDatabase>& database : frozen.touched) {
    PageRecords applying = std::exchange(database->applying, {});
    if (database->deleted) continue;
    touched_.insert(database);
    // An entry that was staged after Freeze is newer and stays.
    const size_t before = database->changed.size();
    database->changed.merge(applying);
    changed_pages_ += database->changed.size() - before;
  }
  deleted_.insert(deleted_.begin(), frozen.deleted.begin(), frozen.deleted.end());
  new_outcomes_.insert(new_outcomes_.begin(), frozen.outcomes.begin(), frozen.outcomes.end());
  forgotten_.insert(forgotten_.begin(), frozen.forgotten.begin(), frozen.forgotten.end());
  for (const PreparedRow& row : frozen.prepared) changed_prepared_.insert(row.id);
  for (const DecisionRow& row : frozen.decisions) changed_decisions_.insert(row.id);
  for (const SessionRow& row : frozen.sessions) changed_sessions_.insert(row.session);
}

}  // namespace tenure::store
