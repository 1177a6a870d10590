#include "base/shown_text.h"

#include <gtest/gtest.h>

namespace tenure {
namespace {

TEST(ShownTextTest, ControlsAreEscapedAndOtherCharactersStay) {
  EXPECT_EQ(ShownText("a\033[31mb\177"), "a\\033[31mb\\177");
  EXPECT_EQ(ShownText("line\nnext\tcolumn\r"), "line\nnext\tcolumn\\015");
  EXPECT_EQ(ShownText("\u009b31m \u202e \u2028 \ufeff \u2066"),
            "\\23331m \\x202e \\x2028 \\xfeff \\x2066");
  EXPECT_EQ(ShownText("Zürich 日本 😀"), "Zürich 日本 😀");
}

TEST(ShownTextTest, BytesOfLatin1StayUnlessTheyAreControls) {
  EXPECT_EQ(ShownText("Z\374rich"), "Z\374rich");
  EXPECT_EQ(ShownText("\23331m"), "\\23331m");
}

TEST(ShownTextTest, ControlsAreWhatActsOnATerminal) {
  for (const uint32_t code : {0x00, 0x1B, 0x7F, 0x80, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028,
                              0x2029, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF}) {
    EXPECT_TRUE(IsControl(code)) << code;
  }
  for (const uint32_t code :
       {0x20, 0x7E, 0xA0, 0xE9, 0x200D, 0x2027, 0x202F, 0x20AC, 0xFFFD, 0x1F600}) {
    EXPECT_FALSE(IsControl(code)) << code;
  }
}

}  // namespace
}  // namespace tenure
