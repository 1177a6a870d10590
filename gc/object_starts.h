// The starts of objects: one bit per granule of the heap, by which an interior address finds its
// object. Old pages have their bits from the beginning. A young page's bits are made when they are
// first needed, since allocation does not set them; they are valid until the next allocation on the
// page (PageDescriptor::starts_known).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "base/result.h"
#include "gc/granule_bits.h"
#include "gc/page_table.h"

namespace tenure::gc {

// With the heap's lock.
class ObjectStarts {
 public:
  Status Create(PageTable& pages);

  // For kObjects pages without open buffers. Walks the page if its bits are not known.
  void EnsureKnown(size_t page);
  // Clears the page's bits and calls them known; the caller sets them.
  void Reset(size_t page);
  // Sets the page's bits to `words` (GranuleBits::kWordsPerPage of them), known.
  void Adopt(size_t page, const uint64_t* words);
  void Set(const abi::ObjectHeader* header) { bits_.View().Set(bits_.Of(header)); }
  bool IsSet(const abi::ObjectHeader* header) const { return bits_.View().Test(bits_.Of(header)); }
  // Calls visit(object) for each that begins on the page, in the order of addresses.
  template <typename Visit>
  void ForEachOn(size_t page, Visit&& visit) const {
    const uint64_t* const words = bits_.WordsOf(page);
    const size_t first = page * GranuleBits::kPerPage;
    for (size_t i = 0; i < GranuleBits::kWordsPerPage; ++i) {
      for (uint64_t word = words[i]; word != 0; word &= word - 1) {
        const size_t bit = first + 64 * i + static_cast<size_t>(std::countr_zero(word));
        visit(static_cast<abi::Ref>(bits_.AddressOf(bit) + abi::kHeaderBytes));
      }
    }
  }

  // The caller will call Containing with this address soon.
  void Prefetch(const void* address) const { bits_.Prefetch(bits_.Of(address)); }

  // The object whose header or payload contains the address, on a page whose starts are known; null
  // when a filler does.
  abi::Ref Containing(const void* address) const;

  // One page's bits, not made anew, for the verifier.
  const uint64_t* WordsOf(size_t page) const { return bits_.WordsOf(page); }

 private:
  PageTable* pages_ = nullptr;
  GranuleBits bits_;
};

}  // namespace tenure::gc
