// The record that a page server stores for one page: a header of 24 bytes and the page's 8192.
//
// The record is the unit of reading, of versions and of the checksum. All integers are
// little-endian. docs/page_format.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "abi/heap_constants.h"
#include "base/result.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// Which part of a large object a page is. A large object has a run of consecutive pages of its own:
// its header word is at the start of the first page and nothing follows it on the last.
struct LargeRun {
  uint32_t type = 0;   // index of the object's type in the store's type table; 0: an ordinary page
  uint32_t index = 0;  // this page's place in the run, from 0
  uint32_t pages = 0;  // the run's length; 0 for an ordinary page

  constexpr bool large() const { return type != 0; }
  friend constexpr bool operator==(const LargeRun&, const LargeRun&) = default;
};

struct PageRecord {
  uint64_t
      version;  // that of the commit that wrote it last: grows, the same for all pages of a commit
  uint32_t checksum;  // PageChecksum of this page
  LargeRun run;
  std::byte contents[abi::kPageBytes];
};

inline constexpr size_t kPageRecordHeaderBytes = 24;
inline constexpr size_t kPageRecordBytes = kPageRecordHeaderBytes + abi::kPageBytes;

static_assert(offsetof(PageRecord, contents) == kPageRecordHeaderBytes);
static_assert(sizeof(PageRecord) == kPageRecordBytes);

// Covers the contents, the page's number (a record found under another key is wrong) and the run,
// not the version, which the server assigns. `contents` is kPageBytes long. Any thread. About 0.4
// µs where the processor has CRC-32C instructions.
uint32_t PageChecksum(PageId page, const LargeRun& run, const std::byte* contents);

// kCorrupt, with the page's number, unless the record's checksum is right and its run makes sense.
Status CheckPageRecord(PageId page, const PageRecord& record);

}  // namespace tenure::store
