#include "gc/page_allocator.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "base/address.h"
#include "base/drop_pages.h"
#include "base/metrics.h"
#include "gc/card_table.h"

namespace tenure::gc {

namespace {

// Access rights are set in steps of this many pages, so that they take few calls and one mapping.
constexpr size_t kCommitPages = (size_t{8} << 20) / abi::kPageBytes;
// The bytes that the kernel can map with one fault. In a growing heap, faults cost more than
// zeroing.
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kHugePages = kHugePageBytes / abi::kPageBytes;
constexpr size_t kSmallPagesBytes = 2 * kHugePageBytes;
// A huge page takes a fifth of a millisecond. If one takes longer than kSlowHugePageNs, the machine
// is virtual and has given free memory back to its host: huge pages come from the host, small pages
// mostly do not (docs/platform.md, 7). So the next kSmallPagesWhenSlow pages are small.
constexpr uint64_t kSlowHugePageNs = 1'500'000;
constexpr size_t kSmallPagesWhenSlow = (size_t{64} << 20) / abi::kPageBytes;
// Enough for a handler that reports the error.
constexpr size_t kReserveMost = (size_t{128} << 10) / abi::kPageBytes;
constexpr size_t kReserveDivisor = 32;
// Pages that are prefaulted together: few enough to cost little in a program that needs fewer.
constexpr size_t kPrefaultedAtOnce = (size_t{128} << 10) / abi::kPageBytes;
static_assert(kCommitPages * abi::kPageBytes % kHugePageBytes == 0);
static_assert(kCommitPages * abi::kPageBytes == PageAllocator::kFileStepBytes);

#ifdef MADV_POPULATE_WRITE
constexpr int kPopulateWrite = MADV_POPULATE_WRITE;
#else
constexpr int kPopulateWrite = 23;  // Linux 5.14
#endif

}  // namespace

PageAllocator::~PageAllocator() {
  if (bits_memory_ != nullptr) munmap(bits_memory_, bits_bytes_);
  if (pages_ != nullptr && pages_->bytes() != 0) {
    munmap(reinterpret_cast<void*>(pages_->base()), pages_->bytes());
  }
}

Status PageAllocator::Create(PageTable& pages, size_t reserve_bytes, size_t max_bytes,
                             size_t quarantine_pages) {
  const size_t bytes = reserve_bytes / abi::kPageBytes * abi::kPageBytes;
  // Over-reserve and cut, to begin on a step of files, unless addresses are scarce: otherwise up to
  // a step more than UseFiles is told would be private.
  const size_t alignment = bytes < 64 * kHugePageBytes ? abi::kPageBytes : kFileStepBytes;
  void* memory = mmap(nullptr, bytes + alignment, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Status(StatusCode::kNoMemory, "no addresses for the heap", errno);
  }
  const uintptr_t got = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t base = AlignUp(got, alignment);
  if (base > got) munmap(memory, base - got);
  const uintptr_t end = got + bytes + alignment;
  if (end > base + bytes) munmap(reinterpret_cast<void*>(base + bytes), end - base - bytes);
  // Only for programs with large heaps; and pages that are protected one by one would only split
  // huge pages. A kernel without huge pages refuses.
  if (quarantine_pages == 0 && bytes > kSmallPagesBytes) {
    madvise(reinterpret_cast<void*>(base + kSmallPagesBytes), bytes - kSmallPagesBytes,
            MADV_HUGEPAGE);
  }
  small_pages_begin_ = small_pages_end_ = kSmallPagesBytes / abi::kPageBytes;

  Status status = pages.Create(base, bytes);
  if (!status.ok()) {
    munmap(reinterpret_cast<void*>(base), bytes);
    return status;
  }
  pages_ = &pages;
  const size_t words = BitmapView::WordsFor(pages.page_count());
  bits_bytes_ = 2 * words * sizeof(uint64_t);
  void* bits = mmap(nullptr, bits_bytes_, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bits == MAP_FAILED) {
    return Status(StatusCode::kNoMemory, "no addresses for the heap's bitmaps", errno);
  }
  bits_memory_ = bits;
  free_ = static_cast<uint64_t*>(bits);
  resident_ = free_ + words;
  max_pages_ = std::min(max_bytes / abi::kPageBytes, pages.page_count());
  private_max_pages_ = max_pages_;
  reserve_pages_ = std::min(kReserveMost, max_pages_ / kReserveDivisor);
  quarantine_limit_ = quarantine_pages;
  return CardTable::Cover(reinterpret_cast<void*>(base), bytes);
}

PageAllocator::Run PageAllocator::Allocate(size_t count, bool may_use_reserve) {
  constexpr Run kNone = {kNoPage, false};
  const size_t most = max_pages_ - (may_use_reserve ? 0 : reserve_pages_);
  if (count == 0 || used_pages_ >= most || count > most - used_pages_) return kNone;
  size_t first = FindRun(count);
  if (first == kNoPage && quarantined_pages() != 0) {
    ReleaseFromQuarantine(0);
    first = FindRun(count);
  }
  if (first == kNoPage) return kNone;

  bool zeroed = true;
  BitmapView resident = ResidentBits();
  for (size_t i = first; i < first + count; ++i) {
    if (resident.Test(i)) {
      zeroed = false;
    } else {
      resident.Set(i);
      ++resident_pages_;
    }
  }
  used_pages_ += count;
  peak_used_pages_ = std::max(peak_used_pages_, used_pages_);
  pages_->RaiseHighWater(first + count);
  // The cards still tell of earlier objects.
  CardTable::ClearRange(pages_->Begin(first), count * abi::kPageBytes);
  return {first, zeroed};
}

// Takes the run from the free bits, from the part that was never used, or from both. kNoPage when
// there is none.
size_t PageAllocator::FindRun(size_t count) {
  // The search ends where pages were never used: the range is large.
  BitmapView free(free_, fresh_);
  size_t at = lowest_free_;
  bool lowest_known = false;
  for (;;) {
    const size_t begin = std::min(free.FindNext(at), fresh_);
    if (!lowest_known) {
      lowest_free_ = begin;
      lowest_known = true;
    }
    // No further than is needed: much may be free.
    const size_t most = std::min(begin + count, fresh_);
    const size_t end = std::min(BitmapView(free_, most).FindNextClear(begin), most);
    if (end - begin >= count) {
      free.ClearRange(begin, begin + count);
      return begin;
    }
    if (end == fresh_) {
      if (pages_->page_count() - begin < count || !Commit(begin + count)) return kNoPage;
      free.ClearRange(begin, fresh_);
      fresh_ = begin + count;
      Prefault(begin);
      return begin;
    }
    at = end;
  }
}

// Where pages are small each would cost a fault, which takes longer than zeroing the page. A large
// run is left out, since nobody knows how much of it will be touched.
void PageAllocator::Prefault(size_t from) {
  if (quarantine_limit_ != 0 || fresh_ <= prepared_ || fresh_ - from > kHugePages) return;
  Populate(std::max(from, prepared_), std::min(AlignUp(fresh_, kPrefaultedAtOnce), committed_));
}

// An older kernel does not know how; then pages come when they are touched.
void PageAllocator::Populate(size_t from, size_t to) {
  while (from < to) {
    const bool small = from < small_pages_end_;
    const size_t end = small ? std::min(to, small_pages_end_)
                             : std::min(AlignUp(from + 1, kHugePages), committed_);
    const uint64_t begin_ns = MonotonicNanoseconds();
    madvise(pages_->Begin(from), (end - from) * abi::kPageBytes, kPopulateWrite);
    if (!small && MonotonicNanoseconds() - begin_ns > kSlowHugePageNs) UseSmallPages(end);
    from = end;
  }
  prepared_ = from;
}

void PageAllocator::UseSmallPages(size_t from) {
  const auto advise = [&](size_t first, size_t last, int advice) {
    if (first < last) {
      madvise(pages_->Begin(first), (last - first) * abi::kPageBytes, advice);
    }
  };
  // The small pages of the last time may become huge pages when the kernel has time for that.
  advise(small_pages_begin_, small_pages_end_, MADV_HUGEPAGE);
  small_pages_begin_ = from;
  small_pages_end_ = std::min(from + kSmallPagesWhenSlow, pages_->page_count());
  advise(small_pages_begin_, small_pages_end_, MADV_NOHUGEPAGE);
}

void PageAllocator::UseFiles(MapFile map, size_t from_bytes, size_t max_bytes) {
  // The quarantine protects pages one by one, and gives their memory back.
  if (quarantine_limit_ != 0) return;
  map_file_ = std::move(map);
  if (!map_file_) return;
  max_pages_ =
      std::max(private_max_pages_, std::min(max_bytes / abi::kPageBytes, pages_->page_count()));
  if (files_begin_ != SIZE_MAX) return;
  const uintptr_t from = pages_->base() + std::max(from_bytes, committed_ * abi::kPageBytes);
  files_begin_ = (AlignUp(from, kFileStepBytes) - pages_->base()) / abi::kPageBytes;
}

bool PageAllocator::Commit(size_t pages) {
  if (pages <= committed_) return true;
  const size_t target =
      std::min((pages + kCommitPages - 1) / kCommitPages * kCommitPages, pages_->page_count());
  if (target <= files_begin_) return CommitPrivate(target);
  if (committed_ < files_begin_ && !CommitPrivate(files_begin_)) return false;
  return pages <= committed_ || CommitFiles(pages);
}

bool PageAllocator::CommitPrivate(size_t target) {
  if (mprotect(pages_->Begin(committed_), (target - committed_) * abi::kPageBytes,
               PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  committed_ = target;
  return true;
}

bool PageAllocator::CommitFiles(size_t target) {
  while (committed_ < target) {
    const size_t end = std::min(committed_ + kCommitPages, pages_->page_count());
    if (map_file_ && map_file_(pages_->Begin(committed_), (end - committed_) * abi::kPageBytes)) {
      committed_ = end;
    } else if (used_pages_ >= private_max_pages_ || !CommitPrivate(end)) {
      return false;
    }
  }
  return true;
}

void PageAllocator::Prepare(size_t count) {
  if (quarantine_limit_ != 0) return;
  const size_t free = fresh_ - used_pages_;
  if (free >= count || count > max_pages_ - used_pages_) return;
  const size_t wanted = fresh_ + (count - free);
  if (wanted <= prepared_) return;
  const size_t from = std::max(fresh_, prepared_);
  const size_t to = std::min(AlignUp(wanted, kHugePages), max_pages_);
  if (to > from && Commit(to)) Populate(from, to);
}

void PageAllocator::Free(size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) pages_->At(i) = PageDescriptor{};
  used_pages_ -= count;
  if (quarantine_limit_ != 0) {
    Quarantine(first, count);
    return;
  }
  FreeBits().SetRange(first, first + count);
  lowest_free_ = std::min(lowest_free_, first);
}

void PageAllocator::Quarantine(size_t first, size_t count) {
  char* begin = pages_->Begin(first);
  // The memory goes at once, the addresses stay unusable.
  static_cast<void>(DropPages(begin, count * abi::kPageBytes));
  BitmapView resident = ResidentBits();
  for (size_t i = first; i < first + count; ++i) {
    if (!resident.Test(i)) continue;
    resident.Clear(i);
    --resident_pages_;
  }
  if (mprotect(begin, count * abi::kPageBytes, PROT_NONE) != 0) {
    // Too many kernel mappings: these pages do without.
    FreeBits().SetRange(first, first + count);
    lowest_free_ = std::min(lowest_free_, first);
    return;
  }
  for (size_t i = first; i < first + count; ++i) quarantine_.Push(i);
  ReleaseFromQuarantine(quarantine_limit_);
}

// Releases the oldest until `keep` pages are left.
void PageAllocator::ReleaseFromQuarantine(size_t keep) {
  while (quarantined_pages() > keep) {
    const size_t page = quarantine_[quarantine_first_++];
    TN_CHECK(mprotect(pages_->Begin(page), abi::kPageBytes, PROT_READ | PROT_WRITE) == 0);
    FreeBits().Set(page);
    lowest_free_ = std::min(lowest_free_, page);
  }
  if (quarantine_first_ > quarantine_.size() / 2) {
    std::copy(quarantine_.begin() + quarantine_first_, quarantine_.end(), quarantine_.begin());
    quarantine_.Truncate(quarantine_.size() - quarantine_first_);
    quarantine_first_ = 0;
  }
}

bool PageAllocator::Trim(size_t keep_bytes, size_t most_pages) {
  const size_t keep_pages = keep_bytes / abi::kPageBytes;
  size_t excess = resident_pages_ - used_pages_;
  if (excess <= keep_pages) return false;
  excess -= keep_pages;
  const bool more = excess > most_pages;
  excess = std::min(excess, most_pages);

  // The lowest free pages are used first, so memory is returned from the top.
  BitmapView free = FreeBits();
  BitmapView resident = ResidentBits();
  // Memory of files stays: the system needs no help to take it.
  size_t at = std::min(fresh_, files_begin_);
  while (excess > 0 && at > 0) {
    const size_t last = free.FindPrevious(at - 1);
    if (last == BitmapView::kNone) return false;
    size_t first = last;
    if (!resident.Test(last)) {
      at = last;
      continue;
    }
    while (first > 0 && last - first + 1 < excess && free.Test(first - 1) &&
           resident.Test(first - 1)) {
      --first;
    }
    const size_t count = last - first + 1;
    if (DropPages(pages_->Begin(first), count * abi::kPageBytes) != 0) return false;
    resident.ClearRange(first, last + 1);
    resident_pages_ -= count;
    excess -= count;
    at = first;
  }
  return more;
}

}  // namespace tenure::gc
