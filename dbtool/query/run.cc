#include "dbtool/query/run.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dbtool/values/walk.h"
#include "store/format/status_text.h"

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

bool IsWhole(const Expr& expr, Binding binding) {
  return expr.kind == ExprKind::kName && expr.binding == binding;
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

// What a group has of one call of count, sum, min, max or avg.
struct Aggregate {
  uint64_t count = 0;
  __int128 sum = 0;
  double real_sum = 0;
  bool real = false;
  Datum least, most;

  void Add(const Datum& value) {
    if (value.none()) return;
    ++count;
    if (value.kind == DatumKind::kReal) real = true;
    sum += value.number;
    real_sum += value.kind == DatumKind::kReal ? value.real : static_cast<double>(value.number);
    if (count == 1 || OrderOf(value, least) < 0) least = value;
    if (count == 1 || OrderOf(value, most) > 0) most = value;
  }

  Datum Result(const std::string& name) const {
    if (name == "count") return OfNumber(count);
    if (count == 0) return name == "sum" ? OfNumber(0) : Datum();
    if (name == "min") return least;
    if (name == "max") return most;
    if (name == "avg") return OfReal(real_sum / static_cast<double>(count));
    if (real || sum < INT64_MIN || sum > INT64_MAX) return OfReal(real_sum);
    return OfNumber(sum);
  }
};

}  // namespace

struct QueryRun::Output {
  std::vector<Datum> columns, sort;
};

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
  return true;
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
  // What was found says more of its type than what it is declared as.
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
    plan_ = "all that " + text_.substr(source->begin, source->end - source->begin) + " has";
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

// What a row has, where select does not say it: its key or place, and the value, or the fields that
// all objects that may be the value have.
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
      // Made of what is known to be there.
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

Status QueryRun::VisitContainer(Container& container, const std::function<bool(const Row&)>& visit,
                                const std::function<void(const Status&)>& problem) {
  container.problem = problem;
  const auto row_of = [&](const Entry& entry, int64_t index) {
    Row row;
    row.key = entry.key;
    row.it = container.has_values() ? entry.value : entry.key;
    row.index = index;
    if (container.keyed()) {
      const Result<Datum> key = values_.Resolve(entry.key);
      if (key.ok()) {
        row.key = *key;
      } else {
        problem(key.status());
      }
    }
    return row;
  };
  if (!container.keyed()) {
    int64_t index =
        range_.from && range_.from->number > 0 ? static_cast<int64_t>(range_.from->number) : 0;
    return container.ForEach(range_,
                             [&](const Entry& entry) { return visit(row_of(entry, index++)); });
  }
  const bool one = range_.from && range_.to && !range_.from_open && !range_.to_open &&
                   CompareData(*range_.from, *range_.to) == 0;
  if (one) {
    const Result<std::optional<Entry>> entry = container.Find(*range_.from);
    if (!entry.ok()) {
      if (entry.status().code() != StatusCode::kCorrupt) return entry.status();
      problem(entry.status());
      return Status::Ok();
    }
    if (*entry) visit(row_of(**entry, 0));
    return Status::Ok();
  }
  return container.ForEach(range_, [&](const Entry& entry) { return visit(row_of(entry, 0)); });
}

Status QueryRun::ForEachRow(const std::function<bool(const Row&)>& visit,
                            const std::function<void(const Status&)>& problem) {
  if (!scanned_.empty()) {
    std::set<const StoredType*> wanted(scanned_.begin(), scanned_.end());
    return WalkObjects(
        values_.source(), [&](const StoredType& type) { return wanted.contains(&type); },
        [&](const ObjectPtr& object) {
          Row row;
          row.it = OfReference(object->at());
          return visit(row);
        },
        problem);
  }
  if (single_) {
    Row row;
    row.it = source_;
    visit(row);
    return Status::Ok();
  }
  if (source_.kind == DatumKind::kSet) {
    return ForEachRunOfSet(source_, [&](__int128 first, __int128 last) {
      for (__int128 i = first; i <= last; ++i) {
        Row row;
        row.it = OfNumber(i);
        row.it.type = source_.type->index;
        switch (source_.type->index->kind) {
          case ValueKind::kEnumeration: row.it.kind = DatumKind::kEnumeration; break;
          case ValueKind::kBoolean: row.it.kind = DatumKind::kBoolean; break;
          case ValueKind::kCharacter:
          case ValueKind::kWideCharacter: row.it.kind = DatumKind::kCharacter; break;
          default: break;
        }
        if (!visit(row)) return false;
      }
      return true;
    });
  }
  if (source_.kind == DatumKind::kArray) {
    const ValueType& index = *source_.type->index;
    for (uint64_t i = 0; i < source_.type->count(); ++i) {
      Row row;
      row.index = static_cast<int64_t>(index.first + i);
      const auto outside = [&](const std::optional<Datum>& bound, bool lower) {
        if (!bound) return false;
        return lower ? index.first + i < bound->number : index.first + i > bound->number;
      };
      if (outside(range_.from, true) || outside(range_.to, false)) continue;
      if (row_.key) {
        row.key = OfNumber(index.first + i);
        row.key.type = source_.type->index;
        row.key.kind = index.kind == ValueKind::kEnumeration ? DatumKind::kEnumeration
                       : index.kind == ValueKind::kBoolean   ? DatumKind::kBoolean
                                                             : DatumKind::kCharacter;
      }
      const Result<Datum> element = values_.Element(source_, i);
      if (!element.ok()) {
        if (element.status().code() != StatusCode::kCorrupt) return element.status();
        problem(element.status());
        continue;
      }
      row.it = *element;
      if (!visit(row)) break;
    }
    return Status::Ok();
  }
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<Container> container, evaluator_.ContainerOf(source_));
  if (container == nullptr) return Status::Ok();
  return VisitContainer(*container, visit, problem);
}

Status QueryRun::Run(RowSink& sink, const std::function<void(const Status&)>& problem) {
  Status failure;
  // The value, or none where the expression depends on what is damaged.
  const auto value_of = [&](const Expr& expr, const Row& row) {
    const Result<Datum> value = evaluator_.Evaluate(expr, row);
    if (value.ok()) return *value;
    if (value.status().code() == StatusCode::kCorrupt ||
        value.status().code() == StatusCode::kNotFound) {
      problem(value.status());
    } else if (failure.ok()) {
      failure = value.status();
    }
    return Datum();
  };
  const bool counted = query_.count && query_.select.empty() && !grouped_ && !query_.distinct;
  if (counted) {
    uint64_t count = 0;
    TN_RETURN_IF_ERROR(ForEachRow(
        [&](const Row& row) {
          if (query_.where == nullptr || IsTrue(value_of(*query_.where, row))) ++count;
          return failure.ok();
        },
        problem));
    TN_RETURN_IF_ERROR(failure);
    sink.Begin({"count"});
    sink.Add({OfNumber(count)});
    return Status::Ok();
  }
  // Entries of an ordered container come in the order of their keys already, or the other way.
  bool sorted = !query_.sort.empty();
  if (query_.sort.size() == 1 && !grouped_ && row_.key && scanned_.empty() &&
      source_.kind == DatumKind::kReference) {
    const Expr& by = *query_.sort[0].expr;
    const bool by_key =
        IsWhole(by, Binding::kKey) ||
        (IsWhole(by, Binding::kColumn) && IsWhole(*query_.select[by.column].expr, Binding::kKey));
    const auto container = evaluator_.ContainerOf(source_);
    if (by_key && container.ok() && *container != nullptr && (*container)->ascending()) {
      sorted = false;
      range_.descending = query_.sort[0].descending;
    }
  }
  std::vector<std::string> names;
  for (const SelectItem& item : query_.select) names.push_back(item.name);
  if (query_.count) names = {"count"};
  sink.Begin(names);
  uint64_t given = 0, skipped = 0, counted_rows = 0;
  const auto give = [&](const std::vector<Datum>& columns) {
    if (query_.count) {
      ++counted_rows;
      return true;
    }
    if (skipped < query_.offset) {
      ++skipped;
      return true;
    }
    if (query_.limit && given >= *query_.limit) return false;
    ++given;
    return sink.Add(columns) && (!query_.limit || given < *query_.limit);
  };
  const auto before = [&](const Output& a, const Output& b) {
    for (size_t i = 0; i < query_.sort.size(); ++i) {
      const int order = OrderOf(a.sort[i], b.sort[i]);
      if (order != 0) return query_.sort[i].descending ? order > 0 : order < 0;
    }
    return false;
  };
  std::vector<Output> kept;  // what is to be sorted
  std::unordered_set<std::string> seen;
  const auto take = [&](const Row& row) {
    Output output;
    for (const SelectItem& item : query_.select) {
      output.columns.push_back(value_of(*item.expr, row));
    }
    if (query_.distinct) {
      std::string key;
      for (const Datum& column : output.columns) key += KeyOf(values_, column);
      if (!seen.insert(key).second) return true;
    }
    if (!sorted) return give(output.columns);
    Row with_columns = row;
    with_columns.columns = &output.columns;
    for (const SortItem& item : query_.sort) {
      output.sort.push_back(value_of(*item.expr, with_columns));
    }
    kept.push_back(std::move(output));
    // Of many rows only those that can be among the first ones are kept.
    if (query_.limit && *query_.limit < 1'000'000 && query_.offset < 1'000'000) {
      const size_t wanted = static_cast<size_t>(*query_.limit + query_.offset);
      if (kept.size() >= 2 * wanted + 1000) {
        std::ranges::stable_sort(kept, before);
        kept.resize(wanted);
      }
    }
    return true;
  };
  struct Group {
    Row row;
    std::vector<Aggregate> aggregates;
  };
  std::vector<Group> groups;
  std::unordered_map<std::string, size_t> group_of;
  const Status walked = ForEachRow(
      [&](const Row& row) {
        if (query_.limit && *query_.limit == 0 && !grouped_ && !query_.count) return false;
        if (query_.where != nullptr && !IsTrue(value_of(*query_.where, row))) return failure.ok();
        if (!grouped_) return take(row) && failure.ok();
        std::string key;
        for (const ExprPtr& expr : query_.group) key += KeyOf(values_, value_of(*expr, row));
        const auto [at, fresh] = group_of.try_emplace(key, groups.size());
        if (fresh) groups.push_back({row, std::vector<Aggregate>(aggregates_.size())});
        Group& group = groups[at->second];
        for (size_t i = 0; i < aggregates_.size(); ++i) {
          const Expr& call = *aggregates_[i];
          if (call.parts.empty()) {
            ++group.aggregates[i].count;
          } else {
            group.aggregates[i].Add(value_of(*call.parts[0], row));
          }
        }
        return failure.ok();
      },
      problem);
  TN_RETURN_IF_ERROR(walked);
  TN_RETURN_IF_ERROR(failure);
  if (grouped_) {
    if (groups.empty() && query_.group.empty()) {
      groups.push_back({Row(), std::vector<Aggregate>(aggregates_.size())});
    }
    for (Group& group : groups) {
      std::vector<Datum> results;
      for (size_t i = 0; i < aggregates_.size(); ++i) {
        results.push_back(group.aggregates[i].Result(aggregates_[i]->name));
      }
      group.row.aggregates = &results;
      if (query_.having != nullptr) {
        std::vector<Datum> columns;
        for (const SelectItem& item : query_.select) {
          columns.push_back(value_of(*item.expr, group.row));
        }
        Row with_columns = group.row;
        with_columns.columns = &columns;
        if (!IsTrue(value_of(*query_.having, with_columns))) continue;
      }
      if (!take(group.row)) break;
    }
  }
  std::ranges::stable_sort(kept, before);
  for (const Output& output : kept) {
    if (!give(output.columns)) break;
  }
  if (query_.count) sink.Add({OfNumber(counted_rows)});
  return failure;
}

}  // namespace tenure::dbtool
