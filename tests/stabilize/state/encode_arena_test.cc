#include "stabilize/state/encode_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace tenure::stabilize {
namespace {

constexpr size_t kPages = 700;  // more than the first kept chunks hold

class EncodeArenaTest : public ::testing::Test {
 protected:
  // Pages, each filled with its number.
  std::vector<std::byte*> Take(size_t count) {
    std::vector<std::byte*> pages;
    for (size_t i = 0; i < count; ++i) {
      pages.push_back(arena.Take());
      std::memset(pages.back(), static_cast<int>(i % 251), abi::kPageBytes);
    }
    return pages;
  }
  static bool IsFullOf(const std::byte* page, size_t number) {
    const std::byte byte{static_cast<unsigned char>(number % 251)};
    for (size_t i = 0; i < abi::kPageBytes; ++i) {
      if (page[i] != byte) return false;
    }
    return true;
  }

  SpillFile file;
  EncodeArena arena{file};
};

TEST_F(EncodeArenaTest, PagesAreApart) {
  for (int round = 0; round < 2; ++round) {
    const std::vector<std::byte*> pages = Take(kPages);
    for (size_t i = 0; i < kPages; ++i) EXPECT_TRUE(IsFullOf(pages[i], i)) << i;
    arena.Reset();
  }
}

TEST_F(EncodeArenaTest, PartsLieTogetherAndApartFromPages) {
  std::vector<std::pair<std::byte*, size_t>> parts;
  std::set<size_t> pages_touched;
  for (size_t i = 0; i < 3000; ++i) {
    const size_t bytes = i % 300 == 299 ? abi::kPageBytes : 8 + 8 * (i % 11);
    parts.push_back({arena.TakeBytes(bytes), bytes});
    std::memset(parts.back().first, static_cast<int>(i % 251), bytes);
    pages_touched.insert(reinterpret_cast<uintptr_t>(parts.back().first) / abi::kPageBytes);
    if (i % 100 == 0) std::memset(arena.Take(), 255, abi::kPageBytes);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto [begin, bytes] = parts[i];
    const std::byte byte{static_cast<unsigned char>(i % 251)};
    EXPECT_TRUE(std::all_of(begin, begin + bytes, [&](std::byte b) { return b == byte; })) << i;
  }
  EXPECT_LT(pages_touched.size(), 60u);  // 25 pages full of them
}

TEST_F(EncodeArenaTest, WhatIsGivenAwayStaysAsItIs) {
  std::vector<std::shared_ptr<std::byte>> given;
  const std::vector<std::byte*> pages = Take(kPages);
  for (size_t i = 0; i < kPages; i += 3) {
    given.push_back(arena.GiveAway(pages[i]));
    EXPECT_EQ(given.back().get(), pages[i]);
  }
  arena.Reset();
  const std::vector<std::byte*> others = Take(kPages);
  const std::set<std::byte*> taken(others.begin(), others.end());
  for (std::byte* const page : others) std::memset(page, 255, abi::kPageBytes);
  for (size_t i = 0; i < given.size(); ++i) {
    EXPECT_FALSE(taken.contains(given[i].get()));
    EXPECT_TRUE(IsFullOf(given[i].get(), 3 * i)) << i;
  }
}

// A limit of one page: all chunks except the first are in a file.
TEST_F(EncodeArenaTest, MemoryOfAFileIsNotGivenAway) {
  arena.SetLimit(1);
  const std::vector<std::byte*> pages = Take(kPages);
  size_t given = 0;
  for (std::byte* const page : pages) given += arena.GiveAway(page) != nullptr;
  EXPECT_LT(given, kPages);
  arena.Reset();
  EXPECT_TRUE(IsFullOf(Take(1)[0], 0));
}

}  // namespace
}  // namespace tenure::stabilize
