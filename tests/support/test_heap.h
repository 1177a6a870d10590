// A heap for tests: objects with names, roots that a test states, and a database made of two
// mappings.
//
// A local variable of a test is not a root: the collector sees only the roots that a test states.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "abi/mutator_state.h"
#include "abi/object_header.h"
#include "gc/heap.h"
#include "gc/persistent_space.h"
#include "tests/support/graph.h"

namespace tenure::gc {

// Descriptors of the objects in tests. A node's payload: its id, the number of its edges, the
// edges.
extern const abi::TypeDescriptor kNodeType;
// The same with fixed fields: id, padding word, two edges at offsets 16 and 24. Edges in between.
extern const abi::TypeDescriptor kPairType;
// No references: one dimension of bytes.
extern const abi::TypeDescriptor kBytesType;
// REF ARRAY OF RECORD a: INTEGER; edge: REFANY; b: INTEGER END, in two dimensions.
extern const abi::TypeDescriptor kMatrixType;

// The fields of a node.
uint64_t& NodeId(abi::Ref node);
size_t NodeEdgeCount(abi::Ref node);
abi::Ref* NodeEdge(abi::Ref node, size_t i);
size_t NodePayloadBytes(size_t edges);
// The store of a reference as compiled code does it: the value, then the card.
void StoreReference(abi::Ref* slot, abi::Ref value);

// The roots that a test states.
class TestRoots final : public RootSource {
 public:
  std::deque<abi::Ref> exact;  // a deque: slots stay where they are
  std::vector<uintptr_t> ambiguous;
  bool waits = false;  // the thread that has these
  int stopped = 0;     // depth, to see that calls are paired
  int stops = 0;

  void StopWorld() override;
  void ResumeWorld() override;
  bool interrupted = false;  // all mutators are, while the world is stopped

  bool IsInterrupted(const abi::MutatorState&) override { return interrupted; }
  void VisitAmbiguousRoots(AmbiguousRootVisitor& visitor) override;
  void VisitExactRoots(ExactRootVisitor& visitor) override;
};

// A PersistentSpace whose frames are a memfd with two mappings: one as the program sees it,
// read-only, and one that can always be written.
class TestPersistentSpace final : public PersistentSpace {
 public:
  explicit TestPersistentSpace(Heap& heap);
  ~TestPersistentSpace() override;

  // Names the object: it has a home from now on and is displaced. Returns the address of its home.
  abi::Ref Displace(abi::Ref object);
  bool IsDisplaced(abi::Ref object) const { return homes_.count(object) != 0; }
  size_t displaced_count() const { return homes_.size(); }
  // Objects in this set must stay where they are ("the open transaction wrote them").
  std::set<abi::Ref> held;
  // Moving home only forwards the object: the home has its own contents.
  bool forward_only = false;
  // Roots that the database holds.
  std::deque<abi::Ref> roots;
  // Stores into an object at home, through the second mapping.
  void Store(abi::Ref* slot, abi::Ref value);
  abi::Ref* WriteAlias(abi::Ref* slot) const;

  // Write-protects the page of the object, as a commit does with a governed page; removes the
  // protection.
  void Protect(abi::Ref object);
  void Unprotect();

  int collections_begun = 0, collections_ended = 0;
  // Not null: StoreWord is an error unless the world of these roots is stopped.
  const TestRoots* world = nullptr;

  void BeginCollection(CollectionKind kind) override;
  void EndCollection(CollectionKind kind) override;
  void VisitRoots(CollectionKind kind, SlotVisitor& visitor) override;
  void VisitDisplaced(CollectionKind kind, SlotVisitor& visitor) override;
  Home HomeOf(abi::Ref object) override;
  void WentHome(abi::Ref place, abi::Ref home) override;
  size_t DisplacedBytes() const override;
  bool IsFrameAddress(const void* address) const override;
  bool IsGoverned(const void* page) const override;
  void StoreWord(void* place, uint64_t word) override;

 private:
  static constexpr size_t kBytes = 64 << 20;

  Heap& heap_;
  int fd_;
  char* frames_;
  char* alias_;
  size_t used_ = 0;
  bool collecting_ = false;
  char* protected_page_ = nullptr;
  std::map<abi::Ref, abi::Ref> homes_;  // place to home
  std::vector<abi::Ref> at_home_;       // objects that moved to their homes, by program's address
};

class TestHeap {
 public:
  enum class Layout {
    kPacked,         // objects next to each other
    kPagePerObject,  // each on a page of its own
  };

  explicit TestHeap(const HeapOptions& options = SmallOptions(), Layout layout = Layout::kPacked);
  ~TestHeap();

  // 64 MB at most, a nursery of 1 MB.
  static HeapOptions SmallOptions();

  // Makes the objects and their edges, none of them a root. Edges may lead to objects made before.
  // `spare_edges`: NIL slots behind each node's edges, to make it large.
  void Build(const Graph& graph, size_t spare_edges = 0);
  // One more node, without edges; `edges` NIL slots. Not a root.
  abi::Ref MakeNode(const std::string& name, size_t edges);
  // The slot refers to the node from now on, by a store with its barrier. "" is NIL.
  void SetEdge(const std::string& from, size_t edge, const std::string& to);

  // An exact root: the object is kept alive and may move. An ambiguous root: the object must not
  // move; `offset` is the place in it to which the word points.
  void AddExactRoot(const std::string& name);
  void AddAmbiguousRoot(const std::string& name, ptrdiff_t offset = 0);
  void ClearRoots();

  void CollectMinor() { heap_->CollectMinor(); }
  void CollectMajor() { heap_->CollectMajor(); }
  void Verify() { heap_->Verify(); }

  // The object's address in the heap, reachable or not; null if it was freed or has moved to its
  // home.
  abi::Ref Find(const std::string& name) const;
  bool IsLive(const std::string& name) const { return Find(name) != nullptr; }
  bool IsYoung(const std::string& name) const { return heap_->IsYoung(Find(name)); }
  bool IsOld(const std::string& name) const { return heap_->IsOld(Find(name)); }
  // The graph that the roots reach in memory.
  Graph Read() const;

  // Allocates garbage of this many bytes, through the mutator's buffer.
  void AllocateGarbage(size_t bytes);

  Heap& heap() { return *heap_; }
  TestRoots& roots() { return roots_; }
  abi::MutatorState& mutator() { return mutator_; }

  // Allocates as compiled code does: inline in the buffer, or by the slow path. Fails the test
  // without memory.
  abi::Ref Allocate(const abi::TypeDescriptor& type, size_t payload_bytes,
                    const int64_t* lengths = nullptr);

 private:
  abi::Ref Take(const abi::TypeDescriptor& type, size_t payload_bytes, const int64_t* lengths);

  TestRoots roots_;
  std::unique_ptr<Heap> heap_;
  abi::MutatorState mutator_ = {};
  const Layout layout_;
  std::map<std::string, uint64_t> ids_;
  std::vector<std::string> names_;  // by id - 1
};

}  // namespace tenure::gc
