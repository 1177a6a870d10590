#include "gc/ambiguous_roots.h"

#include "gc/object_visitor.h"

namespace tenure::gc {

// A stack has words that a sanitizer forbids to read.
__attribute__((no_sanitize("address"))) void AmbiguousRoots::VisitWords(const void* begin,
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
  if (pages_.At(index).space != Space::kFrom) return;
  if (pages_.At(index).kind == PageKind::kObjects) {
    starts_.EnsureKnown(index);
    const abi::Ref object = starts_.Containing(at);
    if (object != nullptr) evacuator_.Pin(object);
    return;
  }
  char* begin = pages_.Begin(index);
  const abi::Ref object = begin + abi::kHeaderBytes;
  if (at < begin + ObjectBytes(object)) evacuator_.Pin(object);
}

}  // namespace tenure::gc
