#include "compiler/types/assignability.h"

#include <gtest/gtest.h>

#include "compiler/types/describe.h"
#include "tests/compiler/types/type_builder.h"

namespace tenure::compiler {
namespace {

class AssignabilityTest : public testing::Test {
 protected:
  bool Below(Type* a, Type* b) { return IsSubtypeOf(scope, a, b); }
  bool Unrelated(Type* a, Type* b) { return !Below(a, b) && !Below(b, a); }
  Assignability Assign(Type* from, Type* to) {
    return AssignableTo(scope, from, to, /*unsafe=*/false);
  }
  Assignability AssignUnsafe(Type* from, Type* to) {
    return AssignableTo(scope, from, to, /*unsafe=*/true);
  }

  TypeBuilder t;
  TestScope scope;
};

// --- 7.1 ---------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, OrdinalsByBaseAndMembers) {
  EXPECT_TRUE(Below(t.Range(2, 5), t.Range(0, 9)));
  EXPECT_FALSE(Below(t.Range(0, 9), t.Range(2, 5)));
  EXPECT_TRUE(Below(t.Range(2, 5), t.table.integer));
  EXPECT_TRUE(Unrelated(t.Range(5, 9), t.Range(0, 5)));
  EXPECT_TRUE(Unrelated(t.Range(2, 5), t.table.longint));
  EXPECT_TRUE(Unrelated(t.table.integer, t.table.longint));
  EXPECT_TRUE(Unrelated(t.Enumeration({"a"}), t.Enumeration({"b"})));
}

TEST_F(AssignabilityTest, SubrangeOfAWholeEnumerationIsMutuallyBelow) {
  SubrangeType* both = t.Range(0, 1, t.table.boolean);
  EXPECT_TRUE(Below(both, t.table.boolean));
  EXPECT_TRUE(Below(t.table.boolean, both));
  EXPECT_FALSE(SameTypeIn(scope, both, t.table.boolean));
}

TEST_F(AssignabilityTest, CardinalAndTheWrittenSubrangeAreMutuallyBelow) {
  SubrangeType* written = t.Range(0, LastOf(t.table.integer));
  EXPECT_TRUE(Below(written, t.table.cardinal));
  EXPECT_TRUE(Below(t.table.cardinal, written));
  EXPECT_TRUE(Below(t.table.cardinal, t.table.integer));
  EXPECT_FALSE(Below(t.table.integer, t.table.cardinal));
  EXPECT_TRUE(Unrelated(t.table.cardinal, t.table.longcard));
}

TEST_F(AssignabilityTest, AnEmptySubrangeIsBelowAllOfItsBase) {
  EXPECT_TRUE(Below(t.Range(100, 99), t.Range(0, 9)));
  EXPECT_TRUE(Below(t.Range(100, 99), t.Range(7, 6)));
  EXPECT_FALSE(Below(t.Range(0, 9), t.Range(100, 99)));
  EXPECT_FALSE(Below(t.Range(100, 99), t.table.character));
}

TEST_F(AssignabilityTest, CharIsBelowWidechar) {
  EXPECT_TRUE(Below(t.table.character, t.table.widechar));
  EXPECT_FALSE(Below(t.table.widechar, t.table.character));
  EXPECT_TRUE(Below(t.Range('a', 'z', t.table.character), t.Range(0, 300, t.table.widechar)));
  EXPECT_FALSE(Below(t.Range('a', 'z', t.table.character), t.Range(0, 'b', t.table.widechar)));
}

// --- 7.2 ---------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, FixedArraysWithEqualNumberAreMutuallyBelow) {
  EXPECT_TRUE(Below(t.Array(t.Range(1, 2), t.table.real), t.Array(t.table.boolean, t.table.real)));
  EXPECT_TRUE(Below(t.Array(t.table.boolean, t.table.real), t.Array(t.Range(1, 2), t.table.real)));
  EXPECT_TRUE(Unrelated(t.Array(2, t.table.real), t.Array(3, t.table.real)));
  EXPECT_TRUE(Below(t.Array(t.Range(4, 3), t.table.real), t.Array(t.Range(9, 2), t.table.real)));
}

TEST_F(AssignabilityTest, FixedIsBelowOpenDimensionByDimension) {
  Type* real = t.table.real;
  EXPECT_TRUE(Below(t.Array(2, real), t.Open(real)));
  EXPECT_FALSE(Below(t.Open(real), t.Array(2, real)));
  EXPECT_TRUE(Below(t.Array(2, t.Array(3, real)), t.Open(t.Open(real))));
  EXPECT_TRUE(Below(t.Array(2, t.Array(3, real)), t.Open(t.Array(3, real))));
  EXPECT_TRUE(Below(t.Open(t.Array(3, real)), t.Open(t.Open(real))));
  EXPECT_FALSE(Below(t.Open(t.Open(real)), t.Open(t.Array(3, real))));
  EXPECT_TRUE(Below(t.Open(t.Open(real)), t.Open(t.Open(real))));
  EXPECT_FALSE(Below(t.Array(2, t.Array(3, real)), t.Open(t.Array(4, real))));
  EXPECT_TRUE(Unrelated(t.Array(2, real), t.Open(t.Open(real))));
  EXPECT_TRUE(Unrelated(t.Array(2, t.Array(3, real)), t.Open(real)));
}

// language.md 29.23.
TEST_F(AssignabilityTest, ElementsAreNotCovariant) {
  EXPECT_TRUE(Unrelated(t.Open(t.Range(0, 9)), t.Open(t.table.integer)));
  EXPECT_TRUE(Unrelated(t.Open(t.Bits(8, t.table.character)), t.Open(t.table.character)));
  EXPECT_TRUE(Unrelated(t.Open(t.Object(nullptr)), t.Open(t.table.root)));
  Signature x, y;
  x.formals.push_back({"x", ParameterMode::kValue, t.table.integer, nullptr});
  y.formals.push_back({"y", ParameterMode::kValue, t.table.integer, nullptr});
  EXPECT_TRUE(Unrelated(t.Open(t.ProcedureOf(x)), t.Open(t.ProcedureOf(y))));
}

TEST_F(AssignabilityTest, ElementsMayBeTheSameInDifferentWords) {
  EXPECT_TRUE(Below(t.Array(2, t.List(t.table.integer)), t.Open(t.List(t.table.integer, 3))));
  OpaqueType* opaque = t.Opaque("I.T", t.table.refany);
  RefType* concrete = t.BrandedRef("b", t.table.integer);
  EXPECT_FALSE(Below(t.Array(2, opaque), t.Open(concrete)));
  scope.revealed[opaque] = concrete;
  EXPECT_TRUE(Below(t.Array(2, opaque), t.Open(concrete)));
}

// --- 7.3, 7.4 ------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, NullIsBelowEveryReferenceAndProcedure) {
  for (Type* type : std::vector<Type*>{
           t.table.refany, t.table.transient_refany, t.table.address, t.table.text, t.table.root,
           t.table.untraced_root, t.table.transient_root, t.Ref(t.table.integer, false),
           t.BrandedRef("b", t.table.real), t.TransientRef(t.table.real),
           t.Opaque("I.T", t.table.address), t.ProcedureOf({}), t.table.null}) {
    EXPECT_TRUE(Below(t.table.null, type)) << TypeToString(type);
  }
  EXPECT_FALSE(Below(t.table.null, t.table.integer));
  EXPECT_FALSE(Below(t.table.refany, t.table.null));
}

TEST_F(AssignabilityTest, ReferencesAreBelowRefanyOrAddress) {
  EXPECT_TRUE(Below(t.Ref(t.table.integer), t.table.refany));
  EXPECT_TRUE(Below(t.table.text, t.table.refany));
  EXPECT_FALSE(Below(t.Ref(t.table.integer), t.table.address));
  EXPECT_TRUE(Below(t.Ref(t.table.integer, false), t.table.address));
  EXPECT_FALSE(Below(t.Ref(t.table.integer, false), t.table.refany));
  EXPECT_TRUE(Unrelated(t.table.refany, t.table.address));
  EXPECT_FALSE(Below(t.table.refany, t.Ref(t.table.integer)));
  EXPECT_TRUE(Unrelated(t.Ref(t.table.integer), t.Ref(t.Range(0, 9))));
  EXPECT_TRUE(Unrelated(t.Ref(t.table.integer), t.BrandedRef("b", t.table.integer)));
  EXPECT_TRUE(Below(t.List(t.table.integer), t.List(t.table.integer, 2)));
  EXPECT_TRUE(Unrelated(t.Ref(t.table.integer), t.table.root));
}

TEST_F(AssignabilityTest, ObjectsAreBelowTheirSupertypes) {
  ObjectType* animal = t.Object(nullptr, {t.table.integer});
  ObjectType* bird = t.Object(animal);
  ObjectType* duck = t.Object(bird, {t.table.real});
  EXPECT_TRUE(Below(duck, animal));
  EXPECT_FALSE(Below(animal, duck));
  EXPECT_TRUE(Below(duck, t.table.root));
  EXPECT_TRUE(Below(duck, t.table.refany));
  EXPECT_FALSE(Below(duck, t.table.address));
  EXPECT_TRUE(Unrelated(duck, t.Object(animal, {t.table.text})));
  EXPECT_TRUE(Below(t.table.untraced_root, t.table.address));
  EXPECT_TRUE(Below(t.Object(t.table.untraced_root), t.table.untraced_root));
  EXPECT_TRUE(Unrelated(t.table.root, t.table.untraced_root));
  EXPECT_FALSE(Below(t.table.root, t.Ref(t.table.integer)));
}

// --- 27.2.2 ---

TEST_F(AssignabilityTest, TransientReferencesHaveTheirOwnTop) {
  EXPECT_TRUE(Below(t.TransientRef(t.table.integer), t.table.transient_refany));
  EXPECT_TRUE(Below(t.TransientRef(t.table.integer), t.table.refany));
  EXPECT_TRUE(Below(t.table.transient_refany, t.table.refany));
  EXPECT_FALSE(Below(t.table.refany, t.table.transient_refany));
  EXPECT_FALSE(Below(t.Ref(t.table.integer), t.table.transient_refany));
  EXPECT_TRUE(Below(t.table.transient_root, t.table.transient_refany));
  EXPECT_TRUE(Unrelated(t.table.transient_root, t.table.root));
  EXPECT_FALSE(Below(t.table.root, t.table.transient_refany));
  EXPECT_TRUE(Below(t.Object(t.Object(t.table.transient_root)), t.table.transient_refany));
  EXPECT_FALSE(Below(t.Object(nullptr), t.table.transient_refany));
}

TEST_F(AssignabilityTest, OpaqueTypesAreTransientByBoundOrRevelation) {
  OpaqueType* bound = t.Opaque("I.T", t.table.transient_refany);
  EXPECT_TRUE(Below(bound, t.table.transient_refany));
  OpaqueType* revealed = t.Opaque("I.U", t.table.refany);
  EXPECT_FALSE(Below(revealed, t.table.transient_refany));
  scope.partial[revealed] = t.table.transient_refany;
  EXPECT_TRUE(Below(revealed, t.table.transient_refany));
}

// --- 7.5 -----------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, ProceduresByCoveredSignatures) {
  Exception *e = t.MakeException("I.E"), *f = t.MakeException("I.F");
  Signature plain;
  plain.formals.push_back({"x", ParameterMode::kValue, t.table.integer, nullptr});
  auto changed = [&](auto&& change) {
    Signature signature = plain;
    change(signature);
    return t.ProcedureOf(signature);
  };
  Type* type = t.ProcedureOf(plain);
  Type* renamed = changed([&](Signature& s) {
    s.formals[0].name = "y";
    s.formals[0].default_value = t.Ordinal(1);
  });
  EXPECT_TRUE(Below(type, renamed));
  EXPECT_TRUE(Below(renamed, type));
  Type* raises_e = changed([&](Signature& s) { s.raises = {e}; });
  Type* raises_ef = changed([&](Signature& s) { s.raises = {f, e}; });
  Type* raises_any = changed([&](Signature& s) { s.raises_any = true; });
  EXPECT_TRUE(Below(type, raises_e));
  EXPECT_FALSE(Below(raises_e, type));
  EXPECT_TRUE(Below(raises_e, raises_ef));
  EXPECT_FALSE(Below(raises_ef, raises_e));
  EXPECT_TRUE(Below(raises_ef, raises_any));
  EXPECT_FALSE(Below(raises_any, raises_ef));
  EXPECT_TRUE(
      Unrelated(type, changed([&](Signature& s) { s.formals[0].type = t.table.cardinal; })));
  EXPECT_TRUE(
      Unrelated(type, changed([&](Signature& s) { s.formals[0].mode = ParameterMode::kVar; })));
  EXPECT_TRUE(Unrelated(type, changed([&](Signature& s) { s.result = t.table.integer; })));
  EXPECT_TRUE(Unrelated(type, changed([&](Signature& s) { s.formals.clear(); })));
  Type* object_formal = changed([&](Signature& s) { s.formals[0].type = t.table.root; });
  Type* subtype_formal = changed([&](Signature& s) { s.formals[0].type = t.Object(nullptr); });
  EXPECT_TRUE(Unrelated(object_formal, subtype_formal));
}

TEST_F(AssignabilityTest, ImplicitExceptionsAreInEveryRaisesSet) {
  Exception* implicit = t.MakeException("Transaction.Aborted");
  implicit->implicit = true;
  Signature none, raises;
  raises.raises = {implicit};
  EXPECT_TRUE(Below(t.ProcedureOf(raises), t.ProcedureOf(none)));
}

TEST_F(AssignabilityTest, CoveringForMethodsIgnoresTheFirstFormal) {
  Signature method, procedure;
  method.formals.push_back({"n", ParameterMode::kReadonly, t.table.integer, nullptr});
  procedure.formals.push_back({"self", ParameterMode::kValue, t.table.root, nullptr});
  procedure.formals.push_back({"count", ParameterMode::kReadonly, t.table.integer, nullptr});
  EXPECT_TRUE(Covers(scope, method, procedure, /*skip_first_of_p=*/true));
  EXPECT_FALSE(Covers(scope, method, procedure, /*skip_first_of_p=*/false));
  EXPECT_FALSE(Covers(scope, method, Signature{}, /*skip_first_of_p=*/true));
}

// --- 7.6, 7.7 ------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, PackedTypesAreMutuallyBelowTheirBase) {
  SubrangeType* digit = t.Range(0, 9);
  EXPECT_TRUE(Below(t.Bits(4, digit), digit));
  EXPECT_TRUE(Below(digit, t.Bits(4, digit)));
  EXPECT_TRUE(Below(t.Bits(4, digit), t.Bits(7, t.table.integer)));
  RecordType* record = t.Record({t.table.integer});
  EXPECT_TRUE(Below(t.Bits(64, record), record));
}

TEST_F(AssignabilityTest, SetsAndRecordsOnlyByIdentity) {
  EXPECT_TRUE(Unrelated(t.Set(t.Range(0, 9)), t.Set(t.table.character)));
  EXPECT_TRUE(Unrelated(t.Set(t.Range(0, 8)), t.Set(t.Range(0, 9))));
  EXPECT_TRUE(Below(t.Set(t.Range(0, 9)), t.Set(t.Range(0, 9))));
  EXPECT_TRUE(Unrelated(t.Record({t.table.integer}), t.Record({t.Range(0, 9)})));
  EXPECT_TRUE(Unrelated(t.Record({t.Bits(8, t.table.character)}), t.Record({t.table.character})));
  EXPECT_TRUE(Unrelated(t.table.longreal, t.table.extended));
}

// --- 7.8, 9 ---

TEST_F(AssignabilityTest, OpaqueTypesAreBelowWhatTheScopeKnows) {
  ObjectType* pub = t.Object(nullptr, {t.table.integer});
  OpaqueType* opaque = t.Opaque("Pen.T", pub);
  EXPECT_TRUE(Below(opaque, pub));
  EXPECT_TRUE(Below(opaque, t.table.root));
  EXPECT_FALSE(Below(pub, opaque));
  ObjectType* more = t.Object(pub, {t.table.real});
  EXPECT_FALSE(Below(opaque, more));
  scope.partial[opaque] = more;
  EXPECT_TRUE(Below(opaque, more));
  EXPECT_TRUE(Below(opaque, pub));
  ObjectType* concrete = t.Object(more, {t.table.text});
  concrete->brand = "Pen";
  EXPECT_FALSE(Below(concrete, opaque));
  scope.revealed[opaque] = concrete;
  EXPECT_TRUE(Below(concrete, opaque));
  EXPECT_TRUE(Below(opaque, concrete));
  ObjectType* fancy = t.Object(opaque);
  EXPECT_TRUE(Below(fancy, concrete));
  EXPECT_TRUE(Below(fancy, opaque));
  EXPECT_FALSE(Below(opaque, fancy));
}

TEST_F(AssignabilityTest, SubtypesOfAnOpaqueTypeAreBelowItsBound) {
  ObjectType* pub = t.Object(nullptr);
  pub->methods.push_back({"draw", {}, nullptr});
  OpaqueType* opaque = t.Opaque("Pen.T", pub);
  ObjectType* mine = t.Object(opaque, {t.table.integer});
  EXPECT_TRUE(Below(mine, opaque));
  EXPECT_TRUE(Below(mine, pub));
  EXPECT_FALSE(Below(opaque, mine));
  EXPECT_TRUE(Unrelated(opaque, t.Opaque("Pen.U", pub)));
}

// --- 8.1 -----------------------------------------------------------------------------------------

TEST_F(AssignabilityTest, OrdinalsNeedACommonMember) {
  EXPECT_EQ(Assign(t.Range(2, 5), t.table.integer), Assignability::kYes);
  EXPECT_EQ(Assign(t.table.integer, t.Range(2, 5)), Assignability::kRangeCheck);
  EXPECT_EQ(Assign(t.Range(0, 5), t.Range(5, 9)), Assignability::kRangeCheck);
  EXPECT_EQ(Assign(t.Range(0, 4), t.Range(5, 9)), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.integer, t.table.longint), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.integer, t.table.cardinal), Assignability::kRangeCheck);
  EXPECT_EQ(Assign(t.Enumeration({"a", "b"}), t.Enumeration({"a"})), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.widechar, t.table.character), Assignability::kRangeCheck);
  EXPECT_EQ(Assign(t.Range(300, 400, t.table.widechar), t.table.character), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.character, t.table.integer), Assignability::kNo);
  EXPECT_EQ(Assign(t.Bits(8, t.Range(0, 9)), t.Range(3, 20)), Assignability::kRangeCheck);
}

TEST_F(AssignabilityTest, ArraysEitherWay) {
  Type *fixed = t.Array(3, t.table.real), *open = t.Open(t.table.real);
  EXPECT_EQ(Assign(fixed, t.Array(t.Range(7, 9), t.table.real)), Assignability::kYes);
  EXPECT_EQ(Assign(fixed, open), Assignability::kYes);
  EXPECT_EQ(Assign(open, fixed), Assignability::kShapeCheck);
  EXPECT_EQ(Assign(fixed, t.Array(4, t.table.real)), Assignability::kNo);
  EXPECT_EQ(Assign(open, t.Open(t.table.longreal)), Assignability::kNo);
}

TEST_F(AssignabilityTest, ReferencesEitherWay) {
  ObjectType* animal = t.Object(nullptr);
  ObjectType* bird = t.Object(animal, {t.table.integer});
  EXPECT_EQ(Assign(bird, animal), Assignability::kYes);
  EXPECT_EQ(Assign(animal, bird), Assignability::kNarrow);
  EXPECT_EQ(Assign(t.table.refany, t.Ref(t.table.integer)), Assignability::kNarrow);
  EXPECT_EQ(Assign(t.table.refany, t.table.text), Assignability::kNarrow);
  EXPECT_EQ(Assign(t.table.refany, t.table.transient_refany), Assignability::kNarrow);
  EXPECT_EQ(Assign(bird, t.Object(animal, {t.table.real})), Assignability::kNo);
  EXPECT_EQ(Assign(t.Ref(t.table.integer), t.table.address), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.null, bird), Assignability::kYes);
  EXPECT_EQ(Assign(t.table.untraced_root, t.Object(t.table.untraced_root)), Assignability::kNarrow);
}

// language.md 8.1.2.
TEST_F(AssignabilityTest, AddressGoesDownOnlyInUnsafeUnits) {
  Type* untraced = t.Ref(t.table.integer, false);
  EXPECT_EQ(Assign(untraced, t.table.address), Assignability::kYes);
  EXPECT_EQ(Assign(t.table.address, untraced), Assignability::kNo);
  EXPECT_EQ(AssignUnsafe(t.table.address, untraced), Assignability::kYes);
  EXPECT_EQ(AssignUnsafe(t.table.address, t.table.address), Assignability::kYes);
  EXPECT_EQ(AssignUnsafe(t.table.address, t.table.refany), Assignability::kNo);
  EXPECT_EQ(AssignUnsafe(t.table.address, t.Ref(t.table.integer)), Assignability::kNo);
}

// language.md 29.42.
TEST_F(AssignabilityTest, ProceduresOnlyUpward) {
  Signature none, raises;
  raises.raises = {t.MakeException("I.E")};
  EXPECT_EQ(Assign(t.ProcedureOf(none), t.ProcedureOf(raises)), Assignability::kYes);
  EXPECT_EQ(Assign(t.ProcedureOf(raises), t.ProcedureOf(none)), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.null, t.ProcedureOf(none)), Assignability::kYes);
  EXPECT_EQ(Assign(t.ProcedureOf(none), t.table.null), Assignability::kNo);
  EXPECT_EQ(Assign(t.ProcedureOf(none), t.table.refany), Assignability::kNo);
}

TEST_F(AssignabilityTest, FloatsDoNotMix) {
  EXPECT_EQ(Assign(t.table.real, t.table.longreal), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.integer, t.table.real), Assignability::kNo);
  EXPECT_EQ(Assign(t.table.longreal, t.table.longreal), Assignability::kYes);
}

TEST_F(AssignabilityTest, ErrorsAreReportedOnce) {
  EXPECT_EQ(Assign(t.table.error, t.table.integer), Assignability::kYes);
  EXPECT_EQ(Assign(t.Record({}), t.table.error), Assignability::kYes);
  EXPECT_EQ(Assign(nullptr, t.table.integer), Assignability::kNo);
}

}  // namespace
}  // namespace tenure::compiler
