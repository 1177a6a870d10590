// Prepares a query before it runs: resolves names and types, determines columns, and chooses how
// rows are found.
#include <algorithm>
#include <set>
#include <utility>

#include "dbtool/query/run.h"

namespace tenure::dbtool {

namespace {

ExprPtr NameOf(const char* name, Binding binding) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::kName;
  expr->name = name;
  expr->binding = binding;
  return expr;
}

ExprPtr FieldOfIt(const std::string& name) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::kField;
  expr->name = name;
  expr->parts.push_back(NameOf("it", Binding::kIt));
  return expr;
}

// The narrower of two bounds.
void Narrow(KeyRange* range, const Datum& bound, bool open, bool lower) {
  std::optional<Datum>& now = lower ? range->from : range->to;
  bool& now_open = lower ? range->from_open : range->to_open;
  if (now) {
    const std::optional<int> order = CompareData(bound, *now);
    if (!order) return;
    const int narrower = lower ? *order : -*order;
    if (narrower < 0 || (narrower == 0 && !open)) return;
  }
  now = bound;
  now_open = open;
}

bool IsCondition(const Expr& expr, const StaticType& type, QueryProblem* problem) {
  if (type.kind == StaticKind::kBoolean || type.any()) return true;
  *problem = {"a condition is needed here", expr.begin, expr.end};
  return false;
}

}  // namespace

bool QueryRun::Prepare(const std::string& text, QueryProblem* problem) {
  text_ = text;
  std::optional<Query> query = ParseQuery(text_, problem);
  if (!query) return false;
  query_ = *std::move(query);
  if (!PrepareSource(problem)) return false;
  Checker checker(values_, views_, beginnings_);
  if (query_.where != nullptr) {
    const auto type = checker.Check(query_.where, &row_, problem);
    if (!type || !IsCondition(*query_.where, *type, problem)) return false;
  }
  if (!PrepareColumns(problem) || !PrepareGroups(problem)) return false;
  // Bounds of keys and places that the condition has.
  if (query_.where != nullptr && scanned_.empty()) {
    TakeBounds(*query_.where);
  }
  if (!source_text_.empty()) plan_ = DescribeRange();
  return true;
}

std::string QueryRun::DescribeRange() const {
  if (!range_.from && !range_.to) return "all that " + source_text_ + " has";
  ShowLimits limits;
  limits.characters = 40;
  std::string text = row_.key ? "keys" : "places";
  if (range_.from) {
    text += (range_.from_open ? " above " : " from ") + values_.Text(*range_.from, limits) +
            (range_.from_open ? "" : " on");
  }
  if (range_.to) {
    text += (range_.to_open ? " below " : " up to ") + values_.Text(*range_.to, limits);
  }
  return text + " of " + source_text_;
}

bool QueryRun::PrepareSource(QueryProblem* problem) {
  Checker checker(values_, views_, beginnings_);
  ExprPtr source = std::move(query_.source);
  ExprPtr from, to;
  const bool slice = source->kind == ExprKind::kSlice;
  if (slice) {
    from = std::move(source->parts[1]);
    to = std::move(source->parts[2]);
    ExprPtr base = std::move(source->parts[0]);
    source = std::move(base);
  }
  const Expr* first = source.get();
  while (!first->parts.empty() && first->kind != ExprKind::kCall) first = first->parts[0].get();
  const bool path = first->kind != ExprKind::kName || first->name == "root" ||
                    first->name == "names" || beginnings_.bound.contains(first->name);
  if (query_.all || !path) {
    scanned_ = values_.living().Of(checker.TypesNamed(*source));
    if (!scanned_.empty()) {
      if (slice) {
        *problem = {"the objects of a type have no order to take a range of", source->begin,
                    source->end};
        return false;
      }
      row_.it = checker.OfObjects(scanned_);
      row_.name = text_.substr(source->begin, source->end - source->begin);
      plan_ = "all objects of " + text_.substr(source->begin, source->end - source->begin) +
              ": reads all pages";
      return true;
    }
    if (query_.all || (source->kind == ExprKind::kField && !path)) {
      std::vector<std::string> known;
      for (const StoredType& type : values_.source().types().all()) known.push_back(type.name);
      const std::string name = text_.substr(source->begin, source->end - source->begin);
      *problem = {"there is no type " + name + Suggestion(name, known), source->begin, source->end};
      return false;
    }
  }
  if (!checker.Check(source, nullptr, problem)) return false;
  Evaluator strict(values_, views_, true);
  const Result<Datum> value = strict.EvaluatePlace(*source, Row());
  if (!value.ok()) {
    *problem = {value.status().text(), source->begin, source->end};
    return false;
  }
  source_ = *value;
  const bool can_have = source_.kind == DatumKind::kReference ||
                        source_.kind == DatumKind::kArray || source_.kind == DatumKind::kSet;
  // The value that was found may have a more exact type than its declaration.
  StaticType type;
  if (source_.kind == DatumKind::kReference) {
    auto literal = std::make_unique<Expr>();
    literal->literal = source_;
    type = checker.Check(literal, nullptr, problem).value_or(StaticType());
  } else if (source_.type != nullptr) {
    const auto checked = checker.Check(source, nullptr, problem);
    type = checked ? *checked : checker.OfValue(source_.type, nullptr, nullptr);
  }
  std::unique_ptr<Container> container;
  if (can_have) {
    Result<std::unique_ptr<Container>> found = strict.ContainerOf(source_);
    if (found.ok()) container = *std::move(found);
  }
  std::optional<StaticType> key;
  if (container != nullptr || source_.kind == DatumKind::kArray ||
      source_.kind == DatumKind::kSet) {
    row_.it = checker.ElementsOf(type, &key).value_or(StaticType());
    if (container != nullptr) {
      if (container->keyed()) row_.key = key.value_or(StaticType());
      // Where the types leave it open, one entry tells what all are.
      if (container->keyed() && (row_.key->any() || row_.it.any())) {
        const Status peeked = container->ForEach({}, [&](const Entry& entry) {
          if (row_.key->any() && entry.key.type != nullptr) {
            row_.key = checker.OfValue(entry.key.type, nullptr, nullptr);
          }
          if (row_.it.any() && entry.value.type != nullptr) {
            row_.it = checker.OfValue(entry.value.type, nullptr, nullptr);
          }
          return false;
        });
        (void)peeked.ok();  // reading the rows tells it again
      }
      row_.indexed = !container->keyed();
      if (container->keyed() && !container->has_values()) row_.it = *row_.key;
    } else if (source_.kind == DatumKind::kArray) {
      const ValueTypePtr& index = source_.type->index;
      row_.indexed = index->kind == ValueKind::kInteger;
      if (!row_.indexed) row_.key = checker.OfValue(index, nullptr, nullptr);
    }
    source_text_ = text_.substr(source->begin, source->end - source->begin);
  } else {
    single_ = true;
    row_.it = type;
    plan_ = "one value";
    if (slice) {
      *problem = {"what stands before the range has no elements", source->begin, source->end};
      return false;
    }
  }
  if (row_.it.kind == StaticKind::kObject && row_.it.objects.size() == 1) {
    row_.name = row_.it.objects[0]->name;
  }
  for (ExprPtr* bound : {&from, &to}) {
    if (*bound == nullptr) continue;
    const auto bound_type = checker.Check(*bound, nullptr, problem);
    if (!bound_type) return false;
    const Result<Datum> bound_value = strict.Evaluate(**bound, Row());
    if (!bound_value.ok()) {
      *problem = {bound_value.status().text(), (*bound)->begin, (*bound)->end};
      return false;
    }
    const std::optional<Datum> place = BoundOf(*bound_value);
    if (!place || (row_.key && !row_.key->any() && bound_type->kind != row_.key->kind &&
                   row_.key->kind != StaticKind::kCharacter)) {
      *problem = {"the bound is not of the kind of the keys", (*bound)->begin, (*bound)->end};
      return false;
    }
    Narrow(&range_, *place, false, bound == &from);
  }
  return true;
}

std::optional<Datum> QueryRun::BoundOf(const Datum& bound) const {
  if (source_.kind != DatumKind::kArray && !row_.indexed) return bound;
  static const ValueTypePtr kPlaces = ParseValueType("INTEGER");
  const ValueTypePtr& index = source_.kind == DatumKind::kArray ? source_.type->index : kPlaces;
  const std::optional<__int128> place = OrdinalIn(*index, bound);
  return place ? std::optional<Datum>(OfNumber(*place)) : std::nullopt;
}

void QueryRun::AddColumn(ExprPtr expr, std::string name) {
  query_.select.push_back({std::move(expr), std::move(name)});
}

// The columns of a query without a list in select: the row's key or place; and the value, or the
// fields that the objects which it may be have. A column of ours leaves its name to a field.
void QueryRun::AddColumnsOfRow() {
  std::vector<std::string> fields;
  const auto add_field = [&](const std::string& name) {
    if (std::ranges::find(fields, name) == fields.end()) fields.push_back(name);
  };
  // The value itself, and what an object without fields has: elements, a number, characters.
  bool value = false, contents = false;
  if (row_.it.kind == StaticKind::kRecord) {
    for (const ValueField& field : row_.it.type->fields) add_field(field.name);
  } else if (row_.it.kind == StaticKind::kObject && !row_.it.objects.empty()) {
    const auto add_type = [&](const StoredType& type) {
      const ObjectShape& shape = values_.ShapeOf(type);
      if (shape.is_text || type.open()) {
        contents = true;
        return;
      }
      for (const ShapeField& field : shape.fields) {
        if (field.name.empty()) {
          contents = true;
        } else {
          add_field(field.member);
        }
      }
    };
    // Earlier forms of types have columns of their own only if they have objects; these stand last.
    std::vector<const StoredType*> earlier;
    for (const StoredType* type : row_.it.objects) {
      if (values_.living().IsEarlierForm(*type)) {
        earlier.push_back(type);
      } else {
        add_type(*type);
      }
    }
    std::erase_if(earlier, [&](const StoredType* type) {
      const ObjectShape& shape = values_.ShapeOf(*type);
      if (shape.is_text || type->open()) return contents;
      return std::ranges::all_of(shape.fields, [&](const ShapeField& field) {
        return field.name.empty() ? contents
                                  : std::ranges::find(fields, field.member) != fields.end();
      });
    });
    for (const StoredType* type : values_.living().Of(std::move(earlier))) add_type(*type);
    value = fields.empty() && scanned_.empty();
  } else {
    value = true;
    // A set's elements are its keys.
    if (row_.key && scanned_.empty() && !single_) {
      Evaluator strict(values_, views_, true);
      const Result<std::unique_ptr<Container>> container = strict.ContainerOf(source_);
      if (container.ok() && *container != nullptr && !(*container)->has_values()) value = false;
    }
  }
  const auto add_ours = [&](ExprPtr expr, std::string name) {
    const bool taken = std::ranges::find(fields, name) != fields.end();
    AddColumn(std::move(expr), taken ? "#" + name : name);
  };
  if (row_.key) add_ours(NameOf("key", Binding::kKey), "key");
  if (row_.indexed) add_ours(NameOf("index", Binding::kIndex), "index");
  if (row_.it.kind == StaticKind::kObject && !value) {
    auto id = std::make_unique<Expr>();
    id->kind = ExprKind::kCall;
    id->name = "id";
    id->parts.push_back(NameOf("it", Binding::kIt));
    add_ours(std::move(id), "id");
  }
  for (const std::string& name : fields) AddColumn(FieldOfIt(name), name);
  if (value) {
    add_ours(NameOf("value", Binding::kIt), "value");
  } else if (contents) {
    add_ours(FieldOfIt(""), "value");
  }
}

// Null: all rows of a group have one value in this. Else the part of it in which they differ.
const Expr* QueryRun::DiffersInGroup(const Expr& expr) const {
  if (expr.aggregate != 0) return nullptr;
  const auto text_of = [&](const Expr& of) {
    return std::string_view(text_).substr(of.begin, of.end - of.begin);
  };
  const std::string_view text = text_of(expr);
  const auto is_this = [&](const ExprPtr& by) { return text_of(*by) == text; };
  if (std::ranges::any_of(query_.group, is_this)) return nullptr;
  if (expr.kind == ExprKind::kName) {
    // Columns have been checked.
    return expr.binding == Binding::kNone || expr.binding == Binding::kColumn ? nullptr : &expr;
  }
  for (const ExprPtr& part : expr.parts) {
    const Expr* const differs = part == nullptr ? nullptr : DiffersInGroup(*part);
    // Take the whole field, not the row that the field is of.
    if (differs != nullptr) return expr.kind == ExprKind::kField ? &expr : differs;
  }
  return nullptr;
}

bool QueryRun::IsOfGroups(const Expr& expr, QueryProblem* problem) const {
  const Expr* const differs = DiffersInGroup(expr);
  if (differs == nullptr) return true;
  *problem = {query_.group.empty()
                  ? "without group by all rows are one group, in which they differ in this"
                  : "the rows of a group differ in this: name it in group by, or use count, sum, "
                    "min, max or avg",
              differs->begin, differs->end};
  return false;
}

bool QueryRun::PrepareColumns(QueryProblem* problem) {
  Checker checker(values_, views_, beginnings_);
  grouped_ = !query_.group.empty();
  for (ExprPtr& expr : query_.group) {
    if (!checker.Check(expr, &row_, problem)) return false;
  }
  const bool star = query_.select.empty();
  if (star && grouped_) {
    // The groups and how many rows each has.
    QueryProblem ignored;
    for (const ExprPtr& expr : query_.group) {
      const std::string text = text_.substr(expr->begin, expr->end - expr->begin);
      ExprPtr again = ParseExpression(text, &ignored);
      again->begin = expr->begin;
      again->end = expr->end;
      AddColumn(std::move(again), text);
    }
    auto count = std::make_unique<Expr>();
    count->kind = ExprKind::kCall;
    count->name = "count";
    const bool taken = std::ranges::any_of(
        query_.select, [](const SelectItem& item) { return item.name == "count"; });
    AddColumn(std::move(count), taken ? "#count" : "count");
  } else if (star) {
    AddColumnsOfRow();
  }
  for (size_t i = 0; i < query_.select.size(); ++i) {
    SelectItem& item = query_.select[i];
    StaticType type;
    if (star && !grouped_) {
      // The result consists of known objects.
    } else {
      const auto checked = checker.CheckGrouped(item.expr, &row_, &aggregates_, problem);
      if (!checked) return false;
      type = *checked;
    }
    row_.column_types.push_back(type);
    for (size_t j = 0; j < i; ++j) {
      if (query_.select[j].name != item.name) continue;
      *problem = {"two columns are called " + item.name + ": name one of them with as",
                  item.expr->begin, item.expr->end};
      return false;
    }
  }
  grouped_ = grouped_ || !aggregates_.empty();
  return !grouped_ || std::ranges::all_of(query_.select, [&](const SelectItem& item) {
    return IsOfGroups(*item.expr, problem);
  });
}

bool QueryRun::PrepareGroups(QueryProblem* problem) {
  Checker checker(values_, views_, beginnings_);
  RowType with_columns = row_;
  with_columns.columns = &query_.select;
  if (query_.having != nullptr) {
    if (!grouped_) {
      *problem = {"having needs groups: where limits rows", query_.having->begin,
                  query_.having->end};
      return false;
    }
    const auto type = checker.CheckGrouped(query_.having, &with_columns, &aggregates_, problem);
    if (!type || !IsOfGroups(*query_.having, problem)) return false;
    if (!IsCondition(*query_.having, *type, problem)) return false;
  }
  for (SortItem& item : query_.sort) {
    if (!checker.CheckGrouped(item.expr, &with_columns, grouped_ ? &aggregates_ : nullptr,
                              problem)) {
      return false;
    }
    if (grouped_ && !IsOfGroups(*item.expr, problem)) return false;
  }
  return true;
}

void QueryRun::TakeBounds(const Expr& condition) {
  const auto is_key = [&](const Expr& expr) {
    return IsWhole(expr, Binding::kKey) || IsWhole(expr, Binding::kIndex);
  };
  const auto take = [&](const Expr& bound, const std::string& op) {
    if (bound.kind != ExprKind::kLiteral || bound.literal.none()) return;
    const std::optional<Datum> place = BoundOf(bound.literal);
    if (!place) return;
    if (op == "=" || op[0] == '>') Narrow(&range_, *place, op == ">", true);
    if (op == "=" || op[0] == '<') Narrow(&range_, *place, op == "<", false);
  };
  if (condition.kind == ExprKind::kBetween && is_key(*condition.parts[0])) {
    take(*condition.parts[1], ">=");
    take(*condition.parts[2], "<=");
  }
  if (condition.kind != ExprKind::kBinary) return;
  if (condition.name == "and") {
    for (const ExprPtr& part : condition.parts) TakeBounds(*part);
    return;
  }
  std::string op = condition.name;
  if (is_key(*condition.parts[0])) {
    take(*condition.parts[1], op);
  } else if (is_key(*condition.parts[1])) {
    if (op[0] == '<' || op[0] == '>') op[0] = op[0] == '<' ? '>' : '<';
    take(*condition.parts[0], op);
  }
}

}  // namespace tenure::dbtool
