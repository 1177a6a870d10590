// The order in which a collection places objects, by HeapOptions::order.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "abi/heap_constants.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::Ref;

class EvacuationOrderTest : public ::testing::TestWithParam<EvacuationOrder> {
 protected:
  static HeapOptions Options() {
    HeapOptions options = TestHeap::SmallOptions();
    options.order = GetParam();
    return options;
  }
  static bool Hierarchical() { return GetParam() == EvacuationOrder::kHierarchical; }
  uintptr_t PageOf(const std::string& name) const {
    return reinterpret_cast<uintptr_t>(heap.Find(name)) / abi::kPageBytes;
  }
  void TearDown() override { heap.Verify(); }

  TestHeap heap{Options()};
};

std::string Node(int i) { return "n" + std::to_string(i); }
std::string Link(int list, int i) { return std::to_string(list) + "." + std::to_string(i); }

TEST_P(EvacuationOrderTest, ATree) {
  constexpr int kNodes = 4095;
  for (int i = 1; i <= kNodes; ++i) heap.MakeNode(Node(i), 2);
  for (int i = 2; i <= kNodes; ++i) heap.SetEdge(Node(i / 2), i % 2, Node(i));
  heap.AddExactRoot(Node(1));
  heap.CollectMinor();
  int near = 0;
  for (int i = 2; i <= kNodes; ++i) {
    ASSERT_TRUE(heap.IsLive(Node(i)));
    near += PageOf(Node(i)) == PageOf(Node(i / 2)) ? 1 : 0;
  }
  if (Hierarchical()) {
    EXPECT_GT(near, kNodes / 2);
  } else {
    EXPECT_LT(near, kNodes / 8);
  }
}

TEST_P(EvacuationOrderTest, ListsThatAnOldObjectHolds) {
  constexpr int kLists = 40;
  constexpr int kLength = 50;
  heap.MakeNode("old", kLists);
  heap.AddExactRoot("old");
  heap.CollectMajor();
  ASSERT_TRUE(heap.IsOld("old"));
  for (int i = 0; i < kLength; ++i) {
    for (int list = 0; list < kLists; ++list) {
      heap.MakeNode(Link(list, i), 1);
      if (i == 0) {
        heap.SetEdge("old", list, Link(list, 0));
      } else {
        heap.SetEdge(Link(list, i - 1), 0, Link(list, i));
      }
    }
  }
  heap.CollectMinor();
  size_t pages = 0;
  for (int list = 0; list < kLists; ++list) {
    std::set<uintptr_t> of_list;
    for (int i = 0; i < kLength; ++i) {
      ASSERT_TRUE(heap.IsLive(Link(list, i)));
      of_list.insert(PageOf(Link(list, i)));
    }
    pages += of_list.size();
  }
  if (Hierarchical()) {
    EXPECT_LE(pages, 2u * kLists);
  } else {
    EXPECT_GT(pages, 5u * kLists);
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, EvacuationOrderTest,
                         ::testing::Values(EvacuationOrder::kHierarchical,
                                           EvacuationOrder::kBreadth),
                         [](const auto& order) {
                           return order.param == EvacuationOrder::kHierarchical ? "Hierarchical"
                                                                                : "Breadth";
                         });

}  // namespace
}  // namespace tenure::gc
