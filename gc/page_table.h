// From an address to the descriptor of its page. The table is an array beside the heap, one
// descriptor for each page of the reserved range; memory is touched only for pages that were ever
// in use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "base/result.h"
#include "gc/page.h"

namespace tenure::gc {

// Threads: reads from any thread; changes with the heap's lock.
class PageTable {
 public:
  PageTable() = default;
  ~PageTable();
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  // Makes descriptors, all kFree, for the pages of [base, base + bytes), which is page-aligned and
  // not owned. Fails with kNoMemory.
  Status Create(uintptr_t base, size_t bytes);

  uintptr_t base() const { return base_; }
  size_t bytes() const { return bytes_; }
  size_t page_count() const { return bytes_ / abi::kPageBytes; }

  // One past the highest page that was ever in use: a walk need not go further.
  size_t high_water() const { return high_water_; }
  void RaiseHighWater(size_t page) {
    if (page > high_water_) high_water_ = page;
  }

  // An address inside the reserved range, in use or not.
  bool Contains(const void* address) const {
    return reinterpret_cast<uintptr_t>(address) - base_ < bytes_;
  }
  // Only for an address that the range contains.
  size_t IndexOf(const void* address) const {
    return (reinterpret_cast<uintptr_t>(address) - base_) / abi::kPageBytes;
  }
  PageDescriptor& At(size_t index) { return pages_[index]; }
  const PageDescriptor& At(size_t index) const { return pages_[index]; }
  PageDescriptor& Of(const void* address) { return pages_[IndexOf(address)]; }
  const PageDescriptor& Of(const void* address) const { return pages_[IndexOf(address)]; }

  char* Begin(size_t index) const {
    return reinterpret_cast<char*>(base_ + index * abi::kPageBytes);
  }

  // Any address; false for NIL, literals, frames, and free pages.
  bool InUse(const void* address) const {
    return Contains(address) && Of(address).space != Space::kFree;
  }
  bool IsYoung(const void* address) const {
    return InUse(address) && Of(address).generation == Generation::kYoung;
  }
  bool IsOld(const void* address) const {
    return InUse(address) && Of(address).generation == Generation::kOld;
  }

  // The run of pages on which an object lies: one page, or all pages of a large object. `object` is
  // on a page in use.
  struct PageRange {
    void* begin;
    size_t bytes;
  };
  PageRange PagesOf(const void* object) const;

  // Finds descriptors like the table. Loops that store to objects keep a View in a local variable:
  // for all the compiler knows, such a store changes a PageTable, whose members it would read
  // again.
  class View {
   public:
    explicit View(PageTable& table)
        : base_(table.base_), bytes_(table.bytes_), pages_(table.pages_) {}
    bool Contains(const void* address) const {
      return reinterpret_cast<uintptr_t>(address) - base_ < bytes_;
    }
    PageDescriptor& Of(const void* address) const {
      return pages_[(reinterpret_cast<uintptr_t>(address) - base_) / abi::kPageBytes];
    }

   private:
    uintptr_t base_;
    size_t bytes_;
    PageDescriptor* pages_;
  };

  // The first page of the run that a page of a large object belongs to; other pages are their own.
  size_t FirstOfRun(size_t index) const {
    const PageDescriptor& page = pages_[index];
    return page.kind == PageKind::kLargeRest ? index - page.run_pages : index;
  }

 private:
  uintptr_t base_ = 0;
  size_t bytes_ = 0;
  size_t high_water_ = 0;
  PageDescriptor* pages_ = nullptr;
};

}  // namespace tenure::gc
