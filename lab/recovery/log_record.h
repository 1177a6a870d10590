// The clients' records of their changes for the log of the recovery server (White & DeWitt 1995,
// 3.1 and 3.2.2): a head of 50 bytes, the old bytes, the new bytes.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "lab/recovery/module.h"

namespace tenure::lab::recovery {

// As in ESM, whose records have about 50 bytes besides their images.
inline constexpr size_t kRecordHeadBytes = 50;
inline constexpr size_t kWordBytes = 4;
inline constexpr size_t kPageWords = kPageBytes / kWordBytes;

enum class RecordKind : uint8_t {
  kUpdate,      // of a region: before-image and after-image
  kPage,        // a whole page
  kCommit,      // of the transaction
  kCheckpoint,  // the table of whole pages in the log at that time
};

struct RecordHead {
  RecordKind kind;
  uint32_t client;       // whose transaction it is
  uint64_t transaction;  // of the client
  uint32_t page;         // of the client's module
  uint16_t offset;       // kUpdate: in the page
  uint32_t bytes;        // behind the head; kUpdate: of both images
};
static_assert(sizeof(RecordHead) <= kRecordHeadBytes);

inline void PutHead(std::string& to, const RecordHead& head) {
  char bytes[kRecordHeadBytes] = {};
  std::memcpy(bytes, &head, sizeof head);
  to.append(bytes, sizeof bytes);
}

// Calls use(head, images) for the records; false when they end in the middle of one.
template <class Use>
bool ForEachRecord(std::string_view records, Use&& use) {
  while (!records.empty()) {
    RecordHead head;
    if (records.size() < kRecordHeadBytes) return false;
    std::memcpy(&head, records.data(), sizeof head);
    if (records.size() - kRecordHeadBytes < head.bytes) return false;
    use(head, records.substr(kRecordHeadBytes, head.bytes));
    records.remove_prefix(kRecordHeadBytes + head.bytes);
  }
  return true;
}

// Calls region(begin, end), in bytes, for the regions of the page that get a record each. Changed
// words of one object are one region if the gap between them, twice, is no longer than a record's
// head: then one record takes the least log (3.2.2). Records do not span objects.
template <class Region>
void ForEachRegion(const std::byte* page, const std::bitset<kPageWords>& changed, Region&& region) {
  size_t object_end = 0;  // of the object that has the region
  size_t begin = 0, end = 0, at = 0;
  for (size_t word = changed._Find_first(); word < kPageWords; word = changed._Find_next(word)) {
    const size_t first = word * kWordBytes;
    const bool joins = end != 0 && first < object_end && 2 * (first - end) <= kRecordHeadBytes;
    if (!joins) {
      if (end != 0) region(begin, end);
      begin = first;
    }
    end = first + kWordBytes;
    while (object_end <= first) {
      ObjectHead head;
      std::memcpy(&head, page + at, sizeof head);
      at += head.bytes;
      object_end = at;
    }
  }
  if (end != 0) region(begin, end);
}

}  // namespace tenure::lab::recovery
