#include "runtime/exceptions/unwind_tables.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenure::runtime {
namespace {

constexpr uintptr_t kFunction = 0x40000;

// Calls at 0x10..0x13 (handlers, at 0x80), 0x20..0x23 (a cleanup, at 0x90), 0x30..0x1ff (no landing
// pad).
std::vector<uint8_t> Table() {
  const std::vector<uint8_t> sites = {
      0x10, 0x04, 0x80, 0x01, 3,  // handlers, first action record at offset 2
      0x20, 0x04, 0x90, 0x01, 0,  // cleanup
      0x30, 0xd0, 0x03, 0,    0,  // nothing
  };
  const std::vector<uint8_t> actions = {
      1, 0,     // offset 0: type 1 (catch-all), last
      2, 0x7d,  // offset 2: type 2 (0x1000), then offset 0
  };
  const std::vector<uint8_t> types = {0x00, 0x10, 0, 0,   // type 2
                                      0,    0,    0, 0};  // type 1
  std::vector<uint8_t> table = {255, 3};
  table.push_back(static_cast<uint8_t>(2 + sites.size() + actions.size() + types.size()));
  table.push_back(1);
  table.push_back(static_cast<uint8_t>(sites.size()));
  for (const auto* part : {&sites, &actions, &types}) {
    table.insert(table.end(), part->begin(), part->end());
  }
  return table;
}

bool TakesEverything(const void* type, void*) { return type == nullptr; }
bool TakesThousand(const void* type, void*) {
  return type == reinterpret_cast<const void*>(0x1000);
}
bool TakesNothing(const void*, void*) { return false; }

LandingPad Find(uintptr_t offset, ClauseMatcher matches) {
  const std::vector<uint8_t> table = Table();
  return FindLandingPad(table.data(), kFunction, kFunction + offset, matches, nullptr);
}

TEST(UnwindTablesTest, ClausesAreTriedInOrder) {
  EXPECT_EQ(Find(0x12, TakesThousand).kind, LandingPad::Kind::kHandler);
  EXPECT_EQ(Find(0x12, TakesThousand).selector, 2);
  EXPECT_EQ(Find(0x12, TakesEverything).selector, 1);
  EXPECT_EQ(Find(0x12, TakesEverything).address, kFunction + 0x80);
  EXPECT_EQ(Find(0x12, TakesNothing).kind, LandingPad::Kind::kNone);
}

TEST(UnwindTablesTest, ACleanupNeedsNoMatch) {
  EXPECT_EQ(Find(0x20, nullptr).kind, LandingPad::Kind::kCleanup);
  EXPECT_EQ(Find(0x20, nullptr).address, kFunction + 0x90);
  EXPECT_EQ(Find(0x12, nullptr).kind, LandingPad::Kind::kNone);
}

TEST(UnwindTablesTest, AnAddressOutsideAllCallSitesHasNoLandingPad) {
  for (const uintptr_t offset : {0x0, 0xf, 0x14, 0x1f, 0x24, 0x30, 0x100, 0x5000}) {
    EXPECT_EQ(Find(offset, TakesEverything).kind, LandingPad::Kind::kNone) << offset;
  }
  EXPECT_EQ(FindLandingPad(nullptr, kFunction, kFunction, TakesEverything, nullptr).kind,
            LandingPad::Kind::kNone);
}

}  // namespace
}  // namespace tenure::runtime
