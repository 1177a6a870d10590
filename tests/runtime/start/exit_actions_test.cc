#include "runtime/start/exit_actions.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "abi/entry_points.h"
#include "tests/runtime/test_program.h"

extern "C" {
void tn_exit(int64_t status);
void tn_crash(const char* message, int64_t length);
}

namespace tenure::runtime::test {
void Register();
}

// Outside of the project's namespace, like compiled procedures: traces leave out functions of the
// namespace.
static void CrashAfterRegistering(void*) {
  tenure::runtime::test::Register();
  tn_crash("out of ideas", 12);
}

namespace tenure::runtime::test {
namespace {

void SayFirst() { std::fputs("first ", stderr); }
void SaySecond() { std::fputs("second ", stderr); }
void Fail() { abi::tn_raise(&tn_test_exception_a, nullptr, "Exit.m3", 3); }

}  // namespace

void Register() {
  RegisterExitAction(SayFirst);
  RegisterExitAction(SaySecond);
}

namespace {

TEST(ExitActionsTest, TheLastRegisteredRunsFirst) {
  const auto end = [] {
    Register();
    tn_exit(7);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(7), "^second first ");
}

TEST(ExitActionsTest, TheyRunBeforeAReportIsWritten) {
  EXPECT_EXIT(tn_test_without_handlers(CrashAfterRegistering, nullptr), testing::ExitedWithCode(4),
              "^second first \\*\\*\\* out of ideas\n\\*\\*\\* at .*exit_actions_test.cc");
}

TEST(ExitActionsTest, OneThatSaysThatItFailedTakesTheSuccess) {
  const auto end = [](int64_t status) {
    RegisterExitAction(FailAtTheEnd);
    tn_exit(status);
  };
  EXPECT_EXIT(end(0), testing::ExitedWithCode(1), "");
  EXPECT_EXIT(end(7), testing::ExitedWithCode(7), "");
}

TEST(ExitActionsTest, OneThatFailsIsReportedAndTheOthersStillRun) {
  const auto end = [](void*) {
    RegisterExitAction(SayFirst);
    RegisterExitAction(Fail);
    RegisterExitAction(SaySecond);
    tn_crash("out of ideas", 12);
  };
  EXPECT_EXIT(tn_test_without_handlers(end, nullptr), testing::ExitedWithCode(4),
              "^second first \\*\\*\\* out of ideas\n(.|\n)*\\*\\*\\* unhandled exception: Test.A\n"
              "\\*\\*\\* at Exit.m3:3 in ");
}

}  // namespace
}  // namespace tenure::runtime::test
