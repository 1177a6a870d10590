#include "base/hex.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tenure {
namespace {

TEST(HexTest, BytesAndNumbersHaveAllTheirDigits) {
  const std::vector<std::byte> bytes = {std::byte{0}, std::byte{0x0a}, std::byte{0xff}};
  EXPECT_EQ(HexOf(bytes), "000aff");
  EXPECT_EQ(HexOf(std::span<const std::byte>()), "");
  EXPECT_EQ(HexOf(uint64_t{0x1f}), "000000000000001f");
  EXPECT_EQ(HexOf(~uint64_t{0}), "ffffffffffffffff");
}

TEST(HexTest, EachByteReadsBack) {
  for (unsigned value = 0; value < 256; ++value) {
    const std::vector<std::byte> byte = {static_cast<std::byte>(value)};
    std::vector<std::byte> back;
    EXPECT_TRUE(FromHex(HexOf(byte), &back));
    EXPECT_EQ(back, byte);
  }
}

TEST(HexTest, CapitalsAreDigits) {
  std::vector<std::byte> bytes;
  EXPECT_TRUE(FromHex("aF", &bytes));
  EXPECT_EQ(bytes, std::vector<std::byte>{std::byte{0xaf}});
}

TEST(HexTest, WhatIsNoDigitIsRefused) {
  std::vector<std::byte> bytes;
  for (const char* text : {"a", "0g", "g0", " 1", "+1", "0x", "-1", "1 "}) {
    EXPECT_FALSE(FromHex(text, &bytes)) << text;
  }
}

}  // namespace
}  // namespace tenure
