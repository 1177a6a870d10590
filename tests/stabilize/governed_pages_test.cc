#include "stabilize/governed_pages.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace tenure::stabilize {
namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::Ref;

// Writes down what it is asked to do: "+2,3" makes pages 2 to 4 writable.
class Recorder final : public HeapProtection {
 public:
  Recorder(const char* base, std::vector<std::string>& calls) : base_(base), calls_(calls) {}
  Status SetWritable(void* page, size_t pages, bool writable) override {
    const auto first = static_cast<size_t>(static_cast<char*>(page) - base_) / kPageBytes;
    calls_.push_back((writable ? "+" : "-") + std::to_string(first) + "," + std::to_string(pages));
    return Status::Ok();
  }

 private:
  const char* base_;
  std::vector<std::string>& calls_;
};

class GovernedPagesTest : public ::testing::Test {
 protected:
  static constexpr size_t kPages = 16;

  // Object i of a page, of 64 bytes with its header.
  Ref Object(size_t page, size_t i = 0) {
    return memory_ + page * kPageBytes + i * 64 + kHeaderBytes;
  }
  void Add(size_t page, size_t i = 0) { pages_.Add(Object(page, i), 64); }
  void Remove(size_t page, size_t i = 0) { pages_.Remove(Object(page, i), 64); }
  std::vector<std::string> Calls() { return std::move(calls_); }
  // Young: the pages below.
  void UnprotectYoung(size_t below) {
    ASSERT_TRUE(
        pages_.UnprotectYoung([&](const char* page) { return page < memory_ + below * kPageBytes; })
            .ok());
  }

  using Strings = std::vector<std::string>;
  std::unique_ptr<char[]> owned_ = std::make_unique<char[]>((kPages + 1) * kPageBytes);
  char* memory_ = GovernedPages::PageOf(owned_.get() + kPageBytes - 1);
  std::vector<std::string> calls_;
  GovernedPages pages_{std::make_unique<Recorder>(memory_, calls_)};
};

TEST_F(GovernedPagesTest, NeighboursAreProtectedTogether) {
  for (const size_t page : {5, 3, 4, 9, 1}) Add(page);
  Add(4, 1);
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"-1,1", "-3,3", "-9,1"}));
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), Strings{});
  ASSERT_TRUE(pages_.MakeWritable(*pages_.Find(Object(4))).ok());
  ASSERT_TRUE(pages_.UnprotectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"+4,1", "+1,1", "+3,1", "+5,1", "+9,1"}));
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"-1,1", "-3,3", "-9,1"}));
}

TEST_F(GovernedPagesTest, AMinorCollectionTouchesYoungPagesOnly) {
  for (size_t page = 0; page < 8; ++page) Add(page);
  ASSERT_TRUE(pages_.ProtectAll().ok());
  Calls();
  UnprotectYoung(3);
  EXPECT_EQ(Calls(), Strings{"+0,3"});
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), Strings{"-0,3"});
  // A page that was old never is young again while it is governed.
  UnprotectYoung(8);
  EXPECT_EQ(Calls(), Strings{"+0,3"});
}

TEST_F(GovernedPagesTest, PagesThatLostTheirLastObjectAreGivenUp) {
  for (size_t page = 0; page < 6; ++page) Add(page);
  Add(2, 1);
  ASSERT_TRUE(pages_.ProtectAll().ok());
  Calls();
  for (const size_t page : {1, 2, 3, 4}) Remove(page);
  Add(4, 1);  // before the sweep: stays
  ASSERT_TRUE(pages_.Sweep().ok());
  EXPECT_EQ(Calls(), (Strings{"+1,1", "+3,1"}));
  EXPECT_EQ(pages_.size(), 4u);
  EXPECT_FALSE(pages_.Contains(Object(1)));
  EXPECT_TRUE(pages_.Contains(Object(2)));
  EXPECT_TRUE(pages_.Contains(Object(4)));
  ASSERT_TRUE(pages_.Sweep().ok());
  EXPECT_EQ(Calls(), Strings{});
  // Nothing refers to the pages that are gone.
  UnprotectYoung(kPages);
  EXPECT_EQ(Calls(), (Strings{"+0,1", "+2,1", "+4,2"}));
  Remove(2, 1);
  Add(2);
  Remove(2);
  ASSERT_TRUE(pages_.Sweep().ok());
  EXPECT_EQ(pages_.size(), 3u);
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"-0,1", "-4,2"}));
}

TEST_F(GovernedPagesTest, WhatATransactionWroteStaysWritable) {
  for (size_t page = 0; page < 3; ++page) Add(page);
  ASSERT_TRUE(pages_.ProtectAll().ok());
  Calls();
  ASSERT_TRUE(pages_.Open(*pages_.Find(Object(1)), GovernedState::kDirty).ok());
  EXPECT_EQ(Calls(), Strings{"+1,1"});
  ASSERT_TRUE(pages_.UnprotectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"+0,1", "+2,1"}));
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), (Strings{"-0,1", "-2,1"}));
  pages_.Accept(*pages_.Find(Object(1)));
  ASSERT_TRUE(pages_.ProtectAll().ok());
  EXPECT_EQ(Calls(), Strings{"-1,1"});
}

}  // namespace
}  // namespace tenure::stabilize
