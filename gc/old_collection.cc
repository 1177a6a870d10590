#include "gc/old_collection.h"

#include <algorithm>

#include "base/metrics.h"
#include "gc/card_table.h"
#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

constexpr size_t kWordsPerPage = GranuleBits::kWordsPerPage;
// Bytes to scan for each promoted byte, and for each minor collection. A cycle begins when the old
// generation has grown by three quarters of its live bytes, and must end long before it has grown
// by twice as many.
constexpr size_t kScannedPerPromoted = 8;
constexpr size_t kScannedPerMinor = 512 << 10;
// Bytes of a large object that are scanned at once.
constexpr size_t kPartBytes = 32 << 10;
// The clock is read after this many objects or pages.
constexpr size_t kObjectsPerLook = 128;
constexpr size_t kPagesPerLook = 64;
constexpr size_t kPagesPerTrim = 1024;
// Nanoseconds that the first attempt to finish may take; each further one may take twice as long.
constexpr uint64_t kFinishNs = 500'000;
constexpr unsigned kAttempts = 6;
// Bytes that mutators allocate at least between two extra pauses.
constexpr size_t kMinSliceDistance = 64 << 10;
// In stress mode a slice is this many objects or pages, so that a cycle has many slices.
constexpr size_t kStressSlice = 200;

}  // namespace

Status OldCollection::Create(PageTable& pages) {
  pages_ = &pages;
  return bits_.Create(pages, "no addresses for the mark bits");
}

void OldCollection::Begin() {
  TN_CHECK(is_idle());
  state_ = State::kMarking;
  debt_bytes_ = 0;
  attempts_ = 0;
  has_roots_ = false;
}

void OldCollection::Promoted(size_t bytes) {
  used_bytes_ += bytes;
  promoted_bytes_ += bytes;
  has_roots_ = true;
  if (is_marking()) debt_bytes_ += kScannedPerPromoted * bytes + kScannedPerMinor;
}

// --- Marking ---

[[gnu::always_inline]] inline void OldCollection::VisitSlot(Ref* slot,
                                                            const PageTable::View& pages) {
  const Ref target = *slot;
  if (!pages.Contains(target)) return;
  const PageDescriptor& page = pages.Of(target);
  // Young objects are left to minor collections.
  if (page.generation == Generation::kOld && page.space == Space::kTo) Mark(target);
}

void OldCollection::MarkArriving() {
  for (Ref& object : arriving_) {
    if (object != nullptr) MarkNow(object);
    object = nullptr;
  }
  arrived_ = 0;
}

inline void OldCollection::Scan(Ref object, const PageTable::View& pages) {
  const abi::TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  const size_t bytes = ObjectBytes(object);
  debt_bytes_ -= std::min(debt_bytes_, bytes);
  if ((type.flags & abi::kTypePure) != 0) return;
  if (bytes > kPartBytes) {
    parts_.Push({object, static_cast<char*>(object)});
    return;
  }
  if ((type.flags & abi::kTypeOpenArray) == 0) {
    ForEachTracedSlotOf(type.slot_runs, type.slot_run_count, static_cast<char*>(object),
                        [&](Ref* slot) { VisitSlot(slot, pages); });
  } else {
    ForEachTracedSlot(type, object, [&](Ref* slot) { VisitSlot(slot, pages); });
  }
}

void OldCollection::ScanPart() {
  Part& part = parts_.back();
  const Ref object = part.object;
  char* const begin = part.next;
  char* const end = static_cast<char*>(object) - abi::kHeaderBytes + ObjectBytes(object);
  part.next = std::min(begin + kPartBytes, end);
  char* const next = part.next;
  if (next == end) parts_.Pop();
  ForEachReferenceWithin(*ObjectHeader::Of(object)->type(), object,
                         reinterpret_cast<uintptr_t>(begin), reinterpret_cast<uintptr_t>(next),
                         [&](Ref* slot) { VisitSlot(slot, PageTable::View(*pages_)); });
}

// True when nothing is left. An object is scanned some time after it leaves the stack, when its
// first line has come into the cache. All in one function: a call for each slot would take as long
// as the work for most slots.
[[gnu::flatten]] bool OldCollection::Advance(uint64_t deadline_ns) {
  constexpr size_t kWaiting = 8;
  const PageTable::View pages(*pages_);
  Ref waiting[kWaiting] = {};
  size_t at = 0;
  size_t in_ring = 0;
  size_t looks = 0;
  const bool stress = heap_.options.stress_interval != 0;
  for (;;) {
    bool stop = false;
    if (++looks % kObjectsPerLook == 0) {
      stop = MonotonicNanoseconds() >= deadline_ns || (stress && looks >= kStressSlice);
    }
    if (stop) break;
    Ref next = nullptr;
    if (!stack_.empty()) {
      next = stack_.Pop();
      __builtin_prefetch(ObjectHeader::Of(next));
      ++in_ring;
    } else if (arrived_ > 0) {
      MarkArriving();
      continue;
    } else if (in_ring == 0) {
      if (parts_.empty()) return true;
      ScanPart();
      looks += kObjectsPerLook - looks % kObjectsPerLook -
               1;  // a part takes as long as that many objects
      continue;
    }
    std::swap(next, waiting[at++ % kWaiting]);
    if (next == nullptr) continue;
    --in_ring;
    Scan(next, pages);
  }
  for (const Ref object : waiting) {
    if (object != nullptr) stack_.Push(object);
  }
  return false;
}

bool OldCollection::TryFinish() {
  const uint64_t patience_ns = attempts_ < kAttempts ? kFinishNs << attempts_ : ~uint64_t{0} / 2;
  ++attempts_;
  return Advance(attempts_ <= kAttempts ? MonotonicNanoseconds() + patience_ns : ~uint64_t{0});
}

void OldCollection::Drain() {
  while (!Advance(~uint64_t{0})) {
  }
}

// --- Sweeping ---

void OldCollection::BeginSweep() {
  TN_CHECK(MayFinish());
  state_ = State::kSweeping;
  cursor_ = 0;
  sweep_end_ = pages_->high_water();
  marked_bytes_ = 0;
  promoted_bytes_ = 0;
  for (size_t i = 0; i < sweep_end_; ++i) {
    PageDescriptor& page = pages_->At(i);
    page.unswept = page.space == Space::kTo && page.generation == Generation::kOld &&
                   page.kind != PageKind::kLargeRest;
  }
  heap_.remembered.Retain([&](Ref object) { return IsMarked(object); });
  // The sweep finds these gaps again, and new ones.
  heap_.gaps_of(Generation::kOld).Clear();
}

void OldCollection::SweepSlice(uint64_t deadline_ns) {
  const bool stress = heap_.options.stress_interval != 0;
  for (size_t looks = 1; cursor_ < sweep_end_; ++looks, ++cursor_) {
    if (looks % kPagesPerLook == 0 &&
        (MonotonicNanoseconds() >= deadline_ns || (stress && looks >= kStressSlice))) {
      return;
    }
    const PageDescriptor& page = pages_->At(cursor_);
    if (page.unswept) SweepPage(cursor_);
  }
  state_ = State::kReleasing;
  cursor_ = 0;
}

void OldCollection::SweepPage(size_t index) {
  PageDescriptor& page = pages_->At(index);
  uint64_t* const words = bits_.WordsOf(index);
  if (page.kind == PageKind::kLargeFirst) {
    if (words[0] == 0) return AddDead(index, page.run_pages);
    words[0] = 0;
    page.unswept = false;
    marked_bytes_ += page.run_pages * abi::kPageBytes;
    return;
  }
  uint64_t any = 0;
  for (size_t i = 0; i < kWordsPerPage; ++i) any |= words[i];
  if (any == 0) return AddDead(index, 1);

  if (heap_.persistent_space != nullptr) {
    heap_.persistent_space->MakeWritable(pages_->Begin(index));
  }
  heap_.starts.Adopt(index, words);
  marked_bytes_ += heap_.FreeBetweenObjects(index);
  bits_.ClearPages(index, 1);
  page.unswept = false;
}

// No thread can store to these pages any more, and no collection may follow their references.
void OldCollection::AddDead(size_t first, size_t count) {
  CardTable::ClearRange(pages_->Begin(first), count * abi::kPageBytes);
  if (!dead_.empty() && dead_.back().first + dead_.back().count == first) {
    dead_.back().count += count;
  } else {
    dead_.Push({first, count});
  }
}

void OldCollection::ReleaseSlice(uint64_t deadline_ns) {
  for (; cursor_ < dead_.size(); ++cursor_) {
    PageRun& run = dead_[cursor_];
    while (run.count > 0) {
      if (MonotonicNanoseconds() >= deadline_ns) return;
      size_t count = std::min(run.count, kPagesPerLook);
      // A large object goes as a whole: a word on a stack may still lead into it.
      while (count < run.count && pages_->At(run.first + count).kind == PageKind::kLargeRest) {
        ++count;
      }
      heap_.page_allocator.Free(run.first, count);
      heap_.old_bytes -= std::min(heap_.old_bytes, count * abi::kPageBytes);
      run.first += count;
      run.count -= count;
    }
  }
  dead_.Clear();
  const size_t alive = marked_bytes_ + promoted_bytes_;
  const size_t died = used_bytes_ - std::min(used_bytes_, alive);
  used_bytes_ = alive;
  heap_.pacer.OldGenerationSwept(alive, died);
  ++heap_.counters.old_collections;
  state_ = State::kTrimming;
}

// --- Slices ---

void OldCollection::Step(uint64_t deadline_ns, size_t young_since, size_t young_limit) {
  switch (state_) {
    case State::kIdle: break;
    case State::kMarking: Advance(deadline_ns); break;
    case State::kSweeping: SweepSlice(deadline_ns); break;
    case State::kReleasing: ReleaseSlice(deadline_ns); break;
    case State::kTrimming:
      if (!heap_.page_allocator.Trim(heap_.pacer.FreeBytesToKeep(), kPagesPerTrim)) {
        state_ = State::kIdle;
      }
      break;
  }
  next_slice_at_ = ~size_t{0};
  if (is_idle()) return;
  // Marking that has paid its debt waits for the next minor collection.
  if (is_marking() && (debt_bytes_ == 0 || MayFinish())) return;
  next_slice_at_ = young_since + std::max(kMinSliceDistance, young_limit / 16);
}

void OldCollection::Abandon() {
  if (state_ == State::kMarking) {
    MarkArriving();
    bits_.ClearPages(0, pages_->high_water());
    stack_.Clear();
    parts_.Clear();
    state_ = State::kIdle;
  }
  // An ambiguous word on a stack must not pin garbage.
  while (state_ == State::kSweeping) SweepSlice(~uint64_t{0});
  if (state_ == State::kReleasing) ReleaseSlice(~uint64_t{0});
  state_ = State::kIdle;
  next_slice_at_ = ~size_t{0};
}

}  // namespace tenure::gc
