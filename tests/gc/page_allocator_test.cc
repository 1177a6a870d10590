#include "gc/page_allocator.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>

#include <utility>
#include <vector>

#include "gc/card_table.h"
#include "tests/support/random.h"
#include "tests/support/resident_memory.h"

namespace tenure::gc {
namespace {

class PageAllocatorTest : public ::testing::Test {
 protected:
  void Create(size_t pages, size_t max_pages, size_t quarantine = 0) {
    ASSERT_TRUE(CardTable::Reserve().ok());
    ASSERT_TRUE(
        allocator.Create(table, pages * abi::kPageBytes, max_pages * abi::kPageBytes, quarantine)
            .ok());
  }
  // The run is marked as in use and written to.
  PageAllocator::Run Take(size_t count, bool may_use_reserve = true) {
    const PageAllocator::Run run = allocator.Allocate(count, may_use_reserve);
    if (run.first == PageAllocator::kNoPage) return run;
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(table.At(run.first + i).space, Space::kFree) << "given out twice";
      table.At(run.first + i).space = Space::kTo;
      char* page = table.Begin(run.first + i);
      for (size_t at = 0; at < abi::kPageBytes; at += 512) {
        EXPECT_TRUE(!run.zeroed || page[at] == 0);
      }
      memset(page, 0x55, abi::kPageBytes);
    }
    return run;
  }
  // Of these pages.
  size_t BytesWithMemory(size_t first, size_t count) {
    return ResidentBytes(table.Begin(first), count * abi::kPageBytes);
  }
  PageTable table;
  PageAllocator allocator;
};

TEST_F(PageAllocatorTest, PagesComeInAddressOrderAndZeroed) {
  Create(100, 100);
  for (size_t i = 0; i < 100; ++i) {
    const PageAllocator::Run run = Take(1);
    EXPECT_EQ(run.first, i);
    EXPECT_TRUE(run.zeroed);
  }
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
  EXPECT_EQ(allocator.used_bytes(), 100 * abi::kPageBytes);
}

// Steps of files begin at multiples of their size.
constexpr size_t kStepPages = PageAllocator::kFileStepBytes / abi::kPageBytes;

TEST_F(PageAllocatorTest, BeyondThePrivateMemoryPagesAreOfFiles) {
  Create(10 * kStepPages, 2 * kStepPages);
  Take(10);
  size_t mapped = 0;
  const auto map = [&](void* begin, size_t bytes) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(begin) % PageAllocator::kFileStepBytes, 0u);
    EXPECT_EQ(bytes, PageAllocator::kFileStepBytes);
    mapped += bytes;
    return mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
  };
  allocator.UseFiles(map, kStepPages * abi::kPageBytes, 5 * kStepPages * abi::kPageBytes);
  EXPECT_EQ(allocator.max_bytes(), 5 * kStepPages * abi::kPageBytes);
  for (size_t i = 10; i < 5 * kStepPages; ++i) EXPECT_EQ(Take(1).first, i);
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
  EXPECT_GE(mapped, 3 * PageAllocator::kFileStepBytes);
  EXPECT_LE(mapped, 4 * PageAllocator::kFileStepBytes);
}

TEST_F(PageAllocatorTest, MemoryOfFilesIsNotGivenBack) {
  Create(10 * kStepPages, 2 * kStepPages);
  const auto map = [](void* begin, size_t bytes) {
    return mprotect(begin, bytes, PROT_READ | PROT_WRITE) == 0;
  };
  allocator.UseFiles(map, 0, 10 * kStepPages * abi::kPageBytes);
  Take(5 * kStepPages);
  allocator.Free(0, 5 * kStepPages);
  allocator.Trim(0);
  const size_t last = 5 * kStepPages - 1;
  EXPECT_EQ(BytesWithMemory(last, 1), abi::kPageBytes);
  EXPECT_FALSE(Take(5 * kStepPages).zeroed);
}

TEST_F(PageAllocatorTest, WithoutFilesTheHeapHasItsPrivateMemory) {
  Create(10 * kStepPages, 3 * kStepPages);
  const auto none = [](void*, size_t) { return false; };
  allocator.UseFiles(none, kStepPages * abi::kPageBytes, 8 * kStepPages * abi::kPageBytes);
  for (size_t i = 0; i < 3 * kStepPages; ++i) EXPECT_EQ(Take(1).first, i);
  // A step is taken whole.
  size_t more = 0;
  while (Take(1).first != PageAllocator::kNoPage) ++more;
  EXPECT_LE(more, kStepPages);
}

TEST_F(PageAllocatorTest, PreparedPagesComeAsOthersDo) {
  Create(4096, 1000);
  Take(10);
  allocator.Prepare(100);
  EXPECT_EQ(allocator.used_bytes(), 10 * abi::kPageBytes);
  const size_t with_memory = BytesWithMemory(10, 100);
  // All pages, or none if the kernel does not support it.
  EXPECT_TRUE(with_memory == 0 || with_memory == 100 * abi::kPageBytes) << with_memory;
  for (size_t i = 10; i < 200; ++i) {
    const PageAllocator::Run run = Take(1);
    EXPECT_EQ(run.first, i);
    EXPECT_TRUE(run.zeroed);
  }
  // More pages than the limit.
  allocator.Prepare(900);
  EXPECT_EQ(allocator.used_bytes(), 200 * abi::kPageBytes);
  EXPECT_EQ(Take(800).first, 200u);
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
}

TEST_F(PageAllocatorTest, MemoryIsThereBeforeASmallRunIsTouchedButNotBehindALargeOne) {
  Create(8192, 8192);
  // Ranges with small pages, and ranges that may have large ones.
  for (size_t page = 0; page < 1000; page = allocator.Allocate(1).first + 1) continue;
  EXPECT_EQ(BytesWithMemory(0, 1000), 1000 * abi::kPageBytes);
  const size_t large = allocator.Allocate(4000).first;
  EXPECT_LT(BytesWithMemory(large, 4000), 500 * abi::kPageBytes);
  const size_t behind = allocator.Allocate(1).first;
  EXPECT_EQ(BytesWithMemory(behind, 1), abi::kPageBytes);
}

TEST_F(PageAllocatorTest, TheReserveIsForThoseWhoMayUseIt) {
  Create(1000, 320);
  EXPECT_EQ(allocator.reserve_bytes(), 10 * abi::kPageBytes);
  EXPECT_EQ(Take(311, false).first, PageAllocator::kNoPage);
  EXPECT_EQ(Take(310, false).first, 0u);
  EXPECT_EQ(Take(1, false).first, PageAllocator::kNoPage);
  EXPECT_EQ(Take(10).first, 310u);
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
  allocator.Free(0, 10);
  EXPECT_EQ(Take(1, false).first, PageAllocator::kNoPage);
  allocator.Free(10, 1);
  EXPECT_EQ(Take(1, false).first, 0u);
}

TEST_F(PageAllocatorTest, LowestFreePageFirst) {
  Create(100, 100);
  for (int i = 0; i < 10; ++i) Take(1);
  allocator.Free(7, 1);
  allocator.Free(3, 2);
  EXPECT_EQ(table.At(3).space, Space::kFree);
  const PageAllocator::Run run = Take(1);
  EXPECT_EQ(run.first, 3u);
  EXPECT_FALSE(run.zeroed);
  EXPECT_EQ(Take(1).first, 4u);
  EXPECT_EQ(Take(1).first, 7u);
  EXPECT_EQ(Take(1).first, 10u);
}

TEST_F(PageAllocatorTest, RunsFindTheFirstGapThatFits) {
  Create(100, 100);
  Take(20);
  allocator.Free(2, 3);
  allocator.Free(10, 5);
  EXPECT_EQ(Take(4).first, 10u);
  EXPECT_EQ(Take(3).first, 2u);
  // The free page before the unused part belongs to the run.
  allocator.Free(19, 1);
  EXPECT_EQ(Take(5).first, 19u);
  EXPECT_EQ(Take(77).first, PageAllocator::kNoPage);
  EXPECT_EQ(Take(1).first, 14u);
  EXPECT_EQ(Take(76).first, 24u);
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
}

TEST_F(PageAllocatorTest, MaximumIsBelowWhatIsReserved) {
  Create(100, 10);
  EXPECT_EQ(Take(11).first, PageAllocator::kNoPage);
  EXPECT_EQ(Take(10).first, 0u);
  EXPECT_EQ(Take(1).first, PageAllocator::kNoPage);
  EXPECT_EQ(allocator.free_bytes(), 0u);
  allocator.Free(5, 1);
  EXPECT_EQ(Take(1).first, 5u);
  EXPECT_EQ(allocator.peak_used_bytes(), 10 * abi::kPageBytes);
}

TEST_F(PageAllocatorTest, CardsOfAFreshPageAreClean) {
  Create(10, 10);
  Take(1);
  CardTable::Mark(table.Begin(0) + 1000);
  allocator.Free(0, 1);
  Take(1);
  EXPECT_FALSE(CardTable::AnyDirtyOnPage(table.Begin(0)));
}

TEST_F(PageAllocatorTest, TrimReturnsTheHighestFreePagesFirst) {
  Create(100, 100);
  Take(50);
  allocator.Free(10, 30);
  allocator.Trim(20 * abi::kPageBytes);
  EXPECT_EQ(allocator.resident_bytes(), 40 * abi::kPageBytes);
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(Take(1).zeroed);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Take(1).zeroed);
  EXPECT_EQ(allocator.resident_bytes(), 50 * abi::kPageBytes);
  allocator.Trim(0);
  EXPECT_EQ(allocator.resident_bytes(), 50 * abi::kPageBytes);
}

TEST_F(PageAllocatorTest, QuarantineKeepsFreedPagesAwayForAWhile) {
  Create(100, 50, 8);
  for (size_t i = 0; i < 20; ++i) Take(1);
  for (size_t i = 0; i < 8; ++i) allocator.Free(i, 1);
  EXPECT_EQ(allocator.quarantined_pages(), 8u);
  EXPECT_EQ(Take(1).first, 20u);
  allocator.Free(8, 2);  // The two oldest runs are released.
  EXPECT_EQ(allocator.quarantined_pages(), 8u);
  const PageAllocator::Run run = Take(1);
  EXPECT_EQ(run.first, 0u);
  EXPECT_TRUE(run.zeroed);
}

TEST_F(PageAllocatorTest, QuarantineEndsWhenAddressesRunOut) {
  Create(20, 20, 1000);
  Take(20);
  allocator.Free(0, 20);
  EXPECT_EQ(Take(20).first, 0u);
}

using PageAllocatorDeathTest = PageAllocatorTest;

TEST_F(PageAllocatorDeathTest, QuarantinedPagesTrap) {
  Create(20, 20, 10);
  Take(2);
  volatile char* page = table.Begin(1);
  allocator.Free(1, 1);
  EXPECT_DEATH(*page, "");
}

TEST_F(PageAllocatorTest, RandomRunsNeverOverlapAndAreCounted) {
  for (const size_t quarantine : {size_t{0}, size_t{30}}) {
    PageTable pages;
    PageAllocator each;
    ASSERT_TRUE(each.Create(pages, 400 * abi::kPageBytes, 300 * abi::kPageBytes, quarantine).ok());
    Random random(7);
    std::vector<std::pair<size_t, size_t>> runs;
    size_t used = 0;
    for (int step = 0; step < 5000; ++step) {
      if (random.OneIn(2)) {
        const size_t count = 1 + random.Below(random.OneIn(5) ? 40 : 3);
        const PageAllocator::Run run = each.Allocate(count);
        if (run.first == PageAllocator::kNoPage) {
          if (used + count <= 300 && count == 1) ADD_FAILURE() << "a page was free";
          continue;
        }
        for (size_t i = run.first; i < run.first + count; ++i) {
          ASSERT_EQ(pages.At(i).space, Space::kFree);
          pages.At(i).space = Space::kTo;
          pages.Begin(i)[100] = 1;
        }
        runs.push_back({run.first, count});
        used += count;
      } else if (!runs.empty()) {
        const size_t i = random.Below(runs.size());
        each.Free(runs[i].first, runs[i].second);
        used -= runs[i].second;
        runs[i] = runs.back();
        runs.pop_back();
      }
      if (random.OneIn(50)) each.Trim(random.Below(50) * abi::kPageBytes);
      ASSERT_EQ(each.used_bytes(), used * abi::kPageBytes);
      ASSERT_GE(each.resident_bytes(), each.used_bytes());
    }
  }
}

}  // namespace
}  // namespace tenure::gc
