#include "compiler/types/type.h"

#include <gtest/gtest.h>

#include <limits>

#include "compiler/types/describe.h"
#include "tests/compiler/types/type_builder.h"

namespace tenure::compiler {
namespace {

constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

class TypeTest : public testing::Test {
 protected:
  TypeBuilder t;
};

TEST_F(TypeTest, PredeclaredOrdinalsHaveTheirRanges) {
  EXPECT_EQ(FirstOf(t.table.integer), kFirst);
  EXPECT_EQ(LastOf(t.table.longint), kLast);
  EXPECT_EQ(FirstOf(t.table.cardinal), 0);
  EXPECT_EQ(LastOf(t.table.cardinal), kLast);
  EXPECT_EQ(LastOf(t.table.character), 255);
  EXPECT_EQ(LastOf(t.table.widechar), 65535);
  EXPECT_EQ(LastOf(t.table.boolean), 1);
}

TEST_F(TypeTest, BaseOfASubrangeSeesThroughPacking) {
  SubrangeType* digit = t.Range(0, 9);
  PackedType* packed = t.Bits(4, digit);
  EXPECT_EQ(BaseType(packed), t.table.integer);
  EXPECT_EQ(BaseType(t.Range('a', 'z', t.table.character)), t.table.character);
  EXPECT_EQ(BaseType(t.table.cardinal), t.table.integer);
  EXPECT_EQ(BaseType(t.table.longcard), t.table.longint);
  EXPECT_EQ(BaseType(t.table.real), t.table.real);
  EXPECT_EQ(FirstOf(packed), 0);
  EXPECT_EQ(LastOf(packed), 9);
  EXPECT_EQ(StripPacked(packed), digit);
}

TEST_F(TypeTest, KindsSeeThroughPacking) {
  EXPECT_TRUE(IsOrdinal(t.Bits(3, t.Range(0, 7))));
  EXPECT_FALSE(IsOrdinal(t.table.real));
  EXPECT_TRUE(IsFloat(t.Bits(32, t.table.real)));
  EXPECT_TRUE(IsFloat(t.table.extended));
  EXPECT_TRUE(IsReference(t.Bits(64, t.table.refany)));
  EXPECT_TRUE(IsProcedure(t.Bits(64, t.ProcedureOf({}))));
  EXPECT_FALSE(IsReference(t.ProcedureOf({})));
  EXPECT_FALSE(IsOrdinal(nullptr));
}

TEST_F(TypeTest, TracedReferences) {
  EXPECT_TRUE(IsTracedReference(t.table.refany));
  EXPECT_TRUE(IsTracedReference(t.table.transient_refany));
  EXPECT_TRUE(IsTracedReference(t.table.text));
  EXPECT_TRUE(IsTracedReference(t.table.mutex));
  EXPECT_TRUE(IsTracedReference(t.Ref(t.table.integer)));
  EXPECT_TRUE(IsTracedReference(t.Object(nullptr)));
  EXPECT_FALSE(IsTracedReference(t.Ref(t.table.integer, false)));
  EXPECT_FALSE(IsTracedReference(t.Object(t.table.untraced_root)));
  EXPECT_FALSE(IsTracedReference(t.table.address));
  EXPECT_FALSE(IsTracedReference(t.table.null));
  EXPECT_FALSE(IsTracedReference(t.Opaque("I.U", t.table.address)));
  EXPECT_TRUE(IsTracedReference(t.Opaque("I.V", t.Opaque("I.W", t.table.root))));
}

TEST_F(TypeTest, ContainsTracedLooksIntoWhatIsHeldByValue) {
  EXPECT_TRUE(ContainsTraced(t.Array(3, t.Record({t.table.integer, t.table.text}))));
  EXPECT_TRUE(ContainsTraced(t.Open(t.table.refany)));
  EXPECT_TRUE(ContainsTraced(t.Bits(64, t.table.refany)));
  EXPECT_FALSE(ContainsTraced(t.Ref(t.table.refany, false)));
  EXPECT_FALSE(ContainsTraced(t.Record({})));
  EXPECT_FALSE(ContainsTraced(t.Set(t.table.character)));
}

// language.md 5.1.1.
TEST_F(TypeTest, EmptyTypes) {
  EXPECT_TRUE(IsEmptyType(t.Enumeration({})));
  EXPECT_TRUE(IsEmptyType(t.Range(3, 2)));
  EXPECT_TRUE(IsEmptyType(t.Array(5, t.Range(3, 2))));
  EXPECT_TRUE(IsEmptyType(t.Bits(8, t.Range(3, 2))));
  EXPECT_FALSE(IsEmptyType(t.Array(t.Range(3, 2), t.table.integer)));
  EXPECT_FALSE(IsEmptyType(t.Set(t.Range(3, 2))));
  EXPECT_FALSE(IsEmptyType(t.Record({})));
}

TEST_F(TypeTest, NumberOfElements) {
  EXPECT_EQ(ElementCountOf(t.Array(t.Range(-2, 2), t.table.integer)), 5);
  EXPECT_EQ(ElementCountOf(t.Array(t.Range(3, 2), t.table.integer)), 0);
  EXPECT_EQ(ElementCountOf(t.Array(t.Range(kLast, kFirst), t.table.integer)), 0);
  EXPECT_EQ(ElementCountOf(t.Array(t.table.character, t.table.integer)), 256);
  EXPECT_EQ(ElementCountOf(t.Array(t.table.integer, t.table.integer)), kLast);
  EXPECT_EQ(ElementCountOf(t.Array(t.table.cardinal, t.table.integer)), kLast);
}

TEST_F(TypeTest, ConcreteFollowsRevelationsOfRevelations) {
  OpaqueType* outer = t.Opaque("I.Outer", t.table.refany);
  OpaqueType* inner = t.Opaque("I.Inner", t.table.refany);
  EXPECT_EQ(Concrete(static_cast<Type*>(outer)), outer);
  outer->concrete = inner;
  EXPECT_EQ(Concrete(static_cast<Type*>(outer)), inner);
  inner->concrete = t.BrandedRef("b", t.table.integer);
  EXPECT_EQ(Concrete(static_cast<Type*>(outer)), inner->concrete);
}

TEST_F(TypeTest, AnErroneousCycleOfOpaqueTypesEnds) {
  OpaqueType* a = t.Opaque("I.A", nullptr);
  OpaqueType* b = t.Opaque("I.B", a);
  a->bound = b;
  a->concrete = b;
  b->concrete = a;
  EXPECT_FALSE(IsTracedReference(a));
  EXPECT_NE(Concrete(static_cast<Type*>(a)), nullptr);
}

TEST_F(TypeTest, TypesAsText) {
  EXPECT_EQ(TypeToString(t.table.integer), "INTEGER");
  EXPECT_EQ(TypeToString(t.Array(t.Range(0, 3), t.table.character)), "ARRAY [0..3] OF CHAR");
  EXPECT_EQ(TypeToString(t.Open(t.Open(t.table.real))), "ARRAY OF ARRAY OF REAL");
  EXPECT_EQ(TypeToString(t.Range('a', 'z', t.table.character)), "['a'..'z']");
  EXPECT_EQ(TypeToString(t.Range(kFirst, kLast)), "[FIRST(INTEGER)..LAST(INTEGER)]");
  EXPECT_EQ(TypeToString(t.Range(0, 9, t.table.longint)), "[0L..9L]");
  EXPECT_EQ(TypeToString(t.Enumeration({"red", "green"})), "{red, green}");
  EXPECT_EQ(TypeToString(t.Bits(4, t.Set(t.Range(0, 3)))), "BITS 4 FOR SET OF [0..3]");
  EXPECT_EQ(TypeToString(t.Record({t.table.integer, t.table.text})),
            "RECORD a: INTEGER; b: TEXT END");
  Type* colour = t.Enumeration({"red", "green"});
  colour->name = "M.Colour";
  Type* record =
      t.Record({t.Array(colour, t.table.character), t.Set(colour), t.Range(0, 1, colour)});
  record->name = "M.Record";
  EXPECT_EQ(TypeToString(record), "M.Record");
  EXPECT_EQ(ValueToString(record),
            "RECORD a: ARRAY {red, green} OF CHAR; b: SET OF {red, green}; "
            "c: {red, green} [0..1] END");
  EXPECT_EQ(ValueToString(t.BrandedRef("mine", colour)), "BRANDED \"mine\" REF M.Colour");
  EXPECT_EQ(ValueToString(t.table.cardinal), "CARDINAL");
  EXPECT_EQ(ValueToString(t.table.boolean), "BOOLEAN");
  EXPECT_EQ(TypeToString(t.BrandedRef("mine", t.table.integer)), "BRANDED \"mine\" REF INTEGER");
  EXPECT_EQ(TypeToString(t.Ref(t.table.integer, false)), "UNTRACED REF INTEGER");
  EXPECT_EQ(TypeToString(t.Object(nullptr, {t.table.integer})), "ROOT OBJECT a: INTEGER END");
  ArrayType* marked = t.Array(2, t.table.refany);
  marked->transient = true;
  EXPECT_EQ(TypeToString(marked), "<*TRANSIENT*> ARRAY [0..1] OF REFANY");
  Signature signature;
  signature.formals.push_back({"n", ParameterMode::kVar, t.table.integer, nullptr});
  signature.formals.push_back({"s", ParameterMode::kReadonly, t.table.text, nullptr});
  signature.result = t.table.boolean;
  signature.raises.push_back(t.MakeException("Rd.Failure"));
  EXPECT_EQ(TypeToString(t.ProcedureOf(signature)),
            "PROCEDURE (VAR n: INTEGER; READONLY s: TEXT): BOOLEAN RAISES {Rd.Failure}");
}

TEST_F(TypeTest, ARecursiveTypeAsTextEnds) {
  const std::string text = TypeToString(t.List(t.table.integer));
  EXPECT_NE(text.find("..."), std::string::npos);
  EXPECT_LT(text.size(), 200u);
}

TEST_F(TypeTest, ChecksOfKind) {
  EXPECT_EQ(As<RefType>(static_cast<Type*>(nullptr)), nullptr);
  EXPECT_EQ(As<RefType>(t.table.integer), nullptr);
  Type* list = t.List(t.table.integer);
  EXPECT_EQ(As<RefType>(list), list);
}

TEST_F(TypeTest, TheTableKeepsTheOrderInWhichTypesWereMade) {
  const size_t before = t.table.all().size();
  Type* first = t.Range(0, 1);
  Type* second = t.Set(first);
  ASSERT_EQ(t.table.all().size(), before + 2);
  EXPECT_EQ(t.table.all()[before], first);
  EXPECT_EQ(t.table.all()[before + 1], second);
}

}  // namespace
}  // namespace tenure::compiler
