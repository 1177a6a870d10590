// Where objects begin: one bit per granule of the heap, by which an interior address finds its
// object. Old pages have theirs from the beginning. A young page's bits are made when they are
// first needed, since allocation does not set them, and stay right until something is allocated on
// the page again (PageDescriptor::starts_known).
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "base/bitmap.h"
#include "base/result.h"
#include "gc/page_table.h"

namespace tenure::gc {

// With the heap's lock.
class ObjectStarts {
 public:
  ObjectStarts() = default;
  ~ObjectStarts();
  ObjectStarts(const ObjectStarts&) = delete;
  ObjectStarts& operator=(const ObjectStarts&) = delete;

  Status Create(PageTable& pages);

  // For kObjects pages without open buffers. Walks the page if its bits are not known.
  void EnsureKnown(size_t page);
  // Takes over a page's bits: none set, known. The caller sets them.
  void Reset(size_t page);
  // The same, and sets those of `words` (kWordsPerPage).
  void Adopt(size_t page, const uint64_t* words);
  void Set(const abi::ObjectHeader* header) { View().Set(GranuleOf(header)); }

  // The caller will ask Containing soon.
  void Prefetch(const void* address) const { __builtin_prefetch(words_ + GranuleOf(address) / 64); }

  // The object whose header or payload contains the address, on a page whose starts are known; null
  // when a filler does.
  abi::Ref Containing(const void* address) const;

  // One page's bits as they are stored, for the verifier.
  const uint64_t* WordsOf(size_t page) const { return words_ + page * kWordsPerPage; }
  static constexpr size_t kGranulesPerPage = abi::kPageBytes / abi::kGranuleBytes;
  static constexpr size_t kWordsPerPage = kGranulesPerPage / 64;

 private:
  BitmapView View() const { return BitmapView(words_, pages_->page_count() * kGranulesPerPage); }
  size_t GranuleOf(const void* address) const {
    return (reinterpret_cast<uintptr_t>(address) - pages_->base()) / abi::kGranuleBytes;
  }
  abi::Ref ObjectAt(size_t granule) const {
    return reinterpret_cast<abi::Ref>(pages_->base() + granule * abi::kGranuleBytes +
                                      abi::kHeaderBytes);
  }

  PageTable* pages_ = nullptr;
  uint64_t* words_ = nullptr;
};

}  // namespace tenure::gc
