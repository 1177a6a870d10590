// Commit: names what has become reachable, encodes the pages concerned, sends what
// changed, and leaves every object where it is (design.md section 5, "Commit names, the collector
// moves").
#pragma once

#include <bitset>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

// One commit. Used once, with the session's lock and the world stopped (or one mutator).
class Stabilizer {
 public:
  // `goes_on`: the transaction stays open, with pages that it is likely to write again.
  Stabilizer(SessionState& session, bool goes_on) : session_(session), goes_on_(goes_on) {}

  // Everything. When it fails, what it named is unnamed again; the transaction's writes are still
  // in memory, for the caller to take back.
  Status Commit();
  // A permission was refused, so nothing was sent. What was read is still what is stored.
  bool was_refused() const { return refused_; }

 private:
  void Report();
  static constexpr size_t kWords = abi::kPageBytes / 8;

  // What this commit does to a page.
  struct PageChange {
    bool fresh = false;  // the store has no such page yet
    LargeRun run;
    std::bitset<kWords> changed;  // words that may differ from the store's
    bool leads = false;           // one of them, of a dirty frame, may refer to a transient object
    bool stays_open = false;      // its twin has the changed words already (twins_before_)
    // Of the session's arena, of a page that is sent whole. Of a fresh page that is ordinary, while
    // objects are named in the order in which they are reached, each is put there when all that it
    // refers to has been named.
    std::byte* encoded = nullptr;
    std::vector<ChangedRegion> regions;
    std::optional<uint32_t> checksum;
  };
  struct DatabaseChanges {
    Database* database = nullptr;
    std::map<uint64_t, PageChange> pages;  // by number
    OpenPages open_before;
    std::vector<PageRun> taken;  // fresh pages
    size_t fresh = 0;            // how many these are
    // New entries of its tables of references between databases, which have them already.
    size_t imports_before = 0, exports_before = 0;
    uint64_t connection = 0;  // of the database, when pages were taken
    std::vector<ImportEntry> imports;
    std::vector<ExportEntry> exports;
    uint64_t version = 0;  // that the server gave the commit
    bool root_changed = false;
    PersistentRef root;
  };
  // Reached, transient and not named yet.
  struct Candidate {
    abi::Ref object;
    Database* database;
    CapturedBy by;
  };

  using ChangedPages = std::vector<std::pair<PageId, PageChange>>;
  // Changed words of a displaced object: those between two offsets from its payload.
  struct WrittenWords {
    abi::Ref object;
    size_t begin, end;
  };

  DatabaseChanges& ChangesOf(Database& database);
  // The page's entry there, made if it is missing; until Encode.
  PageChange& ChangeOf(DatabaseChanges& changes, PageId page);
  // Of dirty frames and of displaced objects on dirty governed pages; the latter are `written_`.
  void FindChangedWords();
  void FindChangedWords(Database& database, std::span<const PageId> dirty, bool keeps,
                        ChangedPages& found, std::vector<TwinWord>& twins_before) const;
  void FindChangedWords(const GovernedPage& page);
  Status FindRoots();
  // Reaches what changed words of a dirty frame refer to.
  Status ReachFromPage(Database& database, PageId page);
  Status Name();
  // Asks the memory for what naming the objects behind the next ones needs.
  void FetchAhead() const;
  // The same for all that an object of many references refers to.
  void FetchTargets(const abi::TypeDescriptor& type, void* payload) const;
  void FetchEntry(abi::Ref target) const;
  // What is done for every object and reference returns no Status: to copy one waits until
  // everything that was stored before has got to the cache. It returns false, or NIL, when it
  // failed, and `failure_` says why.
  bool Fail(Status status) {
    failure_ = status;
    return false;
  }
  // Reaches all that an object refers to.
  bool ReachFrom(Database& database, abi::Ref object);
  // Reaches what changed words of a displaced object refer to.
  bool ReachFrom(const WrittenWords& words);
  // Reaches all of an object that this commit has named, which is encoded with that if its page is.
  bool ReachFromNamed(const DisplacedObject& object);
  // A reference that is about to be stored in `database`: when its target is transient, names it or
  // makes it a candidate. `stored`, if it is not null, gets the reference's stored form; only while
  // there are no candidates.
  bool Reach(Database& database, abi::Ref target, const CapturedBy& by,
             PersistentRef* stored = nullptr);
  // The same for what is not in the heap.
  Status ReachOutside(Database& database, abi::Ref target, const CapturedBy& by);
  PersistentRef NameObject(Database& database, abi::Ref object, const CapturedBy& by);
  // With breadth-first order: names the small objects behind this new one
  // (store/format/clustering.h), which do not come with others of their generation.
  bool NameSmallTargets(Database& database, abi::Ref object);
  // Appends them to small_targets_, the first as the last; whether all that it refers to is small.
  bool PushSmallTargets(abi::Ref object);
  Status NameLiteral(Database& database, abi::Ref literal, const CapturedBy& by);
  CapturedBy Capture(const abi::TypeDescriptor& type, size_t offset) const;
  void NotePersisted(const abi::TypeDescriptor& type, size_t bytes, const CapturedBy& by);
  // For the report only: a slot, not NIL, that is no reference; weak references among the bytes
  // [begin, end) of a payload, which `part` has. Those of which nothing lies on a word that
  // `changed`(offset of a byte in the payload) says yes of are left out.
  void NoteIfNotKept(abi::SlotKind kind, const abi::TypeDescriptor& type, size_t offset,
                     const void* word);
  template <typename Changed>
  void NoteWeakReferences(const abi::TypeDescriptor& type, const void* part, size_t begin,
                          size_t end, Changed&& changed);
  // `database` is going to refer to an object of `target` that has this home, or to one that is
  // missing: stabilize/commit/imports.cc.
  Status Import(Database& database, Database& target, PersistentRef home);
  Status AddImport(Database& database, const ImportEntry& entry, Database* target,
                   PersistentRef home);
  Status ImportMissing(Database& database, abi::Ref missing);
  // A slot of `bytes` on an open page, maybe a fresh one. `at_once`: something is put there before
  // the commit ends.
  PersistentRef Place(Database& database, size_t bytes, bool apart, bool at_once);
  // The same for an object of any size.
  PersistentRef PlaceObject(Database& database, const abi::TypeDescriptor& type, size_t bytes,
                            bool at_once = false);
  // A fresh page takes the place of the fuller open one.
  Status TakeOpenPage(DatabaseChanges& changes, bool apart);
  // Nothing more is put on an open page: its free end is encoded, if the page is.
  void FinishOpenPage(DatabaseChanges& changes, const OpenPage& open);
  // Objects are encoded as they are reached.
  bool encodes_reached() const { return session_.options.cluster == ClusterOrder::kBreadth; }
  Result<PersistentRef> PlaceLarge(Database& database, const abi::TypeDescriptor& type,
                                   size_t bytes);
  Status Encode();
  // Nothing is put on the page any more; its server may begin with it.
  void FinishPage(DatabaseChanges& changes, const std::byte* encoded);
  // At least these parts, each to its place in the page at `to`.
  Status EncodeOne(Database& database, PageId page, const PageChange& change,
                   std::span<const PagePart> parts, std::byte* to);
  // All of that but the procedures that the program has not.
  Status EncodeKnown(Database& database, PageId page, const PageChange& change,
                     std::span<const PagePart> parts, std::byte* to);
  Status Send();
  // The commit over the stores that have changes, the first deciding.
  struct Part;
  void MakeParts(std::vector<Part>& parts);
  Status WantAll(Part& part);
  Status ConfirmOthers(const std::vector<Part>& parts);
  CommitAnswer SendToOne(Part& part, std::span<const Uuid> participants);
  CommitAnswer SendToAll(std::vector<Part>& parts);
  // What became of a commit whose answer is unknown.
  CommitAnswer AskOutcome(OpenStoreState& store, CommitAnswer answer);
  Status Accept();
  // Whether the page, when it has changed, shall stay open for writing, with what is committed now
  // as its twin.
  bool StaysOpen(Database& database, PageId page) const;
  // Whether Reach would do something about a word, if that were a reference.
  bool MayLead(const Database& database, uint64_t word) const;
  // `outcome_known`: it is certain that the server has none of this.
  void Undo(bool outcome_known);

  SessionState& session_;
  const bool goes_on_;
  const CommitId id_ = NewCommitId();
  std::vector<std::unique_ptr<DatabaseChanges>> changes_;
  // What ChangeOf found last: objects are named page by page.
  struct {
    const DatabaseChanges* changes = nullptr;
    PageId page;
    PageChange* change = nullptr;
  } last_;
  CommitReport report_;
  Status failure_;
  bool refused_ = false;
  std::vector<WrittenWords> written_;
  // Of DisplacedObjects: the first that this commit has named, and the first of these that was not
  // looked at.
  const size_t first_named_ = session_.displaced.size();
  size_t next_named_ = first_named_;
  // Where ReachFromNamed put something last.
  struct {
    const DatabaseChanges* changes = nullptr;
    PageId page;
    std::byte* encoded = nullptr;
  } encoding_;
  // Pages that nothing more is put on, encoded when so many of DisplacedObjects have been looked
  // at.
  struct ClosedPage {
    const std::byte* encoded;
    size_t named;
  };
  std::vector<ClosedPage> closed_;
  size_t next_closed_ = 0;
  // Finished pages that were not sent ahead of the commit yet.
  std::vector<const std::byte*> finished_;
  OpenStoreState* sent_ahead_to_ = nullptr;  // whose server may be another one afterwards
  std::vector<Candidate> candidates_;        // not with breadth-first order
  // While small objects are named; the second for PushSmallTargets.
  std::vector<abi::Ref> small_targets_, pure_targets_;
  std::unordered_map<abi::Ref, CapturedBy> small_captured_;  // for the report only
  struct RefHash {
    uint64_t operator()(abi::Ref object) const {
      return SpreadBits(reinterpret_cast<uintptr_t>(object));
    }
  };
  Cluster<abi::Ref, abi::Ref, abi::TypeDescriptor, RefHash> cluster_;
  // Where something else comes instead of a procedure that the program has not.
  struct ReplacedProcedure {
    Database* database;
    PageId page;
    size_t offset;
  };
  std::vector<ReplacedProcedure> replaced_procedures_;
  // By address only: the database that a candidate belongs to.
  std::unordered_map<abi::Ref, Database*> owner_;
  std::vector<std::pair<abi::Ref, Database*>> foreign_;  // references between databases to these
  std::vector<std::pair<Database*, const void*>> literals_;  // copied by this commit
};

}  // namespace tenure::stabilize
