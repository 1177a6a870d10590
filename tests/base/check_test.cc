#include "base/check.h"

#include <gtest/gtest.h>

namespace tenure {
namespace {

TEST(CheckTest, TrueConditionDoesNothing) {
  int evaluations = 0;
  TN_CHECK(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

TEST(CheckDeathTest, FalseConditionNamesPlaceAndConditionAndAborts) {
  EXPECT_DEATH(TN_CHECK(1 + 1 == 3), "check_test\\.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

TEST(CheckDeathTest, UnreachableAborts) { EXPECT_DEATH(TN_UNREACHABLE(), "never reached"); }

TEST(CheckDeathTest, LongTextIsCutNotOverrun) {
  const std::string text(5000, 'x');
  EXPECT_DEATH(CheckFailed("file.cc", 7, text.c_str()), "file\\.cc:7: check failed: xxx");
}

#ifdef TENURE_DEBUG
TEST(CheckDeathTest, DebugCheckIsOn) { EXPECT_DEATH(TN_DCHECK(false), "check failed: false"); }
#else
TEST(CheckTest, DebugCheckIsNotEvaluated) {
  int evaluations = 0;
  TN_DCHECK(++evaluations == 5);
  EXPECT_EQ(evaluations, 0);
}
#endif

}  // namespace
}  // namespace tenure
