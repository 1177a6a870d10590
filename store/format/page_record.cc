#include "store/format/page_record.h"

#include <bit>
#include <cstring>
#include <string>

#include "base/crc32c.h"
#include "store/format/status_text.h"

namespace tenure::store {

static_assert(std::endian::native == std::endian::little,
              "records are stored as they are in memory");
static_assert(kCrcBlockBytes == abi::kPageBytes);

uint32_t PageChecksum(PageId page, const LargeRun& run, const std::byte* contents) {
  struct {
    uint64_t page;
    LargeRun run;
    std::array<uint32_t, 4> quarters;
    uint32_t zero;  // no padding: the checksum covers every byte
  } const summed = {
      page.number, run,
      Crc32cOfQuarters(std::span<const std::byte, kCrcBlockBytes>(contents, kCrcBlockBytes)), 0};
  static_assert(sizeof summed == 40);
  return Crc32c(0, std::as_bytes(std::span(&summed, 1)));
}

Status CheckPageRecord(PageId page, const PageRecord& record) {
  const auto damaged = [page](const char* how) {
    return Failure(StatusCode::kCorrupt,
                   "page " + std::to_string(page.number) + " is damaged: " + how,
                   static_cast<int64_t>(page.number));
  };
  if (record.checksum != PageChecksum(page, record.run, record.contents)) {
    return damaged("its checksum is wrong");
  }
  const LargeRun& run = record.run;
  if (run.large() ? run.index >= run.pages || run.index >= page.number
                  : run.index != 0 || run.pages != 0) {
    return damaged("its place in a large object makes no sense");
  }
  if (record.version == 0) return damaged("it has no version");
  return Status::Ok();
}

}  // namespace tenure::store
