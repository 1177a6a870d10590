#include "gc/collector.h"

#include <algorithm>
#include <bit>

#include "base/metrics.h"
#include "gc/ambiguous_roots.h"
#include "gc/card_scanner.h"
#include "gc/card_table.h"
#include "gc/helper_threads.h"
#include "gc/object_visitor.h"
#include "gc/shared_drain.h"
#include "gc/weak_refs.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

// A minor collection's pause, with its step of the old generation's collection, should end this
// long after the planned length of a slice. When the minor collection has used up that time, the
// step still gets kLeastStepNs; slices with their own pauses do the rest.
constexpr uint64_t kLongerThanSliceNs = 200'000;
constexpr uint64_t kLeastStepNs = 50'000;
constexpr size_t kPagesAtOnce = 64;

// Adapts the run time's exact roots to the evacuator.
class ExactRoots final : public ExactRootVisitor {
 public:
  ExactRoots(Evacuator& evacuator, bool only_young)
      : evacuator_(evacuator), only_young_(only_young) {}
  void VisitSlot(Ref* slot) override { evacuator_.Update(slot); }
  bool WantsOnlyYoung() const override { return only_young_; }

 private:
  Evacuator& evacuator_;
  const bool only_young_;
};

}  // namespace

Collector::Collector(HeapState& heap, OldCollection& old, WeakRefs& weak_refs, CollectionKind kind,
                     HelperThreads& helpers)
    : heap_(heap),
      old_(old),
      weak_refs_(weak_refs),
      kind_(kind),
      helpers_(helpers),
      evacuator_(heap, old, kind),
      lists_(heap.lists) {
  TN_CHECK(kind != CollectionKind::kVerify);
}

void Collector::Run() {
  PersistentSpace* persistent = heap_.persistent_space;
  began_ns_ = phase_began_ns_ = MonotonicNanoseconds();
  // If it may finish, the targets of all roots are marked, also of roots without young references.
  const bool may_finish = !major() && old_.MayFinish();
  if (persistent != nullptr) persistent->BeginCollection(kind_);
  if (major()) {
    heap_.remembered.Clear();
    old_.Abandon();
  }

  CondemnPages();
  evacuator_.MarkOldRoots(may_finish);
  // All pins must be known before any object moves, and the object-start maps, which find the
  // object for a word or a card, must be made while pages are whole.
  PinAmbiguousRoots();
  if (!major()) {
    FindDirtyCards();
    ChoosePagesInPlace();
  }
  EndPhase(Phase::kPin);

  VisitExactRoots(may_finish);
  CardScanner(heap_, old_, evacuator_).Run();
  EndPhase(Phase::kRoots);
  if (helpers_.count() > 0) SharedDrain(heap_, evacuator_).Run(helpers_);
  evacuator_.Drain();
  EndPhase(Phase::kDrain);
  const bool mark_complete = may_finish && old_.TryFinish();
  if (mark_complete) evacuator_.MarkIsComplete();
  EndPhase(Phase::kOld);
  weak_refs_.Process(evacuator_);
  EndPhase(Phase::kWeak);

  evacuator_.Finish();
  SweepPages();
  heap_.old_bytes = old_bytes_;
  EndPhase(Phase::kSweep);
  StepOldCollection(mark_complete);
  EndPhase(Phase::kOld);
  // Databases stop governing the pages from which objects went home before these pages are free.
  if (persistent != nullptr) {
    persistent->EndCollection(kind_);
    heap_.pacer.StillDisplaced(kind_, persistent->DisplacedBytes());
  }
  FreeReleasedPages();

  WatchPages();
  if (major()) old_.FullCollectionEnded(old_bytes_);
  heap_.pacer.WentHome(lists_.went_home.size());
  if (evacuator_.in_place_page_bytes() != 0) {
    heap_.pacer.PromotedInPlace(evacuator_.in_place_page_bytes(), evacuator_.in_place_bytes());
  }
  heap_.pacer.CollectionEnded(kind_, young_bytes_, heap_.old_bytes,
                              evacuator_.copied_bytes() + evacuator_.in_place_bytes(),
                              lists_.dirty_cards.size() * abi::kCardBytes, old_.is_marking());
  if (major()) heap_.page_allocator.Trim(heap_.pacer.FreeBytesToKeep());
  ++(major() ? heap_.counters.major_collections : heap_.counters.minor_collections);
  heap_.counters.objects_stayed += evacuator_.stayed().size();
  lists_.Clear();
  EndPhase(Phase::kSweep);
}

void Collector::StepOldCollection(bool mark_complete) {
  if (major()) return;
  old_.Promoted(evacuator_.promoted_bytes());
  heap_.pacer.Promoted(evacuator_.promoted_bytes());
  if (mark_complete) old_.BeginSweep();
  const uint64_t pause_ns = heap_.pacer.slice_ns() + kLongerThanSliceNs;
  old_.Step(std::max(began_ns_ + pause_ns, MonotonicNanoseconds() + kLeastStepNs), 0,
            heap_.pacer.young_limit());
}

void Collector::EndPhase(Phase phase) {
  const uint64_t now_ns = MonotonicNanoseconds();
  heap_.counters.phase_ns_total[static_cast<size_t>(phase)] += now_ns - phase_began_ns_;
  phase_began_ns_ = now_ns;
}

void Collector::CondemnPages() {
  // Gaps lie on pages of their generation, which go or are rebuilt.
  heap_.gaps_of(Generation::kYoung).Clear();
  if (major()) heap_.gaps_of(Generation::kOld).Clear();
  PageTable& pages = heap_.pages;
  auto condemn = [&](size_t index) {
    PageDescriptor& page = pages.At(index);
    if (page.space == Space::kTo && !page.open) page.space = Space::kFrom;
  };
  if (major()) {
    CardTable::WatchPages(pages.Begin(0), pages.high_water(), false);
    heap_.watches_all = false;
    for (size_t i = 0; i < pages.high_water(); ++i) condemn(i);
    return;
  }
  for (const size_t first : heap_.young_pages) {
    const PageDescriptor& page = pages.At(first);
    const size_t count = page.kind == PageKind::kLargeFirst ? page.run_pages : 1;
    for (size_t i = 0; i < count; ++i) condemn(first + i);
  }
}

// A word that points to an old page pins and marks nothing.
bool Collector::WantsOnlyYoungRoots() const { return !major() && !evacuator_.marks_ambiguous(); }

void Collector::PinAmbiguousRoots() {
  AmbiguousRoots visitor(heap_.pages, heap_.starts, evacuator_, WantsOnlyYoungRoots());
  heap_.roots.VisitAmbiguousRoots(visitor);
  if (!heap_.AnyInterrupted()) return;
  // An interrupted thread may have filled fields of an object that it has not finished allocating.
  PageTable& pages = heap_.pages;
  for (const AllocationBuffer& buffer : heap_.buffers) {
    const Region region = buffer.Load();
    if (!buffer.suspended || region.bytes() == 0) continue;
    const char* begin = pages.Begin(pages.IndexOf(region.pointer));
    visitor.VisitWords(begin, begin + abi::kPageBytes);
  }
}

// Marked cards of old pages.
void Collector::FindDirtyCards() {
  PageTable& pages = heap_.pages;
  for (size_t i = 0; i < pages.high_water(); ++i) {
    // Most pages have no dirty card: several are tested together.
    if (i % kPagesAtOnce == 0) {
      while (i + kPagesAtOnce <= pages.high_water() &&
             !CardTable::AnyCarded<kPagesAtOnce>(pages.Begin(i))) {
        i += kPagesAtOnce;
      }
      if (i == pages.high_water()) break;
    }
    uint8_t& carded = *CardTable::CardedOf(pages.Begin(i));
    if (carded == 0) continue;
    const PageDescriptor& page = pages.At(i);
    const bool free = page.space == Space::kFree;
    // Cards of young pages stay as they are: a large object may become old.
    if (!free && (page.space != Space::kTo || page.generation != Generation::kOld)) continue;
    if (free) CardTable::ClearRange(pages.Begin(i), abi::kPageBytes);
    if (!heap_.AnyInterrupted()) carded = 0;
    uint32_t dirty = free ? 0 : CardTable::DirtyOnPage(pages.Begin(i));
    if (dirty == 0) continue;
    if (page.kind == PageKind::kObjects) heap_.starts.EnsureKnown(i);
    char* const begin = pages.Begin(i);
    if (heap_.persistent_space != nullptr) heap_.persistent_space->MakeWritable(begin);
    for (; dirty != 0; dirty &= dirty - 1) {
      lists_.dirty_cards.Push(begin +
                              static_cast<size_t>(std::countr_zero(dirty)) * abi::kCardBytes);
    }
  }
}

void Collector::ChoosePagesInPlace() {
  const bool in_place = heap_.PromotesInPlace();
  // So that what a waiting thread refers to is old after a few collections.
  const bool kept = !heap_.AnyInterrupted();
  const PersistentSpace* const persistent = heap_.persistent_space;
  for (const size_t index : heap_.young_pages) {
    const PageDescriptor& page = heap_.pages.At(index);
    if (page.space != Space::kFrom || page.kind != PageKind::kObjects) continue;
    if (page.kept ? !kept || page.stays_young : !in_place) continue;
    // Displaced objects on a governed page go home instead.
    if (persistent != nullptr && persistent->IsGoverned(heap_.pages.Begin(index))) continue;
    if (page.kept) {
      evacuator_.PromoteKept(index);
    } else {
      evacuator_.PromoteInPlace(index);
    }
  }
  if (!old_.is_marking()) return;
  for (const Ref object : evacuator_.stayed()) {
    if (heap_.pages.Of(object).generation == Generation::kOld) old_.MarkPromoted(object);
  }
}

void Collector::VisitExactRoots(bool all) {
  ExactRoots roots(evacuator_, WantsOnlyYoungRoots() && !all);
  heap_.roots.VisitExactRoots(roots);
  weak_refs_.VisitQueue([&](Ref* slot) { evacuator_.Update(slot); });
  if (heap_.persistent_space != nullptr) {
    heap_.persistent_space->VisitDisplaced(all ? CollectionKind::kMajor : kind_, evacuator_);
    heap_.persistent_space->VisitRoots(all ? CollectionKind::kMajor : kind_, evacuator_);
  }
}

// Watches the pages whose objects mutators may not store without a mark on the card.
void Collector::WatchPages() {
  const PageTable& pages = heap_.pages;
  const bool all = old_.is_marking();
  const bool changes = all || heap_.watches_all;
  if (changes) CardTable::WatchPages(pages.Begin(0), pages.high_water(), all);
  heap_.watches_all = all;
  if (changes || major()) {
    for (const size_t page : heap_.young_pages) CardTable::WatchPages(pages.Begin(page), 1, true);
  }
}

// Releases pages without live objects, and rebuilds pages with objects that were not moved.
void Collector::SweepPages() {
  RawArray<Ref>& stayed = evacuator_.stayed();
  std::sort(stayed.begin(), stayed.end());
  next_stayed_ = stayed.begin();
  RawArray<size_t>& young = heap_.young_pages;
  size_t kept = 0;
  if (major()) {
    young.Clear();
    const PageTable& pages = heap_.pages;
    for (size_t i = 0; i < pages.high_water(); ++i) {
      if (pages.At(i).space == Space::kFree || pages.At(i).kind == PageKind::kLargeRest) continue;
      if (SweepPage(i)) young.Push(i);
    }
  } else {
    std::sort(young.begin(), young.end());
    for (const size_t page : young) {
      const bool stays_young = SweepPage(page);
      if (stays_young) young[kept++] = page;
      CardTable::WatchPages(heap_.pages.Begin(page), 1, stays_young);
    }
    young.Truncate(kept);
  }
  old_bytes_ = heap_.page_allocator.used_bytes() - released_bytes_ - young_bytes_;
}

// True if the page, or the large object that begins there, is in use and young.
bool Collector::SweepPage(size_t index) {
  PageTable& pages = heap_.pages;
  PageDescriptor& page = pages.At(index);
  const size_t count = page.kind == PageKind::kLargeFirst ? page.run_pages : 1;
  if (page.space == Space::kFrom && !page.kept) {
    Release(index, count);
    return false;
  }
  if (page.kind == PageKind::kLargeFirst) {
    FinishLargeObject(index);
  } else if (page.space == Space::kFrom) {
    const char* page_end = pages.Begin(index) + abi::kPageBytes;
    const Ref* first = next_stayed_;
    const Ref* const end = evacuator_.stayed().end();
    while (next_stayed_ < end && static_cast<char*>(*next_stayed_) < page_end) ++next_stayed_;
    RebuildKeptPage(index, first, next_stayed_);
  } else if (page.space == Space::kInPlace) {
    if (heap_.FreeBetweenObjects(index) == 0) {
      // The page is not the old generation's, whose collection, if one is running, must not free
      // it.
      page.generation = Generation::kYoung;
      page.space = Space::kFrom;
      Release(index, 1);
      return false;
    }
    page.space = Space::kTo;
    page.recent = false;
  }
  if (page.generation == Generation::kOld) return false;
  young_bytes_ += count * abi::kPageBytes;
  return true;
}

// [first, last): the objects that stay, by address. The rest of the page becomes free.
void Collector::RebuildKeptPage(size_t page, const Ref* first, const Ref* last) {
  PageDescriptor& descriptor = heap_.pages.At(page);
  descriptor.space = Space::kTo;
  descriptor.kept = false;
  descriptor.stays_young = false;
  descriptor.recent = false;
  char* const begin = heap_.pages.Begin(page);
  if (evacuator_.leaves_nothing_young()) {
    descriptor.generation = Generation::kOld;
    CardTable::ClearRange(begin, abi::kPageBytes);
  }
  heap_.starts.Reset(page);
  for (const Ref* object = first; object < last; ++object) {
    ObjectHeader* header = ObjectHeader::Of(*object);
    header->word &= ~(ObjectHeader::kMarkBit | ObjectHeader::kPinnedBit);
    heap_.starts.Set(header);
  }
  heap_.FreeBetweenObjects(page);
}

// The first page of the run was set right when the object was marked, or was not condemned.
void Collector::FinishLargeObject(size_t page) {
  PageTable& pages = heap_.pages;
  const PageDescriptor& first = pages.At(page);
  for (size_t i = 1; i < first.run_pages; ++i) {
    pages.At(page + i).space = first.space;
    pages.At(page + i).generation = first.generation;
  }
  if (evacuator_.leaves_nothing_young()) {
    CardTable::ClearRange(pages.Begin(page), first.run_pages * abi::kPageBytes);
  }
}

void Collector::Release(size_t first, size_t count) {
  released_bytes_ += count * abi::kPageBytes;
  if (!lists_.released.empty() &&
      lists_.released.back().first + lists_.released.back().count == first) {
    lists_.released.back().count += count;
  } else {
    lists_.released.Push({first, count});
  }
}

void Collector::FreeReleasedPages() {
  for (const CollectionLists::PageRun& run : lists_.released)
    heap_.page_allocator.Free(run.first, run.count);
}

}  // namespace tenure::gc
