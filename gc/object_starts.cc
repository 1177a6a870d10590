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
  descriptor.starts_known = true;
  uint64_t* const words = bits_.WordsOf(page);
  memset(words, 0, GranuleBits::kWordsPerPage * sizeof(uint64_t));
  const char* const begin = pages_->Begin(page);
  size_t word = 0;
  uint64_t bits = 0;
  // Most neighbours have one type: then only their headers are compared, and finding the next
  // object does not wait for memory.
  uint64_t known_header = 0;
  size_t known_bytes = 0;
  for (size_t at = 0; at < abi::kPageBytes;) {
    const auto* header = reinterpret_cast<const abi::ObjectHeader*>(begin + at);
    size_t bytes = known_bytes;
    if (header->word != known_header || bytes == 0) {
      if (header->is_filler()) {
        at += header->filler_bytes();
        continue;
      }
      bytes = ObjectBytes(const_cast<char*>(begin) + at + abi::kHeaderBytes);
      if (!header->is_forwarded() && (header->type()->flags & abi::kTypeOpenArray) == 0) {
        known_header = header->word;
        known_bytes = bytes;
      }
    }
    const size_t granule = at / abi::kGranuleBytes;
    if (granule / 64 != word) {
      words[word] = bits;
      word = granule / 64;
      bits = 0;
    }
    bits |= uint64_t{1} << granule % 64;
    at += bytes;
  }
  words[word] = bits;
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
