// The values of checked expressions (query/check.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dbtool/query/syntax.h"
#include "dbtool/values/container.h"

namespace tenure::dbtool {

// What an expression sees.
struct Row {
  Datum it, key;
  int64_t index = 0;
  const std::vector<Datum>* columns = nullptr;     // of select
  const std::vector<Datum>* aggregates = nullptr;  // of the group
};

class Evaluator {
 public:
  // All arguments must outlive it. `strict`: a field of NIL, and a missing key or index, is
  // kNotFound; else it has no value.
  Evaluator(Values& values, const Views& views, bool strict)
      : values_(values), views_(views), strict_(strict) {}

  // Texts and atoms are resolved. kCorrupt: it depends on a damaged page.
  Result<Datum> Evaluate(const Expr& expr, const Row& row);
  // Evaluate without resolving, so that a text has its place.
  Result<Datum> EvaluatePlace(const Expr& expr, const Row& row);
  // The container that a value is or refers to. Null: the value is not a container.
  Result<std::unique_ptr<Container>> ContainerOf(const Datum& value);
  // The number of characters, of elements or of entries.
  Result<Datum> SizeOf(const Datum& value);

 private:
  Result<Datum> FieldOf(const Expr& expr, const Row& row);
  Result<Datum> IndexOf(const Expr& expr, const Row& row);
  Result<Datum> Binary(const Expr& expr, const Row& row);
  Result<Datum> Call(const Expr& expr, const Row& row);
  Result<Datum> In(const Datum& part, const Expr& whole, const Row& row);

  Values& values_;
  const Views& views_;
  const bool strict_;
};

// Texts that are equal exactly for equal values, for groups and for distinct.
std::string KeyOf(Values& values, const Datum& value);
// -1, 0, 1, also of values that have no order: those without a value come first.
int OrderOf(const Datum& a, const Datum& b);
bool IsTrue(const Datum& value);
// The last part of the path by which `show` finds the value: .name, ["key"], [3].
std::string PathOfKey(Values& values, const Datum& key);

}  // namespace tenure::dbtool
