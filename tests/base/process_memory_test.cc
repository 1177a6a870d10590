#include "base/process_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace tenure {
namespace {

constexpr size_t kBytes = 32 << 20;
constexpr uint64_t kClose = 4 << 20;

void* Map(int flags) {
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(memory, MAP_FAILED);
  return memory;
}

TEST(ProcessMemory, CountsPrivateMemoryThatIsTouchedAndNoSharedMemory) {
  const uint64_t before = AnonymousBytes();
  if (before == 0) GTEST_SKIP() << "the system does not tell";
  void* const own = Map(MAP_PRIVATE);
  EXPECT_LT(AnonymousBytes(), before + kClose);
  std::memset(own, 1, kBytes);
  EXPECT_GT(AnonymousBytes() + kClose, before + kBytes);
  void* const shared = Map(MAP_SHARED);
  std::memset(shared, 1, kBytes);
  EXPECT_LT(AnonymousBytes(), before + kBytes + kClose);
  munmap(own, kBytes);
  EXPECT_LT(AnonymousBytes(), before + kClose);
  munmap(shared, kBytes);
}

}  // namespace
}  // namespace tenure
