#include "store/format/page_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "base/crc32c.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

using testing::MakePage;
using testing::PageImage;

TEST(PersistentRef, PacksPageAndOffset) {
  const PersistentRef ref = PersistentRef::Object(PageId{5}, 16);
  EXPECT_EQ(ref.bits, 5u * 8192 + 16);
  EXPECT_EQ(ref.page(), PageId{5});
  EXPECT_EQ(ref.offset(), 16u);
  EXPECT_TRUE(ref.well_formed_object());
  EXPECT_TRUE(PersistentRef::Nil().nil());
  EXPECT_FALSE(PersistentRef::Nil().is_object());
  EXPECT_FALSE(PersistentRef::Object(PageId{5}, 0).well_formed_object());  // no room for a header
  EXPECT_FALSE(PersistentRef{16}.well_formed_object());                    // no page
  const PersistentRef procedure = PersistentRef::Entry(RefKind::kProcedure, 77);
  EXPECT_EQ(procedure.kind(), RefKind::kProcedure);
  EXPECT_EQ(procedure.entry(), 77u);
  EXPECT_FALSE(procedure.is_object());
}

// Written out from the description in docs/page_format.md.
TEST(PageChecksum, IsThatOfTheFourQuarters) {
  const PageImage image = MakePage(1);
  const PageId page{123456789012};
  const LargeRun run{7, 1, 3};
  std::byte summed[40] = {};
  std::memcpy(summed, &page.number, 8);
  std::memcpy(summed + 8, &run.type, 4);
  std::memcpy(summed + 12, &run.index, 4);
  std::memcpy(summed + 16, &run.pages, 4);
  for (size_t q = 0; q < 4; ++q) {
    const uint32_t sum = Crc32c(0, std::span(image.bytes).subspan(q * 2048, 2048));
    std::memcpy(summed + 20 + 4 * q, &sum, 4);
  }
  EXPECT_EQ(PageChecksum(page, run, image.bytes), Crc32c(0, summed));
}

TEST(PageRecord, EveryFlippedBitButOfTheVersionIsFound) {
  PageRecord record{};
  const PageImage image = MakePage(9);
  std::memcpy(record.contents, image.bytes, sizeof record.contents);
  const PageId page{8};
  record.version = 3;
  record.checksum = PageChecksum(page, record.run, record.contents);
  ASSERT_TRUE(CheckPageRecord(page, record).ok());
  auto* const bytes = reinterpret_cast<std::byte*>(&record);
  for (size_t bit = 8 * sizeof record.version; bit < 8 * sizeof record; ++bit) {
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    const Status status = CheckPageRecord(page, record);
    ASSERT_EQ(status.code(), StatusCode::kCorrupt) << "bit " << bit;
    EXPECT_EQ(status.number(), 8);
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
  }
  EXPECT_EQ(CheckPageRecord(PageId{9}, record).code(), StatusCode::kCorrupt);  // another page's
  record.version = 0;
  EXPECT_EQ(CheckPageRecord(page, record).code(), StatusCode::kCorrupt);
}

TEST(PageRecord, ARunMustMakeSense) {
  PageRecord record{};
  record.version = 1;
  const auto check = [&record](LargeRun run, PageId page) {
    record.run = run;
    record.checksum = PageChecksum(page, run, record.contents);
    return CheckPageRecord(page, record).ok();
  };
  EXPECT_TRUE(check({0, 0, 0}, PageId{4}));
  EXPECT_TRUE(check({1, 3, 4}, PageId{4}));
  EXPECT_FALSE(check({1, 4, 4}, PageId{9}));  // behind the end
  EXPECT_FALSE(check({1, 4, 9}, PageId{4}));  // begins before page 1
  EXPECT_FALSE(check({0, 1, 4}, PageId{4}));  // no type
}

}  // namespace
}  // namespace tenure::store
