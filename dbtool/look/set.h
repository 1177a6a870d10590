// `tenure db set`: changes one value, in a transaction.
#pragma once

#include <string>

#include "dbtool/look/database_view.h"

namespace tenure::dbtool {

struct SetResult {
  std::string before, after;  // the value, for people
};

// Changes the value at the path: `value` is an expression of the query language, or JSON for
// records. Nothing: the path or the value is wrong, and the problem says how. With `dry_run`
// everything is checked and nothing is written. In a served store the caller has begun a
// transaction (ReadAtOneMoment): kConflict says that it must begin again.
struct SetProblem {
  QueryProblem problem;
  std::string text;  // that the problem's place is in
};
Result<std::optional<SetResult>> SetValue(OpenedStore& store, DatabaseView& view,
                                          const std::string& path, const std::string& value,
                                          bool dry_run, SetProblem* problem);

}  // namespace tenure::dbtool
