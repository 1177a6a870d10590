#include "stabilize/commit/stabilizer.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "base/check.h"
#include "stabilize/commit/prefetch.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/page_images.h"
#include "stabilize/state/store_marks.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using abi::TypeDescriptor;

namespace {

size_t OffsetOf(const void* slot, const void* object) {
  return static_cast<size_t>(static_cast<const char*>(slot) - static_cast<const char*>(object));
}

size_t BytesOf(const TypeDescriptor& type, Ref object) {
  return kHeaderBytes + abi::PayloadBytes(type, object);
}

// An object of at least this size may have more references than are prefetched.
constexpr size_t kLong = 256;
}  // namespace

Status Stabilizer::Commit() {
  // Nothing new may be put on a page that becomes governed.
  session_.heap.RetireAllBuffers();
  FindChangedWords();
  report_.EndPhase(CommitReport::kCompare);
  Status status = FindRoots();
  report_.EndPhase(CommitReport::kRoots);
  if (status.ok()) status = AssignHomes();
  report_.EndPhase(CommitReport::kName);
  return Complete(status);
}

std::optional<Status> Stabilizer::CommitBesideOthers() {
  // A stray store of another thread traps from here on, or calls, and waits for the end of the
  // commit.
  session_.commits.SetProtectedBesideOthers(true);
  if (!WatchDirtyFrames()) return std::nullopt;
  is_protected_ = true;
  FindChangedWords();
  report_.EndPhase(CommitReport::kCompare);
  for (const auto& changes : changes_) {
    for (const auto& [number, change] : changes->pages) {
      if (change.may_reference_heap) return std::nullopt;
    }
  }
  session_.commits.SetProtectedBesideOthers(false);
  return Complete(Status::Ok());
}

Status Stabilizer::Complete(Status status) {
  if (status.ok()) {
    status = Encode();
    report_.EndPhase(CommitReport::kEncode);
  }
  if (status.ok()) status = Send();
  reached_pages_.End();
  if (!status.ok()) Undo(status.code() != StatusCode::kUnknownOutcome);
  session_.commits.arena().Reset();
  if (status.ok()) Report();
  return status;
}

// Fills the report of a commit that succeeded.
void Stabilizer::Report() {
  report_.EndPhase(CommitReport::kAccept);
  report_.displaced = session_.displaced.size();
  report_.governed = session_.governed.size();
  session_.reports.Complete(std::move(report_), session_.counters);
  if (session_.options.commit_report) std::fputs(session_.reports.LastText().c_str(), stderr);
}

// Looks only at lists that are kept: roots that were set, dirty frames, displaced objects on dirty
// governed pages. All targets of a page as committed have their homes, so only changed words can
// lead to other objects.
Status Stabilizer::FindRoots() {
  for (auto& database : session_.databases) {
    if (!database->open()) continue;
    if (database->pending_root()) {
      changes_.Of(*database).root_changed = true;
      if (!Reach(*database, *database->pending_root(), {})) return failure_.why();
    }
    for (PageId page : database->dirty()) TN_RETURN_IF_ERROR(ReachFromPage(*database, page));
  }
  std::sort(written_.begin(), written_.end(), [](const WrittenWords& a, const WrittenWords& b) {
    return std::tie(a.object, a.begin) < std::tie(b.object, b.begin);
  });
  for (const WrittenWords& words : written_) {
    if (!ReachFrom(words)) return failure_.why();
  }
  return Status::Ok();
}

// Weak references are numbers that have a meaning in this process only (gc/weak_refs.h).
template <typename Changed>
void Stabilizer::NoteWeakReferences(const TypeDescriptor& type, const void* part, size_t begin,
                                    size_t end, Changed&& changed) {
  if (!session_.reports.with_details() || type.weak_runs == nullptr) return;
  const abi::WeakRuns& weak = *type.weak_runs;
  ForEachSlotOfRuns(
      type, std::span(weak.runs, weak.run_count),
      std::span(weak.element_runs, weak.element_run_count), begin, end,
      [](const abi::SlotRun& run) -> const abi::SlotRun& { return run; },
      [&](size_t offset, const abi::SlotRun&) {
        uint64_t id = 0;
        const size_t bytes = std::min(sizeof id, end - offset);
        if (!changed(offset) && !changed(offset + bytes - 1)) return;
        std::memcpy(&id, static_cast<const char*>(part) + (offset - begin), bytes);
        if (id != 0) ++report_.not_kept[session_.reports.Capture(type, offset)];
      });
}

Status Stabilizer::ReachFromPage(Database& database, PageId page) {
  DatabaseChanges& changes = changes_.Of(database);
  const auto change = changes.pages.find(page.number);
  if (change == changes.pages.end() || !change->second.may_reference_heap) return Status::Ok();
  // A copy, because naming may put something on the page.
  const std::bitset<kWords> changed = change->second.changed;
  alignas(8) std::byte buffer[kPageBytes];
  TN_ASSIGN_OR_RETURN(std::byte* const image, ImageOf(session_, database, page, buffer));
  Status status;
  const auto reach = [&](SlotKind kind, size_t at, const TypeDescriptor& type, size_t offset) {
    if (!status.ok() || !changed.test(at / 8)) return;
    Ref target;
    std::memcpy(&target, image + at, sizeof target);
    if (kind != SlotKind::kReference) return NoteIfNotKept(kind, type, offset, target);
    if (target != nullptr && !Reach(database, target, session_.reports.Capture(type, offset)))
      status = failure_.why();
  };
  const LargeRun run = database.frames().At(page).run;
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const TypeDescriptor* const type, database.TypeOf(run.type));
    const PayloadPart part = PayloadOnPage(run);
    ForEachSlotBetween(*type, part.begin, part.end, [&](size_t offset, SlotKind kind) {
      reach(kind, part.OnPage(offset), *type, offset);
    });
    NoteWeakReferences(*type, image + part.on_page, part.begin, part.end,
                       [&](size_t offset) { return changed.test(part.OnPage(offset) / 8); });
    return status.ok() ? NoteLosses(database, page) : status;
  }
  size_t next = changed._Find_first();
  ForEachObjectInImage(image, [&](const TypeDescriptor& type, Ref object) {
    const size_t begin = OffsetOf(object, image);
    const size_t end = begin + abi::PayloadBytes(type, object);
    if (next * 8 >= end) return;
    abi::ForEachSlot(type, object, [&](void** slot, SlotKind kind) {
      const size_t offset = OffsetOf(slot, object);
      reach(kind, begin + offset, type, offset);
    });
    NoteWeakReferences(type, object, 0, end - begin,
                       [&](size_t offset) { return changed.test((begin + offset) / 8); });
    next = changed._Find_next(end / 8 - 1);
  });
  return status.ok() ? NoteLosses(database, page) : status;
}

// Gives homes to all new objects that are reached from the roots, in the order of the options.
Status Stabilizer::AssignHomes() {
  bool done = false;
  switch (session_.options.cluster) {
    case ClusterOrder::kBreadth: done = AssignBreadthFirst(); break;
    case ClusterOrder::kDepth: done = AssignDepthFirst(); break;
    case ClusterOrder::kAlloc: done = AssignByAddress(); break;
  }
  return done ? Status::Ok() : failure_.why();
}

// Reaching gives homes at once.
bool Stabilizer::AssignBreadthFirst() {
  while (next_new_ < session_.displaced.size()) {
    if (!ReachFromNextNew()) return false;
  }
  return true;
}

bool Stabilizer::AssignDepthFirst() {
  // Candidates are taken from the end, and the first root comes first.
  std::reverse(candidates_.begin(), candidates_.end());
  while (true) {
    if (next_new_ < session_.displaced.size()) {
      const size_t before = candidates_.size();
      if (!ReachFromNextNew()) return false;
      std::reverse(candidates_.begin() + static_cast<ptrdiff_t>(before), candidates_.end());
      continue;
    }
    if (candidates_.empty()) return true;
    const Candidate candidate = candidates_.back();
    candidates_.pop_back();
    // Another reference may have led to the object meanwhile.
    const bool done = ObjectHeader::Of(candidate.object)->displaced()
                          ? Reach(*candidate.database, candidate.object, candidate.by)
                          : !AssignHome(*candidate.database, candidate.object, candidate.by).nil();
    if (!done) return false;
  }
}

// Everything is reached before the first object gets its home.
bool Stabilizer::AssignByAddress() {
  std::reverse(candidates_.begin(), candidates_.end());
  for (size_t explored = 0; explored < candidates_.size(); ++explored) {
    const Candidate candidate = candidates_[explored];
    if (!ReachFrom(*candidate.database, candidate.object)) return false;
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.object < b.object; });
  for (const Candidate& candidate : candidates_) {
    if (AssignHome(*candidate.database, candidate.object, candidate.by).nil()) return false;
  }
  for (const auto& [object, database] : foreign_) {
    if (!Reach(*database, object, {})) return false;
  }
  return true;
}

bool Stabilizer::ReachFromNextNew() {
  const DisplacedObject object = session_.displaced.At(next_new_++);
  PrefetchNext(session_, next_new_);
  return ReachFromNew(object) && failure_.Note(NoteLosses(*object.database, object.home.page()));
}

bool Stabilizer::ReachFrom(Database& database, Ref object) {
  bool good = true;
  const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  abi::ForEachSlot(type, object, [&](void** slot, SlotKind kind) {
    if (!good || *slot == nullptr) return;
    const size_t offset = OffsetOf(slot, object);
    if (kind != SlotKind::kReference) return NoteIfNotKept(kind, type, offset, *slot);
    good = Reach(database, *slot, session_.reports.Capture(type, offset));
  });
  return good;
}

bool Stabilizer::ReachFrom(const WrittenWords& words) {
  Database& database = *session_.displaced.Find(words.object)->database;
  const TypeDescriptor& type = *ObjectHeader::Of(words.object)->type();
  bool good = true;
  ForEachSlotBetween(type, words.begin, words.end, [&](size_t offset, SlotKind kind) {
    if (!good) return;
    Ref target;
    std::memcpy(&target, static_cast<const char*>(words.object) + offset, sizeof target);
    if (kind != SlotKind::kReference) return NoteIfNotKept(kind, type, offset, target);
    if (target != nullptr) good = Reach(database, target, session_.reports.Capture(type, offset));
  });
  // A weak reference whose last bytes were written may begin in the word before.
  const size_t begin = words.begin < 8 ? 0 : words.begin - 8;
  NoteWeakReferences(type, static_cast<const char*>(words.object) + begin, begin, words.end,
                     [&](size_t offset) { return offset >= words.begin && offset < words.end; });
  const PageId home = session_.displaced.Find(words.object)->home.page();
  return good && failure_.Note(NoteLosses(database, home));
}

bool Stabilizer::ReachFromNew(const DisplacedObject& object) {
  Database& database = *object.database;
  const TypeDescriptor& type = *ObjectHeader::Of(object.place)->type();
  std::byte* const to = reached_pages_.PlaceOf(object, next_new_);
  if (to == nullptr) return ReachFrom(database, object.place);
  DatabaseReferences references(session_, database);
  CopyForEncoding(type, object.place, object.bytes, references, to);
  // The targets of elements, and those of long objects, have not been prefetched.
  if (object.bytes > kLong || type.element_run_count != 0) {
    PrefetchTargets(session_, type, to + kHeaderBytes);
  }
  bool good = true;
  abi::ForEachSlot(type, to + kHeaderBytes, [&](void** slot, SlotKind kind) {
    if (*slot == nullptr || !good) return;
    if (kind != SlotKind::kReference) {
      NoteIfNotKept(kind, type, OffsetOf(slot, to + kHeaderBytes), *slot);
      EncodeSlot(kind, references, {}, reinterpret_cast<std::byte*>(slot));
      return;
    }
    const std::optional<PersistentRef> stored = ReachAndTranslate(
        database, *slot, session_.reports.Capture(type, OffsetOf(slot, to + kHeaderBytes)));
    good = stored.has_value();
    if (good) std::memcpy(slot, &stored->bits, sizeof stored->bits);
  });
  return good;
}

bool Stabilizer::Reach(Database& database, Ref target, const CapturedBy& by) {
  if (target == nullptr || database.Contains(target)) return true;
  if (!session_.heap.Contains(target)) return failure_.Note(ReachOutside(database, target, by));
  const ObjectHeader& header = *ObjectHeader::Of(target);
  if (header.displaced()) {
    // With one database there is nothing to import, and most references lead here.
    return session_.databases.size() == 1 || ReachDisplaced(database, target);
  }
  if (IsLeftOut(header, by)) return true;
  switch (session_.options.cluster) {
    case ClusterOrder::kBreadth: return !AssignWithSmallTargets(database, target, by).nil();
    case ClusterOrder::kDepth: candidates_.push_back({target, &database, by}); return true;
    case ClusterOrder::kAlloc: AddToOwner(database, target, by); return true;
  }
  TN_UNREACHABLE();
}

std::optional<PersistentRef> Stabilizer::ReachAndTranslate(Database& database, Ref target,
                                                           const CapturedBy& by) {
  if (database.Contains(target)) return database.HomeAt(target);
  if (!session_.heap.Contains(target)) {
    if (!failure_.Note(ReachOutside(database, target, by))) return std::nullopt;
    return DatabaseReferences(session_, database).ToStored(target);
  }
  const ObjectHeader& header = *ObjectHeader::Of(target);
  if (header.displaced()) {
    const DisplacedObject* const object = session_.displaced.FindByHeader(target);
    if (object->database == &database) return object->home;
    if (!ReachDisplaced(database, target)) return std::nullopt;
    return DatabaseReferences(session_, database).ToStored(target);
  }
  if (IsLeftOut(header, by)) return PersistentRef::Nil();
  const PersistentRef home = AssignWithSmallTargets(database, target, by);
  if (home.nil()) return std::nullopt;
  return home;
}

bool Stabilizer::ReachDisplaced(Database& database, Ref target) {
  const DisplacedObject* const object = session_.displaced.FindByHeader(target);
  return object->database == &database ||
         failure_.Note(Import(database, *object->database, object->home));
}

bool Stabilizer::IsLeftOut(const ObjectHeader& header, const CapturedBy& by) {
  if ((header.type()->flags & abi::kTypeTransient) == 0) return false;
  left_out_ = true;
  if (session_.reports.with_details()) ++report_.not_kept[by];
  return true;
}

Status Stabilizer::NoteLosses(Database& database, PageId page) {
  return std::exchange(left_out_, false) ? KeepByTrap(database, page) : Status::Ok();
}

// An object that two databases reach belongs to the first.
void Stabilizer::AddToOwner(Database& database, Ref target, const CapturedBy& by) {
  if (const auto [it, fresh] = owner_.insert({target, &database}); fresh) {
    candidates_.push_back({target, &database, by});
  } else if (it->second != &database) {
    foreign_.push_back({target, &database});
  }
}

PersistentRef Stabilizer::AssignWithSmallTargets(Database& database, Ref object,
                                                 const CapturedBy& by) {
  const PersistentRef home = AssignHome(database, object, by);
  if (home.nil() || !AssignSmallTargets(database, object)) return PersistentRef::Nil();
  return home;
}

Status Stabilizer::ReachOutside(Database& database, Ref target, const CapturedBy& by) {
  if (Database* other = session_.DatabaseAt(target)) {
    return Import(database, *other, other->HomeAt(target));
  }
  if (session_.missing.Contains(target)) return ImportMissing(database, target);
  if (database.literals().contains(target)) return Status::Ok();
  // Outside of heap and databases there are only text literals.
  return CopyLiteral(database, target, by);
}

PersistentRef Stabilizer::AssignHome(Database& database, Ref object, const CapturedBy& by) {
  const auto failed = [&](Status status) {
    failure_.Note(status);
    return PersistentRef::Nil();
  };
  ObjectHeader* const header = ObjectHeader::Of(object);
  const TypeDescriptor& type = *header->type();
  const size_t bytes = BytesOf(type, object);
  Result<uint32_t> index = database.store().catalog.IndexOf(database.server(), type);
  if (!index.ok()) return failed(index.status());
  const PersistentRef home = placement_.Place(database, type, bytes);
  if (home.nil()) return failed(placement_.failure());
  // A page-mate of objects that were named before may lie on a protected page.
  if (GovernedPage* page = session_.governed.Find(header)) {
    const Status status = session_.governed.MakeWritable(*page);
    if (!status.ok()) return failed(status);
  }
  header->word |= session_.displaced.HeaderBitsOfNext();
  session_.displaced.Add({object, &database, home, bytes});
  session_.governed.Add(object, bytes);
  if (session_.options.barriers == abi::StoreBarriers::kSoftware && HasUnkeptSlots(type) &&
      !failure_.Note(KeepByTrap(database, home.page()))) {
    return PersistentRef::Nil();
  }
  NotePersisted(type, bytes, by);
  NoteWeakReferences(type, object, 0, bytes - kHeaderBytes, [](size_t) { return true; });
  return home;
}

bool Stabilizer::AssignSmallTargets(Database& database, Ref object) {
  return small_targets_.PlaceBehind(object, [&](Ref target, const CapturedBy& by) {
    return !AssignHome(database, target, by).nil();
  });
}

void Stabilizer::NotePersisted(const TypeDescriptor& type, size_t bytes, const CapturedBy& by) {
  report_.persisted.Add(bytes);
  if (!session_.reports.with_details()) return;
  report_.by_type[&type].Add(bytes);
  report_.by_reference[by].Add(bytes);
}

// A TRANSIENT field is NIL in the store by intention.
void Stabilizer::NoteIfNotKept(SlotKind kind, const TypeDescriptor& type, size_t offset,
                               const void* word) {
  if (!session_.reports.with_details() || word == nullptr) return;
  const bool lost = kind == SlotKind::kUntraced ||
                    (kind == SlotKind::kProcedure &&
                     session_.procedures.NameOf(const_cast<void*>(word)) == nullptr);
  if (lost) ++report_.not_kept[session_.reports.Capture(type, offset)];
}

Status Stabilizer::CopyLiteral(Database& database, Ref literal, const CapturedBy& by) {
  const TypeDescriptor& type = *ObjectHeader::Of(literal)->type();
  TN_CHECK((type.flags & abi::kTypeText) != 0);
  TN_RETURN_IF_ERROR(database.store().catalog.IndexOf(database.server(), type).status());
  const size_t bytes = BytesOf(type, literal);
  const PersistentRef home = placement_.Place(database, type, bytes, /*at_once=*/true);
  if (home.nil()) return placement_.failure();
  // The copy is at its home at once; the program goes on with the literal itself.
  const uint64_t header = ObjectHeader::ForType(&type);
  if (bytes > kPageBytes) ClearBehindLarge(database, {home, bytes});
  char* copy = database.mapping().Alias(database.AddressOf(home));
  std::memcpy(copy - kHeaderBytes, &header, sizeof header);
  std::memcpy(copy, literal, bytes - kHeaderBytes);
  if (std::byte* const encoded = changes_.At(changes_.Of(database), home.page()).encoded) {
    DatabaseReferences references(session_, database);
    EncodeObject(type, literal, bytes, references, encoded + Placed{home, bytes}.offset());
  }
  database.AddLiteral(literal, home);
  literals_.push_back({&database, literal});
  NotePersisted(type, bytes, by);
  return Status::Ok();
}

}  // namespace tenure::stabilize
