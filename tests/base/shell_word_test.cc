#include "base/shell_word.h"

#include <gtest/gtest.h>

namespace tenure {
namespace {

TEST(ShellWord, IsTakenAsItIs) {
  EXPECT_EQ(QuotedForShell(""), "''");
  EXPECT_EQ(QuotedForShell("a b$(c)"), "'a b$(c)'");
  EXPECT_EQ(QuotedForShell("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace tenure
