#include "dbtool/values/object_shape.h"

#include <algorithm>
#include <utility>

namespace tenure::dbtool {

namespace {

// The kind of the slot at this place of the fixed part or of an element; nothing: there is none.
std::optional<StoredSlot> SlotAt(const std::vector<SlotRun>& runs, uint64_t offset) {
  for (const SlotRun& run : runs) {
    if (offset < run.offset) continue;
    const uint64_t behind = offset - run.offset;
    if (run.count == 1 ? behind == 0
                       : behind % run.stride == 0 && behind / run.stride < run.count) {
      return run.kind;
    }
  }
  return std::nullopt;
}

ValueTypePtr Unexplained(const StoredField& field, const std::vector<SlotRun>& slots) {
  if (field.bit_offset % 8 != 0 || field.bit_size % 8 != 0) {
    return UnknownValue(field.type, field.bit_size);
  }
  const uint64_t first = field.bit_offset / 8, bytes = field.bit_size / 8;
  const auto slot = bytes == 8 ? SlotAt(slots, first) : std::nullopt;
  if (!slot) {
    // References in it are shown as such: bits of a reference mean nothing in another database.
    std::vector<ValueField> pieces;
    bool references = false;
    for (uint64_t at = 0; at < bytes;) {
      const bool here = SlotAt(slots, first + at).has_value() && bytes - at >= 8;
      uint64_t piece = 8;
      if (!here) {
        piece = 1;
        while (piece < 8 && at + piece < bytes && !SlotAt(slots, first + at + piece)) ++piece;
      }
      StoredField part = field;
      part.bit_offset = 8 * (first + at);
      part.bit_size = 8 * piece;
      references = references || here;
      pieces.push_back({"at" + std::to_string(at),
                        here ? Unexplained(part, slots) : UnknownValue(field.type, 8 * piece),
                        8 * at});
      at += piece;
    }
    if (!references) return UnknownValue(field.type, field.bit_size);
    auto record = std::make_shared<ValueType>(*UnknownValue(field.type, field.bit_size));
    record->kind = ValueKind::kRecord;
    record->fields = std::move(pieces);
    return record;
  }
  auto type = std::make_shared<ValueType>(*ReferenceValue(field.type));
  if (*slot == StoredSlot::kProcedure) type->kind = ValueKind::kProcedure;
  type->saved = *slot == StoredSlot::kReference || *slot == StoredSlot::kProcedure;
  return type;
}

// Whether references and procedures of the value lie in slots, and all else outside of slots.
bool FitsSlots(const ValueType& type, uint64_t bit_offset, const std::vector<SlotRun>& slots,
               uint64_t* references) {
  switch (type.kind) {
    case ValueKind::kReference:
    case ValueKind::kProcedure: {
      if (bit_offset % 8 != 0) return false;
      const auto slot = SlotAt(slots, bit_offset / 8);
      ++*references;
      return slot && (*slot == StoredSlot::kProcedure) == (type.kind == ValueKind::kProcedure);
    }
    case ValueKind::kRecord:
      return std::ranges::all_of(type.fields, [&](const ValueField& field) {
        return FitsSlots(*field.type, bit_offset + field.bit_offset, slots, references);
      });
    case ValueKind::kArray: {
      // The elements are alike: the first and the last one say enough.
      const uint64_t count = type.count();
      if (count == 0) return true;
      uint64_t in_one = 0, in_last = 0;
      const bool fits =
          FitsSlots(*type.element, bit_offset, slots, &in_one) &&
          FitsSlots(*type.element, bit_offset + (count - 1) * type.element_bits, slots, &in_last);
      *references += in_one * count;
      return fits;
    }
    default: return true;
  }
}

uint64_t SlotsWithin(const std::vector<SlotRun>& runs, uint64_t first, uint64_t end) {
  uint64_t count = 0;
  for (const SlotRun& run : runs) {
    for (uint64_t i = 0; i < run.count; ++i) {
      const uint64_t at = 8 * (run.offset + i * run.stride);
      if (at >= first && at < end) ++count;
    }
  }
  return count;
}

ValueTypePtr TypeOf(const StoredField& field, const std::vector<SlotRun>& slots, bool* whole) {
  if (ValueTypePtr type = KnownTypeOf(field, slots)) return type;
  *whole = false;
  return Unexplained(field, slots);
}

bool IsBrandedText(const StoredType& type) {
  constexpr const char* kBrands[] = {"TextFlat.T8",  "TextFlat.T16", "TextCat.T", "TextSub.T",
                                     "TextBuffer.T", "Text8.T",      "Text16.T"};
  return std::ranges::find(kBrands, type.brand) != std::end(kBrands);
}

}  // namespace

ValueTypePtr KnownTypeOf(const StoredField& field, const std::vector<SlotRun>& slots) {
  ValueTypePtr type = ParseValueType(field.value.empty() ? field.type : field.value);
  uint64_t references = 0;
  if (type != nullptr && type->kind != ValueKind::kUnknown && type->bits == field.bit_size &&
      FitsSlots(*type, field.bit_offset, slots, &references) &&
      references == SlotsWithin(slots, field.bit_offset, field.bit_offset + field.bit_size)) {
    return type;
  }
  return nullptr;
}

const ShapeField* ObjectShape::Find(std::string_view member, bool first) const {
  const auto found =
      std::ranges::find(fields, member, first ? &ShapeField::name : &ShapeField::member);
  return found == fields.end() ? nullptr : &*found;
}

const ObjectShape& ObjectShapes::Of(const StoredType& type) {
  std::unique_ptr<ObjectShape>& shape = shapes_[&type];
  if (shape != nullptr) return *shape;
  shape = std::make_unique<ObjectShape>();
  shape->is_text = IsBrandedText(type);
  if (type.open_dimensions == 1 && type.payload_bytes == 0) {
    if (type.brand == "TextFlat.T8" && type.element_bytes == 1) shape->text = FlatText::kNarrow;
    if (type.brand == "TextFlat.T16" && type.element_bytes == 2) shape->text = FlatText::kWide;
  }
  if (shape->text != FlatText::kNone) {
    shape->element = ParseValueType(shape->text == FlatText::kNarrow ? "CHAR" : "WIDECHAR");
    shape->element_bits = 8 * type.element_bytes;
    return *shape;
  }
  for (const StoredField& field : type.fields) {
    const bool element = type.open() && field.name.empty();
    ValueTypePtr value = TypeOf(field, element ? type.element_slots : type.slots, &shape->whole);
    if (!element) {
      // A subtype's field hides one of the same name of its supertype.
      for (size_t i = 0; i < shape->fields.size(); ++i) {
        ShapeField& above = shape->fields[i];
        if (above.member == field.name) above.member += "#" + std::to_string(i + 1);
      }
      shape->fields.push_back({field.name, field.name, std::move(value), field.bit_offset, &field});
      continue;
    }
    shape->element_bits = value->packed ? value->bits : 8 * value->bytes;
    // Elements that do not lie as their type says are numbers of bits.
    const bool packed = value->packed && value->bits != 8 * value->bytes;
    if (!packed && shape->element_bits != 8 * type.element_bytes) {
      shape->whole = false;
      shape->element_bits = 8 * type.element_bytes;
      StoredField all = field;
      all.bit_size = shape->element_bits;
      value = Unexplained(all, type.element_slots);
    }
    if (packed && shape->element_bits > 8 * type.element_bytes) {
      shape->whole = false;
      value = nullptr;
    }
    shape->element = std::move(value);
    shape->stored_element = &field;
  }
  if (type.open() && shape->element == nullptr && type.element_bytes > 0) {
    shape->whole = false;
    shape->element_bits = 8 * type.element_bytes;
    StoredField all;
    all.bit_size = shape->element_bits;
    all.type = "?";
    shape->element = Unexplained(all, type.element_slots);
  }
  return *shape;
}

uint64_t ElementOffset(const StoredType& type, const ObjectShape& shape,
                       const std::vector<uint64_t>& lengths, const std::vector<uint64_t>& at) {
  const uint64_t last = lengths.back();
  uint64_t row = 0;
  for (size_t i = 0; i + 1 < lengths.size(); ++i) row = row * lengths[i] + at[i];
  uint64_t row_bits = last * shape.element_bits;
  const bool packed = shape.element->packed && shape.element->bits != 8 * shape.element->bytes;
  if (packed && lengths.size() > 1) {
    const uint64_t word = row_bits <= 8 ? 8 : row_bits <= 16 ? 16 : row_bits <= 32 ? 32 : 64;
    row_bits = (row_bits + word - 1) / word * word;
  }
  return 8 * type.elements_at() + row * row_bits + at.back() * shape.element_bits;
}

namespace {

void References(const ValueType& type, std::vector<const ValueType*>* found) {
  if (type.kind == ValueKind::kReference && type.saved) found->push_back(&type);
  if (type.kind == ValueKind::kArray) References(*type.element, found);
  for (const ValueField& field : type.fields) References(*field.type, found);
}

}  // namespace

const store::TypeName* ReferentOf(const StoredField& field, const ValueType& whole,
                                  const ValueType* reference) {
  std::vector<const ValueType*> all;
  References(whole, &all);
  const auto found = std::ranges::find(all, reference);
  if (found == all.end()) return nullptr;
  const auto place = static_cast<size_t>(found - all.begin());
  if (all.size() == field.refers.size()) return &field.refers[place];
  const auto named = std::ranges::find(field.refers, reference->text, &store::TypeName::name);
  return named == field.refers.end() ? nullptr : &*named;
}

}  // namespace tenure::dbtool
