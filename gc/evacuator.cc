#include "gc/evacuator.h"

#include <string.h>

#include <algorithm>

#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;

namespace {

uint32_t AgeOf(uint64_t word) {
  return static_cast<uint32_t>((word & ObjectHeader::kAgeMask) >> ObjectHeader::kAgeShift);
}

// Longer texts are few, and copying them takes longer than choosing how to.
constexpr size_t kShortTextBytes = 256;
// While an object is scanned, this many others that become old in place are being prefetched.
constexpr size_t kScannedAhead = 8;

uint64_t WithAge(uint64_t word, uint32_t age) {
  const uint64_t bits = uint64_t{age} << ObjectHeader::kAgeShift;
  return (word & ~ObjectHeader::kAgeMask) | (bits & ObjectHeader::kAgeMask);
}

// `bytes` is a multiple of 8 and mostly small, so that a call of memcpy would take longer.
inline void CopyWords(void* to, const void* from, size_t bytes) {
  if (bytes > 64) {
    memcpy(to, from, bytes);
    return;
  }
  for (size_t at = 0; at < bytes; at += 8) {
    memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, 8);
  }
}

}  // namespace

Evacuator::Evacuator(HeapState& heap, OldCollection& old, CollectionKind kind)
    : heap_(heap),
      pages_(heap.pages),
      persistent_space_(heap.persistent_space),
      old_(old),
      major_(kind == CollectionKind::kMajor),
      in_mark_(!major_ && old_.is_marking()),
      nothing_young_(major_ && !heap.AnyInterrupted()),
      remembers_objects_(!major_ && heap.remembers_objects()),
      hierarchical_(heap.options.order == EvacuationOrder::kHierarchical),
      promotion_age_(heap.options.promotion_age),
      lists_(heap.lists) {
  old_from_age_[false] = major_ || heap.pacer.PromotesEagerly() ? 1 : promotion_age_;
  old_from_age_[true] = major_ || heap.pacer.PromotesAll() ? 1 : promotion_age_;
  destinations_[0].generation = Generation::kYoung;
  destinations_[1].generation = Generation::kOld;
}

void Evacuator::Pin(Ref object, bool by_waiting_thread) {
  ObjectHeader* header = ObjectHeader::Of(object);
  PageDescriptor& page = pages_.Of(object);
  if (page.kind == PageKind::kObjects && !by_waiting_thread) page.stays_young = true;
  if ((header->word & ObjectHeader::kPinnedBit) != 0) return;
  ++heap_.counters.objects_pinned;
  if (page.kind != PageKind::kObjects) {
    if (page.space == Space::kFrom) MarkLarge(object, header, page, /*pinned=*/true);
    return;
  }
  header->word |= ObjectHeader::kPinnedBit;
  Stay(object, header);
}

void Evacuator::Stay(Ref object, ObjectHeader* header) {
  const uint32_t age = AgeOf(header->word);
  CountSurvivor(age, ObjectBytes(object));
  header->word =
      WithAge(header->word, age < promotion_age_ ? age + 1 : age) | ObjectHeader::kMarkBit;
  PageDescriptor& page = pages_.Of(object);
  page.kept = true;
  if (in_mark_ && page.generation == Generation::kOld) old_.MarkPromoted(object);
  page.stays_young |= age + 1 < promotion_age_ || header->displaced();
  lists_.stayed.Push(object);
}

Ref Evacuator::Evacuate(Ref object, ObjectHeader* header, const PageDescriptor& page) {
  if (header->displaced()) {
    const Ref home = SendHome(object, header);
    if (home != nullptr) return home;
    Stay(object, header);
    return object;
  }
  const TypeDescriptor& type = *header->type();
  const size_t payload_bytes = abi::PayloadBytes(type, object);
  const uint32_t age = AgeOf(header->word) + 1;
  const bool to_old = BecomesOld(age, page.recent);
  Destination& to = destinations_[to_old ? 1 : 0];
  char* place = TakePlace(to, payload_bytes + abi::kHeaderBytes);
  if (place == nullptr) {
    ++heap_.counters.evacuations_failed;
    Stay(object, header);
    return object;
  }
  const Ref copy = place + abi::kHeaderBytes;
  ObjectHeader::Of(copy)->word = WithAge(ObjectHeader::ForType(&type), to_old ? 0 : age);
  CopyWords(copy, object, payload_bytes);
  // Mostly texts. If no copy before it waits to be scanned, the scan can skip it.
  if ((type.flags & abi::kTypePure) != 0 && to.scan == place) to.scan = to.top;
  header->word = ObjectHeader::ForForwarding(copy);
  CountCopy(age - 1, payload_bytes + abi::kHeaderBytes);
  if (to_old) BecameOld(copy);
  return copy;
}

void Evacuator::PromoteInPlace(size_t page) {
  PageDescriptor& descriptor = pages_.At(page);
  TN_DCHECK(!major_ && descriptor.space == Space::kFrom && !descriptor.kept);
  descriptor.space = Space::kInPlace;
  in_place_page_bytes_ += abi::kPageBytes;
  descriptor.generation = Generation::kOld;
  // The map gets the objects that are reached; their scan marks the cards that they need.
  heap_.starts.Reset(page);
  CardTable::ClearRange(pages_.Begin(page), abi::kPageBytes);
}

void Evacuator::PromoteKept(size_t page) {
  PageDescriptor& descriptor = pages_.At(page);
  TN_DCHECK(!major_ && descriptor.space == Space::kFrom && descriptor.kept);
  descriptor.generation = Generation::kOld;
  promoted_bytes_ += abi::kPageBytes;
  CardTable::ClearRange(pages_.Begin(page), abi::kPageBytes);
}

// Looks only at the map. The object is scanned later, when it is in the cache.
[[gnu::always_inline]] inline void Evacuator::ReachInPlace(Ref object) {
  const ObjectHeader* header = ObjectHeader::Of(object);
  if (heap_.starts.IsSet(header)) return;
  heap_.starts.Set(header);
  lists_.in_place.Push(object);
}

inline void Evacuator::BecameOld(Ref copy) {
  heap_.starts.Set(ObjectHeader::Of(copy));
  if (in_mark_) old_.MarkPromoted(copy);
}

// The innermost step of a collection. Handles the cases of most slots and objects; UpdateCondemned
// handles the others.
template <bool kAnswers>
[[gnu::always_inline]] inline bool Evacuator::UpdateInline(Ref* slot,
                                                           const PageTable::View& pages) {
  const Ref target = *slot;
  if (!pages.Contains(target)) return false;  // NIL, a literal, a frame
  PageDescriptor& page = pages.Of(target);
  if (page.space != Space::kFrom) {
    if (page.generation == Generation::kYoung) return true;
    if (page.space == Space::kInPlace) {
      ReachInPlace(target);
    } else if (in_mark_) {
      old_.Mark(target);
    }
    return false;
  }
  ObjectHeader* header = ObjectHeader::Of(target);
  const uint64_t word = header->word;
  constexpr uint64_t kUnusual =
      ObjectHeader::kForwardedTag | ObjectHeader::kMarkBit | ObjectHeader::kDisplacedBit;
  if ((word & kUnusual) != 0 || page.kind != PageKind::kObjects) {
    if (!kAnswers && (word & ObjectHeader::kForwardedTag) != 0) {
      *slot = header->forwarding();
      return false;
    }
    return UpdateCondemned(slot, page);
  }
  const TypeDescriptor& type = *header->type();
  const bool pure = (type.flags & abi::kTypePure) != 0;
  size_t payload_bytes = type.payload_bytes;
  if ((type.flags & abi::kTypeOpenArray) != 0) {
    // Only short texts.
    if (!pure || type.element_bytes != 1 || type.open_dimensions != 1 || payload_bytes != 0) {
      return UpdateCondemned(slot, page);
    }
    payload_bytes = sizeof(uint64_t) + *static_cast<const uint64_t*>(target);
    if (payload_bytes > kShortTextBytes) return UpdateCondemned(slot, page);
  }

  const size_t bytes = abi::kHeaderBytes + abi::PayloadRoom(payload_bytes);
  const uint32_t age = AgeOf(word) + 1;
  const bool to_old = BecomesOld(age, page.recent);
  Destination* chosen = &destinations_[0];
  if (to_old) {
    chosen = &destinations_[1];
    // Forces a branch, which is predicted, instead of an addition that waits for the header.
    asm volatile("" : "+r"(chosen));
  }
  Destination& to = *chosen;
  if (static_cast<size_t>(to.limit - to.top) < bytes) return UpdateCondemned(slot, page);
  char* const place = to.top;
  to.top += bytes;
  __builtin_prefetch(place + kPrefetchDistance, 1);
  auto* const from = reinterpret_cast<const uint64_t*>(header);
  auto* const copy = reinterpret_cast<uint64_t*>(place);
  copy[0] = WithAge(ObjectHeader::ForType(&type), to_old ? 0 : age);
  if (pure) {
    for (size_t i = 1; i < bytes / 8; ++i) copy[i] = from[i];
    // If no copy before it waits to be scanned, the scan can skip it.
    if (to.scan == place) to.scan = to.top;
  } else {
    CopyToBeScanned(copy, from, bytes, pages);
  }
  header->word = ObjectHeader::ForForwarding(place + abi::kHeaderBytes);
  *slot = place + abi::kHeaderBytes;
  CountCopy(age - 1, bytes);
  if (to_old) BecameOld(place + abi::kHeaderBytes);
  return !to_old;
}

bool Evacuator::Update(Ref* slot) { return UpdateInline<true>(slot, PageTable::View(pages_)); }

// The slot's target is on a condemned page, and may have been copied or marked before.
[[gnu::noinline]] bool Evacuator::UpdateCondemned(Ref* slot, PageDescriptor& page) {
  const Ref target = *slot;
  ObjectHeader* header = ObjectHeader::Of(target);
  Ref now;
  if (header->is_forwarded()) {
    now = header->forwarding();
  } else if (page.kind != PageKind::kObjects) {
    now = EvacuateLarge(target, header, page);
  } else if ((header->word & ObjectHeader::kMarkBit) != 0) {
    return page.generation == Generation::kYoung;
  } else {
    now = Evacuate(target, header, page);
  }
  if (now != target) *slot = now;
  return pages_.Contains(now) && pages_.Of(now).generation == Generation::kYoung;
}

Ref Evacuator::EvacuateLarge(Ref object, ObjectHeader* header, PageDescriptor& page) {
  if (major_ && header->displaced()) {
    const Ref home = SendHome(object, header);
    if (home != nullptr) return home;
  }
  MarkLarge(object, header, page, /*pinned=*/false);
  return object;
}

void Evacuator::MarkLarge(Ref object, ObjectHeader* header, PageDescriptor& page, bool pinned) {
  page.space = Space::kTo;  // The rest of the run follows when all is done.
  if (page.generation == Generation::kYoung && !(pinned && heap_.AnyInterrupted())) {
    const uint32_t age = AgeOf(header->word) + 1;
    header->word = WithAge(header->word, age);
    if (major_ || age >= promotion_age_) {
      page.generation = Generation::kOld;
      header->word = WithAge(header->word, 0);
      promoted_bytes_ += page.run_pages * abi::kPageBytes;
      if (in_mark_) old_.MarkPromoted(object);
    }
  }
  if ((header->type()->flags & abi::kTypePure) == 0) lists_.large.Push(object);
}

Ref Evacuator::SendHome(Ref object, ObjectHeader* header) {
  TN_CHECK(persistent_space_ != nullptr && "a displaced object without a database");
  if (!major_ && lists_.went_home.size() >= heap_.pacer.homes_at_once()) return nullptr;
  const PersistentSpace::Home home = persistent_space_->HomeOf(object);
  if (home.lives_at == nullptr) return nullptr;
  if (home.write_at != nullptr) {
    const TypeDescriptor& type = *header->type();
    const size_t payload_bytes = abi::PayloadBytes(type, object);
    memcpy(home.write_at, object, payload_bytes);
    ObjectHeader::Of(home.write_at)->word = ObjectHeader::ForType(&type);
    lists_.went_home.Push({home.write_at, home.lives_at});
    ++objects_copied_;
    bytes_copied_ += payload_bytes + abi::kHeaderBytes;
  }
  header->word = ObjectHeader::ForForwarding(home.lives_at);
  ++heap_.counters.objects_went_home;
  persistent_space_->WentHome(object, home.lives_at);
  return home.lives_at;
}

// Begins a gap that an earlier collection left, or a page. False when there is neither.
bool Evacuator::NextRegion(Destination& to) {
  if (to.scan < to.top) lists_.full[static_cast<int>(to.generation)].Push({to.scan, to.top});
  Region{to.top, to.limit}.Fill();
  to.bytes_before = to.bytes();
  to.begin = to.scan = to.top = to.limit = nullptr;

  RawArray<Region>& gaps = heap_.gaps_of(to.generation);
  // In stress mode objects never move into a gap.
  while (!gaps.empty() && heap_.options.stress_interval == 0) {
    const Region gap = gaps.Pop();
    if (persistent_space_ != nullptr && persistent_space_->IsGoverned(gap.pointer)) continue;
    if (to.generation == Generation::kOld) {
      heap_.starts.EnsureKnown(pages_.IndexOf(gap.pointer));
    } else {
      // The map must serve while words on stacks are looked at again; then it is out of date.
      lists_.filled_gaps.Push(gap.pointer);
    }
    to.begin = to.scan = to.top = gap.pointer;
    to.limit = gap.limit;
    return true;
  }
  const PageAllocator::Run run = heap_.page_allocator.Allocate(1);
  if (run.first == PageAllocator::kNoPage) return false;
  PageDescriptor& page = pages_.At(run.first);
  page = PageDescriptor{};
  page.space = Space::kTo;
  page.generation = to.generation;
  page.run_pages = 1;
  if (to.generation == Generation::kYoung) {
    heap_.AddYoungPage(run.first);
  } else {
    heap_.starts.Reset(run.first);
  }
  to.begin = to.scan = to.top = pages_.Begin(run.first);
  to.limit = to.top + abi::kPageBytes;
  return true;
}

// Scans the slots of the fixed part. In line, because a call takes as long as most visits.
template <Evacuator::Remember kRemember>
[[gnu::always_inline]] inline void Evacuator::ScanFields(const TypeDescriptor& type, Ref object,
                                                         ptrdiff_t card_distance,
                                                         const PageTable::View& pages) {
  constexpr bool kAnswers = kRemember != Remember::kNothing;
  bool any_young = false;
  ForEachTracedSlotOf(type.slot_runs, type.slot_run_count, static_cast<char*>(object),
                      [&](Ref* slot) __attribute__((always_inline)) {
                        if (UpdateInline<kAnswers>(slot, pages))
                          NoteYoung<kRemember>(slot, card_distance, any_young);
                      });
  if (any_young) heap_.remembered.Add(object);
}

template <Evacuator::Remember kRemember>
inline void Evacuator::ScanSlots(const TypeDescriptor& type, Ref object, ptrdiff_t card_distance) {
  if ((type.flags & abi::kTypePure) != 0) return;
  if ((type.flags & abi::kTypeOpenArray) == 0) {
    return ScanFields<kRemember>(type, object, card_distance, PageTable::View(pages_));
  }
  bool any_young = false;
  ForEachTracedSlot(type, object, [&](Ref* slot) {
    if (Update(slot)) NoteYoung<kRemember>(slot, card_distance, any_young);
  });
  if (any_young) heap_.remembered.Add(object);
}

// Calls scan.operator()<kRemember>(), where kRemember is the way in which objects of that
// generation are remembered.
template <typename Scan>
inline void Evacuator::ChooseRemember(Generation generation, Scan&& scan) {
  // If no object is young afterwards, no reference must be remembered.
  if (generation != Generation::kOld || nothing_young_) {
    scan.template operator()<Remember::kNothing>();
  } else if (remembers_objects_) {
    scan.template operator()<Remember::kObject>();
  } else {
    scan.template operator()<Remember::kCards>();
  }
}

void Evacuator::ScanObject(Ref object, Generation generation) {
  ChooseRemember(generation, [&]<Remember kRemember>() {
    ScanSlots<kRemember>(*ObjectHeader::Of(object)->type(), object, 0);
  });
}

// Scans the page being filled to its end. In breadth-first order only until it is full: then it is
// no longer the newest page with unscanned objects.
template <Evacuator::Remember kRemember>
void Evacuator::ScanRegion(Destination& to) {
  constexpr uint32_t kNotOnlyFields = abi::kTypePure | abi::kTypeOpenArray;
  const PageTable::View pages(pages_);
  const bool until_full = !hierarchical_;
  while (to.scan < to.top) {
    if (until_full && lists_.HasFull(to.generation)) return;
    const Ref object = to.scan + abi::kHeaderBytes;
    const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
    // The object is passed before its slots are visited: their targets may fill the page.
    if ((type.flags & kNotOnlyFields) != 0) {
      to.scan += ObjectBytes(object);
      ScanSlots<kRemember>(type, object, 0);
      continue;
    }
    to.scan += abi::kHeaderBytes + abi::PayloadRoom(type.payload_bytes);
    ScanFields<kRemember>(type, object, 0, pages);
  }
}

void Evacuator::VisitObjectSlots(const TypeDescriptor& type, Ref object) {
  ScanSlots<Remember::kNothing>(type, object, 0);
}

void Evacuator::VisitFieldsInPlace(Ref object) {
  ScanSlots<Remember::kNothing>(*ObjectHeader::Of(object)->type(), object, 0);
}

bool Evacuator::RefersToHeap(const TypeDescriptor& type, Ref object) const {
  bool found = false;
  abi::ForEachReference(type, object, [&](void** slot) { found |= pages_.Contains(*slot); });
  return found;
}

bool Evacuator::RefersToYoung(const TypeDescriptor& type, Ref object) const {
  if (nothing_young_) return false;
  bool found = false;
  abi::ForEachReference(type, object, [&](void** slot) {
    found |= pages_.Contains(*slot) && pages_.Of(*slot).generation == Generation::kYoung;
  });
  return found;
}

void Evacuator::Drain() {
  if (hierarchical_) {
    while (ScanNewest() || ScanOldest() || ScanQueues()) {
    }
  } else {
    while (ScanOldest() || ScanNewest() || ScanQueues()) {
    }
  }
  if (mark_complete_) old_.Drain();
}

[[gnu::noinline]] void Evacuator::ScanCopies() {
  while (ScanNewest() || ScanOldest()) {
  }
}

// Scans the pages being filled.
bool Evacuator::ScanNewest() {
  bool any = false;
  for (Destination& to : destinations_) {
    if (to.scan == to.top) continue;
    ChooseRemember(to.generation, [&]<Remember kRemember>() { ScanRegion<kRemember>(to); });
    any = true;
  }
  return any;
}

// Scans one object of the oldest full page that has one.
bool Evacuator::ScanOldest() {
  for (Destination& to : destinations_) {
    if (!lists_.HasFull(to.generation)) continue;
    size_t& next_full = lists_.next_full[static_cast<int>(to.generation)];
    CollectionLists::Unscanned& oldest = lists_.full[static_cast<int>(to.generation)][next_full];
    const Ref object = oldest.scan + abi::kHeaderBytes;
    oldest.scan += ObjectBytes(object);
    if (oldest.scan == oldest.end) ++next_full;
    ScanObject(object, to.generation);  // `oldest` may move
    return true;
  }
  return false;
}

// Scans the objects that have become old in place, and those that this scan finds.
void Evacuator::ScanInPlace() {
  ChooseRemember(Generation::kOld, [&]<Remember kRemember>() {
    Ref coming[kScannedAhead] = {};
    size_t waiting = 0;
    for (size_t i = 0; waiting > 0 || !lists_.in_place.empty(); ++i) {
      Ref& next = coming[i % kScannedAhead];
      const Ref object = next;
      next = nullptr;
      if (!lists_.in_place.empty()) {
        next = lists_.in_place.Pop();
        __builtin_prefetch(ObjectHeader::Of(next), 1);
        ++waiting;
      }
      if (object == nullptr) continue;
      --waiting;
      ObjectHeader* header = ObjectHeader::Of(object);
      TN_DCHECK(!header->displaced());
      const TypeDescriptor& type = *header->type();
      const size_t bytes = abi::kHeaderBytes + abi::PayloadBytes(type, object);
      CountSurvivor(AgeOf(header->word), bytes);
      in_place_bytes_ += bytes;
      header->word = WithAge(header->word, 0);
      if (in_mark_) old_.MarkPromoted(object);
      ScanSlots<kRemember>(type, object, 0);
    }
  });
}

bool Evacuator::ScanQueues() {
  if (!lists_.in_place.empty()) {
    ScanInPlace();
    return true;
  }
  if (lists_.next_went_home < lists_.went_home.size()) {
    const CollectionLists::WentHome home = lists_.went_home[lists_.next_went_home++];
    const TypeDescriptor& type = *ObjectHeader::Of(home.write_at)->type();
    const ptrdiff_t distance =
        static_cast<char*>(home.lives_at) - static_cast<char*>(home.write_at);
    if (nothing_young_) {
      ScanSlots<Remember::kNothing>(type, home.write_at, 0);
    } else {
      ScanSlots<Remember::kCards>(type, home.write_at, distance);
    }
    return true;
  }
  if (lists_.next_stayed < lists_.stayed.size()) {
    const Ref object = lists_.stayed[lists_.next_stayed++];
    ScanObject(object, pages_.Of(object).generation);
    return true;
  }
  if (lists_.next_large < lists_.large.size()) {
    const Ref object = lists_.large[lists_.next_large++];
    ScanObject(object, pages_.Of(object).generation);
    return true;
  }
  return false;
}

void Evacuator::ListUnscannedCopies() {
  for (Destination& to : destinations_) {
    if (to.scan < to.top) lists_.full[static_cast<int>(to.generation)].Push({to.scan, to.top});
    to.scan = to.top;
  }
}

bool Evacuator::IsLive(Ref object) const {
  if (!pages_.Contains(object)) return true;
  const PageDescriptor& page = pages_.Of(object);
  if (page.space == Space::kInPlace) return heap_.starts.IsSet(ObjectHeader::Of(object));
  if (page.space != Space::kFrom) {
    return !mark_complete_ || page.generation != Generation::kOld || old_.IsMarked(object);
  }
  const ObjectHeader* header = ObjectHeader::Of(object);
  return header->is_forwarded() || (header->word & ObjectHeader::kMarkBit) != 0;
}

Ref Evacuator::CurrentAddress(Ref object) const {
  if (!pages_.Contains(object) || pages_.Of(object).space != Space::kFrom) return object;
  const ObjectHeader* header = ObjectHeader::Of(object);
  return header->is_forwarded() ? header->forwarding() : object;
}

void Evacuator::Finish() {
  for (Destination& to : destinations_) {
    if (to.top < to.limit) heap_.AddGap(to.generation, {to.top, to.limit});
  }
  for (char* gap : lists_.filled_gaps) pages_.Of(gap).starts_known = false;
  heap_.counters.objects_copied += objects_copied_;
  heap_.counters.bytes_copied += copied_bytes();
  heap_.counters.bytes_in_place += in_place_bytes_;
  if (!major_) {
    for (size_t age = 0; age < HeapStats::kAges; ++age) {
      heap_.counters.survived_bytes[age] += survived_bytes_[age];
    }
  }
}

}  // namespace tenure::gc
