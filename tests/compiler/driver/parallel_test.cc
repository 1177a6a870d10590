#include "compiler/driver/parallel.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <csignal>
#include <string>

namespace tenure::compiler {
namespace {

constexpr size_t kCount = 200;

// The work of the forked copies is seen in shared memory.
struct Done {
  std::atomic<int> times[kCount];
};

class ParallelTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    void* memory =
        mmap(nullptr, sizeof(Done), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    done_ = static_cast<Done*>(memory);
  }
  void TearDown() override { munmap(done_, sizeof(Done)); }

  Done* done_ = nullptr;
};

TEST_P(ParallelTest, EachPieceIsDoneOnce) {
  EXPECT_EQ(ForEachInParallel(kCount, GetParam(),
                              [&](size_t i) {
                                ++done_->times[i];
                                return Problem();
                              })
                .text(),
            "");
  for (size_t i = 0; i < kCount; ++i) EXPECT_EQ(done_->times[i], 1) << i;
}

TEST_P(ParallelTest, AProblemIsReturnedWholeAndEndsTheWork) {
  const std::string problem = "cannot write 'a b':\n" + std::string(100000, 'x');
  EXPECT_EQ(ForEachInParallel(kCount, GetParam(),
                              [&](size_t i) { return i == 7 ? Problem(problem) : Problem(); })
                .text(),
            problem);
}

TEST_P(ParallelTest, NothingToDo) {
  EXPECT_EQ(ForEachInParallel(0, GetParam(), [](size_t) { return Problem("called"); }).text(), "");
}

INSTANTIATE_TEST_SUITE_P(Processes, ParallelTest, ::testing::Values(0, 1, 2, 5));

TEST(ParallelFailureTest, AProcessThatIsKilledIsAProblem) {
  const Problem problem = ForEachInParallel(4, 2, [](size_t i) {
    if (i == 0) std::raise(SIGKILL);
    return Problem();
  });
  EXPECT_NE(problem.text().find("signal 9"), std::string::npos) << problem.text();
}

}  // namespace
}  // namespace tenure::compiler
