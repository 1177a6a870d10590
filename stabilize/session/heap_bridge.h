// The collector's questions about persistent pages, answered (gc/persistent_space.h).
#pragma once

#include "base/check.h"
#include "gc/persistent_space.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/session.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

class HeapBridge final : public gc::PersistentSpace {
 public:
  explicit HeapBridge(Session& session) : session_(session) {}

  void BeginCollection(gc::CollectionKind kind) override;
  void EndCollection(gc::CollectionKind kind) override;
  void MakeWritable(const void* page) override;
  void StoreWord(void* place, uint64_t word) override;
  void VisitRoots(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  void AllocatedAtFirst(size_t bytes) override;
  void VisitDisplaced(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  Home HomeOf(abi::Ref displaced_object) override;
  void WentHome(abi::Ref place, abi::Ref home) override;
  size_t DisplacedBytes() const override { return session_.displaced_.bytes(); }
  bool IsFrameAddress(const void* address) const override;
  bool IsGoverned(const void* page) const override;

 private:
  // Scans one outward frame; whether it still refers to the transient heap.
  bool VisitFrame(Database& database, PageId page, gc::SlotVisitor& visitor);

  void VisitGovernedImage(const GovernedPage& page, std::byte* image, gc::SlotVisitor& visitor);

  // After a collection of the young generation: what survives it most likely becomes persistent, by
  // a commit that takes memory for that.
  void ExpectCommit();
  // So much of the heap may become persistent.
  void ExpectCommitOf(uint64_t bytes);

  Session& session_;
  size_t heap_bytes_before_ = 0;  // the collection
  uint64_t survived_bytes_ = 0;   // since there were so many commits
  uint64_t commits_ = 0;
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

// Calls visit(Ref* slot, kind) for the slots of an image of one page of a database.
template <typename Visit>
void ForEachSlotOnPage(Database& database, PageId page, std::byte* image, Visit&& visit) {
  const LargeRun run = database.frames().At(page).run;
  if (!run.large()) {
    ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
      abi::ForEachSlot(type, object, [&](void** slot, abi::SlotKind kind) { visit(slot, kind); });
    });
    return;
  }
  Result<const abi::TypeDescriptor*> type = database.TypeOf(run.type);
  TN_CHECK(type.ok());  // It was decoded with it.
  const size_t begin = size_t{run.index} * abi::kPageBytes;
  ForEachSlotBetween(
      **type, begin < abi::kHeaderBytes ? 0 : begin - abi::kHeaderBytes,
      begin + abi::kPageBytes - abi::kHeaderBytes, [&](size_t offset, abi::SlotKind kind) {
        visit(reinterpret_cast<abi::Ref*>(image + (offset + abi::kHeaderBytes - begin)), kind);
      });
}

}  // namespace tenure::stabilize
