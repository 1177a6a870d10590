#include "dbtool/field_texts.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "dbtool/text_form.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

// The library's texts: an array of characters, the last of them zero (stdlib/text, TextFlat).
constexpr const char* kNarrowTexts = "TextFlat.T8";
constexpr const char* kWideTexts = "TextFlat.T16";

// Whether a part of the field is a slot; *reference: it is one for a reference.
bool HasSlot(const StoredType& type, const StoredField& field, bool* reference) {
  bool any = false;
  *reference = false;
  for (const SlotRun& run : type.slots) {
    for (uint64_t i = 0; i < run.count; ++i) {
      const uint64_t bit = 8 * (run.offset + i * run.stride);
      if (bit < field.bit_offset || bit >= field.bit_offset + field.bit_size) continue;
      any = true;
      *reference = run.kind == StoredSlot::kReference && field.bit_size == 64;
    }
  }
  return any;
}

std::optional<std::u16string> CharactersOf(const StoredObject& text) {
  const StoredType& type = *text.type;
  if (type.open_dimensions != 1 || (type.brand != kNarrowTexts && type.brand != kWideTexts)) {
    return std::nullopt;
  }
  const uint64_t length = text.Word(type.payload_bytes), at = type.elements_at();
  if (length == 0 || (type.element_bytes != 1 && type.element_bytes != 2) ||
      length > (text.payload.size() - at) / type.element_bytes) {
    return std::nullopt;
  }
  std::u16string characters;
  for (uint64_t i = 0; i + 1 < length; ++i) {
    characters += static_cast<char16_t>(
        BitsAt(text.payload, 8 * (at + i * type.element_bytes), 8 * type.element_bytes));
  }
  return characters;
}

// The bits of the value in a field of this type; nothing when it cannot have it.
std::optional<uint64_t> BitsOf(const StoredField& field, const std::string& value) {
  if (field.type == "REAL" || field.type == "LONGREAL" || field.type == "EXTENDED") {
    std::string digits = value;
    std::replace_if(
        digits.begin(), digits.end(), [](char c) { return c == 'd' || c == 'D' || c == 'x'; }, 'e');
    char* end = nullptr;
    const double number = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0') return std::nullopt;
    uint64_t bits = 0;
    if (field.type == "REAL" && field.bit_size == 32) {
      const auto real = static_cast<float>(number);
      std::memcpy(&bits, &real, sizeof real);
      return bits;
    }
    if (field.bit_size != 64) return std::nullopt;
    std::memcpy(&bits, &number, sizeof number);
    return bits;
  }
  if (field.type == "BOOLEAN") {
    if (value == "true" || value == "TRUE") return 1;
    if (value == "false" || value == "FALSE") return 0;
    return std::nullopt;
  }
  char* end = nullptr;
  errno = 0;
  const bool negative = value.starts_with('-');
  const __int128 number = negative ? static_cast<__int128>(std::strtoll(value.c_str(), &end, 10))
                                   : static_cast<__int128>(std::strtoull(value.c_str(), &end, 10));
  if (value.empty() || *end != '\0' || errno != 0) return std::nullopt;
  if (const std::optional<Range> range = RangeOf(field)) {
    if (number < range->first || number > range->last) return std::nullopt;
  } else {
    const __int128 limit = static_cast<__int128>(1) << field.bit_size;
    if (number >= limit || number < -limit / 2) return std::nullopt;
  }
  return static_cast<uint64_t>(number);
}

}  // namespace

uint64_t BitsAt(std::span<const std::byte> bytes, uint64_t offset, uint64_t count) {
  uint64_t value = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t bit = offset + i;
    value |= uint64_t{(static_cast<unsigned>(bytes[bit / 8]) >> bit % 8) & 1} << i;
  }
  return value;
}

void PutBits(std::vector<std::byte>* bytes, uint64_t offset, uint64_t count, uint64_t value) {
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t bit = offset + i;
    const auto mask = static_cast<std::byte>(1u << bit % 8);
    std::byte& byte = (*bytes)[bit / 8];
    byte = (value >> i & 1) != 0 ? byte | mask : byte & ~mask;
  }
}

Result<FieldValues> FieldTexts::Of(const StoredObject& object, ObjectReader& reader) {
  FieldValues values;
  std::vector<std::pair<std::string, PersistentRef>> texts;
  for (const StoredField& field : object.type->fields) {
    bool reference = false;
    if (HasSlot(*object.type, field, &reference)) {
      const PersistentRef to{reference ? object.Word(field.bit_offset / 8) : 0};
      if (field.type == "TEXT" && to.is_object()) texts.emplace_back(field.name, to);
    } else if (field.bit_size <= 64) {
      values.emplace_back(field.name, Widened(TextOf(object, field)));
    }
  }
  for (const auto& [name, to] : texts) {
    TN_ASSIGN_OR_RETURN(const StoredObject text, reader.Read(to));
    if (std::optional<std::u16string> characters = CharactersOf(text)) {
      values.emplace_back(name, *std::move(characters));
    }
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
  PutBits(&text.payload, 8 * type->payload_bytes, 64, value.size() + 1);
  for (size_t i = 0; i < value.size(); ++i) {
    PutBits(&text.payload, 8 * (at + i * element_bytes), 8 * element_bytes, value[i]);
  }
  return text;
}

Status FieldTexts::Put(const StoredType& type, const std::string& name, const std::u16string& value,
                       Converted* object) {
  const auto refuse = [&](const std::string& why) {
    return store::Failure(StatusCode::kTypeMismatch,
                          "the converter sets field " + name + ": " + why);
  };
  const StoredField* const field = FieldNamed(type, name);
  if (field == nullptr) return refuse("the program's type has no such field");
  bool reference = false;
  if (HasSlot(type, *field, &reference)) {
    if (!reference || field->type != "TEXT") return refuse("it is a reference, and no TEXT");
    const bool wide = std::any_of(value.begin(), value.end(), [](char16_t c) { return c > 255; });
    TN_ASSIGN_OR_RETURN(MadeObject text, MakeText(value, wide));
    text.slot = field->bit_offset / 8;
    PutBits(&object->payload, field->bit_offset, 64, 0);  // the old text is not wanted
    std::erase_if(object->made, [&](const MadeObject& one) { return one.slot == text.slot; });
    object->made.push_back(std::move(text));
    return Status::Ok();
  }
  if (field->bit_size == 0 || field->bit_size > 64) return refuse("it is not a single value");
  const std::optional<uint64_t> bits = BitsOf(*field, Narrowed(value));
  if (!bits) {
    return refuse("'" + Escaped(value) + "' is not a value of " + field->type);
  }
  PutBits(&object->payload, field->bit_offset, field->bit_size, *bits);
  return Status::Ok();
}

}  // namespace tenure::dbtool
