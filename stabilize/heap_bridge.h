// The collector's questions about persistent pages, answered (gc/persistent_space.h).
#pragma once

#include "gc/persistent_space.h"
#include "stabilize/session.h"

namespace tenure::stabilize {

class HeapBridge final : public gc::PersistentSpace {
 public:
  explicit HeapBridge(Session& session) : session_(session) {}

  void BeginCollection(gc::CollectionKind kind) override;
  void EndCollection(gc::CollectionKind kind) override;
  void VisitRoots(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  void VisitDisplaced(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  Home HomeOf(abi::Ref displaced_object) override;
  void WentHome(abi::Ref place, abi::Ref home) override;
  bool IsFrameAddress(const void* address) const override;
  bool IsGoverned(const void* page) const override;

 private:
  // Scans one outward frame; whether it still refers to the transient heap.
  bool VisitFrame(Database& database, PageId page, gc::SlotVisitor& visitor);

  Session& session_;
};

// Calls visit(type, payload) for the objects of an image of an ordinary page.
template <typename Visit>
void ForEachObjectInImage(std::byte* image, Visit&& visit) {
  size_t at = 0;
  while (at < abi::kPageBytes) {
    const auto* header = reinterpret_cast<const abi::ObjectHeader*>(image + at);
    if (header->is_filler()) {
      at += header->filler_bytes();
      continue;
    }
    const abi::TypeDescriptor& type = *header->type();
    abi::Ref payload = image + at + abi::kHeaderBytes;
    at += abi::kHeaderBytes + abi::PayloadBytes(type, payload);
    visit(type, payload);
  }
}

}  // namespace tenure::stabilize
