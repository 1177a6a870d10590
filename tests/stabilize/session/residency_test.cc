// The number of pages that a fault makes resident.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <tuple>

#include "stabilize/frames/fault_tiers.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::SessionWorld;
using testing::WordOf;

constexpr uint64_t kCells = 64;  // one on a page, in order
constexpr size_t kEdges = 1000;

class Residency : public ::testing::TestWithParam<testing::Tier> {
 protected:
  Residency() : world(std::get<0>(GetParam()), std::get<1>(GetParam())) {}

  void SetUp() override {
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    world.Start();
    world.Create();
    world.Open();
    const uint64_t transaction = world.Begin();
    Ref& root = world.Keep(world.NewCell(0, kEdges));
    for (size_t i = 0; i < kCells; ++i) world.SetEdge(root, i, world.NewCell(i + 1, kEdges));
    world.SetRoot(root);
    world.Commit(transaction);
    world.ClearRoots();
    world.Reopen();
  }
  // Touches the cells first, first - step, ...
  SessionStatistics TouchBackwards(size_t step) {
    const uint64_t transaction = world.Begin();
    const Ref root = world.Root();
    EXPECT_EQ(WordOf(root), 0u);
    const SessionStatistics before = world.session->statistics();
    for (size_t i = kCells; i >= step; i -= step) {
      EXPECT_EQ(WordOf(world.Edge(root, i - 1)), i);
    }
    SessionStatistics now = world.session->statistics();
    world.Commit(transaction);
    now.read_faults -= before.read_faults;
    now.pages_read -= before.pages_read;
    return now;
  }

  SessionWorld world;
};

TEST_P(Residency, NeighboursComeTogetherWhenSomeOfThemHaveBeenWanted) {
  const SessionStatistics all = TouchBackwards(1);
  // The first pages come with the root, and some may lie behind the last one.
  EXPECT_GE(all.pages_read, kCells - 7);
  EXPECT_LE(all.pages_read, kCells + 7);
  EXPECT_LE(all.read_faults, kCells / 2);
}

TEST_P(Residency, FewFarFromEachOtherComeAlone) {
  const SessionStatistics few = TouchBackwards(8);
  EXPECT_EQ(few.read_faults, kCells / 8);
  EXPECT_EQ(few.pages_read, kCells / 8);
}

// As the kernel does before it writes the pages to swap space.
TEST_P(Residency, PagesThatTheSystemTakesOutOfTheMappingComeBack) {
  const uint64_t transaction = world.Begin();
  const Ref root = world.Root();
  const Ref read = world.Edge(root, 10), written = world.Edge(root, 20);
  const Ref clean = world.Edge(root, 30);
  EXPECT_EQ(WordOf(read) + WordOf(written) + WordOf(clean), 11u + 21u + 31u);
  WordOf(written) = 1;
  for (Ref cell : {read, written, clean}) {
    char* const frame = world.database->FrameOf(world.database->PageAt(cell));
    ASSERT_EQ(madvise(frame, abi::kPageBytes, MADV_DONTNEED), 0);
  }
  EXPECT_EQ(WordOf(read), 11u);
  WordOf(written) += 1;
  WordOf(clean) += 1;
  EXPECT_EQ(WordOf(written), 2u);
  ASSERT_TRUE(world.session->Checkpoint(transaction).ok());
  const SessionStatistics before = world.session->statistics();
  WordOf(written) += 1;
  WordOf(read) += 1;
  EXPECT_GT(world.session->statistics().write_faults, before.write_faults);
  world.Commit(transaction);
  world.Reopen();
  const uint64_t later = world.Begin();
  EXPECT_EQ(WordOf(world.Edge(world.Root(), 10)), 12u);
  EXPECT_EQ(WordOf(world.Edge(world.Root(), 20)), 3u);
  EXPECT_EQ(WordOf(world.Edge(world.Root(), 30)), 32u);
  world.Commit(later);
}

INSTANTIATE_TEST_SUITE_P(Tiers, Residency, testing::AllTiers(), testing::NameOf);

}  // namespace
}  // namespace tenure::stabilize
