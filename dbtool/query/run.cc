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

// The state of one call of count, sum, min, max or avg in a group.
struct Aggregate {
  uint64_t count = 0;
  __int128 sum = 0;
  // Wide enough that large numbers which cancel do not swallow small ones.
  __float128 real_sum = 0;
  bool real = false;
  Datum least, most;

  void Add(const Datum& value) {
    if (value.none()) return;
    ++count;
    if (value.kind == DatumKind::kReal) real = true;
    sum += value.number;
    real_sum += value.kind == DatumKind::kReal ? static_cast<__float128>(value.real)
                                               : static_cast<__float128>(value.number);
    if (count == 1 || OrderOf(value, least) < 0) least = value;
    if (count == 1 || OrderOf(value, most) > 0) most = value;
  }

  Datum Result(const std::string& name) const {
    if (name == "count") return OfNumber(count);
    if (count == 0) return name == "sum" ? OfNumber(0) : Datum();
    if (name == "min") return least;
    if (name == "max") return most;
    if (name == "avg") return OfReal(static_cast<double>(real_sum) / static_cast<double>(count));
    if (real || sum < INT64_MIN || sum > INT64_MAX) return OfReal(static_cast<double>(real_sum));
    return OfNumber(sum);
  }
};

}  // namespace

bool QueryRun::IsWhole(const Expr& expr, Binding binding) {
  return expr.kind == ExprKind::kName && expr.binding == binding;
}

struct QueryRun::Output {
  std::vector<Datum> columns, sort;
};

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
  // The value, or none if the expression depends on a damaged object.
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
  std::vector<Output> kept;  // rows to be sorted
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
    // With a limit, only rows that may be among the first ones are kept.
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
