// Interactions of the collector, the transaction and the store: cases that failed once or easily
// could. The random test (session_random_test.cc) covers the ordinary ones.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/linked_faults.h"
#include "store/server/verifier.h"
#include "tests/support/session_world.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using testing::CellPayloadBytes;
using testing::SessionWorld;
using testing::SlotOf;
using testing::WordOf;

class SessionGc : public ::testing::TestWithParam<FaultTier> {
 protected:
  // A store in memory makes the same checks as one on disk.
  SessionGc() : world(GetParam(), PageServerKind::kMemory) {}
  void SetUp() override {
    if (GetParam() == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    Make({});
  }
  void Make(FailPoint fail, ProgramTypes types = testing::kPersistentTypes,
            const abi::ProgramInfo* program = nullptr) {
    world.Start(fail, types, program);
    name_ = "db" + std::to_string(++databases_);
    world.Create(name_);
    world.Open(name_);
  }
  // The same database in another process.
  void Restart(ProgramTypes types = testing::kPersistentTypes,
               const abi::ProgramInfo* program = nullptr) {
    world.Start({}, types, program);
    world.Open(name_);
  }
  void CommitRoot(Ref root) {
    const uint64_t transaction = world.Begin();
    world.SetRoot(root);
    world.Commit(transaction);
  }

  SessionWorld world;

 private:
  int databases_ = 0;
  std::string name_;
};

TEST_P(SessionGc, RestoredReferenceToAYoungObjectIsSeenByTheNextMinorCollection) {
  // An old displaced object, held by a pin.
  const Ref old = world.NewCell(1, 2);
  world.Pin(old);
  CommitRoot(old);
  for (int i = 0; i < 5; ++i) world.CollectMajor();
  ASSERT_TRUE(world.heap->heap().IsOld(old));
  // The old object refers to a young one, which is also displaced.
  const Ref young = world.NewCell(2, 0);
  world.Pin(young);
  uint64_t transaction = world.Begin();
  world.SetEdge(old, 0, young);
  world.Commit(transaction);

  transaction = world.Begin();
  world.SetEdge(old, 0, nullptr);
  world.CollectMinor();  // cleans the card
  ASSERT_TRUE(world.heap->heap().IsYoung(young));
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  world.heap->Verify();
  world.heap->roots().ambiguous.pop_back();
  world.CollectMinor();  // young goes home
  transaction = world.Begin();
  ASSERT_NE(world.Edge(old, 0), nullptr);
  EXPECT_TRUE(world.database->Contains(world.Edge(old, 0)));
  EXPECT_EQ(WordOf(world.Edge(old, 0)), 2u);
  world.Commit(transaction);
}

TEST_P(SessionGc, HoweverManyWereCommittedTheNextMinorCollectionSendsThemHome) {
  constexpr size_t kMany = 3000;
  Ref& root = world.Keep(world.NewCell(0, kMany));
  for (size_t i = 0; i < kMany; ++i) world.SetEdge(root, i, world.NewCell(i, 0));
  CommitRoot(root);
  ASSERT_GT(world.session->statistics().objects_displaced, kMany);
  world.CollectMinor();
  // The root is large, and does not move until it is old.
  EXPECT_LE(world.session->statistics().objects_displaced, 1u);
  world.heap->Verify();
}

TEST_P(SessionGc, WhatWasOldWhenItWasCommittedGoesHomeAsTheProgramGoesOn) {
  constexpr size_t kMany = 30000, kEdges = 20;  // 5 MB
  Ref& last = world.Keep(nullptr);
  for (size_t i = 0; i < kMany; ++i) {
    const Ref cell = world.NewCell(i, kEdges);
    world.SetEdge(cell, 0, last);
    last = cell;
  }
  for (int i = 0; i < 5; ++i) world.CollectMajor();
  ASSERT_TRUE(world.heap->heap().IsOld(last));
  CommitRoot(last);
  world.CollectMinor();
  ASSERT_EQ(world.session->statistics().objects_displaced, kMany);
  const uint64_t before = world.heap->heap().stats().major_collections;
  for (size_t i = 0; i < 2 * kMany; ++i) world.NewCell(i, kEdges);
  EXPECT_EQ(world.session->statistics().objects_displaced, 0u);
  EXPECT_EQ(world.heap->heap().stats().major_collections, before + 1);
  world.heap->Verify();
}

TEST_P(SessionGc, WhatChangedWordsOfADisplacedObjectReferToIsCommitted) {
  // Words of an object of several pages: two neighbours, the first, the last, and those around a
  // page's end.
  constexpr size_t kEdges = 3000;
  const size_t changed[] = {0, 1, 700, 1020, 1021, 1022, 1023, 1024, 2047, kEdges - 1};
  const Ref small = world.NewCell(1, 3), large = world.NewCell(2, kEdges);
  world.Pin(small);
  world.Pin(large);
  world.SetEdge(small, 0, large);
  CommitRoot(small);
  world.CollectMinor();
  ASSERT_EQ(world.session->statistics().objects_displaced, 2u);

  const uint64_t transaction = world.Begin();
  world.SetEdge(small, 2, world.NewCell(500, 0));
  for (const size_t edge : changed) world.SetEdge(large, edge, world.NewCell(1000 + edge, 0));
  world.Commit(transaction);

  Restart();
  const uint64_t later = world.Begin();
  EXPECT_EQ(WordOf(world.Edge(world.Root(), 2)), 500u);
  const Ref found = world.Edge(world.Root(), 0);
  for (size_t edge = 0, next = 0; edge < kEdges; ++edge) {
    const bool is_changed = next < std::size(changed) && changed[next] == edge;
    ASSERT_EQ(world.Edge(found, edge) != nullptr, is_changed) << edge;
    if (is_changed) {
      EXPECT_EQ(WordOf(world.Edge(found, changed[next++])), 1000 + edge);
    }
  }
  world.Commit(later);
}

TEST_P(SessionGc, NothingIsLeftBehindALargeObjectByAFailedCommit) {
  Make({FailPointKind::kCommitNoSpace, 1});
  // Fills the pages that the large object gets next.
  uint64_t transaction = world.Begin();
  const Ref full = world.NewCell(1, 900);
  for (size_t i = 0; i < 900; ++i) world.SetEdge(full, i, full);
  Ref& chain = world.Keep(full);
  for (int i = 0; i < 5; ++i) {
    const Ref next = world.NewCell(1, 900);
    for (size_t e = 0; e < 900; ++e) world.SetEdge(next, e, chain);
    chain = next;
  }
  world.SetRoot(chain);
  ASSERT_FALSE(world.session->Commit(transaction).ok());
  world.ClearRoots();

  CommitRoot(world.NewCell(2, 2500));
  world.CollectMajor();  // home
  transaction = world.Begin();
  ASSERT_TRUE(world.database->Contains(world.Root()));
  world.SetEdge(world.Root(), 2499, world.Root());
  world.Commit(transaction);  // the server checks the checksum
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(world.Edge(world.Root(), 2499), world.Root());
  world.Commit(transaction);
}

// A list of cells that fill more pages than one, the first of them the root; each has edges enough
// for a list of its own.
class VacantFrames : public SessionGc {
 protected:
  static constexpr size_t kCells = 200, kEdges = 50;

  void CommitList() {
    Ref& list = world.Keep(world.NewCell(0, kEdges));
    for (size_t i = 1; i < kCells; ++i) {
      const Ref cell = world.NewCell(i, kEdges);
      world.SetEdge(cell, 0, list);
      list = cell;
    }
    CommitRoot(list);
  }
  size_t Vacant() {
    PageFrames& frames = world.database->frames();
    size_t count = 0;
    for (uint64_t number = 1; number < frames.end(); ++number) {
      const Frame& frame = frames.At(PageId{number});
      count += frame.state == FrameState::kVacant;
    }
    return count;
  }
  // Changes each cell, in a transaction; some get one more cell.
  void ChangeAll(size_t more_every) {
    const uint64_t transaction = world.Begin();
    size_t i = 0;
    for (Ref cell = world.Root(); cell != nullptr; cell = world.Edge(cell, 0), ++i) {
      WordOf(cell) += 1000;
      if (i % more_every == 0) world.SetEdge(cell, 1, world.NewCell(i, 3));
    }
    world.Commit(transaction);
  }
  std::string SnapshotNow() {
    const uint64_t transaction = world.Begin();
    std::string text = world.Snapshot();
    world.Commit(transaction);
    return text;
  }
  // In this process, at home, and in another one.
  void ExpectTheSameEverywhere() {
    const std::string expected = SnapshotNow();
    world.CollectMajor();
    EXPECT_EQ(Vacant(), 0u);
    EXPECT_EQ(SnapshotNow(), expected);
    Restart();
    EXPECT_EQ(SnapshotNow(), expected);
  }
};

TEST_P(VacantFrames, GetTheirMemoryWhenObjectsComeHome) {
  CommitList();
  EXPECT_GT(Vacant(), 5u);
  const uint64_t before = world.database->mapping().UsedBytes();
  world.CollectMajor();
  EXPECT_GE(world.database->mapping().UsedBytes(), before + 5 * kPageBytes);
  ExpectTheSameEverywhere();
}

TEST_P(VacantFrames, TakeMoreObjectsAndChanges) {
  CommitList();
  const size_t vacant = Vacant();
  ChangeAll(10);
  EXPECT_LT(Vacant(), vacant);  // the page that was open
  ChangeAll(7);
  ExpectTheSameEverywhere();
}

TEST_P(VacantFrames, SomeObjectsStayAway) {
  CommitList();
  const uint64_t transaction = world.Begin();
  Ref cell = world.Root();
  for (int i = 0; i < 30; ++i) cell = world.Edge(cell, 0);
  world.Pin(cell);
  world.Commit(transaction);
  world.CollectMajor();
  EXPECT_FALSE(world.database->Contains(cell));
  ChangeAll(9);
  ExpectTheSameEverywhere();
}

TEST_P(VacantFrames, FailedCommitLeavesNone) {
  Make({FailPointKind::kCommitNoSpace, 1});
  const uint64_t transaction = world.Begin();
  Ref& list = world.Keep(world.NewCell(0, kEdges));
  for (size_t i = 1; i < kCells; ++i) {
    const Ref cell = world.NewCell(i, kEdges);
    world.SetEdge(cell, 0, list);
    list = cell;
  }
  world.SetRoot(list);
  ASSERT_FALSE(world.session->Commit(transaction).ok());
  EXPECT_EQ(Vacant(), 0u);
  EXPECT_EQ(ObjectHeader::Of(list)->word & DisplacedObjects::kHeaderBits, 0u);
  CommitRoot(list);
  ExpectTheSameEverywhere();
}

TEST_P(SessionGc, ArrayWithoutElementsButWithLongLengthsIsReadBack) {
  const int64_t lengths[] = {1'000'000, 0};
  const Ref grid = world.heap->Allocate(testing::kGridType, 16, lengths);
  world.heap->heap().RetireAllBuffers();
  const uint64_t transaction = world.Begin();
  world.SetRoot(grid);
  world.Commit(transaction);
  Restart();
  const uint64_t reading = world.Begin();
  EXPECT_EQ(testing::Catch([&] { EXPECT_EQ(WordOf(world.Root(), 0), 1'000'000u); }),
            FaultAnswer::Error::kNone)
      << testing::CaughtStatus().text();
  world.Commit(reading);
}

TEST_P(SessionGc, ArrayOfRecordsWithReferencesIsReadBack) {
  const int64_t lengths[] = {40, 30};  // large
  Ref& grid =
      world.Keep(world.heap->Allocate(testing::kGridType, 16 + size_t{40} * 30 * 24, lengths));
  for (size_t i = 0; i < 1200; i += 7) {
    WordOf(grid, 2 + 3 * i) = i;
    WordOf(grid, 2 + 3 * i + 2) = ~i;
    gc::StoreReference(SlotOf(grid, 2 + 3 * i + 1), world.NewCell(i, 0));
  }
  CommitRoot(grid);
  world.CollectMajor();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  const Ref again = world.Root();
  for (size_t i = 0; i < 1200; ++i) {
    const Ref cell = *SlotOf(again, 2 + 3 * i + 1);
    ASSERT_EQ(cell != nullptr, i % 7 == 0);
    if (cell == nullptr) continue;
    EXPECT_EQ(WordOf(cell), i);
    EXPECT_EQ(WordOf(again, 2 + 3 * i + 2), ~i);
  }
  world.Commit(transaction);
}

// A later program has a type with the same name and layout but another fingerprint.
TEST_P(SessionGc, LargeObjectKeepsTheEntryOfItsType) {
  alignas(abi::kDescriptorAlignment) static const abi::TypeDescriptor newer = [] {
    abi::TypeDescriptor type = testing::kBlockType;
    type.fingerprint = 0x2006;
    return type;
  }();
  const Ref root = world.NewCell(1, 3);
  // Ten pages, so that the block is not read ahead with the root.
  world.SetEdge(root, 0, world.NewCell(2, 10000));
  world.SetEdge(root, 2,
                world.heap->Allocate(testing::kBlockType, testing::kBlockType.payload_bytes));
  CommitRoot(root);
  const abi::TypeDescriptor* const types[] = {&testing::kCellType, &newer};
  Restart(types);
  uint64_t transaction = world.Begin();
  // The type gets its own entry, and later the old entry is found to be the same type.
  world.SetEdge(world.Root(), 1, world.heap->Allocate(newer, newer.payload_bytes));
  ASSERT_TRUE(world.session->Checkpoint(transaction).ok());
  const Ref old_block = world.Edge(world.Root(), 2);
  gc::StoreReference(SlotOf(old_block, 0), world.Root());
  gc::StoreReference(SlotOf(old_block, 2999), world.Root());
  world.Commit(transaction);

  Restart(types);
  transaction = world.Begin();
  const Ref again = world.Edge(world.Root(), 2);
  EXPECT_EQ(testing::Catch([&] { EXPECT_EQ(*SlotOf(again, 0), world.Root()); }),
            FaultAnswer::Error::kNone)
      << testing::CaughtStatus().text();
  EXPECT_EQ(*SlotOf(again, 2999), world.Root());
  world.Commit(transaction);
}

// --- Procedure values ---

const char code_a[1] = {0}, code_b[1] = {0};

struct Program {
  explicit Program(uint64_t signature_of_b)
      : procedures{{code_a, "Test.A", 1, 1, 0}, {code_b, "Test.B", signature_of_b, 1, 0}} {
    unit.name = "Test";
    unit.procedures = procedures;
    unit.procedure_count = 2;
    info.units = units;
    info.unit_count = 1;
  }
  abi::ProcedureInfo procedures[2];
  abi::UnitInfo unit = {};
  const abi::UnitInfo* units[1] = {&unit};
  abi::ProgramInfo info = {};
};

void SetProcedure(Ref holder, const char* code) {
  WordOf(holder, testing::kHolderProcedure) = reinterpret_cast<uint64_t>(code);
}

TEST_P(SessionGc, ProcedureIsFoundByNameAndSignature) {
  const Program program(2), changed(3);
  Restart(testing::kPersistentTypes, &program.info);
  const Ref a = world.NewHolder(1), b = world.NewHolder(2);
  SetProcedure(a, code_a);
  SetProcedure(b, code_b);
  gc::StoreReference(SlotOf(a, testing::kHolderEdge), b);
  CommitRoot(a);
  for (const Program* reader : {&program, &changed}) {
    Restart(testing::kPersistentTypes, &reader->info);
    const uint64_t transaction = world.Begin();
    const Ref found = world.Root();
    EXPECT_EQ(WordOf(found, testing::kHolderProcedure), reinterpret_cast<uint64_t>(code_a));
    EXPECT_EQ(WordOf(*SlotOf(found, testing::kHolderEdge), testing::kHolderProcedure),
              reader == &program ? reinterpret_cast<uint64_t>(code_b) : 0);
    WordOf(found) += 10;
    world.Commit(transaction);
    world.Reopen();
  }
}

// A program without the procedure keeps the stored value, whatever else it writes, until it assigns
// a new one.
TEST_P(SessionGc, UnknownProcedureStaysInTheStore) {
  const Program program(2), changed(3);
  Restart(testing::kPersistentTypes, &program.info);
  const Ref root = world.NewHolder(1);
  SetProcedure(root, code_b);
  CommitRoot(root);
  const auto procedure = [&]() -> uint64_t& {
    return WordOf(world.Root(), testing::kHolderProcedure);
  };
  const auto commit = [&](auto&& work) {
    const uint64_t transaction = world.Begin();
    work();
    WordOf(world.Root()) += 10;
    world.Commit(transaction);
  };
  for (int round = 0; round < 2; ++round) {
    Restart(testing::kPersistentTypes, &changed.info);
    commit([&] { EXPECT_EQ(procedure(), 0u); });
    // An abort puts NIL back.
    const uint64_t transaction = world.Begin();
    SetProcedure(world.Root(), code_a);
    ASSERT_TRUE(world.session->Abort(transaction).ok());
    commit([&] { EXPECT_EQ(procedure(), 0u); });
    world.Reopen();
    Restart(testing::kPersistentTypes, &program.info);
    commit([&] { EXPECT_EQ(procedure(), reinterpret_cast<uint64_t>(code_b)); });
    world.Reopen();
  }
  Restart(testing::kPersistentTypes, &changed.info);
  commit([&] { SetProcedure(world.Root(), code_a); });
  commit([&] { SetProcedure(world.Root(), nullptr); });
  commit([] {});
  world.Reopen();
  Restart(testing::kPersistentTypes, &program.info);
  commit([&] { EXPECT_EQ(procedure(), 0u); });
}

TEST_P(SessionGc, ProcedureThatCannotBeStoredFailsTheCommit) {
  const Program program(2);
  Make({FailPointKind::kTypeNoSpace, 2}, testing::kPersistentTypes, &program.info);
  const Ref a = world.NewHolder(1);
  SetProcedure(a, code_a);
  uint64_t transaction = world.Begin();
  world.SetRoot(a);
  EXPECT_EQ(world.session->Commit(transaction).code(), StatusCode::kNoSpace);
  EXPECT_FALSE(ObjectHeader::Of(a)->displaced());
  CommitRoot(a);
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(WordOf(world.Root(), testing::kHolderProcedure), reinterpret_cast<uint64_t>(code_a));
  world.Commit(transaction);
}

// --- Others ---

TEST_P(SessionGc, PinnedObjectOnADirtyPageStaysAndItsNeighboursLeave) {
  Ref& first = world.Keep(world.NewCell(1, 1));
  world.SetEdge(first, 0, world.NewCell(2, 0));
  Ref& transient = world.Keep(world.NewCell(3, 0));
  CommitRoot(first);
  uint64_t transaction = world.Begin();
  const Ref place = first;
  world.Pin(place);
  WordOf(place) = 11;
  world.CollectMinor();
  world.CollectMajor();
  EXPECT_EQ(first, place);
  EXPECT_TRUE(ObjectHeader::Of(place)->displaced());
  EXPECT_EQ(WordOf(transient), 3u);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  EXPECT_EQ(WordOf(first), 1u);
  world.CollectMajor();
  EXPECT_EQ(first, place);  // pinned still
  world.heap->roots().ambiguous.clear();
  world.CollectMajor();
  EXPECT_TRUE(world.database->Contains(first));
  transaction = world.Begin();
  EXPECT_EQ(WordOf(first), 1u);
  EXPECT_EQ(WordOf(world.Edge(first, 0)), 2u);
  world.Commit(transaction);
}

TEST_P(SessionGc, TransientReferencesOfPersistentObjectsKeepTheirTargetsAlive) {
  const Ref holder = world.NewHolder(1);
  gc::StoreReference(SlotOf(holder, testing::kHolderTransient), world.NewCell(2, 0));
  CommitRoot(holder);
  for (int i = 0; i < 3; ++i) {
    world.CollectMinor();
    world.CollectMajor();
    world.heap->AllocateGarbage(100 << 10);
  }
  uint64_t transaction = world.Begin();
  const Ref target = *SlotOf(world.Root(), testing::kHolderTransient);
  ASSERT_NE(target, nullptr);
  EXPECT_TRUE(world.heap->heap().Contains(target));
  EXPECT_EQ(WordOf(target), 2u);
  world.Commit(transaction);
  world.Reopen();
  transaction = world.Begin();
  EXPECT_EQ(*SlotOf(world.Root(), testing::kHolderTransient), nullptr);
  world.Commit(transaction);
}

TEST_P(SessionGc, AllocationAfterACommitLeavesGovernedPagesAlone) {
  CommitRoot(world.NewCell(1, 0));
  const Ref fresh = world.NewCell(2, 0);
  EXPECT_EQ(world.session->statistics().pages_governed, 1u);
  const uint64_t faults = world.session->statistics().write_faults;
  WordOf(fresh) = 3;
  EXPECT_EQ(world.session->statistics().write_faults, faults);
}

TEST_P(SessionGc, WhatIsReachedOnlyThroughAnUnwrittenFrameIsNotVisitedAtCommit) {
  CommitRoot(world.NewCell(1, 3));
  world.CollectMajor();
  uint64_t transaction = world.Begin();
  world.SetEdge(world.Root(), 0, world.NewCell(2, 0));
  world.Commit(transaction);
  transaction = world.Begin();
  const uint64_t named = world.session->statistics().objects_named;
  const uint64_t commits = world.session->statistics().commits;
  world.Commit(transaction);
  EXPECT_EQ(world.session->statistics().objects_named, named);
  EXPECT_EQ(world.session->statistics().commits, commits);  // nothing to say to the server
}

INSTANTIATE_TEST_SUITE_P(Tiers, SessionGc,
                         ::testing::Values(FaultTier::kMprotect, FaultTier::kUserfaultfd),
                         [](const auto& info) {
                           return info.param == FaultTier::kUserfaultfd ? "Uffd" : "Mprotect";
                         });
INSTANTIATE_TEST_SUITE_P(Tiers, VacantFrames,
                         ::testing::Values(FaultTier::kMprotect, FaultTier::kUserfaultfd),
                         [](const auto& info) {
                           return info.param == FaultTier::kUserfaultfd ? "Uffd" : "Mprotect";
                         });

}  // namespace
}  // namespace tenure::stabilize
