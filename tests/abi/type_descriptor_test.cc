#include "abi/type_descriptor.h"

#include <gtest/gtest.h>

#include "abi/entry_points.h"
#include "abi/mutator_state.h"
#include "abi/program.h"

namespace tenure::abi {
namespace {

// A tree of types, numbered so that subtypes follow their supertype.
//   animal 2..5: bird 3..4 (parrot 4), fish 5; stone 6
TypeDescriptor Numbered(uint32_t typecode, uint32_t last_subtype) {
  TypeDescriptor type = {};
  type.typecode = typecode;
  type.last_subtype = last_subtype;
  return type;
}

TEST(TypeDescriptorTest, SubtypesAreARangeOfTypecodes) {
  const TypeDescriptor animal = Numbered(2, 5), bird = Numbered(3, 4), parrot = Numbered(4, 4),
                       fish = Numbered(5, 5), stone = Numbered(6, 6);
  for (const TypeDescriptor* type : {&animal, &bird, &parrot, &fish}) {
    EXPECT_TRUE(IsSubtype(*type, *type));
    EXPECT_TRUE(IsSubtype(*type, animal));
    EXPECT_FALSE(IsSubtype(*type, stone));
    EXPECT_FALSE(IsSubtype(stone, *type));
  }
  EXPECT_TRUE(IsSubtype(parrot, bird));
  EXPECT_FALSE(IsSubtype(bird, parrot));
  EXPECT_FALSE(IsSubtype(fish, bird));
  EXPECT_FALSE(IsSubtype(animal, bird));  // below the range: the difference must not wrap into it
}

// The offsets that compiled code has built in.
TEST(TypeDescriptorTest, LayoutIsFixed) {
  EXPECT_EQ(offsetof(TypeDescriptor, last_subtype), 12u);
  EXPECT_EQ(offsetof(TypeDescriptor, supertype), 72u);
  EXPECT_EQ(kMethodsOffset, 128u);
  EXPECT_EQ(kMethodsOffset % 8, 0u);
  EXPECT_EQ(offsetof(MutatorState, allocation_pointer), 0u);
  EXPECT_EQ(offsetof(MutatorState, allocation_limit), 8u);
}

// Every entry point is listed once. An entry point that does not return must be able to raise.
TEST(EntryPointsTest, EffectsAreConsistent) {
  struct Entry {
    const char* name;
    uint32_t effects;
  };
  const Entry entries[] = {
#define TN_ENTRY(result, name, parameters, effects) {#name, effects},
#include "abi/entry_points.def"
#undef TN_ENTRY
  };
  for (const Entry& entry : entries) {
    EXPECT_EQ(std::string(entry.name).substr(0, 3), "tn_");
    if ((entry.effects & kNoReturn) != 0) {
      EXPECT_NE(entry.effects & kMayRaise, 0u) << entry.name;
    }
    int count = 0;
    for (const Entry& other : entries) count += std::string(entry.name) == other.name;
    EXPECT_EQ(count, 1) << entry.name;
  }
}

}  // namespace
}  // namespace tenure::abi
