// Stacks are used again, apart from each other, and guarded.
#include "runtime/threads/thread_stacks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

namespace tenure::runtime::test {
namespace {

char& ByteAt(uintptr_t address) { return *reinterpret_cast<char*>(address); }

TEST(ThreadStacksTest, HasTheBytesAskedForOrMore) {
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{200'000}, uint64_t{9} << 20}) {
    const ThreadStack stack = TakeStack(bytes);
    ASSERT_NE(stack.high, 0u);
    EXPECT_GE(stack.high - stack.low, bytes);
    EXPECT_EQ(stack.high % 16, 0u);
    ByteAt(stack.low) = 1;
    ByteAt(stack.high - 1) = 1;
    GiveBackStack(stack);
  }
}

TEST(ThreadStacksTest, GivesAStackToOneThreadAtATime) {
  std::vector<ThreadStack> stacks;
  std::set<uintptr_t> lows;
  for (int i = 0; i < 300; ++i) {
    stacks.push_back(TakeStack(300'000));
    EXPECT_TRUE(lows.insert(stacks.back().low).second);
    std::memset(&ByteAt(stacks.back().high - 64), i, 64);
  }
  for (int i = 0; i < 300; ++i) EXPECT_EQ(ByteAt(stacks[i].high - 1), static_cast<char>(i));
  for (const ThreadStack& stack : stacks) GiveBackStack(stack);
  for (int i = 0; i < 300; ++i) EXPECT_TRUE(lows.contains(TakeStack(300'000).low));
}

TEST(ThreadStacksTest, ReturnsTheMemoryOfManyUnusedStacks) {
  std::vector<ThreadStack> stacks;
  for (int i = 0; i < 200; ++i) stacks.push_back(TakeStack(500'000));
  for (const ThreadStack& stack : stacks) std::memset(&ByteAt(stack.high - 64), 1, 64);
  for (const ThreadStack& stack : stacks) GiveBackStack(stack);
  int zeroed = 0;
  for (const ThreadStack& stack : stacks) zeroed += ByteAt(stack.high - 1) == 0 ? 1 : 0;
  EXPECT_GE(zeroed, 100);
}

using ThreadStacksDeathTest = testing::Test;

TEST(ThreadStacksDeathTest, TrapsBelowTheStack) {
  const ThreadStack stack = TakeStack(300'000);
  EXPECT_DEATH(ByteAt(stack.low - 1) = 1, "");
  EXPECT_DEATH(ByteAt(stack.low - kStackGuardBytes) = 1, "");
}

}  // namespace
}  // namespace tenure::runtime::test
