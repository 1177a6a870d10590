// The leader's state of a store in memory: databases, types, outcomes, and the pages that records
// of the log have changed and the engine's tables do not have yet.
//
// Records are *staged* in the order of the log. Freeze sets aside all that was staged, for
// Engine::Apply; afterwards either Applied or Unfreeze is called. One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/cluster/engine.h"
#include "store/cluster/record_cache.h"
#include "store/server/freed_pages.h"
#include "store/server/outcome_memory.h"

namespace tenure::store {

// Null: a commit has removed the page.
using PageRecords = std::unordered_map<uint64_t, std::shared_ptr<const PageRecord>>;

// A database as the records that were staged left it.
struct ClusterDatabase {
  uint32_t number = 0;  // of the database among those of this ClusterState
  Uuid uuid;
  std::string name;
  PersistentRef root;
  uint64_t next_page = 1;
  FreedPages freed;
  std::vector<ImportEntry> imports;
  std::vector<ExportEntry> exports;
  size_t applied_imports = 0, applied_exports = 0;
  bool deleted = false;
  PageRecords changed;   // since Freeze
  PageRecords applying;  // set aside by Freeze
};

// A commit's part in one database.
struct StagedPart {
  std::shared_ptr<ClusterDatabase> database;
  const DatabaseCommit* commit = nullptr;
  std::vector<std::shared_ptr<const PageRecord>> records;  // of commit->pages, as they become
};

// The memory of an ApplyBatch.
struct FrozenChanges {
  ApplyBatch Batch() const;

  uint64_t position = 0;
  std::vector<AppliedPage> pages;
  std::vector<Uuid> deleted;
  std::vector<DatabaseRow> databases;
  std::vector<ReferenceRows> references;
  std::vector<std::string> types;
  std::vector<CommitMark> outcomes;
  std::vector<uint64_t> forgotten;
  std::vector<PreparedRow> prepared;
  std::vector<DecisionRow> decisions;
  std::vector<SessionRow> sessions;
  // Keep alive what `pages` points to.
  std::vector<std::shared_ptr<ClusterDatabase>> touched;
};

class ClusterState {
 public:
  ClusterState(size_t cached_records, size_t latest_outcomes, size_t older_outcomes)
      : cache_(cached_records), outcomes_(latest_outcomes, older_outcomes) {}

  // Takes the engine's tables, and leaves the log. kCorrupt if they contradict each other.
  Status Load(StoreContents& tables);

  const std::map<std::string, std::shared_ptr<ClusterDatabase>, std::less<>>& databases() const {
    return databases_;
  }
  std::shared_ptr<ClusterDatabase> Find(std::string_view name) const;

  // Whether memory has the page. If so, `record` becomes the page's record; null: the page has
  // none.
  bool FindPage(const ClusterDatabase& database, PageId page,
                std::shared_ptr<const PageRecord>* record);
  // A record that was read from the engine's tables.
  void Cache(const ClusterDatabase& database, PageId page,
             std::shared_ptr<const PageRecord> record) {
    cache_.Put(database.number, page, std::move(record));
  }

  void StageCommit(const CommitMark& mark, const CommitAsker& asker,
                   std::span<const Uuid> participants, std::span<const StagedPart> parts);
  void StagePrepared(CommitId id, std::string body);
  void StageResolved(CommitId id);
  void StageAcknowledged(CommitId id, const Uuid& participant);
  void StageType(std::string description);
  void StageSession(const Uuid& session, std::string program);
  void StageSessionEnd(const Uuid& session);
  std::shared_ptr<ClusterDatabase> StageCreate(const Uuid& uuid, std::string_view name);
  // The database's pages are unknown afterwards.
  void StageDelete(const std::shared_ptr<ClusterDatabase>& database);

  // The index of the type, 0 when there is none.
  uint32_t FindType(std::string_view description) const;
  const std::vector<std::string>& types() const { return types_; }
  const OutcomeMemory& outcomes() const { return outcomes_; }
  void ForgetAsker(uint64_t asker) { outcomes_.Forget(asker); }
  void NotePreparedFor(CommitId id, const CommitAsker& asker) { outcomes_.NotePrepared(id, asker); }
  const std::map<CommitId, std::string>& prepared() const { return prepared_; }
  bool Decided(CommitId id) const { return decisions_.contains(id); }
  // Programs that may come again, by session.
  const std::map<Uuid, std::string>& sessions() const { return sessions_; }

  // Bytes of pages that were staged and are not applied.
  uint64_t pending_bytes() const;
  // Whether Freeze would find something.
  bool has_changes() const;

  // `position`: of the record that was staged last.
  FrozenChanges Freeze(uint64_t position);
  void Applied(const FrozenChanges& frozen);
  // The apply has failed: what was set aside counts as staged again.
  void Unfreeze(const FrozenChanges& frozen);

 private:
  // Moves what outcomes_ has to write to new_outcomes_ and forgotten_.
  void TakeOutcomes();

  RecordCache cache_;
  std::map<std::string, std::shared_ptr<ClusterDatabase>, std::less<>> databases_;
  uint32_t next_number_ = 0;
  std::vector<std::string> types_;
  std::unordered_map<std::string_view, uint32_t> type_indexes_;
  OutcomeMemory outcomes_;
  std::map<CommitId, std::string> prepared_;
  std::map<CommitId, std::vector<Uuid>> decisions_;
  std::map<Uuid, std::string> sessions_;

  // Since Freeze.
  std::set<std::shared_ptr<ClusterDatabase>> touched_;
  std::vector<Uuid> deleted_;
  size_t applied_types_ = 0;
  std::vector<CommitMark> new_outcomes_;  // and limits of outcomes_
  std::vector<uint64_t> forgotten_;       // versions of outcomes that the engine has still
  std::set<CommitId> changed_prepared_, changed_decisions_;
  std::set<Uuid> changed_sessions_;
  uint64_t changed_pages_ = 0, applying_pages_ = 0;
  size_t applying_types_ = 0;
};

}  // namespace tenure::store
