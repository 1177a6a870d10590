#include "stabilize/frames/governed_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <set>

namespace tenure::stabilize {
namespace {

using abi::kPageBytes;

// Records the read-only pages and the number of calls.
class FakeProtection : public HeapProtection {
 public:
  FakeProtection(std::set<void*>* read_only, int* calls) : read_only_(read_only), calls_(calls) {}
  Status SetWritable(void* first, size_t pages, bool writable) override {
    ++*calls_;
    for (size_t i = 0; i < pages; ++i) {
      void* const page = static_cast<char*>(first) + i * kPageBytes;
      if (writable) {
        read_only_->erase(page);
      } else {
        read_only_->insert(page);
      }
    }
    return Status::Ok();
  }

 private:
  std::set<void*>* const read_only_;
  int* const calls_;
};

class GovernedPagesTest : public ::testing::Test {
 protected:
  static constexpr size_t kPages = 10;

  GovernedPagesTest()
      : heap(static_cast<char*>(mmap(nullptr, (kPages + 1) * kPageBytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        first(GovernedPages::PageOf(heap + kPageBytes - 1)),
        pages(std::make_unique<FakeProtection>(&read_only, &calls)) {
    for (size_t page = 0; page < kPages; ++page) pages.Add(Place(page), 64);
    EXPECT_TRUE(pages.ProtectAll().ok());
  }
  ~GovernedPagesTest() override { munmap(heap, (kPages + 1) * kPageBytes); }

  abi::Ref Place(size_t page, size_t object = 0) const {
    return first + page * kPageBytes + 64 * object + abi::kHeaderBytes;
  }
  // The numbers of the pages that UnprotectYoung asks about; the pages in `young` are young.
  std::set<size_t> Asked(const std::set<size_t>& young) {
    std::set<size_t> asked;
    EXPECT_TRUE(pages
                    .UnprotectYoung([&](const char* begin) {
                      const size_t page = static_cast<size_t>(begin - first) / kPageBytes;
                      asked.insert(page);
                      return young.contains(page);
                    })
                    .ok());
    return asked;
  }

  std::set<void*> read_only;
  int calls = 0;
  char* const heap;
  char* const first;
  GovernedPages pages;
};

TEST_F(GovernedPagesTest, OldPagesAreAskedAboutOnce) {
  EXPECT_EQ(read_only.size(), kPages);
  EXPECT_EQ(Asked({2, 3, 7}).size(), kPages);
  EXPECT_EQ(read_only.size(), kPages - 3);
  EXPECT_FALSE(read_only.contains(first + 7 * kPageBytes));
  ASSERT_TRUE(pages.ProtectAll().ok());
  EXPECT_EQ(read_only.size(), kPages);
  EXPECT_EQ(Asked({3}), (std::set<size_t>{2, 3, 7}));
  EXPECT_EQ(Asked({}), std::set<size_t>{3});
  EXPECT_EQ(Asked({}), std::set<size_t>());
}

TEST_F(GovernedPagesTest, NeighboursAreProtectedTogether) {
  calls = 0;
  ASSERT_TRUE(pages.UnprotectAll().ok());
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(read_only.empty());
  ASSERT_TRUE(pages.ProtectAll().ok());
  EXPECT_EQ(calls, 2);
  ASSERT_TRUE(pages.Open(*pages.Find(Place(4)), GovernedState::kDirty).ok());
  calls = 0;
  ASSERT_TRUE(pages.UnprotectAll().ok());
  EXPECT_EQ(calls, 2);
  // The written page stays writable.
  ASSERT_TRUE(pages.ProtectAll().ok());
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(read_only.size(), kPages - 1);
}

TEST_F(GovernedPagesTest, SweepGivesUpWhatIsEmpty) {
  pages.Add(Place(2, 1), 64);
  pages.Remove(Place(2), 64);
  pages.Remove(Place(4), 64);
  pages.Remove(Place(6), 64);
  pages.Add(Place(6, 5), 64);
  calls = 0;
  ASSERT_TRUE(pages.Sweep().ok());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(pages.size(), kPages - 1);
  EXPECT_EQ(pages.Find(Place(4)), nullptr);
  EXPECT_NE(pages.Find(Place(2)), nullptr);
  EXPECT_NE(pages.Find(Place(6)), nullptr);
  EXPECT_FALSE(read_only.contains(first + 4 * kPageBytes));
  EXPECT_EQ(Asked({}).size(), kPages - 1);
  // The page is governed again, and writable.
  pages.Add(Place(4), 64);
  ASSERT_TRUE(pages.ProtectAll().ok());
  EXPECT_EQ(Asked({}), std::set<size_t>{4});
}

TEST_F(GovernedPagesTest, ObjectsWithoutTheBitAreRemovedTogether) {
  for (size_t page = 0; page < kPages; ++page) {
    abi::ObjectHeader::Of(Place(page))->word = page % 2 == 0 ? abi::ObjectHeader::kDisplacedBit : 0;
  }
  pages.RemoveUndisplaced();
  ASSERT_TRUE(pages.Sweep().ok());
  EXPECT_EQ(pages.size(), kPages / 2);
  for (size_t page = 0; page < kPages; ++page) {
    EXPECT_EQ(pages.Contains(Place(page)), page % 2 == 0);
  }
}

}  // namespace
}  // namespace tenure::stabilize
