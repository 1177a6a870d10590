#include "gc/card_table.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace tenure::gc {
namespace {

class CardTableTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(CardTable::Reserve().ok());
    void* memory = mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    const uintptr_t bits = reinterpret_cast<uintptr_t>(memory);
    page_ = reinterpret_cast<char*>((bits + abi::kPageBytes - 1) & ~(abi::kPageBytes - 1));
    ASSERT_TRUE(CardTable::Cover(memory, kBytes).ok());
    CardTable::ClearRange(memory, kBytes);
    memory_ = memory;
  }
  void TearDown() override { munmap(memory_, kBytes); }

  static constexpr size_t kBytes = 16 * abi::kPageBytes;
  void* memory_;
  char* page_;
};

TEST_F(CardTableTest, ReservingTwiceIsOnce) { EXPECT_TRUE(CardTable::Reserve().ok()); }

TEST_F(CardTableTest, AMarkIsOneCard) {
  CardTable::Mark(page_ + 5 * abi::kCardBytes);
  EXPECT_FALSE(CardTable::IsDirty(page_ + 5 * abi::kCardBytes - 1));
  EXPECT_TRUE(CardTable::IsDirty(page_ + 5 * abi::kCardBytes));
  EXPECT_TRUE(CardTable::IsDirty(page_ + 6 * abi::kCardBytes - 1));
  EXPECT_FALSE(CardTable::IsDirty(page_ + 6 * abi::kCardBytes));
}

TEST_F(CardTableTest, RangesIncludeTheCardsOfBothEnds) {
  CardTable::MarkRange(page_ + abi::kCardBytes - 1, 2);
  EXPECT_TRUE(CardTable::IsDirty(page_));
  EXPECT_TRUE(CardTable::IsDirty(page_ + abi::kCardBytes));
  EXPECT_FALSE(CardTable::IsDirty(page_ + 2 * abi::kCardBytes));
  CardTable::MarkRange(page_ + 8 * abi::kCardBytes, 0);
  EXPECT_FALSE(CardTable::IsDirty(page_ + 8 * abi::kCardBytes));
}

TEST_F(CardTableTest, AMarkedCardIsOnACardedPage) {
  memset(CardTable::CardedOf(page_), 0, 8);
  CardTable::Mark(page_ + 3 * abi::kPageBytes - 1);
  EXPECT_FALSE(*CardTable::CardedOf(page_ + abi::kPageBytes));
  EXPECT_TRUE(*CardTable::CardedOf(page_ + 2 * abi::kPageBytes));
  EXPECT_FALSE(*CardTable::CardedOf(page_ + 3 * abi::kPageBytes));
  CardTable::MarkRange(page_ + 5 * abi::kPageBytes - 1, 2);
  EXPECT_TRUE(*CardTable::CardedOf(page_ + 4 * abi::kPageBytes));
  EXPECT_TRUE(*CardTable::CardedOf(page_ + 5 * abi::kPageBytes));
  EXPECT_FALSE(*CardTable::CardedOf(page_ + 6 * abi::kPageBytes));
  // The card may have been marked before, while the page was a young one's.
  *CardTable::CardedOf(page_ + 2 * abi::kPageBytes) = 0;
  CardTable::Mark(page_ + 3 * abi::kPageBytes - 1);
  EXPECT_TRUE(*CardTable::CardedOf(page_ + 2 * abi::kPageBytes));
}

TEST_F(CardTableTest, AnyDirtyOnPageSeesEachCardOfThePageOnly) {
  for (size_t card = 0; card < abi::kPageBytes / abi::kCardBytes; ++card) {
    CardTable::Mark(page_ + abi::kPageBytes + card * abi::kCardBytes);
    EXPECT_FALSE(CardTable::AnyDirtyOnPage(page_));
    EXPECT_TRUE(CardTable::AnyDirtyOnPage(page_ + abi::kPageBytes)) << card;
    EXPECT_FALSE(CardTable::AnyDirtyOnPage(page_ + 2 * abi::kPageBytes));
    CardTable::ClearRange(page_ + abi::kPageBytes, abi::kPageBytes);
    EXPECT_FALSE(CardTable::AnyDirtyOnPage(page_ + abi::kPageBytes));
  }
}

TEST_F(CardTableTest, StacksAndGlobalsHaveCards) {
  static int global;
  int local;
  CardTable::Mark(&global);
  CardTable::Mark(&local);
  EXPECT_TRUE(CardTable::IsDirty(&global));
  EXPECT_TRUE(CardTable::IsDirty(&local));
}

}  // namespace
}  // namespace tenure::gc
