#include "store/server/object_starts.h"

#include <algorithm>

#include "store/format/page_codec.h"
#include "store/server/request_failure.h"

namespace tenure::store {

using abi::kHeaderBytes;
using abi::kPageBytes;

bool IsZero(const std::byte* page, size_t begin, size_t end) {
  return std::all_of(page + begin, page + end, [](std::byte byte) { return byte == std::byte{0}; });
}

Status FindStarts(KnownTypes& known, PageId page, const LargeRun& run, const std::byte* contents,
                  ObjectStarts* objects, KnownTypes::Cache* types) {
  if (run.large() ? run.index >= run.pages || run.index >= page.number
                  : run.index != 0 || run.pages != 0) {
    return WrongPage(page, "its place in a large object makes no sense");
  }
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, known.ObjectTypeAt(page, run.type, types));
    if (run.index != 0) return Status::Ok();
    uint64_t payload;
    const uint64_t bytes = WordAt(contents, 0) == uint64_t{run.type} << kStoredTypeShift
                               ? StoredObjectBytes(*type, contents, kPageBytes,
                                                   uint64_t{run.pages} * kPageBytes, &payload)
                               : 0;
    if (bytes == 0 || (bytes + kPageBytes - 1) / kPageBytes != run.pages) {
      return WrongPage(page, "a large object whose header or length is wrong");
    }
    objects->Add(kHeaderBytes, run.type);
    return Status::Ok();
  }
  // Neighbours are often of one type.
  uint64_t recent_index = 0;
  const DescribedType* type = nullptr;
  for (size_t at = 0; at < kPageBytes;) {
    const uint64_t header = WordAt(contents, at);
    const uint64_t room = kPageBytes - at;
    if (const abi::ObjectHeader word{header}; word.is_filler()) {
      const uint64_t bytes = word.filler_bytes();
      if (header != abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes)) ||
          bytes < kHeaderBytes || bytes % 8 != 0 || bytes > room ||
          !IsZero(contents, at + kHeaderBytes, at + bytes)) {
        return WrongPage(page, "a free place that is none");
      }
      at += bytes;
      continue;
    }
    if (header % (1u << kStoredTypeShift) != 0) return WrongPage(page, "no object's header");
    const uint64_t index = header >> kStoredTypeShift;
    if (index != recent_index) {
      TN_ASSIGN_OR_RETURN(type, known.ObjectTypeAt(page, index, types));
      recent_index = index;
    }
    uint64_t payload;
    const uint64_t bytes = StoredObjectBytes(*type, contents + at, room, room, &payload);
    if (bytes == 0) return WrongPage(page, "an object that does not fit its page");
    objects->Add(at + kHeaderBytes, static_cast<uint32_t>(index));
    at += bytes;
  }
  return Status::Ok();
}

}  // namespace tenure::store
