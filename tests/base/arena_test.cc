#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tenure {
namespace {

struct Noisy {
  explicit Noisy(std::string* log) : log(log) {}
  ~Noisy() { *log += 'x'; }
  std::string* log;
};

TEST(ArenaTest, DestroysWhatItMade) {
  std::string log;
  {
    Arena arena;
    for (int i = 0; i < 3; ++i) arena.New<Noisy>(&log);
    arena.New<std::vector<int>>(1000, 7);
    EXPECT_EQ(log, "");
  }
  EXPECT_EQ(log, "xxx");
}

TEST(ArenaTest, ObjectsStayApartInAndAcrossBlocks) {
  Arena arena;
  struct Large {
    char bytes[100 * 1000] = {};
  };
  std::vector<uint64_t*> numbers;
  for (uint64_t i = 0; i < 50000; ++i) {
    numbers.push_back(arena.New<uint64_t>(i));
    if (i % 10000 == 0) arena.New<Large>()->bytes[99999] = 'z';
  }
  for (uint64_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(*numbers[i], i);
}

}  // namespace
}  // namespace tenure
