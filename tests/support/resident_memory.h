// The resident part of a range of addresses (mincore).
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenure {

// The resident bytes of the system's pages in which the range lies; the range must be mapped.
inline size_t ResidentBytes(const void* begin, size_t bytes) {
  constexpr uintptr_t kPageBytes = 4096;
  const uintptr_t first = reinterpret_cast<uintptr_t>(begin) / kPageBytes;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(begin) + bytes + kPageBytes - 1) / kPageBytes;
  std::vector<unsigned char> resident(end - first);
  EXPECT_EQ(mincore(reinterpret_cast<void*>(first * kPageBytes), resident.size() * kPageBytes,
                    resident.data()),
            0);
  return static_cast<size_t>(std::count_if(resident.begin(), resident.end(),
                                           [](unsigned char state) { return (state & 1) != 0; })) *
         kPageBytes;
}

}  // namespace tenure
