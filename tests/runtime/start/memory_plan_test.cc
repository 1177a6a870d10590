#include "runtime/start/memory_plan.h"

#include <gtest/gtest.h>

#include <string>

namespace tenure::runtime {
namespace {

constexpr uint64_t kMegabyte = 1 << 20;

Options With(uint64_t megabytes) {
  Options options;
  options.memory_bytes = megabytes * kMegabyte;
  return options;
}

TEST(MemoryPlanTest, TheHeapHasHalfOfALargeMemoryAndLessOfASmallOne) {
  EXPECT_EQ(PrivateHeapOf(With(1024)), 512 * kMegabyte);
  EXPECT_EQ(PrivateHeapOf(With(256)), 128 * kMegabyte);
  EXPECT_LT(PrivateHeapOf(With(32)), 16 * kMegabyte);
  EXPECT_EQ(PrivateHeapOf(With(16)), 8 * kMegabyte);
  EXPECT_EQ(PrivateHeapOf(With(64)), 24 * kMegabyte);
}

TEST(MemoryPlanTest, TheCacheIsAPartOfTheMemory) {
  EXPECT_EQ(ServerCacheOf(With(16)), kLeastServerCache);
  EXPECT_EQ(ServerCacheOf(With(64)), 2 * kMegabyte);
  EXPECT_EQ(ServerCacheOf(With(64 << 10)), 64 * kMegabyte);
  Options options = With(64);
  options.database_cache_bytes = 32 * kMegabyte;
  EXPECT_EQ(ServerCacheOf(options), 8 * kMegabyte);
}

TEST(MemoryPlanTest, TooLittleSaysHowMuchIsEnough) {
  EXPECT_EQ(WhyTooLittleMemory(With(16), 3 * kMegabyte), "");
  EXPECT_EQ(WhyTooLittleMemory(With(64), 20 * kMegabyte), "");
  const std::string why = WhyTooLittleMemory(With(16), 20 * kMegabyte);
  EXPECT_EQ(why.find("@M3memory gives this program 16 MB, and with a database it needs "), 0u)
      << why;
  const uint64_t enough = std::stoull(why.substr(why.find(" needs ") + 7));
  EXPECT_EQ(WhyTooLittleMemory(With(enough), 20 * kMegabyte), "");
  EXPECT_NE(WhyTooLittleMemory(With(enough - 1), 20 * kMegabyte), "");
  EXPECT_NE(why.find("run it with a larger @M3memory=SIZE"), std::string::npos);
}

// A program with such a flag ended with "too little memory", although it ran with a smaller one.
TEST(MemoryPlanTest, MoreForDatabasesThanThereIsIsNoNeed) {
  for (const uint64_t gigabytes : {uint64_t{1}, uint64_t{64}, uint64_t{4000000000}}) {
    Options options = With(64);
    options.database_cache_bytes = gigabytes << 30;
    EXPECT_EQ(ServerCacheOf(options), 8 * kMegabyte);
    EXPECT_EQ(WhyTooLittleMemory(options, 20 * kMegabyte), "");
    EXPECT_GE(PrivateHeapOf(options), kMegabyte);
    EXPECT_NE(WhyTooLittleMemory(options, 60 * kMegabyte), "");
  }
}

}  // namespace
}  // namespace tenure::runtime
