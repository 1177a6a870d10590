#include "compiler/types/equality.h"

#include <gtest/gtest.h>

#include "tests/compiler/types/type_builder.h"

namespace tenure::compiler {
namespace {

class EqualityTest : public testing::Test {
 protected:
  TypeBuilder t;
};

// language.md 5.2.6.
TEST_F(EqualityTest, EnumerationsAreTheirNamesInOrder) {
  EXPECT_TRUE(SameType(t.Enumeration({"x", "y"}), t.Enumeration({"x", "y"})));
  EXPECT_FALSE(SameType(t.Enumeration({"x", "y"}), t.Enumeration({"y", "x"})));
  EXPECT_FALSE(SameType(t.Enumeration({"x", "y"}), t.Enumeration({"x"})));
  EXPECT_TRUE(SameType(t.Enumeration({}), t.Enumeration({})));
  EXPECT_TRUE(SameType(t.Enumeration({"FALSE", "TRUE"}), t.table.boolean));
  EXPECT_FALSE(SameType(t.Enumeration({"TRUE", "FALSE"}), t.table.boolean));
  EXPECT_FALSE(SameType(t.table.character, t.table.widechar));
}

TEST_F(EqualityTest, SubrangesAreBaseAndBounds) {
  EXPECT_TRUE(SameType(t.Range(0, 9), t.Range(0, 9)));
  EXPECT_FALSE(SameType(t.Range(0, 9), t.Range(0, 8)));
  EXPECT_FALSE(SameType(t.Range(0, 9), t.Range(0, 9, t.table.longint)));
  EXPECT_FALSE(SameType(t.Range(0, 1, t.table.boolean), t.table.boolean));
  EXPECT_TRUE(
      SameType(t.Range(0, 1, t.table.boolean), t.Range(0, 1, t.Enumeration({"FALSE", "TRUE"}))));
}

// language.md 5.2.4.
TEST_F(EqualityTest, CardinalIsNotTheWrittenSubrange) {
  EXPECT_FALSE(SameType(t.table.cardinal, t.Range(0, LastOf(t.table.integer))));
  EXPECT_FALSE(SameType(t.table.cardinal, t.table.longcard));
}

TEST_F(EqualityTest, BuiltinTypesAreUnique) {
  EXPECT_FALSE(SameType(t.table.integer, t.table.longint));
  EXPECT_FALSE(SameType(t.table.longreal, t.table.extended));
  EXPECT_FALSE(SameType(t.table.refany, t.table.transient_refany));
  EXPECT_FALSE(SameType(t.table.refany, t.table.address));
  EXPECT_FALSE(SameType(t.table.root, t.table.transient_root));
  EXPECT_FALSE(SameType(t.table.root, t.table.untraced_root));
  EXPECT_TRUE(SameType(t.table.root, t.table.root));
}

TEST_F(EqualityTest, ArraysAreIndexElementAndOpenness) {
  EXPECT_TRUE(SameType(t.Array(3, t.table.real), t.Array(3, t.table.real)));
  EXPECT_FALSE(
      SameType(t.Array(t.Range(0, 2), t.table.real), t.Array(t.Range(1, 3), t.table.real)));
  EXPECT_FALSE(SameType(t.Array(3, t.table.real), t.Open(t.table.real)));
  EXPECT_FALSE(SameType(t.Open(t.table.real), t.Open(t.Open(t.table.real))));
  EXPECT_FALSE(SameType(t.Open(t.table.integer), t.Open(t.Range(0, 9))));
  ArrayType* marked = t.Array(3, t.table.refany);
  marked->transient = true;
  EXPECT_FALSE(SameType(marked, t.Array(3, t.table.refany)));
}

TEST_F(EqualityTest, RecordsAreNamesOrderTypesAndDefaults) {
  RecordType* a = t.Record({t.table.integer, t.table.real});
  RecordType* b = t.Record({t.table.integer, t.table.real});
  EXPECT_TRUE(SameType(a, b));
  EXPECT_FALSE(SameType(a, t.Record({t.table.real, t.table.integer})));
  EXPECT_FALSE(SameType(a, t.Record({t.table.integer})));
  b->fields[0].name = "other";
  EXPECT_FALSE(SameType(a, b));
  EXPECT_TRUE(SameType(t.Record({}), t.Record({})));
}

// language.md 29.56.
TEST_F(EqualityTest, DefaultsOfFieldsCount) {
  RecordType* one = t.Record({t.table.integer});
  RecordType* another_one = t.Record({t.table.integer});
  RecordType* two = t.Record({t.table.integer});
  RecordType* none = t.Record({t.table.integer});
  one->fields[0].default_value = t.Ordinal(1);
  another_one->fields[0].default_value = t.Ordinal(1);
  two->fields[0].default_value = t.Ordinal(2);
  EXPECT_TRUE(SameType(one, another_one));
  EXPECT_FALSE(SameType(one, two));
  EXPECT_FALSE(SameType(one, none));
}

TEST_F(EqualityTest, TransientMarksCount) {
  RecordType* plain = t.Record({t.table.refany});
  RecordType* marked_field = t.Record({t.table.refany});
  marked_field->fields[0].transient = true;
  RecordType* marked = t.Record({t.table.refany});
  marked->transient = true;
  EXPECT_FALSE(SameType(plain, marked_field));
  EXPECT_FALSE(SameType(plain, marked));
  EXPECT_FALSE(SameType(marked_field, marked));
  EXPECT_FALSE(SameType(t.Ref(t.table.integer), t.TransientRef(t.table.integer)));
  EXPECT_TRUE(SameType(t.TransientRef(t.table.integer), t.TransientRef(t.table.integer)));
}

// language.md 6.4.
TEST_F(EqualityTest, ReferencesAreTracednessBrandAndReferent) {
  EXPECT_TRUE(SameType(t.Ref(t.table.integer), t.Ref(t.table.integer)));
  EXPECT_FALSE(SameType(t.Ref(t.table.integer), t.Ref(t.table.integer, false)));
  EXPECT_FALSE(SameType(t.Ref(t.table.integer), t.BrandedRef("b", t.table.integer)));
  EXPECT_FALSE(SameType(t.BrandedRef("a", t.table.integer), t.BrandedRef("b", t.table.integer)));
  EXPECT_TRUE(SameType(t.BrandedRef("b", t.table.integer), t.BrandedRef("b", t.table.integer)));
  EXPECT_FALSE(SameType(t.BrandedRef("", t.table.integer), t.Ref(t.table.integer)));
}

TEST_F(EqualityTest, PackedTypesAndSets) {
  EXPECT_TRUE(SameType(t.Bits(4, t.Range(0, 9)), t.Bits(4, t.Range(0, 9))));
  EXPECT_FALSE(SameType(t.Bits(4, t.Range(0, 9)), t.Bits(5, t.Range(0, 9))));
  EXPECT_FALSE(SameType(t.Bits(4, t.Range(0, 9)), t.Range(0, 9)));
  EXPECT_TRUE(SameType(t.Set(t.Range(0, 9)), t.Set(t.Range(0, 9))));
  EXPECT_FALSE(SameType(t.Set(t.Range(0, 9)), t.Set(t.Range(0, 10))));
}

// language.md 6.2 and 6.3.
TEST_F(EqualityTest, ProceduresAreNamesModesTypesDefaultsResultAndRaises) {
  Signature signature;
  signature.formals.push_back({"x", ParameterMode::kValue, t.table.integer, t.Ordinal(1)});
  signature.result = t.table.real;
  const Type* type = t.ProcedureOf(signature);
  auto changed = [&](auto&& change) {
    Signature other = signature;
    change(other);
    return SameType(type, t.ProcedureOf(other));
  };
  EXPECT_TRUE(changed([](Signature&) {}));
  EXPECT_FALSE(changed([](Signature& s) { s.formals[0].name = "y"; }));
  EXPECT_FALSE(changed([](Signature& s) { s.formals[0].mode = ParameterMode::kReadonly; }));
  EXPECT_FALSE(changed([&](Signature& s) { s.formals[0].type = t.table.longint; }));
  EXPECT_FALSE(changed([&](Signature& s) { s.formals[0].default_value = t.Ordinal(2); }));
  EXPECT_FALSE(changed([](Signature& s) { s.formals[0].default_value = nullptr; }));
  EXPECT_FALSE(changed([](Signature& s) { s.result = nullptr; }));
  EXPECT_FALSE(changed([&](Signature& s) { s.result = t.table.longreal; }));
  EXPECT_FALSE(changed([](Signature& s) { s.raises_any = true; }));
  EXPECT_FALSE(changed([&](Signature& s) { s.raises.push_back(t.MakeException("I.E")); }));
  EXPECT_FALSE(changed([&](Signature& s) { s.formals.push_back(s.formals[0]); }));
  ProcedureType* callback = t.ProcedureOf(signature);
  callback->c_convention = true;
  EXPECT_FALSE(SameType(type, callback));
  Signature renamed = signature;
  renamed.formals[0].name = "y";
  renamed.formals[0].default_value = nullptr;
  EXPECT_TRUE(SameSignature(signature, renamed, /*with_names=*/false));
  EXPECT_FALSE(SameSignature(signature, renamed, /*with_names=*/true));
}

TEST_F(EqualityTest, RaisesIsASet) {
  Exception *e = t.MakeException("I.E"), *f = t.MakeException("I.F");
  Signature ef, fe, e_only;
  ef.raises = {e, f};
  fe.raises = {f, e, f};
  e_only.raises = {e};
  EXPECT_TRUE(SameType(t.ProcedureOf(ef), t.ProcedureOf(fe)));
  EXPECT_FALSE(SameType(t.ProcedureOf(ef), t.ProcedureOf(e_only)));
}

TEST_F(EqualityTest, ObjectsAreSuperBrandFieldsMethodsAndOverrides) {
  Procedure *p = t.Code("M.p"), *q = t.Code("M.q");
  auto make = [&](auto&& change) {
    ObjectType* base = t.Object(nullptr, {t.table.integer});
    TypeBuilder::AddMethod(base, "m", p);
    ObjectType* object = t.Object(base, {t.table.real});
    TypeBuilder::AddMethod(object, "n", p, t.table.integer);
    TypeBuilder::AddOverride(object, base, 0, q);
    change(base, object);
    return object;
  };
  auto none = [](ObjectType*, ObjectType*) {};
  const Type* type = make(none);
  EXPECT_TRUE(SameType(type, make(none)));
  auto differs = [&](auto&& change) { return !SameType(type, make(change)); };
  EXPECT_TRUE(
      differs([&](ObjectType* base, ObjectType*) { base->fields[0].type = t.table.longint; }));
  EXPECT_TRUE(differs(
      [&](ObjectType* base, ObjectType*) { base->methods[0].default_procedure = nullptr; }));
  EXPECT_TRUE(differs([&](ObjectType*, ObjectType* object) { object->brand = "b"; }));
  EXPECT_TRUE(differs(
      [&](ObjectType*, ObjectType* object) { object->fields[0].default_value = t.Real(1); }));
  EXPECT_TRUE(differs([&](ObjectType*, ObjectType* object) { object->methods[0].name = "o"; }));
  EXPECT_TRUE(differs(
      [&](ObjectType*, ObjectType* object) { object->methods[0].signature.result = nullptr; }));
  EXPECT_TRUE(differs([&](ObjectType*, ObjectType* object) { object->methods.clear(); }));
  EXPECT_TRUE(
      differs([&](ObjectType*, ObjectType* object) { object->overrides[0].procedure = p; }));
  EXPECT_TRUE(differs([&](ObjectType*, ObjectType* object) { object->overrides.clear(); }));
  EXPECT_TRUE(differs([&](ObjectType*, ObjectType* object) { object->super = t.table.root; }));
  EXPECT_FALSE(SameType(t.Object(t.table.root), t.Object(t.table.transient_root)));
  EXPECT_FALSE(SameType(t.Object(t.table.root), t.table.root));
}

// language.md 9.12: a scope that sees a hidden layer finds another method under the same name.
TEST_F(EqualityTest, OverridesOfTwoMethodsOfOneNameDiffer) {
  ObjectType* outer = t.Object(nullptr);
  TypeBuilder::AddMethod(outer, "m", nullptr);
  ObjectType* inner = t.Object(outer);
  TypeBuilder::AddMethod(inner, "m", nullptr);
  Procedure* p = t.Code("M.p");
  ObjectType *a = t.Object(inner), *b = t.Object(inner), *c = t.Object(inner);
  TypeBuilder::AddOverride(a, outer, 0, p);
  TypeBuilder::AddOverride(b, inner, 0, p);
  TypeBuilder::AddOverride(c, inner, 0, p);
  EXPECT_FALSE(SameType(a, b));
  EXPECT_TRUE(SameType(b, c));
}

TEST_F(EqualityTest, RecursiveTypesAreTheirInfiniteTrees) {
  RefType* list = t.List(t.table.integer);
  for (int unrolled : {0, 1, 2, 7})
    EXPECT_TRUE(SameType(list, t.List(t.table.integer, unrolled))) << unrolled;
  for (int length : {1, 2, 3, 5}) {
    EXPECT_TRUE(SameType(list, t.Ring(t.table.integer, length))) << length;
    EXPECT_TRUE(SameType(t.Ring(t.table.integer, length), t.Ring(t.table.integer, 4))) << length;
  }
  EXPECT_FALSE(SameType(list, t.List(t.table.real)));
  EXPECT_FALSE(SameType(list, t.Ref(t.Record({t.table.integer, t.table.refany}))));
}

TEST_F(EqualityTest, ADifferenceFarDownTheRingIsFound) {
  RefType* ring = t.Ring(t.table.integer, 6);
  RefType* odd = t.Ring(t.table.integer, 6);
  RefType* at = odd;
  for (int i = 0; i < 5; ++i) at = As<RefType>(As<RecordType>(at->referent)->fields[1].type);
  As<RecordType>(at->referent)->fields[0].type = t.table.real;
  EXPECT_FALSE(SameType(ring, odd));
  EXPECT_FALSE(SameType(t.List(t.table.integer), odd));
}

TEST_F(EqualityTest, MutuallyRecursiveObjectsAreCompared) {
  auto make = [&](Type* leaf) {
    ObjectType* node = t.Object(nullptr);
    ObjectType* edge = t.Object(nullptr, {node, leaf});
    node->fields = {{"edges", t.Ref(t.Open(edge)), nullptr, false}};
    TypeBuilder::AddMethod(node, "visit", nullptr, node);
    return node;
  };
  EXPECT_TRUE(SameType(make(t.table.integer), make(t.table.integer)));
  EXPECT_FALSE(SameType(make(t.table.integer), make(t.table.real)));
}

TEST_F(EqualityTest, ProcedureTypesMayContainThemselves) {
  auto make = [&](Type* result) {
    ProcedureType* type = t.ProcedureOf({});
    type->signature.formals.push_back({"next", ParameterMode::kValue, type, nullptr});
    type->signature.result = result;
    return type;
  };
  EXPECT_TRUE(SameType(make(t.table.integer), make(t.table.integer)));
  EXPECT_FALSE(SameType(make(t.table.integer), make(t.table.real)));
}

// language.md 6.2, 9.13.
TEST_F(EqualityTest, OpaqueTypesAreTheirDeclarationUnlessRevealed) {
  OpaqueType* opaque = t.Opaque("I.T", t.table.refany);
  OpaqueType* other = t.Opaque("I.U", t.table.refany);
  RefType* concrete = t.BrandedRef("b", t.table.integer);
  EXPECT_TRUE(SameType(opaque, opaque));
  EXPECT_FALSE(SameType(opaque, other));
  EXPECT_FALSE(SameType(t.Ref(opaque), t.Ref(other)));
  opaque->concrete = concrete;
  EXPECT_FALSE(SameType(opaque, concrete));
  EXPECT_TRUE(SameType(opaque, concrete, /*see_concrete=*/true));
  EXPECT_TRUE(SameType(t.Ref(opaque), t.Ref(concrete), /*see_concrete=*/true));

  TestScope knows_nothing, knows;
  knows.revealed[opaque] = concrete;
  EXPECT_FALSE(SameTypeIn(knows_nothing, t.Ref(opaque), t.Ref(concrete)));
  EXPECT_TRUE(SameTypeIn(knows, t.Ref(opaque), t.Ref(concrete)));
  EXPECT_FALSE(SameTypeIn(knows, t.Ref(other), t.Ref(concrete)));
}

TEST_F(EqualityTest, TheErrorTypeIsTheSameAsAll) {
  EXPECT_TRUE(SameType(t.table.error, t.table.integer));
  EXPECT_TRUE(SameType(t.Ref(t.table.real), t.Ref(t.table.error)));
  EXPECT_FALSE(SameType(t.Ref(t.table.error), t.Open(t.table.error)));
}

TEST_F(EqualityTest, ConstantsAreTheirValues) {
  using Kind = Constant::Kind;
  EXPECT_TRUE(SameConstant(nullptr, nullptr));
  EXPECT_FALSE(SameConstant(nullptr, t.Ordinal(0)));
  EXPECT_FALSE(SameConstant(t.Make(Kind::kNil), t.Ordinal(0)));
  EXPECT_TRUE(SameConstant(t.Make(Kind::kNil), t.Make(Kind::kNil)));
  EXPECT_FALSE(SameConstant(t.Real(0.0), t.Real(-0.0)));
  EXPECT_TRUE(SameConstant(t.Real(1.5), t.Real(1.5)));
  Constant *text = t.Make(Kind::kText), *same_text = t.Make(Kind::kText),
           *longer = t.Make(Kind::kText);
  text->text = same_text->text = U"abc";
  longer->text = U"abcd";
  EXPECT_TRUE(SameConstant(text, same_text));
  EXPECT_FALSE(SameConstant(text, longer));
  Constant *set = t.Make(Kind::kSet), *other_set = t.Make(Kind::kSet);
  set->set_words = {5};
  other_set->set_words = {7};
  EXPECT_FALSE(SameConstant(set, other_set));
  Constant *a = t.Make(Kind::kArray), *b = t.Make(Kind::kArray), *record = t.Make(Kind::kRecord);
  a->components = {t.Ordinal(1), text};
  b->components = {t.Ordinal(1), same_text};
  record->components = a->components;
  EXPECT_TRUE(SameConstant(a, b));
  EXPECT_FALSE(SameConstant(a, record));
  b->components.push_back(text);
  EXPECT_FALSE(SameConstant(a, b));
  Constant *p = t.Make(Kind::kProcedure), *q = t.Make(Kind::kProcedure);
  p->procedure = t.Code("M.p");
  q->procedure = t.Code("M.q");
  EXPECT_FALSE(SameConstant(p, q));
}

}  // namespace
}  // namespace tenure::compiler
