#include "gc/page_table.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/check.h"

namespace tenure::gc {

PageTable::~PageTable() {
  if (pages_ != nullptr) munmap(pages_, page_count() * sizeof(PageDescriptor));
}

Status PageTable::Create(uintptr_t base, size_t bytes) {
  TN_CHECK(base % abi::kPageBytes == 0 && bytes % abi::kPageBytes == 0);
  void* memory = mmap(nullptr, bytes / abi::kPageBytes * sizeof(PageDescriptor),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Status(StatusCode::kNoMemory, "no addresses for the page table", errno);
  }
  // Zero bytes are a free page: Space::kFree is 0.
  static_assert(static_cast<int>(Space::kFree) == 0);
  pages_ = static_cast<PageDescriptor*>(memory);
  base_ = base;
  bytes_ = bytes;
  return Status::Ok();
}

PageTable::PageRange PageTable::PagesOf(const void* object) const {
  TN_CHECK(InUse(object));
  const size_t index = FirstOfRun(IndexOf(object));
  const size_t count = At(index).kind == PageKind::kObjects ? 1 : At(index).run_pages;
  return {Begin(index), count * abi::kPageBytes};
}

}  // namespace tenure::gc
