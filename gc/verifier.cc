#include "gc/verifier.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "base/standard_error.h"
#include "gc/card_table.h"
#include "gc/old_collection.h"
#include "gc/weak_refs.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;

namespace {

constexpr size_t kGranulesPerPage = abi::kPageBytes / abi::kGranuleBytes;
constexpr size_t kWordsPerPage = kGranulesPerPage / 64;
constexpr uintptr_t kOsPageBytes = 4096;

}  // namespace

class Verifier::ExactVisitor final : public ExactRootVisitor {
 public:
  explicit ExactVisitor(Verifier& verifier) : verifier_(verifier) {}
  void VisitSlot(Ref* slot) override {
    if (verifier_.CheckReference(*slot, "an exact root", nullptr, slot)) verifier_.Reach(*slot);
  }

 private:
  Verifier& verifier_;
};

class Verifier::AmbiguousVisitor final : public AmbiguousRootVisitor {
 public:
  explicit AmbiguousVisitor(Verifier& verifier) : verifier_(verifier) {}
  __attribute__((no_sanitize("address", "thread"))) void VisitWords(const void* begin,
                                                                    const void* end) override {
    auto first = (reinterpret_cast<uintptr_t>(begin) + 7) / 8 * 8;
    auto last = reinterpret_cast<uintptr_t>(end) / 8 * 8;
    for (uintptr_t at = first; at < last; at += 8) VisitWord(*reinterpret_cast<uintptr_t*>(at));
  }
  // Only the object that the word points into must exist: the collector also pins the object
  // before, as a caution.
  void VisitWord(uintptr_t word) override {
    auto* address = reinterpret_cast<const char*>(word);
    if (!verifier_.pages_.Contains(address)) return;
    const size_t index = verifier_.pages_.IndexOf(address);
    if (verifier_.pages_.At(index).space == Space::kFree) return;
    const char* begin =
        verifier_.pages_.Begin(index - (verifier_.pages_.At(index).kind == PageKind::kLargeRest
                                            ? verifier_.pages_.At(index).run_pages
                                            : 0));
    // Backwards to the header before it.
    for (const char* at = address - word % 8; at >= begin; at -= 8) {
      if (!verifier_.TestBit(verifier_.starts_, verifier_.BitOf(at))) continue;
      Ref object = const_cast<char*>(at) + abi::kHeaderBytes;
      const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
      if (address < static_cast<char*>(object) + abi::PayloadBytes(type, object)) {
        ++verifier_.counts_.ambiguous_targets;
        verifier_.Reach(object);
      }
      return;
    }
  }

 private:
  Verifier& verifier_;
};

class Verifier::PersistentVisitor final : public SlotVisitor {
 public:
  PersistentVisitor(Verifier& verifier, bool displaced)
      : verifier_(verifier), displaced_(displaced) {}
  void VisitSlot(Ref* slot) override {
    const char* what = displaced_ ? "the table of displaced objects" : "a database's root or frame";
    if (!verifier_.CheckReference(*slot, what, nullptr, slot)) return;
    if (displaced_) {
      if (!verifier_.pages_.Contains(*slot)) {
        verifier_.Fail("displaced object %p is outside the heap", *slot);
        return;
      }
      if (!ObjectHeader::Of(*slot)->displaced()) {
        verifier_.Fail("object %p is in the table of displaced objects, its bit is clear", *slot);
      }
      ++visited_;
    }
    verifier_.Reach(*slot);
  }
  void VisitObjectSlots(const TypeDescriptor& type, Ref object) override {
    abi::ForEachReference(type, object, [&](void** slot) { VisitSlot(slot); });
  }
  bool RefersToHeap(const TypeDescriptor& type, Ref object) const override {
    bool found = false;
    abi::ForEachReference(type, object,
                          [&](void** slot) { found |= verifier_.pages_.Contains(*slot); });
    return found;
  }
  bool RefersToYoung(const TypeDescriptor& type, Ref object) const override {
    bool found = false;
    abi::ForEachReference(type, object,
                          [&](void** slot) { found |= verifier_.pages_.IsYoung(*slot); });
    return found;
  }
  size_t visited() const { return visited_; }

 private:
  Verifier& verifier_;
  const bool displaced_;
  size_t visited_ = 0;
};

Verifier::Verifier(HeapState& heap, const OldCollection& old, WeakRefs& weak_refs)
    : heap_(heap),
      old_(old),
      weak_refs_(weak_refs),
      pages_(heap.pages),
      page_count_(heap.pages.high_water()) {}

Verifier::~Verifier() {
  if (memory_ != nullptr) munmap(memory_, memory_bytes_);
}

bool Verifier::Check() {
  return MapBitmaps() && CheckPages() && CheckGaps() && CheckReferencesOfAll() && CheckRoots();
}

void Verifier::CheckOrAbort(const char* when) {
  if (Check()) return;
  for (const char* part : {"heap verifier, ", when, ": "}) WriteToStandardError(part);
  WriteToStandardError(message_);
  WriteToStandardError("\n");
  abort();
}

bool Verifier::Fail(const char* format, ...) {
  if (failed_) return false;  // The first finding is the telling one.
  failed_ = true;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message_, sizeof message_, format, arguments);
  va_end(arguments);
  return false;
}

bool Verifier::MapBitmaps() {
  memory_bytes_ = 2 * (page_count_ + 1) * kWordsPerPage * sizeof(uint64_t);
  memory_ =
      mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    return Fail("no memory for the verifier's bitmaps");
  }
  starts_ = static_cast<uint64_t*>(memory_);
  reached_ = starts_ + (page_count_ + 1) * kWordsPerPage;
  return true;
}

size_t Verifier::BitOf(const void* header) const {
  return (reinterpret_cast<uintptr_t>(header) - pages_.base()) / abi::kGranuleBytes;
}

bool Verifier::CheckPages() {
  size_t used = 0;
  size_t young = 0;
  for (size_t i = 0; i < page_count_;) {
    const PageDescriptor& page = pages_.At(i);
    if (page.space == Space::kFree) {
      ++i;
      continue;
    }
    if (page.space != Space::kTo) {
      return Fail("page %p is still condemned", pages_.Begin(i));
    }
    if (page.kept) return Fail("page %p is still marked as kept", pages_.Begin(i));
    if (page.kind == PageKind::kLargeRest) {
      return Fail("page %p continues a large object that does not begin", pages_.Begin(i));
    }
    const size_t run = page.kind == PageKind::kLargeFirst ? page.run_pages : 1;
    if (run == 0 || i + run > page_count_) {
      return Fail("page %p begins a run of %zu pages", pages_.Begin(i), run);
    }
    if (!(page.kind == PageKind::kLargeFirst ? CheckLargeRun(i) : CheckObjectPage(i))) return false;
    if (page.generation == Generation::kYoung) ++young;
    used += run;
    i += run;
  }
  // As many, and each one is such a page: a page twice would hide one that is missing only until
  // the next collection frees it twice.
  if (young != heap_.young_pages.size()) {
    return Fail("%zu pages are young, %zu are listed", young, heap_.young_pages.size());
  }
  for (const size_t page : heap_.young_pages) {
    if (*CardTable::WatchedOf(pages_.Begin(page)) == 0) {
      return Fail("page %p is young and not watched", pages_.Begin(page));
    }
    if (pages_.At(page).space == Space::kFree || pages_.At(page).kind == PageKind::kLargeRest ||
        pages_.At(page).generation != Generation::kYoung) {
      return Fail("page %p is listed as young", pages_.Begin(page));
    }
  }
  if (used * abi::kPageBytes != heap_.page_allocator.used_bytes()) {
    return Fail("%zu pages are described as in use, the allocator counts %zu", used,
                heap_.page_allocator.used_bytes() / abi::kPageBytes);
  }
  return true;
}

bool Verifier::CheckObjectPage(size_t index) {
  char* const begin = pages_.Begin(index);
  char* const end = begin + abi::kPageBytes;
  for (char* at = begin; at < end;) {
    auto* header = reinterpret_cast<ObjectHeader*>(at);
    const size_t room = static_cast<size_t>(end - at);
    size_t bytes;
    if (header->word == 0) {
      return Fail("no object and no filler begins at %p", at);
    } else if (header->is_forwarded()) {
      return Fail("object %p is still forwarded, to %p", at + abi::kHeaderBytes,
                  header->forwarding());
    } else if (header->is_filler()) {
      bytes = header->filler_bytes();
      if (bytes < 8 || bytes % 8 != 0 || bytes > room) {
        return Fail("filler at %p has %zu bytes, its page has %zu more", at, bytes, room);
      }
    } else {
      if (!CheckHeader(header, room)) return false;
      Ref object = at + abi::kHeaderBytes;
      bytes = abi::kHeaderBytes + abi::PayloadBytes(*header->type(), object);
      if (bytes > kLargeObjectBytes) {
        return Fail("object %p of %zu bytes is not on pages of its own", object, bytes);
      }
      if (!IsGarbage(object)) SetStart(at);
    }
    at += bytes;
  }
  return CheckStartMap(index);
}

bool Verifier::CheckLargeRun(size_t index) {
  const PageDescriptor& first = pages_.At(index);
  char* const begin = pages_.Begin(index);
  const size_t room = first.run_pages * abi::kPageBytes;
  auto* header = reinterpret_cast<ObjectHeader*>(begin);
  if (header->is_forwarded() || header->is_filler() || header->word == 0) {
    return Fail("large object %p has header %#lx", begin + abi::kHeaderBytes, header->word);
  }
  if (!CheckHeader(header, room)) return false;
  for (size_t i = 1; i < first.run_pages; ++i) {
    const PageDescriptor& rest = pages_.At(index + i);
    if (rest.space != first.space || rest.generation != first.generation ||
        rest.kind != PageKind::kLargeRest || rest.run_pages != i) {
      return Fail("page %zu of large object %p disagrees with its first page", i,
                  begin + abi::kHeaderBytes);
    }
  }
  if (!IsGarbage(begin + abi::kHeaderBytes)) SetStart(begin);
  return true;
}

// A dead object's targets may have gone, so no live object may refer to it.
bool Verifier::IsGarbage(Ref object) const { return old_.IsUnsweptGarbage(object); }

void Verifier::SetStart(const void* header) {
  const size_t bit = BitOf(header);
  starts_[bit / 64] |= uint64_t{1} << (bit % 64);
}

bool Verifier::CheckHeader(const ObjectHeader* header, size_t room) {
  const Ref object = const_cast<char*>(reinterpret_cast<const char*>(header)) + abi::kHeaderBytes;
  ++counts_.objects;
  constexpr uint64_t kLeftOver = ObjectHeader::kMarkBit | ObjectHeader::kPinnedBit;
  if ((header->word & kLeftOver) != 0) {
    return Fail("object %p still has a mark or a pin: header %#lx", object, header->word);
  }
  if (!IsDescriptor(header->type()) || (header->word & 0xf) != 0) {
    return Fail("object %p has no valid type descriptor: header %#lx", object, header->word);
  }
  if (header->displaced()) ++counts_.displaced;
  const TypeDescriptor& type = *header->type();
  if ((type.flags & abi::kTypeOpenArray) != 0) {
    // Lengths whose product overflows would pass the test below.
    if (abi::kHeaderBytes + abi::ElementsOffset(type) > room) {
      return Fail("object %p of type %s runs off its page", object, type.name);
    }
    const uint64_t* const lengths = abi::OpenLengths(type, object);
    const uint64_t* const end = lengths + type.open_dimensions;
    const bool empty = std::find(lengths, end, 0) != end;
    unsigned __int128 bytes = type.element_bytes;
    for (const uint64_t* length = lengths; length != end && !empty; ++length) {
      bytes *= *length;
      if (bytes > room) {
        return Fail("object %p of type %s has impossible lengths", object, type.name);
      }
    }
  }
  const size_t bytes = abi::kHeaderBytes + abi::PayloadBytes(type, object);
  if (bytes > room) {
    return Fail("object %p of type %s has %zu bytes, its page has %zu more", object, type.name,
                bytes, room);
  }
  return true;
}

bool Verifier::CheckStartMap(size_t index) {
  if (!pages_.At(index).starts_known || pages_.At(index).unswept) return true;
  const uint64_t* theirs = heap_.starts.WordsOf(index);
  const uint64_t* ours = starts_ + index * kWordsPerPage;
  for (size_t i = 0; i < kWordsPerPage; ++i) {
    if (ours[i] != theirs[i]) {
      return Fail("the object-start map of page %p is wrong near %p", pages_.Begin(index),
                  pages_.Begin(index) + i * 64 * abi::kGranuleBytes);
    }
  }
  return true;
}

bool Verifier::CheckGaps() {
  for (int generation = 0; generation < 2; ++generation) {
    for (const Region& gap : heap_.gaps[generation]) {
      const PageDescriptor& page = pages_.Of(gap.pointer);
      if (page.space != Space::kTo || page.kind != PageKind::kObjects ||
          page.generation != static_cast<Generation>(generation)) {
        return Fail("gap %p lies on a page of another sort", gap.pointer);
      }
      auto* header = reinterpret_cast<const ObjectHeader*>(gap.pointer);
      if (!header->is_filler() || header->filler_bytes() != gap.bytes()) {
        return Fail("gap %p of %zu bytes is not a filler: header %#lx", gap.pointer, gap.bytes(),
                    header->word);
      }
    }
  }
  return true;
}

// Dead objects too: the collector may scan them while their cards are dirty.
bool Verifier::CheckReferencesOfAll() {
  for (size_t word = 0; word < page_count_ * kWordsPerPage; ++word) {
    for (uint64_t bits = starts_[word]; bits != 0; bits &= bits - 1) {
      const size_t bit = word * 64 + static_cast<size_t>(__builtin_ctzll(bits));
      Ref object =
          reinterpret_cast<Ref>(pages_.base() + bit * abi::kGranuleBytes + abi::kHeaderBytes);
      if (!CheckObjectReferences(object, pages_.Of(object).generation == Generation::kOld)) {
        return false;
      }
    }
  }
  return true;
}

bool Verifier::CheckObjectReferences(Ref object, bool old) {
  bool good = true;
  abi::ForEachReference(*ObjectHeader::Of(object)->type(), object, [&](void** slot) {
    if (!good || *slot == nullptr) return;
    good = CheckReference(*slot, "object", object, slot);
    // An interrupted thread may have stored and not yet marked the card: what it stored is pinned.
    if (good && old && !heap_.AnyInterrupted() && pages_.IsYoung(*slot) &&
        (!CardTable::IsDirty(slot) || *CardTable::CardedOf(slot) == 0) &&
        (!heap_.remembers_objects() || !heap_.remembered.Has(object))) {
      good = Fail("old object %p of type %s refers to young %p in %p, whose card is clean", object,
                  ObjectHeader::Of(object)->type()->name, *slot, static_cast<void*>(slot));
    }
  });
  return good;
}

bool Verifier::CheckReference(Ref target, const char* what, const void* holder, const void* slot) {
  if (target == nullptr) return true;
  if (reinterpret_cast<uintptr_t>(target) % abi::kGranuleBytes != 0) {
    return Fail("%s %p refers to %p in %p, which is not aligned", what, holder, target, slot);
  }
  if (pages_.Contains(target)) {
    if (pages_.Of(target).space == Space::kFree) {
      return Fail("%s %p refers to %p in %p, on a free page", what, holder, target, slot);
    }
    if (!TestBit(starts_, BitOf(ObjectHeader::Of(target)))) {
      return Fail("%s %p refers to %p in %p, where no object begins", what, holder, target, slot);
    }
    return true;
  }
  if (heap_.persistent_space != nullptr && heap_.persistent_space->IsFrameAddress(target)) {
    return true;  // stabilize/ checks frames.
  }
  const ObjectHeader* header = ObjectHeader::Of(target);
  if (!IsReadable(header, abi::kHeaderBytes) || (header->word & 0xf) != 0 ||
      !IsDescriptor(header->type())) {
    return Fail("%s %p refers to %p in %p, which is not an object", what, holder, target, slot);
  }
  return true;
}

bool Verifier::CheckRoots() {
  ExactVisitor exact(*this);
  heap_.roots.VisitExactRoots(exact);
  weak_refs_.VisitQueue([&](Ref* slot) { exact.VisitSlot(slot); });
  if (heap_.persistent_space != nullptr) {
    PersistentSpace& persistent = *heap_.persistent_space;
    persistent.BeginCollection(CollectionKind::kVerify);
    PersistentVisitor displaced(*this, true);
    persistent.VisitDisplaced(CollectionKind::kVerify, displaced);
    PersistentVisitor roots(*this, false);
    persistent.VisitRoots(CollectionKind::kVerify, roots);
    persistent.EndCollection(CollectionKind::kVerify);
    if (!failed_ && displaced.visited() != counts_.displaced) {
      return Fail("%zu objects have the displaced bit, the table has %zu", counts_.displaced,
                  displaced.visited());
    }
  } else if (counts_.displaced != 0) {
    return Fail("%zu objects have the displaced bit, and there is no database", counts_.displaced);
  }
  AmbiguousVisitor ambiguous(*this);
  heap_.roots.VisitAmbiguousRoots(ambiguous);
  ReachAll();
  return !failed_;
}

void Verifier::Reach(Ref object) {
  if (object == nullptr || failed_ || !pages_.Contains(object)) return;
  const size_t bit = BitOf(ObjectHeader::Of(object));
  if (TestBit(reached_, bit)) return;
  reached_[bit / 64] |= uint64_t{1} << (bit % 64);
  worklist_.Push(object);
}

// Every reference was checked before, so this only counts.
void Verifier::ReachAll() {
  while (!worklist_.empty() && !failed_) {
    const Ref object = worklist_.Pop();
    const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
    ++counts_.reached_objects;
    counts_.reached_bytes += abi::kHeaderBytes + abi::PayloadBytes(type, object);
    abi::ForEachReference(type, object, [&](void** slot) { Reach(*slot); });
  }
}

bool Verifier::IsDescriptor(const TypeDescriptor* type) {
  const uintptr_t bits = reinterpret_cast<uintptr_t>(type);
  if (bits == 0 || bits % abi::kDescriptorAlignment != 0) return false;
  const TypeDescriptor*& known = known_types_[bits / abi::kDescriptorAlignment % kCacheSize];
  if (known == type) return true;
  if (heap_.options.is_type_descriptor != nullptr) {
    if (!heap_.options.is_type_descriptor(type)) return false;
  } else {
    if (!IsReadable(type, sizeof(TypeDescriptor))) return false;
    const bool plausible =
        type->name != nullptr && type->alignment <= 8 &&
        (type->slot_run_count == 0 || IsReadable(type->slot_runs, sizeof(abi::SlotRun))) &&
        (type->element_run_count == 0 || IsReadable(type->element_runs, sizeof(abi::SlotRun)));
    if (!plausible) return false;
  }
  known = type;
  return true;
}

bool Verifier::IsReadable(const void* begin, size_t bytes) {
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin);
  if (first < abi::kNilGuardBytes || first + bytes > uintptr_t{1} << abi::kUserAddressBits) {
    return false;
  }
  for (uintptr_t page = first / kOsPageBytes; page <= (first + bytes - 1) / kOsPageBytes; ++page) {
    uintptr_t& known = readable_pages_[page % kCacheSize];
    if (known == page) continue;
    unsigned char resident;
    // mincore fails for addresses that are not mapped.
    if (mincore(reinterpret_cast<void*>(page * kOsPageBytes), kOsPageBytes, &resident) != 0) {
      return false;
    }
    known = page;
  }
  return true;
}

}  // namespace tenure::gc
