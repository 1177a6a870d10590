#include "base/address_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/address.h"

namespace tenure {
namespace {

TEST(AddressLimit, LeavesRoomUnderALimitAndElseChangesNothing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  constexpr size_t kLimit = (size_t{1} << 40) + 5000;
  const rlimit limited = {kLimit, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const size_t little = WithinAddressLimit(1000, 16, 4096);
  const size_t much = WithinAddressLimit(size_t{1} << 41, 2, 4096);
  const size_t exact = WithinAddressLimit(size_t{1} << 41, 1, 1);
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(little, 1000u);
  EXPECT_EQ(much, size_t{1} << 39);
  EXPECT_EQ(exact, kLimit);
  if (before.rlim_cur == RLIM_INFINITY) {
    EXPECT_EQ(WithinAddressLimit(size_t{1} << 46, 64, 4096), size_t{1} << 46);
  }
}

TEST(AddressLimit, PrivateMemoryIsLimitedToo) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  constexpr size_t kLimit = (size_t{1} << 40) + 5000;
  const rlimit limited = {kLimit, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &limited), 0);
  const size_t little = WithinDataLimit(1000, 16, 1, 4096);
  const size_t half = WithinDataLimit(size_t{1} << 41, 2, 1, 4096);
  const size_t times = WithinDataLimit(size_t{1} << 50, 16, 256, 4096);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_EQ(little, 1000u);
  EXPECT_EQ(half, size_t{1} << 39);
  EXPECT_EQ(times, AlignDown(kLimit / 16 * 256, 4096));
  if (before.rlim_cur == RLIM_INFINITY) {
    EXPECT_EQ(WithinDataLimit(size_t{1} << 46, 64, 1, 4096), size_t{1} << 46);
  }
}

}  // namespace
}  // namespace tenure
