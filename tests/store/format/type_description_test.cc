#include "store/format/type_description.h"

#include <gtest/gtest.h>

namespace tenure::store {
namespace {

abi::TypeDescriptor Type(uint64_t fingerprint, const char* name, const char* brand = nullptr) {
  abi::TypeDescriptor type{};
  type.fingerprint = fingerprint;
  type.name = name;
  type.brand = brand;
  return type;
}

TEST(TypeKeys, FindsByFingerprintElseBrandElseName) {
  const TypeKeys types({{1, "M.A", "a"}, {2, "M.B", ""}, {3, "M.C", "c"}});
  EXPECT_EQ(types.Find({3, "M.A", "a"}), 2u);
  EXPECT_EQ(types.Find({9, "M.C", "a"}), 0u);
  EXPECT_EQ(types.Find({9, "M.B", ""}), 1u);
  EXPECT_EQ(types.Find({0, "M.C", ""}), 2u);
  EXPECT_EQ(types.Find({9, "M.B", "b"}), TypeKeys::kNone);
}

TEST(TypeDescription, ASupertypeMustStayOne) {
  const abi::TypeDescriptor root = Type(10, "ROOT");
  abi::TypeDescriptor base = Type(1, "M.Base"), sub = Type(2, "M.Sub"), free = Type(3, "M.Sub");
  base.supertype = free.supertype = &root;
  sub.supertype = &base;
  const std::string stored = DescribeType(sub), now = DescribeType(free);
  const TypeKeys with({KeyOf(base), KeyOf(free)}), without({KeyOf(free)});
  EXPECT_EQ(LostSupertype(stored, now, with), "M.Base");
  EXPECT_EQ(LostSupertype(now, stored, with), "");
  // No field can be declared with a removed type.
  EXPECT_EQ(LostSupertype(stored, now, without), "");
}

TEST(TypeDescription, ReferencesMustReferToTheSame) {
  const abi::TypeDescriptor was = Type(1, "M.P"), is = Type(2, "M.P"), other = Type(1, "M.Q");
  const auto describe = [](const abi::TypeDescriptor* referent, uint64_t fingerprint) {
    const abi::FieldDescriptor field{"p", "M.P", nullptr, 0, 64, &referent, 1, 0};
    abi::TypeDescriptor holder = Type(fingerprint, "M.Holder");
    holder.fields = &field;
    holder.field_count = 1;
    return DescribeType(holder);
  };
  const std::string stored = describe(&was, 5), now = describe(&is, 6);
  // The program's P, or its Q, is the stored type with more methods.
  EXPECT_EQ(TypeDifference(stored, now, TypeKeys({KeyOf(is)})), "");
  EXPECT_EQ(TypeDifference(stored, now, TypeKeys({KeyOf(is), KeyOf(other)})),
            "field p: M.P is another type in the program");
  EXPECT_TRUE(ReferToTheSame(stored, "p", now, "p", TypeKeys({KeyOf(is)})));
  EXPECT_FALSE(ReferToTheSame(stored, "p", now, "p", TypeKeys({KeyOf(is), KeyOf(other)})));
}

TEST(TypeDescription, ABrandIsOneLine) {
  const std::string description = DescribeType(Type(1, "M.A", "two\nlines"));
  EXPECT_EQ(ValueInDescription(description, "brand"), "two\\nlines");
}

}  // namespace
}  // namespace tenure::store
