#include "dbtool/values/texts.h"

#include <gtest/gtest.h>

#include <string>

namespace tenure::dbtool {
namespace {

TEST(TextsTest, CodePointsOfUtf8) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";
  size_t at = 0;
  for (const uint32_t code : {0x61u, 0xE9u, 0x20ACu, 0x1F600u})
    EXPECT_EQ(TakeUtf8(text, &at), code);
  EXPECT_EQ(at, text.size());
}

TEST(TextsTest, WhatIsNoUtf8IsNotPassed) {
  for (const char* wrong :
       {"\x80", "\xC3", "\xC0\x80", "\xE2\x28\xA1", "\xED\xA0\x80", "\xF5\x80\x80\x80"}) {
    size_t at = 0;
    EXPECT_EQ(TakeUtf8(wrong, &at), std::nullopt) << wrong;
    EXPECT_EQ(at, 0u);
  }
}

TEST(TextsTest, ControlsAreWhatActsOnATerminal) {
  for (const uint32_t code : {0x00, 0x1B, 0x7F, 0x80, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028,
                              0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF}) {
    EXPECT_TRUE(IsControl(code)) << code;
  }
  for (const uint32_t code :
       {0x20, 0x7E, 0xA0, 0xE9, 0x200D, 0x2027, 0x202F, 0x20AC, 0xFFFD, 0x1F600}) {
    EXPECT_FALSE(IsControl(code)) << code;
  }
}

TEST(TextsTest, ANarrowTextIsUtf8OrLatin1) {
  EXPECT_EQ(Utf8Of({u"caf\u00E9", false, 4}), "caf\xC3\xA9");
  EXPECT_EQ(Utf8Of({u"caf\u00C3\u00A9", false, 5}), "caf\xC3\xA9");
  EXPECT_EQ(Utf8Of({u"caf\u00C3\u00A9", true, 5}), "caf\xC3\x83\xC2\xA9");
  // The beginning of a text, cut within a character.
  EXPECT_EQ(Utf8Of({u"\u00C3\u00A9\u00C3", false, 9}), "\xC3\xA9");
}

}  // namespace
}  // namespace tenure::dbtool
