// How the values of a field are spread over some objects.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dbtool/look/database_view.h"
#include "dbtool/values/json.h"

namespace tenure::dbtool {

class Histogram {
 public:
  explicit Histogram(DatabaseView& view) : view_(view) {}

  void Add(const Datum& value);
  // {"kind": "numbers", "bins": [{"from", "to", "count"}], "least", "most", "mean"}, where
  // "beside":
  // [{"value", "count"}] has NaN and the infinities; or {"kind": "values", "bins": [{"value",
  // "count"}], "others", "distinct"}, where the bins have the most frequent values. For texts also
  // "lengths", as numbers.
  Json ToJson() const;

 private:
  static Json Numbers(std::vector<double> numbers, bool whole);

  DatabaseView& view_;
  std::vector<double> numbers_, lengths_;
  bool whole_ = true;  // the numbers are integers
  std::map<std::string, uint64_t> values_;
  uint64_t none_ = 0, count_ = 0;
};

}  // namespace tenure::dbtool
