#include "compiler/driver/user_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/compiler/temporary_directory.h"

namespace tenure::compiler {
namespace {

namespace fs = std::filesystem;

void Age(const std::string& path, int hours) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
}

TEST(UserCache, LosesWhatWasNotUsedForLongest) {
  const TemporaryDirectory here;
  const std::string kilobyte(1000, 'x');
  const std::string oldest = here.Write("objects/0123456789abcdef/A.o", kilobyte);
  const std::string newer = here.Write("objects/0123456789abcdef/B.o", kilobyte);
  here.Write("git/a.git/objects/x", kilobyte);
  const std::string repository = here / "git/a.git";
  const std::string in_use = here.Write("objects/fedcba9876543210/C.o", kilobyte);
  Age(oldest, 9);
  Age(repository, 8);
  Age(newer, 2);
  TrimUserCache(here.path(), 4000);
  EXPECT_TRUE(fs::exists(oldest));
  // Down to three quarters of the limit.
  TrimUserCache(here.path(), 3000);
  EXPECT_FALSE(fs::exists(oldest));
  EXPECT_FALSE(fs::exists(repository));
  EXPECT_TRUE(fs::exists(newer));
  TrimUserCache(here.path(), 0);
  EXPECT_FALSE(fs::exists(newer));
  EXPECT_TRUE(fs::exists(in_use));
}

TEST(UserCache, WhatIsUsedIsNotOld) {
  const TemporaryDirectory here;
  const std::string file = here.Write("objects/0123456789abcdef/A.o", "x");
  Age(file, 9);
  NoteUse(file);
  TrimUserCache(here.path(), 0);
  EXPECT_TRUE(fs::exists(file));
  NoteUse(here / "none");
}

TEST(UserCache, TheLimitIsInMegabytes) {
  setenv("TENURE_CACHE_SIZE", "7", 1);
  EXPECT_EQ(UserCacheLimit(), uint64_t{7} << 20);
  setenv("TENURE_CACHE_SIZE", "much", 1);
  EXPECT_EQ(UserCacheLimit(), uint64_t{1024} << 20);
  unsetenv("TENURE_CACHE_SIZE");
  EXPECT_EQ(UserCacheLimit(), uint64_t{1024} << 20);
}

}  // namespace
}  // namespace tenure::compiler
