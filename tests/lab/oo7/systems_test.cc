#include "lab/oo7/systems.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lab/oo7/build.h"
#include "lab/oo7/configurations.h"
#include "lab/oo7/export.h"
#include "lab/oo7/operations.h"
#include "lab/oo7/pointer_heap.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::oo7 {
namespace {

using Qs = QuickStoreSystem<false>;
using QsB = QuickStoreSystem<true>;

template <class H>
std::string Exported(typename H::template Param<Library<H>> library) {
  std::string text;
  Exporter<H>::Export(library, [&](const std::string& line) { text += line + "\n"; });
  return text;
}

// A store of a small module with little text.
template <class S>
class StoreOf {
 public:
  using H = typename S::Heap;

  StoreOf() {
    SystemOptions options;
    options.pool_pages = 8192;
    S system(store_.server(), /*create=*/true, options);
    {
      const typename H::template Local<Library<H>> library = Builder<H>::Build(TheConfiguration());
      system.SetRoot(library);
    }
    system.Commit();
  }
  static Configuration TheConfiguration() {
    Configuration configuration;
    configuration.manual_size = 30000;
    return configuration;
  }
  static int64_t Perform(S& system, const char* operation) {
    const typename H::template Local<Library<H>> library = system.Root();
    return Operations<H>::Perform(OperationOf(operation), library,
                                  Operations<H>::ModuleAt(library, 0));
  }
  static std::string Export(S& system) {
    const typename H::template Local<Library<H>> library = system.Root();
    return Exported<H>(library);
  }
  store::PageServer& server() { return store_.server(); }

 private:
  LabStore store_{""};
};

template <class S>
class SystemTest : public ::testing::Test {
 protected:
  StoreOf<S> store_;
};
using Systems = ::testing::Types<Qs, QsB, EpvmSystem, ShoreSystem>;
TYPED_TEST_SUITE(SystemTest, Systems);

constexpr const char* kReading[] = {"T1", "T6", "T7", "T8", "T9", "T4", "Q5"};
constexpr const char* kAsking[] = {"Q1", "Q2", "Q3", "Q4", "Q7", "Q8"};
constexpr const char* kWriting[] = {"T2A", "T2B", "T2C", "T3A"};

// Also with a pool of 10 pages, which all pages leave again and again, changed or not.
TYPED_TEST(SystemTest, CountsAndGraphsAreThoseOfObjectsInMemory) {
  auto* const plain = Builder<PlainHeap>::Build(StoreOf<TypeParam>::TheConfiguration());
  for (const uint32_t pool_pages : {1536u, 10u}) {
    SystemOptions options;
    options.pool_pages = pool_pages;
    {
      TypeParam system(this->store_.server(), /*create=*/false, options);
      const auto compare = [&](const char* operation) {
        EXPECT_EQ(StoreOf<TypeParam>::Perform(system, operation),
                  Operations<PlainHeap>::Perform(OperationOf(operation), plain, plain->modules[0]))
            << operation << " with " << pool_pages << " pages";
      };
      for (const char* const operation : kReading) compare(operation);
      if constexpr (TypeParam::Heap::kQueries) {
        for (const char* const operation : kAsking) compare(operation);
      }
      for (const char* const operation : kWriting) compare(operation);
      EXPECT_TRUE(StoreOf<TypeParam>::Export(system) == Exported<PlainHeap>(plain));
      system.Commit();
    }
    TypeParam system(this->store_.server(), /*create=*/false, options);
    EXPECT_TRUE(StoreOf<TypeParam>::Export(system) == Exported<PlainHeap>(plain));
  }
}

TYPED_TEST(SystemTest, WhatIsNotCommittedIsNotThere) {
  std::string before;
  {
    TypeParam system(this->store_.server(), /*create=*/false, {});
    before = StoreOf<TypeParam>::Export(system);
    EXPECT_EQ(StoreOf<TypeParam>::Perform(system, "T2B"), 43740);
    EXPECT_FALSE(StoreOf<TypeParam>::Export(system) == before);
  }
  TypeParam system(this->store_.server(), /*create=*/false, {});
  EXPECT_TRUE(StoreOf<TypeParam>::Export(system) == before);
}

TEST(ConfigurationTest, CountsOfTheBigModuleAndOfSeveralModules) {
  Configuration configuration;
  ASSERT_TRUE(ConfigurationNamed("big", &configuration));
  auto* const big = Builder<PlainHeap>::Build(configuration);
  using O = Operations<PlainHeap>;
  EXPECT_EQ(O::Perform(kT1, big, big->modules[0]), 131220);
  EXPECT_EQ(O::Perform(kT6, big, big->modules[0]), 6561);
  EXPECT_EQ(O::Perform(kT2A, big, big->modules[0]), 6561);
  EXPECT_EQ(O::Perform(kT2B, big, big->modules[0]), 131220);
  EXPECT_EQ(O::Perform(kT2C, big, big->modules[0]), 524880);
  ASSERT_TRUE(ConfigurationNamed("small-x5", &configuration));
  auto* const five = Builder<PlainHeap>::Build(configuration);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(O::Perform(kT2C, five, five->modules[i]), 174960);
  for (const char* const wrong : {"small-x", "small-x0", "large", ""}) {
    EXPECT_FALSE(ConfigurationNamed(wrong, &configuration)) << wrong;
  }
}

TEST(PaperStyleTest, SetsAndIteratorsDoNotChangeTheCounts) {
  auto* const plain = Builder<PlainHeap>::Build({});
  using O = Operations<PlainHeap, PaperStyle<true, true>>;
  EXPECT_EQ(O::Perform(kT1, plain, plain->modules[0]), 43740);
  EXPECT_EQ(O::Perform(kT2C, plain, plain->modules[0]), 174960);
  EXPECT_EQ(O::Perform(kT6, plain, plain->modules[0]), 2187);
}

// ---- QuickStore

template <class T, class U>
constexpr bool kAsLarge = sizeof(T) == sizeof(U);

TEST(QuickStoreTest, ObjectsOfQsBAreAsLargeAsThoseOfE) {
  using B = QsB::Heap;
  using E = EpvmSystem::Heap;
  EXPECT_TRUE((kAsLarge<AtomicPart<B>, AtomicPart<E>>));
  EXPECT_TRUE((kAsLarge<Connection<B>, Connection<E>>));
  EXPECT_TRUE((kAsLarge<CompositePart<B>, CompositePart<E>>));
  EXPECT_TRUE((kAsLarge<Document<B>, Document<E>>));
  EXPECT_TRUE((kAsLarge<BaseAssembly<B>, BaseAssembly<E>>));
  EXPECT_TRUE((kAsLarge<ComplexAssembly<B>, ComplexAssembly<E>>));
  EXPECT_TRUE((kAsLarge<Module<B>, Module<E>>));
  EXPECT_FALSE((kAsLarge<Connection<Qs::Heap>, Connection<E>>));
}

struct Relocation {
  uint64_t relocated, pages, pointers;
  friend bool operator==(const Relocation&, const Relocation&) = default;
};

Relocation TraverseRelocated(store::PageServer& server, uint32_t percent, bool once) {
  quickstore::QuickStore client(server, /*create=*/false,
                                {.relocate_percent = percent, .relocate_once = once});
  using H = Qs::Heap;
  auto* const library = static_cast<Library<H>*>(client.Root());
  EXPECT_EQ(Operations<H>::Perform(kT1, library, Operations<H>::ModuleAt(library, 0)), 43740);
  const quickstore::Counters& c = client.counters();
  EXPECT_EQ(c.read_faults, client.pool_counters().data_reads);
  const Relocation relocation = {c.relocated, c.pages_patched, c.pointers_patched};
  client.Commit();
  EXPECT_EQ(client.pool_counters().pages_written == 0, !once || c.pages_patched == 0);
  return relocation;
}

TEST(QuickStoreTest, RelocatedPagesArePatchedEachTimeOrWrittenOnce) {
  StoreOf<Qs> store;
  uint64_t before = 0;
  for (const uint32_t percent : {0u, 5u, 20u, 50u, 100u}) {
    const Relocation relocation = TraverseRelocated(store.server(), percent, false);
    EXPECT_EQ(relocation.pointers > before, percent > 0);
    before = relocation.pointers;
    EXPECT_EQ(TraverseRelocated(store.server(), percent, false), relocation);
  }
  EXPECT_EQ(TraverseRelocated(store.server(), 0, true), (Relocation{0, 0, 0}));
  EXPECT_GT(TraverseRelocated(store.server(), 50, true).pointers, 0u);
  EXPECT_EQ(TraverseRelocated(store.server(), 50, true), (Relocation{0, 0, 0}));
  Qs system(store.server(), /*create=*/false, {});
  auto* const plain = Builder<PlainHeap>::Build(StoreOf<Qs>::TheConfiguration());
  EXPECT_TRUE(StoreOf<Qs>::Export(system) == Exported<PlainHeap>(plain));
}

// The changed page is written with the pointers that it has in memory.
TEST(QuickStoreTest, ARelocatedPageMayBeChanged) {
  StoreOf<Qs> store;
  std::string changed;
  {
    Qs system(store.server(), /*create=*/false, {.relocate_percent = 50});
    EXPECT_EQ(StoreOf<Qs>::Perform(system, "T2A"), 2187);
    changed = StoreOf<Qs>::Export(system);
    system.Commit();
  }
  Qs system(store.server(), /*create=*/false, {});
  EXPECT_TRUE(StoreOf<Qs>::Export(system) == changed);
}

// ---- E

TEST(EpvmTest, VariablesAreUnswizzledWhenTheirPagesLeaveThePool) {
  StoreOf<EpvmSystem> store;
  epvm::Epvm client(store.server(), /*create=*/false, {.pool_pages = 10});
  using H = EpvmSystem::Heap;
  {
    const H::Local<Library<H>> library(client.Root());
    EXPECT_EQ(Operations<H>::Perform(kT1, library, Operations<H>::ModuleAt(library, 0)), 43740);
  }
  EXPECT_GT(client.counters().unswizzled, 0u);
}

TEST(EpvmTest, AnObjectThatIsGoneIsNotMistakenForAnother) {
  StoreOf<EpvmSystem> store;
  epvm::Epvm client(store.server(), /*create=*/false, {});
  epvm::Oid oid = client.Root();
  ++oid.unique;
  EXPECT_EXIT(
      {
        const EpvmSystem::Heap::Local<Library<EpvmSystem::Heap>> gone(oid);
        (void)gone->next_composite;
      },
      ::testing::ExitedWithCode(1), "whose object is gone");
}

TEST(EpvmTest, EachObjectIsLoggedWholeOnce) {
  StoreOf<EpvmSystem> store;
  epvm::Epvm client(store.server(), /*create=*/false, {});
  using H = EpvmSystem::Heap;
  {
    const H::Local<Library<H>> library(client.Root());
    EXPECT_EQ(Operations<H>::Perform(kT2C, library, Operations<H>::ModuleAt(library, 0)), 174960);
  }
  client.Commit();
  // Two stores an update, and one in the module.
  EXPECT_EQ(client.counters().updates, 2 * 174960u + 1);
  EXPECT_EQ(client.counters().log.records, client.counters().copied);
  const uint64_t parts = client.counters().copied - 1;
  const uint64_t bytes = (sizeof(AtomicPart<H>) + 7) / 8 * 8;
  EXPECT_EQ(client.counters().log.bytes, parts * (esm::kLogHeaderBytes + 2 * bytes) +
                                             esm::kLogHeaderBytes + 2 * sizeof(Module<H>));
}

}  // namespace
}  // namespace tenure::lab::oo7
