// Commits that are not in the tree yet, combined with the tree's pages.
#include "store/bdb/pending_pages.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "store/server/commit_check.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

using testing::MakePage;
using testing::PageImage;

constexpr PageId kPage{7};
constexpr uint64_t kOldVersion = 3, kNewVersion = 9;

PageRecord RecordOf(const PageImage& image) {
  PageRecord record{kOldVersion, PageChecksum(kPage, {}, image.bytes), {}, {}};
  std::memcpy(record.contents, image.bytes, sizeof record.contents);
  return record;
}

// A page in which a write, with or without a checksum, changes eight bytes.
class ChangedPage : public ::testing::TestWithParam<bool> {
 protected:
  ChangedPage() {
    std::memset(after_.bytes + 4000, 0x55, 8);
    region_ = {4000, std::span(after_.bytes).subspan(4000, 8)};
    write_ = {.page = kPage, .expected_version = kOldVersion, .regions = std::span(&region_, 1)};
    if (GetParam()) write_.checksum = PageChecksum(kPage, {}, after_.bytes);
  }
  Status PutOn(PageRecord* record) const {
    PendingPage pending(kOldVersion);
    pending.Add(write_, kNewVersion);
    return pending.PutOn(kPage, record);
  }
  Status Apply(PageRecord* record) const { return ApplyWrite(write_, kNewVersion, record); }
  void ExpectAfter(const PageRecord& record) const {
    EXPECT_EQ(record.version, kNewVersion);
    EXPECT_TRUE(CheckPageRecord(kPage, record).ok());
    EXPECT_EQ(std::memcmp(record.contents, after_.bytes, sizeof record.contents), 0);
  }

  const PageImage before_ = MakePage(1);
  PageImage after_ = before_;
  ChangedRegion region_;
  PageWrite write_;
};

TEST_P(ChangedPage, IsPutTogether) {
  PageRecord record = RecordOf(before_);
  ASSERT_TRUE(PutOn(&record).ok());
  ExpectAfter(record);
  record = RecordOf(before_);
  ASSERT_TRUE(Apply(&record).ok());
  ExpectAfter(record);
}

TEST_P(ChangedPage, DamageIsNotMadeGoodByANewSum) {
  for (const size_t damaged : {size_t{0}, size_t{4003}, sizeof before_.bytes - 1}) {
    PageRecord record = RecordOf(before_);
    record.contents[damaged] ^= std::byte{4};
    // With a checksum the replaced contents do not matter.
    const bool good = GetParam() && damaged == 4003;
    EXPECT_EQ(PutOn(&record).ok(), good) << damaged;
    record = RecordOf(before_);
    record.contents[damaged] ^= std::byte{4};
    EXPECT_EQ(Apply(&record).ok(), good) << damaged;
  }
}

INSTANTIATE_TEST_SUITE_P(Sums, ChangedPage, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Given" : "Missing"; });

TEST(PendingPage, LaterChangesGoOverEarlierOnes) {
  PageImage image = MakePage(1);
  PageRecord record = RecordOf(image);
  PendingPage pending(kOldVersion);
  Random random(5);
  for (uint64_t commit = 1; commit <= 200; ++commit) {
    std::vector<ChangedRegion> regions;
    for (uint32_t at = 0; at < abi::kPageBytes;) {
      at += static_cast<uint32_t>(random.Below(3000));
      const auto count = static_cast<uint32_t>(1 + random.Below(600));
      if (at + count > abi::kPageBytes) break;
      for (uint32_t i = at; i < at + count; ++i) image.bytes[i] ^= std::byte(commit);
      regions.push_back({at, std::span(image.bytes).subspan(at, count)});
      at += count;
    }
    pending.Add({.page = kPage, .expected_version = kOldVersion, .regions = regions},
                kOldVersion + commit);
    PageRecord now = record;
    ASSERT_TRUE(pending.PutOn(kPage, &now).ok());
    ASSERT_EQ(std::memcmp(now.contents, image.bytes, sizeof now.contents), 0) << commit;
    for (size_t i = 1; i < pending.ranges().size(); ++i) {
      ASSERT_LT(pending.ranges()[i - 1].second, pending.ranges()[i].first);
    }
  }
}

TEST(PendingPage, PageThatIsGivenIsNotCopied) {
  const PageImage image = MakePage(2);
  const std::shared_ptr<std::byte> given(new std::byte[abi::kPageBytes],
                                         [](std::byte* bytes) { delete[] bytes; });
  std::memcpy(given.get(), image.bytes, abi::kPageBytes);
  PendingPage pending(0);
  pending.Add({.page = kPage, .contents = given.get(), .given = given}, kNewVersion);
  EXPECT_EQ(given.use_count(), 2);
  // The next commit may change the page there.
  const std::byte changed[8] = {std::byte{7}};
  const ChangedRegion region{16, changed};
  pending.Add({.page = kPage, .expected_version = kNewVersion, .regions = std::span(&region, 1)},
              kNewVersion + 1);
  EXPECT_EQ(std::memcmp(given.get() + 16, changed, sizeof changed), 0);
  PageRecord record;
  ASSERT_TRUE(pending.PutOn(kPage, &record).ok());
  EXPECT_TRUE(CheckPageRecord(kPage, record).ok());
  EXPECT_EQ(std::memcmp(record.contents, given.get(), abi::kPageBytes), 0);
}

TEST(PendingPage, WholePageWithoutAChecksumIsSummed) {
  const PageImage image = MakePage(2);
  const LargeRun run{5, 1, 2};
  PendingPage pending(0);
  pending.Add({.page = kPage, .run = run, .contents = image.bytes}, kNewVersion);
  PageRecord record;
  ASSERT_TRUE(pending.PutOn(kPage, &record).ok());
  EXPECT_TRUE(CheckPageRecord(kPage, record).ok());
  EXPECT_EQ(record.run, run);
}

}  // namespace
}  // namespace tenure::store
