// Random programs on the heap against a shadow graph in ordinary memory: heap_fuzz [SEED [COUNT
// [STEPS]]]
//
// A program allocates nodes of all sizes, stores and loads references through exact and ambiguous
// handles, names objects for a database, collects. After each collection everything that the
// handles reach is compared with the shadow, node by node and reference by reference. Prints the
// seed of a failed program.
#include <stdio.h>
#include <stdlib.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "gc/object_visitor.h"
#include "tests/support/random.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

constexpr size_t kExactHandles = 24;
constexpr size_t kAmbiguousHandles = 8;
constexpr size_t kHandles = kExactHandles + kAmbiguousHandles;

struct Shadow {
  uint64_t id;
  std::vector<Shadow*> edges;
};

class Fuzzer {
 public:
  Fuzzer(uint64_t seed, size_t steps)
      : seed_(seed), steps_(steps), random_(seed), heap_(RandomOptions()) {
    // Half of the programs have a database.
    if (random_.OneIn(2)) database_ = std::make_unique<TestPersistentSpace>(heap_.heap());
    heap_.roots().exact.resize(kExactHandles);
    heap_.roots().ambiguous.resize(kAmbiguousHandles);
  }

  void Run() {
    for (step_ = 0; step_ < steps_; ++step_) {
      Step();
      if (Collections() != compared_at_) Compare();
    }
    heap_.CollectMajor();
    Compare();
    heap_.Verify();
  }

  size_t compared() const { return compared_; }

 private:
  HeapOptions RandomOptions() {
    HeapOptions options = TestHeap::SmallOptions();
    options.max_heap_bytes = (size_t{1} << 20) << random_.Below(6);
    options.nursery_bytes = (size_t{64} << 10) << random_.Below(4);
    options.min_old_bytes = (size_t{128} << 10) << random_.Below(4);
    options.promotion_age = 1 + static_cast<uint32_t>(random_.Below(4));
    options.paranoid = random_.OneIn(3);
    if (random_.OneIn(3)) options.stress_interval = 1 + random_.Below(30);
    options.incremental = !random_.OneIn(4);
    options.stress_major_every = static_cast<uint32_t>(random_.Below(6));
    if (random_.OneIn(2)) options.remembering = Remembering::kObjects;
    if (random_.OneIn(2)) options.in_place = InPlacePromotion::kAlways;
    return options;
  }

  void Step() {
    switch (random_.Below(20)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5: return Allocate();
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
      case 11: return Store();
      case 12:
      case 13:
      case 14: return Load();
      case 15: return Set(random_.Below(kHandles), nullptr, nullptr);
      case 16: return Garbage();
      case 17: return Name();
      case 18:
        if (random_.OneIn(4)) heap_.heap().RetireBuffer(heap_.mutator());
        return MakeWeak();
      default:
        if (random_.OneIn(10)) heap_.CollectMinor();
        if (random_.OneIn(40)) heap_.CollectMajor();
        return;
    }
  }

  void Allocate() {
    size_t edges = random_.Below(8);
    if (random_.OneIn(20)) edges = random_.Below(500);
    if (random_.OneIn(200)) edges = random_.Below(6000);
    if (live_edges_ + edges > kMaxEdges) DropAll();
    const int64_t length = static_cast<int64_t>(edges);
    Result<Ref> node =
        heap_.heap().AllocateSlow(heap_.mutator(), kNodeType, NodePayloadBytes(edges), &length);
    if (!node.ok()) return DropAll();
    live_edges_ += edges + 3;
    NodeId(*node) = ++last_id_;
    shadows_.push_back(std::make_unique<Shadow>(Shadow{last_id_, std::vector<Shadow*>(edges)}));
    Set(random_.Below(kHandles), *node, shadows_.back().get());
  }

  // Some sizes go through the buffer inline.
  void Garbage() {
    const int64_t length = static_cast<int64_t>(random_.Below(2000));
    const size_t payload = 8 + static_cast<size_t>(length);
    if (heap_.heap().AllocateSlow(heap_.mutator(), kBytesType, payload, &length).ok()) return;
    DropAll();
  }

  // This keeps the heap from being full all the time.
  void DropAll() {
    for (size_t i = 0; i < kHandles; ++i) Set(i, nullptr, nullptr);
    live_edges_ = 0;
    if (database_ == nullptr) {
      heap_.CollectMajor();
      for (const Weak& weak : weak_) heap_.heap().weak_refs().Release(weak.id);
      weak_.clear();
      WeakRefs::Cleanup cleanup;
      while (heap_.heap().weak_refs().TakeCleanup(&cleanup)) {
      }
      shadows_.clear();
      compared_at_ = Collections();
    }
  }

  void Store() {
    const size_t from = random_.Below(kHandles), to = random_.Below(kHandles);
    Shadow* shadow = shadow_[from];
    if (shadow == nullptr || shadow->edges.empty()) return;
    const size_t edge = random_.Below(shadow->edges.size());
    const bool nil = random_.OneIn(8);
    const Ref value = nil ? nullptr : Get(to);
    shadow->edges[edge] = nil ? nullptr : shadow_[to];
    Ref* slot = NodeEdge(Get(from), edge);
    if (database_ != nullptr && database_->IsFrameAddress(slot)) {
      database_->Store(slot, value);
    } else {
      StoreReference(slot, value);
    }
  }

  void Load() {
    const size_t from = random_.Below(kHandles), to = random_.Below(kHandles);
    Shadow* shadow = shadow_[from];
    if (shadow == nullptr || shadow->edges.empty()) return;
    const size_t edge = random_.Below(shadow->edges.size());
    Set(to, *NodeEdge(Get(from), edge), shadow->edges[edge]);
  }

  // The object, and sometimes the objects that it reaches, get homes; some must not move for a
  // while.
  void Name() {
    if (database_ == nullptr || named_bytes_ > (32u << 20)) return;
    if (random_.OneIn(3)) database_->held.clear();
    const Ref object = Get(random_.Below(kHandles));
    if (object == nullptr || !heap_.heap().Contains(object)) return;
    if (database_->IsDisplaced(object)) return;
    heap_.heap().RetireAllBuffers();
    named_bytes_ += ObjectBytes(object);
    database_->Displace(object);
    if (random_.OneIn(4)) database_->held.insert(object);
  }

  struct Weak {
    uint64_t id;
    Shadow* shadow;
  };
  void MakeWeak() {
    const size_t handle = random_.Below(kHandles);
    if (Get(handle) == nullptr || weak_.size() > 200) return;
    const uint64_t id =
        heap_.heap().weak_refs().Register(Get(handle), shadow_[handle]->id, random_.OneIn(2));
    weak_.push_back({id, shadow_[handle]});
  }

  // A weak reference follows its object while the object is reachable; clean-ups run for
  // unreachable objects.
  void CompareWeak(const std::unordered_map<Shadow*, Ref>& matched) {
    WeakRefs& weak_refs = heap_.heap().weak_refs();
    WeakRefs::Cleanup cleanup;
    while (weak_refs.TakeCleanup(&cleanup)) {
      if (NodeId(cleanup.object) != cleanup.cookie) Fail("the wrong object is cleaned up");
      for (const auto& [shadow, object] : matched) {
        if (shadow->id == cleanup.cookie) Fail("clean-up of a reachable object");
      }
    }
    size_t kept = 0;
    for (const Weak& weak : weak_) {
      const Ref now = weak_refs.Get(weak.id);
      const auto strong = matched.find(weak.shadow);
      if (strong != matched.end() && strong->second != now)
        Fail("a weak reference lost its object");
      if (now == nullptr) {
        weak_refs.Release(weak.id);
      } else {
        if (NodeId(now) != weak.shadow->id) Fail("a weak reference follows another object");
        weak_[kept++] = weak;
      }
    }
    weak_.resize(kept);
  }

  Ref Get(size_t handle) const {
    if (handle < kExactHandles) return heap_.roots().exact[handle];
    const uintptr_t word = heap_.roots().ambiguous[handle - kExactHandles];
    return word == 0 ? nullptr : reinterpret_cast<Ref>(word - offset_[handle - kExactHandles]);
  }

  // An ambiguous handle points somewhere into the object.
  void Set(size_t handle, Ref object, Shadow* shadow) {
    shadow_[handle] = shadow;
    if (handle < kExactHandles) {
      heap_.roots().exact[handle] = object;
      return;
    }
    const size_t i = handle - kExactHandles;
    offset_[i] = object == nullptr ? 0 : random_.Below(ObjectBytes(object) - 7);
    heap_.roots().ambiguous[i] =
        object == nullptr ? 0 : reinterpret_cast<uintptr_t>(object) + offset_[i];
  }

  size_t Collections() const {
    const HeapStats stats = heap_.heap().stats();
    return stats.minor_collections + stats.major_collections;
  }

  void Compare() {
    compared_at_ = Collections();
    heap_.Verify();
    std::unordered_map<Shadow*, Ref> matched;
    std::vector<Shadow*> work;
    auto match = [&](Shadow* shadow, Ref object) {
      if ((shadow == nullptr) != (object == nullptr)) Fail("a reference is NIL in one of the two");
      if (shadow == nullptr) return;
      const auto [entry, fresh] = matched.emplace(shadow, object);
      if (entry->second != object) Fail("one object at two addresses");
      if (fresh) work.push_back(shadow);
    };
    for (size_t i = 0; i < kHandles; ++i) match(shadow_[i], Get(i));
    while (!work.empty()) {
      Shadow* shadow = work.back();
      work.pop_back();
      const Ref object = matched[shadow];
      if (ObjectHeader::Of(object)->type() != &kNodeType) Fail("wrong type");
      if (NodeId(object) != shadow->id) Fail("wrong identity");
      if (NodeEdgeCount(object) != shadow->edges.size()) Fail("wrong length");
      for (size_t i = 0; i < shadow->edges.size(); ++i) {
        match(shadow->edges[i], *NodeEdge(object, i));
      }
      ++compared_;
    }
    CompareWeak(matched);
  }

  void Fail(const char* text) {
    fprintf(stderr, "heap_fuzz: seed %lu step %zu: %s\n", seed_, step_, text);
    abort();
  }

  static constexpr size_t kMaxEdges = 100000;

  const uint64_t seed_;
  const size_t steps_;
  Random random_;
  mutable TestHeap heap_;
  std::unique_ptr<TestPersistentSpace> database_;
  std::vector<std::unique_ptr<Shadow>> shadows_;
  Shadow* shadow_[kHandles] = {};
  size_t offset_[kAmbiguousHandles] = {};
  std::vector<Weak> weak_;
  uint64_t last_id_ = 0;
  size_t live_edges_ = 0;
  size_t named_bytes_ = 0;
  size_t step_ = 0;
  size_t compared_ = 0;
  size_t compared_at_ = 0;
};

}  // namespace
}  // namespace tenure::gc

int main(int argc, char** argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  const uint64_t count = argc > 2 ? strtoull(argv[2], nullptr, 0) : 30;
  const size_t steps = argc > 3 ? strtoull(argv[3], nullptr, 0) : 3000;
  size_t compared = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    tenure::gc::Fuzzer fuzzer(seed, steps);
    fuzzer.Run();
    compared += fuzzer.compared();
  }
  if (compared == 0) {
    fprintf(stderr, "heap_fuzz: nothing was compared\n");
    return 1;
  }
  printf("heap_fuzz: %lu programs from seed %lu, %zu objects compared\n", count, first, compared);
  return 0;
}
