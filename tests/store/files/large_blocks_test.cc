// Blocks of operator new that come from files.
#include "store/files/large_blocks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace tenure::store {
namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

class LargeBlocksTest : public ::testing::Test {
 protected:
  LargeBlocksTest() { UseFilesForLargeBlocks(Take, this); }
  ~LargeBlocksTest() override { UseFilesForLargeBlocks(nullptr, nullptr); }

  static void* Take(void* context, size_t bytes) {
    auto* const test = static_cast<LargeBlocksTest*>(context);
    if (!test->gives) return nullptr;
    ++test->taken;
    void* const memory =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    test->last = memory;
    return memory;
  }
  static bool IsMapped(void* memory) { return msync(memory, 4096, MS_ASYNC) == 0; }

  bool gives = true;
  size_t taken = 0;
  void* last = nullptr;
};

TEST_F(LargeBlocksTest, OnlyLargeBlocksAreAskedFor) {
  std::vector<char> small(kLargeBlockBytes - 1);
  EXPECT_EQ(taken, 0u);
  {
    std::vector<char> large(kLargeBlockBytes, 'x');
    EXPECT_EQ(taken, 1u);
    EXPECT_EQ(static_cast<void*>(large.data()), last);
  }
  EXPECT_FALSE(IsMapped(last));
}

TEST_F(LargeBlocksTest, WithoutMemoryOfFilesBlocksArePrivate) {
  gives = false;
  std::vector<char> large(4 * kLargeBlockBytes, 'x');
  EXPECT_EQ(large.back(), 'x');
  EXPECT_EQ(taken, 0u);
}

// More than there is room to note; and blocks outlive the source.
TEST_F(LargeBlocksTest, ManyBlocksAreGivenBack) {
  std::vector<std::unique_ptr<std::byte[]>> blocks;
  for (size_t i = 0; i < 100; ++i) {
    blocks.push_back(std::make_unique<std::byte[]>(kLargeBlockBytes));
    blocks.back()[kLargeBlockBytes - 1] = std::byte{1};
  }
  EXPECT_GT(taken, 10u);
  EXPECT_LT(taken, 100u);
  UseFilesForLargeBlocks(nullptr, nullptr);
  blocks.clear();
  EXPECT_FALSE(IsMapped(last));
}

TEST_F(LargeBlocksTest, BeforeAForkTheyBecomePrivate) {
  std::vector<char> large(kLargeBlockBytes + 1, 'x');
  MakeLargeBlocksPrivate();
  EXPECT_EQ(large.front(), 'x');
  EXPECT_EQ(large.back(), 'x');
  large.back() = 'y';
  EXPECT_EQ(large.back(), 'y');
}

#endif

}  // namespace
}  // namespace tenure::store
