#include "dbtool/change/field_texts.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "dbtool/values/bits.h"
#include "dbtool/values/object_shape.h"
#include "dbtool/values/texts.h"
#include "dbtool/values/value.h"
#include "dbtool/values/value_conversion.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

// The library's texts: an array of characters, the last of them zero (stdlib/text, TextFlat).
constexpr const char* kNarrowTexts = "TextFlat.T8";
constexpr const char* kWideTexts = "TextFlat.T16";

// `type`: null if the store does not explain it.
void AddParts(const StoredType& object, const std::string& name, const StoredField& field,
              const ValueTypePtr& type, std::vector<TextPart>* parts) {
  const auto slots = SlotsIn(object.slots, field);
  const bool is_text = field.type == "TEXT" && field.bit_size == 64 && slots.size() == 1 &&
                       slots[0].second == StoredSlot::kReference;
  if (is_text || (slots.empty() && field.bit_size > 0 && field.bit_size <= 64)) {
    parts->push_back({name, field, is_text});
  }
  if (type == nullptr || type->kind != ValueKind::kRecord) return;
  for (const ValueField& inner : type->fields) {
    StoredField part;
    part.name = inner.name;
    part.type = part.value = inner.type->text;
    part.bit_offset = field.bit_offset + inner.bit_offset;
    part.bit_size = inner.type->bits;
    AddParts(object, name.empty() ? inner.name : name + "." + inner.name, part, inner.type, parts);
  }
}

std::optional<uint64_t> BitsOfReal(bool single, std::string digits) {
  std::ranges::replace_if(digits, [](char c) { return c == 'd' || c == 'D' || c == 'x'; }, 'e');
  char* end = nullptr;
  errno = 0;
  const double number = std::strtod(digits.c_str(), &end);
  const auto too_large = [&](double value) { return std::isinf(value) && errno == ERANGE; };
  if (digits.empty() || *end != '\0' || too_large(number)) return std::nullopt;
  if (!single) return std::bit_cast<uint64_t>(number);
  const float real = std::strtof(digits.c_str(), &end);
  if (too_large(real)) return std::nullopt;
  return std::bit_cast<uint32_t>(real);
}

// The reverse of BitsOfReal.
template <typename Real>
std::string TextOfReal(Real number) {
  if (std::isfinite(number)) return RealText(number, sizeof number == sizeof(float));
  char text[40];
  return std::string(text, std::to_chars(text, std::end(text), number).ptr);
}

ValueTypePtr TypeOfPart(const StoredType& object, const StoredField& field) {
  ValueTypePtr known = KnownTypeOf(field, object.slots);
  return known != nullptr ? known : UnknownValue(field.type, field.bit_size);
}

// A part that is no text as converters get it: elements of enumerations are numbers.
std::string TextOf(const StoredObject& object, const StoredField& field) {
  // It is behind the end of its object.
  if (field.bit_offset + field.bit_size > 8 * object.payload.size()) return "?";
  const ValueType& type = *TypeOfPart(*object.type, field);
  uint64_t bits = BitsAt(object.payload, field.bit_offset, field.bit_size);
  if (type.kind == ValueKind::kLongReal) return TextOfReal(std::bit_cast<double>(bits));
  if (type.kind == ValueKind::kReal) {
    return TextOfReal(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  if (type.kind == ValueKind::kBoolean) return bits != 0 ? "true" : "false";
  const bool is_signed = type.ordinal() ? type.first < 0 : field.bit_size >= 8;
  const uint64_t sign = uint64_t{1} << (field.bit_size - 1);
  if (is_signed && (bits & sign) != 0) bits |= ~(sign - 1);
  return std::to_string(static_cast<int64_t>(bits));
}

// The bits of a value of this type, of at most 64 bits; nothing when it cannot have it.
std::optional<uint64_t> BitsOf(const ValueType& type, const std::string& value) {
  if (type.kind == ValueKind::kReal || type.kind == ValueKind::kLongReal) {
    return BitsOfReal(type.kind == ValueKind::kReal, value);
  }
  char* end = nullptr;
  errno = 0;
  const bool negative = value.starts_with('-');
  __int128 number = negative ? static_cast<__int128>(std::strtoll(value.c_str(), &end, 10))
                             : static_cast<__int128>(std::strtoull(value.c_str(), &end, 10));
  const bool is_number = !value.empty() && *end == '\0' && errno == 0;
  if (type.kind == ValueKind::kBoolean && (value == "true" || value == "TRUE")) {
    number = 1;
  } else if (type.kind == ValueKind::kBoolean && (value == "false" || value == "FALSE")) {
    number = 0;
  } else if (!is_number) {
    return std::nullopt;
  }
  const __int128 limit = static_cast<__int128>(1) << type.bits;
  const bool fits = type.ordinal() ? number >= type.first && number <= type.last
                                   : number < limit && number >= -limit / 2;
  const auto bits = static_cast<uint64_t>(number) & static_cast<uint64_t>(limit - 1);
  const bool is_value = type.kind == ValueKind::kUnknown || IsValueOf(type, bits);
  return fits && is_value ? std::optional(bits) : std::nullopt;
}

}  // namespace

std::string MemberName(const StoredType& type, size_t index) {
  const std::string& name = type.fields[index].name;
  const bool hidden =
      std::any_of(type.fields.begin() + static_cast<ptrdiff_t>(index) + 1, type.fields.end(),
                  [&](const StoredField& other) { return other.name == name; });
  return hidden ? name + "#" + std::to_string(index + 1) : name;
}

std::vector<TextPart> TextPartsOf(const StoredType& type) {
  std::vector<TextPart> parts;
  if (type.open()) return parts;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    AddParts(type, MemberName(type, i), type.fields[i], KnownTypeOf(type.fields[i], type.slots),
             &parts);
  }
  return parts;
}

const std::vector<TextPart>& FieldTexts::PartsOf(const StoredType& type) {
  const auto [found, fresh] = parts_.try_emplace(&type);
  if (fresh) found->second = TextPartsOf(type);
  return found->second;
}

Result<FieldValues> FieldTexts::Of(const StoredObject& object, ObjectReader& reader) {
  FieldValues values;
  for (const TextPart& part : PartsOf(*object.type)) {
    if (!part.is_text) {
      values.emplace_back(part.name, Widened(TextOf(object, part.field)));
      continue;
    }
    const PersistentRef to{object.Word(part.field.bit_offset / 8)};
    if (to.nil()) continue;
    TN_ASSIGN_OR_RETURN(const ObjectPtr text, reader.source().Load(to));
    TN_ASSIGN_OR_RETURN(std::optional<StoredText> characters, ReadText(text, UINT64_MAX));
    if (!characters) {
      return store::Failure(StatusCode::kTypeMismatch, "field " + part.name +
                                                           ": the characters of a text of type " +
                                                           text->type().name + " cannot be read");
    }
    values.emplace_back(part.name, std::move(characters->characters));
  }
  return values;
}

Result<const StoredType*> FieldTexts::TypeOfTexts(uint64_t element_bytes) {
  std::optional<StoredType>& type = element_bytes == 1 ? narrow_ : wide_;
  const char* const brand = element_bytes == 1 ? kNarrowTexts : kWideTexts;
  if (type) return &*type;
  for (const ProgramType& candidate : program_) {
    if (candidate.type.brand != brand || candidate.type.open_dimensions != 1 ||
        candidate.type.payload_bytes != 0 || candidate.type.element_bytes != element_bytes) {
      continue;
    }
    type = candidate.type;
    if (only_try_) return &*type;
    const Result<uint32_t> made =
        store_.server->AddType(std::as_bytes(std::span(candidate.type.description)));
    if (!made.ok()) {
      type.reset();
      return made.status();
    }
    type->index = *made;
    return &*type;
  }
  return store::Failure(StatusCode::kTypeMismatch,
                        std::string("the program has no texts of type ") + brand);
}

Result<MadeObject> FieldTexts::Literal(const DefaultText& text) {
  Result<MadeObject> made = MakeText(text.characters, text.wide);
  if (!made.ok()) return made;
  made->slot = text.slot;
  made->shared = true;
  return made;
}

Result<MadeObject> FieldTexts::MakeText(const std::u16string& value, bool wide) {
  TN_ASSIGN_OR_RETURN(const StoredType* const type, TypeOfTexts(wide ? 2 : 1));
  MadeObject text;
  text.type = type;
  const uint64_t element_bytes = type->element_bytes, at = type->elements_at();
  text.payload.resize(at + (value.size() + 1) * element_bytes);
  PutBits(text.payload, 8 * type->payload_bytes, 64, value.size() + 1);
  for (size_t i = 0; i < value.size(); ++i) {
    PutBits(text.payload, 8 * (at + i * element_bytes), 8 * element_bytes, value[i]);
  }
  return text;
}

Status FieldTexts::Put(const StoredType& type, const std::string& name, const std::u16string& value,
                       Converted* object) {
  const auto refuse = [&](const std::string& why) {
    return store::Failure(StatusCode::kTypeMismatch,
                          "the converter sets field " + name + ": " + why);
  };
  const std::vector<TextPart>& parts = PartsOf(type);
  const auto found = std::ranges::find(parts, name, &TextPart::name);
  if (found == parts.end()) {
    const auto field = std::ranges::find(type.fields, name, &StoredField::name);
    if (field == type.fields.end()) return refuse("the program's type has no such field");
    return refuse(SlotsIn(type.slots, *field).empty() ? "it is not a single value"
                                                      : "it is a reference, and no TEXT");
  }
  const StoredField* const field = &found->field;
  if (found->is_text) {
    const bool wide = std::any_of(value.begin(), value.end(), [](char16_t c) { return c > 255; });
    TN_ASSIGN_OR_RETURN(MadeObject text, MakeText(value, wide));
    text.slot = field->bit_offset / 8;
    PutBits(object->payload, field->bit_offset, 64, 0);  // the old text is not wanted
    std::erase_if(object->made, [&](const MadeObject& one) { return one.slot == text.slot; });
    object->made.push_back(std::move(text));
    return Status::Ok();
  }
  const std::optional<uint64_t> bits = BitsOf(*TypeOfPart(type, *field), Narrowed(value));
  if (!bits) {
    return refuse("'" + Escaped(value) + "' is not a value of " + field->type);
  }
  PutBits(object->payload, field->bit_offset, field->bit_size, *bits);
  return Status::Ok();
}

}  // namespace tenure::dbtool
