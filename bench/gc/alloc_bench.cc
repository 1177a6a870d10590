// What does it cost to allocate an object, to keep it, and to walk over kept objects, compared with
// malloc and free?
//
// Prints nanoseconds per object for ours and for malloc, and their ratio, for four patterns:
//   garbage     objects of 32 bytes that nothing keeps
//   trees       binary trees of 2^16 nodes, each built and dropped
//   growth      one list of 2 million nodes that stays
//   walk        depth-first over a tree of 2^20 nodes after it was collected, or as malloc laid it
//   out
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "abi/mutator_state.h"
#include "abi/object_header.h"
#include "base/metrics.h"
#include "gc/card_table.h"
#include "gc/heap.h"

namespace {

using tenure::MonotonicNanoseconds;
using tenure::abi::MutatorState;
using tenure::abi::ObjectHeader;
using tenure::abi::Ref;

struct Node {
  Node* left;
  Node* right;
  uint64_t value;
};

const tenure::abi::SlotRun kNodeRun = {0, 2, 8, tenure::abi::SlotKind::kReference};

constexpr tenure::abi::TypeDescriptor MakeNodeType() {
  tenure::abi::TypeDescriptor type = {};
  type.payload_bytes = sizeof(Node);
  type.alignment = 8;
  type.slot_run_count = 1;
  type.slot_runs = &kNodeRun;
  type.name = "Bench.Node";
  return type;
}
alignas(16) constinit const tenure::abi::TypeDescriptor kNodeType = MakeNodeType();

// The patterns keep their objects in these slots, because the collector does not see C++ variables.
class Roots final : public tenure::gc::RootSource {
 public:
  Ref slots[64] = {};
  void StopWorld() override {}
  void ResumeWorld() override {}
  void VisitAmbiguousRoots(tenure::gc::AmbiguousRootVisitor&) override {}
  void VisitExactRoots(tenure::gc::ExactRootVisitor& visitor) override {
    for (Ref& slot : slots) visitor.VisitSlot(&slot);
  }
};

Roots roots;
MutatorState mutator;
tenure::gc::Heap* heap;

struct Ours {
  static constexpr const char* kName = "tenure";
  // Allocates as compiled code does.
  static Node* New() {
    constexpr size_t kBytes = sizeof(Node) + tenure::abi::kHeaderBytes;
    char* start = mutator.allocation_pointer;
    if (static_cast<size_t>(mutator.allocation_limit - start) < kBytes) {
      tenure::Result<Ref> object = heap->AllocateSlow(mutator, kNodeType, sizeof(Node));
      TN_CHECK(object.ok());
      return static_cast<Node*>(*object);
    }
    reinterpret_cast<ObjectHeader*>(start)->word = ObjectHeader::ForType(&kNodeType);
    Node* const node = reinterpret_cast<Node*>(start + tenure::abi::kHeaderBytes);
    *node = {};
    mutator.allocation_pointer = start + kBytes;
    return node;
  }
  static void Store(Node** slot, Node* value) {
    *slot = value;
    tenure::gc::CardTable::Mark(slot);
  }
  static void Free(Node*) {}
};

struct Malloc {
  static constexpr const char* kName = "malloc";
  static Node* New() { return static_cast<Node*>(calloc(1, sizeof(Node))); }
  static void Store(Node** slot, Node* value) { *slot = value; }
  static void Free(Node* node) { free(node); }
};

Node*& Slot(int i) { return reinterpret_cast<Node*&>(roots.slots[i]); }

// Builds the tree top down; the path to the current node is in slots 1, 2, ...
template <typename Heap>
void Build(int slot, int depth) {
  Slot(slot) = Heap::New();
  if (depth == 0) return;
  Build<Heap>(slot + 1, depth - 1);
  Heap::Store(&Slot(slot)->left, Slot(slot + 1));
  Build<Heap>(slot + 1, depth - 1);
  Heap::Store(&Slot(slot)->right, Slot(slot + 1));
  Slot(slot + 1) = nullptr;
}

uint64_t Walk(const Node* node) {
  return node == nullptr ? 0 : 1 + node->value + Walk(node->left) + Walk(node->right);
}

template <typename Heap>
void FreeTree(Node* node) {
  if (node == nullptr) return;
  FreeTree<Heap>(node->left);
  FreeTree<Heap>(node->right);
  Heap::Free(node);
}

template <typename Heap>
double Garbage() {
  constexpr int kCount = 20'000'000;
  const uint64_t start = MonotonicNanoseconds();
  for (int i = 0; i < kCount; ++i) {
    Node* node = Heap::New();
    asm volatile("" : : "r"(node) : "memory");
    Heap::Free(node);
  }
  return static_cast<double>(MonotonicNanoseconds() - start) / kCount;
}

template <typename Heap>
double Trees() {
  constexpr int kTrees = 60, kDepth = 16;
  const uint64_t start = MonotonicNanoseconds();
  for (int i = 0; i < kTrees; ++i) {
    Build<Heap>(0, kDepth);
    if (std::is_same_v<Heap, Malloc>) FreeTree<Heap>(Slot(0));
    Slot(0) = nullptr;
  }
  return static_cast<double>(MonotonicNanoseconds() - start) / kTrees / (2 << kDepth);
}

template <typename Heap>
double Growth() {
  constexpr int kCount = 2'000'000;
  const uint64_t start = MonotonicNanoseconds();
  for (int i = 0; i < kCount; ++i) {
    Node* node = Heap::New();
    node->left = Slot(0);  // fresh: no barrier
    Slot(0) = node;
  }
  const uint64_t end = MonotonicNanoseconds();
  for (Node* node = Slot(0); node != nullptr;) {
    Node* next = node->left;
    Heap::Free(node);
    node = next;
  }
  Slot(0) = nullptr;
  return static_cast<double>(end - start) / kCount;
}

template <typename Heap>
double WalkOnly() {
  constexpr int kDepth = 19, kRounds = 5;
  Build<Heap>(0, kDepth);
  if (std::is_same_v<Heap, Ours>) heap->CollectMajor();
  uint64_t best = ~uint64_t{0};
  for (int i = 0; i < kRounds; ++i) {
    const uint64_t start = MonotonicNanoseconds();
    TN_CHECK(Walk(Slot(0)) == (2u << kDepth) - 1);
    best = std::min(best, MonotonicNanoseconds() - start);
  }
  if (std::is_same_v<Heap, Malloc>) FreeTree<Heap>(Slot(0));
  Slot(0) = nullptr;
  return static_cast<double>(best) / (2 << kDepth);
}

void Report(const char* pattern, double (*ours)(), double (*theirs)()) {
  // Runs both in turns, so that a slow moment of the machine affects both.
  std::vector<double> us, them;
  for (int i = 0; i < 3; ++i) {
    us.push_back(ours());
    them.push_back(theirs());
  }
  std::sort(us.begin(), us.end());
  std::sort(them.begin(), them.end());
  printf("%-10s %s %6.1f ns   %s %6.1f ns   ratio %.2f\n", pattern, Ours::kName, us[1],
         Malloc::kName, them[1], us[1] / them[1]);
}

}  // namespace

int main() {
  tenure::gc::HeapOptions options;
  tenure::Result<std::unique_ptr<tenure::gc::Heap>> made = tenure::gc::Heap::Create(options, roots);
  if (!made.ok()) {
    fprintf(stderr, "alloc_bench: no heap: %s\n", made.status().text());
    return 1;
  }
  heap = made->get();
  TN_CHECK(heap->AddMutator(mutator).ok());
  Report("garbage", Garbage<Ours>, Garbage<Malloc>);
  Report("trees", Trees<Ours>, Trees<Malloc>);
  Report("growth", Growth<Ours>, Growth<Malloc>);
  Report("walk", WalkOnly<Ours>, WalkOnly<Malloc>);
  const tenure::gc::HeapStats stats = heap->stats();
  printf(
      "%lu minor and %lu major collections, %lu MB copied, pauses p50 %lu us, p99 %lu us, max %lu "
      "us\n",
      stats.minor_collections, stats.major_collections, stats.bytes_copied >> 20,
      stats.pause_us_p50, stats.pause_us_p99, stats.pause_us_max);
  heap->RemoveMutator(mutator);
  return 0;
}
