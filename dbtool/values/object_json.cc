#include "dbtool/values/object_json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "dbtool/values/texts.h"
#include "dbtool/values/value.h"

namespace tenure::dbtool {

using store::PersistentRef;
using store::RefKind;

namespace {

// Programs that read JSON keep numbers as doubles: larger integers are written as texts.
constexpr __int128 kExact = static_cast<__int128>(1) << 53;

}  // namespace

Json JsonOfNumber(__int128 number) {
  if (number >= -kExact && number <= kExact) return static_cast<int64_t>(number);
  return number < 0 ? std::to_string(static_cast<int64_t>(number))
                    : std::to_string(static_cast<uint64_t>(number));
}

std::optional<__int128> NumberOfJson(const Json& json) {
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number_float()) {
    // jq writes 1e3 and 1.0 for whole numbers.
    const double number = json.get<double>();
    if (number != std::floor(number) || std::abs(number) > static_cast<double>(kExact)) {
      return std::nullopt;
    }
    return static_cast<int64_t>(number);
  }
  if (!json.is_string()) return std::nullopt;
  const std::string& text = json.get_ref<const std::string&>();
  const char* const end = text.data() + text.size();
  if (text.starts_with('-')) {
    int64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional<__int128>(number) : std::nullopt;
  }
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional<__int128>(number) : std::nullopt;
}

namespace {

uint64_t Bits(std::span<const std::byte> bytes, uint64_t offset, uint64_t count) {
  unsigned __int128 value = 0;
  const uint64_t first = offset / 8, last = (offset + count + 7) / 8;
  if (count == 0 || last > bytes.size()) return 0;
  for (uint64_t i = last; i > first; --i) value = value << 8 | static_cast<unsigned>(bytes[i - 1]);
  value >>= offset % 8;
  const auto low = static_cast<uint64_t>(value);
  return count >= 64 ? low : low & ((uint64_t{1} << count) - 1);
}

void SetBits(std::vector<std::byte>* bytes, uint64_t offset, uint64_t count, uint64_t value) {
  const uint64_t last = (offset + count + 7) / 8;
  if (count == 0 || last > bytes->size()) return;
  for (uint64_t done = 0; done < count;) {
    const uint64_t bit = offset + done, within = bit % 8;
    const uint64_t part = std::min<uint64_t>(8 - within, count - done);
    const auto mask = static_cast<unsigned>(((1u << part) - 1) << within);
    const auto now = static_cast<unsigned>((*bytes)[bit / 8]);
    const auto fresh = static_cast<unsigned>(value >> done << within) & mask;
    (*bytes)[bit / 8] = static_cast<std::byte>((now & ~mask) | fresh);
    done += part;
  }
}

Json Raw(uint64_t bits) { return {{"bits", JsonOfNumber(bits)}}; }

Json JsonOfReal(double number, bool single, uint64_t bits) {
  if (std::isnan(number)) {
    const bool plain = single ? bits == std::bit_cast<uint32_t>(std::nanf(""))
                              : bits == std::bit_cast<uint64_t>(std::nan(""));
    return plain ? Json("NaN") : Raw(bits);
  }
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  // Some readers lose the sign of a zero.
  if (number == 0 && std::signbit(number)) return "-0.0";
  return std::strtod(RealText(number, single).c_str(), nullptr);
}

// The value of an ordinal, from its bits.
__int128 Extended(const ValueType& type, uint64_t bits) {
  if (type.first < 0 && type.bits > 0 && type.bits <= 64 && (bits >> (type.bits - 1) & 1) != 0) {
    return static_cast<__int128>(bits) - (static_cast<__int128>(1) << type.bits);
  }
  return bits;
}

Json JsonOfOrdinal(const ValueType& type, __int128 value, uint64_t bits) {
  if (value < type.first || value > type.last) return Raw(bits);
  switch (type.kind) {
    case ValueKind::kBoolean: return value != 0;
    case ValueKind::kEnumeration: return type.names[static_cast<size_t>(value)];
    case ValueKind::kCharacter:
    case ValueKind::kWideCharacter:
      if (value >= 0xD800 && value < 0xE000) return Raw(bits);
      return Utf8OfCodes(std::u16string(1, static_cast<char16_t>(value)));
    default: return JsonOfNumber(value);
  }
}

using Beside = std::function<void(PersistentRef, Json*)>;

Json JsonOfReference(PersistentRef reference, const Beside& beside) {
  if (reference.nil()) return nullptr;
  Json json = Json::object();
  switch (reference.kind()) {
    case RefKind::kObject: json["ref"] = Show(reference); break;
    case RefKind::kImport: json["import"] = reference.entry(); break;
    case RefKind::kProcedure: json["procedure"] = reference.entry(); break;
  }
  if (beside) beside(reference, &json);
  return json;
}

// Elements of a set, by runs of bits.
void ForEachElement(std::span<const std::byte> payload, uint64_t bit_offset, const ValueType& set,
                    const std::function<void(uint64_t)>& visit) {
  const uint64_t count = std::min<uint64_t>(
      set.bits, set.index->last < set.index->first
                    ? 0
                    : static_cast<uint64_t>(set.index->last - set.index->first + 1));
  for (uint64_t at = 0; at < count; at += 64) {
    uint64_t word = Bits(payload, bit_offset + at, std::min<uint64_t>(64, count - at));
    while (word != 0) {
      visit(at + static_cast<uint64_t>(std::countr_zero(word)));
      word &= word - 1;
    }
  }
}

Json Put(std::span<const std::byte> payload, uint64_t at, const ValueType& type,
         const Beside& beside) {
  switch (type.kind) {
    case ValueKind::kReference:
    case ValueKind::kProcedure:
      return JsonOfReference(PersistentRef{Bits(payload, at, 64)}, beside);
    case ValueKind::kReal: {
      const uint64_t bits = Bits(payload, at, 32);
      return JsonOfReal(std::bit_cast<float>(static_cast<uint32_t>(bits)), true, bits);
    }
    case ValueKind::kLongReal: {
      const uint64_t bits = Bits(payload, at, 64);
      return JsonOfReal(std::bit_cast<double>(bits), false, bits);
    }
    case ValueKind::kSet: {
      Json list = Json::array();
      ForEachElement(payload, at, type, [&](uint64_t element) {
        const __int128 value = type.index->first + element;
        list.push_back(JsonOfOrdinal(*type.index, value, static_cast<uint64_t>(value)));
      });
      return list;
    }
    case ValueKind::kRecord: {
      Json record = Json::object();
      for (const ValueField& field : type.fields) {
        record[field.name] = Put(payload, at + field.bit_offset, *field.type, beside);
      }
      return record;
    }
    case ValueKind::kArray: {
      Json list = Json::array();
      const uint64_t count = type.count();
      for (uint64_t i = 0; i < count; ++i) {
        list.push_back(Put(payload, at + i * type.element_bits, *type.element, beside));
      }
      return list;
    }
    case ValueKind::kUnknown: {
      if (type.bits <= 64) return Raw(Bits(payload, at, type.bits));
      const uint64_t first = at / 8, last = (at + type.bits + 7) / 8;
      if (last > payload.size()) return nullptr;
      return {{"hex", HexOf(payload.subspan(first, last - first))}};
    }
    default: {
      const uint64_t bits = Bits(payload, at, type.bits);
      return JsonOfOrdinal(type, Extended(type, bits), bits);
    }
  }
}

std::string Here(const Json& json) {
  std::string text = LineOf(json);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

std::string NoValue(const Json& json, const ValueType& type) {
  return Here(json) + " is not a value of " + type.text;
}

std::string TakeReference(const Json& json, const ValueType& type, uint64_t at,
                          JsonObject* object) {
  if (json.is_null()) return "";
  if (!json.is_object()) return Here(json) + " is not a reference";
  PersistentRef target;
  if (json.contains("ref") && json["ref"].is_string()) {
    target = ParseReference(json["ref"].get<std::string>());
  }
  for (const auto& [name, kind] :
       {std::pair("import", RefKind::kImport), std::pair("procedure", RefKind::kProcedure)}) {
    if (!json.contains(name)) continue;
    const std::optional<__int128> entry = NumberOfJson(json[name]);
    if (entry && *entry > 0 && *entry < (static_cast<__int128>(1) << 60)) {
      target = PersistentRef::Entry(kind, static_cast<uint64_t>(*entry));
    }
  }
  if (target.nil()) return Here(json) + " is not a reference";
  const bool procedure = target.kind() == RefKind::kProcedure;
  if (procedure != (type.kind == ValueKind::kProcedure)) {
    return Here(json) +
           (procedure ? " is a procedure, not a reference" : " is a reference, not a procedure");
  }
  object->slots.push_back({at / 8, target});
  return "";
}

std::optional<double> RealIn(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (!json.is_string()) return std::nullopt;
  const std::string& text = json.get_ref<const std::string&>();
  if (text == "NaN") return std::nan("");
  if (text == "Infinity") return INFINITY;
  if (text == "-Infinity") return -INFINITY;
  if (text == "-0.0") return -0.0;
  return std::nullopt;
}

std::optional<__int128> OrdinalIn(const Json& json, const ValueType& type) {
  switch (type.kind) {
    case ValueKind::kBoolean:
      if (!json.is_boolean()) return std::nullopt;
      return json.get<bool>() ? 1 : 0;
    case ValueKind::kEnumeration: {
      if (!json.is_string()) return std::nullopt;
      const auto found = std::ranges::find(type.names, json.get_ref<const std::string&>());
      if (found == type.names.end()) return std::nullopt;
      return found - type.names.begin();
    }
    case ValueKind::kCharacter:
    case ValueKind::kWideCharacter: {
      if (!json.is_string()) return std::nullopt;
      const auto codes = CodesOfUtf8(json.get_ref<const std::string&>());
      if (!codes || codes->size() != 1) return std::nullopt;
      return (*codes)[0];
    }
    default: return NumberOfJson(json);
  }
}

}  // namespace

std::string HexOf(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

bool FromHex(const std::string& text, std::vector<std::byte>* bytes) {
  if (text.size() % 2 != 0) return false;
  bytes->resize(text.size() / 2);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return false;
    std::byte& byte = (*bytes)[i / 2];
    byte = static_cast<std::byte>(i % 2 == 0 ? digit << 4 : static_cast<int>(byte) | digit);
  }
  return true;
}

Json PutValue(std::span<const std::byte> payload, uint64_t bit_offset, const ValueType& type) {
  return Put(payload, bit_offset, type, {});
}

std::string TakeValue(const Json& json, const ValueType& type, uint64_t at, JsonObject* object) {
  const auto raw = [&]() -> std::optional<__int128> {
    if (!json.is_object() || !json.contains("bits") || type.bits > 64) return std::nullopt;
    const std::optional<__int128> bits = NumberOfJson(json["bits"]);
    if (!bits || *bits < 0 || *bits >> type.bits != 0) return std::nullopt;
    return bits;
  };
  switch (type.kind) {
    case ValueKind::kReference:
    case ValueKind::kProcedure: return TakeReference(json, type, at, object);
    case ValueKind::kReal:
    case ValueKind::kLongReal: {
      if (const auto bits = raw()) {
        SetBits(&object->data, at, type.bits, static_cast<uint64_t>(*bits));
        return "";
      }
      const std::optional<double> number = RealIn(json);
      if (!number) return NoValue(json, type);
      const bool single = type.kind == ValueKind::kReal;
      if (single && std::isfinite(*number) && !std::isfinite(static_cast<float>(*number))) {
        return NoValue(json, type);
      }
      SetBits(&object->data, at, type.bits,
              single ? std::bit_cast<uint32_t>(static_cast<float>(*number))
                     : std::bit_cast<uint64_t>(*number));
      return "";
    }
    case ValueKind::kSet: {
      if (!json.is_array()) return NoValue(json, type);
      for (uint64_t bit = 0; bit < type.bits; bit += 64) {
        SetBits(&object->data, at + bit, std::min<uint64_t>(64, type.bits - bit), 0);
      }
      for (const Json& element : json) {
        const std::optional<__int128> value = OrdinalIn(element, *type.index);
        if (!value || *value < type.index->first || *value > type.index->last) {
          return NoValue(element, *type.index);
        }
        SetBits(&object->data, at + static_cast<uint64_t>(*value - type.index->first), 1, 1);
      }
      return "";
    }
    case ValueKind::kRecord: {
      if (!json.is_object()) return NoValue(json, type);
      for (const ValueField& field : type.fields) {
        const auto member = json.find(field.name);
        if (member == json.end()) return "field " + field.name + " is missing";
        const std::string problem = TakeValue(*member, *field.type, at + field.bit_offset, object);
        if (!problem.empty()) return field.name + ": " + problem;
      }
      for (const auto& [name, value] : json.items()) {
        const bool known = std::ranges::any_of(
            type.fields, [&](const ValueField& field) { return field.name == name; });
        if (!known) return "there is no field " + name;
      }
      return "";
    }
    case ValueKind::kArray: {
      if (!json.is_array()) return NoValue(json, type);
      if (json.size() != type.count()) {
        return "there are " + std::to_string(json.size()) + " elements, not " +
               std::to_string(type.count());
      }
      for (size_t i = 0; i < json.size(); ++i) {
        const std::string problem =
            TakeValue(json[i], *type.element, at + i * type.element_bits, object);
        if (!problem.empty()) return "element " + std::to_string(i) + ": " + problem;
      }
      return "";
    }
    case ValueKind::kUnknown: {
      if (const auto bits = raw()) {
        SetBits(&object->data, at, type.bits, static_cast<uint64_t>(*bits));
        return "";
      }
      std::vector<std::byte> bytes;
      if (!json.is_object() || !json.contains("hex") || !json["hex"].is_string() ||
          !FromHex(json["hex"].get<std::string>(), &bytes) || at % 8 != 0 ||
          8 * bytes.size() != (type.bits + 7) / 8 * 8 ||
          at / 8 + bytes.size() > object->data.size()) {
        return NoValue(json, type);
      }
      std::copy(bytes.begin(), bytes.end(), object->data.begin() + static_cast<ptrdiff_t>(at / 8));
      return "";
    }
    default: {
      if (const auto bits = raw()) {
        SetBits(&object->data, at, type.bits, static_cast<uint64_t>(*bits));
        return "";
      }
      const std::optional<__int128> value = OrdinalIn(json, type);
      if (!value || *value < type.first || *value > type.last) return NoValue(json, type);
      SetBits(&object->data, at, type.bits, static_cast<uint64_t>(*value));
      return "";
    }
  }
}

namespace {

// The member of "fields" for a field: its name; where a subtype's field hides it, also its number.
std::string MemberOf(const ObjectShape& shape, size_t field) {
  const std::string& name = shape.fields[field].name;
  for (size_t i = field + 1; i < shape.fields.size(); ++i) {
    if (shape.fields[i].name == name) return name + "#" + std::to_string(field + 1);
  }
  return name;
}

uint64_t LengthIn(std::span<const std::byte> payload, const StoredType& type, uint64_t dimension) {
  return Bits(payload, 8 * (type.payload_bytes + 8 * dimension), 64);
}

// The open array with these lengths, as an array of arrays.
ValueTypePtr WholeArray(const ObjectShape& shape, const std::vector<uint64_t>& lengths) {
  ValueTypePtr array = shape.element;
  for (size_t i = lengths.size(); i > 0; --i) array = ArrayOf(lengths[i - 1], std::move(array));
  return array;
}

bool HasCharacters(const StoredType& type, const ObjectShape& shape) {
  return type.open_dimensions == 1 && shape.element != nullptr && !shape.element->packed &&
         (shape.element->kind == ValueKind::kCharacter ||
          shape.element->kind == ValueKind::kWideCharacter) &&
         shape.element->bytes == type.element_bytes && shape.element->first == 0;
}

// Characters as a text, if they come back from it.
void PutCharacters(std::span<const std::byte> payload, const StoredType& type, uint64_t count,
                   Json* line) {
  StoredText text;
  text.wide = type.element_bytes == 2;
  text.length = count;
  bool alone = false;  // halves of surrogate pairs
  for (uint64_t i = 0; i < count; ++i) {
    const auto code = static_cast<char16_t>(
        Bits(payload, 8 * (type.elements_at() + i * type.element_bytes), 8 * type.element_bytes));
    text.characters += code;
    alone = alone || (code >= 0xD800 && code < 0xE000);
  }
  if (IsUtf8InNarrow(text)) {
    (*line)["text"] = Utf8Of(text);
    (*line)["stored_as"] = "UTF-8";
    return;
  }
  const std::string utf8 = Utf8OfCodes(text.characters);
  if (!alone || CodesOfUtf8(utf8) == text.characters) {
    (*line)["text"] = utf8;
    return;
  }
  Json codes = Json::array();
  for (const char16_t code : text.characters) codes.push_back(static_cast<unsigned>(code));
  (*line)["codes"] = std::move(codes);
}

// Nothing: *problem says why.
std::optional<std::u16string> CharactersIn(const Json& line, uint64_t bytes, std::string* problem) {
  std::u16string characters;
  if (const auto codes = line.find("codes"); codes != line.end() && codes->is_array()) {
    for (const Json& code : *codes) {
      const std::optional<__int128> number = NumberOfJson(code);
      if (!number || *number < 0 || *number > (bytes == 1 ? 255 : 65535)) {
        *problem = Here(code) + " is not a character's code";
        return std::nullopt;
      }
      characters += static_cast<char16_t>(*number);
    }
    return characters;
  }
  const auto text = line.find("text");
  if (text == line.end() || !text->is_string()) {
    *problem = "there is no \"text\"";
    return std::nullopt;
  }
  const std::string& utf8 = text->get_ref<const std::string&>();
  const auto as = line.find("stored_as");
  if (bytes == 1 && as != line.end() && *as == "UTF-8") {
    for (const char c : utf8) characters += static_cast<unsigned char>(c);
    return characters;
  }
  auto decoded = CodesOfUtf8(utf8);
  if (!decoded) {
    *problem = "the text is not UTF-8";
    return std::nullopt;
  }
  if (bytes == 1) {
    const bool narrow = std::ranges::all_of(*decoded, [](char16_t code) { return code <= 255; });
    if (!narrow) {
      *problem =
          "the text has characters above U+00FF, which this type has not: "
          "\"stored_as\": \"UTF-8\" stores its bytes";
      return std::nullopt;
    }
  }
  return decoded;
}

void PutFields(const StoredObject& object, const ObjectShape& shape, const Beside& beside,
               Json* line) {
  const std::span<const std::byte> payload = object.payload;
  if (shape.fields.size() == 1 && shape.fields[0].name.empty()) {
    (*line)["value"] = Put(payload, shape.fields[0].bit_offset, *shape.fields[0].type, beside);
    return;
  }
  Json fields = Json::object();
  for (size_t i = 0; i < shape.fields.size(); ++i) {
    const ShapeField& field = shape.fields[i];
    fields[MemberOf(shape, i)] = Put(payload, field.bit_offset, *field.type, beside);
  }
  (*line)["fields"] = std::move(fields);
}

}  // namespace

void PutObject(const StoredObject& object, const ObjectShape& shape, const Beside& beside,
               Json* line) {
  const StoredType& type = *object.type;
  if (type.open()) {
    std::vector<uint64_t> lengths;
    for (uint64_t i = 0; i < type.open_dimensions; ++i) {
      lengths.push_back(LengthIn(object.payload, type, i));
    }
    const bool text = shape.text != FlatText::kNone;
    // The zero behind a text's characters is not one of them.
    if (text && lengths[0] > 0 &&
        Bits(object.payload, 8 * (type.elements_at() + (lengths[0] - 1) * type.element_bytes),
             8 * type.element_bytes) == 0) {
      PutCharacters(object.payload, type, lengths[0] - 1, line);
    } else if (!text && HasCharacters(type, shape)) {
      PutCharacters(object.payload, type, lengths[0], line);
    } else if (shape.element != nullptr && !text) {
      if (lengths.size() > 1) (*line)["lengths"] = lengths;
      const ValueTypePtr whole = WholeArray(shape, lengths);
      (*line)["elements"] = Put(object.payload, 8 * type.elements_at(), *whole, beside);
    } else {
      (*line)["lengths"] = lengths;
    }
    if (type.payload_bytes != 0) PutFields(object, shape, beside, line);
  } else {
    PutFields(object, shape, beside, line);
  }
  // Bits that no member tells: those between fields, and values outside the range of their type.
  std::vector<std::byte> data(object.payload.begin(), object.payload.end());
  ForEachSlot(type, data.size(),
              [&](uint64_t offset, StoredSlot) { std::memset(data.data() + offset, 0, 8); });
  // The bytes behind the last element or field are arbitrary, up to a whole word.
  uint64_t used = type.payload_bytes;
  if (type.open()) {
    uint64_t elements = 1;
    for (uint64_t i = 0; i < type.open_dimensions; ++i) {
      elements *= LengthIn(object.payload, type, i);
    }
    used = type.elements_at() + elements * type.element_bytes;
  }
  for (uint64_t i = used; i < data.size(); ++i) data[i] = std::byte{0};
  JsonObject again;
  if (!TakeObject(*line, type, shape, &again).empty() || again.data != data) {
    (*line)["data"] = HexOf(data);
  }
}

std::string TakeObject(const Json& line, const StoredType& type, const ObjectShape& shape,
                       JsonObject* object) {
  const auto lengths_of = [&](std::vector<uint64_t>* lengths, std::string* problem) {
    const auto given = line.find("lengths");
    if (given == line.end()) return false;
    if (!given->is_array() || given->size() != type.open_dimensions) {
      *problem = "\"lengths\" needs " + std::to_string(type.open_dimensions) + " numbers";
      return false;
    }
    for (const Json& length : *given) {
      const std::optional<__int128> number = NumberOfJson(length);
      if (!number || *number < 0 || *number > (static_cast<__int128>(1) << 40)) {
        *problem = Here(length) + " is not a length";
        return false;
      }
      lengths->push_back(static_cast<uint64_t>(*number));
    }
    return true;
  };
  // All bits first, where they are given: the members are put over them.
  if (const auto data = line.find("data"); data != line.end()) {
    if (!data->is_string() || !FromHex(data->get<std::string>(), &object->data) ||
        PayloadBytes(type, object->data) != object->data.size()) {
      return "\"data\" are not those of an object of this type";
    }
  }
  std::u16string characters;
  std::vector<uint64_t> lengths;
  const bool text = shape.text != FlatText::kNone;
  const bool has_characters = type.open() && (line.contains("text") || line.contains("codes")) &&
                              (text || HasCharacters(type, shape));
  std::string problem;
  if (has_characters) {
    auto taken = CharactersIn(line, type.element_bytes, &problem);
    if (!taken) return problem;
    characters = *std::move(taken);
    if (text) characters += u'\0';
    lengths = {characters.size()};
  } else if (type.open() && !lengths_of(&lengths, &problem)) {
    if (!problem.empty()) return problem;
    const auto elements = line.find("elements");
    if (elements != line.end() && elements->is_array() && type.open_dimensions == 1) {
      lengths = {elements->size()};
    } else if (object->data.empty()) {
      return "there are no \"elements\"";
    }
  }
  if (object->data.empty()) {
    unsigned __int128 bytes = type.payload_bytes;
    if (type.open()) {
      unsigned __int128 count = 1;
      for (const uint64_t length : lengths) {
        count *= length;
        if (count > (uint64_t{1} << 40)) return "the array is too long";
      }
      bytes = count * type.element_bytes + type.elements_at();
      if (bytes > (uint64_t{1} << 40)) return "the array is too long";
    }
    object->data.resize(std::max<uint64_t>((static_cast<uint64_t>(bytes) + 7) / 8 * 8, 8));
  }
  if (type.open() && !lengths.empty()) {
    for (size_t i = 0; i < lengths.size(); ++i) {
      SetBits(&object->data, 8 * (type.payload_bytes + 8 * i), 64, lengths[i]);
    }
    if (PayloadBytes(type, object->data) != object->data.size()) {
      return "there are not as many elements as in \"data\"";
    }
  }
  if (has_characters) {
    for (size_t i = 0; i < characters.size(); ++i) {
      SetBits(&object->data, 8 * (type.elements_at() + i * type.element_bytes),
              8 * type.element_bytes, characters[i]);
    }
  } else if (type.open() && shape.element != nullptr && !text) {
    const auto elements = line.find("elements");
    if (elements != line.end()) {
      problem = TakeValue(*elements, *WholeArray(shape, lengths), 8 * type.elements_at(), object);
      if (!problem.empty()) return problem;
    } else if (!line.contains("data")) {
      return "there are no \"elements\"";
    }
  }
  if (shape.fields.size() == 1 && shape.fields[0].name.empty()) {
    const auto value = line.find("value");
    if (value == line.end() && !line.contains("data")) return "there is no \"value\"";
    if (value != line.end()) {
      problem = TakeValue(*value, *shape.fields[0].type, shape.fields[0].bit_offset, object);
      if (!problem.empty()) return problem;
    }
  } else if (!shape.fields.empty()) {
    const auto fields = line.find("fields");
    if (fields == line.end() && !line.contains("data")) return "there are no \"fields\"";
    if (fields != line.end()) {
      if (!fields->is_object()) return "\"fields\" is not an object";
      for (size_t i = 0; i < shape.fields.size(); ++i) {
        const std::string member = MemberOf(shape, i);
        const auto value = fields->find(member);
        if (value == fields->end()) return "field " + member + " is missing";
        problem = TakeValue(*value, *shape.fields[i].type, shape.fields[i].bit_offset, object);
        if (!problem.empty()) return "field " + member + ": " + problem;
      }
      for (const auto& [name, value] : fields->items()) {
        bool known = false;
        for (size_t i = 0; i < shape.fields.size() && !known; ++i) {
          known = MemberOf(shape, i) == name;
        }
        if (!known) return type.name + " has no field " + name;
      }
    }
  }
  // Each reference in a slot of its kind, and no bits in slots.
  std::unordered_map<uint64_t, StoredSlot> slots;
  ForEachSlot(type, object->data.size(),
              [&](uint64_t offset, StoredSlot kind) { slots[offset] = kind; });
  for (const JsonSlot& slot : object->slots) {
    const auto found = slots.find(slot.offset);
    const StoredSlot wanted =
        slot.target.kind() == RefKind::kProcedure ? StoredSlot::kProcedure : StoredSlot::kReference;
    if (found == slots.end() || found->second != wanted) {
      return "a reference that is in no slot of its object";
    }
  }
  for (const auto& [offset, kind] : slots) {
    if (Bits(object->data, 8 * offset, 64) != 0) return "data where a reference is to be";
  }
  return "";
}

}  // namespace tenure::dbtool
