// The pages that a transaction writes: the pages that are opened together, and those that stay open
// when the transaction continues after a commit.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/linked_faults.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::SessionWorld;
using testing::WordOf;

constexpr size_t kCells = 60;
constexpr size_t kEdges = 1000;  // one on a page

class WrittenPages : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind>> {
 protected:
  WrittenPages() : world(std::get<0>(GetParam()), std::get<1>(GetParam())) {}

  void SetUp() override {
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    world.paranoid = true;
  }
  // A list of cells with words 0, in one commit; all are at home.
  void Make(FailPoint fail = {}) {
    world.Start(fail);
    world.Create();
    world.Open();
    Ref& head = world.Keep(nullptr);
    for (size_t i = 0; i < kCells; ++i) {
      const Ref cell = world.NewCell(0, kEdges);
      world.SetEdge(cell, 0, head);
      head = cell;
    }
    const uint64_t transaction = world.Begin();
    world.SetRoot(head);
    world.Commit(transaction);
    world.ClearRoots();
    world.CollectMajor();
    ASSERT_EQ(world.session->statistics().objects_displaced, 0u);
  }
  // In a transaction.
  std::vector<Ref> Cells() {
    std::vector<Ref> cells;
    for (Ref cell = world.Root(); cell != nullptr; cell = world.Edge(cell, 0)) {
      cells.push_back(cell);
    }
    return cells;
  }
  // Adds 1 to the words of these cells, from both ends to the middle; answers the traps.
  uint64_t Add(size_t first, size_t last) {
    const std::vector<Ref> cells = Cells();
    const uint64_t before = world.session->statistics().write_faults;
    for (size_t i = first; i < last; ++i) {
      const size_t half = (i - first) / 2;
      const size_t place = (i - first) % 2 == 0 ? first + half : last - 1 - half;
      ++WordOf(cells[place]);
    }
    return world.session->statistics().write_faults - before;
  }
  std::vector<uint64_t> Words() {
    std::vector<uint64_t> words;
    for (Ref cell : Cells()) words.push_back(WordOf(cell));
    return words;
  }
  std::vector<uint64_t> WordsLater() {
    world.Reopen();
    const uint64_t transaction = world.Begin();
    std::vector<uint64_t> words = Words();
    world.Commit(transaction);
    return words;
  }
  uint64_t PagesWritten() const { return world.session->statistics().pages_written; }

  SessionWorld world;
};

TEST_P(WrittenPages, OneBehindTheOtherAreOpenedTogether) {
  Make();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  const std::vector<Ref> cells = Cells();
  const uint64_t written = PagesWritten();
  for (size_t i = 0; i + 4 < kCells; ++i) WordOf(cells[i]) = i;
  EXPECT_LE(world.session->statistics().write_faults, kCells / 6);
  world.Commit(transaction);
  EXPECT_EQ(PagesWritten() - written, kCells - 4 - 1);  // the first cell has its old value
  const std::vector<uint64_t> words = WordsLater();
  for (size_t i = 0; i < kCells; ++i) EXPECT_EQ(words[i], i + 4 < kCells ? i : 0);
}

TEST_P(WrittenPages, ThoseOfTheLastCommitAreOpenedTogether) {
  Make();
  uint64_t traps = 0;
  for (int i = 0; i < 2; ++i) {
    const uint64_t written = PagesWritten();
    const uint64_t transaction = world.Begin();
    traps = Add(10, 30);
    world.Commit(transaction);
    EXPECT_EQ(PagesWritten() - written, 20u);
  }
  EXPECT_LE(traps, 4u);
  EXPECT_GE(traps, 1u);
}

TEST_P(WrittenPages, NeighboursOfManyAreOpenedTogether) {
  Make();
  world.Reopen();
  const uint64_t transaction = world.Begin();
  const std::vector<Ref> cells = Cells();
  size_t first = 0;
  while (world.database->PageAt(cells[first]).number % PageFrames::kNeighbours != 0) ++first;
  const uint64_t written = PagesWritten();
  for (size_t i : {4, 2, 0, 6, 7}) WordOf(cells[first + i]) = 1;
  EXPECT_EQ(world.session->statistics().write_faults, 4u);
  world.Commit(transaction);
  EXPECT_EQ(PagesWritten() - written, 5u);
}

TEST_P(WrittenPages, StayOpenInAChain) {
  Make();
  const uint64_t transaction = world.Begin();
  for (int i = 0; i < 4; ++i) {
    const uint64_t written = PagesWritten();
    const uint64_t traps = Add(10, 30);
    EXPECT_EQ(traps == 0, i >= 2) << i;
    ASSERT_TRUE(world.session->Chain(transaction).ok());
    EXPECT_EQ(PagesWritten() - written, 20u);
  }
  // Pages that a transaction does not write are closed.
  uint64_t written = PagesWritten();
  EXPECT_EQ(Add(10, 11), 0u);
  ASSERT_TRUE(world.session->Checkpoint(transaction).ok());
  EXPECT_EQ(PagesWritten() - written, 1u);
  EXPECT_EQ(Add(10, 11), 0u);
  EXPECT_GT(Add(11, 30), 0u);
  const std::vector<uint64_t> words = Words();
  world.Commit(transaction);
  EXPECT_EQ(words[10], 6u);
  EXPECT_EQ(words[11], 5u);
  EXPECT_EQ(WordsLater(), words);
}

TEST_P(WrittenPages, ThatStayedOpenAreRestoredByAnAbort) {
  Make();
  uint64_t transaction = world.Begin();
  for (int i = 0; i < 3; ++i) {
    Add(10, 30);
    ASSERT_TRUE(world.session->Chain(transaction).ok());
  }
  const std::vector<uint64_t> words = Words();
  // In a child the pages are noted again.
  const uint64_t child = world.Begin();
  EXPECT_GT(Add(10, 30), 0u);
  ASSERT_TRUE(world.session->Abort(child).ok());
  EXPECT_EQ(Words(), words);
  Add(10, 20);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  transaction = world.Begin();
  EXPECT_EQ(Words(), words);
  world.Commit(transaction);
  EXPECT_EQ(WordsLater(), words);
}

TEST_P(WrittenPages, AreClosedWhenTheTransactionEnds) {
  Make();
  const uint64_t transaction = world.Begin();
  for (int i = 0; i < 3; ++i) {
    Add(10, 30);
    ASSERT_TRUE(world.session->Chain(transaction).ok());
  }
  EXPECT_EQ(Add(10, 30), 0u);
  const Ref cell = Cells()[10];
  world.Commit(transaction);
  EXPECT_EQ(testing::Catch([&] { WordOf(cell) = 0; }),
            FaultAnswer::Error::kTransactionNotInProgress);
  EXPECT_EQ(WordOf(cell), 4u);
}

TEST_P(WrittenPages, ThatStayedOpenAreRestoredWhenACommitFails) {
  Make({FailPointKind::kCommitNoSpace, 5});
  uint64_t transaction = world.Begin();
  for (int i = 0; i < 3; ++i) {
    Add(10, 30);
    ASSERT_TRUE(world.session->Chain(transaction).ok());
  }
  const std::vector<uint64_t> words = Words();
  EXPECT_EQ(Add(10, 30), 0u);
  EXPECT_EQ(world.session->Chain(transaction).code(), StatusCode::kNoSpace);
  transaction = world.Begin();
  EXPECT_EQ(Words(), words);
  Add(10, 30);
  world.Commit(transaction);
  EXPECT_EQ(WordsLater()[10], words[10] + 1);
}

// An object may come home only to a page that is not open.
TEST_P(WrittenPages, WithHomesOfDisplacedObjectsAreClosed) {
  Make();
  const uint64_t transaction = world.Begin();
  Ref& last = world.Keep(nullptr);
  for (uint64_t i = 1; i <= 6; ++i) {
    const Ref cell = world.NewCell(i, 3);
    world.SetEdge(cell, 0, world.Root());
    if (last != nullptr) WordOf(last) += 100;
    last = cell;
    world.SetRoot(cell);
    ASSERT_TRUE(world.session->Chain(transaction).ok());
    if (i % 2 == 0) world.CollectMajor();
  }
  world.ClearRoots();
  EXPECT_EQ(world.session->statistics().objects_displaced, 0u);
  std::vector<uint64_t> words = Words();
  words.resize(6);
  EXPECT_EQ(words, (std::vector<uint64_t>{6, 105, 104, 103, 102, 101}));
  world.Commit(transaction);
  std::vector<uint64_t> later = WordsLater();
  later.resize(6);
  EXPECT_EQ(later, words);
}

INSTANTIATE_TEST_SUITE_P(Tiers, WrittenPages, testing::AllTiers(), testing::NameOf);

}  // namespace
}  // namespace tenure::stabilize
