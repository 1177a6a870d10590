// A word that may be a reference pins the object it points into (Bartlett 1988, by object, not by
// page).
#pragma once

#include <cstdint>
#include <utility>

#include "gc/evacuator.h"
#include "gc/object_starts.h"
#include "gc/page_table.h"
#include "gc/roots.h"

namespace tenure::gc {

// Lives while a collection's ambiguous roots are visited; the pages are still as the mutators left
// them.
class AmbiguousRoots final : public AmbiguousRootVisitor {
 public:
  AmbiguousRoots(PageTable& pages, ObjectStarts& starts, Evacuator& evacuator, bool only_young)
      : pages_(pages), starts_(starts), evacuator_(evacuator), only_young_(only_young) {}

  void VisitWords(const void* begin, const void* end) override;
  // Optimized code may keep only the address of the header, an interior address, or the end of the
  // memory it walks over. The end is also the header of the next object, and both objects are
  // pinned.
  void VisitWord(uintptr_t word) override;
  void OfWaitingThread(bool waits) override { waits_ = waits; }
  bool WantsOnlyYoung() const override { return only_young_; }
  bool TakeFoundYoung() override { return std::exchange(found_young_, false); }

 private:
  void PinContaining(uintptr_t address);

  PageTable& pages_;
  ObjectStarts& starts_;
  Evacuator& evacuator_;
  const bool only_young_;
  bool waits_ = false;
  bool found_young_ = false;
};

}  // namespace tenure::gc
