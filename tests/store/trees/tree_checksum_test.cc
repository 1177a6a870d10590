#include "store/trees/tree_checksum.h"

#include <db.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace tenure::store {
namespace {

std::vector<uint8_t> Bytes(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

uint32_t Slow(const uint8_t* bytes, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum = sum * 33 + bytes[i];
  return sum;
}

TEST(TreeChecksum, IsTheSumOfEveryLengthAndPlace) {
  const std::vector<uint8_t> bytes = Bytes(1200, 1);
  for (size_t from = 0; from < 40; from += 7) {
    for (size_t count = 0; count <= 1100; ++count) {
      ASSERT_EQ(TreeChecksum(bytes.data() + from, count), Slow(bytes.data() + from, count))
          << from << " " << count;
    }
  }
}

TEST(TreeChecksum, LargestBytesDoNotOverflow) {
  const std::vector<uint8_t> bytes(64 << 10, 0xFF);
  EXPECT_EQ(TreeChecksum(bytes.data(), bytes.size()), Slow(bytes.data(), bytes.size()));
}

// The library's own function, which its name no longer finds in this program.
TEST(TreeChecksum, IsBerkeleyDbs) {
  // Not the address that this file sees, which may be in the program.
  void* const function = dlsym(RTLD_DEFAULT, "db_env_create");
  Dl_info info, found;
  ASSERT_NE(function, nullptr);
  ASSERT_NE(dladdr(function, &info), 0);
  void* const library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  void* const sum = dlsym(library, "__ham_func4");
  if (sum == nullptr) GTEST_SKIP() << "Berkeley DB keeps it to itself";
  ASSERT_NE(dladdr(sum, &found), 0);
  EXPECT_EQ(found.dli_fbase, info.dli_fbase);
  const auto theirs = reinterpret_cast<uint32_t (*)(DB*, const void*, uint32_t)>(sum);
  for (const size_t count : {0, 1, 127, 128, 129, 512, 65536}) {
    const std::vector<uint8_t> bytes = Bytes(count, static_cast<unsigned>(count));
    EXPECT_EQ(TreeChecksum(bytes.data(), count),
              theirs(nullptr, bytes.data(), static_cast<uint32_t>(count)));
  }
  dlclose(library);
}

// The function that Berkeley DB's calls reach in this program.
TEST(TreeChecksum, IsTakenByBerkeleyDb) {
  LinkTreeChecksum();
  void* const found = dlsym(RTLD_DEFAULT, "__ham_func4");
  Dl_info ours, here;
  ASSERT_NE(found, nullptr);
  ASSERT_NE(dladdr(found, &ours), 0);
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&TreeChecksum), &here), 0);
  EXPECT_EQ(ours.dli_fbase, here.dli_fbase);
}

}  // namespace
}  // namespace tenure::store
