#include "dbtool/query/check.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tenure::dbtool {

namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

const char* NameOf(StaticKind kind) {
  switch (kind) {
    case StaticKind::kAny: return "a value";
    case StaticKind::kBoolean: return "a truth value";
    case StaticKind::kNumber: return "a number";
    case StaticKind::kText: return "a text";
    case StaticKind::kCharacter: return "a character";
    case StaticKind::kEnumeration: return "an element of an enumeration";
    case StaticKind::kSet: return "a set";
    case StaticKind::kArray: return "an array";
    case StaticKind::kRecord: return "a record";
    case StaticKind::kObject: return "a reference";
    case StaticKind::kProcedure: return "a procedure";
    case StaticKind::kList: return "a list";
  }
  return "a value";
}

bool IsNil(const Expr& expr) { return expr.kind == ExprKind::kLiteral && expr.literal.none(); }

// A value of unknown type may be an atom or a text as well.
bool MayBeText(const StaticType& type) {
  return type.kind == StaticKind::kText || type.kind == StaticKind::kCharacter || type.any();
}

bool Comparable(const StaticType& a, const StaticType& b) {
  if (a.any() || b.any()) return true;
  const auto is_text = [](const StaticType& type) {
    return type.kind == StaticKind::kText || type.kind == StaticKind::kCharacter;
  };
  if (is_text(a) && is_text(b)) return true;
  if (a.kind == StaticKind::kEnumeration && b.kind == StaticKind::kEnumeration) {
    return std::ranges::find_first_of(a.type->names, b.type->names) != a.type->names.end();
  }
  return a.kind == b.kind;
}

}  // namespace

std::string Suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  size_t least = name.size() < 4 ? 2 : 3;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance < least && distance < std::max(name.size(), candidate.size())) {
      least = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? "" : "; did you mean " + *best + "?";
}

Result<Beginnings> ReadBeginnings(Values& values, const Views& views) {
  ObjectSource& source = values.source();
  TN_ASSIGN_OR_RETURN(const store::PersistentRef root, source.server().Root(source.database()));
  Beginnings beginnings;
  beginnings.root = OfReference(root);
  if (!root.is_object()) return beginnings;
  TN_ASSIGN_OR_RETURN(const ObjectPtr object, source.Load(root));
  if (object->type().brand != "Database.Roots") return beginnings;
  beginnings.names = beginnings.root;
  beginnings.root = Datum();
  TN_ASSIGN_OR_RETURN(const std::optional<Datum> real, values.Field(object, "root"));
  if (real) beginnings.root = *real;
  const std::unique_ptr<Container> names = Container::Of(values, views, object);
  if (names == nullptr) return beginnings;
  TN_RETURN_IF_ERROR(names->ForEach({}, [&](const Entry& entry) {
    const Result<Datum> name = values.Resolve(entry.key);
    if (name.ok() && name->kind == DatumKind::kText) beginnings.bound[name->text] = entry.value;
    return true;
  }));
  return beginnings;
}

std::optional<StaticType> Checker::Fail(const Expr& expr, const std::string& what) {
  if (problem_->what.empty()) *problem_ = {what, expr.begin, expr.end};
  return std::nullopt;
}

std::optional<StaticType> Checker::FailAtField(const Expr& expr, const std::string& what) {
  const bool named = expr.name_end != 0;
  if (problem_->what.empty()) {
    *problem_ = {what, named ? expr.name_begin : expr.begin, named ? expr.name_end : expr.end};
  }
  return std::nullopt;
}

std::optional<StaticType> Checker::Check(ExprPtr& expr, const RowType* row, QueryProblem* problem) {
  return CheckGrouped(expr, row, nullptr, problem);
}

std::optional<StaticType> Checker::CheckGrouped(ExprPtr& expr, const RowType* row,
                                                std::vector<Expr*>* aggregates,
                                                QueryProblem* problem) {
  row_ = row;
  aggregates_ = aggregates;
  in_aggregate_ = false;
  problem_ = problem;
  return CheckPart(expr);
}

// Whether the row surely has this field. The name then means the field, not a name of the database
// or an element.
bool Checker::IsFieldOfRow(const std::string& name) const {
  if (row_ == nullptr) return false;
  if (row_->it.kind == StaticKind::kRecord) {
    return std::ranges::find(row_->it.type->fields, name, &ValueField::name) !=
           row_->it.type->fields.end();
  }
  return !row_->it.any() && FieldOfObjects(row_->it.objects, name).has_value();
}

bool Checker::IsOfDatabase(const std::string& name) const {
  return name == "root" || name == "names" || beginnings_.bound.contains(name);
}

bool Checker::IsKnownName(const Expr& expr) const {
  if (expr.kind != ExprKind::kName) return false;
  if (IsOfDatabase(expr.name)) return true;
  if (row_ == nullptr) return false;
  if (expr.name == "it" || (row_->key && (expr.name == "key" || expr.name == "value")) ||
      (row_->indexed && expr.name == "index")) {
    return true;
  }
  if (row_->columns != nullptr) {
    for (const SelectItem& item : *row_->columns) {
      if (item.name == expr.name) return true;
    }
  }
  if (!row_->it.any()) return IsFieldOfRow(expr.name);
  // Only reading tells what the row is: a field of some type.
  std::vector<const StoredType*> all;
  for (const StoredType& type : values_.source().types().all()) all.push_back(&type);
  return FieldOfObjects(all, expr.name).has_value();
}

// An element's name, or a text with it, becomes the element.
bool Checker::BecomeElement(ExprPtr& expr, const ValueType& type) {
  const bool named = expr->kind == ExprKind::kName || expr->kind == ExprKind::kField ||
                     (expr->kind == ExprKind::kLiteral && expr->literal.kind == DatumKind::kText);
  if (!named) return true;
  // Main.Colour.Red may name an element; a field of something is none.
  if (expr->kind == ExprKind::kField) {
    const Expr* base = expr.get();
    while (base->kind == ExprKind::kField) base = base->parts[0].get();
    if (IsKnownName(*base) || base->kind != ExprKind::kName) return true;
  }
  const std::string& name = expr->kind == ExprKind::kLiteral ? expr->literal.text : expr->name;
  if (expr->kind == ExprKind::kName && IsFieldOfRow(name)) return true;
  const auto found = std::ranges::find(type.names, name);
  if (found == type.names.end()) {
    if (IsKnownName(*expr)) return true;
    std::string known;
    for (size_t i = 0; i < type.names.size() && i < 12; ++i) {
      known += (i == 0 ? "" : ", ") + type.names[i];
    }
    if (type.names.size() > 12) known += ", ...";
    Fail(*expr, name + " is not an element of {" + known + "}" + Suggestion(name, type.names));
    return false;
  }
  Datum element;
  element.kind = DatumKind::kEnumeration;
  element.number = found - type.names.begin();
  element.type = std::make_shared<ValueType>(type);
  auto literal = std::make_unique<Expr>();
  literal->begin = expr->begin;
  literal->end = expr->end;
  literal->literal = std::move(element);
  expr = std::move(literal);
  return true;
}

std::optional<StaticType> Checker::CheckPart(ExprPtr& expr) {
  switch (expr->kind) {
    case ExprKind::kLiteral: return StaticOfDatum(expr->literal);
    case ExprKind::kName: return CheckName(expr);
    case ExprKind::kField: return CheckField(expr);
    case ExprKind::kIndex: return CheckIndex(expr);
    case ExprKind::kSlice: return Fail(*expr, "a range stands only at the end of a path");
    case ExprKind::kUnary: {
      const auto type = CheckPart(expr->parts[0]);
      if (!type) return std::nullopt;
      const StaticKind wanted = expr->name == "not" ? StaticKind::kBoolean : StaticKind::kNumber;
      if (!type->any() && type->kind != wanted) {
        return Fail(*expr->parts[0],
                    std::string(NameOf(wanted)) + " is needed here, not " + NameOf(type->kind));
      }
      return OfKind(wanted);
    }
    case ExprKind::kBinary:
      if (expr->name == "and" || expr->name == "or") return CheckJoined(expr);
      return CheckBinary(expr);
    case ExprKind::kBetween: return CheckBetween(expr);
    case ExprKind::kCall: return CheckCall(expr);
    case ExprKind::kList: {
      StaticType list = OfKind(StaticKind::kList);
      for (ExprPtr& part : expr->parts) {
        const auto type = CheckPart(part);
        if (!type) return std::nullopt;
        list.items.push_back(*type);
      }
      return list;
    }
  }
  return std::nullopt;
}

std::optional<StaticType> Checker::CheckName(ExprPtr& expr) {
  const std::string& name = expr->name;
  if (row_ != nullptr) {
    if (row_->columns != nullptr) {
      for (size_t i = 0; i < row_->columns->size(); ++i) {
        if ((*row_->columns)[i].name != name) continue;
        expr->binding = Binding::kColumn;
        expr->column = i;
        return row_->column_types[i];
      }
    }
    const bool entry = row_->key.has_value();
    if (name == "it" || (entry && name == "value")) {
      expr->binding = Binding::kIt;
      return row_->it;
    }
    if (entry && name == "key") {
      expr->binding = Binding::kKey;
      return row_->key;
    }
    if (row_->indexed && name == "index") {
      expr->binding = Binding::kIndex;
      return OfKind(StaticKind::kNumber);
    }
    if (IsFieldOfRow(name) || (row_->it.any() && IsKnownName(*expr) && !IsOfDatabase(name))) {
      auto it = std::make_unique<Expr>();
      it->kind = ExprKind::kName;
      it->name = "it";
      it->begin = expr->begin;
      it->end = expr->end;
      expr->kind = ExprKind::kField;
      expr->parts.push_back(std::move(it));
      return CheckField(expr);
    }
  }
  const auto literal = [&](const Datum& value) {
    expr->kind = ExprKind::kLiteral;
    expr->literal = value;
    return StaticOfDatum(value);
  };
  if (const auto bound = beginnings_.bound.find(name); bound != beginnings_.bound.end()) {
    return literal(bound->second);
  }
  if (name == "root") return literal(beginnings_.root);
  if (name == "names") return literal(beginnings_.names);
  std::vector<std::string> known = {"root", "names"};
  for (const auto& [bound, value] : beginnings_.bound) known.push_back(bound);
  if (row_ != nullptr) {
    if (row_->key) known.insert(known.end(), {"key", "value"});
    if (row_->indexed) known.push_back("index");
    for (const StoredType* type : row_->it.objects) {
      for (const StoredField& field : type->fields) known.push_back(field.name);
    }
    if (row_->it.type != nullptr) {
      for (const ValueField& field : row_->it.type->fields) known.push_back(field.name);
    }
    std::string of =
        row_->name.empty() ? "there is no field, root or name " : row_->name + " has no field ";
    return Fail(*expr, of + name + Suggestion(name, known));
  }
  for (const StoredType& type : values_.source().types().all()) known.push_back(type.name);
  return Fail(*expr, "there is no root, name or type " + name + Suggestion(name, known));
}

std::optional<StaticType> Checker::CheckField(ExprPtr& expr) {
  const auto base = CheckPart(expr->parts[0]);
  if (!base) return std::nullopt;
  std::vector<const StoredType*> objects = base->objects;
  std::string of;
  std::vector<std::string> known;
  switch (base->kind) {
    case StaticKind::kRecord:
      for (const ValueField& field : base->type->fields) {
        if (field.name == expr->name) return OfValue(field.type, base->field, base->whole);
        known.push_back(field.name);
      }
      of = "the record";
      break;
    case StaticKind::kAny:
      for (const StoredType& type : values_.source().types().all()) objects.push_back(&type);
      of = "no stored type";
      [[fallthrough]];
    case StaticKind::kObject: {
      const auto field = FieldOfObjects(objects, expr->name);
      // The field of the objects whose types have one with this name.
      if (field) return field;
      for (const StoredType* type : objects) {
        for (const StoredField& stored : type->fields) known.push_back(stored.name);
      }
      if (base->any()) {
        for (const StoredType* type : objects) {
          const ObjectShape& shape = values_.ShapeOf(*type);
          for (const ShapeField& part : shape.fields) {
            for (const ValueField& inner : part.type->fields) {
              if (inner.name == expr->name) return StaticType();
            }
          }
          if (shape.element != nullptr) {
            for (const ValueField& inner : shape.element->fields) {
              if (inner.name == expr->name) return StaticType();
            }
          }
        }
        return FailAtField(
            *expr, "no stored type has a field " + expr->name + Suggestion(expr->name, known));
      }
      // Nothing of this type is stored: the value is always NIL.
      if (objects.empty()) return StaticType();
      of = objects.size() == 1 ? objects[0]->name
                               : objects[0]->name + " or another type that may stand here";
      break;
    }
    default: return FailAtField(*expr, std::string(NameOf(base->kind)) + " has no fields");
  }
  return FailAtField(*expr, of + " has no field " + expr->name + Suggestion(expr->name, known));
}

std::optional<StaticType> Checker::CheckIndex(ExprPtr& expr) {
  const auto base = CheckPart(expr->parts[0]);
  if (!base) return std::nullopt;
  std::optional<StaticType> key;
  const auto elements = ElementsOf(*base, &key);
  if (!elements) {
    std::string what = NameOf(base->kind);
    if (base->kind == StaticKind::kObject && base->objects.size() == 1) {
      what = base->objects[0]->name;
    }
    if (base->kind == StaticKind::kObject && base->objects.empty()) return StaticType();
    return Fail(*expr, what + " has no elements");
  }
  if (base->kind == StaticKind::kArray) {
    key = OfValue(base->type->index, nullptr, nullptr);
  } else if (!key && !base->any()) {
    key = OfKind(StaticKind::kNumber);
  }
  if (key && !BecomeElements(expr->parts[1], *key)) return std::nullopt;
  const auto index = CheckPart(expr->parts[1]);
  if (!index) return std::nullopt;
  if (key && !Comparable(*key, *index)) {
    return Fail(*expr->parts[1],
                std::string(NameOf(key->kind)) + " is needed here, not " + NameOf(index->kind));
  }
  return elements;
}

bool Checker::Needs(const Expr& part, const StaticType& type, StaticKind wanted) {
  if (type.any() || type.kind == wanted) return true;
  Fail(part, std::string(NameOf(wanted)) + " is needed here, not " + NameOf(type.kind));
  return false;
}

std::optional<StaticType> Checker::CheckJoined(ExprPtr& expr) {
  for (ExprPtr& part : expr->parts) {
    const auto type = CheckPart(part);
    if (!type || !Needs(*part, *type, StaticKind::kBoolean)) return std::nullopt;
  }
  return OfKind(StaticKind::kBoolean);
}

// Whether the expression can only be the name of an element of an enumeration, or is a text, which
// may be such a name.
bool Checker::NamesElement(const Expr& expr) const {
  if (expr.kind == ExprKind::kLiteral) return expr.literal.kind == DatumKind::kText;
  const Expr* base = &expr;
  while (base->kind == ExprKind::kField) base = base->parts[0].get();
  return base->kind == ExprKind::kName && !IsKnownName(*base) && TypesNamed(*base).empty();
}

// The types of operands that are compared: an element's name may stand on either side, and the
// other side says of which enumeration it is.
std::optional<std::pair<StaticType, StaticType>> Checker::CheckSides(ExprPtr& left,
                                                                     ExprPtr& right) {
  const bool swapped = NamesElement(*left) && !NamesElement(*right);
  ExprPtr &first = swapped ? right : left, &second = swapped ? left : right;
  const auto first_type = CheckPart(first);
  if (!first_type || !BecomeElements(second, *first_type)) return std::nullopt;
  const auto second_type = CheckPart(second);
  if (!second_type) return std::nullopt;
  return swapped ? std::pair(*second_type, *first_type) : std::pair(*first_type, *second_type);
}

// Names that are compared with a value of this type become elements of its enumeration.
bool Checker::BecomeElements(ExprPtr& expr, const StaticType& type) {
  const ValueType* enumeration = nullptr;
  if (type.kind == StaticKind::kEnumeration) enumeration = type.type.get();
  if (type.kind == StaticKind::kSet && type.type->index->kind == ValueKind::kEnumeration) {
    enumeration = type.type->index.get();
  }
  if (enumeration == nullptr) return true;
  if (expr->kind != ExprKind::kList) return BecomeElement(expr, *enumeration);
  return std::ranges::all_of(expr->parts,
                             [&](ExprPtr& item) { return BecomeElement(item, *enumeration); });
}

std::optional<StaticType> Checker::CheckCompared(const Expr& whole, const Expr& left,
                                                 const StaticType& a, const Expr& right,
                                                 const StaticType& b, bool ordered) {
  if (!Comparable(a, b) && !IsNil(left) && !IsNil(right)) {
    return Fail(whole, std::string(NameOf(a.kind)) + " is compared with " + NameOf(b.kind));
  }
  for (const auto& [part, type] : {std::pair(&left, &a), std::pair(&right, &b)}) {
    if (ordered && (type->kind == StaticKind::kSet || type->kind == StaticKind::kRecord ||
                    type->kind == StaticKind::kArray || type->kind == StaticKind::kObject ||
                    type->kind == StaticKind::kProcedure)) {
      return Fail(*part, std::string(NameOf(type->kind)) + " has no order");
    }
  }
  return OfKind(StaticKind::kBoolean);
}

std::optional<StaticType> Checker::CheckBetween(ExprPtr& expr) {
  ExprPtr &value = expr->parts[0], &least = expr->parts[1], &most = expr->parts[2];
  const auto sides = CheckSides(value, least);
  if (!sides || !BecomeElements(most, sides->first)) return std::nullopt;
  const auto most_type = CheckPart(most);
  if (!most_type || !CheckCompared(*expr, *value, sides->first, *least, sides->second, true)) {
    return std::nullopt;
  }
  return CheckCompared(*expr, *value, sides->first, *most, *most_type, true);
}

std::optional<StaticType> Checker::CheckBinary(ExprPtr& expr) {
  const std::string op = expr->name;
  ExprPtr &left = expr->parts[0], &right = expr->parts[1];
  const auto sides = CheckSides(left, right);
  if (!sides) return std::nullopt;
  const auto& [a, b] = *sides;
  if (op == "like" || op == "&") {
    for (const auto& [part, type] : {std::pair(&left, &a), std::pair(&right, &b)}) {
      if (MayBeText(*type)) continue;
      return Fail(**part, std::string("a text is needed here, not ") + NameOf(type->kind));
    }
    return OfKind(op == "like" ? StaticKind::kBoolean : StaticKind::kText);
  }
  if (op == "in" || op == "contains") {
    const StaticType& whole = op == "in" ? b : a;
    const StaticType& part = op == "in" ? a : b;
    const ExprPtr& whole_expr = op == "in" ? right : left;
    const ExprPtr& part_expr = op == "in" ? left : right;
    if (whole.kind == StaticKind::kText) {
      if (MayBeText(part)) return OfKind(StaticKind::kBoolean);
      return Fail(*part_expr, std::string("a text is needed here, not ") + NameOf(part.kind));
    }
    if (whole.kind == StaticKind::kList) {
      for (size_t i = 0; i < whole.items.size(); ++i) {
        if (Comparable(part, whole.items[i])) continue;
        return Fail(*whole_expr->parts[i], std::string(NameOf(part.kind)) + " is compared with " +
                                               NameOf(whole.items[i].kind));
      }
      return OfKind(StaticKind::kBoolean);
    }
    std::optional<StaticType> key;
    const auto elements = ElementsOf(whole, &key);
    if (!elements) {
      return Fail(*whole_expr, std::string(NameOf(whole.kind)) + " has no elements");
    }
    if (!Comparable(part, key ? *key : *elements)) {
      return Fail(*part_expr, std::string(NameOf((key ? *key : *elements).kind)) +
                                  " is needed here, not " + NameOf(part.kind));
    }
    return OfKind(StaticKind::kBoolean);
  }
  static const std::set<std::string> kArithmetic = {"+", "-", "*", "/", "div", "mod"};
  if (kArithmetic.contains(op)) {
    if (!Needs(*left, a, StaticKind::kNumber) || !Needs(*right, b, StaticKind::kNumber)) {
      return std::nullopt;
    }
    return OfKind(StaticKind::kNumber);
  }
  return CheckCompared(*expr, *left, a, *right, b, op != "=" && op != "#");
}

std::optional<StaticType> Checker::CheckCall(ExprPtr& expr) {
  struct Function {
    const char* name;
    size_t arguments;
    StaticKind argument, result;
  };
  static const Function kFunctions[] = {
      {"size", 1, StaticKind::kAny, StaticKind::kNumber},
      {"length", 1, StaticKind::kAny, StaticKind::kNumber},
      {"type", 1, StaticKind::kAny, StaticKind::kText},
      {"id", 1, StaticKind::kAny, StaticKind::kText},
      {"upper", 1, StaticKind::kText, StaticKind::kText},
      {"lower", 1, StaticKind::kText, StaticKind::kText},
      {"startswith", 2, StaticKind::kText, StaticKind::kBoolean},
      {"endswith", 2, StaticKind::kText, StaticKind::kBoolean},
      {"abs", 1, StaticKind::kNumber, StaticKind::kNumber},
      {"round", 1, StaticKind::kNumber, StaticKind::kNumber},
      {"time", 1, StaticKind::kNumber, StaticKind::kText},
      {"ord", 1, StaticKind::kAny, StaticKind::kNumber},
      {"text", 1, StaticKind::kAny, StaticKind::kText},
  };
  static const std::set<std::string> kAggregates = {"count", "sum", "min", "max", "avg"};
  if (kAggregates.contains(expr->name)) {
    const bool counts = expr->name == "count";
    if (expr->parts.size() > 1 || (expr->parts.empty() && !counts)) {
      return Fail(*expr, expr->name + " needs one argument");
    }
    // Outside of a query's select, count(x) is the size of its argument.
    if (counts && aggregates_ == nullptr && expr->parts.size() == 1) {
      expr->name = "size";
      return CheckCall(expr);
    }
    if (aggregates_ == nullptr || in_aggregate_) {
      return Fail(*expr, expr->name + " stands only in select, having and sort by");
    }
    StaticType result = OfKind(StaticKind::kNumber);
    if (!expr->parts.empty()) {
      in_aggregate_ = true;
      const auto type = CheckPart(expr->parts[0]);
      in_aggregate_ = false;
      if (!type) return std::nullopt;
      const bool adds = expr->name == "sum" || expr->name == "avg";
      if (adds && !type->any() && type->kind != StaticKind::kNumber) {
        return Fail(*expr->parts[0],
                    std::string("a number is needed here, not ") + NameOf(type->kind));
      }
      if (expr->name == "min" || expr->name == "max") result = *type;
    }
    aggregates_->push_back(expr.get());
    expr->aggregate = aggregates_->size();
    return result;
  }
  std::vector<std::string> known(kAggregates.begin(), kAggregates.end());
  for (const Function& function : kFunctions) {
    known.push_back(function.name);
    if (expr->name != function.name) continue;
    if (expr->parts.size() != function.arguments) {
      return Fail(*expr, expr->name + " needs " + std::to_string(function.arguments) +
                             (function.arguments == 1 ? " argument" : " arguments"));
    }
    for (ExprPtr& part : expr->parts) {
      const auto type = CheckPart(part);
      if (!type) return std::nullopt;
      const bool fits = function.argument == StaticKind::kText
                            ? MayBeText(*type)
                            : function.argument == StaticKind::kAny || type->any() ||
                                  type->kind == function.argument;
      if (!fits) {
        return Fail(*part, std::string(NameOf(function.argument)) + " is needed here, not " +
                               NameOf(type->kind));
      }
    }
    return OfKind(function.result);
  }
  return Fail(*expr, "there is no function " + expr->name + Suggestion(expr->name, known));
}

}  // namespace tenure::dbtool
