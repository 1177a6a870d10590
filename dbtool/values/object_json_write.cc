// Objects as JSON are written part by part: an object may take most of the memory itself.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hex.h"
#include "dbtool/values/object_json.h"
#include "dbtool/values/object_json_parts.h"
#include "dbtool/values/texts.h"
#include "dbtool/values/value.h"

namespace tenure::dbtool {

using store::PersistentRef;
using store::RefKind;

namespace {

using Beside = std::function<void(PersistentRef, Json*)>;

// Bytes of a text, or of digits, that are written together.
constexpr size_t kPiece = 64 << 10;

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
    uint64_t word = BitsAt(payload, bit_offset + at, std::min<uint64_t>(64, count - at));
    while (word != 0) {
      visit(at + static_cast<uint64_t>(std::countr_zero(word)));
      word &= word - 1;
    }
  }
}

// A value that is neither a set, an array nor a record, in the payload at bit `at`.
Json JsonOf(std::span<const std::byte> payload, uint64_t at, const ValueType& type,
            const Beside& beside) {
  switch (type.kind) {
    case ValueKind::kReference:
    case ValueKind::kProcedure:
      return JsonOfReference(PersistentRef{BitsAt(payload, at, 64)}, beside);
    case ValueKind::kReal: {
      const uint64_t bits = BitsAt(payload, at, 32);
      return JsonOfReal(std::bit_cast<float>(static_cast<uint32_t>(bits)), true, bits);
    }
    case ValueKind::kLongReal: {
      const uint64_t bits = BitsAt(payload, at, 64);
      return JsonOfReal(std::bit_cast<double>(bits), false, bits);
    }
    case ValueKind::kUnknown: {
      if (type.bits <= 64) return Raw(BitsAt(payload, at, type.bits));
      const uint64_t first = at / 8, last = (at + type.bits + 7) / 8;
      if (last > payload.size()) return nullptr;
      return {{"hex", HexOf(payload.subspan(first, last - first))}};
    }
    default: {
      const uint64_t bits = BitsAt(payload, at, type.bits);
      return JsonOfOrdinal(type, Extended(type, bits), bits);
    }
  }
}

void Write(std::string_view text, FILE* to) { fwrite(text.data(), 1, text.size(), to); }

void WriteHex(std::span<const std::byte> bytes, FILE* to) {
  Write("\"", to);
  for (size_t at = 0; at < bytes.size(); at += kPiece) {
    Write(HexOf(bytes.subspan(at, std::min(kPiece, bytes.size() - at))), to);
  }
  Write("\"", to);
}

// The texts of values of one type of 16 bits or fewer: an array may have a hundred million of them.
class KnownTexts {
 public:
  const std::string& Of(const ValueType& type, uint64_t bits, const std::function<Json()>& json) {
    std::vector<std::string>& texts = texts_[&type];
    if (texts.empty()) texts.resize(size_t{1} << type.bits);
    std::string& text = texts[bits];
    if (text.empty()) text = LineOf(json());
    return text;
  }

 private:
  std::unordered_map<const ValueType*, std::vector<std::string>> texts_;
};

class ValueWriter {
 public:
  ValueWriter(std::span<const std::byte> payload, const Beside& beside, FILE* to)
      : payload_(payload), beside_(beside), to_(to) {}

  void Put(uint64_t at, const ValueType& type) {
    switch (type.kind) {
      case ValueKind::kSet: return PutSet(at, type);
      case ValueKind::kRecord: {
        const char* before = "{";
        for (const ValueField& field : type.fields) {
          Write(std::exchange(before, ","), to_);
          Write(LineOf(Json(field.name)) + ":", to_);
          Put(at + field.bit_offset, *field.type);
        }
        return Write(type.fields.empty() ? "{}" : "}", to_);
      }
      case ValueKind::kArray: {
        const uint64_t count = type.count();
        Write("[", to_);
        for (uint64_t i = 0; i < count; ++i) {
          if (i != 0) Write(",", to_);
          Put(at + i * type.element_bits, *type.element);
        }
        return Write("]", to_);
      }
      case ValueKind::kUnknown: {
        const uint64_t first = at / 8, last = (at + type.bits + 7) / 8;
        if (type.bits <= 64 || last > payload_.size()) break;
        Write("{\"hex\":", to_);
        WriteHex(payload_.subspan(first, last - first), to_);
        return Write("}", to_);
      }
      default: break;
    }
    const auto json = [&] { return JsonOf(payload_, at, type, beside_); };
    if (type.ordinal() && type.bits <= 16) {
      return Write(texts_.Of(type, BitsAt(payload_, at, type.bits), json), to_);
    }
    Write(LineOf(json()), to_);
  }

 private:
  void PutSet(uint64_t at, const ValueType& set) {
    Write("[", to_);
    bool any = false;
    ForEachElement(payload_, at, set, [&](uint64_t element) {
      const __int128 value = set.index->first + element;
      if (std::exchange(any, true)) Write(",", to_);
      Write(LineOf(JsonOfOrdinal(*set.index, value, static_cast<uint64_t>(value))), to_);
    });
    Write("]", to_);
  }

  const std::span<const std::byte> payload_;
  const Beside& beside_;
  FILE* const to_;
  KnownTexts texts_;
};

// The kind of the slot at the offset in an object of `bytes` bytes; nothing: there is none.
std::optional<StoredSlot> SlotAt(const StoredType& type, uint64_t bytes, uint64_t offset) {
  const auto in = [&](const std::vector<SlotRun>& runs, uint64_t at) -> std::optional<StoredSlot> {
    for (const SlotRun& run : runs) {
      if (at < run.offset) continue;
      const uint64_t from = at - run.offset;
      const bool is_slot = run.stride == 0
                               ? from == 0 && run.count > 0
                               : from % run.stride == 0 && from / run.stride < run.count;
      if (is_slot) return run.kind;
    }
    return std::nullopt;
  };
  if (offset + 8 > bytes) return std::nullopt;
  if (const auto found = in(type.slots, offset)) return found;
  if (!type.open() || offset < type.elements_at() || type.element_bytes == 0) return std::nullopt;
  return in(type.element_slots, (offset - type.elements_at()) % type.element_bytes);
}

// Whether an object's members in JSON determine all bits of its payload except its slots. Take gets
// the values in the order of their places.
class BitCheck {
 public:
  BitCheck(const StoredObject& object) : type_(*object.type), payload_(object.payload) {}

  void Take(uint64_t at, const ValueType& type) {
    if (!good_) return;
    switch (type.kind) {
      case ValueKind::kSet: {
        TakeAny(at, std::min(type.bits, ElementsOf(type)));
        if (type.index->kind != ValueKind::kWideCharacter) return;
        ForEachElement(payload_, at, type, [&](uint64_t element) {
          const __int128 code = type.index->first + element;
          good_ = good_ && (code < 0xD800 || code >= 0xE000);  // UTF-8 has none of these
        });
        return;
      }
      case ValueKind::kRecord: {
        std::vector<const ValueField*> fields;
        for (const ValueField& field : type.fields) fields.push_back(&field);
        std::ranges::stable_sort(fields, {}, &ValueField::bit_offset);
        for (const ValueField* field : fields) Take(at + field->bit_offset, *field->type);
        return;
      }
      case ValueKind::kArray: {
        const uint64_t count = type.count();
        for (uint64_t i = 0; i < count && good_; ++i) {
          Take(at + i * type.element_bits, *type.element);
        }
        return;
      }
      case ValueKind::kUnknown:
        if (type.bits > 64) {
          good_ = good_ && at % 8 == 0;  // Whole bytes are written.
          return TakeAny(at, (type.bits + 7) / 8 * 8);
        }
        break;
      default: break;
    }
    TakeAny(at, type.bits);
    good_ = good_ && ComesBack(at, type);
  }

  // Bits that are given back, whatever they are.
  void TakeAny(uint64_t at, uint64_t bits) {
    SkipTo(at);
    next_ = std::max(next_, at + bits);
  }

  // All values have been taken. Bits behind bit `end` are arbitrary.
  bool Good(uint64_t end) {
    if (end > next_) SkipTo(end);
    return good_;
  }

 private:
  static uint64_t ElementsOf(const ValueType& set) {
    return set.index->last < set.index->first
               ? 0
               : static_cast<uint64_t>(set.index->last - set.index->first + 1);
  }

  // The bits before `at` that no value has must be zero.
  void SkipTo(uint64_t at) {
    if (at < next_) good_ = false;  // Values overlap: they are not what the type's text says.
    while (next_ < at && good_) {
      const uint64_t word = next_ / 64, end = std::min(at, 64 * (word + 1));
      const bool zero = BitsAt(payload_, next_, end - next_) == 0;
      good_ = zero || SlotAt(type_, payload_.size(), 8 * word).has_value();
      next_ = end;
    }
  }

  bool ComesBack(uint64_t at, const ValueType& type) {
    const uint64_t bits = BitsAt(payload_, at, type.bits);
    if (type.ordinal() && type.bits <= 16) {
      std::vector<uint8_t>& known = known_[&type];
      if (known.empty()) known.resize(size_t{1} << type.bits);
      if (known[bits] == 0) known[bits] = IsTakenBack(at, type, bits) ? 1 : 2;
      return known[bits] == 1;
    }
    return IsTakenBack(at, type, bits);
  }

  bool IsTakenBack(uint64_t at, const ValueType& type, uint64_t bits) {
    const uint64_t place = at % 8;
    again_.data.assign(16, std::byte{0});
    again_.slots.clear();
    if (!TakeValue(JsonOf(payload_, at, type, {}), type, place, &again_).empty()) return false;
    if (type.kind != ValueKind::kReference && type.kind != ValueKind::kProcedure) {
      return BitsAt(again_.data, place, type.bits) == bits;
    }
    if (bits == 0) return true;
    if (at % 8 != 0 || again_.slots.size() != 1 || again_.slots[0].target.bits != bits)
      return false;
    return SlotAt(type_, payload_.size(), at / 8) ==
           (type.kind == ValueKind::kProcedure ? StoredSlot::kProcedure : StoredSlot::kReference);
  }

  const StoredType& type_;
  const std::span<const std::byte> payload_;
  uint64_t next_ = 0;  // behind the last value
  bool good_ = true;
  JsonObject again_;
  std::unordered_map<const ValueType*, std::vector<uint8_t>> known_;  // 1: yes, 2: no
};

// The text without its quotes.
void WritePiece(std::string piece, FILE* to) {
  const std::string quoted = LineOf(Json(std::move(piece)));
  Write(std::string_view(quoted).substr(1, quoted.size() - 2), to);
}

// Characters as a text, if they come back from it.
void WriteCharacters(std::span<const std::byte> payload, const StoredType& type, uint64_t count,
                     FILE* to) {
  const auto code = [&](uint64_t i) {
    return static_cast<char16_t>(
        BitsAt(payload, 8 * (type.elements_at() + i * type.element_bytes), 8 * type.element_bytes));
  };
  const bool narrow = type.element_bytes == 1;
  const auto is_high = [](char16_t c) { return c >= 0xD800 && c < 0xDC00; };
  const auto is_low = [](char16_t c) { return c >= 0xDC00 && c < 0xE000; };
  if (narrow) {
    const std::string_view bytes(reinterpret_cast<const char*>(payload.data()) + type.elements_at(),
                                 count);
    const bool beyond = std::ranges::any_of(bytes, [](char c) { return (c & 0x80) != 0; });
    if (beyond && IsUtf8(bytes)) {
      Write(",\"text\":\"", to);
      for (size_t at = 0; at < bytes.size();) {
        size_t end = std::min(at + kPiece, bytes.size());
        while (end < bytes.size() && (bytes[end] & 0xC0) == 0x80) ++end;
        WritePiece(std::string(bytes.substr(at, end - at)), to);
        at = end;
      }
      return Write("\",\"stored_as\":\"UTF-8\"", to);
    }
  } else {
    bool alone = false;  // halves of surrogate pairs
    for (uint64_t i = 0; i < count && !alone; ++i) {
      if (is_high(code(i)) && i + 1 < count && is_low(code(i + 1))) {
        ++i;
      } else {
        alone = is_high(code(i)) || is_low(code(i));
      }
    }
    if (alone) {
      Write(",\"codes\":[", to);
      for (uint64_t i = 0; i < count; ++i) {
        Write((i == 0 ? "" : ",") + std::to_string(static_cast<unsigned>(code(i))), to);
      }
      return Write("]", to);
    }
  }
  Write(",\"text\":\"", to);
  std::u16string piece;
  for (uint64_t i = 0; i < count; ++i) {
    piece += code(i);
    if (piece.size() < kPiece || is_high(piece.back())) continue;
    WritePiece(Utf8OfCodes(piece), to);
    piece.clear();
  }
  WritePiece(Utf8OfCodes(piece), to);
  Write("\"", to);
}

void WriteFields(const ObjectShape& shape, ValueWriter& values, FILE* to) {
  if (shape.fields.size() == 1 && shape.fields[0].name.empty()) {
    Write(",\"value\":", to);
    return values.Put(shape.fields[0].bit_offset, *shape.fields[0].type);
  }
  Write(",\"fields\":{", to);
  for (size_t i = 0; i < shape.fields.size(); ++i) {
    Write((i == 0 ? "" : ",") + LineOf(Json(shape.fields[i].member)) + ":", to);
    values.Put(shape.fields[i].bit_offset, *shape.fields[i].type);
  }
  Write("}", to);
}

// "data": all bits but those of slots, and arbitrary ones behind the last value.
void WriteData(const StoredObject& object, uint64_t used, FILE* to) {
  Write(",\"data\":\"", to);
  for (uint64_t at = 0; at < object.payload.size(); at += kPiece) {
    const auto part =
        object.payload.subspan(at, std::min<uint64_t>(kPiece, object.payload.size() - at));
    std::vector<std::byte> bytes(part.begin(), part.end());
    for (size_t word = 0; word + 8 <= bytes.size(); word += 8) {
      if (SlotAt(*object.type, object.payload.size(), at + word)) {
        std::memset(bytes.data() + word, 0, 8);
      }
    }
    for (uint64_t i = std::max(used, at); i < at + bytes.size(); ++i) bytes[i - at] = std::byte{0};
    Write(HexOf(bytes), to);
  }
  Write("\"", to);
}

}  // namespace

void WriteObject(const StoredObject& object, const ObjectShape& shape, const Beside& beside,
                 FILE* to) {
  const StoredType& type = *object.type;
  ValueWriter values(object.payload, beside, to);
  BitCheck check(object);
  std::vector<const ShapeField*> fields;
  for (const ShapeField& field : shape.fields) fields.push_back(&field);
  std::ranges::stable_sort(fields, {}, &ShapeField::bit_offset);
  uint64_t used = type.payload_bytes;
  if (!type.open()) {
    WriteFields(shape, values, to);
    for (const ShapeField* field : fields) check.Take(field->bit_offset, *field->type);
  } else {
    std::vector<uint64_t> lengths;
    uint64_t elements = 1;
    for (uint64_t i = 0; i < type.open_dimensions; ++i) {
      lengths.push_back(LengthIn(object.payload, type, i));
      elements *= lengths.back();
    }
    used = type.elements_at() + elements * type.element_bytes;
    if (type.payload_bytes != 0) {
      for (const ShapeField* field : fields) check.Take(field->bit_offset, *field->type);
    }
    check.TakeAny(8 * type.payload_bytes, 64 * type.open_dimensions);
    const bool text = shape.text != FlatText::kNone;
    const uint64_t elements_at = 8 * type.elements_at();
    // The zero behind a text's characters is not one of them.
    const bool ends =
        text && lengths[0] > 0 &&
        BitsAt(object.payload, elements_at + 8 * (lengths[0] - 1) * type.element_bytes,
               8 * type.element_bytes) == 0;
    if (ends || (!text && HasCharacters(type, shape))) {
      WriteCharacters(object.payload, type, ends ? lengths[0] - 1 : lengths[0], to);
      check.TakeAny(elements_at, 8 * elements * type.element_bytes);
    } else if (shape.element != nullptr && !text) {
      if (lengths.size() > 1) Write(",\"lengths\":" + LineOf(Json(lengths)), to);
      const ValueTypePtr whole = WholeArray(shape, lengths);
      Write(",\"elements\":", to);
      values.Put(elements_at, *whole);
      check.Take(elements_at, *whole);
    } else {
      Write(",\"lengths\":" + LineOf(Json(lengths)), to);
    }
    if (type.payload_bytes != 0) WriteFields(shape, values, to);
  }
  if (!check.Good(8 * used)) WriteData(object, used, to);
}

}  // namespace tenure::dbtool
