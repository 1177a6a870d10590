#include "store/trees/tree_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "store/trees/tree_checksum.h"
#include "store/trees/tree_memory.h"

namespace tenure::store {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Page = std::vector<std::byte>;

template <typename T>
void Put(Page& page, size_t at, T value) {
  std::memcpy(page.data() + at, &value, sizeof value);
}

// A page with these items from its end on, and the header's values.
struct Made {
  uint32_t number, previous = 0, next = 0;
  uint8_t level = 1, kind = 5;
  std::vector<std::string> items = {};

  Page Bytes() const {
    Page page(kTreePageBytes);
    Put(page, 0, uint64_t{1});
    Put(page, 8, number);
    Put(page, 12, previous);
    Put(page, 16, next);
    Put(page, 20, static_cast<uint16_t>(items.size()));
    Put(page, 24, level);
    Put(page, 25, kind);
    size_t at = kTreePageBytes;
    for (size_t i = 0; i < items.size(); ++i) {
      at -= (items[i].size() + 3) / 4 * 4;
      std::memcpy(page.data() + at, items[i].data(), items[i].size());
      Put(page, 32 + 2 * i, static_cast<uint16_t>(at));
    }
    Put(page, 22, static_cast<uint16_t>(at));
    return page;
  }
};

std::string Item(const std::string& bytes) {
  const auto length = static_cast<uint16_t>(bytes.size());
  return std::string(reinterpret_cast<const char*>(&length), 2) + '\1' + bytes;
}
std::string Child(const std::string& key, uint32_t page) {
  const auto length = static_cast<uint16_t>(key.size());
  std::string item = std::string(reinterpret_cast<const char*>(&length), 2) + '\1' + '\0';
  item.append(reinterpret_cast<const char*>(&page), 4);
  return item + std::string(4, '\0') + key;
}
Page Leaf(uint32_t number, uint32_t previous, uint32_t next, const std::string& first,
          const std::string& last) {
  return Made{number, previous, next, 1, 5, {Item(first), Item("v"), Item(last), Item("w")}}
      .Bytes();
}
Page Internal(uint32_t number, uint8_t level, std::vector<std::string> children) {
  return Made{number, 0, 0, level, 3, std::move(children)}.Bytes();
}

std::string Trouble(uint32_t number, const Page& page) {
  return TreePageTrouble(number, page, false);
}

TEST(TreePages, APageIsAtItsPlaceOfAKindAndLevelThatItMayHave) {
  EXPECT_THAT(Trouble(3, Leaf(3, 0, 4, "a", "b")), IsEmpty());
  EXPECT_THAT(Trouble(4, Leaf(3, 0, 0, "a", "b")), HasSubstr("is page 3 of a tree"));
  EXPECT_THAT(Trouble(3, Leaf(3, 0, 3, "a", "b")), HasSubstr("follows itself"));
  EXPECT_THAT(Trouble(3, Made{.number = 3, .level = 2}.Bytes()), HasSubstr("level 2"));
  EXPECT_THAT(Trouble(3, Internal(3, 1, {})), HasSubstr("level 1"));
  EXPECT_THAT(Trouble(3, Internal(3, 200, {})), HasSubstr("level 200"));
  EXPECT_THAT(Trouble(3, Made{.number = 3, .kind = 13}.Bytes()), HasSubstr("kind 13"));
  EXPECT_THAT(Trouble(3, Made{.number = 3, .level = 0, .kind = 0}.Bytes()), IsEmpty());
  EXPECT_THAT(Trouble(3, Page(kTreePageBytes)), IsEmpty()) << "never written";
}

TEST(TreePages, AnInternalPageLeadsSomewhere) {
  EXPECT_THAT(Trouble(3, Internal(3, 2, {})), HasSubstr("has no items"));
  EXPECT_THAT(Trouble(3, Made{.number = 3}.Bytes()), IsEmpty()) << "a leaf may be empty";
}

TEST(TreePages, ItemsAreInsideTheirPageAndInOrder) {
  Page page = Leaf(3, 0, 0, "a", "b");
  Put(page, 20, uint16_t{0xffff});
  EXPECT_THAT(Trouble(3, page), HasSubstr("65535 items"));
  page = Leaf(3, 0, 0, "a", "b");
  Put(page, 34, uint16_t{0xffff});
  EXPECT_THAT(Trouble(3, page), HasSubstr("impossible item, number 1"));
  Put(page, 34, uint16_t{33});
  EXPECT_THAT(Trouble(3, page), HasSubstr("impossible item, number 1"));
  page = Leaf(3, 0, 0, "a", "b");
  uint16_t place;
  std::memcpy(&place, page.data() + 36, sizeof place);
  Put(page, place, uint16_t{60000});
  EXPECT_THAT(Trouble(3, page), HasSubstr("impossible item, number 2"));
  EXPECT_THAT(Trouble(3, Leaf(3, 0, 0, "b", "a")), HasSubstr("disorder"));
  EXPECT_THAT(Trouble(3, Internal(3, 2, {Child("x", 4), Child("b", 5), Child("c", 6)})), IsEmpty())
      << "the first key stands for all that are lower";
  EXPECT_THAT(Trouble(3, Internal(3, 2, {Child("", 4), Child("c", 5), Child("b", 6)})),
              HasSubstr("disorder"));
}

TEST(TreePages, AChildIsOneLevelLowerAndOfOneParent) {
  TreePages pages;
  EXPECT_THAT(pages.NoteRead(1, Internal(1, 3, {Child("", 2), Child("m", 3)})), IsEmpty());
  EXPECT_THAT(pages.NoteRead(2, Internal(2, 2, {Child("", 4)})), IsEmpty());
  EXPECT_THAT(pages.NoteRead(3, Leaf(3, 0, 0, "a", "b")), HasSubstr("another kind or level"));

  TreePages circle;
  EXPECT_THAT(circle.NoteRead(1, Internal(1, 3, {Child("", 2)})), IsEmpty());
  EXPECT_THAT(circle.NoteRead(2, Internal(2, 2, {Child("", 1)})), HasSubstr("page 1"));
  TreePages shared;
  EXPECT_THAT(shared.NoteRead(1, Internal(1, 2, {Child("", 4), Child("m", 4)})),
              HasSubstr("another place refers"));
}

TEST(TreePages, LeavesFollowEachOther) {
  TreePages good;
  EXPECT_THAT(good.NoteRead(2, Leaf(2, 0, 3, "a", "b")), IsEmpty());
  EXPECT_THAT(good.NoteRead(4, Leaf(4, 3, 0, "e", "f")), IsEmpty());
  EXPECT_THAT(good.NoteRead(3, Leaf(3, 2, 4, "c", "d")), IsEmpty());
  TreePages circle;
  EXPECT_THAT(circle.NoteRead(2, Leaf(2, 3, 3, "a", "b")), IsEmpty());
  EXPECT_THAT(circle.NoteRead(3, Leaf(3, 2, 2, "c", "d")), HasSubstr("neighbour"));
  TreePages other;
  EXPECT_THAT(other.NoteRead(2, Leaf(2, 0, 3, "a", "b")), IsEmpty());
  EXPECT_THAT(other.NoteRead(3, Leaf(3, 4, 0, "c", "d")), HasSubstr("neighbour"));
}

TEST(TreePages, WhatHasBeenWrittenIsNotHeldAgainstWhatWasThereBefore) {
  TreePages pages;
  EXPECT_THAT(pages.NoteRead(2, Leaf(2, 0, 3, "a", "b")), IsEmpty());
  pages.NoteWritten(2);
  // Page 3 was the right neighbour before, and its image is of that time.
  EXPECT_THAT(pages.NoteRead(3, Leaf(3, 2, 0, "b", "d")), IsEmpty());
  // Another use of page 5, and of the pages that refer to it.
  pages.NoteWritten(5);
  EXPECT_THAT(pages.NoteRead(1, Internal(1, 2, {Child("", 2), Child("b", 3), Child("q", 5)})),
              IsEmpty());
  EXPECT_THAT(pages.NoteRead(5, Internal(5, 7, {})), IsEmpty());
}

TEST(TreePages, ASpoiledPageIsSummedWrong) {
  Page page = Leaf(3, 0, 0, "a", "b");
  Put(page, 28, TreeChecksum(page.data(), page.size()));
  EXPECT_TRUE(IsSummedRight(page));
  SpoilTreePage(page);
  EXPECT_FALSE(IsSummedRight(page));
}

// Berkeley DB does not check the sum of a meta page whose header says that it has none.
TEST(TreePages, AlsoOneWhoseSumNobodyWouldLookAt) {
  constexpr uint8_t kHashMeta = 8, kBtreeMeta = 9, kQueueMeta = 10;
  for (const uint8_t kind : {kHashMeta, kBtreeMeta, kQueueMeta}) {
    Page page = Leaf(3, 0, 0, "a", "b");
    page[25] = std::byte{kind};
    page[26] = std::byte{0};
    EXPECT_TRUE(IsSummedRight(page));
    SpoilTreePage(page);
    EXPECT_FALSE(IsSummedRight(page));
  }
}

// Berkeley DB takes a page without a place in the log, number and kind for a hole of the file.
TEST(TreePages, AlsoOneThatBeginsLikeAHole) {
  Page page(kTreePageBytes);
  Put(page, 20, uint16_t{3});
  EXPECT_EQ(Trouble(3, page), "is page 0 of a tree");
  EXPECT_TRUE(IsSummedRight(page));
  SpoilTreePage(page);
  EXPECT_FALSE(IsSummedRight(page));
}

}  // namespace
}  // namespace tenure::store
