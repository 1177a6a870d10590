#include "compiler/types/layout.h"

#include <algorithm>
#include <cmath>

#include "compiler/types/entity.h"
#include "compiler/types/object_layout.h"

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

// Far above kMaxTypeBytes, and sums and products of two of these still fit. What is larger counts
// as this, so that absurd types are reported as too large and never overflow.
constexpr int64_t kEnormousBytes = int64_t{1} << 56;

int64_t TimesCapped(int64_t count, int64_t each) {
  return static_cast<int64_t>(
      std::min(static_cast<__int128>(count) * each, static_cast<__int128>(kEnormousBytes)));
}

// The place of the next field behind `bits` used bits; `natural` is the layout of the type standing
// alone.
FieldPlace PlaceNext(int64_t bits, const Type* type, const Layout& natural) {
  FieldPlace place;
  const auto* packed = As<PackedType>(type);
  // Only what is a number of bits anyway is packed. Packing anything else does not change its size,
  // and references must be where the collector expects them.
  if (packed != nullptr && (IsOrdinal(packed->base) || packed->base->kind == TypeKind::kSet)) {
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

// The smallest alignment, in bytes, of what contains the field that keeps it within one word.
int64_t LeastAlignment(const FieldPlace& place) {
  int64_t unit = 8;
  while (place.bit_size > 0 && unit < 64 &&
         place.bit_offset / unit != (place.bit_offset + place.bit_size - 1) / unit) {
    unit *= 2;
  }
  return unit / 8;
}

// Lays the fields out behind `bits` used bits; calls visit(index, place). Returns used bits and
// alignment.
template <typename Visit>
std::pair<int64_t, int64_t> LayFields(const std::vector<Field>& fields, int64_t bits,
                                      Visit&& visit) {
  int64_t alignment = 1;
  for (size_t i = 0; i < fields.size(); ++i) {
    const Layout natural = LayoutOf(fields[i].type);
    const FieldPlace place = PlaceNext(bits, fields[i].type, natural);
    // A packed scalar does not straddle a word wherever the whole lies.
    alignment = std::max(alignment, place.packed ? LeastAlignment(place) : natural.alignment);
    bits = std::min(place.bit_offset + place.bit_size, kEnormousBytes * 8);
    visit(i, place);
  }
  return {bits, alignment};
}

void IgnorePlace(size_t, const FieldPlace&) {}

}  // namespace

const ObjectType* SuperOf(const ObjectType* object) {
  return As<ObjectType>(Concrete(static_cast<const Type*>(object->super)));
}

Layout LayoutOf(const Type* type) {
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
          ElementBits(array) != LayoutOf(array->element).bytes * 8) {
        const int64_t bits = TimesCapped(count, ElementBits(array));
        const int64_t word = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
        return {RoundUp((bits + 7) / 8, word), word};
      }
      const Layout element = LayoutOf(array->element);
      return {TimesCapped(count, element.bytes), element.alignment};
    }
    case TypeKind::kOpenArray: return LayoutOf(InnermostElement(type));
    case TypeKind::kRecord: {
      const auto [bits, alignment] = LayFields(As<RecordType>(type)->fields, 0, IgnorePlace);
      return {RoundUp((bits + 7) / 8, alignment), alignment};
    }
    case TypeKind::kPacked: break;
  }
  return {8, 8};
}

int64_t BitSizeOf(const Type* type) {
  if (const auto* packed = As<PackedType>(type)) return packed->bits;
  return LayoutOf(type).bytes * 8;
}

FieldPlace PlaceOfField(const RecordType* record, size_t field_index) {
  FieldPlace found;
  LayFields(record->fields, 0, [&](size_t i, const FieldPlace& place) {
    if (i == field_index) found = place;
  });
  return found;
}

FieldPlace PlaceOfField(const ObjectType* object, size_t field_index) {
  const ObjectType* super = SuperOf(object);
  FieldPlace found;
  LayFields(object->fields, super == nullptr ? 0 : PayloadOf(super).bytes * 8,
            [&](size_t i, const FieldPlace& place) {
              if (i == field_index) found = place;
            });
  return found;
}

std::vector<const ObjectType*> AncestryOf(const ObjectType* object) {
  std::vector<const ObjectType*> ancestry;
  for (; object != nullptr; object = SuperOf(object)) ancestry.push_back(object);
  std::reverse(ancestry.begin(), ancestry.end());
  return ancestry;
}

namespace {

// Calls visit(owner, index, place) for every field; returns the payload.
template <typename Visit>
Layout LayObject(const ObjectType* object, Visit&& visit) {
  Layout payload{0, 1};
  for (const ObjectType* owner : AncestryOf(object)) {
    const auto [bits, alignment] =
        LayFields(owner->fields, payload.bytes * 8,
                  [&](size_t i, const FieldPlace& place) { visit(owner, i, place); });
    // Not rounded up to the alignment: a subtype's small fields may use the rest.
    payload = {(bits + 7) / 8, std::max(payload.alignment, alignment)};
  }
  return payload;
}

}  // namespace

Layout PayloadOf(const ObjectType* object) {
  return LayObject(object, [](const ObjectType*, size_t, const FieldPlace&) {});
}

std::vector<PlacedField> FieldsOf(const ObjectType* object) {
  std::vector<PlacedField> fields;
  LayObject(object, [&](const ObjectType* owner, size_t i, const FieldPlace& place) {
    fields.push_back({owner, i, place});
  });
  return fields;
}

int64_t ElementBits(const Type* array) {
  const Type* element = nullptr;
  if (const auto* fixed = As<ArrayType>(array)) element = fixed->element;
  if (const auto* open = As<OpenArrayType>(array)) element = open->element;
  if (element->kind == TypeKind::kOpenArray) element = InnermostElement(element);
  return BitSizeOf(element);
}

int64_t ElementStride(const Type* array) { return ElementBits(array) / 8; }

uint32_t MethodCount(const ObjectType* object) {
  uint32_t count = 0;
  for (; object != nullptr; object = SuperOf(object))
    count += static_cast<uint32_t>(object->methods.size());
  return count;
}

uint32_t MethodSlot(const ObjectType* object, size_t method_index) {
  const ObjectType* super = SuperOf(object);
  return (super == nullptr ? 0 : MethodCount(super)) + static_cast<uint32_t>(method_index);
}

std::vector<Procedure*> MethodSuiteOf(const ObjectType* object) {
  std::vector<Procedure*> suite;
  for (const ObjectType* at : AncestryOf(object)) {
    for (const Override& override_ : at->overrides) {
      if (override_.method_type == nullptr) continue;
      const uint32_t slot = MethodSlot(override_.method_type, override_.method);
      if (slot < suite.size()) suite[slot] = override_.procedure;
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

void AddSlots(const Type* type, int64_t offset, bool transient, std::vector<SlotRun>& runs) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  type = Concrete(type);
  auto add = [&](SlotKind kind) { AddRun(runs, {static_cast<uint32_t>(offset), 1, 8, kind}); };
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
    case TypeKind::kOpaque:  // missing revelation: as its bound says
      add_reference(IsTracedReference(type), false);
      break;
    case TypeKind::kRefany: add_reference(true, type->name == "<*TRANSIENT*> REFANY"); break;
    case TypeKind::kAddress: add(SlotKind::kUntraced); break;
    case TypeKind::kProcedure: add(SlotKind::kProcedure); break;
    case TypeKind::kRecord: {
      const auto* record = As<RecordType>(type);
      LayFields(record->fields, 0, [&](size_t i, const FieldPlace& place) {
        if (place.packed) return;
        const Field& field = record->fields[i];
        AddSlots(field.type, offset + place.bit_offset / 8,
                 transient || record->transient || field.transient, runs);
      });
      break;
    }
    case TypeKind::kArray: {
      const auto* array = As<ArrayType>(type);
      std::vector<SlotRun> element;
      AddSlots(array->element, 0, transient || array->transient, element);
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
      // Either the runs of each element, or for each slot of an element a run over all elements:
      // what is shorter.
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
               transient || As<OpenArrayType>(type)->transient, runs);
      break;
    default: break;
  }
}

}  // namespace

std::vector<SlotRun> SlotRunsOf(const Type* type) {
  std::vector<SlotRun> runs;
  AddSlots(type, 0, false, runs);
  return runs;
}

std::vector<SlotRun> SlotRunsOfPayload(const ObjectType* object) {
  std::vector<SlotRun> runs;
  LayObject(object, [&](const ObjectType* owner, size_t i, const FieldPlace& place) {
    if (place.packed) return;
    const Field& field = owner->fields[i];
    AddSlots(field.type, place.bit_offset / 8, field.transient, runs);
  });
  return runs;
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

bool FieldsNeedInitialization(const std::vector<Field>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const Field& field) {
    return field.default_value != nullptr ? !IsZero(*field.default_value)
                                          : NeedsInitialization(field.type);
  });
}

}  // namespace

bool NeedsInitialization(const Type* type) {
  while (const auto* packed = As<PackedType>(type)) type = packed->base;
  if (IsOrdinal(type)) return FirstOf(type) > 0 || LastOf(type) < 0;
  if (const auto* array = As<ArrayType>(type)) return NeedsInitialization(array->element);
  if (const auto* open = As<OpenArrayType>(type)) return NeedsInitialization(open->element);
  if (const auto* record = As<RecordType>(type)) return FieldsNeedInitialization(record->fields);
  return false;
}

bool PayloadNeedsInitialization(const ObjectType* object) {
  for (; object != nullptr; object = SuperOf(object)) {
    if (FieldsNeedInitialization(object->fields)) return true;
  }
  return false;
}

}  // namespace tenure::compiler
