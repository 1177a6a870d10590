#include "gc/ambiguous_roots.h"

#include "gc/object_visitor.h"

namespace tenure::gc {

// A stack has words that a sanitizer forbids to read, and the end of its mapping a few that a
// stopped thread writes, as `errno`.
__attribute__((no_sanitize("address", "thread"))) void AmbiguousRoots::VisitWords(const void* begin,
                                                                                  const void* end) {
  constexpr uintptr_t kMask = sizeof(uintptr_t) - 1;
  auto* word =
      reinterpret_cast<const uintptr_t*>((reinterpret_cast<uintptr_t>(begin) + kMask) & ~kMask);
  auto* last = reinterpret_cast<const uintptr_t*>(reinterpret_cast<uintptr_t>(end) & ~kMask);
  for (; word < last; ++word) VisitWord(*word);
}

void AmbiguousRoots::VisitWord(uintptr_t word) {
  const uintptr_t distance = word - pages_.base();
  if (distance > pages_.bytes()) return;
  if (distance < pages_.bytes()) PinContaining(word);
  if (distance > 0 && word % abi::kGranuleBytes == 0) PinContaining(word - 1);
}

void AmbiguousRoots::PinContaining(uintptr_t address) {
  auto* at = reinterpret_cast<const char*>(address);
  const size_t index = pages_.FirstOfRun(pages_.IndexOf(at));
  const PageDescriptor& page = pages_.At(index);
  const bool mark = page.space == Space::kTo && page.generation == Generation::kOld &&
                    evacuator_.marks_ambiguous();
  // Also what is not condemned: on an open page, or a large object that another word has pinned.
  const bool young = page.space != Space::kFree && page.generation == Generation::kYoung;
  found_young_ |= young || mark || page.space == Space::kFrom;
  if (page.space != Space::kFrom && !mark) return;
  abi::Ref object;
  if (page.kind == PageKind::kObjects) {
    starts_.EnsureKnown(index);
    object = starts_.Containing(at);
    if (object == nullptr) return;
  } else {
    char* begin = pages_.Begin(index);
    object = begin + abi::kHeaderBytes;
    if (at >= begin + ObjectBytes(object)) return;
  }
  if (mark) {
    evacuator_.VisitSlot(&object);
  } else {
    evacuator_.Pin(object, waits_);
  }
}

}  // namespace tenure::gc
