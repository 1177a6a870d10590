// Allocation, buffers, large objects, memory limits, mutators, stress mode, queries.
#include "gc/heap.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <thread>

#include "base/sanitizers.h"
#include "gc/card_table.h"
#include "gc/object_visitor.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

bool IsZero(Ref object, size_t from, size_t bytes) {
  for (size_t i = from; i < bytes; ++i) {
    if (static_cast<char*>(object)[i] != 0) return false;
  }
  return true;
}

TEST(HeapTest, ObjectsAreZeroedAndFollowEachOther) {
  TestHeap heap;
  // Dirty the memory first.
  for (int round = 0; round < 3; ++round) {
    Ref previous = nullptr;
    for (int i = 0; i < 20000; ++i) {
      const Ref object = heap.Allocate(kPairType, 32);
      ASSERT_EQ(ObjectHeader::Of(object)->word, ObjectHeader::ForType(&kPairType));
      ASSERT_TRUE(IsZero(object, 0, 32));
      if (previous != nullptr &&
          reinterpret_cast<uintptr_t>(object) % abi::kPageBytes != abi::kHeaderBytes) {
        ASSERT_EQ(static_cast<char*>(object) - static_cast<char*>(previous), 40);
      }
      previous = object;
      static_cast<uint64_t*>(object)[1] = ~uint64_t{0};
    }
    heap.CollectMinor();
  }
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST(HeapTest, NurseryOverflowCollects) {
  TestHeap heap;
  heap.AllocateGarbage(20 << 20);
  const HeapStats stats = heap.heap().stats();
  EXPECT_GE(stats.minor_collections, 15u);
  EXPECT_LE(stats.minor_collections, 25u);
  EXPECT_LE(stats.peak_heap_bytes, (1u << 20) + 64 * abi::kPageBytes);
  EXPECT_EQ(static_cast<uint64_t>(heap.roots().stops),
            stats.minor_collections + stats.major_collections);
}

class OldGrowthTest : public testing::TestWithParam<bool> {};

TEST_P(OldGrowthTest, LeadsToACollectionOfTheOldGeneration) {
  HeapOptions options = TestHeap::SmallOptions();
  options.incremental = GetParam();
  TestHeap heap(options);
  // 60 MB of cells in lists of 5 MB, of which only the newest is reachable.
  heap.roots().exact.push_back(nullptr);
  for (int i = 0; i < 600000; ++i) {
    const int64_t edges = 10;
    const Ref node = heap.Allocate(kNodeType, NodePayloadBytes(10), &edges);
    *NodeEdge(node, 0) = i % 50000 == 0 ? nullptr : heap.roots().exact[0];
    heap.roots().exact[0] = node;
  }
  const HeapStats stats = heap.heap().stats();
  if (options.incremental) {
    EXPECT_GE(stats.old_collections, 2u);
    // Slices are limited by time: under a sanitizer they do less work.
    EXPECT_LE(stats.major_collections, kThreadSanitizer ? 2u : 0u);
  } else {
    EXPECT_GE(stats.major_collections, 1u);
    EXPECT_EQ(stats.old_collections, 0u);
  }
  EXPECT_LE(stats.peak_heap_bytes, 24u << 20);
  heap.Verify();
}

INSTANTIATE_TEST_SUITE_P(InSlicesOrNot, OldGrowthTest, testing::Bool());

TEST(HeapTest, MediumObjectsDoNotWasteTheBuffer) {
  TestHeap heap;
  const int64_t small = 16, medium = 3000;
  size_t bytes = 0;
  for (int i = 0; i < 200; ++i) {
    for (int j = 0; j < 10; ++j) heap.Allocate(kBytesType, 8 + 16, &small);
    heap.Allocate(kBytesType, 8 + 3000, &medium);
    bytes += 10 * 32 + 3016;
  }
  EXPECT_LE(heap.heap().HeapBytes(), bytes * 3 / 2);
  heap.Verify();
}

bool HasPagesOfItsOwn(TestHeap& heap, const void* object) {
  return heap.heap().PageOf(object)->kind != PageKind::kObjects;
}

TEST(HeapTest, EverySizeUpToSeveralPages) {
  TestHeap heap;
  for (int64_t length = 0; length < 40000; length += length < 100 ? 1 : 331) {
    const size_t payload = 8 + static_cast<size_t>(length);
    const Ref object = heap.Allocate(kBytesType, payload, &length);
    ASSERT_TRUE(IsZero(object, 8, payload));
    memset(static_cast<char*>(object) + 8, 0xff, static_cast<size_t>(length));
    const bool large = abi::RoundUpToGranule(payload) + 8 > kLargeObjectBytes;
    ASSERT_EQ(HasPagesOfItsOwn(heap, object), large) << length;
    ASSERT_EQ(heap.heap().ObjectContaining(static_cast<char*>(object) + payload - 1), object);
    ASSERT_EQ(heap.heap().ObjectContaining(static_cast<char*>(object) - 8), object);
  }
  heap.Verify();
  heap.CollectMinor();
  heap.Verify();
}

class LargeObjectTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  static constexpr size_t kEdges = 5000;
  TestHeap heap;
};

TEST_F(LargeObjectTest, StaysWhereItIsAndGrowsOld) {
  heap.MakeNode("large", kEdges);
  heap.MakeNode("target", 0);
  heap.SetEdge("large", kEdges - 1, "target");
  heap.AddExactRoot("large");
  const Ref large = heap.Find("large");
  EXPECT_TRUE(HasPagesOfItsOwn(heap, large));
  EXPECT_EQ(heap.heap().PagesOf(large).bytes, 5 * abi::kPageBytes);
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsYoung("large"));
  heap.CollectMinor();
  EXPECT_TRUE(heap.IsOld("large"));
  heap.CollectMajor();
  EXPECT_EQ(heap.Find("large"), large);
  EXPECT_EQ(*NodeEdge(large, kEdges - 1), heap.Find("target"));
  heap.ClearRoots();
  heap.CollectMajor();
  EXPECT_EQ(heap.heap().HeapBytes(), 0u);
}

TEST_F(LargeObjectTest, OldOneFindsItsYoungTargetsByCards) {
  heap.MakeNode("large", kEdges);
  heap.AddExactRoot("large");
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsOld("large"));
  const Ref large = heap.Find("large");
  for (const size_t edge :
       {size_t{0}, size_t{61}, size_t{62}, size_t{63}, kEdges / 2, kEdges - 1}) {
    const std::string name = "t" + std::to_string(edge);
    heap.MakeNode(name, 0);
    heap.SetEdge("large", edge, name);
  }
  heap.CollectMinor();
  heap.Verify();
  const uint64_t scanned = heap.heap().stats().cards_scanned;
  EXPECT_LE(scanned, 6u);
  heap.CollectMinor();
  for (const size_t edge :
       {size_t{0}, size_t{61}, size_t{62}, size_t{63}, kEdges / 2, kEdges - 1}) {
    EXPECT_EQ(*NodeEdge(large, edge), heap.Find("t" + std::to_string(edge)));
  }
}

TEST_F(LargeObjectTest, InteriorWordsKeepIt) {
  heap.MakeNode("large", kEdges);
  for (const ptrdiff_t offset : {ptrdiff_t{-8}, ptrdiff_t{20000}, ptrdiff_t{16 + 8 * kEdges}}) {
    heap.ClearRoots();
    heap.AddAmbiguousRoot("large", offset);
    heap.CollectMinor();
    ASSERT_TRUE(heap.IsLive("large")) << offset;
    heap.CollectMajor();
    ASSERT_TRUE(heap.IsLive("large")) << offset;
  }
}

TEST_F(LargeObjectTest, PagesAreUsedAgain) {
  for (int i = 0; i < 2000; ++i) heap.Allocate(kBytesType, 100000);
  EXPECT_LE(heap.heap().stats().peak_heap_bytes, 4u << 20);
}

TEST_F(LargeObjectTest, MemoryIsReturnedToTheSystem) {
  heap.MakeNode("large", (40 << 20) / 8);
  heap.AddExactRoot("large");
  EXPECT_GE(heap.heap().stats().resident_bytes, 40u << 20);
  heap.ClearRoots();
  heap.CollectMajor();
  EXPECT_LE(heap.heap().stats().resident_bytes, 16u << 20);
  // The page is zero when it is used again.
  const int64_t length = 40 << 20;
  const Ref object = heap.Allocate(kBytesType, 8 + (40 << 20), &length);
  EXPECT_TRUE(IsZero(object, 8, 40 << 20));
}

class OutOfMemoryTest : public ::testing::Test {
 protected:
  static HeapOptions Options() {
    HeapOptions options = TestHeap::SmallOptions();
    options.max_heap_bytes = 4 << 20;
    return options;
  }
  TestHeap heap{Options()};
};

TEST_F(OutOfMemoryTest, IsAStatusAndTheHeapStaysUsable) {
  heap.roots().exact.push_back(nullptr);
  const int64_t edges = 10;
  size_t made = 0;
  Status failure;
  while (failure.ok()) {
    Result<Ref> node =
        heap.heap().AllocateSlow(heap.mutator(), kNodeType, NodePayloadBytes(10), &edges);
    if (!node.ok()) {
      failure = node.status();
      break;
    }
    *NodeEdge(*node, 0) = heap.roots().exact[0];
    heap.roots().exact[0] = *node;
    ++made;
  }
  EXPECT_EQ(failure.code(), StatusCode::kNoMemory);
  // Nearly all of the memory held live objects.
  EXPECT_GE(made * (NodePayloadBytes(10) + 8), size_t{7} << 19);
  EXPECT_LE(heap.heap().stats().peak_heap_bytes, 4u << 20);
  heap.Verify();
  size_t length = 0;
  for (Ref node = heap.roots().exact[0]; node != nullptr; node = *NodeEdge(node, 0)) ++length;
  EXPECT_EQ(length, made);

  heap.ClearRoots();
  heap.AllocateGarbage(20 << 20);
  heap.Verify();
}

TEST_F(OutOfMemoryTest, ObjectLargerThanTheHeap) {
  for (const size_t bytes : {size_t{5} << 20, size_t{1} << 40, ~size_t{0}, ~size_t{0} - 7}) {
    Result<Ref> object = heap.heap().AllocateSlow(heap.mutator(), kBytesType, bytes);
    ASSERT_FALSE(object.ok());
    EXPECT_EQ(object.status().code(), StatusCode::kNoMemory);
  }
  heap.AllocateGarbage(10 << 20);
}

TEST_F(OutOfMemoryTest, LiveDataWithoutRoomForCopiesIsCollectedInPlace) {
  // 3 of 4 MB are live: there is no room to copy everything.
  Graph graph = Graph::MakeList(24000);
  heap.Build(graph, 13);
  heap.AddExactRoot("n0");
  for (int i = 0; i < 3; ++i) {
    heap.CollectMajor();
    heap.Verify();
  }
  EXPECT_GT(heap.heap().stats().evacuations_failed, 0u);
  size_t length = 0;
  for (Ref node = heap.roots().exact[0]; node != nullptr; node = *NodeEdge(node, 0)) ++length;
  EXPECT_EQ(length, 24000u);
  heap.AllocateGarbage(10 << 20);
  heap.Verify();
}

TEST(HeapTest, BadOptionsAreRefused) {
  TestRoots roots;
  HeapOptions options;
  options.promotion_age = 0;
  EXPECT_EQ(Heap::Create(options, roots).status().code(), StatusCode::kInvalidArgument);
  options = HeapOptions();
  options.max_heap_bytes = 1000;
  EXPECT_EQ(Heap::Create(options, roots).status().code(), StatusCode::kInvalidArgument);
  options = HeapOptions();
  options.reserve_bytes = size_t{1} << 50;
  EXPECT_EQ(Heap::Create(options, roots).status().code(), StatusCode::kNoMemory);
}

TEST(HeapTest, SeveralMutatorsHaveBuffersOfTheirOwn) {
  TestHeap heap;
  abi::MutatorState second = {};
  ASSERT_TRUE(heap.heap().AddMutator(second).ok());
  EXPECT_EQ(heap.heap().AddMutator(second).code(), StatusCode::kExists);
  const Ref a = heap.Allocate(kPairType, 32);
  Result<Ref> b = heap.heap().AllocateSlow(second, kPairType, 32);
  ASSERT_TRUE(b.ok());
  EXPECT_NE(heap.heap().PagesOf(a).begin, heap.heap().PagesOf(*b).begin);
  EXPECT_NE(second.allocation_pointer, nullptr);
  heap.Verify();
  heap.roots().exact.push_back(*b);
  heap.CollectMinor();
  EXPECT_EQ(second.allocation_pointer, nullptr);
  EXPECT_EQ(second.allocation_limit, nullptr);
  EXPECT_EQ(heap.mutator().allocation_pointer, nullptr);
  ASSERT_TRUE(heap.heap().AllocateSlow(second, kPairType, 32).ok());
  heap.heap().RemoveMutator(second);
  heap.Verify();
}

// Threads that allocate and keep lists. The world is stopped the cooperative way: threads come to a
// stop before an allocation.
class CooperativeRoots final : public RootSource {
 public:
  struct Thread {
    Ref list = nullptr;
  };

  std::mutex lock;
  std::condition_variable changed;
  int running = 0;
  bool stopping = false;
  std::vector<Thread*> threads;

  void Enter() {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [&] { return !stopping; });
    ++running;
  }
  void Leave() {
    std::lock_guard<std::mutex> guard(lock);
    --running;
    changed.notify_all();
  }
  void StopWorld() override {
    std::unique_lock<std::mutex> guard(lock);
    stopping = true;
    changed.wait(guard, [&] { return running == 0; });
  }
  void ResumeWorld() override {
    std::lock_guard<std::mutex> guard(lock);
    stopping = false;
    changed.notify_all();
  }
  void VisitAmbiguousRoots(AmbiguousRootVisitor&) override {}
  void VisitExactRoots(ExactRootVisitor& visitor) override {
    for (Thread* thread : threads) visitor.VisitSlot(&thread->list);
  }
};

TEST(HeapTest, ThreadsAllocateAtOnce) {
  CooperativeRoots roots;
  Result<std::unique_ptr<Heap>> heap = Heap::Create(TestHeap::SmallOptions(), roots);
  ASSERT_TRUE(heap.ok());
  constexpr int kThreads = 4, kNodes = 20000;
  CooperativeRoots::Thread states[kThreads];
  for (auto& state : states) roots.threads.push_back(&state);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      abi::MutatorState mutator = {};
      TN_CHECK((*heap)->AddMutator(mutator).ok());
      CooperativeRoots::Thread& self = states[t];
      for (int i = 0; i < kNodes; ++i) {
        // In AllocateSlow this thread counts as stopped, so other threads may collect before the
        // returned object is in a root: this object is dropped. AllocateSlow also leaves a buffer,
        // from which the next object is taken while the thread runs.
        const int64_t edges = 2;
        TN_CHECK((*heap)->AllocateSlow(mutator, kNodeType, NodePayloadBytes(2), &edges).ok());
        roots.Enter();
        char* place = mutator.allocation_pointer;
        if (static_cast<size_t>(mutator.allocation_limit - place) >= 40) {
          mutator.allocation_pointer += 40;
          reinterpret_cast<ObjectHeader*>(place)->word = ObjectHeader::ForType(&kNodeType);
          const Ref mine = place + 8;
          std::memset(mine, 0, 32);
          static_cast<uint64_t*>(mine)[1] = 2;
          NodeId(mine) = static_cast<uint64_t>(t);
          StoreReference(NodeEdge(mine, 0), i % 500 == 0 ? nullptr : self.list);
          self.list = mine;
        }
        roots.Leave();
      }
      (*heap)->RemoveMutator(mutator);
    });
  }
  for (std::thread& thread : threads) thread.join();
  (*heap)->Verify();
  for (int t = 0; t < kThreads; ++t) {
    for (Ref node = states[t].list; node != nullptr; node = *NodeEdge(node, 0)) {
      wrong += NodeId(node) != static_cast<uint64_t>(t);
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT((*heap)->stats().minor_collections, 2u);
}

TEST(StressTest, EveryAllocationCollectsAndMovesEverything) {
  HeapOptions options = TestHeap::SmallOptions();
  options.stress_interval = 1;
  options.paranoid = true;
  TestHeap heap(options);
  heap.MakeNode("a", 1);
  heap.AddExactRoot("a");
  Ref last = heap.Find("a");
  for (int i = 0; i < 50; ++i) {
    heap.Allocate(kPairType, 32);
    EXPECT_EQ(heap.mutator().allocation_pointer, nullptr);
    EXPECT_EQ(heap.mutator().allocation_limit, nullptr);
    const bool was_young = heap.heap().IsYoung(last);
    const Ref now = heap.roots().exact[0];
    if (was_young) {
      EXPECT_NE(now, last);
    }
    last = now;
  }
  const HeapStats stats = heap.heap().stats();
  EXPECT_EQ(stats.minor_collections + stats.major_collections, 51u);
  EXPECT_GT(stats.major_collections, 4u);
}

TEST(StressTest, IntervalCountsAllocations) {
  HeapOptions options = TestHeap::SmallOptions();
  options.stress_interval = 10;
  TestHeap heap(options);
  for (int i = 0; i < 100; ++i) heap.Allocate(kPairType, 32);
  EXPECT_EQ(heap.heap().stats().minor_collections + heap.heap().stats().major_collections, 10u);
}

TEST(StressDeathTest, StalePointerTraps) {
  HeapOptions options = TestHeap::SmallOptions();
  options.stress_interval = 1;
  TestHeap heap(options);
  heap.MakeNode("a", 0);
  heap.AddExactRoot("a");
  volatile uint64_t* stale = static_cast<uint64_t*>(heap.Find("a"));
  heap.Allocate(kPairType, 32);
  ASSERT_NE(heap.Find("a"), stale);
  EXPECT_DEATH(*stale, "");
}

TEST(StressTest, PoisonsWhatIsFreedBesidePinnedObjects) {
  HeapOptions options = TestHeap::SmallOptions();
  options.stress_interval = 1000;
  TestHeap heap(options);
  heap.Build({{"a", {}}, {"b", {}}, {"c", {}}});
  heap.AddAmbiguousRoot("b");
  const Ref a = heap.Find("a");
  heap.CollectMinor();
  EXPECT_EQ(NodeId(a), 0xdbdbdbdbdbdbdbdbu);
  heap.Verify();
}

TEST(StressTest, QuarantineEndsAndPagesComeBack) {
  HeapOptions options = TestHeap::SmallOptions();
  options.max_heap_bytes = 2 << 20;
  options.stress_interval = 7;
  TestHeap heap(options);
  heap.Build(Graph::MakeList(20));
  heap.AddExactRoot("n0");
  for (int i = 0; i < 30000; ++i) heap.Allocate(kPairType, 32);
  heap.Verify();
  EXPECT_EQ(heap.Read(), Graph::MakeList(20));
}

TEST(HeapTest, DisabledCollectionsNest) {
  TestHeap heap;
  heap.heap().DisableCollections();
  heap.heap().DisableCollections();
  heap.MakeNode("garbage", 0);
  heap.AllocateGarbage(3 << 20);
  heap.heap().EnableCollections();
  heap.CollectMajor();
  EXPECT_TRUE(heap.IsLive("garbage"));
  EXPECT_EQ(heap.heap().stats().major_collections + heap.heap().stats().minor_collections, 0u);
  heap.heap().EnableCollections();
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("garbage"));
}

TEST(HeapTest, QuestionsAboutAddresses) {
  TestHeap heap;
  static uint64_t literal[2];
  heap.MakeNode("a", 2);
  const Ref a = heap.Find("a");
  EXPECT_TRUE(heap.heap().Contains(a));
  EXPECT_FALSE(heap.heap().Contains(literal));
  EXPECT_FALSE(heap.heap().Contains(nullptr));
  EXPECT_TRUE(heap.heap().IsYoung(a));
  EXPECT_FALSE(heap.heap().IsOld(a));
  EXPECT_FALSE(heap.heap().IsYoung(literal));
  EXPECT_FALSE(heap.heap().IsOld(nullptr));
  EXPECT_EQ(heap.heap().PageOf(literal), nullptr);
  ASSERT_NE(heap.heap().PageOf(a), nullptr);
  EXPECT_EQ(heap.heap().PageOf(a)->kind, PageKind::kObjects);
  char* page = static_cast<char*>(heap.heap().PagesOf(a).begin);
  EXPECT_EQ(heap.heap().PagesOf(a).bytes, abi::kPageBytes);
  EXPECT_EQ(heap.heap().ObjectContaining(page), a);
  EXPECT_EQ(heap.heap().ObjectContaining(page + 39), a);
  EXPECT_EQ(heap.heap().ObjectContaining(page + 40), nullptr);  // the buffer's free part
  EXPECT_EQ(heap.heap().ObjectContaining(page + 5 * abi::kPageBytes), nullptr);
}

TEST(HeapTest, ObjectsOfAPageInOrder) {
  TestHeap heap;
  const Ref a = heap.MakeNode("a", 2);
  const Ref b = heap.Allocate(kPairType, 32);
  const Ref c = heap.MakeNode("c", 0);
  std::vector<Ref> seen;
  heap.heap().ForEachObjectOnPage(b, [&](Ref object) { seen.push_back(object); });
  EXPECT_EQ(seen, (std::vector<Ref>{a, b, c}));
}

TEST(HeapTest, StatisticsAddUp) {
  TestHeap heap;
  heap.Build(Graph::MakeList(100));
  heap.AddExactRoot("n0");
  heap.MakeNode("large", 2000);
  heap.AddExactRoot("large");
  heap.CollectMajor();
  heap.AllocateGarbage(100);
  const HeapStats stats = heap.heap().stats();
  EXPECT_EQ(stats.major_collections, 1u);
  EXPECT_EQ(stats.objects_copied, 100u);
  EXPECT_EQ(stats.bytes_copied, 100u * 32);
  EXPECT_EQ(stats.large_bytes, 2 * abi::kPageBytes);
  EXPECT_EQ(stats.old_bytes, 3 * abi::kPageBytes);
  EXPECT_EQ(stats.young_bytes, abi::kPageBytes);
  EXPECT_EQ(stats.heap_bytes, heap.heap().HeapBytes());
  EXPECT_EQ(stats.heap_bytes, stats.old_bytes + stats.young_bytes);
  EXPECT_GE(stats.pause_us_max, stats.pause_us_p99);
  EXPECT_GE(stats.pause_us_p99, stats.pause_us_p50);
}

// In a child process with 4 GB of addresses, or 512 MB of private memory, the card table comes in
// pieces, and all works.
TEST(HeapTest, RunsUnderALimitOnAddressesOrPrivateMemory) {
  if (kAddressSanitizer || kThreadSanitizer)
    GTEST_SKIP() << "the sanitizer itself needs more addresses";
  for (const bool addresses : {true, false}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // This process may already have the whole table, so run a new program.
      const rlim_t bytes = addresses ? rlim_t{4} << 30 : rlim_t{512} << 20;
      const rlimit limit = {bytes, bytes};
      setrlimit(addresses ? RLIMIT_AS : RLIMIT_DATA, &limit);
      execl("/proc/self/exe", "gc_tests", "--gtest_filter=*PiecesChild*",
            "--gtest_also_run_disabled_tests", "--gtest_brief=1", nullptr);
      _exit(99);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << addresses << " " << status;
  }
}

// Run by the test above, in its child.
TEST(HeapTest, DISABLED_PiecesChild) {
  HeapOptions options;
  options.nursery_bytes = 1 << 20;
  TestHeap heap(options);
  ASSERT_FALSE(CardTable::is_whole());
  heap.Build(Graph::MakeList(1000));
  heap.AddExactRoot("n0");
  heap.AllocateGarbage(10 << 20);
  // A store to a variable marks a card as well.
  static Ref global;
  Ref local;
  StoreReference(&global, nullptr);
  StoreReference(&local, nullptr);
  heap.CollectMajor();
  heap.Verify();
  EXPECT_EQ(heap.Read(), Graph::MakeList(1000));
}

}  // namespace
}  // namespace tenure::gc
