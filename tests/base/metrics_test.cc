#include "base/metrics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tenure {
namespace {

TEST(MetricsTest, EmptyIsAnEmptyObject) { EXPECT_EQ(Metrics().ToJson(), "{}"); }

TEST(MetricsTest, PrintsOneLineInOrderOfCreation) {
  Metrics metrics;
  metrics.counter("pages_read").Add(3);
  metrics.counter("bytes").Add();
  metrics.timer("commit").Record(2'500'000);
  metrics.timer("commit").Record(1'000);
  EXPECT_EQ(metrics.ToJson(),
            "{\"pages_read\":3,\"bytes\":1,"
            "\"commit\":{\"runs\":2,\"total_us\":2501,\"max_us\":2500}}");
}

TEST(MetricsTest, SameNameIsSameCounterAndStaysWhereItIs) {
  Metrics metrics;
  Counter& first = metrics.counter("n0");
  for (int i = 1; i < 1000; ++i) metrics.counter("n" + std::to_string(i));
  EXPECT_EQ(&metrics.counter("n0"), &first);
}

TEST(MetricsTest, NamesAreEscaped) {
  Metrics metrics;
  metrics.counter("a\"b\\c\n").Add();
  EXPECT_EQ(metrics.ToJson(), "{\"a\\\"b\\\\c\\u000a\":1}");
}

TEST(MetricsTest, ThreadsLoseNothing) {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metrics] {
      Counter& counter = metrics.counter("shared");
      for (int i = 0; i < 10000; ++i) counter.Add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(metrics.counter("shared").value(), 40000u);
}

TEST(MetricsTest, ScopeRecordsElapsedTime) {
  PhaseTimer timer("sleep");
  {
    const PhaseScope scope(timer);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(timer.runs(), 1u);
  EXPECT_GE(timer.total_ns(), 5'000'000u);
  EXPECT_EQ(timer.max_ns(), timer.total_ns());
}

}  // namespace
}  // namespace tenure
