#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lab/esm/btree.h"
#include "lab/esm/buffer_pool.h"
#include "lab/esm/regions.h"
#include "lab/support/lab_store.h"

namespace tenure::lab::esm {
namespace {

std::vector<std::pair<uint32_t, uint32_t>> Parts(const RegionSet& set) {
  std::vector<std::pair<uint32_t, uint32_t>> parts;
  for (const Region& region : set.InOrder()) parts.emplace_back(region.offset, region.bytes);
  return parts;
}

TEST(RegionsTest, RegionsThatTouchBecomeOne) {
  RegionSet set;
  set.Add({100, 10});
  set.Add({120, 10});
  EXPECT_EQ(Parts(set), (std::vector<std::pair<uint32_t, uint32_t>>{{100, 10}, {120, 10}}));
  set.Add({110, 10});
  EXPECT_EQ(Parts(set), (std::vector<std::pair<uint32_t, uint32_t>>{{100, 30}}));
  set.Add({90, 100});
  set.Add({95, 5});
  EXPECT_EQ(Parts(set), (std::vector<std::pair<uint32_t, uint32_t>>{{90, 100}}));
}

TEST(RegionsTest, NeighboursAreLoggedTogetherIfThatIsLess) {
  std::vector<std::byte> before(200), after(200);
  const auto records = [&](std::vector<size_t> changed) {
    after = before;
    for (const size_t at : changed) after[at] = std::byte{1};
    RegionSet set;
    LogCounters log;
    DiffObject(before.data(), after.data(), 0, 200, &set, &log);
    return log;
  };
  EXPECT_EQ(records({}).records, 0u);
  EXPECT_EQ(records({0, 2, 4}).records, 1u);
  EXPECT_EQ(records({0, 2, 4}).bytes, kLogHeaderBytes + 2 * 5u);
  // A gap costs twice its bytes, a record its header.
  EXPECT_EQ(records({0, 1 + kLogHeaderBytes / 2}).records, 1u);
  EXPECT_EQ(records({0, 2 + kLogHeaderBytes / 2}).records, 2u);
}

class IdleUser final : public PoolUser {
 public:
  void Leaves(uint64_t, uint32_t) override { ++left; }
  void ProtectAll() override { ++protected_all; }
  int left = 0, protected_all = 0;
};

class PoolTest : public ::testing::TestWithParam<Clock> {};

TEST_P(PoolTest, ChangedPagesLeaveASmallPoolAndAreCommitted) {
  LabStore store("");
  store::PageServer& server = store.server();
  const store::DatabaseId database = *server.OpenDatabase("db", store::OpenMode::kCreate);
  IdleUser user;
  BufferPool pool(server, database, 10, GetParam(), user);
  const uint64_t first = pool.Allocate(50);
  for (uint64_t i = 0; i < 50; ++i) {
    pool.Bytes(pool.FixNew(first + i))[7] = static_cast<std::byte>(i);
  }
  EXPECT_EQ(user.left, 40);
  EXPECT_EQ(user.protected_all > 0, GetParam() == Clock::kProtection);
  pool.Commit();
  EXPECT_EQ(pool.counters().pages_written, 50u);
  for (uint64_t i = 0; i < 50; ++i) {
    std::byte* const page = pool.Bytes(pool.Fix(first + i, PageUse::kData));
    ASSERT_EQ(page[7], static_cast<std::byte>(i));
    pool.Regions(first + i).Add({9, 1});
    page[9] = static_cast<std::byte>(i * 3);
  }
  pool.Commit();
  EXPECT_EQ(pool.counters().pages_changed, 50u);
  IdleUser other;
  BufferPool again(server, database, 60, GetParam(), other);
  for (uint64_t i = 0; i < 50; ++i) {
    const std::byte* const page = again.Bytes(again.Fix(first + i, PageUse::kData));
    ASSERT_EQ(page[9], static_cast<std::byte>(i * 3));
    ASSERT_EQ(page[7], static_cast<std::byte>(i));
  }
  EXPECT_EQ(again.counters().data_reads, 50u);
}

// Each page of objects that comes into the pool is a trap for QuickStore; a page of an index is
// not.
TEST_P(PoolTest, OnlyPagesOfObjectsThatComeBackAreCountedAsSuch) {
  LabStore store("");
  store::PageServer& server = store.server();
  IdleUser user;
  BufferPool pool(server, *server.OpenDatabase("db", store::OpenMode::kCreate), 10, GetParam(),
                  user);
  const uint64_t first = pool.Allocate(50);
  for (uint64_t i = 0; i < 50; ++i) (void)pool.FixNew(first + i);
  (void)pool.Fix(first, PageUse::kIndex);
  EXPECT_EQ(pool.counters().spilled_reads, 0u);
  (void)pool.Fix(first + 1, PageUse::kData);
  EXPECT_EQ(pool.counters().spilled_reads, 1u);
}

TEST_P(PoolTest, APinnedPageStays) {
  LabStore store("");
  store::PageServer& server = store.server();
  IdleUser user;
  BufferPool pool(server, *server.OpenDatabase("db", store::OpenMode::kCreate), 10, GetParam(),
                  user);
  const uint64_t first = pool.Allocate(40);
  const Pinned pinned(pool, pool.FixNew(first));
  pinned.bytes()[0] = std::byte{42};
  for (uint64_t i = 1; i < 40; ++i) (void)pool.FixNew(first + i);
  EXPECT_TRUE(pool.Find(first, false).has_value());
  EXPECT_EQ(pinned.bytes()[0], std::byte{42});
}

INSTANTIATE_TEST_SUITE_P(Clocks, PoolTest, ::testing::Values(Clock::kBits, Clock::kProtection));

TEST(BTreeTest, AgreesWithAMapInAPoolOfTenPages) {
  LabStore store("");
  store::PageServer& server = store.server();
  IdleUser user;
  BufferPool pool(server, *server.OpenDatabase("db", store::OpenMode::kCreate), 10, Clock::kBits,
                  user);
  BTree tree(pool, pool.Allocate(1), 8);
  tree.Create();
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> model;
  std::mt19937 random(7);
  for (uint64_t i = 0; i < 20000; ++i) {
    const std::pair<uint32_t, uint32_t> key(random() % 300, random() % 50);
    const auto found = tree.Find({key.first, key.second});
    ASSERT_EQ(found.has_value(), model.contains(key));
    if (found) {
      ASSERT_EQ(found->first, model[key]);
      tree.Erase({key.first, key.second});
      model.erase(key);
    } else {
      tree.Insert({key.first, key.second}, {i, 0});
      model[key] = i;
    }
  }
  std::vector<uint64_t> expected, met;
  for (auto at = model.lower_bound({100, 0}); at != model.end(); ++at) {
    expected.push_back(at->second);
  }
  tree.ForEachFrom(IndexKey(100, 0), [&](IndexValue value) { met.push_back(value.first); });
  EXPECT_EQ(met, expected);
}

}  // namespace
}  // namespace tenure::lab::esm
