// The check of one database's pages in a commit that a program sends to a served store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/server/described_type.h"
#include "store/server/known_store.h"
#include "store/server/object_starts.h"
#include "store/server/page_server.h"
#include "store/server/pages_before.h"

namespace tenure::store {

// Who sends a commit.
struct CommitRequester {
  const void* client = nullptr;  // tells collectors from each other
  bool owner = true;             // may make databases
};

// What the check of a commit leaves to do.
struct CheckedCommit {
  uint64_t dead_changes = 0;
  std::vector<std::pair<DatabaseId, std::vector<PageId>>> disconnected;
};

// One thread.
class CommitPages {
 public:
  // One for each database of a commit.
  using AllPages = std::vector<std::unique_ptr<CommitPages>>;

  CommitPages(KnownStore& store, const CommitRequest& request, const DatabaseCommit& commit,
              const CommitRequester& by)
      : store_(store), request_(request), commit_(commit), by_(by), stored_(store.pages, commit) {}

  DatabaseId database() const { return commit_.database; }
  // First for each database: finds where objects will begin, and checks that earlier ones stay.
  Status FindObjects();
  // Call then. Checks that new references lead to objects that may be there.
  Status CheckReferences(const AllPages& all, CheckedCommit* checked);
  // The index of the type of an object of this database, as it will be; 0: none begins there, or
  // that is not known.
  Result<uint32_t> TypeIndexOf(uint64_t bits);

 private:
  static bool IsPartOfNew(const PageWrite& write) { return IsFresh(write) && write.run.large(); }
  // A large object is made as a whole, with nothing behind it.
  Status CheckNewRuns();
  // Checks the bytes behind the large object, whose first page is `first`, on its last page.
  Status CheckTail(PageId page, const LargeRun& run, const std::byte* contents,
                   const std::byte* first);
  Status FindChanged(const PageWrite& write, const PageRecord& record);
  // Whether the object may become a free place.
  Result<bool> MayGo(PageId page, uint64_t bits, uint32_t index);
  Status CheckRemoved(PageId page, const PageRecord& record, const ObjectStarts& before);
  // A stored large object keeps its header and its length, and has nothing behind it.
  Status CheckLarge(const PageWrite& write, const PageRecord& record, const std::byte* after);

  // --- Tables

  Status CheckTables();
  // The export to which an entry with an empty store leads after this commit; nothing: there is no
  // such database or export.
  Result<std::optional<ExportEntry>> ExportOf(const ImportEntry& entry);
  // Only a new database can be marked as being imported, by its owner.
  Status CheckMark();

  // --- References

  // The type of an object of this database; null: it is not known.
  Result<const DescribedType*> TypeOf(uint64_t bits);
  // The index of the type of the object that begins there, or 0 if its page cannot be read;
  // nothing: none begins there.
  Result<std::optional<uint32_t>> Find(PageId on, uint64_t bits);
  // `declared`: null if any object may be there.
  Status CheckReference(PageId on, const std::vector<TypeName>* declared, uint64_t bits);
  Status CheckTarget(PageId on, const std::vector<TypeName>* declared, uint32_t type,
                     uint64_t bits);
  Status CheckImport(PageId on, const std::vector<TypeName>* declared, uint64_t number);
  Status CheckSlot(PageId page, const DescribedType::Slots& slots, uint64_t stored);
  // Checks the slots of a page whose objects are known. `before` and `objects`: what it was; null:
  // there was no such page. Words that stay are not looked at: nothing that they refer to goes.
  // `regions`: outside of these nothing has changed; empty: anything may have.
  Status CheckSlots(PageId page, const LargeRun& run, const std::byte* contents,
                    const std::byte* before, const ObjectStarts* objects,
                    std::span<const ChangedRegion> regions);
  // Notes pages on which dead objects referred to dead ones before the commit, and do so no more.
  Status NoteDisconnected(CheckedCommit* checked);
  Result<bool> RefersToDead(const PageWrite& write, const PageRecord& record);
  Result<const DescribedType*> TypeAt(PageId page, uint64_t index);
  // The type of the root before the commit; null: not known.
  Result<const DescribedType*> StoredRootType();

  KnownStore& store_;
  const CommitRequest& request_;
  const DatabaseCommit& commit_;
  const CommitRequester by_;
  PagesBefore stored_;
  const AllPages* all_ = nullptr;
  uint64_t last_ = 0;         // page that has been handed out
  uint64_t new_imports_ = 0;  // the import table's length afterwards
  PersistentRef root_before_, root_;
  std::unordered_map<uint64_t, ObjectStarts> objects_;    // by page, as they will be
  std::unordered_map<uint64_t, ObjectStarts> before_;     // of pages that change, as they were
  std::unordered_map<uint64_t, const PageWrite*> large_;  // parts of new large objects
  std::unordered_set<uint64_t> removed_;                  // pages
  KnownTypes::Cache types_;
  const uint64_t dead_changes_ = store_.dead.changes();     // before any page is read
  bool importing_ = false;                                  // the root is a mark, before
  const std::vector<TypeName>* recent_declared_ = nullptr;  // an answer of MayRefer
  uint32_t recent_type_ = 0;
  std::unique_ptr<PageReply> target_ = std::make_unique<PageReply>();
};

}  // namespace tenure::store
