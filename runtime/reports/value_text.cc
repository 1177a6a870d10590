#include "runtime/reports/value_text.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"

namespace tenure::runtime {
namespace {

using abi::ValueDescriptor;
using abi::ValueKind;

constexpr size_t kMostCharacters = 200;  // of one text
constexpr uint32_t kMostElements = 8;    // of one array or set
constexpr int kDeepest = 4;              // records within records

// The nth of the names that commas separate; empty if there are fewer.
std::string_view NameAt(const char* names, uint64_t n) {
  if (names == nullptr) return {};
  std::string_view rest = names;
  for (; n > 0; --n) {
    const size_t comma = rest.find(',');
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
  return rest.substr(0, rest.find(','));
}

// A character within quotes `quote`.
std::string Escaped(uint32_t character, char quote) {
  switch (character) {
    case '\n': return "\\n";
    case '\t': return "\\t";
    case '\r': return "\\r";
    case '\f': return "\\f";
    case '\\': return "\\\\";
    default: break;
  }
  if (character == static_cast<unsigned char>(quote)) return std::string("\\") + quote;
  char text[16];
  // One character of Latin-1 is not a text for a terminal that reads UTF-8.
  const uint32_t last_control = quote == '\'' ? 0xff : 0x9f;
  if (character < ' ' || (character >= 0x7f && character <= last_control)) {
    std::snprintf(text, sizeof text, "\\%03o", character);
    return text;
  }
  if (character > 0xff) {
    std::snprintf(text, sizeof text, "\\x%04x", character);
    return text;
  }
  return std::string(1, static_cast<char>(character));
}

std::string Quoted(std::string_view characters) {
  std::string text = "\"";
  for (const char c : characters) text += Escaped(static_cast<unsigned char>(c), '"');
  return text + "\"";
}

std::string QuotedText(abi::Ref text) {
  if (text == nullptr) return "NIL";
  const std::string characters = CopyOfText(text, kMostCharacters + 1);
  if (characters.size() <= kMostCharacters) return Quoted(characters);
  return Quoted(std::string_view(characters).substr(0, kMostCharacters)) + "...";
}

bool IsText(const abi::TypeDescriptor& type) {
  const abi::TypeDescriptor* const text8 = Runtime::Get().program().text8_type;
  return text8 != nullptr && text8->supertype != nullptr && abi::IsSubtype(type, *text8->supertype);
}

template <typename Float>
std::string FloatText(Float value) {
  char text[64];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

std::string AddressText(uint64_t address) {
  if (address == 0) return "NIL";
  char text[32];
  std::snprintf(text, sizeof text, "0x%lx", static_cast<unsigned long>(address));
  return text;
}

abi::Ref FieldOf(abi::Ref object, size_t index) {
  abi::Ref field;
  std::memcpy(&field, static_cast<const char*>(object) + index * sizeof field, sizeof field);
  return field;
}

// An atom's text is its first field (stdlib/text/Atom.m3).
std::string TextOfAtom(abi::Ref atom) {
  const abi::Ref text = FieldOf(atom, 0);
  return text == nullptr ? std::string() : CopyOfText(text);
}

bool IsNamed(abi::Ref object, std::string_view name) {
  return abi::ObjectHeader::Of(object)->type()->name == name;
}

// The atoms of a list, head and tail (stdlib/data/List.ig). A system error has its number for
// programs, then the system's text, then the subject of the call, such as a file's name.
std::string TextOfList(abi::Ref list) {
  constexpr int kAtomsMost = 16;
  std::string text, number;
  int behind_number = -1;  // atoms since the number; -1: no number yet
  for (int i = 0; list != nullptr && i < kAtomsMost; ++i, list = FieldOf(list, 1)) {
    const abi::Ref atom = FieldOf(list, 0);
    if (atom == nullptr) continue;
    std::string part = TextOfAtom(atom);
    if (behind_number < 0 && part.starts_with("errno=")) {
      number = std::move(part);
      behind_number = 0;
      continue;
    }
    if (behind_number >= 0) ++behind_number;
    if (behind_number > 1) part = Quoted(part);
    if (!text.empty()) text += ": ";
    text += part;
  }
  if (text.empty()) return number;
  return number.empty() ? text : text + " (" + number + ")";
}

std::string ReferenceText(abi::Ref object) {
  if (object == nullptr) return "NIL";
  if (IsText(*abi::ObjectHeader::Of(object)->type())) return QuotedText(object);
  if (IsNamed(object, "Atom.T")) return Quoted(TextOfAtom(object));
  if (IsNamed(object, "AtomList.T")) return TextOfList(object);
  return "<" + TypeNameOf(object) + ">";
}

// The bits [offset, offset + bits) from `base` on, at most 64.
uint64_t BitsAt(const void* base, uint64_t offset, uint32_t bits) {
  const auto* bytes = static_cast<const unsigned char*>(base) + offset / 8;
  const unsigned shift = static_cast<unsigned>(offset % 8);
  const uint32_t count = (shift + bits + 7) / 8;
  unsigned __int128 word = 0;
  for (uint32_t i = 0; i < count; ++i) word |= static_cast<unsigned __int128>(bytes[i]) << (8 * i);
  const auto value = static_cast<uint64_t>(word >> shift);
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

bool IsOrdinal(ValueKind kind) {
  return kind == ValueKind::kInteger || kind == ValueKind::kCharacter ||
         kind == ValueKind::kEnumeration;
}

std::string TextAt(const ValueDescriptor& type, const void* base, uint64_t offset, int depth);

std::string SetText(const ValueDescriptor& type, const void* base, uint64_t offset) {
  std::string text = "{";
  uint32_t shown = 0;
  const auto count = static_cast<uint64_t>(type.last) - static_cast<uint64_t>(type.first) + 1;
  for (uint64_t i = 0; i < count; ++i) {
    if (BitsAt(base, offset + i, 1) == 0) continue;
    if (shown != 0) text += ", ";
    if (shown++ == kMostElements) return text + "...}";
    text += OrdinalText(*type.parts[0], type.first + static_cast<int64_t>(i));
  }
  return text + "}";
}

std::string RecordText(const ValueDescriptor& type, const void* base, uint64_t offset, int depth) {
  std::string text = "{";
  for (uint32_t i = 0; i < type.part_count; ++i) {
    if (i > 0) text += ", ";
    text += std::string(NameAt(type.names, i)) + " = " +
            TextAt(*type.parts[i], base, offset + type.bit_offsets[i], depth + 1);
  }
  return text + "}";
}

std::string ArrayText(const ValueDescriptor& type, const void* base, uint64_t offset, int depth) {
  std::string text = "{";
  const auto count = static_cast<uint64_t>(type.last) - static_cast<uint64_t>(type.first) + 1;
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (i == kMostElements) return text + "...}";
    text += TextAt(*type.parts[0], base, offset + i * type.element_bits, depth + 1);
  }
  return text + "}";
}

std::string ScalarText(const ValueDescriptor& type, uint64_t value) {
  switch (type.kind) {
    case ValueKind::kReference: return ReferenceText(reinterpret_cast<abi::Ref>(value));
    case ValueKind::kText: return QuotedText(reinterpret_cast<abi::Ref>(value));
    case ValueKind::kAddress: return AddressText(value);
    case ValueKind::kProcedure: {
      if (value == 0) return "NIL";
      const abi::ProgramInfo& program = Runtime::Get().program();
      for (uint32_t u = 0; u < program.unit_count; ++u) {
        const abi::UnitInfo& unit = *program.units[u];
        for (uint32_t p = 0; p < unit.procedure_count; ++p) {
          if (unit.procedures[p].code == reinterpret_cast<const void*>(value)) {
            return unit.procedures[p].name;
          }
        }
      }
      return "<procedure>";
    }
    default: return OrdinalText(type, static_cast<int64_t>(value));
  }
}

std::string TextAt(const ValueDescriptor& type, const void* base, uint64_t offset, int depth) {
  if (depth > kDeepest) return "...";
  switch (type.kind) {
    case ValueKind::kReal: {
      const auto bits = static_cast<uint32_t>(BitsAt(base, offset, 32));
      float value;
      std::memcpy(&value, &bits, sizeof value);
      return FloatText(value);
    }
    case ValueKind::kLongreal: {
      const uint64_t bits = BitsAt(base, offset, 64);
      double value;
      std::memcpy(&value, &bits, sizeof value);
      return FloatText(value);
    }
    case ValueKind::kSet: return SetText(type, base, offset);
    case ValueKind::kRecord: return RecordText(type, base, offset, depth);
    case ValueKind::kArray: return ArrayText(type, base, offset, depth);
    default: break;
  }
  uint64_t value = BitsAt(base, offset, type.bits);
  if (IsOrdinal(type.kind) && type.first < 0 && type.bits < 64) {
    const unsigned unused = 64 - type.bits;
    value = static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  }
  return ScalarText(type, value);
}

}  // namespace

std::string OrdinalText(const ValueDescriptor& type, int64_t value) {
  const bool is_wide = type.last > 0xff;
  if (value >= 0 && type.kind == ValueKind::kCharacter && value <= (is_wide ? 0x10ffff : 0xff)) {
    return "'" + Escaped(static_cast<uint32_t>(value), '\'') + "'";
  }
  if (value >= 0 && type.kind == ValueKind::kEnumeration) {
    const std::string_view name = NameAt(type.names, static_cast<uint64_t>(value));
    if (!name.empty()) return std::string(name);
  }
  return std::to_string(value);
}

std::string BoundsText(const ValueDescriptor& type) {
  std::string text =
      "[" + OrdinalText(type, type.first) + ".." + OrdinalText(type, type.last) + "]";
  const bool is_cardinal =
      type.kind == ValueKind::kInteger && type.first == 0 && type.last == INT64_MAX;
  return is_cardinal ? "CARDINAL, " + text : text;
}

std::string ValueText(const ValueDescriptor& type, const void* value) {
  return TextAt(type, value, 0, 0);
}

std::string AssertedValueText(const ValueDescriptor& type, uint64_t value) {
  switch (type.kind) {
    case ValueKind::kReal: {
      double wide;
      std::memcpy(&wide, &value, sizeof wide);
      return FloatText(static_cast<float>(wide));
    }
    case ValueKind::kRecord:
    case ValueKind::kArray: return ValueText(type, reinterpret_cast<const void*>(value));
    case ValueKind::kSet:
      return type.bits > 64 ? ValueText(type, reinterpret_cast<const void*>(value))
                            : ValueText(type, &value);
    case ValueKind::kLongreal: return ValueText(type, &value);
    default: return ScalarText(type, value);
  }
}

std::string TypeNameOf(abi::Ref object) {
  if (object == nullptr) return "NIL";
  const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(object)->type();
  // The classes of texts are the library's own affair.
  return IsText(type) ? "TEXT" : type.name;
}

std::string TextOfAtoms(abi::Ref object) {
  if (object == nullptr) return {};
  if (IsNamed(object, "Atom.T")) return TextOfAtom(object);
  if (IsNamed(object, "AtomList.T")) return TextOfList(object);
  return {};
}

}  // namespace tenure::runtime
