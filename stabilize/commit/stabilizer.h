// Commit: gives homes to the objects that have become reachable, encodes the pages concerned and
// sends what changed. It moves no object; the collector does (docs/stabilization.md).
#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "stabilize/commit/placement.h"
#include "stabilize/commit/reached_pages.h"
#include "stabilize/commit/small_targets.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

// One commit. Used once, with the session's lock and the world stopped (or one mutator).
class Stabilizer {
 public:
  // `goes_on`: the transaction stays open, with pages that it is likely to write again. `ordered`:
  // null, or the commit need only be ordered, and *ordered becomes its number, or that of the
  // newest commit that the transaction may have seen (OrderedCommits); 0: durable.
  Stabilizer(SessionState& session, bool goes_on, uint64_t* ordered)
      : session_(session), goes_on_(goes_on), ordered_(ordered) {}

  // The whole commit. When it fails, new objects have no homes again; the transaction's writes are
  // still in memory, for the caller to roll back.
  Status Commit();
  // The same while other threads run, none of which works in the transaction. The transaction has
  // written to pages of one store only, and to no object of the heap. Nothing: the commit needs a
  // stop of the world, since a changed word may refer to a new object; nothing has been committed.
  std::optional<Status> CommitBesideOthers();
  // After a failure: a permission was refused, so nothing was sent, and the pages that were read
  // are still as stored.
  bool was_refused() const { return refused_; }

 private:
  static constexpr size_t kWords = abi::kPageBytes / 8;

  // Encodes, sends, and finishes the commit, which has found `status` so far.
  Status Complete(Status status);
  void Report();
  // A transient object that was reached and has no home yet.
  struct Candidate {
    abi::Ref object;
    Database* database;
    CapturedBy by;
  };

  using ChangedPages = std::vector<std::pair<PageId, PageChange>>;
  // Why a function that is called for each object or reference has failed. Such a function returns
  // false or NIL instead of a Status: copying a Status waits until everything that was stored
  // before has reached the cache.
  class FirstFailure {
   public:
    // Whether the status is ok; notes it otherwise, if it is the first one.
    bool Note(const Status& status) {
      if (status.ok()) return true;
      if (why_.ok()) why_ = status;
      return false;
    }
    const Status& why() const { return why_; }

   private:
    Status why_;
  };
  // Changed words of a displaced object: those between two offsets from its payload.
  struct WrittenWords {
    abi::Ref object;
    size_t begin, end;
  };

  // Finds the changed words of dirty frames, and of displaced objects on dirty governed pages; the
  // latter become `written_`.
  void FindChangedWords();
  void FindChangedWords(Database& database, std::span<const PageId> dirty, bool keeps,
                        ChangedPages& found, std::vector<TwinWord>& twins_before) const;
  void FindChangedWords(const GovernedPage& page);
  // Notes a changed word of a page's image, and returns its present value.
  uint64_t NoteChanged(const Database& database, const std::byte* image, size_t word,
                       PageChange& change) const;
  // The words of the page's marked blocks.
  void AddMarkedWords(Database& database, PageId page, PageChange& change) const;
  Status FindRoots();
  // Reaches what changed words of a dirty frame refer to.
  Status ReachFromPage(Database& database, PageId page);
  Status AssignHomes();
  bool AssignBreadthFirst();
  bool AssignDepthFirst();
  bool AssignByAddress();
  // Reaches all that an object refers to.
  bool ReachFrom(Database& database, abi::Ref object);
  // Reaches what changed words of a displaced object refer to.
  bool ReachFrom(const WrittenWords& words);
  // Takes the next new object, in the order in which they got their homes.
  bool ReachFromNextNew();
  // Reaches all targets of an object to which this commit has given its home. Encodes the object
  // meanwhile if its page is encoded as objects are reached.
  bool ReachFromNew(const DisplacedObject& object);
  // A reference that is about to be stored in `database`: gives its target a home there or makes it
  // a candidate, unless the target is persistent already.
  bool Reach(Database& database, abi::Ref target, const CapturedBy& by);
  // With breadth-first order: the same, and returns the stored form of the reference, which is not
  // NIL in memory. NIL: the target is not kept. Nothing: a failure.
  std::optional<PersistentRef> ReachAndTranslate(Database& database, abi::Ref target,
                                                 const CapturedBy& by);
  // Imports the object if it has its home in another database.
  bool ReachDisplaced(Database& database, abi::Ref target);
  // Whether the object is of a TRANSIENT type: references to it are stored as NIL.
  bool IsLeftOut(const abi::ObjectHeader& header, const CapturedBy& by);
  // If the search has just met a reference to an object of a TRANSIENT type: notes that the page
  // has, or will have, an object that would not be the same if the page was read again.
  Status NoteLosses(Database& database, PageId page);
  void AddToOwner(Database& database, abi::Ref target, const CapturedBy& by);
  // Reaches a target that is not in the heap: an import, or a literal that is copied.
  Status ReachOutside(Database& database, abi::Ref target, const CapturedBy& by);
  // The object's home: a place of its size, on a page that has room or on new ones. The object
  // stays in the heap, displaced. NIL: it failed.
  PersistentRef AssignHome(Database& database, abi::Ref object, const CapturedBy& by);
  // With breadth-first order: also gives homes to the small objects behind this new one
  // (store/format/clustering.h), ahead of others of their generation.
  PersistentRef AssignWithSmallTargets(Database& database, abi::Ref object, const CapturedBy& by);
  bool AssignSmallTargets(Database& database, abi::Ref object);
  Status CopyLiteral(Database& database, abi::Ref literal, const CapturedBy& by);
  void NotePersisted(const abi::TypeDescriptor& type, size_t bytes, const CapturedBy& by);
  // For the report only. NoteIfNotKept: notes a non-NIL slot that is not a reference.
  // NoteWeakReferences: notes weak references among the bytes [begin, end) of a payload, given as
  // `part`, if changed(offset in the payload) is true for one of their words.
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
  Status Encode();
  // Encodes at least these parts, each to its place in the page at `to`.
  Status EncodeOne(Database& database, PageId page, const PageChange& change,
                   std::span<const PagePart> parts, std::byte* to);
  // Like EncodeOne, but leaves procedures that the program does not have NIL.
  Status EncodeKnown(Database& database, PageId page, const PageChange& change,
                     std::span<const PagePart> parts, std::byte* to);
  Status Send();
  // A store that has changes, and its part of the commit. The first one decides.
  struct Part;
  void MakeParts(std::vector<Part>& parts);
  Status WantAll(Part& part);
  // Makes the ordered commits durable that must be so before these parts are ordered.
  Status AwaitEarlier(const std::vector<Part>& parts);
  CommitAnswer SendToOne(Part& part, std::span<const Uuid> participants);
  CommitAnswer SendToAll(std::vector<Part>& parts);
  // Asks for the outcome of a commit whose answer is unknown.
  CommitAnswer AskOutcome(OpenStoreState& store, CommitAnswer answer);
  Status Accept();
  using KeptOpen = std::unordered_map<const Database*, std::vector<PageId>>;  // pages ascend
  // Notes the versions and runs of the pages sent. Appends those that stay open to `kept`.
  Status AcceptPages(DatabaseChanges& changes, KeptOpen& kept);
  // From here on, a thread that stores to a dirty frame waits for the session's lock: the frames
  // are protected, and in those that were left open the barriers of all blocks call the run time.
  // False: that was not possible.
  bool WatchDirtyFrames();
  // Makes the database's dirty frames clean again, except those that stay open.
  Status CleanDirtyFrames(Database& database, std::vector<PageId> kept);
  Status AcceptGovernedPages();
  // Whether a changed page stays open for writing after the commit. Its twin is then the committed
  // image.
  bool StaysOpen(Database& database, PageId page) const;
  // Whether Reach would do anything for this word, if the word is a reference.
  bool MayReferenceHeap(const Database& database, uint64_t word) const;
  // `outcome_known`: it is certain that the server has none of this.
  void Undo(bool outcome_known);

  SessionState& session_;
  const bool goes_on_;
  uint64_t* const ordered_;
  // Dirty frames are not writable any more, except those that were left open.
  bool is_protected_ = false;
  // They may not be.
  const bool may_be_protected_ = session_.commits.TakeProtectedBesideOthers();
  const CommitId id_ = NewCommitId();
  ChangeSet changes_{session_.commits.arena()};
  Placement placement_{session_, changes_};
  ReachedPages reached_pages_{placement_, changes_, id_};
  SmallTargets small_targets_{session_};
  CommitReport report_;
  FirstFailure failure_;
  bool refused_ = false;
  bool left_out_ = false;  // IsLeftOut was true since the last NoteLosses
  std::vector<WrittenWords> written_;
  // Numbers in DisplacedObjects: the first object to which this commit gave a home, and the first
  // of these whose targets have not been reached yet.
  const size_t first_new_ = session_.displaced.size();
  size_t next_new_ = first_new_;
  std::vector<Candidate> candidates_;  // not with breadth-first order
  // A slot whose stored procedure the program does not have, and which now gets another value.
  struct ReplacedProcedure {
    Database* database;
    PageId page;
    size_t offset;
  };
  std::vector<ReplacedProcedure> replaced_procedures_;
  // With ClusterOrder::kAlloc: the database that a candidate belongs to.
  std::unordered_map<abi::Ref, Database*> owner_;
  std::vector<std::pair<abi::Ref, Database*>> foreign_;  // references between databases to these
  std::vector<std::pair<Database*, const void*>> literals_;  // copied by this commit
};

}  // namespace tenure::stabilize
