#include "dbtool/values/value_type.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace tenure::dbtool {

namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 32;
constexpr int kMostParts = 10'000;
constexpr int kMostDepth = 200;

uint64_t RoundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// The smallest of 1, 2, 4 and 8 bytes that holds the range.
uint64_t OrdinalBytes(__int128 first, __int128 last) {
  for (const int bits : {8, 16, 32}) {
    const __int128 one = 1;
    const bool fits =
        first >= 0 ? last < one << bits : first >= -(one << (bits - 1)) && last < one << (bits - 1);
    if (fits) return static_cast<uint64_t>(bits / 8);
  }
  return 8;
}

uint64_t PackedWordBytes(uint64_t bits) {
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

bool IsOfBits(const ValueType& type) {
  const auto packed = [](const ValueType& part) { return part.packed && IsOfBits(part); };
  if (type.kind == ValueKind::kArray) return packed(*type.element);
  if (type.kind == ValueKind::kRecord) {
    return std::ranges::all_of(type.fields,
                               [&](const ValueField& field) { return packed(*field.type); });
  }
  return type.ordinal() || type.kind == ValueKind::kSet;
}

// The smallest alignment of the record that keeps a packed field within one word.
uint64_t LeastAlignment(uint64_t offset, uint64_t bits) {
  uint64_t unit = 8;
  while (bits > 0 && unit < 64 && offset / unit != (offset + bits - 1) / unit) unit *= 2;
  return unit / 8;
}

// Places the fields as the compiler does (compiler/types/layout.h).
void LayRecord(ValueType* record) {
  uint64_t bits = 0, alignment = 1;
  for (ValueField& field : record->fields) {
    const ValueType& type = *field.type;
    const uint64_t natural = type.bytes * 8;
    const bool scalar = type.ordinal() || type.kind == ValueKind::kSet;
    const bool directly = type.packed && bits % (type.alignment * 8) != 0 && type.bits > 0 &&
                          bits / 64 == (bits + type.bits - 1) / 64 && IsOfBits(type);
    bool within_word = false;
    if (type.packed && (scalar || directly || type.bits != natural)) {
      if (type.bits > 0 && bits / 64 != (bits + type.bits - 1) / 64) bits = RoundUp(bits, 64);
      within_word = type.bits != natural || bits % (type.alignment * 8) != 0;
    } else {
      bits = RoundUp(bits, type.alignment * 8);
    }
    field.bit_offset = bits;
    alignment = std::max(alignment, within_word ? LeastAlignment(bits, type.bits) : type.alignment);
    bits += type.packed && (scalar || directly || type.bits != natural) ? type.bits : natural;
    bits = std::min(bits, kMostBytes * 8);
  }
  record->alignment = alignment;
  record->bytes = RoundUp((bits + 7) / 8, alignment);
  record->bits = record->bytes * 8;
}

void LayArray(ValueType* array) {
  const ValueType& element = *array->element;
  const uint64_t count = array->count();
  array->element_bits = element.packed ? element.bits : element.bytes * 8;
  const auto total = static_cast<unsigned __int128>(count) * array->element_bits;
  const uint64_t bits = total > kMostBytes * 8 ? kMostBytes * 8 : static_cast<uint64_t>(total);
  if (element.packed && element.bits != element.bytes * 8) {
    array->alignment = PackedWordBytes(bits);
    array->bytes = RoundUp((bits + 7) / 8, array->alignment);
  } else {
    array->alignment = element.alignment;
    array->bytes = bits / 8;
  }
  array->bits = array->bytes * 8;
}

void LaySet(ValueType* set) {
  const __int128 count = std::min<__int128>(set->index->last - set->index->first + 1,
                                            static_cast<__int128>(kMostBytes) * 8);
  set->bytes = 0;
  for (const int bits : {8, 16, 32, 64}) {
    if (count <= bits) {
      set->bytes = set->alignment = static_cast<uint64_t>(bits / 8);
      break;
    }
  }
  if (set->bytes == 0) {
    set->bytes = RoundUp(static_cast<uint64_t>(count), 64) / 8;
    set->alignment = 8;
  }
  set->bits = set->bytes * 8;
}

std::shared_ptr<ValueType> Scalar(ValueKind kind, std::string_view text, uint64_t bytes,
                                  __int128 first = 0, __int128 last = 0) {
  auto type = std::make_shared<ValueType>();
  type->kind = kind;
  type->text = text;
  type->bytes = type->alignment = bytes;
  type->bits = 8 * bytes;
  type->first = first;
  type->last = last;
  return type;
}

ValueTypePtr Builtin(std::string_view name) {
  constexpr __int128 kLast = INT64_MAX;
  if (name == "INTEGER" || name == "LONGINT") {
    return Scalar(ValueKind::kInteger, name, 8, -kLast - 1, kLast);
  }
  if (name == "CARDINAL" || name == "LONGCARD") {
    return Scalar(ValueKind::kInteger, name, 8, 0, kLast);
  }
  if (name == "BOOLEAN") {
    auto type = Scalar(ValueKind::kBoolean, name, 1, 0, 1);
    type->names = {"FALSE", "TRUE"};
    return type;
  }
  if (name == "CHAR") return Scalar(ValueKind::kCharacter, name, 1, 0, 255);
  if (name == "WIDECHAR") return Scalar(ValueKind::kWideCharacter, name, 2, 0, 65535);
  if (name == "REAL") return Scalar(ValueKind::kReal, name, 4);
  if (name == "LONGREAL" || name == "EXTENDED") return Scalar(ValueKind::kLongReal, name, 8);
  if (name == "ADDRESS") {
    auto type = Scalar(ValueKind::kReference, name, 8);
    type->saved = false;
    return type;
  }
  return nullptr;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  ValueTypePtr Run() {
    ValueTypePtr type = ParseType(0);
    SkipBlanks();
    return type != nullptr && at_ == text_.size() ? type : nullptr;
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool Take(std::string_view symbol) {
    SkipBlanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    const size_t end = at_ + symbol.size();
    if (IsNameCharacter(symbol.back()) && end < text_.size() && IsNameCharacter(text_[end])) {
      return false;
    }
    at_ = end;
    return true;
  }

  // A name with its parts behind dots: Main.Colour.Green.
  std::string TakeName() {
    SkipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (IsNameCharacter(text_[at_]) || (text_[at_] == '.' && at_ + 1 < text_.size() &&
                                            IsNameCharacter(text_[at_ + 1]) && at_ > begin))) {
      ++at_;
    }
    return std::string(TextFrom(begin));
  }

  // A type's text may be shortened by "...", which stands for a type, or for the end of a list.
  ValueTypePtr ParseType(int depth) {
    if (depth > kMostDepth || ++parts_ > kMostParts) return nullptr;
    SkipBlanks();
    const size_t begin = at_;
    ValueTypePtr type = ParseBare(depth);
    if (type == nullptr) return nullptr;
    // A type of objects is a supertype followed by these.
    bool of_object = false;
    while (true) {
      if (Take("BRANDED")) {
        if (!TakeBrand()) return nullptr;
      } else if (Take("OBJECT")) {
        if (!ParseFields(depth, nullptr)) return nullptr;
      } else {
        break;
      }
      of_object = true;
    }
    if (!of_object) return type;
    return ReferenceValue(std::string(TextFrom(begin)));
  }

  bool TakeBrand() {
    SkipBlanks();
    if (at_ >= text_.size() || text_[at_] != '"') return false;
    // The brand's own quotes are not marked: the brand ends where a declaration goes on.
    for (size_t end = text_.find('"', at_ + 1); end != std::string_view::npos;
         end = text_.find('"', end + 1)) {
      const std::string_view rest = text_.substr(end + 1);
      if (rest.empty() || rest.starts_with(" REF") || rest.starts_with(" OBJECT") ||
          rest.starts_with(" BRANDED")) {
        at_ = end + 1;
        return true;
      }
    }
    return false;
  }

  // The type's own text: looking for what does not follow has skipped blanks behind it.
  std::string_view TextFrom(size_t begin) const {
    const std::string_view text = text_.substr(begin, at_ - begin);
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

  ValueTypePtr Reference(size_t begin, bool saved) {
    auto type = Scalar(ValueKind::kReference, TextFrom(begin), 8);
    type->saved = saved;
    return type;
  }

  ValueTypePtr ParseBare(int depth) {
    SkipBlanks();
    const size_t begin = at_;
    bool transient = false;
    if (Take("<*TRANSIENT*>")) transient = true;
    if (Take("...")) return UnknownValue("...", 64);
    if (Take("BITS")) return ParsePacked(depth, begin);
    if (Take("ARRAY")) return ParseArray(depth, begin);
    if (Take("RECORD")) {
      auto record = std::make_shared<ValueType>();
      record->kind = ValueKind::kRecord;
      if (!ParseFields(depth, &record->fields)) return nullptr;
      record->text = TextFrom(begin);
      LayRecord(record.get());
      return record;
    }
    if (Take("SET OF")) {
      auto set = std::make_shared<ValueType>();
      set->kind = ValueKind::kSet;
      set->index = ParseType(depth + 1);
      if (set->index == nullptr || !set->index->ordinal()) return nullptr;
      set->text = TextFrom(begin);
      LaySet(set.get());
      return set;
    }
    if (Take("PROCEDURE")) return ParseProcedure(depth, begin);
    bool untraced = Take("UNTRACED");
    if (Take("ROOT")) return Reference(begin, !transient && !untraced);
    if (Take("BRANDED") && !TakeBrand()) return nullptr;
    if (Take("REF")) {
      if (ParseReferent(depth + 1) == nullptr) return nullptr;
      return Reference(begin, !transient && !untraced);
    }
    if (Take("{")) return ParseEnumeration(begin);
    if (Take("[")) return ParseSubrange(begin, nullptr);
    const std::string name = TakeName();
    if (name.empty()) return nullptr;
    if (ValueTypePtr builtin = Builtin(name)) {
      // CHAR [0..31]: bounds that are not characters of ASCII.
      const bool characters =
          builtin->kind == ValueKind::kCharacter || builtin->kind == ValueKind::kWideCharacter;
      return characters && Take("[") ? ParseSubrange(begin, builtin) : builtin;
    }
    auto type = Scalar(ValueKind::kReference, TextFrom(begin), 8);
    type->saved = !transient && !untraced;
    return type;
  }

  ValueTypePtr ParseReferent(int depth) {
    if (Take("ARRAY OF")) return ParseReferent(depth + 1);
    return ParseType(depth);
  }

  ValueTypePtr ParsePacked(int depth, size_t begin) {
    uint64_t bits = 0;
    SkipBlanks();
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), bits);
    if (error != std::errc() || bits > kMostBytes * 8) return nullptr;
    at_ = static_cast<size_t>(end - text_.data());
    if (!Take("FOR")) return nullptr;
    const ValueTypePtr base = ParseType(depth + 1);
    if (base == nullptr) return nullptr;
    auto type = std::make_shared<ValueType>(*base);
    type->text = TextFrom(begin);
    type->packed = true;
    type->bits = bits;
    return type;
  }

  ValueTypePtr ParseArray(int depth, size_t begin) {
    if (Take("OF")) return ParseReferent(depth + 1);  // an open array: only behind REF
    auto array = std::make_shared<ValueType>();
    array->kind = ValueKind::kArray;
    array->index = ParseType(depth + 1);
    if (array->index == nullptr || !array->index->ordinal() || !Take("OF")) return nullptr;
    array->element = ParseType(depth + 1);
    if (array->element == nullptr) return nullptr;
    array->text = TextFrom(begin);
    LayArray(array.get());
    return array;
  }

  // NAME: TYPE; ... END
  bool ParseFields(int depth, std::vector<ValueField>* fields) {
    while (!Take("END")) {
      if (Take("...")) continue;
      ValueField field;
      field.name = TakeName();
      if (field.name.empty() || !Take(":")) return false;
      field.type = ParseType(depth + 1);
      if (field.type == nullptr) return false;
      if (fields != nullptr) fields->push_back(std::move(field));
      (void)Take(";");
    }
    return true;
  }

  ValueTypePtr ParseProcedure(int depth, size_t begin) {
    if (!Take("(")) return nullptr;
    while (!Take(")")) {
      if (at_ >= text_.size() || ++parts_ > kMostParts) return nullptr;
      (void)(Take("VAR") || Take("READONLY"));
      if (Take("...")) continue;
      if (TakeName().empty() || !Take(":") || ParseReferent(depth + 1) == nullptr) return nullptr;
      (void)Take(";");
    }
    if (Take(":") && ParseReferent(depth + 1) == nullptr) return nullptr;
    if (Take("RAISES") && !Take("ANY")) {
      if (!Take("{")) return nullptr;
      const size_t end = text_.find('}', at_);
      if (end == std::string_view::npos) return nullptr;
      at_ = end + 1;
    }
    return Scalar(ValueKind::kProcedure, TextFrom(begin), 8);
  }

  ValueTypePtr ParseEnumeration(size_t begin) {
    auto type = std::make_shared<ValueType>();
    type->kind = ValueKind::kEnumeration;
    bool whole = true;
    while (!Take("}")) {
      if (Take("...")) {
        whole = false;
        continue;
      }
      type->names.push_back(TakeName());
      if (type->names.back().empty() || ++parts_ > 100 * kMostParts) return nullptr;
      (void)Take(",");
    }
    if (!whole) return UnknownValue(std::string(TextFrom(begin)), 8);
    type->first = 0;
    type->last = static_cast<__int128>(type->names.size()) - 1;
    type->bytes = type->alignment = OrdinalBytes(type->first, type->last);
    type->bits = 8 * type->bytes;
    type->text = TextFrom(begin);
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '[' && Take("[")) return ParseSubrange(begin, type);
    return type;
  }

  // Parses from behind the bracket. `of`: the enumeration, or null.
  ValueTypePtr ParseSubrange(size_t begin, const ValueTypePtr& of) {
    ValueKind kind = of != nullptr ? of->kind : ValueKind::kInteger;
    bool known = true;
    const auto bound = [&]() -> std::optional<__int128> {
      if (Take("FIRST(INTEGER)")) return -static_cast<__int128>(INT64_MAX) - 1;
      if (Take("LAST(INTEGER)")) return INT64_MAX;
      SkipBlanks();
      if (at_ + 2 < text_.size() && text_[at_] == '\'' && text_[at_ + 2] == '\'') {
        kind = ValueKind::kCharacter;
        at_ += 3;
        return static_cast<unsigned char>(text_[at_ - 2]);
      }
      long long number = 0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (error == std::errc()) {
        at_ = static_cast<size_t>(end - text_.data());
        if (at_ < text_.size() && text_[at_] == 'L') ++at_;
        return number;
      }
      const std::string name = TakeElement();
      if (name == "BOOLEAN.FALSE" || name == "BOOLEAN.TRUE") {
        kind = ValueKind::kBoolean;
        return name == "BOOLEAN.TRUE" ? 1 : 0;
      }
      known = false;  // an element of an unknown enumeration
      return name.empty() ? std::nullopt : std::optional<__int128>(0);
    };
    const auto first = bound();
    if (!first || !Take("..")) return nullptr;
    const auto last = bound();
    if (!last || !Take("]")) return nullptr;
    const std::string text(TextFrom(begin));
    if (!known) return UnknownValue(text, 8);
    auto type = std::make_shared<ValueType>();
    type->kind = kind;
    type->text = text;
    type->first = *first;
    type->last = *last;
    if (of != nullptr) type->names = of->names;
    if (kind == ValueKind::kBoolean) type->names = {"FALSE", "TRUE"};
    type->bytes = type->alignment = OrdinalBytes(*first, *last);
    type->bits = 8 * type->bytes;
    return type;
  }

  // As TakeName, but ends before "..".
  std::string TakeElement() {
    SkipBlanks();
    const size_t begin = at_;
    while (at_ < text_.size() && (IsNameCharacter(text_[at_]) ||
                                  (text_[at_] == '.' && !text_.substr(at_).starts_with("..")))) {
      ++at_;
    }
    return std::string(TextFrom(begin));
  }

  std::string_view text_;
  size_t at_ = 0;
  int parts_ = 0;
};

}  // namespace

uint64_t ValueType::count() const {
  if (index == nullptr || index->last < index->first) return 0;
  const __int128 count = index->last - index->first + 1;
  return count > static_cast<__int128>(kMostBytes) * 8 ? kMostBytes * 8
                                                       : static_cast<uint64_t>(count);
}

ValueTypePtr ParseValueType(std::string_view text) { return Parser(text).Run(); }

ValueTypePtr UnknownValue(std::string text, uint64_t bits) {
  auto type = std::make_shared<ValueType>();
  type->text = std::move(text);
  type->bits = bits;
  type->bytes = (bits + 7) / 8;
  return type;
}

ValueTypePtr ArrayOf(uint64_t count, ValueTypePtr element) {
  auto index = std::make_shared<ValueType>();
  index->kind = ValueKind::kInteger;
  index->last = static_cast<__int128>(count) - 1;
  auto array = std::make_shared<ValueType>();
  array->kind = ValueKind::kArray;
  array->text = "ARRAY OF " + element->text;
  array->index = std::move(index);
  array->element = std::move(element);
  LayArray(array.get());
  return array;
}

ValueTypePtr ReferenceValue(std::string text) { return Scalar(ValueKind::kReference, text, 8); }

std::string OrdinalText(const ValueType& type, __int128 value) {
  const auto number = [&] {
    return value < 0 ? std::to_string(static_cast<int64_t>(value))
                     : std::to_string(static_cast<uint64_t>(value));
  };
  if (!type.names.empty()) {
    return value >= 0 && value < static_cast<__int128>(type.names.size())
               ? type.names[static_cast<size_t>(value)]
               : "?" + number();
  }
  if (type.kind != ValueKind::kCharacter && type.kind != ValueKind::kWideCharacter) return number();
  const auto code = static_cast<uint32_t>(value);
  const std::string quote = type.kind == ValueKind::kWideCharacter ? "W'" : "'";
  switch (code) {
    case '\n': return quote + "\\n'";
    case '\t': return quote + "\\t'";
    case '\r': return quote + "\\r'";
    case '\f': return quote + "\\f'";
    case '\'': return quote + "\\''";
    case '\\': return quote + "\\\\'";
    default: break;
  }
  if (code >= 32 && code < 127) return quote + static_cast<char>(code) + "'";
  constexpr char kDigits[] = "0123456789abcdef";
  std::string digits;
  if (type.kind == ValueKind::kCharacter) {
    for (const int shift : {6, 3, 0}) digits += kDigits[code >> shift & 7];
    return quote + "\\" + digits + "'";
  }
  for (const int shift : {12, 8, 4, 0}) digits += kDigits[code >> shift & 15];
  return quote + "\\x" + digits + "'";
}

}  // namespace tenure::dbtool
