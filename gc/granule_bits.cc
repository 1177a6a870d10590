#include "gc/granule_bits.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

namespace tenure::gc {

GranuleBits::~GranuleBits() {
  if (words_ != nullptr) munmap(words_, bytes());
}

Status GranuleBits::Create(const PageTable& pages, const char* what) {
  pages_ = &pages;
  void* memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return Status(StatusCode::kNoMemory, what, errno);
  words_ = static_cast<uint64_t*>(memory);
  return Status::Ok();
}

void GranuleBits::ClearPages(size_t first, size_t count) {
  memset(WordsOf(first), 0, count * kWordsPerPage * sizeof(uint64_t));
}

}  // namespace tenure::gc
