// tests/support/time_limit.cc, which is part of this program, too.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/executable_path.h"

namespace tenure {
namespace {

// Runs only as a child of the test below.
TEST(TimeLimitTest, DISABLED_Hangs) {
  while (true) pause();
}

TEST(TimeLimitTest, NamesATestThatHangsAndEndsTheProgram) {
  // This program may be one of several that share its tests.
  const std::string command =
      "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_OUTPUT "
      "TENURE_TEST_SECONDS=1 '" +
      ExecutablePath() +
      "' --gtest_also_run_disabled_tests "
      "--gtest_filter=TimeLimitTest.DISABLED_Hangs 2>&1";
  FILE* const program = popen(command.c_str(), "r");
  ASSERT_NE(program, nullptr);
  std::string output;
  char bytes[256];
  while (const size_t count = fread(bytes, 1, sizeof bytes, program)) output.append(bytes, count);
  const int status = pclose(program);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(output.find("TimeLimitTest.DISABLED_Hangs runs for more than 1 s"), std::string::npos)
      << output;
}

}  // namespace
}  // namespace tenure
