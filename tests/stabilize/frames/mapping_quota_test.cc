// The kernel's mappings that protections need are counted and stay within a quota: for that frames
// lose their access, but not their contents.
#include "stabilize/frames/mapping_quota.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <memory>

#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/frame_mapping.h"
#include "tests/support/memory_access.h"
#include "tests/support/random.h"

namespace tenure::stabilize {
namespace {

using abi::kPageBytes;

TEST(ProtectionMap, CountsWhereNeighboursDiffer) {
  MappingQuota quota(1000);
  ProtectionMap map(quota);
  map.Set(10, 5, 1);
  EXPECT_EQ(map.boundaries(), 2u);
  map.Set(12, 1, 2);
  EXPECT_EQ(map.boundaries(), 4u);
  map.Set(15, 600, 1);  // beside the others
  EXPECT_EQ(map.boundaries(), 4u);
  map.Set(12, 1, 1);
  EXPECT_EQ(map.boundaries(), 2u);
  EXPECT_EQ(quota.used(), 2u);
  map.Set(0, 10'000, 0);
  EXPECT_EQ(map.boundaries(), 0u);
  map.Set(0, 1, 2);
  EXPECT_EQ(quota.used(), 2u);  // another mapping lies before page 0
}

TEST(ProtectionMap, WhatIsShutHasNoMappingButKeepsItsNumber) {
  MappingQuota quota(1000);
  ProtectionMap map(quota);
  map.Set(10, 5, 1);
  map.Set(12, 1, 2);
  map.Shut(0, 13);
  EXPECT_EQ(map.boundaries(), 2u);
  EXPECT_EQ(map.RunFrom(0).begin, 13u);
  EXPECT_EQ(map.At(12), ProtectionMap::kShut | 2);
  EXPECT_EQ(map.Effective(12), 0u);
  EXPECT_EQ(map.At(9), 0u);
  map.Set(12, 1, 2);
  EXPECT_EQ(map.boundaries(), 3u);
}

TEST(ProtectionMap, CountsAsOneWouldAfterwards) {
  constexpr uint64_t kPages = 1500;
  MappingQuota quota(1000);
  {
    ProtectionMap map(quota);
    uint8_t pages[kPages + 1] = {};
    Random random(11);
    for (int step = 0; step < 3000; ++step) {
      const uint64_t first = random.Below(kPages);
      const uint64_t count = std::min(kPages - first, 1 + random.Below(20));
      const auto protection = static_cast<uint8_t>(random.Below(3));
      map.Set(first, count, protection);
      std::memset(pages + first, protection, count);
      uint64_t differing = 0;
      for (uint64_t page = 1; page <= kPages; ++page) differing += pages[page] != pages[page - 1];
      differing += pages[0] != 0;
      ASSERT_EQ(map.boundaries(), differing);
    }
    ProtectionMap::Run run = map.RunFrom(0);
    for (uint64_t page = 0; page < kPages; page = run.end, run = map.RunFrom(page)) {
      if (run.empty()) run = {kPages, kPages, 0};
      for (; page < run.begin; ++page) ASSERT_EQ(pages[page], 0);
      for (; page < run.end; ++page) ASSERT_EQ(pages[page], run.protection);
      if (run.begin == kPages) break;
    }
  }
  EXPECT_EQ(quota.used(), 0u);
}

// Restores the test's settings at the end.
class QuotaOfProcess : public ::testing::Test {
 protected:
  static constexpr size_t kPages = 4000;

  QuotaOfProcess() : limit_(quota.limit()) {
    MappingOptions options;
    options.tier = FaultTier::kMprotect;
    options.reserve_bytes = size_t{64} << 20;
    mapping = *CreateFrameMapping(options);
    EXPECT_TRUE(mapping->Grow(kPages * kPageBytes).ok());
  }
  ~QuotaOfProcess() override { quota.SetLimit(limit_); }

  char* Frame(size_t page) const { return mapping->base() + page * kPageBytes; }
  // The kernel's mappings of the process.
  static size_t Mappings() {
    size_t lines = 0;
    FILE* const maps = fopen("/proc/self/maps", "r");
    for (int c = getc(maps); c != EOF; c = getc(maps)) lines += c == '\n';
    fclose(maps);
    return lines;
  }

  MappingQuota& quota = MappingQuota::OfProcess();
  const uint64_t limit_;
  std::unique_ptr<FrameMapping> mapping;
};

TEST_F(QuotaOfProcess, IsHalfOfWhatTheKernelAllows) {
  EXPECT_GE(quota.limit(), 16'000u);
  EXPECT_TRUE(quota.HasRoom(10'000));
}

TEST_F(QuotaOfProcess, ManyScatteredFramesAreTouchedWithFewMappings) {
  quota.SetLimit(200);
  const size_t before = Mappings();
  std::byte contents[kPageBytes];
  for (size_t page = 1; page < kPages; page += 2) {
    std::memset(contents, static_cast<int>(page % 251), sizeof contents);
    ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
    EXPECT_LE(quota.used(), 200u);
    // It may be read at once, and be made writable.
    EXPECT_EQ(*Frame(page), static_cast<char>(page % 251));
    if (page % 3 != 0) continue;
    ASSERT_TRUE(mapping->SetAccess(Frame(page), 1, Access::kRead, Access::kWrite).ok());
    Frame(page)[1] = 1;
  }
  EXPECT_LE(Mappings(), before + 210);
  for (size_t page = 1; page < kPages; page += 2) {
    const bool written = page % 3 == 0;
    // A trap's answer.
    ASSERT_TRUE(
        mapping->SetAccess(Frame(page), 1, Access::kNone, written ? Access::kWrite : Access::kRead)
            .ok());
    EXPECT_EQ(*Frame(page), static_cast<char>(page % 251));
    EXPECT_EQ(Frame(page)[1], written ? 1 : static_cast<char>(page % 251));
  }
}

// A commit that makes its pages readable does not open frames that were shut for lack of mappings.
TEST_F(QuotaOfProcess, FramesThatLostTheirAccessStayClosed) {
  quota.SetLimit(100);
  const std::byte contents[kPageBytes] = {};
  for (size_t page = 1; page < 1001; page += 2) {
    ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
    ASSERT_TRUE(mapping->SetAccess(Frame(page), 1, Access::kRead, Access::kWrite).ok());
  }
  const uint64_t used = quota.used();
  for (size_t page = 1; page < 1001; page += 2) {
    ASSERT_TRUE(mapping->SetAccess(Frame(page), 1, Access::kWrite, Access::kRead).ok());
    EXPECT_FALSE(testing::MayWrite(Frame(page)));
  }
  EXPECT_LE(quota.used(), used);
}

// Neighbours that were shut together are opened together.
TEST_F(QuotaOfProcess, FramesBesideOneThatIsTouchedAgainComeBackWithIt) {
  const std::byte contents[kPageBytes] = {};
  for (size_t page = 64; page < 128; ++page) {
    ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
  }
  ASSERT_TRUE(mapping->SetAccess(Frame(100), 1, Access::kRead, Access::kWrite).ok());
  // Other mappings of the process take the rest.
  quota.SetLimit(64);
  for (size_t page = 201; page < 1001; page += 2) {
    ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
  }
  ASSERT_TRUE(mapping->SetAccess(Frame(90), 1, Access::kNone, Access::kRead).ok());
  for (size_t page = 64; page < 100; ++page) EXPECT_EQ(*Frame(page), 0);
  ASSERT_TRUE(mapping->SetAccess(Frame(100), 1, Access::kNone, Access::kWrite).ok());
  *Frame(100) = 1;
  EXPECT_FALSE(testing::MayWrite(Frame(99)));
}

TEST_F(QuotaOfProcess, OthersMayHaveHalfIfThatIsMuch) {
  const std::byte contents[kPageBytes] = {};
  const auto publish_every_second = [&] {
    for (size_t page = 1; page < kPages; page += 2) {
      ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
    }
  };
  publish_every_second();
  const uint64_t used = quota.used();
  EXPECT_EQ(used, kPages);
  if (!quota.IsWorthHalving()) GTEST_SKIP() << "vm.max_map_count is large";
  EXPECT_TRUE(GiveUpMappings());
  EXPECT_LE(quota.used(), used / 2);
  EXPECT_EQ(quota.limit(), used / 2);
  publish_every_second();
  EXPECT_LE(quota.used(), used / 2);
  ASSERT_FALSE(quota.IsWorthHalving());
  EXPECT_FALSE(GiveUpMappings());
}

TEST_F(QuotaOfProcess, WhatTheKernelRefusesMakesTheQuotaLess) {
  // Other mappings of the process take nearly the whole number.
  std::vector<char*> others;
  constexpr size_t kBytes = size_t{512} << 20;
  char* const region = static_cast<char*>(
      mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  size_t taken = 0;
  while (taken < kBytes && mprotect(region + taken, 4096, PROT_READ) == 0) taken += 8192;
  if (taken >= kBytes) GTEST_SKIP() << "vm.max_map_count is large";
  // Room for some.
  ASSERT_EQ(mprotect(region, 400 * 8192, PROT_NONE), 0);
  const std::byte contents[kPageBytes] = {std::byte{7}};
  for (size_t page = 1; page < kPages; page += 2) {
    ASSERT_TRUE(mapping->Publish(Frame(page), 1, contents).ok());
    ASSERT_EQ(*Frame(page), 7);
  }
  EXPECT_LT(quota.limit(), 2000u);
  munmap(region, kBytes);
}

}  // namespace
}  // namespace tenure::stabilize
