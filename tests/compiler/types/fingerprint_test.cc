#include "compiler/types/fingerprint.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

#include "compiler/types/describe.h"
#include "compiler/types/equality.h"
#include "tests/compiler/types/type_builder.h"

namespace tenure::compiler {
namespace {

// The fingerprint of the type that `make` returns, in a program that has only the types made by
// `make`.
uint64_t Alone(const std::function<Type*(TypeBuilder&)>& make) {
  TypeBuilder t;
  const Type* type = make(t);
  return Fingerprints(t.table).Of(type);
}

// Types of many shapes, by a name for messages. Each call makes new ones.
std::map<std::string, Type*> Samples(TypeBuilder& t) {
  std::map<std::string, Type*> samples = {
      {"INTEGER", t.table.integer},
      {"LONGINT", t.table.longint},
      {"CARDINAL", t.table.cardinal},
      {"LONGCARD", t.table.longcard},
      {"[0..LAST(INTEGER)]", t.Range(0, LastOf(t.table.integer))},
      {"BOOLEAN", t.table.boolean},
      {"{TRUE, FALSE}", t.Enumeration({"TRUE", "FALSE"})},
      {"CHAR", t.table.character},
      {"WIDECHAR", t.table.widechar},
      {"{ab, c}", t.Enumeration({"ab", "c"})},
      {"{a, bc}", t.Enumeration({"a", "bc"})},
      {"{}", t.Enumeration({})},
      {"REAL", t.table.real},
      {"LONGREAL", t.table.longreal},
      {"EXTENDED", t.table.extended},
      {"REFANY", t.table.refany},
      {"ADDRESS", t.table.address},
      {"NULL", t.table.null},
      {"<*TRANSIENT*> REFANY", t.table.transient_refany},
      {"ROOT", t.table.root},
      {"UNTRACED ROOT", t.table.untraced_root},
      {"<*TRANSIENT*> ROOT", t.table.transient_root},
      {"[0..9]", t.Range(0, 9)},
      {"[0L..9L]", t.Range(0, 9, t.table.longint)},
      {"ARRAY [0..9] OF REAL", t.Array(10, t.table.real)},
      {"ARRAY [1..10] OF REAL", t.Array(t.Range(1, 10), t.table.real)},
      {"ARRAY OF REAL", t.Open(t.table.real)},
      {"ARRAY OF ARRAY OF REAL", t.Open(t.Open(t.table.real))},
      {"SET OF CHAR", t.Set(t.table.character)},
      {"BITS 8 FOR CHAR", t.Bits(8, t.table.character)},
      {"BITS 9 FOR CHAR", t.Bits(9, t.table.character)},
      {"RECORD END", t.Record({})},
      {"RECORD a: INTEGER; b: REAL END", t.Record({t.table.integer, t.table.real})},
      {"RECORD a: REAL; b: INTEGER END", t.Record({t.table.real, t.table.integer})},
      {"REF INTEGER", t.Ref(t.table.integer)},
      {"UNTRACED REF INTEGER", t.Ref(t.table.integer, false)},
      {"<*TRANSIENT*> REF INTEGER", t.TransientRef(t.table.integer)},
      {"BRANDED \"a\" REF INTEGER", t.BrandedRef("a", t.table.integer)},
      {"BRANDED \"\" REF INTEGER", t.BrandedRef("", t.table.integer)},
      {"PROCEDURE ()", t.ProcedureOf({})},
      {"PROCEDURE (x: INTEGER): REAL", t.Function(t.table.integer, t.table.real)},
      {"ROOT OBJECT END", t.Object(nullptr)},
      {"<*TRANSIENT*> ROOT OBJECT END", t.Object(t.table.transient_root)},
      {"UNTRACED ROOT OBJECT END", t.Object(t.table.untraced_root)},
      {"ROOT OBJECT a: INTEGER END", t.Object(nullptr, {t.table.integer})},
      {"(ROOT OBJECT END) OBJECT END", t.Object(t.Object(nullptr))},
      {"list of INTEGER", t.List(t.table.integer)},
      {"list of REAL", t.List(t.table.real)},
      {"list of TEXT", t.List(t.table.text)},
      {"TEXT", t.table.text},
      {"opaque I.T", t.Opaque("I.T", t.table.refany)},
      {"opaque I.U", t.Opaque("I.U", t.table.refany)},
  };
  ArrayType* marked_array = t.Array(10, t.table.refany);
  marked_array->transient = true;
  samples["<*TRANSIENT*> ARRAY [0..9] OF REFANY"] = marked_array;
  samples["ARRAY [0..9] OF REFANY"] = t.Array(10, t.table.refany);
  OpenArrayType* marked_open = t.Open(t.table.refany);
  marked_open->transient = true;
  samples["<*TRANSIENT*> ARRAY OF REFANY"] = marked_open;
  samples["ARRAY OF REFANY"] = t.Open(t.table.refany);
  RecordType* marked_field = t.Record({t.table.refany});
  marked_field->fields[0].transient = true;
  samples["RECORD <*TRANSIENT*> a: REFANY END"] = marked_field;
  RecordType* marked_record = t.Record({t.table.refany});
  marked_record->transient = true;
  samples["<*TRANSIENT*> RECORD a: REFANY END"] = marked_record;
  samples["RECORD a: REFANY END"] = t.Record({t.table.refany});
  for (int64_t value : {0, 1}) {
    RecordType* record = t.Record({t.table.integer});
    record->fields[0].default_value = t.Ordinal(value);
    samples["RECORD a := " + std::to_string(value) + " END"] = record;
  }
  for (const char* text : {"0.0", "-0.0"}) {
    RecordType* record = t.Record({t.table.real});
    record->fields[0].default_value = t.Real(std::stod(text));
    samples[std::string("RECORD a: REAL := ") + text + " END"] = record;
  }
  samples["RECORD a: INTEGER END"] = t.Record({t.table.integer});
  samples["RECORD a: REAL END"] = t.Record({t.table.real});
  Signature raises;
  raises.raises = {t.MakeException("I.E")};
  samples["PROCEDURE () RAISES {I.E}"] = t.ProcedureOf(raises);
  raises.raises.push_back(t.MakeException("I.F"));
  samples["PROCEDURE () RAISES {I.E, I.F}"] = t.ProcedureOf(raises);
  Signature any;
  any.raises_any = true;
  samples["PROCEDURE () RAISES ANY"] = t.ProcedureOf(any);
  for (ParameterMode mode :
       {ParameterMode::kValue, ParameterMode::kVar, ParameterMode::kReadonly}) {
    Signature signature;
    signature.formals.push_back({"x", mode, t.table.integer, nullptr});
    samples["PROCEDURE (mode " + std::to_string(static_cast<int>(mode)) + " x: INTEGER)"] =
        t.ProcedureOf(signature);
  }
  for (const char* code : {"", "M.p", "M.q"}) {
    ObjectType* base = t.Object(nullptr);
    TypeBuilder::AddMethod(base, "m", *code == 0 ? nullptr : t.Code(code));
    samples[std::string("ROOT OBJECT METHODS m() := ") + code + " END"] = base;
    ObjectType* derived = t.Object(base);
    TypeBuilder::AddOverride(derived, base, 0, t.Code("M.other"));
    samples[std::string("... OBJECT OVERRIDES m := M.other END of m() := ") + code] = derived;
  }
  return samples;
}

// Fingerprints are equal exactly where SameType finds the types equal, and the same in a program
// that has the types in reverse order.
TEST(FingerprintTest, FingerprintsAgreeWithEquality) {
  TypeBuilder t;
  const std::map<std::string, Type*> samples = Samples(t), again = Samples(t);
  const Fingerprints fingerprints(t.table);
  for (const auto& [name, type] : samples) {
    for (const auto& [other_name, other] : again) {
      const bool same = SameType(type, other, /*see_concrete=*/true);
      EXPECT_EQ(fingerprints.Of(type) == fingerprints.Of(other), same)
          << name << " and " << other_name;
    }
  }
}

TEST(FingerprintTest, AFingerprintDoesNotDependOnWhatElseIsInTheProgram) {
  TypeBuilder whole;
  std::map<std::string, Type*> many = Samples(whole);
  // Unrelated types that share components with the samples.
  for (const auto& [name, type] : std::map<std::string, Type*>(many)) {
    whole.Ref(whole.Record({whole.Ref(type), type}));
    whole.List(type, 2);
  }
  const Fingerprints in_whole(whole.table);
  for (const auto& [name, type] : many) {
    EXPECT_EQ(in_whole.Of(type),
              Alone([&name = name](TypeBuilder& t) { return Samples(t).at(name); }))
        << name;
  }
  EXPECT_EQ(in_whole.Of(many.at("list of INTEGER")),
            Alone([](TypeBuilder& t) -> Type* { return t.List(t.table.integer); }));
  EXPECT_EQ(in_whole.Of(many.at("ROOT OBJECT a: INTEGER END")),
            Alone([](TypeBuilder& t) -> Type* { return t.Object(nullptr, {t.table.integer}); }));
}

TEST(FingerprintTest, AllFiniteGraphsOfOneInfiniteTreeAgree) {
  TypeBuilder t;
  std::vector<Type*> lists;
  for (int unrolled : {0, 1, 2, 9}) lists.push_back(t.List(t.table.integer, unrolled));
  for (int length : {1, 2, 3, 4, 6}) lists.push_back(t.Ring(t.table.integer, length));
  Type* other = t.List(t.table.real);
  const Fingerprints fingerprints(t.table);
  for (Type* list : lists) {
    EXPECT_EQ(fingerprints.Of(list), fingerprints.Of(lists[0]));
    EXPECT_NE(fingerprints.Of(list), fingerprints.Of(other));
  }
  EXPECT_EQ(fingerprints.Of(lists[0]),
            Alone([](TypeBuilder& a) -> Type* { return a.Ring(a.table.integer, 5); }));
}

TEST(FingerprintTest, ThePlaceInARingCounts) {
  TypeBuilder t;
  // Cells of alternating item types: a list that begins with INTEGER is not one that begins with
  // REAL.
  RefType *first = t.Ref(nullptr), *second = t.Ref(nullptr);
  first->referent = t.Record({t.table.integer, second});
  second->referent = t.Record({t.table.real, first});
  RefType* unrolled = t.Ref(t.Record({t.table.integer, second}));
  const Fingerprints fingerprints(t.table);
  EXPECT_NE(fingerprints.Of(first), fingerprints.Of(second));
  EXPECT_EQ(fingerprints.Of(first), fingerprints.Of(unrolled));
}

TEST(FingerprintTest, WhoAskedFirstDoesNotMatter) {
  TypeBuilder a, b;
  const std::map<std::string, Type*> in_a = Samples(a), in_b = Samples(b);
  const Fingerprints of_a(a.table), of_b(b.table);
  for (auto it = in_b.rbegin(); it != in_b.rend(); ++it) of_b.Of(it->second);
  for (const auto& [name, type] : in_a) EXPECT_EQ(of_a.Of(type), of_b.Of(in_b.at(name))) << name;
}

TEST(FingerprintTest, OpaqueTypesAreWhatTheyAreRevealedAs) {
  TypeBuilder t;
  OpaqueType* opaque = t.Opaque("I.T", t.table.refany);
  RefType* concrete = t.BrandedRef("b", t.table.integer);
  opaque->concrete = concrete;
  Type *of_opaque = t.Ref(opaque), *of_concrete = t.Ref(concrete);
  const Fingerprints fingerprints(t.table);
  EXPECT_EQ(fingerprints.Of(opaque), fingerprints.Of(concrete));
  EXPECT_EQ(fingerprints.Of(of_opaque), fingerprints.Of(of_concrete));
}

TEST(FingerprintTest, NamesOfTypesDoNotCount) {
  const uint64_t anonymous =
      Alone([](TypeBuilder& t) -> Type* { return t.Record({t.table.integer}); });
  const uint64_t named = Alone([](TypeBuilder& t) -> Type* {
    Type* type = t.Record({t.table.integer});
    type->name = "M.T";
    return type;
  });
  EXPECT_EQ(anonymous, named);
}

TEST(FingerprintTest, RaisesIsASet) {
  TypeBuilder t;
  Exception *e = t.MakeException("I.E"), *f = t.MakeException("I.F");
  Signature ef, fe;
  ef.raises = {e, f};
  fe.raises = {f, e, f};
  Type *a = t.ProcedureOf(ef), *b = t.ProcedureOf(fe);
  const Fingerprints fingerprints(t.table);
  EXPECT_EQ(fingerprints.Of(a), fingerprints.Of(b));
}

TEST(FingerprintTest, OverridesOfTwoMethodsOfOneNameDiffer) {
  TypeBuilder t;
  ObjectType* outer = t.Object(nullptr);
  TypeBuilder::AddMethod(outer, "m", nullptr);
  ObjectType* inner = t.Object(outer);
  TypeBuilder::AddMethod(inner, "m", nullptr);
  ObjectType *a = t.Object(inner), *b = t.Object(inner);
  Procedure* p = t.Code("M.p");
  TypeBuilder::AddOverride(a, outer, 0, p);
  TypeBuilder::AddOverride(b, inner, 0, p);
  const Fingerprints fingerprints(t.table);
  EXPECT_NE(fingerprints.Of(a), fingerprints.Of(b));
}

// Random graphs of references, records and arrays: pairs of nodes agree in fingerprint exactly when
// SameType finds them equal. Few labels and many nodes, so that there are equal ones.
TEST(FingerprintTest, RandomGraphsAgreeWithEquality) {
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    TypeBuilder t;
    std::vector<RefType*> refs;
    for (int i = 0; i < 24; ++i) refs.push_back(t.Ref(nullptr));
    auto pick = [&]() -> Type* {
      if (random() % 6 == 0) return random() % 2 == 0 ? t.table.integer : t.table.text;
      return refs[random() % refs.size()];
    };
    for (RefType* ref : refs) {
      switch (random() % 3) {
        case 0: ref->referent = t.Record({pick(), pick()}); break;
        case 1: ref->referent = t.Open(pick()); break;
        default: ref->referent = pick(); break;
      }
    }
    const Fingerprints fingerprints(t.table);
    int equal_pairs = 0;
    for (RefType* a : refs) {
      for (RefType* b : refs) {
        const bool same = SameType(a, b);
        equal_pairs += same && a != b;
        ASSERT_EQ(fingerprints.Of(a) == fingerprints.Of(b), same)
            << TypeToString(a) << " and " << TypeToString(b);
      }
    }
    RecordProperty("equal_pairs", equal_pairs);
  }
}

// Databases store these values: a change of any value makes databases unreadable, and needs a new
// format version.
TEST(FingerprintTest, FingerprintsAreTheSameInAllVersions) {
  TypeBuilder t;
  Type* list = t.List(t.table.integer);
  ObjectType* object = t.Object(nullptr, {t.table.character, t.Open(t.table.real)});
  object->brand = "Sample";
  TypeBuilder::AddMethod(object, "m", t.Code("M.p"), t.table.boolean);
  const Fingerprints fingerprints(t.table);
  EXPECT_EQ(fingerprints.Of(t.table.integer), 0xf29a1856044b2424u);
  EXPECT_EQ(fingerprints.Of(t.table.root), 0xb97f8014346d3390u);
  EXPECT_EQ(fingerprints.Of(list), 0xee03e7385a9d6327u);
  EXPECT_EQ(fingerprints.Of(object), 0x772def2a63cb9d39u);
}

TEST(FingerprintTest, ManyTypesTakeReasonableTime) {
  TypeBuilder t;
  Type* previous = t.table.integer;
  for (int i = 0; i < 1000; ++i) {
    RecordType* record = t.Record({t.table.integer, previous});
    record->fields[0].name = "f" + std::to_string(i);
    previous = t.Ref(record);
  }
  const Fingerprints fingerprints(t.table);
  std::set<uint64_t> distinct;
  for (const Type* type : t.table.all()) distinct.insert(fingerprints.Of(type));
  EXPECT_EQ(distinct.size(), t.table.all().size());
}

// An algorithm that visits all types for each link of the chain would take minutes.
TEST(FingerprintTest, LongChainsTakeReasonableTime) {
  constexpr int kLength = 20000;
  TypeBuilder t;
  std::vector<Type*> one, other;
  Type *last = t.table.integer, *last_of_other = t.table.integer;
  for (int i = 0; i < kLength; ++i) {
    one.push_back(last = t.Ref(last));
    other.push_back(last_of_other = t.Ref(last_of_other));
  }
  Type* longer = t.Ref(last);
  const Fingerprints fingerprints(t.table);
  for (const int i : {0, 1, kLength / 2, kLength - 1}) {
    EXPECT_EQ(fingerprints.Of(one[i]), fingerprints.Of(other[i])) << i;
  }
  EXPECT_NE(fingerprints.Of(last), fingerprints.Of(longer));
  EXPECT_NE(fingerprints.Of(one[7]), fingerprints.Of(one[8]));
}

}  // namespace
// Cells that refer to each other and have different items; the first item is given. `twisted`: all
// items except the first are alike.
std::vector<RefType*> Circle(TypeBuilder& t, int length, int from, bool twisted) {
  std::vector<RefType*> cells;
  for (int i = 0; i < length; ++i) cells.push_back(t.Ref(nullptr));
  for (int i = 0; i < length; ++i) {
    const int place = (i + from) % length;
    Type* item = t.table.integer;
    if (twisted ? place == 0 : true) item = t.Bits(place + 1, t.table.integer);
    cells[i]->referent = t.Record({item, cells[(i + 1) % length]});
  }
  return cells;
}

TEST(FingerprintTest, OfManyTypesThatReachEachOther) {
  for (const bool twisted : {false, true}) {
    const int length = 3000;
    TypeBuilder t, other;
    const std::vector<RefType*> circle = Circle(t, length, 0, twisted);
    Type* in_front = t.Ref(t.Record({circle[5]}));
    Type* unrolled =
        t.Ref(t.Record({As<RecordType>(circle[7]->referent)->fields[0].type, circle[8]}));
    for (int i = 0; i < 100; ++i) other.List(other.table.integer, i);
    const std::vector<RefType*> turned = Circle(other, length, 1234, twisted);
    Type* other_front = other.Ref(other.Record({turned[length - 1234 + 5]}));
    const Fingerprints fingerprints(t.table), others(other.table);
    std::set<uint64_t> different;
    for (int i = 0; i < length; ++i) {
      const uint64_t fingerprint = fingerprints.Of(circle[i]);
      EXPECT_EQ(fingerprint, others.Of(turned[(i - 1234 + length) % length])) << i;
      different.insert(fingerprint);
    }
    EXPECT_EQ(different.size(), static_cast<size_t>(length));
    EXPECT_EQ(fingerprints.Of(unrolled), fingerprints.Of(circle[7]));
    EXPECT_EQ(fingerprints.Of(in_front), others.Of(other_front));
    EXPECT_NE(fingerprints.Of(in_front), fingerprints.Of(circle[4]));
  }
}

TEST(FingerprintTest, OfAHundredThousandTypesInOneCircleAndInOneChain) {
  TypeBuilder t;
  const int length = 100'000;
  const std::vector<RefType*> circle = Circle(t, length, 0, true);
  std::vector<RefType*> chain = {t.Ref(t.table.integer)};
  for (int i = 1; i < length; ++i) chain.push_back(t.Ref(chain.back()));
  const Fingerprints fingerprints(t.table);
  std::set<uint64_t> different;
  for (int i = 0; i < length; ++i) {
    different.insert(fingerprints.Of(circle[i]));
    different.insert(fingerprints.Of(chain[i]));
  }
  EXPECT_EQ(different.size(), size_t{2} * length);
}

}  // namespace tenure::compiler
