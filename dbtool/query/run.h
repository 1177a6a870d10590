// Runs queries: reads objects, applies conditions, groups and order, and produces rows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dbtool/query/check.h"
#include "dbtool/query/evaluate.h"

namespace tenure::dbtool {

// Takes the rows of a query.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void Begin(const std::vector<std::string>& columns) = 0;
  // False: no more rows are wanted.
  virtual bool Add(const std::vector<Datum>& row) = 0;
};

class QueryRun {
 public:
  // All must outlive it.
  QueryRun(Values& values, const Views& views, const Beginnings& beginnings)
      : values_(values), views_(views), beginnings_(beginnings), evaluator_(values, views, false) {}

  // Understands the text; false: *problem says why not.
  bool Prepare(const std::string& text, QueryProblem* problem);
  // Whether all pages of the database will be read.
  bool reads_all() const { return !scanned_.empty(); }
  // How rows are found, for people: "keys from 3 on up to 7 of root.tree".
  const std::string& plan() const { return plan_; }
  // Run asks it at each row, and ends with kAborted when the answer is true.
  void set_is_interrupted(std::function<bool()> is_interrupted) {
    is_interrupted_ = std::move(is_interrupted);
  }
  // Gives the rows to the sink. Damaged objects are reported to `problem` and left out.
  Status Run(RowSink& sink, const std::function<void(const Status&)>& problem);

 private:
  struct Output;  // one row, and the values by which it is sorted

  // Whether the expression is this name alone.
  static bool IsWhole(const Expr& expr, Binding binding);
  bool PrepareSource(QueryProblem* problem);
  std::string DescribeRange() const;
  bool PrepareColumns(QueryProblem* problem);
  bool PrepareGroups(QueryProblem* problem);
  void AddColumn(ExprPtr expr, std::string name);
  void AddColumnsOfRow();
  // Narrows the range by what the condition says of keys and places.
  void TakeBounds(const Expr& condition);
  // The ordinal of a bound of places or of arrays' indexes; for other keys the bound itself.
  // Nothing: the bound is between two places, or of another kind.
  std::optional<Datum> BoundOf(const Datum& bound) const;
  const Expr* DiffersInGroup(const Expr& expr) const;
  bool IsOfGroups(const Expr& expr, QueryProblem* problem) const;
  Status ForEachRow(const std::function<bool(const Row&)>& visit,
                    const std::function<void(const Status&)>& problem);
  Status VisitContainer(Container& container, const std::function<bool(const Row&)>& visit,
                        const std::function<void(const Status&)>& problem);

  Values& values_;
  const Views& views_;
  const Beginnings& beginnings_;
  Evaluator evaluator_;
  std::string text_;
  std::string source_text_;  // of a container that is the source
  Query query_;
  RowType row_;
  std::vector<const StoredType*> scanned_;  // the objects of these types are the rows
  Datum source_;                            // else this value, or what it has
  bool single_ = false;                     // the source itself is the only row
  bool grouped_ = false;
  KeyRange range_;  // of a slice
  std::vector<Expr*> aggregates_;
  std::vector<std::vector<StaticType>> column_types_;
  std::string plan_;
  std::function<bool()> is_interrupted_;
};

}  // namespace tenure::dbtool
