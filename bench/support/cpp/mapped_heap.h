// Namespace heap (see malloc_heap.h) in a file that is mapped always at the same address; commit is
// msync. This is not safe: a crash during msync leaves some pages new and some old.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "bench/support/cpp/usage.h"

namespace heap {

constexpr uintptr_t kBase = 0x200000000000;
constexpr size_t kMostBytes = size_t{64} << 30;
constexpr size_t kGrowBytes = size_t{16} << 20;
constexpr size_t kClasses = 64;  // lists of freed blocks, in steps of 16 bytes

// The header of the file.
struct Header {
  size_t size, used;
  void* root;
  void* freed[kClasses];
};

inline int file = -1;

inline Header& header() { return *reinterpret_cast<Header*>(kBase); }

[[noreturn]] inline void Die(const char* what) {
  bench::Fail(std::string(what) + ": " + std::strerror(errno));
}

inline void Map(size_t from, size_t to) {
  void* place = mmap(reinterpret_cast<void*>(kBase + from), to - from, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_FIXED_NOREPLACE, file, static_cast<off_t>(from));
  if (place == MAP_FAILED) Die("mmap");
}

inline void Create(const char* name) {
  file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0 || ftruncate(file, kGrowBytes) != 0) Die(name);
  Map(0, kGrowBytes);
  header() = {kGrowBytes, sizeof(Header), nullptr, {}};
}

inline void Open(const char* name) {
  file = open(name, O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) Die(name);
  Map(0, static_cast<size_t>(status.st_size));
}

inline void Commit() {
  if (msync(reinterpret_cast<void*>(kBase), header().size, MS_SYNC) != 0) Die("msync");
}

// The size is kept before each block, for Free.
inline void* Allocate(size_t bytes) {
  const size_t need = (bytes + 8 + 15) / 16 * 16;
  Header& h = header();
  const size_t index = need / 16;
  if (index < kClasses && h.freed[index] != nullptr) {
    void* block = h.freed[index];
    h.freed[index] = *static_cast<void**>(block);
    return block;
  }
  if (h.used + need > h.size) {
    const size_t grown = (h.used + need + kGrowBytes - 1) / kGrowBytes * kGrowBytes;
    if (grown > kMostBytes || ftruncate(file, static_cast<off_t>(grown)) != 0) Die("ftruncate");
    Map(h.size, grown);
    h.size = grown;
  }
  char* place = reinterpret_cast<char*>(kBase + h.used);
  *reinterpret_cast<size_t*>(place) = need;
  h.used += need;
  return place + 8;
}

inline void* AllocateChars(size_t bytes) { return Allocate(bytes); }

inline void Free(void* block) {
  if (block == nullptr) return;
  const size_t index = *reinterpret_cast<size_t*>(static_cast<char*>(block) - 8) / 16;
  if (index >= kClasses) return;
  *static_cast<void**>(block) = header().freed[index];
  header().freed[index] = block;
}

}  // namespace heap
