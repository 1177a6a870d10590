#include "dbtool/stored/object_table.h"

#include <cstring>
#include <utility>

#include "abi/object_header.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PersistentRef;

size_t ObjectTable::Rank(const Page& page, size_t start) {
  // Counts the bits below `start`: the shift removes the others.
  return (page.starts << (page.starts.size() - start)).count();
}

Status ObjectTable::FindObjects(PageId number, Page* page) {
  TN_ASSIGN_OR_RETURN(const store::PageRecord* const record, reader_.ReadPage(number));
  const store::PageRecord& found = *record;
  if (found.run.large()) {
    if (found.run.index == 0) page->starts.set(kHeaderBytes / 8);
  } else {
    for (size_t at = 0; at < kPageBytes;) {
      uint64_t header;
      std::memcpy(&header, found.contents + at, sizeof header);
      size_t bytes = 0;
      if (const abi::ObjectHeader word{header}; word.is_filler()) {
        bytes = word.filler_bytes();
      } else if (const StoredType* type = types_.At(header >> store::kStoredTypeShift)) {
        const std::span<const std::byte> payload =
            std::span(found.contents).subspan(at + kHeaderBytes);
        const std::optional<uint64_t> length = PayloadBytes(*type, payload);
        if (length && *length <= payload.size()) bytes = kHeaderBytes + *length;
        page->starts.set((at + kHeaderBytes) / 8);
      }
      if (bytes < kHeaderBytes || bytes % 8 != 0 || bytes > kPageBytes - at) {
        return store::Failure(StatusCode::kCorrupt,
                              "page " + std::to_string(number.number) + ", offset " +
                                  std::to_string(at) + ": neither an object nor a free place",
                              static_cast<int64_t>(number.number));
      }
      at += bytes;
    }
  }
  page->numbers = std::make_unique<uint64_t[]>(page->starts.count());
  return Status::Ok();
}

Result<uint64_t*> ObjectTable::At(PersistentRef object) {
  const auto none = [&] {
    return store::Failure(StatusCode::kCorrupt, "there is no object at " + Show(object),
                          static_cast<int64_t>(object.page().number));
  };
  if (!object.well_formed_object()) return none();
  Page* page = pages_.Find(object.page().number);
  if (page == nullptr || page->numbers == nullptr) {
    // Only pages that exist take memory, wherever damaged references lead.
    Page found;
    TN_RETURN_IF_ERROR(FindObjects(object.page(), &found));
    page = &pages_.At(object.page().number);
    *page = std::move(found);
  }
  const size_t start = object.offset() / 8;
  if (!page->starts.test(start)) return none();
  return &page->numbers[Rank(*page, start)];
}

uint64_t ObjectTable::Find(PersistentRef object) const {
  const Page* const page = pages_.Find(object.page().number);
  const size_t start = object.offset() / 8;
  if (page == nullptr || !page->starts.test(start)) return 0;
  return page->numbers[Rank(*page, start)];
}

}  // namespace tenure::dbtool
