#include "gc/object_starts.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "gc/object_visitor.h"

namespace tenure::gc {

ObjectStarts::~ObjectStarts() {
  if (words_ != nullptr) munmap(words_, pages_->page_count() * kWordsPerPage * sizeof(uint64_t));
}

Status ObjectStarts::Create(PageTable& pages) {
  pages_ = &pages;
  void* memory = mmap(nullptr, pages.page_count() * kWordsPerPage * sizeof(uint64_t),
                      PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return Status(StatusCode::kNoMemory, "no addresses for the object-start map", errno);
  }
  words_ = static_cast<uint64_t*>(memory);
  return Status::Ok();
}

void ObjectStarts::Reset(size_t page) {
  memset(words_ + page * kWordsPerPage, 0, kWordsPerPage * sizeof(uint64_t));
  pages_->At(page).starts_known = true;
}

void ObjectStarts::Adopt(size_t page, const uint64_t* words) {
  memcpy(words_ + page * kWordsPerPage, words, kWordsPerPage * sizeof(uint64_t));
  pages_->At(page).starts_known = true;
}

void ObjectStarts::EnsureKnown(size_t page) {
  PageDescriptor& descriptor = pages_->At(page);
  TN_DCHECK(descriptor.kind == PageKind::kObjects);
  if (descriptor.starts_known) return;
  Reset(page);
  char* begin = pages_->Begin(page);
  ForEachObjectBetween(
      begin, begin + abi::kPageBytes, [&](abi::ObjectHeader* header) { Set(header); },
      [](char*) -> char* { return nullptr; });
}

abi::Ref ObjectStarts::Containing(const void* address) const {
  const size_t page_first = pages_->IndexOf(address) * kGranulesPerPage;
  const size_t granule = View().FindPrevious(GranuleOf(address));
  if (granule == BitmapView::kNone || granule < page_first) return nullptr;
  abi::Ref object = ObjectAt(granule);
  const char* end = static_cast<char*>(object) - abi::kHeaderBytes + ObjectBytes(object);
  return address < end ? object : nullptr;
}

}  // namespace tenure::gc
