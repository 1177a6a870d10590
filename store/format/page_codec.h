// A page as stored and as in memory: swizzling and its inverse (docs/page_format.md).
//
// Both forms have the same offsets. In a stored page
//   - an object's header word is its type's index in the store's type table, shifted left by 4;
//   - fillers are as in memory (abi/object_header.h); the page is tiled by objects and fillers;
//   - references are as in store/format/persistent_ref.h; TRANSIENT and untraced slots are 0.
// Pages of a large object's run have no header but on the first (LargeRun in the page's record).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "base/result.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"
#include "store/format/slot_types.h"

namespace tenure::store {

inline constexpr unsigned kStoredTypeShift = 4;

// Makes a free place of `bytes` in an image of a page.
inline void StoreFiller(std::byte* at, size_t bytes) {
  const uint64_t filler = abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes));
  std::memcpy(at, &filler, sizeof filler);
}

// The references that an addition translates: most references of most pages.
struct PlainReferences {
  char* begin = nullptr;  // of the database in memory
  uint64_t bytes = 0;     // addresses less than this behind `begin` are stored as their distance
  uint64_t stored = 0;    // object references below this lead to where they say; 0: ask for each
};

// The database's part of the translation of references.
class ReferenceTranslator {
 public:
  // Valid until the next object is named or comes home, or the database grows.
  virtual PlainReferences Plain() const { return {}; }
  // Where the object that a stored reference names is now: in its frame, or displaced. kCorrupt
  // when it cannot be a reference of this database. Sets *outward when the place is in the
  // transient heap; else leaves it.
  virtual Result<abi::Ref> ToMemory(PersistentRef stored, bool* outward) = 0;
  // The stored form of a non-NIL reference in memory to an object of the database, a displaced one
  // or a literal with a copy; NIL for a transient object. Any other reference is our error.
  virtual PersistentRef ToStored(abi::Ref object) = 0;
  // Procedure values, not NIL. The stored one lies at `offset` of the page, in a slot of a type
  // with this calling shape (abi::ProcedureInfo::shape; 0: not known).
  virtual uint64_t ProcedureToStored(void* code) = 0;
  virtual void* ProcedureToMemory(PageId page, size_t offset, uint64_t stored, uint32_t shape) = 0;
  virtual Result<const abi::TypeDescriptor*> TypeOf(uint32_t index) = 0;
  virtual uint32_t IndexOf(const abi::TypeDescriptor& type) = 0;
  virtual const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) = 0;
  // The type of an object that shares its page with others; one with kTypeUnknown leaves the object
  // as it is stored.
  virtual Result<const abi::TypeDescriptor*> TypeBeside(uint32_t index) { return TypeOf(index); }

 protected:
  ~ReferenceTranslator() = default;
};

// ForEachSlotBetween over runs that may differ from the type's own: slots_of(run) is a run's
// SlotRun, and visit gets the run.
template <typename Run, typename SlotsOf, typename Visit>
void ForEachSlotOfRuns(const abi::TypeDescriptor& type, std::span<const Run> runs,
                       std::span<const Run> element_runs, size_t begin, size_t end,
                       SlotsOf&& slots_of, Visit&& visit) {
  auto over = [&](size_t base, std::span<const Run> some) {
    for (const Run& run : some) {
      const abi::SlotRun& slots = slots_of(run);
      size_t offset = base + slots.offset;
      uint32_t i = 0;
      if (offset < begin && slots.stride > 0) {
        i = static_cast<uint32_t>(std::min<size_t>(slots.count, (begin - offset) / slots.stride));
        offset += size_t{i} * slots.stride;
      }
      for (; i < slots.count; ++i, offset += slots.stride) {
        if (offset >= end) break;
        if (offset >= begin) visit(offset, run);
      }
    }
  };
  over(0, runs);
  if ((type.flags & abi::kTypeOpenArray) == 0 || element_runs.empty()) return;
  const size_t elements = abi::ElementsOffset(type);
  size_t first = 0;
  if (begin > elements) first = (begin - elements) / type.element_bytes;
  for (size_t at = elements + first * type.element_bytes; at < end; at += type.element_bytes) {
    over(at, element_runs);
  }
}

// Calls visit(size_t offset, SlotKind kind) for the slots of an object of this type that lie in the
// bytes [begin, end) of its payload; `payload_bytes` bounds the tail of an open array. Offsets are
// from the payload. Elements are taken to go on to `end`, whatever the object's own lengths are:
// pages of a large object.
template <typename Visit>
void ForEachSlotBetween(const abi::TypeDescriptor& type, size_t begin, size_t end, Visit&& visit) {
  ForEachSlotOfRuns(
      type, std::span(type.slot_runs, type.slot_run_count),
      std::span(type.element_runs, type.element_run_count), begin, end,
      [](const abi::SlotRun& run) -> const abi::SlotRun& { return run; },
      [&](size_t offset, const abi::SlotRun& run) { visit(offset, run.kind); });
}

// A reference that DecodePage has found: whether an object that may stand there begins where it
// leads is the caller's to see.
struct FoundReference {
  const void* object = nullptr;            // its place in memory
  const RequiredType* required = nullptr;  // null: any
  uint32_t offset = 0;                     // of the slot, on its page
};

// Decodes a checked record into `image` (kPageBytes, private to the caller). Verifies everything:
// objects and free places tile the page, types are known, sizes fit, references are aligned and
// inside the database. Appends the references that are not NIL to *found. Sets *outward if a
// reference leads into the transient heap.
Status DecodePage(PageId page, const PageRecord& record, ReferenceTranslator& translator,
                  std::byte* image, bool* outward, std::vector<FoundReference>* found = nullptr);

// Encodes one object (header word and payload) from `payload` to `to`, the place of the header;
// both may be on any 8-byte boundary. `bytes` is its whole length.
void EncodeObject(const abi::TypeDescriptor& type, const void* payload, size_t bytes,
                  ReferenceTranslator& translator, std::byte* to);

// The two steps of EncodeObject: copies header and payload as they are in memory, with slots that
// are still to be encoded; encodes one slot there.
void CopyForEncoding(const abi::TypeDescriptor& type, const void* payload, size_t bytes,
                     ReferenceTranslator& translator, std::byte* to);
void EncodeSlot(abi::SlotKind kind, ReferenceTranslator& translator, const PlainReferences& plain,
                std::byte* at);

// Some of a page's bytes, in whole words.
struct PagePart {
  uint32_t begin = 0, end = 0;
};
inline constexpr PagePart kWholePage = {0, abi::kPageBytes};

// Parts of a page, apart from each other and ascending, asked about places that ascend too.
class PageParts {
 public:
  explicit PageParts(std::span<const PagePart> parts) : rest_(parts) {}

  // Whether one of them has a byte of [begin, end).
  bool Touch(size_t begin, size_t end) {
    while (!rest_.empty() && rest_.front().end <= begin) rest_ = rest_.subspan(1);
    return !rest_.empty() && rest_.front().begin < end;
  }

  // Calls visit(size_t begin, size_t end) for each part that lies in [begin, end).
  template <typename Visit>
  void ForEachIn(size_t begin, size_t end, Visit&& visit) {
    for (; Touch(begin, end); rest_ = rest_.subspan(1)) {
      const PagePart& part = rest_.front();
      visit(std::max<size_t>(part.begin, begin), std::min<size_t>(part.end, end));
      if (part.end > end) break;
    }
  }

 private:
  std::span<const PagePart> rest_;
};

// A free place in an encoded page.
inline void EncodeFiller(std::byte* at, size_t bytes) {
  StoreFiller(at, bytes);
  std::memset(at + abi::kHeaderBytes, 0, bytes - abi::kHeaderBytes);
}

// Encodes an ordinary page from `image`, kPageBytes of objects and fillers: at least those that the
// parts touch.
void EncodePage(const std::byte* image, std::span<const PagePart> parts,
                ReferenceTranslator& translator, std::byte* to);

// Encodes these parts of page run.index of a large object's run, from `image` (that page). The
// header keeps the run's type index: it is in the records of all pages of the run.
void EncodeLargePage(const abi::TypeDescriptor& type, const LargeRun& run, const std::byte* image,
                     std::span<const PagePart> parts, ReferenceTranslator& translator,
                     std::byte* to);

}  // namespace tenure::store
