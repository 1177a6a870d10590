#include "stabilize/state/open_transactions.h"

#include <gtest/gtest.h>

namespace tenure::stabilize {
namespace {

TransactionLevel Child(OpenTransactions& open) {
  TransactionLevel child;
  child.serial = open.NextSerial();
  return child;
}

TEST(OpenTransactions, ATransactionThatWritesHasChildrenInOrder) {
  OpenTransactions open;
  EXPECT_FALSE(open.any());
  const uint64_t top = open.BeginTop(/*read_only=*/false);
  open.Push(Child(open));
  const uint64_t child = open.innermost().serial;
  EXPECT_EQ(open.count(), 2u);
  EXPECT_EQ(open.depth(), 1u);
  EXPECT_EQ(open.TopOf(child), top);
  EXPECT_EQ(open.DepthOf(top), 2u);
  EXPECT_TRUE(open.IsOpenTop(top));
  EXPECT_FALSE(open.IsOpenTop(child));
  EXPECT_EQ(open.Pop().serial, child);
  EXPECT_FALSE(open.IsOpen(child));
  open.Push(Child(open));
  open.DropChildren();
  EXPECT_EQ(open.count(), 1u);
  EXPECT_EQ(open.TopOf(top + 99), 0u);
}

TEST(OpenTransactions, ReadOnlyOnesShareALevel) {
  OpenTransactions open;
  const uint64_t level = open.BeginTop(/*read_only=*/true);
  const uint64_t a = open.NextSerial(), b = open.NextSerial();
  open.readers().Add(a);
  open.readers().Add(b);
  EXPECT_TRUE(open.are_read_only());
  EXPECT_FALSE(open.IsOpen(level));
  EXPECT_TRUE(open.IsOpenTop(a) && open.IsOpenTop(b));
  EXPECT_EQ(open.TopOf(b), b);
  // After an abort of all, each is open until it is told.
  open.Clear();
  open.readers().SetAborted();
  EXPECT_TRUE(open.IsOpen(a));
  EXPECT_FALSE(open.any());
}

TEST(OpenTransactions, AnAbortThatIsPendingLeavesNothingOpen) {
  OpenTransactions open;
  const uint64_t top = open.BeginTop(/*read_only=*/false);
  open.NoteOpen();
  EXPECT_TRUE(open.IsAnyOpen());
  open.SetAbortPending(true);
  EXPECT_FALSE(open.IsOpen(top));
  EXPECT_FALSE(open.IsAnyOpen());
  EXPECT_TRUE(open.any());
}

TEST(OpenTransactions, NumbersTellWithoutTheLockWhatMayBeOpen) {
  OpenTransactions open;
  open.NoteOpen();
  EXPECT_FALSE(open.MayBeOpen(1));
  const uint64_t first = open.BeginTop(/*read_only=*/false);
  open.NoteOpen();
  EXPECT_FALSE(open.MayBeOpen(first - 1));
  EXPECT_TRUE(open.MayBeOpen(first));
  EXPECT_TRUE(open.MayBeOpen(first + 1));
  open.Clear();
  open.NoteOpen();
  EXPECT_FALSE(open.MayBeOpen(first + 1));
}

TEST(OpenTransactions, ThoseThatAFailureEndedAreKnownUntilTheNextOne) {
  OpenTransactions open;
  EXPECT_FALSE(open.has_any_ended_by_failure());
  const uint64_t top = open.BeginTop(/*read_only=*/false);
  open.Push(Child(open));
  const uint64_t child = open.innermost().serial;
  open.SetAbortPending(true);
  open.NoteEndedByFailure();
  open.Clear();
  EXPECT_FALSE(open.abort_pending());
  EXPECT_TRUE(open.HasEndedByFailure(top) && open.HasEndedByFailure(child));
  const uint64_t next = open.BeginTop(/*read_only=*/false);
  open.NoteEndedByFailure();
  EXPECT_TRUE(open.HasEndedByFailure(next));
  EXPECT_FALSE(open.HasEndedByFailure(top));
}

TEST(OpenTransactions, AChainKeepsItsNumber) {
  OpenTransactions open;
  const uint64_t top = open.BeginTop(/*read_only=*/false);
  std::vector<TransactionLevel> levels = open.Suspend();
  EXPECT_FALSE(open.any());
  open.Resume(std::move(levels));
  EXPECT_TRUE(open.IsOpen(top));
  EXPECT_EQ(open.last_serial(), top);
}

}  // namespace
}  // namespace tenure::stabilize
