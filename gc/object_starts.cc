#include "gc/object_starts.h"

#include <string.h>

#include "gc/object_visitor.h"

namespace tenure::gc {

Status ObjectStarts::Create(PageTable& pages) {
  pages_ = &pages;
  return bits_.Create(pages, "no addresses for the object-start map");
}

void ObjectStarts::Reset(size_t page) {
  bits_.ClearPages(page, 1);
  pages_->At(page).starts_known = true;
}

void ObjectStarts::Adopt(size_t page, const uint64_t* words) {
  memcpy(bits_.WordsOf(page), words, GranuleBits::kWordsPerPage * sizeof(uint64_t));
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
  const size_t page_first = pages_->IndexOf(address) * GranuleBits::kPerPage;
  const size_t granule = bits_.View().FindPrevious(bits_.Of(address));
  if (granule == BitmapView::kNone || granule < page_first) return nullptr;
  abi::Ref object = bits_.AddressOf(granule) + abi::kHeaderBytes;
  const char* end = static_cast<char*>(object) - abi::kHeaderBytes + ObjectBytes(object);
  return address < end ? object : nullptr;
}

}  // namespace tenure::gc
