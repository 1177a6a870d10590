#include "store/remote/held_pages.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tenure::store {
namespace {

constexpr PageId kPage{7};
const std::byte kRecord[kPageRecordBytes] = {};
const std::byte kContents[abi::kPageBytes] = {};
const PageWrite kChange = {.page = kPage, .contents = kContents};

// The page has come with another one that was touched.
void SendBeside(HeldPages& pages, PageId page) {
  std::vector<PageId> asked = {PageId{1}, page};
  pages.BeginNeighbours(asked);
  ASSERT_EQ(asked.size(), 2u);
  pages.EndNeighbours(std::vector{page});
  ASSERT_TRUE(pages.KeepNeighbour(page, kRecord));
}

// A transaction reads kPage, or writes it too, while others want pages.
void Use(HeldPages& pages, bool write) {
  pages.NoteGranted(kPage, write);
  pages.NoteUsed(kPage, PageRecord(), /*others_want=*/true);
  if (write) pages.NoteCommit(std::span(&kChange, 1), /*version=*/5);
}

TEST(HeldPages, APageIsHeldUntilItIsForgotten) {
  HeldPages pages;
  EXPECT_EQ(pages.NotHeld(std::vector{kPage}, false), std::vector{kPage});
  pages.NoteGranted(kPage, false);
  EXPECT_TRUE(pages.HoldsAny());
  EXPECT_TRUE(pages.NotHeld(std::vector{kPage}, false).empty());
  EXPECT_EQ(pages.NotHeld(std::vector{kPage}, true), std::vector{kPage});
  pages.NoteGranted(kPage, true);
  EXPECT_TRUE(pages.NotHeld(std::vector{kPage}, true).empty());
  pages.Forget(kPage);
  EXPECT_FALSE(pages.HoldsAny());
}

TEST(HeldPages, APageThatWasNotTouchedIsFree) {
  HeldPages pages;
  SendBeside(pages, kPage);
  EXPECT_TRUE(pages.IsFree(kPage));
  EXPECT_EQ(pages.CountFree(), 1u);
  pages.BeginNeed(kPage);
  EXPECT_FALSE(pages.IsFree(kPage));
  EXPECT_TRUE(pages.HoldsAny());
  pages.EndNeed(kPage);
  EXPECT_FALSE(pages.IsFree(kPage));
}

TEST(HeldPages, WhatNeedsNotComeIsNotAskedFor) {
  HeldPages pages;
  pages.NoteGranted(PageId{2}, false);
  pages.BeginNeed(PageId{3});
  pages.NoteWanted(PageId{4}, /*to_read=*/true);
  SendBeside(pages, PageId{5});
  std::vector<PageId> asked = {PageId{2}, PageId{3}, PageId{4}, PageId{5}, PageId{6}};
  pages.BeginNeighbours(asked);
  EXPECT_EQ(asked, (std::vector{PageId{2}, PageId{6}}));
  EXPECT_TRUE(pages.IsOnTheWay(PageId{6}));
  EXPECT_FALSE(pages.IsOnTheWay(PageId{2}));
  pages.EndNeighbours(std::vector{PageId{6}});
  EXPECT_FALSE(pages.IsOnTheWay(PageId{6}));
}

TEST(HeldPages, APageThatWasWantedOnItsWayIsNotKept) {
  HeldPages pages;
  pages.NoteWanted(kPage, /*to_read=*/false);
  EXPECT_FALSE(pages.KeepNeighbour(kPage, kRecord));
  EXPECT_FALSE(pages.HasWanted());
  EXPECT_FALSE(pages.IsFree(kPage));
}

TEST(HeldPages, NoPageIsAskedForBehindTheLast) {
  HeldPages pages;
  const PageRun run = pages.Around(PageId{9}, PageId{9});
  EXPECT_EQ(run.first.number + run.pages, 10u);
}

TEST(HeldPages, ANewPageMayArriveWhileItIsAskedFor) {
  HeldPages pages;
  pages.BeginAllocation();
  EXPECT_TRUE(pages.MayArrive(kPage));
  pages.EndAllocation(PageRun{kPage, 2});
  EXPECT_FALSE(pages.MayArrive(kPage));
  EXPECT_TRUE(pages.NotHeld(std::vector{kPage, kPage + 1}, true).empty());
  pages.Return(PageRun{kPage, 2});
  EXPECT_FALSE(pages.HoldsAny());
}

TEST(HeldPages, AReaderLeavesTheRightToRead) {
  HeldPages pages;
  pages.NoteGranted(kPage, true);
  EXPECT_TRUE(pages.GiveUp(kPage, /*keep_read=*/true, /*wanted=*/true));
  EXPECT_EQ(pages.NotHeld(std::vector{kPage}, true), std::vector{kPage});
  EXPECT_TRUE(pages.NotHeld(std::vector{kPage}, false).empty());
  EXPECT_FALSE(pages.GiveUp(kPage, /*keep_read=*/false, /*wanted=*/true));
  EXPECT_FALSE(pages.HoldsAny());
}

TEST(HeldPages, AFreePageCannotBeKeptToRead) {
  HeldPages pages;
  SendBeside(pages, kPage);
  EXPECT_FALSE(pages.GiveUp(kPage, /*keep_read=*/true, /*wanted=*/true));
  EXPECT_FALSE(pages.IsFree(kPage));
}

TEST(HeldPages, TheStrongerWishCounts) {
  HeldPages pages;
  pages.NoteWanted(kPage, /*to_read=*/false);
  pages.NoteWanted(kPage, /*to_read=*/true);
  const auto wanted = pages.TakeWanted();
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].page, kPage);
  EXPECT_TRUE(wanted[0].drop);
  EXPECT_FALSE(pages.HasWanted());
}

TEST(HeldPages, AWantedPageBecomesFreeForSomeTransactions) {
  HeldPages pages;
  pages.NoteWanted(kPage, /*to_read=*/true);
  (void)pages.TakeWanted();
  int freed = 0;
  for (int i = 0; i < 40; ++i) {
    pages.NoteGranted(kPage, false);
    pages.NoteUsed(kPage, PageRecord(), /*others_want=*/false);
    for (const PageId page : pages.EndTransaction(/*several=*/false).to_free) {
      pages.Free(page);
      EXPECT_TRUE(pages.IsFree(kPage));
      ++freed;
    }
    pages.ForgetUsed();
  }
  EXPECT_EQ(freed, 16);
}

TEST(HeldPages, AFreePageKeepsTheRightToWrite) {
  HeldPages pages;
  Use(pages, /*write=*/true);
  const auto ending = pages.EndTransaction(/*several=*/false);
  ASSERT_EQ(ending.to_free, std::vector{kPage});
  pages.Free(kPage);
  EXPECT_FALSE(pages.HoldsAny());
  pages.BeginNeed(kPage);
  EXPECT_TRUE(pages.NotHeld(std::vector{kPage}, true).empty());
}

TEST(HeldPages, APageThatWasOnlyReadStays) {
  HeldPages pages;
  Use(pages, /*write=*/false);
  EXPECT_TRUE(pages.EndTransaction(/*several=*/false).to_free.empty());
}

TEST(HeldPages, WithSeveralServersAWantedPageIsGivenUpUnused) {
  HeldPages pages;
  pages.NoteGranted(kPage, true);
  pages.NoteWanted(kPage, /*to_read=*/false);
  (void)pages.TakeWanted();
  EXPECT_TRUE(pages.EndTransaction(/*several=*/false).to_give_up.empty());
  const auto ending = pages.EndTransaction(/*several=*/true);
  ASSERT_EQ(ending.to_give_up.size(), 1u);
  EXPECT_TRUE(ending.to_give_up[0].drop);
}

TEST(HeldPages, TheWriterOfAWantedPageAsksToWriteIt) {
  HeldPages pages;
  pages.NoteWanted(kPage, /*to_read=*/false);
  EXPECT_FALSE(pages.WasWrittenLast(kPage));
  Use(pages, /*write=*/true);
  EXPECT_TRUE(pages.WasWrittenLast(kPage));
  pages.NoteCommit({}, 6);
  EXPECT_FALSE(pages.WasWrittenLast(kPage));
}

TEST(HeldPages, APreparedPageWithoutAVersionIsNotFreed) {
  for (const uint64_t version : {0, 9}) {
    HeldPages pages;
    pages.NoteGranted(kPage, true);
    pages.NoteUsed(kPage, PageRecord(), /*others_want=*/true);
    pages.NoteCommit(std::span(&kChange, 1), /*version=*/0);
    pages.SettlePrepared(version);
    EXPECT_EQ(pages.EndTransaction(false).to_free.size(), version != 0 ? 1u : 0u);
  }
}

TEST(HeldPages, AConflictTakesTheRightToWrite) {
  HeldPages pages;
  Use(pages, /*write=*/true);
  pages.NoteConflict(std::span(&kChange, 1));
  EXPECT_EQ(pages.NotHeld(std::vector{kPage}, true), std::vector{kPage});
  EXPECT_TRUE(pages.EndTransaction(/*several=*/false).to_free.empty());
}

TEST(HeldPages, NothingIsHeldWithoutAConnection) {
  HeldPages pages;
  Use(pages, /*write=*/true);
  pages.NoteWanted(kPage, /*to_read=*/false);
  pages.NoteGrantedToWrite(PageId{8}, 3);
  SendBeside(pages, PageId{9});
  pages.Forget();
  EXPECT_FALSE(pages.HoldsAny() || pages.HasWanted() || pages.IsFree(PageId{9}));
  EXPECT_TRUE(pages.TakeWandering().empty());
}

}  // namespace
}  // namespace tenure::store
