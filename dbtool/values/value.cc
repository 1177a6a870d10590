#include "dbtool/values/value.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/shown_text.h"
#include "dbtool/values/json_numbers.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;
using store::RefKind;

Datum OfNumber(__int128 number) {
  Datum value;
  value.kind = DatumKind::kInteger;
  value.number = number;
  return value;
}

Datum OfReal(double number) {
  Datum value;
  value.kind = DatumKind::kReal;
  value.real = number;
  return value;
}

Datum OfBoolean(bool truth) {
  Datum value;
  value.kind = DatumKind::kBoolean;
  value.number = truth ? 1 : 0;
  return value;
}

Datum OfText(std::string utf8) {
  Datum value;
  value.kind = DatumKind::kText;
  value.text = std::move(utf8);
  return value;
}

Datum OfReference(PersistentRef reference) {
  Datum value;
  if (reference.nil()) return value;
  switch (reference.kind()) {
    case RefKind::kImport: value.kind = DatumKind::kImport; break;
    case RefKind::kProcedure: value.kind = DatumKind::kProcedure; break;
    default: value.kind = DatumKind::kReference; break;
  }
  value.reference = reference;
  if (value.kind != DatumKind::kReference) value.number = reference.entry();
  return value;
}

Result<Datum> Values::Read(const ObjectPtr& object, const ValueTypePtr& type, uint64_t bit_offset) {
  TN_ASSIGN_OR_RETURN(Datum value, ReadBits(object, type, bit_offset));
  if (keep_places_) {
    value.type = type;
    value.at = object;
    value.bit_offset = bit_offset;
  }
  return value;
}

Result<Datum> Values::ReadBits(const ObjectPtr& object, const ValueTypePtr& type,
                               uint64_t bit_offset) {
  Datum value;
  value.type = type;
  switch (type->kind) {
    case ValueKind::kSet: value.kind = DatumKind::kSet; break;
    case ValueKind::kArray: value.kind = DatumKind::kArray; break;
    case ValueKind::kRecord: value.kind = DatumKind::kRecord; break;
    default: {
      if (type->bits > 64) {
        value.kind = DatumKind::kBits;
        value.at = object;
        value.bit_offset = bit_offset;
        return value;
      }
      TN_ASSIGN_OR_RETURN(const uint64_t bits, object->Bits(bit_offset, type->bits));
      if (type->kind == ValueKind::kReference || type->kind == ValueKind::kProcedure) {
        value = OfReference(PersistentRef{bits});
        value.type = type;
        return value;
      }
      if (type->kind == ValueKind::kReal) {
        value.kind = DatumKind::kReal;
        value.real = std::bit_cast<float>(static_cast<uint32_t>(bits));
        value.single = true;
        return value;
      }
      if (type->kind == ValueKind::kLongReal) {
        value.kind = DatumKind::kReal;
        value.real = std::bit_cast<double>(bits);
        return value;
      }
      value.number = bits;
      if (type->kind == ValueKind::kUnknown) {
        value.kind = DatumKind::kBits;
        return value;
      }
      if (type->first < 0 && type->bits > 0 && (bits >> (type->bits - 1) & 1) != 0) {
        value.number -= static_cast<__int128>(1) << type->bits;
      }
      if (value.number < type->first || value.number > type->last) {
        value.kind = DatumKind::kBits;
        value.number = bits;
        return value;
      }
      switch (type->kind) {
        case ValueKind::kBoolean: value.kind = DatumKind::kBoolean; break;
        case ValueKind::kCharacter:
        case ValueKind::kWideCharacter: value.kind = DatumKind::kCharacter; break;
        case ValueKind::kEnumeration: value.kind = DatumKind::kEnumeration; break;
        default: value.kind = DatumKind::kInteger; break;
      }
      return value;
    }
  }
  value.at = object;
  value.bit_offset = bit_offset;
  return value;
}

Result<std::optional<Datum>> Values::Field(const ObjectPtr& object, std::string_view member,
                                           bool first) {
  const ShapeField* const field = ShapeOf(object->type()).Find(member, first);
  if (field == nullptr) return std::optional<Datum>();
  TN_ASSIGN_OR_RETURN(Datum value, Read(object, field->type, field->bit_offset));
  return std::optional<Datum>(std::move(value));
}

Result<std::optional<Datum>> Values::FieldOf(const Datum& record, std::string_view name) {
  for (const ValueField& field : record.type->fields) {
    if (field.name != name) continue;
    TN_ASSIGN_OR_RETURN(Datum value,
                        Read(record.at, field.type, record.bit_offset + field.bit_offset));
    return std::optional<Datum>(std::move(value));
  }
  return std::optional<Datum>();
}

Result<Datum> Values::Element(const Datum& array, uint64_t place) {
  return Read(array.at, array.type->element, array.bit_offset + place * array.type->element_bits);
}

Result<bool> Values::Has(const Datum& set, __int128 element) {
  const ValueType& index = *set.type->index;
  if (element < index.first || element > index.last) return false;
  TN_ASSIGN_OR_RETURN(
      const uint64_t bit,
      set.at->Bits(set.bit_offset + static_cast<uint64_t>(element - index.first), 1));
  return bit != 0;
}

Result<Datum> Values::Resolve(const Datum& value, uint64_t most_characters) {
  if (value.kind != DatumKind::kReference) return value;
  TN_ASSIGN_OR_RETURN(ObjectPtr object, source_.Load(value.reference));
  if (object->type().brand == "Atom-1.0") {
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> text, Field(object, "text"));
    if (!text || text->kind != DatumKind::kReference) return value;
    TN_ASSIGN_OR_RETURN(object, source_.Load(text->reference));
  }
  if (!ShapeOf(object->type()).is_text) return value;
  TN_ASSIGN_OR_RETURN(const std::optional<StoredText> text, ReadText(object, most_characters));
  if (!text) return value;
  Datum resolved = OfText(Utf8Of(*text));
  resolved.number =
      static_cast<__int128>(text->length) - static_cast<__int128>(text->characters.size());
  resolved.reference = value.reference;
  return resolved;
}

Status ForEachRunOfSet(const Datum& set, const std::function<bool(__int128, __int128)>& visit) {
  const ValueType& index = *set.type->index;
  const uint64_t count =
      index.last < index.first
          ? 0
          : static_cast<uint64_t>(std::min<__int128>(index.last - index.first + 1, set.type->bits));
  bool inside = false;
  uint64_t first = 0;  // of the run that is inside
  for (uint64_t at = 0; at <= count; at += 64) {
    uint64_t word = 0;
    const uint64_t bits = std::min<uint64_t>(64, count - at);
    if (bits != 0) {
      TN_ASSIGN_OR_RETURN(word, set.at->Bits(set.bit_offset + at, bits));
    }
    if (!inside && word == 0 && at + 64 <= count) continue;
    for (uint64_t i = 0; i < 64 && at + i <= count; ++i) {
      const bool there = at + i < count && (word >> i & 1) != 0;
      if (there && !inside) first = at + i;
      if (!there && inside && !visit(index.first + first, index.first + at + i - 1)) {
        return Status::Ok();
      }
      inside = there;
    }
  }
  return Status::Ok();
}

std::string Quoted(std::string_view utf8, uint64_t more) {
  std::string out = "\"";
  for (size_t at = 0; at < utf8.size();) {
    const size_t begin = at;
    const std::optional<uint32_t> code = TakeUtf8(utf8, &at);
    if (!code) ++at;
    char digits[8];
    if (!code || (IsControl(*code) && *code < 256)) {
      // A byte that is not UTF-8 may be a control, too.
      const unsigned octal = code ? *code : static_cast<unsigned char>(utf8[begin]);
      snprintf(digits, sizeof digits, "\\%03o", octal);
    } else if (IsControl(*code)) {
      snprintf(digits, sizeof digits, "\\x%04x", *code);
    }
    switch (code.value_or(0)) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '\f': out += "\\f"; break;
      default:
        if (!code || IsControl(*code)) {
          out += digits;
        } else {
          out += utf8.substr(begin, at - begin);
        }
    }
  }
  out += "\"";
  if (more != 0) out += "... " + std::to_string(more) + " more characters";
  return out;
}

std::string RealText(double number, bool single) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char text[60];
  const double size = std::abs(number);
  // Numbers of usual size without an exponent.
  const bool plain = number == 0 || (size >= 1e-4 && size < (single ? 1e9 : 1e16));
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = single
                       ? std::to_chars(text, text + sizeof text, static_cast<float>(number), format)
                       : std::to_chars(text, text + sizeof text, number, format);
  std::string digits(text, end.ptr);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}

std::optional<std::string> TimeText(double seconds) {
  constexpr double kFirst = -62135596800, kLast = 253402300799;  // the years 1 and 9999
  if (!(seconds >= kFirst && seconds <= kLast)) return std::nullopt;
  const double whole = std::floor(seconds);
  const auto time = static_cast<std::time_t>(whole);
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[40];
  snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d", parts.tm_year + 1900,
           parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
  return std::string(text) + " UTC";
}

bool LooksLikeTime(std::string_view field, const Datum& value) {
  constexpr double kYear1980 = 315532800, kYear2100 = 4102444800;
  if (value.kind != DatumKind::kReal || value.single || !(value.real >= kYear1980) ||
      !(value.real < kYear2100)) {
    return false;
  }
  std::string name(field);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* hint : {"time", "date", "when", "since", "until", "stamp", "created", "changed",
                           "modified", "born", "due", "start", "end", "last", "first"}) {
    if (name.find(hint) != std::string::npos) return true;
  }
  // The clock's time is hardly ever a whole number.
  return name == "at" || name.ends_with("at") || value.real != std::floor(value.real);
}

std::string Values::TextOfReference(const Datum& value, const ShowLimits& limits) {
  const Result<ObjectPtr> object = source_.Load(value.reference);
  if (!object.ok()) return Show(value.reference) + " <" + object.status().text() + ">";
  const StoredType& type = (*object)->type();
  if (ShapeOf(type).is_text || type.brand == "Atom-1.0") {
    const Result<Datum> text = Resolve(value, limits.characters);
    if (!text.ok()) return Show(value.reference) + " <" + text.status().text() + ">";
    if (text->kind == DatumKind::kText) {
      return (limits.places ? Show(value.reference) + " " : "") +
             Quoted(text->text, static_cast<uint64_t>(text->number));
    }
  }
  return Show(value.reference) + " " + type.name;
}

namespace {

// The first characters of a text in UTF-8, counted as Text.Length does; *more becomes the number of
// the others.
std::string_view Beginning(std::string_view utf8, uint64_t most, uint64_t* more) {
  *more = 0;
  if (utf8.size() <= most) return utf8;
  uint64_t characters = 0;
  size_t end = utf8.size();
  for (size_t at = 0; at < utf8.size();) {
    const size_t begin = at;
    const std::optional<uint32_t> code = TakeUtf8(utf8, &at);
    if (!code) ++at;
    characters += code && *code > 0xFFFF ? 2 : 1;
    if (characters <= most) continue;
    end = std::min(end, begin);
    ++*more;
  }
  return utf8.substr(0, end);
}

}  // namespace

std::string Values::TextOfSet(const Datum& value, const ShowLimits& limits) {
  std::string out = "{";
  uint64_t shown = 0, more = 0;
  const ValueType& index = *value.type->index;
  const Status status = ForEachRunOfSet(value, [&](__int128 first, __int128 last) {
    if (shown == limits.elements) {
      more += static_cast<uint64_t>(last - first + 1);
      return true;
    }
    ++shown;
    if (out.size() > 1) out += ", ";
    out += OrdinalText(index, first);
    if (last > first) out += (last == first + 1 ? ", " : "..") + OrdinalText(index, last);
    return true;
  });
  if (!status.ok()) return std::string("<") + status.text() + ">";
  if (more != 0) out += ", ... " + std::to_string(more) + " more";
  return out + "}";
}

std::string Values::TextAt(const Datum& value, const ShowLimits& limits, int depth) {
  switch (value.kind) {
    case DatumKind::kNone: return "NIL";
    case DatumKind::kBoolean: return value.number != 0 ? "TRUE" : "FALSE";
    case DatumKind::kInteger: return OrdinalText(ValueType(), value.number);
    case DatumKind::kReal: return RealText(value.real, value.single);
    case DatumKind::kText: {
      uint64_t more = 0;
      const std::string_view shown = Beginning(value.text, limits.characters, &more);
      return Quoted(shown, static_cast<uint64_t>(value.number) + more);
    }
    case DatumKind::kCharacter:
    case DatumKind::kEnumeration: return OrdinalText(*value.type, value.number);
    case DatumKind::kReference: return TextOfReference(value, limits);
    case DatumKind::kImport: return "import " + std::to_string(static_cast<uint64_t>(value.number));
    case DatumKind::kProcedure: {
      const auto entry = static_cast<uint64_t>(value.number);
      const std::vector<StoredType>& types = source_.types().all();
      if (entry == 0 || entry > types.size() || types[entry - 1].procedure.empty()) {
        return "procedure " + std::to_string(entry);
      }
      const std::string& name = types[entry - 1].procedure;
      return name.substr(0, name.find(' '));
    }
    case DatumKind::kBits: {
      if (value.type != nullptr && value.type->bits > 64)
        return "<" + std::to_string(value.type->bits / 8) + " bytes>";
      return value.type != nullptr && value.type->kind != ValueKind::kUnknown
                 ? "<out of range: " + OrdinalText(ValueType(), value.number) + ">"
                 : OrdinalText(ValueType(), value.number);
    }
    case DatumKind::kSet: return TextOfSet(value, limits);
    case DatumKind::kRecord: {
      if (depth >= limits.depth) return "{...}";
      std::string out;
      for (const ValueField& field : value.type->fields) {
        const Result<Datum> part = Read(value.at, field.type, value.bit_offset + field.bit_offset);
        if (!out.empty()) out += ", ";
        out += field.name + " = " +
               (part.ok() ? TextAt(*part, limits, depth + 1)
                          : std::string("<") + part.status().text() + ">");
      }
      return "{" + out + "}";
    }
    case DatumKind::kArray: {
      if (depth >= limits.depth) return "[...]";
      const ValueType& type = *value.type;
      const uint64_t count = type.count();
      std::string out;
      // Characters in an array are most readable as a text.
      if (type.element->kind == ValueKind::kCharacter && count > 0) {
        StoredText text;
        text.length = count;
        for (uint64_t i = 0; i < count && i < limits.characters; ++i) {
          const Result<Datum> part = Element(value, i);
          if (!part.ok()) return std::string("<") + part.status().text() + ">";
          text.characters += static_cast<char16_t>(part->number);
        }
        // Zeros at the end are not shown, but where that would show nothing of a whole array.
        return Quoted(Utf8Of(text), count - text.characters.size());
      }
      const bool named = type.index->first != 0 || type.index->kind != ValueKind::kInteger;
      for (uint64_t i = 0; i < count; ++i) {
        if (i == limits.elements) {
          out += ", ... " + std::to_string(count - i) + " more";
          break;
        }
        const Result<Datum> part = Element(value, i);
        if (!out.empty()) out += ", ";
        if (named) out += OrdinalText(*type.index, type.index->first + i) + ": ";
        out += part.ok() ? TextAt(*part, limits, depth + 1)
                         : std::string("<") + part.status().text() + ">";
      }
      return "[" + out + "]";
    }
  }
  return "?";
}

std::string Values::Text(const Datum& value, const ShowLimits& limits) {
  return TextAt(value, limits, 0);
}

namespace {

// JSON has neither infinite numbers nor NaN.
Json JsonOfReal(double number, bool single) {
  if (!std::isfinite(number)) return RealText(number, single);
  return std::strtod(RealText(number, single).c_str(), nullptr);
}

Json JsonOfOrdinal(const ValueType& type, __int128 value) {
  if (type.kind == ValueKind::kBoolean) return value != 0;
  if (type.kind == ValueKind::kEnumeration) return OrdinalText(type, value);
  if (type.kind == ValueKind::kCharacter || type.kind == ValueKind::kWideCharacter) {
    return Utf8OfCodes(std::u16string(1, static_cast<char16_t>(value)));
  }
  return JsonOfNumber(value);
}

}  // namespace

Json Values::AsJson(const Datum& value, const ShowLimits& limits) {
  switch (value.kind) {
    case DatumKind::kNone: return nullptr;
    case DatumKind::kBoolean: return value.number != 0;
    case DatumKind::kInteger: return JsonOfOrdinal(ValueType(), value.number);
    case DatumKind::kReal: return JsonOfReal(value.real, value.single);
    case DatumKind::kText: return value.text;
    case DatumKind::kCharacter:
    case DatumKind::kEnumeration: return JsonOfOrdinal(*value.type, value.number);
    case DatumKind::kReference: {
      const Result<Datum> text = Resolve(value, limits.characters);
      if (text.ok() && text->kind == DatumKind::kText) return text->text;
      Json reference = {{"ref", Show(value.reference)}};
      const Result<ObjectPtr> object = source_.Load(value.reference);
      if (object.ok()) {
        reference["type"] = (*object)->type().name;
      } else {
        reference["problem"] = object.status().text();
      }
      return reference;
    }
    case DatumKind::kImport: return {{"import", static_cast<uint64_t>(value.number)}};
    case DatumKind::kProcedure: return {{"procedure", TextAt(value, limits, 0)}};
    case DatumKind::kBits:
      if (value.type != nullptr && value.type->bits > 64) return TextAt(value, limits, 0);
      return JsonOfOrdinal(ValueType(), value.number);
    case DatumKind::kSet: {
      Json list = Json::array();
      const ValueType& index = *value.type->index;
      const Status status = ForEachRunOfSet(value, [&](__int128 first, __int128 last) {
        for (__int128 i = first; i <= last && list.size() < limits.elements; ++i) {
          list.push_back(JsonOfOrdinal(index, i));
        }
        return list.size() < limits.elements;
      });
      if (!status.ok()) return {{"problem", status.text()}};
      return list;
    }
    case DatumKind::kRecord: {
      Json record = Json::object();
      for (const ValueField& field : value.type->fields) {
        const Result<Datum> part = Read(value.at, field.type, value.bit_offset + field.bit_offset);
        record[field.name] =
            part.ok() ? AsJson(*part, limits) : Json({{"problem", part.status().text()}});
      }
      return record;
    }
    case DatumKind::kArray: {
      const uint64_t count = value.type->count();
      Json list = Json::array();
      for (uint64_t i = 0; i < count && i < limits.elements; ++i) {
        const Result<Datum> part = Element(value, i);
        list.push_back(part.ok() ? AsJson(*part, limits)
                                 : Json({{"problem", part.status().text()}}));
      }
      return list;
    }
  }
  return nullptr;
}

}  // namespace tenure::dbtool
