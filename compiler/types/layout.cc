#include "compiler/types/layout.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "compiler/types/entity.h"

namespace tenure::compiler {

namespace {

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

int64_t OrdinalCount(int64_t first, int64_t last) {
  if (last < first) return 0;
  return static_cast<int64_t>(std::min(static_cast<__int128>(last) - first + 1, __int128{1} << 60));
}

Layout OrdinalLayout(int64_t first, int64_t last) {
  auto fits = [&](int bits) {
    if (first >= 0) return bits == 64 || last < (int64_t{1} << bits);
    return bits == 64 ||
           (first >= -(int64_t{1} << (bits - 1)) && last < (int64_t{1} << (bits - 1)));
  };
  for (int bits : {8, 16, 32}) {
    if (fits(bits)) return {bits / 8, bits / 8};
  }
  return {8, 8};
}

// A limit far above kMaxTypeBytes; the sum and the product of two such numbers still fit. Larger
// sizes are replaced by it, so that huge types are reported as too large and never overflow.
constexpr int64_t kEnormousBytes = int64_t{1} << 56;

int64_t TimesCapped(int64_t count, int64_t each) {
  return static_cast<int64_t>(
      std::min(static_cast<__int128>(count) * each, static_cast<__int128>(kEnormousBytes)));
}

// Whether the type is a number of bits: a scalar, or an array or record of nothing but packed
// components of this kind.
bool IsOfBits(const Type* type) {
  const auto is_packed = [](const Type* component) {
    const auto* packed = As<PackedType>(component);
    return packed != nullptr && IsOfBits(packed->base);
  };
  if (const auto* array = As<ArrayType>(type)) return is_packed(array->element);
  if (const auto* record = As<RecordType>(type)) {
    return std::all_of(record->fields.begin(), record->fields.end(),
                       [&](const Field& field) { return is_packed(field.type); });
  }
  return IsOrdinal(type) || type->kind == TypeKind::kSet;
}

// The place of the next field behind `bits` used bits; `natural` is the layout of the type standing
// alone.
FieldPlace PlaceNext(int64_t bits, const Type* type, const Layout& natural) {
  FieldPlace place;
  const auto* packed = As<PackedType>(type);
  // Only types that are a number of bits are packed. Packing does not change the size of other
  // types, and references must be where the collector expects them.
  const bool directly = packed != nullptr && bits % (natural.alignment * 8) != 0 &&
                        bits / 64 == (bits + packed->bits - 1) / 64 && IsOfBits(packed->base);
  if (packed != nullptr && (IsOrdinal(packed->base) || packed->base->kind == TypeKind::kSet ||
                            directly || packed->bits != natural.bytes * 8)) {
    place.bit_size = packed->bits;
    // A packed scalar does not straddle a word.
    if (packed->bits > 0 && bits / 64 != (bits + packed->bits - 1) / 64) bits = RoundUp(bits, 64);
    place.bit_offset = bits;
    place.packed = packed->bits != natural.bytes * 8 || bits % (natural.alignment * 8) != 0;
    return place;
  }
  place.bit_offset = RoundUp(bits, natural.alignment * 8);
  place.bit_size = natural.bytes * 8;
  return place;
}

// Remembers the records that one query visits, so that each nested record is visited once, even
// before types are complete.
using RecordLayouts = std::unordered_map<const RecordType*, Layout>;

Layout LayoutIn(const Type* type, RecordLayouts& known);

int64_t PackedWordBytes(int64_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

}  // namespace

struct FieldPlaces {
  std::vector<FieldPlace> places;  // of an object type: of its new fields
  // The layout of a record or of an object's payload. The size of a payload is not rounded up to
  // the alignment: a subtype's small fields may use the rest.
  Layout layout;
  uint32_t inherited_methods = 0;
};

namespace {

// The smallest alignment, in bytes, of the containing type that keeps the field within one word.
int64_t LeastAlignment(const FieldPlace& place) {
  int64_t unit = 8;
  while (place.bit_size > 0 && unit < 64 &&
         place.bit_offset / unit != (place.bit_offset + place.bit_size - 1) / unit) {
    unit *= 2;
  }
  return unit / 8;
}

// Lays the fields out behind `bits` used bits. Returns used bits and alignment.
std::pair<int64_t, int64_t> LayFields(const std::vector<Field>& fields, int64_t bits,
                                      RecordLayouts& known, std::vector<FieldPlace>& places) {
  int64_t alignment = 1;
  places.reserve(fields.size());
  for (const Field& field : fields) {
    const Layout natural = LayoutIn(field.type, known);
    const FieldPlace place = PlaceNext(bits, field.type, natural);
    // A packed scalar does not straddle a word at any place of the whole.
    alignment = std::max(alignment, place.packed ? LeastAlignment(place) : natural.alignment);
    bits = std::min(place.bit_offset + place.bit_size, kEnormousBytes * 8);
    places.push_back(place);
  }
  return {bits, alignment};
}

using Places = std::shared_ptr<const FieldPlaces>;

// The layouts that KeptLayouts keeps, while there is one.
int keepers = 0;
std::unordered_map<const Type*, Places> kept;

Places Kept(const Type* type) {
  const auto found = kept.find(type);
  return found == kept.end() ? nullptr : found->second;
}

Places Keep(const Type* type, FieldPlaces made) {
  auto places = std::make_shared<const FieldPlaces>(std::move(made));
  if (keepers != 0) kept[type] = places;
  return places;
}

Places PlacesIn(const RecordType* record, RecordLayouts& known) {
  if (Places places = Kept(record)) return places;
  FieldPlaces made;
  const auto [bits, alignment] = LayFields(record->fields, 0, known, made.places);
  made.layout = {RoundUp((bits + 7) / 8, alignment), alignment};
  return Keep(record, std::move(made));
}

Places PlacesOf(const ObjectType* object) {
  std::vector<const ObjectType*> below;
  Places places;
  for (; object != nullptr; object = SuperOf(object)) {
    places = Kept(object);
    if (places != nullptr) break;
    below.push_back(object);
  }
  RecordLayouts known;
  for (; !below.empty(); below.pop_back()) {
    const ObjectType* super = object;
    object = below.back();
    FieldPlaces made;
    const Layout above = places == nullptr ? Layout{0, 1} : places->layout;
    if (super != nullptr) {
      made.inherited_methods =
          places->inherited_methods + static_cast<uint32_t>(super->methods.size());
    }
    const auto [bits, alignment] = LayFields(object->fields, above.bytes * 8, known, made.places);
    made.layout = {(bits + 7) / 8, std::max(above.alignment, alignment)};
    places = Keep(object, std::move(made));
  }
  return places;
}

}  // namespace

KeptLayouts::KeptLayouts() { ++keepers; }

KeptLayouts::~KeptLayouts() {
  if (--keepers == 0) kept.clear();
}

const ObjectType* SuperOf(const ObjectType* object) {
  return As<ObjectType>(Concrete(static_cast<const Type*>(object->super)));
}

Layout LayoutOf(const Type* type) {
  RecordLayouts known;
  return LayoutIn(type, known);
}

namespace {

Layout LayoutIn(const Type* type, RecordLayouts& known) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  switch (type->kind) {
    case TypeKind::kInteger:
    case TypeKind::kLongint:
    case TypeKind::kLongreal:
    case TypeKind::kExtended:
    case TypeKind::kRef:
    case TypeKind::kObject:
    case TypeKind::kOpaque:
    case TypeKind::kRefany:
    case TypeKind::kAddress:
    case TypeKind::kNull:
    case TypeKind::kProcedure:
    case TypeKind::kError: return {8, 8};
    case TypeKind::kReal: return {4, 4};
    case TypeKind::kEnumeration:
    case TypeKind::kSubrange: return OrdinalLayout(FirstOf(type), LastOf(type));
    case TypeKind::kSet: {
      const Type* element = As<SetType>(type)->element;
      const int64_t count = OrdinalCount(FirstOf(element), LastOf(element));
      for (int64_t bits : {8, 16, 32, 64}) {
        if (count <= bits) return {bits / 8, bits / 8};
      }
      return {RoundUp(count, 64) / 8, 8};
    }
    case TypeKind::kArray: {
      const auto* array = As<ArrayType>(type);
      const int64_t count = ElementCountOf(array);
      if (array->element->kind == TypeKind::kPacked &&
          ElementBits(array) != LayoutIn(array->element, known).bytes * 8) {
        const int64_t bits = TimesCapped(count, ElementBits(array));
        return {PackedRowBytes(bits), PackedWordBytes(bits)};
      }
      const Layout element = LayoutIn(array->element, known);
      return {TimesCapped(count, element.bytes), element.alignment};
    }
    case TypeKind::kOpenArray: {
      const Type* element = InnermostElement(type);
      const Layout layout = LayoutIn(element, known);
      const int64_t bits = ElementBits(type);
      if (element->kind != TypeKind::kPacked || bits == layout.bytes * 8) return layout;
      // Rows of packed elements take whole words: room for a row of any length.
      const bool has_rows = As<OpenArrayType>(type)->element->kind == TypeKind::kOpenArray;
      if (has_rows) return {std::max<int64_t>(layout.bytes, 8), 8};
      // n may be more than the natural size.
      return {std::max(layout.bytes, (bits + 7) / 8), layout.alignment};
    }
    case TypeKind::kRecord: {
      const auto* record = As<RecordType>(type);
      if (const Places places = Kept(record)) return places->layout;
      if (const auto found = known.find(record); found != known.end()) return found->second;
      const Layout layout = PlacesIn(record, known)->layout;
      return known[record] = layout;
    }
    case TypeKind::kPacked: break;
  }
  return {8, 8};
}

}  // namespace

int64_t BitSizeOf(const Type* type) {
  if (const auto* packed = As<PackedType>(type)) return packed->bits;
  return LayoutOf(type).bytes * 8;
}

int64_t TightBits(const Type* type) {
  constexpr int64_t kNotBits = INT64_MAX;
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (const auto* set = As<SetType>(type)) {
    return std::max<int64_t>(0, LastOf(set->element) - FirstOf(set->element) + 1);
  }
  if (IsOrdinal(type)) {
    const int64_t first = FirstOf(type), last = LastOf(type);
    int bits = 1;
    if (first >= 0) {
      while (bits < 64 && (last >> bits) != 0) ++bits;
    } else {
      while (bits < 64 &&
             (first < -(int64_t{1} << (bits - 1)) || last > (int64_t{1} << (bits - 1)) - 1))
        ++bits;
    }
    return bits;
  }
  auto in_word = [](const Type* component) {
    return component->kind == TypeKind::kPacked && TightBits(component) <= 64;
  };
  if (const auto* array = As<ArrayType>(type); array != nullptr && in_word(array->element)) {
    return TimesCapped(ElementCountOf(array), ElementBits(array));
  }
  if (const auto* record = As<RecordType>(type)) {
    for (const Field& field : record->fields) {
      if (!in_word(field.type)) return kNotBits;
    }
    if (record->fields.empty()) return 0;
    const FieldPlace last = PlaceOfField(record, record->fields.size() - 1);
    return last.bit_offset + last.bit_size;
  }
  return kNotBits;
}

bool IsBitAggregate(const Type* type) {
  const auto* packed = As<PackedType>(type);
  return packed != nullptr && !IsOrdinal(packed->base) && packed->base->kind != TypeKind::kSet &&
         packed->bits != LayoutOf(packed->base).bytes * 8;
}

FieldPlace PlaceOfField(const RecordType* record, size_t field_index) {
  RecordLayouts known;
  return PlacesIn(record, known)->places[field_index];
}

FieldPlace PlaceOfField(const ObjectType* object, size_t field_index) {
  return PlacesOf(object)->places[field_index];
}

std::vector<const ObjectType*> AncestryOf(const ObjectType* object) {
  std::vector<const ObjectType*> ancestry;
  for (; object != nullptr; object = SuperOf(object)) ancestry.push_back(object);
  std::reverse(ancestry.begin(), ancestry.end());
  return ancestry;
}

// By brand, as the library reveals them: their declarations are the classic ones. Readers and
// writers are subtypes of MUTEX.
bool IsTransientByNature(const ObjectType* object) {
  static constexpr std::string_view kBrands[] = {"MUTEX", "Thread.T", "Thread.Condition", "File.T",
                                                 "FS.Iterator"};
  return std::ranges::any_of(AncestryOf(object), [](const ObjectType* at) {
    return at->brand && std::ranges::find(kBrands, *at->brand) != std::end(kBrands);
  });
}

bool IsNeverSaved(const ObjectType* object) {
  return object->transient || IsTransientByNature(object);
}

Layout PayloadOf(const ObjectType* object) { return PlacesOf(object)->layout; }

std::vector<PlacedField> FieldsOf(const ObjectType* object) {
  std::vector<PlacedField> fields;
  for (const ObjectType* owner : AncestryOf(object)) {
    const Places places = PlacesOf(owner);
    for (size_t i = 0; i < owner->fields.size(); ++i) {
      fields.push_back({owner, i, places->places[i]});
    }
  }
  return fields;
}

int64_t ElementBits(const Type* array) {
  const Type* element = nullptr;
  if (const auto* fixed = As<ArrayType>(array)) element = fixed->element;
  if (const auto* open = As<OpenArrayType>(array)) element = open->element;
  if (element->kind == TypeKind::kOpenArray) element = InnermostElement(element);
  return BitSizeOf(element);
}

bool HasPackedElements(const Type* array) {
  const Type* element = InnermostElement(array);
  if (const auto* fixed = As<ArrayType>(array)) element = fixed->element;
  return element->kind == TypeKind::kPacked && ElementBits(array) != LayoutOf(element).bytes * 8;
}

int64_t PackedRowBytes(int64_t bits) { return RoundUp((bits + 7) / 8, PackedWordBytes(bits)); }

int64_t ElementStride(const Type* array) { return ElementBits(array) / 8; }

uint32_t MethodCount(const ObjectType* object) {
  return PlacesOf(object)->inherited_methods + static_cast<uint32_t>(object->methods.size());
}

uint32_t MethodSlot(const ObjectType* object, size_t method_index) {
  return PlacesOf(object)->inherited_methods + static_cast<uint32_t>(method_index);
}

std::vector<Procedure*> MethodSuiteOf(const ObjectType* object) {
  std::vector<Procedure*> suite;
  for (const ObjectType* at : AncestryOf(object)) {
    for (const Override& overriding : at->overrides) {
      if (overriding.method_type == nullptr) continue;
      const uint32_t slot = MethodSlot(overriding.method_type, overriding.method);
      if (slot < suite.size()) suite[slot] = overriding.procedure;
    }
    for (const Method& method : at->methods) suite.push_back(method.default_procedure);
  }
  return suite;
}

Procedure* MethodImplementation(const ObjectType* object, uint32_t slot) {
  const std::vector<Procedure*> suite = MethodSuiteOf(object);
  return slot < suite.size() ? suite[slot] : nullptr;
}

uint32_t OpenDimensions(const Type* type) {
  uint32_t dimensions = 0;
  while (const auto* open = As<OpenArrayType>(type)) {
    ++dimensions;
    type = open->element;
  }
  return dimensions;
}

const Type* InnermostElement(const Type* type) {
  while (const auto* open = As<OpenArrayType>(type)) type = open->element;
  return type;
}

namespace {

using abi::SlotKind;
using abi::SlotRun;

void AddRun(std::vector<SlotRun>& runs, SlotRun run) {
  if (run.count == 0) return;
  if (!runs.empty() && runs.back().kind == run.kind && run.count == 1) {
    SlotRun& last = runs.back();
    if (last.count == 1 && run.offset > last.offset) {
      last.stride = run.offset - last.offset;
      last.count = 2;
      return;
    }
    if (last.count > 1 && run.offset == last.offset + last.count * last.stride) {
      ++last.count;
      return;
    }
  }
  runs.push_back(run);
}

// The slots that a walk over a type collects.
struct Sought {
  enum class What : uint8_t { kSlots, kWeakReferences, kProcedures } what = What::kSlots;
  // For kProcedures, whose runs have the shape in the place of the kind.
  const ShapeOf* shape_of = nullptr;
};
constexpr Sought kAllSlots{Sought::What::kSlots}, kWeakReferences{Sought::What::kWeakReferences};

void AddSlots(const Type* type, int64_t offset, bool transient, const Sought& sought,
              std::vector<SlotRun>& runs) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  type = Concrete(type);
  auto add = [&](SlotKind kind) { AddRun(runs, {static_cast<uint32_t>(offset), 1, 8, kind}); };
  if (sought.what != Sought::What::kSlots) {
    if (sought.what == Sought::What::kWeakReferences && IsWeakReference(type)) {
      if (!transient) add(SlotKind::kUntraced);
      return;
    }
    if (sought.what == Sought::What::kProcedures && type->kind == TypeKind::kProcedure) {
      add(static_cast<SlotKind>((*sought.shape_of)(As<ProcedureType>(type))));
      return;
    }
    const bool has_components = type->kind == TypeKind::kRecord || type->kind == TypeKind::kArray ||
                                type->kind == TypeKind::kOpenArray;
    if (!has_components) return;
  }
  auto add_reference = [&](bool traced, bool is_transient) {
    add(!traced                     ? SlotKind::kUntraced
        : transient || is_transient ? SlotKind::kTransientReference
                                    : SlotKind::kReference);
  };
  switch (type->kind) {
    case TypeKind::kRef:
      add_reference(As<RefType>(type)->traced, As<RefType>(type)->transient);
      break;
    case TypeKind::kObject:
      add_reference(As<ObjectType>(type)->traced, As<ObjectType>(type)->transient);
      break;
    case TypeKind::kOpaque:  // missing revelation: treated like its bound
      add_reference(IsTracedReference(type), false);
      break;
    case TypeKind::kRefany: add_reference(true, type->name == "<*TRANSIENT*> REFANY"); break;
    case TypeKind::kAddress: add(SlotKind::kUntraced); break;
    case TypeKind::kProcedure: add(SlotKind::kProcedure); break;
    case TypeKind::kRecord: {
      const auto* record = As<RecordType>(type);
      RecordLayouts known;
      const Places places = PlacesIn(record, known);
      for (size_t i = 0; i < record->fields.size(); ++i) {
        const FieldPlace& place = places->places[i];
        if (place.packed) continue;
        const Field& field = record->fields[i];
        AddSlots(field.type, offset + place.bit_offset / 8,
                 transient || record->transient || field.transient, sought, runs);
      }
      break;
    }
    case TypeKind::kArray: {
      const auto* array = As<ArrayType>(type);
      std::vector<SlotRun> element;
      AddSlots(array->element, 0, transient || array->transient, sought, element);
      const int64_t count = ElementCountOf(array);
      if (element.empty() || count == 0) break;
      const int64_t stride = ElementStride(array);
      if (element.size() == 1 && element[0].count == 1) {
        runs.push_back({static_cast<uint32_t>(offset + element[0].offset),
                        static_cast<uint32_t>(count), static_cast<uint32_t>(stride),
                        element[0].kind});
        break;
      }
      if (element.size() == 1 && element[0].count * int64_t{element[0].stride} == stride) {
        runs.push_back({static_cast<uint32_t>(offset + element[0].offset),
                        static_cast<uint32_t>(count * element[0].count), element[0].stride,
                        element[0].kind});
        break;
      }
      // Either the runs of each element, or for each slot of an element a run over all elements,
      // whichever is shorter.
      int64_t slots = 0;
      for (const SlotRun& run : element) slots += run.count;
      if (slots <= TimesCapped(count, static_cast<int64_t>(element.size()))) {
        for (const SlotRun& run : element) {
          for (int64_t k = 0; k < run.count; ++k) {
            runs.push_back({static_cast<uint32_t>(offset + run.offset + k * run.stride),
                            static_cast<uint32_t>(count), static_cast<uint32_t>(stride), run.kind});
          }
        }
        break;
      }
      for (int64_t i = 0; i < count; ++i) {
        for (const SlotRun& run : element) {
          runs.push_back({static_cast<uint32_t>(offset + i * stride + run.offset), run.count,
                          run.stride, run.kind});
        }
      }
      break;
    }
    case TypeKind::kOpenArray:
      AddSlots(As<OpenArrayType>(type)->element, offset,
               transient || As<OpenArrayType>(type)->transient, sought, runs);
      break;
    default: break;
  }
}

std::vector<SlotRun> RunsOf(const Type* type, const Sought& sought) {
  std::vector<SlotRun> runs;
  AddSlots(type, 0, false, sought, runs);
  return runs;
}

std::vector<SlotRun> RunsOfPayload(const ObjectType* object, const Sought& sought) {
  std::vector<SlotRun> runs;
  for (const PlacedField& placed : FieldsOf(object)) {
    if (placed.place.packed) continue;
    const Field& field = placed.owner->fields[placed.index];
    AddSlots(field.type, placed.place.bit_offset / 8, field.transient, sought, runs);
  }
  return runs;
}

}  // namespace

std::vector<SlotRun> SlotRunsOf(const Type* type) { return RunsOf(type, kAllSlots); }

std::vector<SlotRun> SlotRunsOfPayload(const ObjectType* object) {
  return RunsOfPayload(object, kAllSlots);
}

std::vector<SlotRun> WeakRunsOf(const Type* type) { return RunsOf(type, kWeakReferences); }

std::vector<SlotRun> WeakRunsOfPayload(const ObjectType* object) {
  return RunsOfPayload(object, kWeakReferences);
}

namespace {

std::vector<abi::ProcedureRun> WithShapes(const std::vector<SlotRun>& runs) {
  std::vector<abi::ProcedureRun> with_shapes;
  for (const SlotRun& run : runs) {
    with_shapes.push_back({run.offset, run.count, run.stride, static_cast<uint32_t>(run.kind)});
  }
  return with_shapes;
}

}  // namespace

std::vector<abi::ProcedureRun> ProcedureRunsOf(const Type* type, const ShapeOf& shape_of) {
  return WithShapes(RunsOf(type, {Sought::What::kProcedures, &shape_of}));
}

std::vector<abi::ProcedureRun> ProcedureRunsOfPayload(const ObjectType* object,
                                                      const ShapeOf& shape_of) {
  return WithShapes(RunsOfPayload(object, {Sought::What::kProcedures, &shape_of}));
}

bool IsZero(const Constant& value) {
  switch (value.kind) {
    case Constant::Kind::kOrdinal: return value.ordinal == 0;
    case Constant::Kind::kReal: return value.real == 0 && !std::signbit(value.real);
    case Constant::Kind::kText: return false;
    case Constant::Kind::kNil: return true;
    case Constant::Kind::kSet:
      return std::all_of(value.set_words.begin(), value.set_words.end(),
                         [](uint64_t w) { return w == 0; });
    case Constant::Kind::kProcedure: return value.procedure == nullptr;
    case Constant::Kind::kRecord:
    case Constant::Kind::kArray:
      return std::all_of(value.components.begin(), value.components.end(),
                         [](const Constant* component) { return IsZero(*component); });
  }
  return false;
}

namespace {

// `seen`: records that were found not to; each record is visited once, even if many records contain
// it.
bool NeedsInitialization(const Type* type, std::unordered_set<const RecordType*>& seen);

bool FieldsNeedInitialization(const std::vector<Field>& fields,
                              std::unordered_set<const RecordType*>& seen) {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    return field.default_value != nullptr ? !IsZero(*field.default_value)
                                          : NeedsInitialization(field.type, seen);
  });
}

bool NeedsInitialization(const Type* type, std::unordered_set<const RecordType*>& seen) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (IsOrdinal(type)) return FirstOf(type) > 0 || LastOf(type) < 0;
  if (const auto* array = As<ArrayType>(type)) return NeedsInitialization(array->element, seen);
  if (const auto* open = As<OpenArrayType>(type)) return NeedsInitialization(open->element, seen);
  const auto* record = As<RecordType>(type);
  if (record == nullptr || !seen.insert(record).second) return false;
  return FieldsNeedInitialization(record->fields, seen);
}

}  // namespace

bool NeedsInitialization(const Type* type) {
  std::unordered_set<const RecordType*> seen;
  return NeedsInitialization(type, seen);
}

bool MayHoldAnyBits(const Type* type) {
  const auto* array = As<ArrayType>(type);
  if (array == nullptr) return false;
  const Type* element = array->element;
  while (const auto* inner = As<ArrayType>(element)) element = inner->element;
  if (IsFloat(element)) return true;
  if (!IsOrdinal(element) || element->kind == TypeKind::kPacked) return false;
  const int64_t bits = 8 * LayoutOf(element).bytes;
  const int64_t first = FirstOf(element), last = LastOf(element);
  if (bits == 64) return first == INT64_MIN && last == INT64_MAX;
  return last - first == (int64_t{1} << bits) - 1;
}

bool PayloadNeedsInitialization(const ObjectType* object) {
  std::unordered_set<const RecordType*> seen;
  for (; object != nullptr; object = SuperOf(object)) {
    if (FieldsNeedInitialization(object->fields, seen)) return true;
  }
  return false;
}

}  // namespace tenure::compiler
