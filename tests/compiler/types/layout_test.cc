#include "compiler/types/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <utility>

#include "tests/compiler/types/type_builder.h"

namespace tenure::abi {

inline bool operator==(const SlotRun& a, const SlotRun& b) {
  return a.offset == b.offset && a.count == b.count && a.stride == b.stride && a.kind == b.kind;
}
inline std::ostream& operator<<(std::ostream& out, const SlotRun& run) {
  return out << "{" << run.offset << ", " << run.count << ", " << run.stride << ", "
             << static_cast<uint32_t>(run.kind) << "}";
}

}  // namespace tenure::abi

namespace tenure::compiler {

inline bool operator==(const Layout& a, const Layout& b) {
  return a.bytes == b.bytes && a.alignment == b.alignment;
}
inline std::ostream& operator<<(std::ostream& out, const Layout& layout) {
  return out << "{" << layout.bytes << ", " << layout.alignment << "}";
}
inline bool operator==(const FieldPlace& a, const FieldPlace& b) {
  return a.bit_offset == b.bit_offset && a.bit_size == b.bit_size && a.packed == b.packed;
}
inline std::ostream& operator<<(std::ostream& out, const FieldPlace& place) {
  return out << "{" << place.bit_offset << ", " << place.bit_size << ", " << place.packed << "}";
}

namespace {

using abi::SlotKind;
using abi::SlotRun;
using Runs = std::vector<SlotRun>;

constexpr SlotKind kTraced = SlotKind::kReference;
constexpr SlotKind kTransient = SlotKind::kTransientReference;

class LayoutTest : public testing::Test {
 protected:
  // The offset and kind of every slot in the runs, in order of offset.
  static std::vector<std::pair<uint64_t, SlotKind>> Slots(const Runs& runs) {
    std::vector<std::pair<uint64_t, SlotKind>> slots;
    for (const SlotRun& run : runs) {
      for (uint64_t i = 0; i < run.count; ++i)
        slots.push_back({run.offset + i * run.stride, run.kind});
    }
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  TypeBuilder t;
};

// --- scalars ---

TEST_F(LayoutTest, OrdinalsTakeTheFewestBytesThatHoldTheRange) {
  auto bytes = [&](int64_t low, int64_t high) {
    const Layout layout = LayoutOf(t.Range(low, high));
    EXPECT_EQ(layout.bytes, layout.alignment);
    return layout.bytes;
  };
  EXPECT_EQ(bytes(0, 0), 1);
  EXPECT_EQ(bytes(0, 255), 1);
  EXPECT_EQ(bytes(0, 256), 2);
  EXPECT_EQ(bytes(1000, 1001), 2);
  EXPECT_EQ(bytes(0, 65535), 2);
  EXPECT_EQ(bytes(0, 65536), 4);
  EXPECT_EQ(bytes(0, 4294967295), 4);
  EXPECT_EQ(bytes(0, 4294967296), 8);
  EXPECT_EQ(bytes(-128, 127), 1);
  EXPECT_EQ(bytes(-129, 0), 2);
  EXPECT_EQ(bytes(-1, 128), 2);
  EXPECT_EQ(bytes(-32768, 32767), 2);
  EXPECT_EQ(bytes(-1, 32768), 4);
  EXPECT_EQ(bytes(-1, 2147483648), 8);
  EXPECT_EQ(bytes(std::numeric_limits<int64_t>::min(), 0), 8);
  EXPECT_EQ(LayoutOf(t.table.integer), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.table.cardinal), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.table.boolean), (Layout{1, 1}));
  EXPECT_EQ(LayoutOf(t.table.character), (Layout{1, 1}));
  EXPECT_EQ(LayoutOf(t.table.widechar), (Layout{2, 2}));
}

TEST_F(LayoutTest, FloatsAndReferences) {
  EXPECT_EQ(LayoutOf(t.table.real), (Layout{4, 4}));
  EXPECT_EQ(LayoutOf(t.table.longreal), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.table.extended), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.table.text), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.Object(nullptr, {t.table.character})), (Layout{8, 8}));
  EXPECT_EQ(LayoutOf(t.ProcedureOf({})), (Layout{8, 8}));
}

TEST_F(LayoutTest, SetsHaveABitForEachElement) {
  auto bytes = [&](int64_t low, int64_t high) { return LayoutOf(t.Set(t.Range(low, high))); };
  EXPECT_EQ(bytes(3, 2), (Layout{1, 1}));
  EXPECT_EQ(bytes(0, 7), (Layout{1, 1}));
  EXPECT_EQ(bytes(100, 107), (Layout{1, 1}));
  EXPECT_EQ(bytes(-4, 4), (Layout{2, 2}));
  EXPECT_EQ(bytes(0, 16), (Layout{4, 4}));
  EXPECT_EQ(bytes(0, 32), (Layout{8, 8}));
  EXPECT_EQ(bytes(0, 63), (Layout{8, 8}));
  EXPECT_EQ(bytes(0, 64), (Layout{16, 8}));
  EXPECT_EQ(LayoutOf(t.Set(t.table.character)), (Layout{32, 8}));
  EXPECT_EQ(LayoutOf(t.Set(t.table.widechar)), (Layout{8192, 8}));
}

// --- records ---

TEST_F(LayoutTest, RecordsAlignTheirFieldsAndThemselves) {
  RecordType* record =
      t.Record({t.table.character, t.table.integer, t.table.boolean, t.table.real});
  EXPECT_EQ(PlaceOfField(record, 0), (FieldPlace{0, 8, false}));
  EXPECT_EQ(PlaceOfField(record, 1), (FieldPlace{64, 64, false}));
  EXPECT_EQ(PlaceOfField(record, 2), (FieldPlace{128, 8, false}));
  EXPECT_EQ(PlaceOfField(record, 3), (FieldPlace{160, 32, false}));
  EXPECT_EQ(LayoutOf(record), (Layout{24, 8}));
  EXPECT_EQ(LayoutOf(t.Record({t.table.character, t.table.widechar, t.table.character})),
            (Layout{6, 2}));
  EXPECT_EQ(BitSizeOf(record), 192);
}

TEST_F(LayoutTest, AnEmptyRecordTakesNoSpace) {
  RecordType* empty = t.Record({});
  EXPECT_EQ(LayoutOf(empty), (Layout{0, 1}));
  EXPECT_EQ(LayoutOf(t.Array(10, empty)), (Layout{0, 1}));
  RecordType* around = t.Record({t.table.character, empty, t.table.character});
  EXPECT_EQ(PlaceOfField(around, 1), (FieldPlace{8, 0, false}));
  EXPECT_EQ(PlaceOfField(around, 2), (FieldPlace{8, 8, false}));
  EXPECT_EQ(LayoutOf(around), (Layout{2, 1}));
  EXPECT_TRUE(SlotRunsOf(t.Array(10, empty)).empty());
}

TEST_F(LayoutTest, NestedRecordsKeepTheirLayout) {
  RecordType* inner = t.Record({t.table.integer, t.table.character});
  RecordType* outer = t.Record({t.table.character, inner, t.table.character});
  EXPECT_EQ(LayoutOf(inner), (Layout{16, 8}));
  EXPECT_EQ(PlaceOfField(outer, 1), (FieldPlace{64, 128, false}));
  EXPECT_EQ(PlaceOfField(outer, 2), (FieldPlace{192, 8, false}));
  EXPECT_EQ(LayoutOf(outer), (Layout{32, 8}));
}

TEST_F(LayoutTest, DeeplyNestedRecordsTakeNoExponentialTime) {
  Type* type = t.table.text;
  for (int i = 0; i < 200; ++i) type = t.Record({type});
  EXPECT_EQ(LayoutOf(type), (Layout{8, 8}));
  EXPECT_EQ(SlotRunsOf(type), (Runs{{0, 1, 8, kTraced}}));
}

// --- packed ---

// language.md 5.6.
TEST_F(LayoutTest, PackedFieldsLieDirectlyBehindTheirPredecessor) {
  RecordType* record =
      t.Record({t.Bits(1, t.table.boolean), t.Bits(4, t.Range(0, 9)), t.Bits(3, t.Range(-4, 3)),
                t.Bits(8, t.table.character), t.Bits(7, t.Range(0, 99))});
  EXPECT_EQ(PlaceOfField(record, 0), (FieldPlace{0, 1, true}));
  EXPECT_EQ(PlaceOfField(record, 1), (FieldPlace{1, 4, true}));
  EXPECT_EQ(PlaceOfField(record, 2), (FieldPlace{5, 3, true}));
  EXPECT_EQ(PlaceOfField(record, 3), (FieldPlace{8, 8, false}));
  EXPECT_EQ(PlaceOfField(record, 4), (FieldPlace{16, 7, true}));
  EXPECT_EQ(LayoutOf(record), (Layout{3, 1}));
}

TEST_F(LayoutTest, APackedScalarDoesNotStraddleAWord) {
  RecordType* record =
      t.Record({t.Bits(60, t.Range(0, 9)), t.Bits(4, t.Range(0, 9)), t.Bits(60, t.Range(0, 9)),
                t.Bits(5, t.Range(0, 9)), t.Bits(64, t.table.integer)});
  EXPECT_EQ(PlaceOfField(record, 1).bit_offset, 60);
  EXPECT_EQ(PlaceOfField(record, 2).bit_offset, 64);
  EXPECT_EQ(PlaceOfField(record, 3).bit_offset, 128);
  EXPECT_EQ(PlaceOfField(record, 4), (FieldPlace{192, 64, false}));
  EXPECT_EQ(LayoutOf(record), (Layout{32, 8}));
}

// Each field lies within one word at any place of the record, and the record has no extra bytes:
// network headers have exactly their declared length.
TEST_F(LayoutTest, PackedFieldsAlignTheirRecordAsFarAsTheyNeed) {
  const auto record = [&](std::vector<int> sizes) {
    std::vector<Type*> types;
    for (int bits : sizes) types.push_back(t.Bits(bits, t.Range(0, 1)));
    return LayoutOf(t.Record(types));
  };
  EXPECT_EQ(record({4, 4}), (Layout{1, 1}));
  EXPECT_EQ(record({4, 4, 8, 16, 8, 8}), (Layout{6, 2}));
  EXPECT_EQ(record({12, 13}), (Layout{4, 4}));
  EXPECT_EQ(record({7, 2, 24, 24}), (Layout{8, 8}));
  EXPECT_EQ(record({0, 8, 0}), (Layout{1, 1}));
}

TEST_F(LayoutTest, OrdinaryFieldsAfterPackedOnesAreAlignedAgain) {
  RecordType* record = t.Record(
      {t.Bits(3, t.Range(0, 7)), t.table.character, t.Bits(2, t.Range(0, 3)), t.table.integer});
  EXPECT_EQ(PlaceOfField(record, 1), (FieldPlace{8, 8, false}));
  EXPECT_EQ(PlaceOfField(record, 2), (FieldPlace{16, 2, true}));
  EXPECT_EQ(PlaceOfField(record, 3), (FieldPlace{64, 64, false}));
  EXPECT_EQ(LayoutOf(record), (Layout{16, 8}));
}

// The collector reads and writes whole words.
TEST_F(LayoutTest, ReferencesInPackedFieldsAreWholeWords) {
  RecordType* pair = t.Record({t.table.text, t.table.text});
  RecordType* record =
      t.Record({t.Bits(1, t.table.boolean), t.Bits(128, pair), t.Bits(1, t.table.boolean),
                t.Bits(64, t.table.refany), t.Bits(128, t.Array(2, t.table.refany))});
  EXPECT_EQ(PlaceOfField(record, 1), (FieldPlace{64, 128, false}));
  EXPECT_EQ(PlaceOfField(record, 3), (FieldPlace{256, 64, false}));
  EXPECT_EQ(PlaceOfField(record, 4), (FieldPlace{320, 128, false}));
  EXPECT_EQ(Slots(SlotRunsOf(record)),
            (std::vector<std::pair<uint64_t, SlotKind>>{
                {8, kTraced}, {16, kTraced}, {32, kTraced}, {40, kTraced}, {48, kTraced}}));
}

TEST_F(LayoutTest, PackedRecordsKeepTheAlignmentOfTheirFields) {
  RecordType* inner = t.Record({t.table.widechar, t.table.widechar});
  RecordType* outer = t.Record({t.Bits(8, t.table.character), t.Bits(32, inner)});
  EXPECT_EQ(PlaceOfField(outer, 1), (FieldPlace{16, 32, false}));
  EXPECT_EQ(LayoutOf(outer), (Layout{6, 2}));
}

TEST_F(LayoutTest, PackedSetsArePackedAndPackedFloatsAreNot) {
  RecordType* record = t.Record({t.Bits(1, t.table.boolean), t.Bits(8, t.Set(t.Range(0, 7))),
                                 t.Bits(32, t.table.real), t.Bits(1, t.table.boolean),
                                 t.Bits(64, t.table.longreal)});
  EXPECT_EQ(PlaceOfField(record, 1), (FieldPlace{1, 8, true}));
  EXPECT_EQ(PlaceOfField(record, 2), (FieldPlace{32, 32, false}));
  EXPECT_EQ(PlaceOfField(record, 3), (FieldPlace{64, 1, true}));
  EXPECT_EQ(PlaceOfField(record, 4), (FieldPlace{128, 64, false}));
}

TEST_F(LayoutTest, APackedTypeAloneHasItsBasesLayout) {
  EXPECT_EQ(LayoutOf(t.Bits(3, t.Range(0, 7))), (Layout{1, 1}));
  EXPECT_EQ(LayoutOf(t.Bits(40, t.table.integer)), (Layout{8, 8}));
  EXPECT_EQ(BitSizeOf(t.Bits(3, t.Range(0, 7))), 3);
  EXPECT_EQ(BitSizeOf(t.table.boolean), 8);
}

// --- arrays ---

TEST_F(LayoutTest, FixedArrays) {
  ArrayType* array = t.Array(3, t.Record({t.table.integer, t.table.character}));
  EXPECT_EQ(LayoutOf(array), (Layout{48, 8}));
  EXPECT_EQ(ElementStride(array), 16);
  EXPECT_EQ(LayoutOf(t.Array(t.Range(3, 2), t.table.integer)), (Layout{0, 8}));
  EXPECT_EQ(LayoutOf(t.Array(t.table.character, t.table.boolean)), (Layout{256, 1}));
  EXPECT_EQ(LayoutOf(t.Array(5, t.Array(3, t.table.widechar))), (Layout{30, 2}));
  EXPECT_EQ(ElementStride(t.Array(5, t.Array(3, t.table.widechar))), 6);
}

TEST_F(LayoutTest, OpenArraysAreMeasuredByTheirInnermostElement) {
  OpenArrayType* matrix = t.Open(t.Open(t.Array(3, t.table.real)));
  EXPECT_EQ(OpenDimensions(matrix), 2u);
  EXPECT_EQ(InnermostElement(matrix)->kind, TypeKind::kArray);
  EXPECT_EQ(LayoutOf(matrix), (Layout{12, 4}));
  EXPECT_EQ(ElementStride(matrix), 12);
  EXPECT_EQ(OpenDimensions(t.table.integer), 0u);
}

TEST_F(LayoutTest, PackedElementsLieBitByBit) {
  ArrayType* bits = t.Array(100, t.Bits(1, t.table.boolean));
  EXPECT_EQ(ElementBits(bits), 1);
  EXPECT_EQ(LayoutOf(bits), (Layout{16, 8}));
  EXPECT_EQ(LayoutOf(t.Array(3, t.Bits(4, t.Range(0, 9)))), (Layout{2, 2}));
  EXPECT_EQ(LayoutOf(t.Array(3, t.Bits(8, t.table.character))), (Layout{3, 1}));
  EXPECT_EQ(LayoutOf(t.Array(3, t.Bits(64, t.table.refany))), (Layout{24, 8}));
  EXPECT_EQ(ElementBits(t.Open(t.Bits(4, t.Range(0, 9)))), 4);
}

TEST_F(LayoutTest, AbsurdSizesAreFoundTooLargeAndDoNotOverflow) {
  Type* type = t.table.integer;
  for (int i = 0; i < 10; ++i) {
    type = t.Array(int64_t{1} << 40, type);
    EXPECT_GT(LayoutOf(type).bytes, kMaxTypeBytes);
  }
  EXPECT_GT(LayoutOf(t.Record({type, type, type, type})).bytes, kMaxTypeBytes);
  EXPECT_GT(PayloadOf(t.Object(t.Object(nullptr, {type, type}), {type})).bytes, kMaxTypeBytes);
  EXPECT_GT(LayoutOf(t.Array(t.table.integer, t.Bits(1, t.table.boolean))).bytes, kMaxTypeBytes);
  EXPECT_GT(LayoutOf(t.Set(t.table.integer)).bytes, kMaxTypeBytes);
  EXPECT_EQ(LayoutOf(t.Array(kMaxTypeBytes, t.table.character)), (Layout{kMaxTypeBytes, 1}));
}

// --- objects ---

TEST_F(LayoutTest, ObjectsBeginWithTheInheritedFields) {
  ObjectType* base = t.Object(nullptr, {t.table.integer, t.table.character});
  ObjectType* derived = t.Object(base, {t.table.character, t.table.text});
  EXPECT_EQ(PayloadOf(t.table.root), (Layout{0, 1}));
  EXPECT_EQ(PayloadOf(base), (Layout{9, 8}));
  EXPECT_EQ(PlaceOfField(derived, 0),
            (FieldPlace{72, 8, false}));  // in the space left by the alignment
  EXPECT_EQ(PlaceOfField(derived, 1), (FieldPlace{128, 64, false}));
  EXPECT_EQ(PayloadOf(derived), (Layout{24, 8}));
  EXPECT_EQ(PayloadOf(t.Object(derived)), (Layout{24, 8}));
  EXPECT_EQ(SlotRunsOfPayload(derived), (Runs{{16, 1, 8, kTraced}}));
}

TEST_F(LayoutTest, ObjectsSeeThroughOpaqueSupertypes) {
  ObjectType* pub = t.Object(nullptr, {t.table.integer});
  OpaqueType* opaque = t.Opaque("Pen.T", pub);
  ObjectType* concrete = t.Object(pub, {t.table.text, t.table.integer});
  concrete->brand = "Pen";
  opaque->concrete = concrete;
  ObjectType* mine = t.Object(opaque, {t.table.refany});
  EXPECT_EQ(SuperOf(mine), concrete);
  EXPECT_EQ(SuperOf(t.table.root), nullptr);
  EXPECT_EQ(PlaceOfField(mine, 0), (FieldPlace{192, 64, false}));
  EXPECT_EQ(SlotRunsOfPayload(mine), (Runs{{8, 2, 16, kTraced}}));
}

TEST_F(LayoutTest, PackedFieldsOfObjectsBeginAtTheByteBehindTheSupertype) {
  ObjectType* base = t.Object(nullptr, {t.Bits(3, t.Range(0, 7))});
  ObjectType* derived = t.Object(base, {t.Bits(3, t.Range(0, 7)), t.Bits(5, t.Range(0, 7))});
  EXPECT_EQ(PayloadOf(base).bytes, 1);
  EXPECT_EQ(PlaceOfField(derived, 0), (FieldPlace{8, 3, true}));
  EXPECT_EQ(PlaceOfField(derived, 1), (FieldPlace{11, 5, true}));
  EXPECT_EQ(PayloadOf(derived).bytes, 2);
}

// --- methods ---

TEST_F(LayoutTest, MethodsOfTheSupertypeComeFirst) {
  Procedure *p = t.Code("M.p"), *q = t.Code("M.q"), *r = t.Code("M.r");
  ObjectType* base = t.Object(nullptr);
  TypeBuilder::AddMethod(base, "one", p);
  TypeBuilder::AddMethod(base, "two", nullptr);
  ObjectType* derived = t.Object(base);
  TypeBuilder::AddMethod(derived, "three", q);
  TypeBuilder::AddOverride(derived, base, 1, r);
  EXPECT_EQ(MethodCount(t.table.root), 0u);
  EXPECT_EQ(MethodCount(derived), 3u);
  EXPECT_EQ(MethodSlot(base, 1), 1u);
  EXPECT_EQ(MethodSlot(derived, 0), 2u);
  EXPECT_EQ(MethodImplementation(base, 1), nullptr);
  EXPECT_EQ(MethodImplementation(derived, 0), p);
  EXPECT_EQ(MethodImplementation(derived, 1), r);
  EXPECT_EQ(MethodImplementation(derived, 2), q);
  EXPECT_EQ(MethodImplementation(derived, 3), nullptr);
}

TEST_F(LayoutTest, ObjectTypesMayBeExtendedOften) {
  constexpr int kDepth = 2000;
  Procedure *p = t.Code("M.p"), *q = t.Code("M.q");
  std::vector<ObjectType*> chain;
  for (int i = 0; i < kDepth; ++i) {
    chain.push_back(t.Object(i == 0 ? nullptr : chain.back(), {t.table.integer}));
    TypeBuilder::AddMethod(chain.back(), "m" + std::to_string(i), p);
  }
  TypeBuilder::AddOverride(chain.back(), chain[5], 0, q);
  const ObjectType* last = chain.back();
  EXPECT_EQ(AncestryOf(last).back(), last);
  EXPECT_EQ(AncestryOf(chain[0]).back(), chain[0]);
  const std::vector<PlacedField> fields = FieldsOf(last);
  const std::vector<Procedure*> suite = MethodSuiteOf(last);
  ASSERT_EQ(fields.size(), size_t{kDepth});
  ASSERT_EQ(suite.size(), size_t{kDepth});
  for (int i = 0; i < kDepth; ++i) {
    EXPECT_EQ(fields[i].owner, chain[i]);
    EXPECT_EQ(fields[i].index, 0u);
    EXPECT_EQ(fields[i].place.bit_offset, PlaceOfField(chain[i], 0).bit_offset);
    EXPECT_EQ(suite[i], i == 5 ? q : p);
  }
  EXPECT_EQ(PayloadOf(last).bytes, kDepth * 8);
}

TEST_F(LayoutTest, OverridesAreInheritedAndCanBeOverriddenBack) {
  Procedure *p = t.Code("M.p"), *q = t.Code("M.q");
  ObjectType* base = t.Object(nullptr);
  TypeBuilder::AddMethod(base, "m", p);
  ObjectType* second = t.Object(base);
  TypeBuilder::AddOverride(second, base, 0, q);
  ObjectType* third = t.Object(second);
  ObjectType* fourth = t.Object(third);
  TypeBuilder::AddOverride(fourth, base, 0, nullptr);
  EXPECT_EQ(MethodImplementation(third, 0), q);
  EXPECT_EQ(MethodImplementation(fourth, 0), nullptr);
  EXPECT_EQ(MethodImplementation(base, 0), p);
}

// language.md 29.48 and 9.12.
TEST_F(LayoutTest, ARedeclaredMethodIsASecondSlot) {
  Procedure *cry = t.Code("M.Cry"), *caw = t.Code("M.Caw"), *quack = t.Code("M.Quack");
  ObjectType* bird = t.Object(nullptr);
  TypeBuilder::AddMethod(bird, "cry", cry);
  ObjectType* crow = t.Object(bird);
  TypeBuilder::AddMethod(crow, "cry", caw);
  EXPECT_EQ(MethodCount(crow), 2u);
  EXPECT_EQ(MethodImplementation(crow, MethodSlot(bird, 0)), cry);
  EXPECT_EQ(MethodImplementation(crow, MethodSlot(crow, 0)), caw);
  // An override made where the layer of crow is hidden overrides bird's method.
  ObjectType* hidden = t.Object(crow);
  TypeBuilder::AddOverride(hidden, bird, 0, quack);
  EXPECT_EQ(MethodImplementation(hidden, 0), quack);
  EXPECT_EQ(MethodImplementation(hidden, 1), caw);
  ObjectType* seen = t.Object(crow);
  TypeBuilder::AddOverride(seen, crow, 0, quack);
  EXPECT_EQ(MethodImplementation(seen, 0), cry);
  EXPECT_EQ(MethodImplementation(seen, 1), quack);
}

// --- slots ---

TEST_F(LayoutTest, EachKindOfPointerHasItsSlotKind) {
  EXPECT_EQ(SlotRunsOf(t.table.refany), (Runs{{0, 1, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.table.text), (Runs{{0, 1, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Object(nullptr)), (Runs{{0, 1, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.table.transient_refany), (Runs{{0, 1, 8, kTransient}}));
  EXPECT_EQ(SlotRunsOf(t.TransientRef(t.table.integer)), (Runs{{0, 1, 8, kTransient}}));
  EXPECT_EQ(SlotRunsOf(t.Object(t.table.transient_root)), (Runs{{0, 1, 8, kTransient}}));
  EXPECT_EQ(SlotRunsOf(t.table.address), (Runs{{0, 1, 8, SlotKind::kUntraced}}));
  EXPECT_EQ(SlotRunsOf(t.Ref(t.table.integer, false)), (Runs{{0, 1, 8, SlotKind::kUntraced}}));
  EXPECT_EQ(SlotRunsOf(t.Object(t.table.untraced_root)), (Runs{{0, 1, 8, SlotKind::kUntraced}}));
  EXPECT_EQ(SlotRunsOf(t.ProcedureOf({})), (Runs{{0, 1, 8, SlotKind::kProcedure}}));
  EXPECT_TRUE(SlotRunsOf(t.table.integer).empty());
  EXPECT_TRUE(SlotRunsOf(t.Set(t.table.character)).empty());
}

TEST_F(LayoutTest, OpaqueTypesAreWhatTheyAreRevealedAs) {
  OpaqueType* opaque = t.Opaque("I.T", t.table.refany);
  EXPECT_EQ(SlotRunsOf(opaque), (Runs{{0, 1, 8, kTraced}}));
  opaque->concrete = t.TransientRef(t.table.integer);
  EXPECT_EQ(SlotRunsOf(opaque), (Runs{{0, 1, 8, kTransient}}));
  EXPECT_EQ(SlotRunsOf(t.Opaque("I.U", t.table.address)), (Runs{{0, 1, 8, SlotKind::kUntraced}}));
}

TEST_F(LayoutTest, NeighboursOfOneKindAreOneRun) {
  Type* ref = t.table.refany;
  EXPECT_EQ(SlotRunsOf(t.Record({ref, ref, ref, t.table.integer, ref})),
            (Runs{{0, 3, 8, kTraced}, {32, 1, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Record({ref, t.table.integer, ref, t.table.integer, ref})),
            (Runs{{0, 3, 16, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Record({ref, t.table.address, ref})),
            (Runs{{0, 1, 8, kTraced}, {8, 1, 8, SlotKind::kUntraced}, {16, 1, 8, kTraced}}));
}

// language.md 27.2.5.
TEST_F(LayoutTest, MarksMakeTheReferencesInThemTransient) {
  Type* ref = t.table.refany;
  RecordType* field_marked = t.Record({ref, ref});
  field_marked->fields[1].transient = true;
  EXPECT_EQ(SlotRunsOf(field_marked), (Runs{{0, 1, 8, kTraced}, {8, 1, 8, kTransient}}));

  RecordType* marked = t.Record({ref, t.table.integer, ref});
  marked->transient = true;
  EXPECT_EQ(SlotRunsOf(marked), (Runs{{0, 2, 16, kTransient}}));

  ArrayType* marked_array = t.Array(4, ref);
  marked_array->transient = true;
  EXPECT_EQ(SlotRunsOf(marked_array), (Runs{{0, 4, 8, kTransient}}));

  OpenArrayType* marked_open = t.Open(t.Open(ref));
  marked_open->transient = true;
  EXPECT_EQ(SlotRunsOf(marked_open), (Runs{{0, 1, 8, kTransient}}));
  EXPECT_EQ(SlotRunsOf(t.Open(ref)), (Runs{{0, 1, 8, kTraced}}));

  // The mark applies to all parts that the value holds by value, not to objects that it refers to.
  RecordType* holder = t.Record({t.Record({ref}), t.Ref(t.Record({ref}))});
  holder->fields[0].transient = true;
  EXPECT_EQ(SlotRunsOf(holder), (Runs{{0, 1, 8, kTransient}, {8, 1, 8, kTraced}}));
  RecordType* untraced = t.Record({t.table.address});
  untraced->transient = true;
  EXPECT_EQ(SlotRunsOf(untraced), (Runs{{0, 1, 8, SlotKind::kUntraced}}));

  ObjectType* object = t.Object(nullptr, {ref, ref});
  object->fields[0].transient = true;
  EXPECT_EQ(SlotRunsOfPayload(object), (Runs{{0, 1, 8, kTransient}, {8, 1, 8, kTraced}}));
}

TEST_F(LayoutTest, ArraysOfRecordsAreRunsOverTheElements) {
  Type* ref = t.table.refany;
  EXPECT_EQ(SlotRunsOf(t.Array(1000, ref)), (Runs{{0, 1000, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Array(1000, t.Record({t.table.integer, ref}))),
            (Runs{{8, 1000, 16, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Array(1000, t.Record({ref, ref}))), (Runs{{0, 2000, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Array(10, t.Array(10, ref))), (Runs{{0, 100, 8, kTraced}}));
  EXPECT_EQ(SlotRunsOf(t.Array(1000, t.Record({ref, t.table.address}))),
            (Runs{{0, 1000, 16, kTraced}, {8, 1000, 16, SlotKind::kUntraced}}));
  EXPECT_EQ(SlotRunsOf(t.Array(1000, t.Record({ref, ref, t.table.integer}))),
            (Runs{{0, 1000, 24, kTraced}, {8, 1000, 24, kTraced}}));
  EXPECT_TRUE(SlotRunsOf(t.Array(t.Range(1, 0), ref)).empty());
  EXPECT_TRUE(SlotRunsOf(t.Array(t.Range(1, 0), t.Record({ref, ref, t.table.integer}))).empty());
}

TEST_F(LayoutTest, FewElementsWithManySlotsAreRunsInEachElement) {
  ArrayType* array = t.Array(2, t.Record({t.Array(100, t.table.refany), t.table.integer}));
  EXPECT_EQ(SlotRunsOf(array), (Runs{{0, 100, 8, kTraced}, {808, 100, 8, kTraced}}));
}

TEST_F(LayoutTest, HugeArraysHaveFewRuns) {
  ArrayType* array = t.Array(10'000'000, t.Record({t.Array(3, t.table.refany), t.table.integer,
                                                   t.table.address, t.table.integer}));
  const Runs runs = SlotRunsOf(array);
  EXPECT_EQ(runs.size(), 4u);
  for (const SlotRun& run : runs) {
    EXPECT_EQ(run.count, 10'000'000u);
    EXPECT_EQ(run.stride, 48u);
  }
}

// For any type, the slots of the runs are the slots that a walk over the type finds.
TEST_F(LayoutTest, RunsTellOfEverySlotOnce) {
  Type *ref = t.table.refany, *integer = t.table.integer, *untraced = t.table.address;
  RecordType* inner = t.Record({ref, integer, ref, ref, untraced});
  inner->fields[2].transient = true;
  RecordType* outer =
      t.Record({t.table.character, t.Array(3, inner), ref, t.Array(2, t.Array(2, inner)), ref});
  std::vector<std::pair<uint64_t, SlotKind>> expected;
  auto add_inner = [&](uint64_t offset) {
    expected.push_back({offset, kTraced});
    expected.push_back({offset + 16, kTransient});
    expected.push_back({offset + 24, kTraced});
    expected.push_back({offset + 32, SlotKind::kUntraced});
  };
  for (uint64_t i = 0; i < 3; ++i) add_inner(8 + 40 * i);
  expected.push_back({128, kTraced});
  for (uint64_t i = 0; i < 4; ++i) add_inner(136 + 40 * i);
  expected.push_back({296, kTraced});
  EXPECT_EQ(LayoutOf(outer), (Layout{304, 8}));
  EXPECT_EQ(Slots(SlotRunsOf(outer)), expected);
  ObjectType* object = t.Object(t.Object(nullptr, {outer}), {ref});
  expected.push_back({304, kTraced});
  EXPECT_EQ(Slots(SlotRunsOfPayload(object)), expected);
}

// --- initial values ---

TEST_F(LayoutTest, ArraysOfNumbersMayHoldAnyBits) {
  EXPECT_TRUE(MayHoldAnyBits(t.Array(3, t.table.integer)));
  EXPECT_TRUE(MayHoldAnyBits(t.Array(3, t.Array(4, t.table.longreal))));
  EXPECT_TRUE(MayHoldAnyBits(t.Array(3, t.table.character)));
  EXPECT_TRUE(MayHoldAnyBits(t.Array(3, t.Range(-128, 127))));
  EXPECT_TRUE(MayHoldAnyBits(t.Array(3, t.Range(0, 65535))));
  EXPECT_FALSE(MayHoldAnyBits(t.table.integer));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.table.cardinal)));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.table.boolean)));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.table.text)));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.Range(0, 254))));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.Range(-127, 127))));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.Bits(4, t.Range(0, 15)))));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.Set(t.Range(0, 63)))));
  EXPECT_FALSE(MayHoldAnyBits(t.Array(3, t.Record({t.table.integer}))));
}

TEST_F(LayoutTest, ZeroBitsAreRightUnlessTheRangeExcludesZeroOrADefaultIsNotZero) {
  EXPECT_FALSE(NeedsInitialization(t.table.integer));
  EXPECT_FALSE(NeedsInitialization(t.Range(-5, 5)));
  EXPECT_TRUE(NeedsInitialization(t.Range(1, 5)));
  EXPECT_TRUE(NeedsInitialization(t.Range(-5, -1)));
  EXPECT_TRUE(NeedsInitialization(t.Bits(8, t.Range('a', 'z', t.table.character))));
  EXPECT_TRUE(NeedsInitialization(t.Array(3, t.Range(1, 5))));
  EXPECT_TRUE(NeedsInitialization(t.Open(t.Range(1, 5))));
  EXPECT_FALSE(NeedsInitialization(t.Set(t.Range(1, 5))));
  EXPECT_FALSE(NeedsInitialization(t.Ref(t.Range(1, 5))));
  RecordType* record = t.Record({t.table.integer, t.table.text});
  EXPECT_FALSE(NeedsInitialization(record));
  record->fields[0].default_value = t.Ordinal(0);
  EXPECT_FALSE(NeedsInitialization(record));
  record->fields[0].default_value = t.Ordinal(7);
  EXPECT_TRUE(NeedsInitialization(record));
  EXPECT_TRUE(NeedsInitialization(t.Array(2, t.Record({record}))));
}

TEST_F(LayoutTest, ObjectsAreInitializedForInheritedFieldsToo) {
  ObjectType* base = t.Object(nullptr, {t.table.integer});
  ObjectType* derived = t.Object(base, {t.table.text});
  EXPECT_FALSE(PayloadNeedsInitialization(derived));
  base->fields[0].default_value = t.Ordinal(1);
  EXPECT_TRUE(PayloadNeedsInitialization(derived));
  EXPECT_FALSE(PayloadNeedsInitialization(t.table.root));
}

TEST_F(LayoutTest, ZeroConstants) {
  using Kind = Constant::Kind;
  EXPECT_TRUE(IsZero(*t.Ordinal(0)));
  EXPECT_FALSE(IsZero(*t.Ordinal(-1)));
  EXPECT_TRUE(IsZero(*t.Real(0.0)));
  EXPECT_FALSE(IsZero(*t.Real(-0.0)));
  EXPECT_TRUE(IsZero(*t.Make(Kind::kNil)));
  EXPECT_FALSE(IsZero(*t.Make(Kind::kText)));
  EXPECT_TRUE(IsZero(*t.Make(Kind::kProcedure)));
  Constant* set = t.Make(Kind::kSet);
  set->set_words = {0, 0};
  EXPECT_TRUE(IsZero(*set));
  set->set_words = {0, 4};
  EXPECT_FALSE(IsZero(*set));
  Constant* array = t.Make(Kind::kArray);
  EXPECT_TRUE(IsZero(*array));
  array->components = {t.Ordinal(0), t.Ordinal(3)};
  EXPECT_FALSE(IsZero(*array));
}

}  // namespace
// Without the cache each level would be visited twice as often as the one around it.
TEST_F(LayoutTest, RecordsOfRecordsTakeTimeByTheirNumber) {
  TypeBuilder t;
  std::vector<RecordType*> levels = {t.Record({})};
  for (int i = 0; i < 60; ++i) {
    levels.push_back(t.Record({levels.back(), t.Bits(64, t.table.integer), levels.back()}));
  }
  const int64_t bytes = LayoutOf(levels[20]).bytes;
  EXPECT_EQ(bytes, 8 * ((int64_t{1} << 20) - 1));
  EXPECT_GT(LayoutOf(levels[60]).bytes, kMaxTypeBytes);
  EXPECT_EQ(PlaceOfField(levels[20], 1).bit_offset, (bytes - 8) / 2 * 8);
  const KeptLayouts kept;
  EXPECT_EQ(LayoutOf(levels[20]).bytes, bytes);
  EXPECT_EQ(PlaceOfField(levels[20], 1).bit_offset, (bytes - 8) / 2 * 8);
  EXPECT_EQ(PlaceOfField(levels[20], 2).bit_offset, (bytes + 8) / 2 * 8);
}

TEST_F(LayoutTest, PlacesInALongChainOfObjectTypes) {
  TypeBuilder t;
  std::vector<ObjectType*> chain = {t.Object(nullptr, {t.table.integer})};
  for (int i = 1; i < 20'000; ++i) chain.push_back(t.Object(chain.back(), {t.table.integer}));
  const KeptLayouts kept;
  for (int i = 0; i < 20'000; ++i) {
    EXPECT_EQ(PlaceOfField(chain[i], 0).bit_offset, 64 * int64_t{i});
    EXPECT_EQ(PayloadOf(chain[i]).bytes, 8 * (int64_t{i} + 1));
  }
}

}  // namespace tenure::compiler
