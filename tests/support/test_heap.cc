#include "tests/support/test_heap.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <unordered_set>

#include "base/check.h"
#include "gc/card_table.h"
#include "gc/object_visitor.h"

namespace tenure::gc {

using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using abi::TypeDescriptor;

namespace {

const abi::SlotRun kEdgeRun = {0, 1, 8, SlotKind::kReference};
const abi::SlotRun kPairRuns[] = {{8, 1, 8, SlotKind::kUntraced},
                                  {16, 1, 8, SlotKind::kReference},
                                  {24, 1, 8, SlotKind::kTransientReference}};
const abi::SlotRun kMatrixRun = {8, 1, 24, SlotKind::kReference};

constexpr TypeDescriptor MakeType(const char* name, uint32_t flags, uint32_t payload_bytes,
                                  uint32_t dimensions, uint32_t element_bytes,
                                  const abi::SlotRun* slots, uint32_t slot_count,
                                  const abi::SlotRun* elements, uint32_t element_count) {
  TypeDescriptor type = {};
  type.flags = flags;
  type.payload_bytes = payload_bytes;
  type.open_dimensions = dimensions;
  type.element_bytes = element_bytes;
  type.alignment = 8;
  type.slot_run_count = slot_count;
  type.element_run_count = element_count;
  type.slot_runs = slots;
  type.element_runs = elements;
  type.name = name;
  return type;
}

}  // namespace

alignas(abi::kDescriptorAlignment) constinit const TypeDescriptor kNodeType =
    MakeType("Test.Node", abi::kTypeOpenArray, 8, 1, 8, nullptr, 0, &kEdgeRun, 1);
alignas(abi::kDescriptorAlignment) constinit const TypeDescriptor kPairType = MakeType("Test.Pair",
                                                                                       0, 32, 0, 0,
                                                                                       kPairRuns, 3,
                                                                                       nullptr, 0);
alignas(abi::kDescriptorAlignment) constinit const TypeDescriptor kBytesType =
    MakeType("Test.Bytes", abi::kTypeOpenArray | abi::kTypePure, 0, 1, 1, nullptr, 0, nullptr, 0);
alignas(abi::kDescriptorAlignment) constinit const TypeDescriptor kMatrixType =
    MakeType("Test.Matrix", abi::kTypeOpenArray, 0, 2, 24, nullptr, 0, &kMatrixRun, 1);

uint64_t& NodeId(Ref node) { return *static_cast<uint64_t*>(node); }
size_t NodeEdgeCount(Ref node) { return static_cast<uint64_t*>(node)[1]; }
Ref* NodeEdge(Ref node, size_t i) {
  TN_CHECK(i < NodeEdgeCount(node));
  return static_cast<Ref*>(node) + 2 + i;
}
size_t NodePayloadBytes(size_t edges) { return 16 + 8 * edges; }

void StoreReference(Ref* slot, Ref value) {
  *slot = value;
  if (*CardTable::WatchedOf(value) != 0) CardTable::Mark(slot);
}

void TestRoots::StopWorld() {
  TN_CHECK(stopped == 0);
  ++stopped;
  ++stops;
}

void TestRoots::ResumeWorld() {
  --stopped;
  TN_CHECK(stopped == 0);
}

void TestRoots::VisitAmbiguousRoots(AmbiguousRootVisitor& visitor) {
  visitor.OfWaitingThread(waits);
  TN_CHECK(stopped == 1);
  visitor.VisitWords(ambiguous.data(), ambiguous.data() + ambiguous.size());
}

void TestRoots::VisitExactRoots(ExactRootVisitor& visitor) {
  TN_CHECK(stopped == 1);
  for (Ref& slot : exact) visitor.VisitSlot(&slot);
}

TestPersistentSpace::TestPersistentSpace(Heap& heap) : heap_(heap) {
  fd_ = memfd_create("test-frames", 0);
  TN_CHECK(fd_ >= 0 && ftruncate(fd_, kBytes) == 0);
  void* frames = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, fd_, 0);
  void* alias = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  TN_CHECK(frames != MAP_FAILED && alias != MAP_FAILED);
  frames_ = static_cast<char*>(frames);
  alias_ = static_cast<char*>(alias);
  TN_CHECK(CardTable::Cover(frames_, kBytes).ok());
  heap_.SetPersistentSpace(this);
}

TestPersistentSpace::~TestPersistentSpace() {
  heap_.SetPersistentSpace(nullptr);
  munmap(frames_, kBytes);
  munmap(alias_, kBytes);
  close(fd_);
}

Ref TestPersistentSpace::Displace(Ref object) {
  ObjectHeader* header = ObjectHeader::Of(object);
  TN_CHECK(!header->displaced());
  const size_t bytes = ObjectBytes(object);
  TN_CHECK(used_ + bytes <= kBytes);
  const Ref home = frames_ + used_ + abi::kHeaderBytes;
  reinterpret_cast<ObjectHeader*>(alias_ + used_)->word =
      ObjectHeader::ForFiller(static_cast<uint32_t>(bytes));
  used_ += bytes;
  header->word |= ObjectHeader::kDisplacedBit;
  homes_[object] = home;
  return home;
}

Ref* TestPersistentSpace::WriteAlias(Ref* slot) const {
  return reinterpret_cast<Ref*>(alias_ + (reinterpret_cast<char*>(slot) - frames_));
}

void TestPersistentSpace::Store(Ref* slot, Ref value) {
  *WriteAlias(slot) = value;
  if (*CardTable::WatchedOf(value) != 0) CardTable::Mark(slot);
}

void TestPersistentSpace::BeginCollection(CollectionKind) {
  TN_CHECK(!collecting_);
  collecting_ = true;
  ++collections_begun;
}

void TestPersistentSpace::EndCollection(CollectionKind) {
  TN_CHECK(collecting_);
  collecting_ = false;
  ++collections_ended;
}

// All of them are in the remembered set. In a minor collection only slots with dirty cards are
// visited.
void TestPersistentSpace::VisitRoots(CollectionKind kind, SlotVisitor& visitor) {
  TN_CHECK(collecting_);
  for (Ref& root : roots) visitor.VisitSlot(&root);
  for (size_t i = 0; i < at_home_.size(); ++i) {
    const Ref object = at_home_[i];
    const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
    abi::ForEachReference(type, object, [&](void** slot) {
      if (kind == CollectionKind::kMinor && !CardTable::IsDirty(slot)) return;
      visitor.VisitSlot(WriteAlias(slot));
    });
  }
}

void TestPersistentSpace::VisitDisplaced(CollectionKind kind, SlotVisitor& visitor) {
  TN_CHECK(collecting_);
  const std::map<Ref, Ref> table = homes_;  // visiting changes the table
  for (const auto& [place, home] : table) {
    if (kind == CollectionKind::kMinor && !heap_.IsYoung(place)) continue;
    Ref slot = place;
    visitor.VisitSlot(&slot);
    TN_CHECK(slot == place || slot == home);
  }
}

PersistentSpace::Home TestPersistentSpace::HomeOf(Ref object) {
  TN_CHECK(collecting_);
  TN_CHECK(homes_.count(object) != 0);
  if (held.count(object) != 0) return {nullptr, nullptr};
  const Ref home = homes_.at(object);
  if (forward_only) return {nullptr, home};
  return {alias_ + (static_cast<char*>(home) - frames_), home};
}

void TestPersistentSpace::WentHome(Ref place, Ref home) {
  TN_CHECK(homes_.at(place) == home);
  homes_.erase(place);
  if (!forward_only) at_home_.push_back(home);
}

size_t TestPersistentSpace::DisplacedBytes() const {
  size_t bytes = 0;
  for (const auto& [place, home] : homes_) {
    bytes += abi::kHeaderBytes + abi::PayloadBytes(*ObjectHeader::Of(place)->type(), place);
  }
  return bytes;
}

bool TestPersistentSpace::IsFrameAddress(const void* address) const {
  return address >= frames_ && address < frames_ + kBytes;
}

bool TestPersistentSpace::IsGoverned(const void* address) const {
  const uintptr_t page = reinterpret_cast<uintptr_t>(address) / abi::kPageBytes;
  auto first = homes_.lower_bound(reinterpret_cast<Ref>(page * abi::kPageBytes));
  return first != homes_.end() &&
         reinterpret_cast<uintptr_t>(first->first) / abi::kPageBytes == page;
}

void TestPersistentSpace::Protect(Ref object) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(object) / abi::kPageBytes * abi::kPageBytes;
  protected_page_ = reinterpret_cast<char*>(page);
  TN_CHECK(mprotect(protected_page_, abi::kPageBytes, PROT_READ) == 0);
}

void TestPersistentSpace::Unprotect() {
  TN_CHECK(mprotect(protected_page_, abi::kPageBytes, PROT_READ | PROT_WRITE) == 0);
  protected_page_ = nullptr;
}

void TestPersistentSpace::StoreWord(void* place, uint64_t word) {
  TN_CHECK(world == nullptr || world->stopped > 0);
  char* const at = static_cast<char*>(place);
  const bool is_protected =
      protected_page_ != nullptr && at >= protected_page_ && at < protected_page_ + abi::kPageBytes;
  if (is_protected)
    TN_CHECK(mprotect(protected_page_, abi::kPageBytes, PROT_READ | PROT_WRITE) == 0);
  memcpy(at, &word, sizeof word);
  if (is_protected) TN_CHECK(mprotect(protected_page_, abi::kPageBytes, PROT_READ) == 0);
}

HeapOptions TestHeap::SmallOptions() {
  HeapOptions options;
  options.max_heap_bytes = 64 << 20;
  options.nursery_bytes = 1 << 20;
  options.min_old_bytes = 8 << 20;
  return options;
}

TestHeap::TestHeap(const HeapOptions& options, Layout layout) : layout_(layout) {
  Result<std::unique_ptr<Heap>> heap = Heap::Create(options, roots_);
  TN_CHECK(heap.ok());
  heap_ = std::move(*heap);
  TN_CHECK(heap_->AddMutator(mutator_).ok());
}

TestHeap::~TestHeap() { heap_->RemoveMutator(mutator_); }

Ref TestHeap::Allocate(const TypeDescriptor& type, size_t payload_bytes, const int64_t* lengths) {
  const Ref object = Take(type, payload_bytes, lengths);
  // A stop leaves all pages walkable, and tests walk them without one.
  heap_->StopWorld();
  heap_->ResumeWorld();
  --roots_.stops;
  return object;
}

// Allocates as compiled code does.
Ref TestHeap::Take(const TypeDescriptor& type, size_t payload_bytes, const int64_t* lengths) {
  const size_t bytes =
      abi::kHeaderBytes + abi::RoundUpToGranule(std::max(payload_bytes, abi::kMinPayloadBytes));
  if (bytes > kLargeObjectBytes ||
      static_cast<size_t>(mutator_.allocation_limit - mutator_.allocation_pointer) < bytes) {
    Result<Ref> object = heap_->AllocateSlow(mutator_, type, payload_bytes, lengths);
    TN_CHECK(object.ok());
    return *object;
  }
  char* start = mutator_.allocation_pointer;
  reinterpret_cast<ObjectHeader*>(start)->word = ObjectHeader::ForType(&type);
  const Ref object = start + abi::kHeaderBytes;
  std::memset(object, 0, bytes - abi::kHeaderBytes);
  mutator_.allocation_pointer = start + bytes;
  for (uint32_t i = 0; lengths != nullptr && i < type.open_dimensions; ++i) {
    abi::OpenLengths(type, object)[i] = static_cast<uint64_t>(lengths[i]);
  }
  return object;
}

Ref TestHeap::MakeNode(const std::string& name, size_t edges) {
  const int64_t length = static_cast<int64_t>(edges);
  const Ref node = Allocate(kNodeType, NodePayloadBytes(edges), &length);
  names_.push_back(name);
  TN_CHECK(ids_.emplace(name, names_.size()).second);
  NodeId(node) = names_.size();
  if (layout_ == Layout::kPagePerObject) heap_->RetireBuffer(mutator_);
  return node;
}

void TestHeap::Build(const Graph& graph, size_t spare_edges) {
  // Exact roots while others are made.
  const size_t first = roots_.exact.size();
  for (const std::string& name : graph.names()) {
    roots_.exact.push_back(MakeNode(name, graph.EdgesOf(name).size() + spare_edges));
  }
  std::map<std::string, Ref> made;
  size_t next = first;
  for (const std::string& name : graph.names()) made[name] = roots_.exact[next++];
  for (const std::string& name : graph.names()) {
    const Graph::Edges& edges = graph.EdgesOf(name);
    for (size_t i = 0; i < edges.size(); ++i) {
      if (edges[i].empty()) continue;
      const Ref target = made.count(edges[i]) != 0 ? made.at(edges[i]) : Find(edges[i]);
      TN_CHECK(target != nullptr);
      StoreReference(NodeEdge(made.at(name), i), target);
    }
  }
  roots_.exact.resize(first);
}

void TestHeap::SetEdge(const std::string& from, size_t edge, const std::string& to) {
  const Ref target = to.empty() ? nullptr : Find(to);
  TN_CHECK(to.empty() || target != nullptr);
  StoreReference(NodeEdge(Find(from), edge), target);
}

void TestHeap::AddExactRoot(const std::string& name) {
  TN_CHECK(IsLive(name));
  roots_.exact.push_back(Find(name));
}

void TestHeap::AddAmbiguousRoot(const std::string& name, ptrdiff_t offset) {
  TN_CHECK(IsLive(name));
  roots_.ambiguous.push_back(reinterpret_cast<uintptr_t>(Find(name)) + static_cast<size_t>(offset));
}

void TestHeap::ClearRoots() {
  roots_.exact.clear();
  roots_.ambiguous.clear();
}

Ref TestHeap::Find(const std::string& name) const {
  const auto id = ids_.find(name);
  if (id == ids_.end()) return nullptr;
  Ref found = nullptr;
  heap_->ForEachPage([&](void* page, const PageDescriptor&) {
    heap_->ForEachObjectOnPage(page, [&](Ref object) {
      if (ObjectHeader::Of(object)->type() != &kNodeType || NodeId(object) != id->second) return;
      TN_CHECK(found == nullptr && "two copies of one object");
      found = object;
    });
  });
  return found;
}

Graph TestHeap::Read() const {
  Graph graph;
  std::vector<Ref> work(roots_.exact.begin(), roots_.exact.end());
  for (const uintptr_t word : roots_.ambiguous) {
    work.push_back(heap_->ObjectContaining(reinterpret_cast<void*>(word)));
  }
  auto name_of = [&](Ref node) {
    return node == nullptr ? std::string() : names_.at(NodeId(node) - 1);
  };
  std::unordered_set<Ref> seen;
  while (!work.empty()) {
    const Ref node = work.back();
    work.pop_back();
    if (node == nullptr || ObjectHeader::Of(node)->type() != &kNodeType) continue;
    if (!seen.insert(node).second) continue;
    Graph::Edges edges;
    for (size_t i = 0; i < NodeEdgeCount(node); ++i) {
      edges.push_back(name_of(*NodeEdge(node, i)));
      work.push_back(*NodeEdge(node, i));
    }
    graph.Add(name_of(node), edges);  // checks that a name is there once
  }
  return graph;
}

void TestHeap::AllocateGarbage(size_t bytes) {
  constexpr size_t kEach = 64;
  for (size_t done = 0; done < bytes; done += kEach) {
    const int64_t length = kEach - 16;
    Allocate(kBytesType, 8 + kEach - 16, &length);
  }
}

}  // namespace tenure::gc
