// The verifier finds each deliberate damage of a heap and names it in its message.
#include "gc/verifier.h"

#include <gtest/gtest.h>

#include "gc/card_table.h"
#include "tests/support/test_heap.h"

namespace tenure::gc {
namespace {

using abi::ObjectHeader;
using abi::Ref;

// Heap::Verify prints and aborts, so each finding is a death.
class VerifierDeathTest : public ::testing::Test {
 protected:
  VerifierDeathTest() {
    ::testing::FLAGS_gtest_death_test_style = "fast";
    heap.Build({{"a", {"b", "c"}}, {"b", {}}, {"c", {"a"}}});
    heap.AddExactRoot("a");
  }
  uint64_t& Header(const std::string& name) { return ObjectHeader::Of(heap.Find(name))->word; }
  TestHeap heap;
};

TEST_F(VerifierDeathTest, SoundHeapPasses) {
  heap.Verify();
  heap.CollectMinor();
  heap.Verify();
  heap.CollectMajor();
  heap.Verify();
}

TEST_F(VerifierDeathTest, InteriorReference) {
  *NodeEdge(heap.Find("a"), 0) = NodeEdge(heap.Find("c"), 0);
  EXPECT_DEATH(heap.Verify(), "heap verifier, on request: object .* refers to .* where no object");
}

TEST_F(VerifierDeathTest, UnalignedReference) {
  *NodeEdge(heap.Find("a"), 0) = static_cast<char*>(heap.Find("c")) + 3;
  EXPECT_DEATH(heap.Verify(), "not aligned");
}

TEST_F(VerifierDeathTest, ReferenceToAFreePage) {
  *NodeEdge(heap.Find("a"), 0) = static_cast<char*>(heap.Find("c")) + 50 * abi::kPageBytes;
  EXPECT_DEATH(heap.Verify(), "on a free page");
}

TEST_F(VerifierDeathTest, StaleReferenceAfterAMove) {
  const Ref stale = heap.Find("b");
  heap.CollectMajor();
  *NodeEdge(heap.Find("a"), 0) = stale;
  EXPECT_DEATH(heap.Verify(), "refers to .* in ");
}

TEST_F(VerifierDeathTest, ReferenceToWhereNoObjectCanBe) {
  *NodeEdge(heap.Find("a"), 0) = reinterpret_cast<Ref>(0x10);
  EXPECT_DEATH(heap.Verify(), "which is not an object");
}

TEST_F(VerifierDeathTest, StaticAddressThatIsNoObject) {
  alignas(16) static uint64_t words[4] = {0, 0, 0, 0};
  heap.roots().exact.push_back(&words[1]);
  EXPECT_DEATH(heap.Verify(), "an exact root .* which is not an object");
}

TEST_F(VerifierDeathTest, BadRoot) {
  heap.roots().exact.push_back(static_cast<char*>(heap.Find("b")) + 8);
  EXPECT_DEATH(heap.Verify(), "an exact root .* where no object");
}

TEST_F(VerifierDeathTest, ClobberedHeader) {
  Header("b") = 0x7777770;
  EXPECT_DEATH(heap.Verify(), "no valid type descriptor");
}

TEST_F(VerifierDeathTest, DescriptorThatTheProgramDoesNotHave) {
  HeapOptions options = TestHeap::SmallOptions();
  options.is_type_descriptor = [](const abi::TypeDescriptor* type) { return type == &kNodeType; };
  TestHeap strict(options);
  strict.Build({{"a", {}}});
  strict.Verify();
  strict.Allocate(kPairType, 32);
  EXPECT_DEATH(strict.Verify(), "no valid type descriptor");
}

TEST_F(VerifierDeathTest, LengthThatRunsOffThePage) {
  static_cast<uint64_t*>(heap.Find("b"))[1] = 5000;
  EXPECT_DEATH(heap.Verify(), "impossible lengths|its page has");
}

TEST_F(VerifierDeathTest, LengthsWhoseProductOverflows) {
  const int64_t lengths[] = {1, 1};
  const Ref matrix = heap.Allocate(kMatrixType, 16 + 24, lengths);
  static_cast<uint64_t*>(matrix)[0] = uint64_t{1} << 61;
  static_cast<uint64_t*>(matrix)[1] = 8;
  EXPECT_DEATH(heap.Verify(), "impossible lengths");
}

TEST_F(VerifierDeathTest, LeftOverMark) {
  Header("b") |= ObjectHeader::kMarkBit;
  EXPECT_DEATH(heap.Verify(), "still has a mark or a pin");
}

TEST_F(VerifierDeathTest, LeftOverForwarding) {
  Header("b") = ObjectHeader::ForForwarding(heap.Find("c"));
  EXPECT_DEATH(heap.Verify(), "still forwarded");
}

TEST_F(VerifierDeathTest, DisplacedWithoutADatabase) {
  Header("b") |= ObjectHeader::kDisplacedBit;
  EXPECT_DEATH(heap.Verify(), "displaced bit");
}

TEST_F(VerifierDeathTest, DisplacedBitWithoutAnEntry) {
  TestPersistentSpace space(heap.heap());
  space.Displace(heap.Find("b"));
  heap.Verify();
  Header("c") |= ObjectHeader::kDisplacedBit;
  EXPECT_DEATH(heap.Verify(), "2 objects have the displaced bit, the table has 1");
}

TEST_F(VerifierDeathTest, OldToYoungWithACleanCard) {
  heap.CollectMajor();
  heap.MakeNode("young", 0);
  *NodeEdge(heap.Find("a"), 0) = heap.Find("young");  // no barrier
  EXPECT_DEATH(heap.Verify(), "refers to young .* whose card is clean");
}

TEST_F(VerifierDeathTest, LostFreeSpace) {
  *reinterpret_cast<uint64_t*>(heap.mutator().allocation_pointer) = 0;
  heap.mutator().allocation_pointer = heap.mutator().allocation_limit = nullptr;
  EXPECT_DEATH(heap.Verify(), "no object and no filler begins at");
}

TEST_F(VerifierDeathTest, BrokenFiller) {
  char* rest = heap.mutator().allocation_pointer;
  heap.heap().RetireBuffer(heap.mutator());
  heap.Verify();
  reinterpret_cast<ObjectHeader*>(rest)->word = ObjectHeader::ForFiller(1 << 20);
  EXPECT_DEATH(heap.Verify(), "filler at .* has 1048576 bytes");
}

TEST_F(VerifierDeathTest, WrongObjectStartMap) {
  heap.AddAmbiguousRoot("b");
  heap.CollectMajor();  // The page of b is kept, its map known.
  const Ref b = heap.Find("b");
  // Two objects in the place of one.
  char* rest = static_cast<char*>(b) + 16;
  ObjectHeader* header = reinterpret_cast<ObjectHeader*>(rest);
  ASSERT_TRUE(header->is_filler());
  const uint32_t bytes = header->filler_bytes();
  static_cast<uint64_t*>(static_cast<void*>(rest))[1] = 0;
  static_cast<uint64_t*>(static_cast<void*>(rest))[2] = 0;
  header->word = ObjectHeader::ForType(&kNodeType);
  reinterpret_cast<ObjectHeader*>(rest + 24)->word = ObjectHeader::ForFiller(bytes - 24);
  EXPECT_DEATH(heap.Verify(), "object-start map of page .* is wrong|gap .* is not a filler");
}

TEST_F(VerifierDeathTest, ParanoidModeFindsItAtTheNextCollection) {
  HeapOptions options = TestHeap::SmallOptions();
  options.paranoid = true;
  TestHeap paranoid(options);
  paranoid.Build({{"a", {""}}});
  paranoid.AddExactRoot("a");
  paranoid.CollectMinor();
  *NodeEdge(paranoid.Find("a"), 0) = static_cast<char*>(paranoid.Find("a")) + 8;
  EXPECT_DEATH(paranoid.CollectMinor(), "heap verifier, before a collection");
}

}  // namespace
}  // namespace tenure::gc
