#include "abi/fingerprint.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tenure::abi {
namespace {

uint64_t Hash(std::initializer_list<uint64_t> words) {
  FingerprintHasher hasher;
  for (uint64_t word : words) hasher.Add(word);
  return hasher.Finish();
}

uint64_t Hash(std::initializer_list<std::string_view> strings) {
  FingerprintHasher hasher;
  for (std::string_view string : strings) hasher.Add(string);
  return hasher.Finish();
}

// Expected values from another implementation of the same arithmetic. Databases hold such hashes.
TEST(FingerprintHasherTest, TheHashIsTheSameInAllVersions) {
  EXPECT_EQ(FingerprintHasher().Finish(), 0x322b7a53a8369e3eu);
  EXPECT_EQ(Hash({0}), 0x367ad7cc4c47a5b0u);
  EXPECT_EQ(Hash({1, 2, 3}), 0x81e40c20084e5f51u);
  EXPECT_EQ(Hash({"INTEGER"}), 0x5ba42455cf19424fu);
  EXPECT_EQ(Hash({"exactly8", "nine bytes"}), 0xc08b779b033af852u);
}

TEST(FingerprintHasherTest, OrderAndNumberOfWordsCount) {
  EXPECT_NE(Hash({1, 2}), Hash({2, 1}));
  EXPECT_NE(Hash({0}), Hash({0, 0}));
  EXPECT_EQ(Hash({7, 8}), Hash({7, 8}));
}

TEST(FingerprintHasherTest, WhereStringsEndCounts) {
  EXPECT_NE(Hash({"ab", "c"}), Hash({"a", "bc"}));
  EXPECT_NE(Hash({"abc"}), Hash({"ab", "c"}));
  EXPECT_NE(Hash({"", "a"}), Hash({"a", ""}));
  EXPECT_NE(Hash({std::string_view("a\0", 2)}), Hash({"a"}));
  EXPECT_NE(Hash({"12345678", "9"}), Hash({"123456789"}));
  EXPECT_NE(Hash({"\xff"}), Hash({"\x7f"}));
}

TEST(FingerprintHasherTest, FinishMayBeAskedTwice) {
  FingerprintHasher hasher;
  hasher.Add(uint64_t{5});
  const uint64_t once = hasher.Finish();
  EXPECT_EQ(hasher.Finish(), once);
  hasher.Add(uint64_t{6});
  EXPECT_EQ(hasher.Finish(), Hash({5, 6}));
}

TEST(FingerprintHasherTest, SmallInputsDoNotCollide) {
  std::set<uint64_t> seen;
  for (uint64_t i = 0; i < 20000; ++i) seen.insert(Hash({i}));
  for (uint64_t i = 0; i < 100; ++i) {
    for (uint64_t k = 0; k < 100; ++k) seen.insert(Hash({i << 32, k}));
  }
  EXPECT_EQ(seen.size(), 30000u);
}

// One changed bit of the input changes about half of the output bits.
TEST(FingerprintHasherTest, EveryBitSpreads) {
  const uint64_t base = Hash({0x123456789abcdefull, 42});
  for (int bit = 0; bit < 64; ++bit) {
    const int changed =
        __builtin_popcountll(base ^ Hash({0x123456789abcdefull ^ (uint64_t{1} << bit), 42}));
    EXPECT_GE(changed, 12) << bit;
    EXPECT_LE(changed, 52) << bit;
  }
}

}  // namespace
}  // namespace tenure::abi
