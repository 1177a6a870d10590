#include "base/counted_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace tenure {
namespace {

// A page of tables for each two megabytes of mappings that are touched.
TEST(CountedMemory, PageTablesGrowWithTouchedMappings) {
  // The figure is read anew at every 16th call.
  const auto read = [] {
    uint64_t bytes = 0;
    for (int i = 0; i < 16; ++i) bytes = PageTableBytes();
    return bytes;
  };
  const uint64_t before = read();
  if (before == 0) GTEST_SKIP() << "the system does not tell";
  constexpr size_t kBytes = size_t{512} << 20, kStep = 2 << 20;
  auto* const memory = static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, kBytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < kBytes; at += kStep) memory[at] = 1;
  EXPECT_GE(read(), before + kBytes / kStep * 4096 / 2);
  munmap(memory, kBytes);
}

}  // namespace
}  // namespace tenure
