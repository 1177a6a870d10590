#include "dbtool/values/object_json.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "abi/object_header.h"
#include "base/hex.h"
#include "dbtool/values/object_json_parts.h"
#include "dbtool/values/texts.h"

namespace tenure::dbtool {

using store::PersistentRef;
using store::RefKind;

namespace {

std::string Here(const Json& json) {
  std::string text = LineOf(json);
  if (text.size() > 60) text.replace(57, text.npos, "...");
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
        PutBits(object->data, at, type.bits, static_cast<uint64_t>(*bits));
        return "";
      }
      const std::optional<double> number = RealIn(json);
      if (!number) return NoValue(json, type);
      const bool single = type.kind == ValueKind::kReal;
      if (single && std::isfinite(*number) && !std::isfinite(static_cast<float>(*number))) {
        return NoValue(json, type);
      }
      PutBits(object->data, at, type.bits,
              single ? std::bit_cast<uint32_t>(static_cast<float>(*number))
                     : std::bit_cast<uint64_t>(*number));
      return "";
    }
    case ValueKind::kSet: {
      if (!json.is_array()) return NoValue(json, type);
      for (uint64_t bit = 0; bit < type.bits; bit += 64) {
        PutBits(object->data, at + bit, std::min<uint64_t>(64, type.bits - bit), 0);
      }
      for (const Json& element : json) {
        const std::optional<__int128> value = OrdinalIn(element, *type.index);
        if (!value || *value < type.index->first || *value > type.index->last) {
          return NoValue(element, *type.index);
        }
        PutBits(object->data, at + static_cast<uint64_t>(*value - type.index->first), 1, 1);
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
        PutBits(object->data, at, type.bits, static_cast<uint64_t>(*bits));
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
        PutBits(object->data, at, type.bits, static_cast<uint64_t>(*bits));
        return "";
      }
      const std::optional<__int128> value = OrdinalIn(json, type);
      if (!value || *value < type.first || *value > type.last) return NoValue(json, type);
      PutBits(object->data, at, type.bits, static_cast<uint64_t>(*value));
      return "";
    }
  }
}

namespace {

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

}  // namespace

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
    object->data.resize(abi::PayloadRoom(static_cast<uint64_t>(bytes)));
  }
  if (type.open() && !lengths.empty()) {
    for (size_t i = 0; i < lengths.size(); ++i) {
      PutBits(object->data, 8 * (type.payload_bytes + 8 * i), 64, lengths[i]);
    }
    if (PayloadBytes(type, object->data) != object->data.size()) {
      return "there are not as many elements as in \"data\"";
    }
  }
  if (has_characters) {
    for (size_t i = 0; i < characters.size(); ++i) {
      PutBits(object->data, 8 * (type.elements_at() + i * type.element_bytes),
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
      for (const ShapeField& field : shape.fields) {
        const auto value = fields->find(field.member);
        if (value == fields->end()) return "field " + field.member + " is missing";
        problem = TakeValue(*value, *field.type, field.bit_offset, object);
        if (!problem.empty()) return "field " + field.member + ": " + problem;
      }
      for (const auto& [name, value] : fields->items()) {
        if (shape.Find(name) == nullptr) return type.name + " has no field " + name;
      }
    }
  }
  // Checks that each reference is in a slot of its kind, and that slots have no other bits.
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
    if (BitsAt(object->data, 8 * offset, 64) != 0) return "data where a reference is to be";
  }
  return "";
}

}  // namespace tenure::dbtool
