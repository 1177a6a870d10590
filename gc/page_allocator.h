// The pages of the reserved range that are in use, and the memory behind free ones. Knows nothing
// of the objects on a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/bitmap.h"
#include "base/result.h"
#include "gc/page_table.h"
#include "gc/raw_array.h"

namespace tenure::gc {

// With the heap's lock.
class PageAllocator {
 public:
  static constexpr size_t kNoPage = ~size_t{0};

  PageAllocator() = default;
  ~PageAllocator();
  PageAllocator(const PageAllocator&) = delete;
  PageAllocator& operator=(const PageAllocator&) = delete;

  // Reserves `reserve_bytes` of addresses, creates the page table over them and never has more than
  // `max_bytes` in use. `quarantine_pages`: how many freed pages stay protected (kept from use, so
  // that a stale pointer traps); 0 for none. kNoMemory when the addresses cannot be had.
  Status Create(PageTable& pages, size_t reserve_bytes, size_t max_bytes, size_t quarantine_pages);

  // From now on, pages that were never used and lie behind `from_bytes` of the range get memory
  // from map(begin, bytes), in steps of kFileStepBytes at multiples of kFileStepBytes, and
  // `max_bytes` may be in use. What lies there already stays. When `map` answers false, memory is
  // private as before, within the limit that Create got.
  static constexpr size_t kFileStepBytes = size_t{8} << 20;
  using MapFile = std::function<bool(void* begin, size_t bytes)>;
  void UseFiles(MapFile map, size_t from_bytes, size_t max_bytes);

  // Allocate takes the lowest free run of `count` pages; the caller sets their descriptors.
  // `zeroed`: the memory is known to be zero; otherwise it holds arbitrary bytes. first == kNoPage:
  // the limit is reached, or no run is long enough.
  struct Run {
    size_t first;
    bool zeroed;
  };
  // The last few pages are a reserve for callers with `may_use_reserve`.
  Run Allocate(size_t count, bool may_use_reserve = false);

  // A pause will want `count` pages: puts memory behind free pages that were never used, which can
  // take longer than filling them. The world need not be stopped.
  void Prepare(size_t count);

  // Gives pages back and makes their descriptors kFree.
  void Free(size_t first, size_t count);

  // Returns the private memory of free pages to the system, the highest first kept least, until at
  // most `keep_bytes` of memory lie behind free pages, or about `most_pages` have been returned:
  // true then.
  bool Trim(size_t keep_bytes, size_t most_pages = kNoPage);

  size_t used_bytes() const { return used_pages_ * abi::kPageBytes; }
  size_t peak_used_bytes() const { return peak_used_pages_ * abi::kPageBytes; }
  size_t max_bytes() const { return max_pages_ * abi::kPageBytes; }
  size_t free_bytes() const { return max_bytes() - used_bytes(); }
  size_t reserve_bytes() const { return reserve_pages_ * abi::kPageBytes; }
  // Pages in use, and free ones with memory behind them.
  size_t resident_bytes() const { return resident_pages_ * abi::kPageBytes; }
  size_t quarantined_pages() const { return quarantine_.size() - quarantine_first_; }

 private:
  size_t FindRun(size_t count);
  bool Commit(size_t pages);
  void Prefault(size_t from);
  // Puts memory behind pages that were never used, and that may be accessed.
  void Populate(size_t from, size_t to);
  void UseSmallPages(size_t from);
  // Whether the pages of [committed_, target) may be accessed now.
  bool CommitPrivate(size_t target);
  bool CommitFiles(size_t target);
  void Quarantine(size_t first, size_t count);
  void ReleaseFromQuarantine(size_t keep);
  BitmapView FreeBits() const { return BitmapView(free_, pages_->page_count()); }
  BitmapView ResidentBits() const { return BitmapView(resident_, pages_->page_count()); }

  PageTable* pages_ = nullptr;
  void* bits_memory_ = nullptr;
  size_t bits_bytes_ = 0;
  uint64_t* free_ = nullptr;      // below fresh_: free and usable now
  uint64_t* resident_ = nullptr;  // memory that may not be zero
  size_t fresh_ = 0;              // pages from here on were never used
  size_t prepared_ = 0;           // Prepare or Prefault has been here
  size_t small_pages_begin_ = 0;  // Linux has been told to use small pages from here
  size_t small_pages_end_ = 0;    // to here, and below the first such place
  size_t committed_ = 0;          // pages below may be accessed, except the quarantine
  size_t lowest_free_ = 0;        // no free bit below
  size_t used_pages_ = 0;
  size_t peak_used_pages_ = 0;
  size_t resident_pages_ = 0;
  size_t max_pages_ = 0;
  size_t private_max_pages_ = 0;   // what Create allowed
  MapFile map_file_;               // or empty
  size_t files_begin_ = SIZE_MAX;  // pages from here on may have memory of files
  size_t reserve_pages_ = 0;       // the last of max_pages_
  size_t quarantine_limit_ = 0;
  RawArray<size_t> quarantine_;  // pages, oldest first, from quarantine_first_ on
  size_t quarantine_first_ = 0;
};

}  // namespace tenure::gc
