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

TEST(TextsTest, ANarrowTextIsUtf8OrLatin1) {
  EXPECT_EQ(Utf8Of({u"caf\u00E9", false, 4}), "caf\xC3\xA9");
  EXPECT_EQ(Utf8Of({u"caf\u00C3\u00A9", false, 5}), "caf\xC3\xA9");
  EXPECT_EQ(Utf8Of({u"caf\u00C3\u00A9", true, 5}), "caf\xC3\x83\xC2\xA9");
  // The beginning of a text, cut within a character.
  EXPECT_EQ(Utf8Of({u"\u00C3\u00A9\u00C3", false, 9}), "\xC3\xA9");
}

}  // namespace
}  // namespace tenure::dbtool
