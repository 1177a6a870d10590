#include "dbtool/query/run.h"

#include <algorithm>
#include <cmath>
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

  void Add(const std::string& name, const Datum& value) {
    const bool number = value.kind == DatumKind::kInteger || value.kind == DatumKind::kReal ||
                        value.kind == DatumKind::kBits;
    if (value.none() || (!number && (name == "sum" || name == "avg"))) return;
    ++count;
    if (value.kind == DatumKind::kReal) {
      real = true;
      real_sum += static_cast<__float128>(value.real);
    } else if (number) {
      sum += value.number;
      real_sum += static_cast<__float128>(value.number);
    }
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

// Whether other keys stand on the same side of this one in each order of texts and of numbers:
// texts are stored as UTF-8 or as codes of 16 bits, and 0.0 is equal to -0.0.
bool IsPlain(const Datum& key) {
  if (key.kind == DatumKind::kReal) return key.real != 0 && !std::isnan(key.real);
  return key.kind != DatumKind::kText ||
         std::ranges::all_of(key.text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

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
  return container.ForEach(range_, [&](const Entry& entry) {
    Row row;
    row.key = entry.key;
    row.it = container.has_values() ? entry.value : entry.key;
    row.index = static_cast<int64_t>(entry.place);
    if (container.keyed()) {
      const Result<Datum> key = values_.Resolve(entry.key);
      if (key.ok()) {
        row.key = *key;
      } else {
        problem(key.status());
      }
    }
    return visit(row);
  });
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
  // Entries of an ordered container come in the order of their keys already, or the other way.
  bool sorted = !query_.sort.empty() && !query_.count, by_runs = false;
  if (sorted && !query_.distinct && query_.sort.size() == 1 && !grouped_ && row_.key &&
      scanned_.empty() && source_.kind == DatumKind::kReference) {
    const Expr& by = *query_.sort[0].expr;
    const bool by_key =
        IsWhole(by, Binding::kKey) ||
        (IsWhole(by, Binding::kColumn) && IsWhole(*query_.select[by.column].expr, Binding::kKey));
    const auto container = evaluator_.ContainerOf(source_);
    if (by_key && container.ok() && *container != nullptr && (*container)->ascending()) {
      by_runs = true;
      range_.descending = query_.sort[0].descending;
    }
  }
  std::vector<std::string> names;
  for (const SelectItem& item : query_.select) names.push_back(item.name);
  if (query_.count) names = {"count"};
  sink.Begin(names);
  // Counted rows pass here as well, so that limit and offset apply to them as to the rows of the
  // same query.
  uint64_t given = 0, skipped = 0;
  const auto give = [&](const std::vector<Datum>& columns) {
    if (skipped < query_.offset) {
      ++skipped;
      return true;
    }
    if (query_.limit && given >= *query_.limit) return false;
    ++given;
    return (query_.count || sink.Add(columns)) && (!query_.limit || given < *query_.limit);
  };
  const auto before = [&](const Output& a, const Output& b) {
    for (size_t i = 0; i < query_.sort.size(); ++i) {
      const int order = OrderOf(a.sort[i], b.sort[i]);
      if (order != 0) return query_.sort[i].descending ? order > 0 : order < 0;
    }
    return false;
  };
  std::vector<Output> kept;  // rows to be sorted
  // False: no more are wanted.
  const auto give_kept = [&] {
    if (range_.descending) std::ranges::reverse(kept);
    std::ranges::stable_sort(kept, before);
    const bool more =
        std::ranges::all_of(kept, [&](const Output& output) { return give(output.columns); });
    kept.clear();
    return more;
  };
  std::unordered_set<std::string> seen;
  const auto take = [&](const Row& row) {
    Output output;
    if (query_.count && !query_.distinct) return give({});
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
    // The container's order is that of the keys as they are stored. It is ours between keys of
    // which one is plain; others are sorted among themselves.
    const bool plain = by_runs && IsPlain(row.key);
    if (plain && !give_kept()) return false;
    kept.push_back(std::move(output));
    if (by_runs) return !plain || give_kept();
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
        if (is_interrupted_ && is_interrupted_()) {
          failure = Status(StatusCode::kAborted, "interrupted");
          return false;
        }
        if (query_.limit && *query_.limit == 0 && !grouped_) return false;
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
            group.aggregates[i].Add(call.name, value_of(*call.parts[0], row));
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
  give_kept();
  if (query_.count) sink.Add({OfNumber(given)});
  return failure;
}

}  // namespace tenure::dbtool
