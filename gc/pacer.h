// When to collect, and which generation.
#pragma once

#include <cstddef>

#include "gc/options.h"
#include "gc/persistent_space.h"

namespace tenure::gc {

// Sizes count whole pages. With the heap's lock.
class Pacer {
 public:
  // `max_bytes`: what the heap may use at most.
  Pacer(const HeapOptions& options, size_t max_bytes);

  // A mutator took so many bytes of pages.
  void Allocated(size_t bytes) { young_since_ += bytes; }
  // Young pages have reached the nursery's size, so that the next page should wait for a
  // collection.
  bool IsTime() const { return young_since_ >= young_limit_; }
  // What that collection should be, when the old generation has `old_bytes`.
  CollectionKind NextKind(size_t old_bytes) const {
    return !generational_ || old_bytes >= old_limit_ ? CollectionKind::kMajor
                                                     : CollectionKind::kMinor;
  }

  // After a collection: what each generation has now.
  void CollectionEnded(CollectionKind kind, size_t young_bytes, size_t old_bytes);

  // How much memory of free pages is worth keeping.
  size_t FreeBytesToKeep() const { return 2 * nursery_bytes_ + old_limit_ / 4; }

  size_t nursery_bytes() const { return nursery_bytes_; }
  size_t young_limit() const { return young_limit_; }
  size_t old_limit() const { return old_limit_; }

 private:
  void SetYoungLimit(size_t used_bytes);

  bool generational_;
  size_t nursery_bytes_;
  size_t nursery_max_bytes_;
  size_t min_old_bytes_;
  uint32_t growth_percent_;
  size_t max_bytes_;
  size_t young_since_ = 0;
  size_t young_limit_ = 0;
  size_t old_limit_ = 0;
  size_t old_bytes_ = 0;  // after the last collection
};

}  // namespace tenure::gc
