// Stacks, globals and the registry, through a real heap.

#include <gtest/gtest.h>

#include "abi/entry_points.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/type_registry.h"
#include "runtime/start/runtime.h"
#include "tests/runtime/test_program.h"

extern "C" {
void tn_gc_disable();
void tn_gc_enable();
}

namespace tenure::runtime::test {

using namespace abi;  // the entry points

namespace {

TEST(RootsTest, WhatAStackFrameHoldsStaysWhereItIs) {
  Cell* cell = NewCell(1, NewCell(2, nullptr));
  Cell* const before = cell;
  for (int i = 0; i < 3; ++i) Runtime::Get().heap().CollectMajor();
  EXPECT_EQ(cell, before);
  EXPECT_EQ(cell->value, 1);
  EXPECT_EQ(cell->next->value, 2);
}

// Leaves only a disguised address behind.
__attribute__((noinline)) uintptr_t FillGlobal() {
  Cell* list = nullptr;
  for (int i = 0; i < 100; ++i) list = NewCell(i, list);
  global_reference = list;
  return ~reinterpret_cast<uintptr_t>(list);
}

__attribute__((noinline)) void ClearStack() {
  volatile char stack[16384];
  for (size_t i = 0; i < sizeof stack; ++i) stack[i] = 0;
}

TEST(RootsTest, AGlobalVariableIsUpdatedWhenItsObjectMoves) {
  const uintptr_t disguised = FillGlobal();
  ClearStack();
  Runtime::Get().heap().CollectMajor();
  EXPECT_NE(~reinterpret_cast<uintptr_t>(global_reference), disguised);
  int64_t expected = 99;
  for (Cell* c = static_cast<Cell*>(global_reference); c != nullptr; c = c->next) {
    EXPECT_EQ(c->value, expected--);
  }
  EXPECT_EQ(expected, -1);
  global_reference = nullptr;
}

constexpr int kLeft = 512;

// Leaves a reference to another cell of the global list in each word where the frames of later
// calls will lie.
__attribute__((noinline)) void LeaveOnStack() {
  void* volatile stack[kLeft];
  auto* cell = static_cast<Cell*>(global_reference);
  for (void* volatile& word : stack) {
    word = cell;
    cell = cell->next;
  }
}

// As compiled code; returns how many objects the collection pinned.
__attribute__((noinline)) uint64_t AllocateUntilItCollects() {
  const gc::Heap& heap = Runtime::Get().heap();
  const uint64_t collections = heap.collections();
  const uint64_t pinned = heap.stats().objects_pinned;
  LeaveOnStack();
  while (heap.collections() == collections) tn_allocate_slow(kCellType, sizeof(Cell));
  return heap.stats().objects_pinned - pinned;
}

TEST(RootsTest, WordsOfEarlierCallsInTheFramesOfAnAllocationKeepNothing) {
  Cell* list = nullptr;
  for (int i = 0; i < kLeft; ++i) list = NewCell(i, list);
  global_reference = list;
  list = nullptr;
  ClearStack();
  // The frames of the allocation have some ten words that they never write; the frame of the
  // entry point, which is recorded as a whole, has one or two.
  EXPECT_LE(AllocateUntilItCollects(), 4u);
  global_reference = nullptr;
}

TEST(RootsTest, NothingMovesWhileCollectionsAreDisabled) {
  tn_gc_disable();
  const uintptr_t disguised = FillGlobal();
  ClearStack();
  Runtime::Get().heap().CollectMajor();
  EXPECT_EQ(~reinterpret_cast<uintptr_t>(global_reference), disguised);
  tn_gc_enable();
  Runtime::Get().heap().CollectMajor();
  EXPECT_NE(~reinterpret_cast<uintptr_t>(global_reference), disguised);
  global_reference = nullptr;
}

TEST(RootsTest, ANegativeLengthIsAnError) {
  const auto allocate = [](void* length) {
    tn_allocate_array(kArrayType, static_cast<int64_t*>(length));
  };
  int64_t length = -1;
  EXPECT_EXIT(tn_test_without_handlers(allocate, &length), testing::ExitedWithCode(4),
              "ValueOutOfRange: negative length in NEW");
  length = INT64_MAX;
  EXPECT_EXIT(tn_test_without_handlers(allocate, &length), testing::ExitedWithCode(4),
              "OutOfMemory");
}

TEST(RootsTest, ArraysCarryTheirLength) {
  const int64_t length = 1000;
  abi::Ref array = tn_allocate_array(kArrayType, &length);
  EXPECT_EQ(*abi::OpenLengths(*kArrayType, array), 1000u);
}

TEST(TypeRegistryTest, FindsTypesAndProcedures) {
  const TypeRegistry& types = Runtime::Get().types();
  EXPECT_EQ(types.ByTypecode(2), kCellType);
  EXPECT_EQ(types.ByTypecode(99), nullptr);
  EXPECT_EQ(types.ByFingerprint(kCellType->fingerprint), kCellType);
  EXPECT_EQ(types.ByFingerprint(999), nullptr);
  EXPECT_TRUE(types.IsDescriptor(kCellType));
  EXPECT_FALSE(types.IsDescriptor(reinterpret_cast<const abi::TypeDescriptor*>(
      reinterpret_cast<uintptr_t>(kCellType) + abi::kDescriptorAlignment)));
  const abi::UnitInfo& unit = *Runtime::Get().program().units[0];
  ASSERT_GT(unit.procedure_count, 0u);
  EXPECT_EQ(types.ProcedureByCode(unit.procedures[0].code), &unit.procedures[0]);
  EXPECT_EQ(types.ProcedureByCode(nullptr), nullptr);
}

}  // namespace
}  // namespace tenure::runtime::test
