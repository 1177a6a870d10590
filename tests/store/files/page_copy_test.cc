#include "store/files/page_copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

#include "abi/heap_constants.h"

namespace tenure::store {
namespace {

TEST(PageCopies, AreEachTheirOwnersAlone) {
  constexpr int kCopies = 700;  // more than are kept
  for (int round = 0; round < 2; ++round) {
    std::vector<PageCopy> copies;
    for (int i = 0; i < kCopies; ++i) {
      copies.push_back(NewPageCopy());
      std::memset(copies.back().get(), i % 251, abi::kPageBytes);
    }
    for (int i = 0; i < kCopies; ++i) {
      EXPECT_EQ(copies[i][0], std::byte(i % 251));
      EXPECT_EQ(copies[i][abi::kPageBytes - 1], std::byte(i % 251));
    }
  }
}

TEST(PageCopies, ComeBack) {
  const std::byte* const first = [] { return NewPageCopy().get(); }();
  EXPECT_EQ(NewPageCopy().get(), first);
}

TEST(PageCopies, ThreadsTakeThemAtTheSameTime) {
  const auto work = [](int byte) {
    for (int i = 0; i < 3000; ++i) {
      const PageCopy a = NewPageCopy(), b = NewPageCopy();
      std::memset(a.get(), byte, abi::kPageBytes);
      std::memset(b.get(), byte, 64);
      ASSERT_EQ(a[abi::kPageBytes - 1], std::byte(byte));
      ASSERT_EQ(a[0], std::byte(byte));
    }
  };
  std::thread other(work, 1);
  work(2);
  other.join();
}

}  // namespace
}  // namespace tenure::store
