#include "gc/shared_drain.h"

#include <string.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "base/mutex.h"
#include "gc/card_table.h"
#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;

namespace {

// Bytes of a large object that one thread scans at once.
constexpr size_t kPartBytes = 64 << 10;
// A thread takes kPagesAtOnce pages while more than kMany are free, otherwise one.
constexpr size_t kPagesAtOnce = 16;
constexpr size_t kMany = 1024;
// Tries before a thread sleeps: the lock is mostly held for less time than sleeping takes.
constexpr int kTries = 50;

// Headers and page descriptors are read while other threads change them.
template <typename T>
T Load(T& value, std::memory_order order = std::memory_order_relaxed) {
  return std::atomic_ref<T>(value).load(order);
}

}  // namespace

class alignas(64) SharedDrain::Worker {
 public:
  explicit Worker(SharedDrain& drain)
      : drain_(drain),
        pages_(drain.heap_.pages),
        marks_cards_(!drain.evacuator_.leaves_nothing_young()) {}

  void Run() {
    if (marks_cards_) {
      Drain<true>();
    } else {
      Drain<false>();
    }
  }
  // When all threads have finished: the rest of the page becomes a gap, unused pages become free.
  void Finish();

 private:
  template <bool kMarkCards>
  void Drain();
  template <bool kMarkCards>
  void Scan(Ref object, ptrdiff_t card_distance);
  template <bool kMarkCards>
  void ScanNewest();
  template <bool kMarkCards>
  void Update(Ref* slot, ptrdiff_t card_distance);
  Ref Move(Ref object, PageDescriptor& page);
  Ref Copy(Ref object, uint64_t& word);
  void Stay(Ref object);
  bool NextPage();
  void TakePages();

  SharedDrain& drain_;
  PageTable& pages_;
  const bool marks_cards_;
  char* scan_ = nullptr;
  char* top_ = nullptr;
  char* limit_ = nullptr;
  size_t taken_[kPagesAtOnce];  // pages to come next, the last one first
  size_t taken_count_ = 0;
  uint64_t objects_copied_ = 0;
  uint64_t bytes_copied_ = 0;
};

void SharedDrain::Run(HelperThreads& helpers) {
  evacuator_.ListUnscannedCopies();
  threads_ = helpers.count() + 1;
  alignas(Worker) char places[HelperThreads::kMostThreads][sizeof(Worker)];
  struct Context {
    Worker* workers[HelperThreads::kMostThreads];
  } context;
  for (size_t i = 0; i < threads_; ++i) context.workers[i] = new (places[i]) Worker(*this);
  helpers.Run([](void* all, size_t i) { static_cast<Context*>(all)->workers[i]->Run(); }, &context);
  for (size_t i = 0; i < threads_; ++i) context.workers[i]->Finish();
}

void SharedDrain::Lock() {
  for (int i = 0; i < kTries; ++i) {
    if (lock_.try_lock()) return;
    __builtin_ia32_pause();
  }
  lock_.lock();
}

bool SharedDrain::Take(Work& work) {
  Lock();
  MutexLock lock(lock_, std::adopt_lock);
  for (;;) {
    work = Next();
    if (work.kind != Work::Kind::kNone) return true;
    if (++idle_ == threads_) {
      changed_.notify_all();
      return false;
    }
    changed_.wait(lock);
    if (idle_ == threads_) return false;
    --idle_;
  }
}

SharedDrain::Work SharedDrain::Next() {
  CollectionLists& lists = heap_.lists;
  Work work;
  const auto& full = lists.full[static_cast<int>(Generation::kOld)];
  size_t& next_full = lists.next_full[static_cast<int>(Generation::kOld)];
  if (next_full < full.size()) {
    work.kind = Work::Kind::kCopies;
    work.begin = full[next_full].scan;
    work.end = full[next_full].end;
    ++next_full;
  } else if (lists.next_went_home < lists.went_home.size()) {
    const CollectionLists::WentHome& home = lists.went_home[lists.next_went_home++];
    work.kind = Work::Kind::kObject;
    work.object = home.write_at;
    work.card_distance = static_cast<char*>(home.lives_at) - static_cast<char*>(home.write_at);
  } else if (lists.next_stayed < lists.stayed.size()) {
    work.kind = Work::Kind::kObject;
    work.object = lists.stayed[lists.next_stayed++];
  } else if (lists.next_large < lists.large.size()) {
    work.kind = Work::Kind::kPart;
    work.object = lists.large[lists.next_large];
    char* const begin = static_cast<char*>(work.object);
    char* const end = begin - abi::kHeaderBytes + ObjectBytes(work.object);
    work.begin = next_part_ != nullptr ? next_part_ : begin;
    work.end = std::min(work.begin + kPartBytes, end);
    next_part_ = work.end;
    if (work.end == end) {
      next_part_ = nullptr;
      ++lists.next_large;
    }
  }
  return work;
}

// --- One thread ---

template <bool kMarkCards>
void SharedDrain::Worker::Drain() {
  Work work;
  while (drain_.Take(work)) {
    if (work.kind == Work::Kind::kCopies) {
      // Scans new copies before the rest of the page, so that related objects stay close.
      while (work.begin < work.end) {
        const Ref object = work.begin + abi::kHeaderBytes;
        work.begin += ObjectBytes(object);
        Scan<kMarkCards>(object, 0);
        ScanNewest<kMarkCards>();
      }
    } else if (work.kind == Work::Kind::kObject) {
      Scan<kMarkCards>(work.object, work.card_distance);
    } else {
      ForEachReferenceWithin(*ObjectHeader::Of(work.object)->type(), work.object,
                             reinterpret_cast<uintptr_t>(work.begin),
                             reinterpret_cast<uintptr_t>(work.end),
                             [&](Ref* slot) { Update<kMarkCards>(slot, 0); });
    }
    ScanNewest<kMarkCards>();
  }
}

template <bool kMarkCards>
void SharedDrain::Worker::ScanNewest() {
  while (scan_ < top_) {
    const Ref object = scan_ + abi::kHeaderBytes;
    // Before the slots: their targets may fill the page.
    scan_ += ObjectBytes(object);
    Scan<kMarkCards>(object, 0);
  }
}

template <bool kMarkCards>
inline void SharedDrain::Worker::Scan(Ref object, ptrdiff_t card_distance) {
  ForEachTracedSlot(*ObjectHeader::Of(object)->type(), object,
                    [&](Ref* slot) { Update<kMarkCards>(slot, card_distance); });
}

template <bool kMarkCards>
[[gnu::always_inline]] inline void SharedDrain::Worker::Update(Ref* slot, ptrdiff_t card_distance) {
  Ref target = *slot;
  if (!pages_.Contains(target)) return;
  PageDescriptor& page = pages_.Of(target);
  if (Load(page.space) == Space::kFrom) {
    target = Move(target, page);
    *slot = target;
    if (!kMarkCards || !pages_.Contains(target)) return;
  }
  if (kMarkCards && Load(pages_.Of(target).generation) == Generation::kYoung) {
    CardTable::Mark(reinterpret_cast<char*>(slot) + card_distance);
  }
}

// The present address of an object of a condemned page.
inline Ref SharedDrain::Worker::Move(Ref object, PageDescriptor& page) {
  constexpr uint64_t kStays = ObjectHeader::kMarkBit;
  if (page.kind == PageKind::kObjects) {
    uint64_t word = Load(ObjectHeader::Of(object)->word, std::memory_order_acquire);
    if ((word & (ObjectHeader::kForwardedTag | kStays | ObjectHeader::kDisplacedBit)) == 0) {
      const Ref copy = Copy(object, word);
      if (copy != nullptr) return copy;
    }
    // Another thread may have claimed the object.
    if ((word & ObjectHeader::kForwardedTag) != 0) {
      return reinterpret_cast<Ref>(word & ~ObjectHeader::kForwardedTag);
    }
    if ((word & kStays) != 0) return object;
  }
  // All displaced objects have been visited: only large objects remain, and no database is asked.
  TN_CHECK(page.kind != PageKind::kObjects);
  drain_.Lock();
  const MutexLock lock(drain_.lock_, std::adopt_lock);
  drain_.evacuator_.Update(&object);
  drain_.Added();
  return object;
}

// Null when another thread has claimed the object; `word` is the header that it has stored.
inline Ref SharedDrain::Worker::Copy(Ref object, uint64_t& word) {
  const auto& type = *reinterpret_cast<const ObjectHeader*>(&word)->type();
  const size_t bytes = abi::kHeaderBytes + abi::PayloadBytes(type, object);
  std::atomic_ref<uint64_t> header(ObjectHeader::Of(object)->word);
  while (static_cast<size_t>(limit_ - top_) < bytes) {
    if (NextPage()) continue;
    const uint64_t stays = word | ObjectHeader::kMarkBit;
    if (header.compare_exchange_strong(word, stays, std::memory_order_acq_rel)) {
      word = stays;
      Stay(object);
    }
    return nullptr;
  }
  char* const place = top_;
  __builtin_prefetch(place + kPrefetchDistance, 1);
  auto* const from = static_cast<const uint64_t*>(object) - 1;
  auto* const to = reinterpret_cast<uint64_t*>(place);
  to[0] = ObjectHeader::ForType(&type);
  if (bytes > 128) {
    memcpy(to + 1, object, bytes - abi::kHeaderBytes);
  } else {
    CopyToBeScanned(to, from, bytes, PageTable::View(pages_));
  }
  const Ref copy = place + abi::kHeaderBytes;
  if (!header.compare_exchange_strong(word, ObjectHeader::ForForwarding(copy),
                                      std::memory_order_acq_rel)) {
    return nullptr;
  }
  top_ += bytes;
  if ((type.flags & abi::kTypePure) != 0 && scan_ == place) scan_ = top_;
  ++objects_copied_;
  bytes_copied_ += bytes;
  drain_.heap_.starts.Set(ObjectHeader::Of(copy));
  return copy;
}

// Leaves the object where it is: there is no room for a copy.
void SharedDrain::Worker::Stay(Ref object) {
  drain_.Lock();
  const MutexLock lock(drain_.lock_, std::adopt_lock);
  ++drain_.heap_.counters.evacuations_failed;
  pages_.Of(object).kept = true;
  drain_.heap_.lists.stayed.Push(object);
  drain_.Added();
}

bool SharedDrain::Worker::NextPage() {
  Region{top_, limit_}.Fill();
  if (scan_ < top_ || taken_count_ == 0) {
    drain_.Lock();
    const MutexLock lock(drain_.lock_, std::adopt_lock);
    if (scan_ < top_) {
      drain_.heap_.lists.full[static_cast<int>(Generation::kOld)].Push({scan_, top_});
      drain_.Added();
    }
    if (taken_count_ == 0) TakePages();
  }
  scan_ = top_ = limit_ = nullptr;
  if (taken_count_ == 0) return false;
  const size_t index = taken_[--taken_count_];
  PageDescriptor& page = pages_.At(index);
  page = PageDescriptor{};
  page.space = Space::kTo;
  page.generation = Generation::kOld;
  page.run_pages = 1;
  drain_.heap_.starts.Reset(index);
  scan_ = top_ = pages_.Begin(index);
  limit_ = top_ + abi::kPageBytes;
  return true;
}

// Called with the lock. Takes no page when none is listed.
void SharedDrain::Worker::TakePages() {
  PageAllocator& pages = drain_.heap_.page_allocator;
  const size_t wanted = pages.free_bytes() > kMany * abi::kPageBytes ? kPagesAtOnce : 1;
  while (taken_count_ < wanted) {
    const size_t page = pages.Allocate(1).first;
    if (page == PageAllocator::kNoPage) break;
    taken_[taken_count_++] = page;
  }
  std::reverse(taken_, taken_ + taken_count_);
}

void SharedDrain::Worker::Finish() {
  if (top_ < limit_) drain_.heap_.AddGap(Generation::kOld, {top_, limit_});
  while (taken_count_ > 0) drain_.heap_.page_allocator.Free(taken_[--taken_count_], 1);
  drain_.evacuator_.CopiedElsewhere(objects_copied_, bytes_copied_);
}

}  // namespace tenure::gc
