// The collector's questions about persistent pages, answered (gc/persistent_space.h).
#pragma once

#include "gc/persistent_space.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

class HeapBridge final : public gc::PersistentSpace {
 public:
  explicit HeapBridge(SessionState& session) : session_(session) {}

  void BeginCollection(gc::CollectionKind kind) override;
  void EndCollection(gc::CollectionKind kind) override;
  void MakeWritable(const void* page) override;
  void StoreWord(void* place, uint64_t word) override;
  void VisitRoots(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  void AllocatedAtFirst(size_t bytes) override;
  void WillAllocate(size_t bytes) override;
  void VisitDisplaced(gc::CollectionKind kind, gc::SlotVisitor& visitor) override;
  Home HomeOf(abi::Ref displaced_object) override;
  void WentHome(abi::Ref place, abi::Ref home) override;
  bool MapFileMemory(void* at, size_t bytes) override { return session_.spill.MapAt(at, bytes); }
  size_t DisplacedBytes() const override { return session_.displaced.bytes(); }
  bool IsFrameAddress(const void* address) const override;
  bool IsGoverned(const void* page) const override;

 private:
  // Scans one remembered frame; whether it still refers to the transient heap.
  bool VisitFrame(Database& database, PageId page, gc::SlotVisitor& visitor);

  // Whether the object's store has all that is in the object, so that it may go home without a
  // copy.
  bool IsStored(abi::Ref displaced_object) const;
  // The same for the target of one of the object's references.
  bool IsTargetStored(abi::Ref target) const;
  // Whether objects that go home to the page are forgotten in the heap, and read from the store
  // when they are touched.
  bool GoesHomeByLeaving(Database& database, const DisplacedObject& object);

  void VisitGovernedImage(const GovernedPage& page, std::byte* image, gc::SlotVisitor& visitor);

  // After a collection of the young generation. The next commit will probably name the survivors,
  // so the memory for their pages is prepared.
  void ExpectCommit();
  // As ExpectCommit, for objects of `bytes` bytes.
  void ExpectCommitOf(uint64_t bytes);

  SessionState& session_;
  size_t heap_bytes_before_ = 0;  // the collection
  bool leaves_ = false;           // in this collection memory is too short for the homes of all
  uint64_t survived_bytes_ = 0;   // since commits_ was the number of commits
  uint64_t commits_ = 0;
};

}  // namespace tenure::stabilize
