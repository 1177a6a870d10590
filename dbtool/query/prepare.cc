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
    if (!type) return false;
    if (type->kind != StaticKind::kBoolean && !type->any()) {
      *problem = {"a condition is needed here", query_.where->begin, query_.where->end};
      return false;
    }
  }
  if (!PrepareColumns(problem) || !PrepareGroups(problem)) return false;
  // Bounds of keys and places that the condition has.
  if (query_.where != nullptr && scanned_.empty()) {
    TakeBounds(*query_.where, nullptr, &range_);
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
    scanned_ = checker.TypesNamed(*source);
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
      // One entry says what all are where their types leave it open.
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
    const bool number = bound_value->kind == DatumKind::kInteger;
    if ((row_.indexed && !number) ||
        (row_.key && !row_.key->any() && bound_type->kind != row_.key->kind &&
         row_.key->kind != StaticKind::kCharacter)) {
      *problem = {"the bound is not of the kind of the keys", (*bound)->begin, (*bound)->end};
      return false;
    }
    Narrow(&range_, *bound_value, false, bound == &from);
  }
  return true;
}

void QueryRun::AddColumn(ExprPtr expr, std::string name) {
  query_.select.push_back({std::move(expr), std::move(name)});
}

// The columns of a query without a list in select: the row's key or place; and the value, or the
// fields that all objects which the value may be have in common.
void QueryRun::AddColumnsOfRow() {
  if (row_.key) AddColumn(NameOf("key", Binding::kKey), "key");
  if (row_.indexed) AddColumn(NameOf("index", Binding::kIndex), "index");
  const auto add_fields = [&](const std::vector<std::string>& names) {
    std::set<std::string> added;
    for (const SelectItem& item : query_.select) added.insert(item.name);
    for (const std::string& name : names) {
      if (added.insert(name).second) AddColumn(FieldOfIt(name), name);
    }
  };
  if (row_.it.kind == StaticKind::kRecord) {
    std::vector<std::string> names;
    for (const ValueField& field : row_.it.type->fields) names.push_back(field.name);
    add_fields(names);
    return;
  }
  if (row_.it.kind == StaticKind::kObject && !row_.it.objects.empty()) {
    const std::vector<const StoredType*>& objects = row_.it.objects;
    std::vector<std::string> names;
    for (const ShapeField& field : values_.ShapeOf(*objects[0]).fields) {
      const bool common = std::ranges::all_of(objects, [&](const StoredType* type) {
        return values_.ShapeOf(*type).Find(field.name) != nullptr;
      });
      if (common && !field.name.empty()) names.push_back(field.name);
    }
    if (!names.empty() || !scanned_.empty()) {
      auto id = std::make_unique<Expr>();
      id->kind = ExprKind::kCall;
      id->name = "id";
      id->parts.push_back(NameOf("it", Binding::kIt));
      AddColumn(std::move(id), "id");
      add_fields(names);
      return;
    }
  }
  // A set's elements are its keys.
  if (row_.key && query_.select.size() == 1 && scanned_.empty() && !single_) {
    Evaluator strict(values_, views_, true);
    const Result<std::unique_ptr<Container>> container = strict.ContainerOf(source_);
    if (container.ok() && *container != nullptr && !(*container)->has_values()) return;
  }
  AddColumn(NameOf("value", Binding::kIt), "value");
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
    AddColumn(std::move(count), "count");
  } else if (star && query_.count) {
    return true;
  } else if (star) {
    AddColumnsOfRow();
  }
  for (SelectItem& item : query_.select) {
    const size_t before = aggregates_.size();
    StaticType type;
    if (star && !grouped_) {
      // The result consists of known objects.
    } else {
      const auto checked = checker.CheckGrouped(item.expr, &row_, &aggregates_, problem);
      if (!checked) return false;
      type = *checked;
    }
    if (aggregates_.size() == before && grouped_) {
      const std::string text = text_.substr(item.expr->begin, item.expr->end - item.expr->begin);
      const bool grouped = std::ranges::any_of(query_.group, [&](const ExprPtr& expr) {
        return text_.substr(expr->begin, expr->end - expr->begin) == text;
      });
      if (!grouped && item.expr->kind != ExprKind::kLiteral) {
        *problem = {
            "the rows of a group differ in this: name it in group by, or use count, sum, "
            "min, max or avg",
            item.expr->begin, item.expr->end};
        return false;
      }
    }
    row_.column_types.push_back(type);
  }
  if (!aggregates_.empty() && !grouped_) {
    grouped_ = true;
    for (const SelectItem& item : query_.select) {
      const bool aggregate = std::ranges::any_of(aggregates_, [&](const Expr* call) {
        return call->begin >= item.expr->begin && call->end <= item.expr->end;
      });
      if (aggregate || item.expr->kind == ExprKind::kLiteral) continue;
      *problem = {"without group by all rows are one group, in which they differ in this",
                  item.expr->begin, item.expr->end};
      return false;
    }
  }
  return true;
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
    if (!checker.CheckGrouped(query_.having, &with_columns, &aggregates_, problem)) return false;
  }
  for (SortItem& item : query_.sort) {
    if (!checker.CheckGrouped(item.expr, &with_columns, grouped_ ? &aggregates_ : nullptr,
                              problem)) {
      return false;
    }
  }
  return true;
}

void QueryRun::TakeBounds(const Expr& condition, const char*, KeyRange* range) {
  if (condition.kind != ExprKind::kBinary) return;
  if (condition.name == "and") {
    TakeBounds(*condition.parts[0], nullptr, range);
    TakeBounds(*condition.parts[1], nullptr, range);
    return;
  }
  const auto is_key = [&](const Expr& expr) {
    return IsWhole(expr, Binding::kKey) || IsWhole(expr, Binding::kIndex);
  };
  const bool swapped = is_key(*condition.parts[1]);
  const Expr& key = *condition.parts[swapped ? 1 : 0];
  const Expr& bound = *condition.parts[swapped ? 0 : 1];
  if (!is_key(key) || bound.kind != ExprKind::kLiteral || bound.literal.none()) return;
  std::string op = condition.name;
  if (swapped && op[0] == '<') {
    op[0] = '>';
  } else if (swapped && op[0] == '>') {
    op[0] = '<';
  }
  // Places are whole numbers.
  if (row_.indexed && bound.literal.kind != DatumKind::kInteger) return;
  if (op == "=" || op[0] == '>') Narrow(range, bound.literal, op == ">", true);
  if (op == "=" || op[0] == '<') Narrow(range, bound.literal, op == "<", false);
}

}  // namespace tenure::dbtool
