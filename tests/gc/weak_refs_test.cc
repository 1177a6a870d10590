#include "gc/weak_refs.h"

#include <gtest/gtest.h>

#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

class WeakRefsTest : public ::testing::Test {
 protected:
  void TearDown() override { heap.Verify(); }
  uint64_t Register(const std::string& name, bool wants_cleanup) {
    return weak().Register(heap.Find(name), 1000, wants_cleanup);
  }
  WeakRefs& weak() { return heap.heap().weak_refs(); }
  // Takes the waiting clean-ups and returns the names of their objects, oldest first.
  std::vector<Ref> TakeAll() {
    std::vector<Ref> taken;
    WeakRefs::Cleanup cleanup;
    while (weak().TakeCleanup(&cleanup)) taken.push_back(cleanup.object);
    return taken;
  }
  TestHeap heap;
};

TEST_F(WeakRefsTest, FollowsALiveObject) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  const uint64_t id = Register("a", false);
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(id), heap.Find("a"));
  heap.CollectMajor();
  EXPECT_EQ(weak().Get(id), heap.Find("a"));
}

TEST_F(WeakRefsTest, DoesNotKeepItsObject) {
  heap.Build({{"a", {}}});
  const uint64_t id = Register("a", false);
  EXPECT_EQ(weak().Get(id), heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(id), nullptr);
  EXPECT_FALSE(heap.IsLive("a"));
  EXPECT_TRUE(TakeAll().empty());
}

TEST_F(WeakRefsTest, OldObjectsDieAtAMajorCollection) {
  heap.Build({{"a", {}}});
  heap.AddExactRoot("a");
  heap.CollectMajor();
  const uint64_t id = Register("a", false);
  heap.ClearRoots();
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(id), heap.Find("a"));
  heap.CollectMajor();
  EXPECT_EQ(weak().Get(id), nullptr);
}

TEST_F(WeakRefsTest, CleanupGetsTheObjectBackOnce) {
  heap.Build({{"a", {"b"}}, {"b", {}}});
  const uint64_t id = Register("a", true);
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(id), nullptr);
  // The object and the objects that it refers to live, and may move, until the clean-up is taken.
  heap.CollectMinor();
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsLive("a"));
  EXPECT_EQ(*NodeEdge(heap.Find("a"), 0), heap.Find("b"));
  WeakRefs::Cleanup cleanup;
  ASSERT_TRUE(weak().TakeCleanup(&cleanup));
  EXPECT_EQ(cleanup.object, heap.Find("a"));
  EXPECT_EQ(cleanup.id, id);
  EXPECT_EQ(cleanup.cookie, 1000u);
  EXPECT_FALSE(weak().TakeCleanup(&cleanup));
  heap.CollectMajor();
  EXPECT_FALSE(heap.IsLive("a"));
}

TEST_F(WeakRefsTest, UsersBeforeWhatTheyUse) {
  heap.Build({{"user", {"used"}}, {"used", {}}});
  Register("used", true);
  Register("user", true);
  heap.CollectMinor();
  EXPECT_EQ(TakeAll(), std::vector<Ref>{heap.Find("user")});
  heap.CollectMinor();
  EXPECT_EQ(TakeAll(), std::vector<Ref>{heap.Find("used")});
}

TEST_F(WeakRefsTest, CyclesWait) {
  heap.Build({{"a", {"b"}}, {"b", {"a"}}});
  Register("a", true);
  Register("b", true);
  heap.CollectMinor();
  heap.CollectMajor();
  EXPECT_TRUE(TakeAll().empty());
  EXPECT_TRUE(heap.IsLive("a"));
}

TEST_F(WeakRefsTest, ReleasedReferenceIsForgotten) {
  heap.Build({{"a", {}}, {"b", {}}});
  const uint64_t a = Register("a", true);
  weak().Release(a);
  weak().Release(a);
  EXPECT_EQ(weak().Get(a), nullptr);
  const uint64_t b = Register("b", false);
  EXPECT_NE(a, b);
  EXPECT_EQ(weak().Get(a), nullptr);
  EXPECT_EQ(weak().size(), 1u);
  heap.CollectMinor();
  EXPECT_TRUE(TakeAll().empty());
  EXPECT_EQ(weak().size(), 0u);
}

TEST_F(WeakRefsTest, PlacesOfDeadObjectsAreUsedAgain) {
  heap.Build({{"a", {}}, {"b", {}}, {"c", {}}});
  const uint64_t dead = Register("a", false);
  const uint64_t cleaned = Register("b", true);
  heap.CollectMinor();
  TakeAll();
  EXPECT_EQ(weak().size(), 0u);
  heap.Build({{"d", {}}, {"e", {}}});
  heap.AddExactRoot("d");
  heap.AddExactRoot("e");
  const uint64_t first = Register("d", false), second = Register("e", false);
  EXPECT_EQ(static_cast<uint32_t>(first ^ cleaned), 0u);  // the lower half is the place
  EXPECT_EQ(static_cast<uint32_t>(second ^ dead), 0u);
  EXPECT_EQ(weak().Get(dead), nullptr);
  EXPECT_EQ(weak().Get(cleaned), nullptr);
  EXPECT_EQ(weak().Get(first), heap.Find("d"));
  EXPECT_EQ(weak().Get(second), heap.Find("e"));
}

TEST_F(WeakRefsTest, LargeAndPinnedObjects) {
  heap.MakeNode("large", 2000);
  heap.MakeNode("pinned", 0);
  heap.AddAmbiguousRoot("pinned");
  const uint64_t large = Register("large", false), pinned = Register("pinned", true);
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(large), nullptr);
  EXPECT_EQ(weak().Get(pinned), heap.Find("pinned"));
}

TEST_F(WeakRefsTest, CleanupOfAnObjectThatBecamePersistentIsForgotten) {
  TestPersistentSpace space(heap.heap());
  heap.Build({{"a", {}}});
  const uint64_t id = Register("a", true);
  const Ref home = space.Displace(heap.Find("a"));
  heap.CollectMinor();
  EXPECT_EQ(weak().Get(id), home);
  heap.CollectMajor();
  EXPECT_EQ(weak().Get(id), home);
  EXPECT_TRUE(TakeAll().empty());
}

TEST_F(WeakRefsTest, Many) {
  std::vector<uint64_t> ids;
  for (int i = 0; i < 10000; ++i) {
    const std::string name = "n" + std::to_string(i);
    const Ref node = heap.MakeNode(name, 0);
    ids.push_back(weak().Register(node, static_cast<uint64_t>(i), i % 2 == 0));
    if (i % 10 == 5) heap.roots().exact.push_back(node);
  }
  heap.CollectMajor();
  size_t live = 0;
  for (const uint64_t id : ids) live += weak().Get(id) != nullptr;
  EXPECT_EQ(live, 1000u);
  EXPECT_EQ(TakeAll().size(), 5000u);
}

}  // namespace
}  // namespace tenure::gc
