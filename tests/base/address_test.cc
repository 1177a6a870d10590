#include "base/address.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace tenure {
namespace {

TEST(AddressTest, DefaultIsNull) {
  EXPECT_TRUE(Address().is_null());
  EXPECT_FALSE(Address(uintptr_t{8}).is_null());
}

TEST(AddressTest, ArithmeticCountsBytes) {
  const Address a(uintptr_t{1000});
  EXPECT_EQ((a + 24).bits(), 1024u);
  EXPECT_EQ((a - 8).bits(), 992u);
  EXPECT_EQ((a + -8).bits(), 992u);
  EXPECT_EQ(a + 24 - a, 24);
  EXPECT_EQ(a - (a + 24), -24);
}

TEST(AddressTest, OrderIsThatOfTheBitsAndUnsigned) {
  EXPECT_LT(Address(uintptr_t{1}), Address(~uintptr_t{0}));
  EXPECT_EQ(Address(uintptr_t{5}), Address(uintptr_t{5}));
}

TEST(AddressTest, Alignment) {
  const Address a(uintptr_t{0x1001});
  EXPECT_EQ(a.AlignedDown(0x1000).bits(), 0x1000u);
  EXPECT_EQ(a.AlignedUp(0x1000).bits(), 0x2000u);
  EXPECT_FALSE(a.IsAlignedTo(2));
  EXPECT_TRUE(a.AlignedUp(0x1000).IsAlignedTo(0x1000));
  EXPECT_EQ(AlignUp(16, 16), 16u);
  EXPECT_EQ(AlignUp(0, 16), 0u);
}

TEST(AddressTest, LoadAndStoreWorkAtAnyAlignment) {
  char memory[16] = {};
  const Address odd = Address(memory) + 3;
  odd.Store<uint32_t>(0xDEADBEEF);
  EXPECT_EQ(odd.Load<uint32_t>(), 0xDEADBEEFu);
  EXPECT_EQ(memory[2], 0);
  EXPECT_EQ(memory[7], 0);
}

TEST(AddressTest, PointerRoundTrip) {
  int value = 7;
  EXPECT_EQ(*Address(&value).As<int>(), 7);
  EXPECT_EQ(Address(&value).pointer(), &value);
}

TEST(AddressTest, CanBeAHashKey) {
  std::unordered_set<Address> set{Address(uintptr_t{8}), Address(uintptr_t{16})};
  EXPECT_TRUE(set.contains(Address(uintptr_t{8})));
  EXPECT_FALSE(set.contains(Address(uintptr_t{24})));
}

}  // namespace
}  // namespace tenure
