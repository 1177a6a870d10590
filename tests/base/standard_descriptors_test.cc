#include "base/standard_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tenure {
namespace {

// The result of `check` in a child whose standard descriptors are closed.
int InChild(ClosedOutput output, int (*check)()) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(number);
    OpenStandardDescriptors(output);
    _exit(check());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool Writes(int number) { return write(number, "x", 1) == 1; }

TEST(StandardDescriptorsTest, NoFileGetsTheirNumbers) {
  // Other tests of this process may have left files open.
  const int next = open("/dev/null", O_RDWR);
  close(next);
  for (const ClosedOutput output : {ClosedOutput::kFails, ClosedOutput::kVanishes}) {
    EXPECT_EQ(InChild(output, [] { return open("/dev/null", O_RDWR); }), next);
  }
}

TEST(StandardDescriptorsTest, OutputVanishesOrFails) {
  const auto writes = [] { return Writes(STDOUT_FILENO) && Writes(STDERR_FILENO) ? 1 : 0; };
  EXPECT_EQ(InChild(ClosedOutput::kVanishes, writes), 1);
  const auto fails = [] { return Writes(STDOUT_FILENO) || Writes(STDERR_FILENO) ? 1 : 0; };
  EXPECT_EQ(InChild(ClosedOutput::kFails, fails), 0);
}

TEST(StandardDescriptorsTest, WhatIsOpenStays) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  OpenStandardDescriptors(ClosedOutput::kFails);
  const bool written = Writes(STDOUT_FILENO);
  dup2(saved, STDOUT_FILENO);
  for (const int number : {saved, ends[0], ends[1]}) close(number);
  EXPECT_TRUE(written);
}

}  // namespace
}  // namespace tenure
