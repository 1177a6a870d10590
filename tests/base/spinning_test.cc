#include "base/spinning.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tenure {
namespace {

using std::chrono::milliseconds;

TEST(SpinUntil, EndsWhenTheOtherThreadIsDone) {
  std::atomic<bool> done{false};
  std::thread other([&] { done = true; });
  EXPECT_TRUE(SpinUntil([&] { return done.load(); }, std::chrono::seconds(60)));
  other.join();
}

TEST(SpinUntil, EndsInVainAfterItsTime) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(SpinUntil([] { return false; }, milliseconds(2)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(2));
}

TEST(SpinPatience, SkipsMoreAndMoreWhileInVain) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  SpinPatience patience;
  const auto skipped = [&] {
    int count = 0;
    while (!patience.ShouldSpin()) ++count;
    return count;
  };
  EXPECT_EQ(skipped(), 0);
  for (const int expected : {1, 3, 7, 15, 31, 63, 127, 255, 255}) {
    patience.Note(/*in_vain=*/true);
    EXPECT_EQ(skipped(), expected);
  }
  // One wait that was worth it does not count for all.
  patience.Note(/*in_vain=*/false);
  EXPECT_EQ(skipped(), 0);
  patience.Note(/*in_vain=*/true);
  EXPECT_EQ(skipped(), 255);
  for (int i = 0; i < 8; ++i) patience.Note(/*in_vain=*/false);
  patience.Note(/*in_vain=*/true);
  EXPECT_EQ(skipped(), 1);
}

}  // namespace
}  // namespace tenure
