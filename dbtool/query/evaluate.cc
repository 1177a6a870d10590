#include "dbtool/query/evaluate.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

bool IsNumber(const Datum& value) {
  return value.kind == DatumKind::kInteger || value.kind == DatumKind::kReal ||
         value.kind == DatumKind::kBits;
}

double RealOf(const Datum& value) {
  return value.kind == DatumKind::kReal ? value.real : static_cast<double>(value.number);
}

bool IsInt64(__int128 number) { return number >= INT64_MIN && number <= INT64_MAX; }

Datum Arithmetic(const std::string& op, const Datum& a, const Datum& b) {
  if (!IsNumber(a) || !IsNumber(b)) return Datum();
  const bool real = a.kind == DatumKind::kReal || b.kind == DatumKind::kReal;
  if (op == "/" || (real && op != "div" && op != "mod")) {
    const double x = RealOf(a), y = RealOf(b);
    if (op == "+") return OfReal(x + y);
    if (op == "-") return OfReal(x - y);
    if (op == "*") return OfReal(x * y);
    return y == 0 ? Datum() : OfReal(x / y);
  }
  if (real) {
    const double x = RealOf(a), y = RealOf(b);
    if (y == 0) return Datum();
    return op == "div" ? OfReal(std::floor(x / y)) : OfReal(x - y * std::floor(x / y));
  }
  const __int128 x = a.number, y = b.number;
  __int128 result = 0;
  if (op == "+") result = x + y;
  if (op == "-") result = x - y;
  if (op == "*") result = x * y;
  if (op == "div" || op == "mod") {
    if (y == 0) return Datum();
    // DIV rounds down, and MOD has the sign of the divisor.
    __int128 quotient = x / y;
    if (x % y != 0 && (x < 0) != (y < 0)) --quotient;
    result = op == "div" ? quotient : x - y * quotient;
  }
  return IsInt64(result) ? OfNumber(result) : OfReal(static_cast<double>(result));
}

// SQL's patterns: % any characters, _ one, without regard to the case of ASCII letters.
bool Like(std::string_view text, std::string_view pattern) {
  const auto next = [](std::string_view s) {
    size_t bytes = 1;
    while (bytes < s.size() && (static_cast<unsigned char>(s[bytes]) & 0xC0) == 0x80) ++bytes;
    return bytes;
  };
  size_t t = 0, p = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '%') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == '_') {
      ++p;
      t += next(text.substr(t));
    } else if (p < pattern.size() && std::tolower(static_cast<unsigned char>(pattern[p])) ==
                                         std::tolower(static_cast<unsigned char>(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = mark += next(text.substr(mark));
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '%') ++p;
  return p == pattern.size();
}

std::string MapAscii(std::string text, int (*map)(int)) {
  std::ranges::transform(text, text.begin(), [&](char c) {
    return static_cast<signed char>(c) < 0 ? c : static_cast<char>(map(c));
  });
  return text;
}

// The characters of a text, or the character. Nothing: neither, or half of a surrogate pair.
std::optional<std::string> TextIn(const Datum& value) {
  if (value.kind == DatumKind::kText) return value.text;
  if (value.kind != DatumKind::kCharacter || (value.number >= 0xD800 && value.number < 0xE000)) {
    return std::nullopt;
  }
  return Utf8OfCodes(std::u16string(1, static_cast<char16_t>(value.number)));
}

bool Same(Values& values, const Datum& a, const Datum& b) {
  if (a.none() || b.none()) return a.none() && b.none();
  if (const std::optional<int> order = CompareData(a, b)) return *order == 0;
  return a.kind == b.kind && !IsNumber(a) && KeyOf(values, a) == KeyOf(values, b);
}

// NIL and NaN are equal to themselves at most, and have no order.
bool Holds(Values& values, const std::string& op, const Datum& a, const Datum& b) {
  if (op == "=") return Same(values, a, b);
  if (op == "#") return !Same(values, a, b);
  if (a.none() || b.none()) return false;
  const std::optional<int> order = CompareData(a, b);
  if (!order) return false;
  if (op == "<") return *order < 0;
  if (op == "<=") return *order <= 0;
  if (op == ">") return *order > 0;
  return *order >= 0;
}

Status NotThere(const std::string& what) { return store::Failure(StatusCode::kNotFound, what); }

}  // namespace

bool IsTrue(const Datum& value) { return value.kind == DatumKind::kBoolean && value.number != 0; }

int OrderOf(const Datum& a, const Datum& b) {
  if (a.none() || b.none()) return a.none() && b.none() ? 0 : a.none() ? -1 : 1;
  if (const std::optional<int> order = CompareData(a, b)) return *order;
  if (IsNumber(a) && IsNumber(b)) {
    // A NaN comes behind all numbers.
    const bool first = std::isnan(RealOf(a)), second = std::isnan(RealOf(b));
    return first == second ? 0 : first ? 1 : -1;
  }
  return a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0;
}

std::string KeyOf(Values& values, const Datum& value) {
  const auto key = [](DatumKind kind, const std::string& text) {
    return static_cast<char>('A' + static_cast<int>(kind)) + text + '\0';
  };
  switch (value.kind) {
    case DatumKind::kInteger:
    case DatumKind::kBits:
    case DatumKind::kReal: {
      // 1.0 and 1 are equal.
      const std::optional<__int128> whole = WholeNumber(value);
      if (!whole) return key(DatumKind::kReal, RealText(value.real, false));
      const bool word =
          *whole >= -(static_cast<__int128>(1) << 63) && *whole < static_cast<__int128>(1) << 64;
      return key(DatumKind::kInteger,
                 word ? OrdinalText(ValueType(), *whole) : RealText(value.real, false));
    }
    case DatumKind::kText:
    case DatumKind::kCharacter:
      if (const std::optional<std::string> text = TextIn(value)) {
        return key(DatumKind::kText, *text);
      }
      return key(value.kind, OrdinalText(ValueType(), value.number));
    case DatumKind::kReference: return key(value.kind, Show(value.reference));
    default: return key(value.kind, values.Text(value, ShowLimits::None()));
  }
}

std::string PathOfKey(Values& values, const Datum& key) { return "[" + values.Text(key) + "]"; }

Result<Datum> Evaluator::Evaluate(const Expr& expr, const Row& row) {
  TN_ASSIGN_OR_RETURN(const Datum value, EvaluatePlace(expr, row));
  return values_.Resolve(value);
}

Result<Datum> Evaluator::EvaluatePlace(const Expr& expr, const Row& row) {
  if (expr.aggregate != 0) {
    return row.aggregates != nullptr && expr.aggregate <= row.aggregates->size()
               ? (*row.aggregates)[expr.aggregate - 1]
               : Datum();
  }
  switch (expr.kind) {
    case ExprKind::kLiteral: return expr.literal;
    case ExprKind::kName:
      switch (expr.binding) {
        case Binding::kIt: return row.it;
        case Binding::kKey: return row.key;
        case Binding::kIndex: return OfNumber(row.index);
        case Binding::kColumn:
          return row.columns == nullptr ? Datum() : (*row.columns)[expr.column];
        // The row's own value stands before its fields.
        case Binding::kNone: return row.it;
      }
      return Datum();
    case ExprKind::kField: return FieldOf(expr, row);
    case ExprKind::kIndex: return IndexOf(expr, row);
    case ExprKind::kUnary: {
      TN_ASSIGN_OR_RETURN(const Datum value, Evaluate(*expr.parts[0], row));
      if (expr.name == "not") {
        return value.kind == DatumKind::kBoolean ? OfBoolean(value.number == 0) : Datum();
      }
      // 0.0 - 0.0 is not -0.0.
      return value.kind == DatumKind::kReal ? OfReal(-value.real)
                                            : Arithmetic("-", OfNumber(0), value);
    }
    case ExprKind::kBinary: return Binary(expr, row);
    case ExprKind::kBetween: {
      TN_ASSIGN_OR_RETURN(const Datum value, Evaluate(*expr.parts[0], row));
      TN_ASSIGN_OR_RETURN(const Datum least, Evaluate(*expr.parts[1], row));
      TN_ASSIGN_OR_RETURN(const Datum most, Evaluate(*expr.parts[2], row));
      return OfBoolean(Holds(values_, ">=", value, least) && Holds(values_, "<=", value, most));
    }
    case ExprKind::kCall: return Call(expr, row);
    case ExprKind::kSlice:
    case ExprKind::kList: break;
  }
  return Datum();
}

Result<Datum> Evaluator::FieldOf(const Expr& expr, const Row& row) {
  TN_ASSIGN_OR_RETURN(const Datum base, EvaluatePlace(*expr.parts[0], row));
  if (base.kind == DatumKind::kRecord) {
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> field, values_.FieldOf(base, expr.name));
    if (field) return *field;
    if (strict_) return NotThere("the record has no field " + expr.name);
    return Datum();
  }
  if (base.kind != DatumKind::kReference) {
    if (strict_) return NotThere("there is no field " + expr.name + " of " + values_.Text(base));
    return Datum();
  }
  TN_ASSIGN_OR_RETURN(const ObjectPtr object, values_.source().Load(base.reference));
  // What an object has that has no fields.
  if (expr.name.empty() && values_.ShapeOf(object->type()).is_text) return base;
  if (expr.name.empty() && object->type().open()) return OpenArrayIn(values_, object);
  TN_ASSIGN_OR_RETURN(std::optional<Datum> field, values_.Field(object, expr.name));
  if (!field) {
    // REF to a named record type has its fields; REF to a record within is one unnamed field.
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> whole, values_.Field(object, ""));
    if (whole && whole->kind == DatumKind::kRecord) {
      TN_ASSIGN_OR_RETURN(field, values_.FieldOf(*whole, expr.name));
    }
  }
  if (field) return *field;
  if (!strict_) return Datum();
  return NotThere(object->type().name + " at " + Show(object->at()) + " has no field " + expr.name);
}

Result<std::unique_ptr<Container>> Evaluator::ContainerOf(const Datum& value) {
  if (value.kind != DatumKind::kReference) return std::unique_ptr<Container>();
  TN_ASSIGN_OR_RETURN(const ObjectPtr object, values_.source().Load(value.reference));
  return Container::Of(values_, views_, object);
}

Result<Datum> Evaluator::IndexOf(const Expr& expr, const Row& row) {
  TN_ASSIGN_OR_RETURN(Datum base, EvaluatePlace(*expr.parts[0], row));
  TN_ASSIGN_OR_RETURN(const Datum index, Evaluate(*expr.parts[1], row));
  const auto missing = [&](const std::string& what) -> Result<Datum> {
    if (strict_) return NotThere(what);
    return Datum();
  };
  if (base.kind == DatumKind::kReference) {
    TN_ASSIGN_OR_RETURN(const std::unique_ptr<Container> container, ContainerOf(base));
    if (container != nullptr) {
      if (container->keyed()) {
        TN_ASSIGN_OR_RETURN(const std::optional<Entry> entry, container->Find(index));
        if (!entry) return missing("there is no key " + values_.Text(index));
        if (container->has_values()) return entry->value;
        // The key decides where its entry lies, so `set` must not change the key.
        Datum key = entry->key;
        if (key.kind < DatumKind::kSet) key.at = nullptr;
        return key;
      }
      std::optional<Entry> entry;
      const std::optional<__int128> place = WholeNumber(index);
      if (place && *place >= 0 && *place <= UINT64_MAX) {
        TN_ASSIGN_OR_RETURN(entry, container->At(static_cast<uint64_t>(*place)));
      }
      if (entry) return entry->value;
      TN_ASSIGN_OR_RETURN(const uint64_t size, container->Size());
      return missing("there is no element " + values_.Text(index) + ": there are " +
                     std::to_string(size) + ", from 0 on");
    }
    // REF ARRAY [0..9] OF ...
    TN_ASSIGN_OR_RETURN(const ObjectPtr object, values_.source().Load(base.reference));
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> whole, values_.Field(object, ""));
    if (whole) base = *whole;
  }
  if (base.kind != DatumKind::kArray) {
    return missing(values_.Text(base) + " has no elements");
  }
  const ValueType& bounds = *base.type->index;
  const std::optional<__int128> ordinal = OrdinalIn(bounds, index);
  if (!ordinal) return missing("there is no element " + values_.Text(index));
  const __int128 at = *ordinal - bounds.first;
  if (at < 0 || at >= static_cast<__int128>(base.type->count())) {
    return missing("there is no element " + values_.Text(index) + ": the first is " +
                   OrdinalText(bounds, bounds.first) + ", the last " +
                   OrdinalText(bounds, bounds.last));
  }
  return values_.Element(base, static_cast<uint64_t>(at));
}

Result<Datum> Evaluator::In(const Datum& part, const Expr& whole, const Row& row) {
  if (whole.kind == ExprKind::kList) {
    for (const ExprPtr& item : whole.parts) {
      TN_ASSIGN_OR_RETURN(const Datum value, Evaluate(*item, row));
      if (Same(values_, part, value)) return OfBoolean(true);
    }
    return OfBoolean(false);
  }
  TN_ASSIGN_OR_RETURN(const Datum value, Evaluate(whole, row));
  if (value.none()) return Datum();
  if (value.kind == DatumKind::kText) {
    const std::optional<std::string> text = TextIn(part);
    return OfBoolean(text && value.text.find(*text) != std::string::npos);
  }
  if (value.kind == DatumKind::kSet) {
    // What is no ordinal of the set's kind is in no set: NIL, 0.5.
    const std::optional<__int128> element = OrdinalIn(*value.type->index, part);
    if (!element) return OfBoolean(false);
    TN_ASSIGN_OR_RETURN(const bool has, values_.Has(value, *element));
    return OfBoolean(has);
  }
  if (value.kind == DatumKind::kArray) {
    for (uint64_t i = 0; i < value.type->count(); ++i) {
      TN_ASSIGN_OR_RETURN(const Datum element, values_.Element(value, i));
      TN_ASSIGN_OR_RETURN(const Datum resolved, values_.Resolve(element));
      if (Same(values_, part, resolved)) return OfBoolean(true);
    }
    return OfBoolean(false);
  }
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<Container> container, ContainerOf(value));
  if (container == nullptr) return Datum();
  if (container->keyed()) {
    TN_ASSIGN_OR_RETURN(const std::optional<Entry> entry, container->Find(part));
    return OfBoolean(entry.has_value());
  }
  bool found = false;
  Status damage;
  container->problem = [&](const Status& status) { damage = status; };
  TN_RETURN_IF_ERROR(container->ForEach({}, [&](const Entry& entry) {
    const Result<Datum> element = values_.Resolve(entry.value);
    if (element.ok()) {
      found = Same(values_, part, *element);
    } else {
      damage = element.status();
    }
    return !found;
  }));
  if (!found) TN_RETURN_IF_ERROR(damage);
  return OfBoolean(found);
}

Result<Datum> Evaluator::Binary(const Expr& expr, const Row& row) {
  const std::string& op = expr.name;
  if (op == "and" || op == "or") {
    // A condition without a value leaves the decision to the others.
    bool all = true;
    for (const ExprPtr& part : expr.parts) {
      TN_ASSIGN_OR_RETURN(const Datum value, Evaluate(*part, row));
      if (value.kind != DatumKind::kBoolean) {
        all = false;
      } else if (IsTrue(value) == (op == "or")) {
        return value;
      }
    }
    return all ? OfBoolean(op == "and") : Datum();
  }
  if (op == "in") {
    TN_ASSIGN_OR_RETURN(const Datum part, Evaluate(*expr.parts[0], row));
    return In(part, *expr.parts[1], row);
  }
  if (op == "contains") {
    TN_ASSIGN_OR_RETURN(const Datum part, Evaluate(*expr.parts[1], row));
    return In(part, *expr.parts[0], row);
  }
  TN_ASSIGN_OR_RETURN(const Datum left, Evaluate(*expr.parts[0], row));
  TN_ASSIGN_OR_RETURN(const Datum right, Evaluate(*expr.parts[1], row));
  if (op == "like" || op == "&") {
    const std::optional<std::string> a = TextIn(left), b = TextIn(right);
    if (!a || !b) return Datum();
    return op == "like" ? OfBoolean(Like(*a, *b)) : OfText(*a + *b);
  }
  if (op != "=" && op != "#" && op[0] != '<' && op[0] != '>') return Arithmetic(op, left, right);
  return OfBoolean(Holds(values_, op, left, right));
}

Result<Datum> Evaluator::SizeOf(const Datum& value) {
  if (value.none()) return Datum();
  if (value.kind == DatumKind::kText) {
    return OfNumber(std::ranges::count_if(
        value.text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  }
  if (value.kind == DatumKind::kCharacter) return OfNumber(1);
  if (value.kind == DatumKind::kArray) return OfNumber(value.type->count());
  if (value.kind == DatumKind::kSet) {
    __int128 count = 0;
    TN_RETURN_IF_ERROR(ForEachRunOfSet(value, [&](__int128 first, __int128 last) {
      count += last - first + 1;
      return true;
    }));
    return OfNumber(count);
  }
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<Container> container, ContainerOf(value));
  if (container == nullptr) return Datum();
  TN_ASSIGN_OR_RETURN(const uint64_t size, container->Size());
  return OfNumber(size);
}

Result<Datum> Evaluator::Call(const Expr& expr, const Row& row) {
  const std::string& name = expr.name;
  if (name == "id" || name == "type") {
    TN_ASSIGN_OR_RETURN(const Datum value, EvaluatePlace(*expr.parts[0], row));
    if (value.kind != DatumKind::kReference) {
      if (name == "type" && value.type != nullptr) return OfText(value.type->text);
      return Datum();
    }
    if (name == "id") {
      // The reference is for readers that make links of places.
      Datum id = OfText(Show(value.reference));
      id.reference = value.reference;
      return id;
    }
    TN_ASSIGN_OR_RETURN(const ObjectPtr object, values_.source().Load(value.reference));
    return OfText(object->type().name);
  }
  std::vector<Datum> values;
  for (const ExprPtr& part : expr.parts) {
    TN_ASSIGN_OR_RETURN(Datum value, Evaluate(*part, row));
    values.push_back(std::move(value));
  }
  const Datum& first = values[0];
  const std::optional<std::string> text = TextIn(first);
  if (name == "size" || name == "length") return SizeOf(first);
  if (name == "upper" && text) return OfText(MapAscii(*text, std::toupper));
  if (name == "lower" && text) return OfText(MapAscii(*text, std::tolower));
  if (name == "startswith" || name == "endswith") {
    const std::optional<std::string> part = TextIn(values[1]);
    if (!text || !part) return Datum();
    return OfBoolean(name == "startswith" ? text->starts_with(*part) : text->ends_with(*part));
  }
  if (name == "abs" && IsNumber(first)) {
    if (first.kind == DatumKind::kReal) return OfReal(std::abs(first.real));
    return OfNumber(first.number < 0 ? -first.number : first.number);
  }
  if (name == "round" && IsNumber(first)) {
    if (first.kind != DatumKind::kReal) return first;
    const double rounded = std::nearbyint(first.real);
    return std::abs(rounded) < 9e18 ? OfNumber(static_cast<int64_t>(rounded)) : OfReal(rounded);
  }
  if (name == "time" && IsNumber(first)) {
    const std::optional<std::string> time = TimeText(RealOf(first));
    return time ? OfText(*time) : Datum();
  }
  if (name == "ord") {
    switch (first.kind) {
      case DatumKind::kBoolean:
      case DatumKind::kInteger:
      case DatumKind::kCharacter:
      case DatumKind::kEnumeration:
      case DatumKind::kBits: return OfNumber(first.number);
      default: return Datum();
    }
  }
  if (name == "text") return text ? OfText(*text) : OfText(values_.Text(first, ShowLimits::None()));
  return Datum();
}

}  // namespace tenure::dbtool
