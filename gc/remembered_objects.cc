#include "gc/remembered_objects.h"

#include <errno.h>
#include <sys/mman.h>

namespace tenure::gc {

RememberedObjects::~RememberedObjects() {
  if (bits_ != nullptr) munmap(bits_, pages_->page_count() * kWordsPerPage * sizeof(uint64_t));
}

Status RememberedObjects::Create(const PageTable& pages) {
  pages_ = &pages;
  void* memory = mmap(nullptr, pages.page_count() * kWordsPerPage * sizeof(uint64_t),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Status(StatusCode::kNoMemory, "no addresses for the bits of remembered objects", errno);
  }
  bits_ = static_cast<uint64_t*>(memory);
  return Status::Ok();
}

}  // namespace tenure::gc
