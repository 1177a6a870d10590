// Checks every invariant of the heap from outside: walks all pages, recomputes what is reachable
// with a plain worklist, and shares no code with the collector.
//
// What is checked: pages and runs are described consistently; each page is tiled by objects with
// valid descriptors and fillers; no mark, pin or forwarding is left over; the object-start map is
// right where it claims to be known; every traced reference of every object and of every exact root
// is NIL, the start of an object of the heap, of a frame, or of a static object; an old object's
// references to young ones have dirty cards; displaced bits and the database's table agree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/object_header.h"
#include "gc/heap_state.h"
#include "gc/page_table.h"
#include "gc/raw_array.h"

namespace tenure::gc {

class OldCollection;
class WeakRefs;

// Called with the heap's lock and the world stopped. Uses no malloc.
class Verifier {
 public:
  Verifier(HeapState& heap, const OldCollection& old, WeakRefs& weak_refs);
  ~Verifier();
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  // False: message() describes the first error and its place.
  bool Check();
  const char* message() const { return message_; }

  // Prints "heap verifier, WHEN: MESSAGE" and aborts if Check fails.
  void CheckOrAbort(const char* when);

  // After Check.
  struct Counts {
    size_t objects = 0;  // all, dead ones too
    size_t reached_objects = 0;
    size_t reached_bytes = 0;
    size_t displaced = 0;
    size_t ambiguous_targets = 0;  // words among the ambiguous roots that point into an object
  };
  const Counts& counts() const { return counts_; }

 private:
  class ExactVisitor;
  class AmbiguousVisitor;
  class PersistentVisitor;

  bool Fail(const char* format, ...) __attribute__((format(printf, 2, 3)));
  bool MapBitmaps();
  bool CheckPages();
  bool CheckObjectPage(size_t index);
  bool CheckLargeRun(size_t index);
  bool IsGarbage(abi::Ref object) const;
  void SetStart(const void* header);
  bool CheckHeader(const abi::ObjectHeader* header, size_t room);
  bool CheckStartMap(size_t index);
  bool CheckGaps();
  bool CheckReferencesOfAll();
  bool CheckObjectReferences(abi::Ref object, bool old);
  bool CheckRoots();
  // `what` and `holder` only word the message.
  bool CheckReference(abi::Ref target, const char* what, const void* holder, const void* slot);
  void Reach(abi::Ref object);
  void ReachAll();

  bool IsDescriptor(const abi::TypeDescriptor* type);
  bool IsReadable(const void* begin, size_t bytes);
  size_t BitOf(const void* header) const;
  bool TestBit(const uint64_t* bits, size_t bit) const {
    return (bits[bit / 64] >> (bit % 64)) & 1;
  }

  HeapState& heap_;
  const OldCollection& old_;
  WeakRefs& weak_refs_;
  const PageTable& pages_;
  size_t page_count_;
  void* memory_ = nullptr;
  size_t memory_bytes_ = 0;
  uint64_t* starts_ = nullptr;   // headers found by walking
  uint64_t* reached_ = nullptr;  // of those, the ones that roots reach
  RawArray<abi::Ref> worklist_;
  Counts counts_;
  bool failed_ = false;
  char message_[512] = "";
  static constexpr size_t kCacheSize = 256;
  const abi::TypeDescriptor* known_types_[kCacheSize] = {};
  uintptr_t readable_pages_[kCacheSize] = {};
};

}  // namespace tenure::gc
