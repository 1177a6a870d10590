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

}  // namespace
}  // namespace tenure
