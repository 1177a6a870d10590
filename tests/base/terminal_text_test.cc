#include "base/terminal_text.h"

#include <gtest/gtest.h>

#include <string>

namespace tenure {
namespace {

TEST(TerminalTextTest, CellsOfCharacters) {
  EXPECT_EQ(CellsOf(uint32_t{'a'}), 1u);
  EXPECT_EQ(CellsOf(uint32_t{0xE9}), 1u);     // e with an acute accent
  EXPECT_EQ(CellsOf(uint32_t{0x301}), 0u);    // that accent alone
  EXPECT_EQ(CellsOf(uint32_t{0x200D}), 0u);   // the joiner of emoji
  EXPECT_EQ(CellsOf(uint32_t{0xFE0F}), 0u);   // the mark that asks for an emoji
  EXPECT_EQ(CellsOf(uint32_t{0x10FF}), 1u);   // the last one before the first wide one
  EXPECT_EQ(CellsOf(uint32_t{0x1100}), 2u);   // and that
  EXPECT_EQ(CellsOf(uint32_t{0x65E5}), 2u);   // a Chinese character
  EXPECT_EQ(CellsOf(uint32_t{0x30AB}), 2u);   // katakana
  EXPECT_EQ(CellsOf(uint32_t{0xFF76}), 1u);   // halfwidth katakana
  EXPECT_EQ(CellsOf(uint32_t{0xAC00}), 2u);   // hangul
  EXPECT_EQ(CellsOf(uint32_t{0x1F600}), 2u);  // a grinning face
  EXPECT_EQ(CellsOf(uint32_t{0x2014}), 1u);   // a dash
}

TEST(TerminalTextTest, CellsOfTexts) {
  EXPECT_EQ(CellsOf(""), 0u);
  EXPECT_EQ(CellsOf("日本語 ab"), 9u);
  EXPECT_EQ(CellsOf("e\u0301"), 1u);
  EXPECT_EQ(CellsOf("\xE9\xFF"), 2u);  // Latin-1
}

TEST(TerminalTextTest, CutsBetweenCharacters) {
  EXPECT_EQ(BeginningWithin(3, "日本語"), "日");
  EXPECT_EQ(BeginningWithin(4, "日本語"), "日本");
  EXPECT_EQ(BeginningWithin(1, "e\u0301x"), "e\u0301");
  EXPECT_EQ(BeginningWithin(9, "short"), "short");
  EXPECT_EQ(BeginningWithin(0, "x"), "");
}

TEST(TerminalTextTest, BreaksLines) {
  EXPECT_EQ(WithLinesWithin(10, "a line of words\n\nshort\n"), "a line of\nwords\n\nshort\n");
  EXPECT_EQ(WithLinesWithin(16, "  -o FILE  where it goes"), "  -o FILE  where\n  it goes");
  EXPECT_EQ(WithLinesWithin(24, "  -o FILE  where it goes to"),
            "  -o FILE  where it goes\n           to");
  EXPECT_EQ(WithLinesWithin(4, "  aWordThatIsTooLong b"), "  aWordThatIsTooLong\n  b");
  EXPECT_EQ(WithLinesWithin(5, "日本 日本"), "日本\n日本");
  EXPECT_EQ(WithLinesWithin(80, "kept  as it is  \n"), "kept  as it is  \n");
}

TEST(TerminalTextTest, NoTerminalHasNoColumns) { EXPECT_EQ(TerminalColumns(-1), 0u); }

}  // namespace
}  // namespace tenure
