// One bit for each granule of the heap, beside the heap: where objects begin, which old ones are
// marked, which are remembered.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/bitmap.h"
#include "base/result.h"
#include "gc/page_table.h"

namespace tenure::gc {

// All clear at first. With the heap's lock.
class GranuleBits {
 public:
  static constexpr size_t kPerPage = abi::kPageBytes / abi::kGranuleBytes;
  static constexpr size_t kWordsPerPage = kPerPage / 64;

  GranuleBits() = default;
  ~GranuleBits();
  GranuleBits(const GranuleBits&) = delete;
  GranuleBits& operator=(const GranuleBits&) = delete;

  // Reserves addresses; memory comes where bits are set. kNoMemory, in which case `what` names the
  // bits. Must precede all other calls.
  Status Create(const PageTable& pages, const char* what);

  // The index of an address in the heap.
  size_t Of(const void* address) const {
    return (reinterpret_cast<uintptr_t>(address) - pages_->base()) / abi::kGranuleBytes;
  }
  size_t OfObject(abi::Ref object) const { return Of(abi::ObjectHeader::Of(object)); }
  char* AddressOf(size_t bit) const {
    return reinterpret_cast<char*>(pages_->base() + bit * abi::kGranuleBytes);
  }

  BitmapView View() const { return BitmapView(words_, pages_->page_count() * kPerPage); }
  uint64_t* WordsOf(size_t page) const { return words_ + page * kWordsPerPage; }
  void ClearPages(size_t first, size_t count);

  void Prefetch(size_t bit) const { __builtin_prefetch(words_ + bit / 64); }
  void PrefetchToSet(size_t bit) const { __builtin_prefetch(words_ + bit / 64, 1); }

 private:
  size_t bytes() const { return pages_->page_count() * kWordsPerPage * sizeof(uint64_t); }

  const PageTable* pages_ = nullptr;
  uint64_t* words_ = nullptr;
};

}  // namespace tenure::gc
