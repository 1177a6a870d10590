// Where an object lies: its header and payload, in the heap and in the pages of a database.
//
// References name payloads, and a header stands kHeaderBytes before its payload. The arithmetic
// between the two, and between bytes and pages, stands here only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "stabilize/frames/store_names.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

// The header of the object in memory whose payload is at `place`.
inline char* BeginOf(abi::Ref place) { return static_cast<char*>(place) - abi::kHeaderBytes; }

// The bytes of a database that an object has there: header and payload.
struct Placed {
  PersistentRef home;  // of the payload
  size_t bytes = 0;    // header and payload

  // Counted from the database's first byte.
  uint64_t begin() const { return home.bits - abi::kHeaderBytes; }
  uint64_t end() const { return begin() + bytes; }
  // Counted from the first byte of the first page.
  size_t offset() const { return home.offset() - abi::kHeaderBytes; }
  PageId first_page() const { return home.page(); }
  PageId last_page() const { return PageId{(end() - 1) / abi::kPageBytes}; }
};

// The home of the large object whose run has this page, with this record.
inline PersistentRef HomeOfRun(PageId page, const LargeRun& run) {
  return PersistentRef::Object(PageId{page.number - run.index}, abi::kHeaderBytes);
}

// The part of a large object's payload that a page of its run has, as offsets from the payload.
struct PayloadPart {
  size_t begin = 0, end = 0;  // `end` is beyond the payload on the last page
  size_t on_page = 0;         // where `begin` is on the page

  size_t OnPage(size_t offset) const { return on_page + (offset - begin); }
};
inline PayloadPart PayloadOnPage(const LargeRun& run) {
  const size_t page_begin = size_t{run.index} * abi::kPageBytes;
  const size_t header = run.index == 0 ? abi::kHeaderBytes : 0;
  return {page_begin + header - abi::kHeaderBytes, page_begin + abi::kPageBytes - abi::kHeaderBytes,
          header};
}

}  // namespace tenure::stabilize
