// Checks the requests of programs to a served store, with the rules by which verification and
// programs read the data later (docs/page_format.md): the store accepts nothing that verification
// would report. So that this stays true without a look at the whole store, an object keeps its
// place, its type and its length until a collection has found it dead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/server/dead_objects.h"
#include "store/server/described_type.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class RequestCheck {
 public:
  // `store` outlives it, and is at `place`, an absolute path or a URI. `open` opens one of its
  // databases for good.
  RequestCheck(PageServer& store, std::string place,
               std::function<Result<DatabaseId>(const std::string& name)> open)
      : store_(store), place_(std::move(place)), open_(std::move(open)) {}

  // kInvalidArgument unless the text describes a type.
  static Status CheckType(std::span<const std::byte> description);
  // PageServer::AddType; kInvalidArgument also for a description that contradicts another one of
  // the same type.
  Result<uint32_t> AddType(std::span<const std::byte> description);

  // Who sends a commit.
  struct Requester {
    const void* client = nullptr;  // tells collectors from each other
    bool owner = true;             // may make databases
  };
  // What the check of a commit leaves to do.
  struct Checked {
    uint64_t dead_changes = 0;
    std::vector<std::pair<DatabaseId, std::vector<PageId>>> disconnected;
  };
  // kInvalidArgument, and what makes no sense. No other thread may write the pages that the request
  // changes meanwhile.
  Status CheckCommit(const CommitRequest& request, const Requester& by, Checked* checked);
  // False: a collection has decided meanwhile; the commit must be checked again, before any other
  // collection decides.
  bool IsCurrent(const Checked& checked) const { return checked.dead_changes == dead_.changes(); }
  // The commit has taken place.
  void NoteCommitted(const Requester& by, const Checked& checked);

  // kInvalidArgument unless each candidate is an object, and nothing but candidates refers to
  // candidates: no other object, no root, no export. *edges: their references to each other.
  // Commits that go on meanwhile are the caller's to watch. Reads the whole database.
  Status FindEdges(DatabaseId database, std::span<const Candidate> candidates,
                   std::vector<CandidateEdge>* edges);
  // DeadObjects::Decide, when the candidates' references to each other are these. No commit may be
  // ordered meanwhile.
  void Decide(DatabaseId database, const void* collector, std::span<const Candidate> candidates,
              std::span<const CandidateEdge> edges, std::vector<bool>* held);
  DeadObjects& dead() { return dead_; }

  // The database is closed; its number may become another one's.
  void Forget(DatabaseId database);

 private:
  class Pages;
  struct Objects;
  // By index, as far as they were asked for.
  using TypeCache = std::vector<const DescribedType*>;
  using PagesOfCommit = std::vector<std::unique_ptr<Pages>>;
  using TypePtr = std::shared_ptr<const DescribedType>;

  // Null: there is none. The entries live as long as this object.
  Result<const DescribedType*> TypeAt(uint64_t index);
  TypePtr TypeWith(const std::string& fingerprint) TN_REQUIRES(lock_);
  // Whether an object of the type with this index may be where a slot declares one of these.
  Result<bool> MayRefer(const std::vector<TypeName>& declared, uint32_t target);
  // Whether programs take an object of the one type for one of the other: two descriptions of it.
  Result<bool> IsOneType(uint32_t a, uint32_t b);
  // The entry of the database's import table; nothing: it is shorter.
  Result<std::optional<ImportEntry>> ImportAt(DatabaseId database, uint64_t number);
  Result<std::optional<ExportEntry>> ExportAt(DatabaseId database, uint64_t number);
  // The store's database with this name and uuid; nothing: there is none.
  Result<std::optional<DatabaseId>> DatabaseOf(const ImportEntry& entry);
  // Whether a database of the store has the same entry.
  Result<bool> IsKnownImport(const ImportEntry& entry);
  // Where objects begin on a page, and that they and free places are all that there is.
  Status Walk(PageId page, const LargeRun& run, const std::byte* contents, Objects* objects,
              TypeCache* types);
  // Calls visit(object, target) for each reference on the page to an object of the same database.
  template <typename Visit>
  Status ForEachReference(PageId page, const LargeRun& run, const std::byte* contents,
                          TypeCache* types, const Visit& visit);
  // kInvalidArgument: there is no such type of objects.
  Result<const DescribedType*> ObjectTypeAt(PageId page, uint64_t index, TypeCache* types);
  // The type of an object of a stored page; null: not known.
  Result<const DescribedType*> StoredTypeOf(DatabaseId database, PersistentRef object);
  Status RefreshTypes(size_t least) TN_REQUIRES(lock_);

  // Objects that stored pages were seen to have: they stay.
  std::optional<uint32_t> KnownObject(DatabaseId database, uint64_t bits);
  // `dead_changes`: from before the page was read.
  void NoteObject(DatabaseId database, uint64_t bits, uint32_t type, uint64_t dead_changes);
  void ForgetObjects();

  PageServer& store_;
  const std::string place_;
  const std::function<Result<DatabaseId>(const std::string& name)> open_;
  Mutex adding_;  // held while a type is added
  Mutex lock_;
  std::vector<TypePtr> types_ TN_GUARDED_BY(lock_);  // by index - 1
  std::unordered_map<uint64_t, size_t> by_fingerprint_
      TN_GUARDED_BY(lock_);  // index - 1 of the first type that has it
  std::map<std::pair<const void*, uint32_t>, bool> may_refer_ TN_GUARDED_BY(lock_);
  std::map<std::pair<uint32_t, uint32_t>, bool> one_type_ TN_GUARDED_BY(lock_);
  std::map<uint32_t, std::vector<ImportEntry>> imports_
      TN_GUARDED_BY(lock_);  // at least, by database
  std::map<uint32_t, std::vector<ExportEntry>> exports_ TN_GUARDED_BY(lock_);
  DeadObjects dead_;  // has a lock of its own

  struct Known {
    uint64_t bits = 0;
    uint32_t database = 0, type = 0;
  };
  Mutex known_lock_;
  std::vector<Known> known_ TN_GUARDED_BY(known_lock_);
};

}  // namespace tenure::store
