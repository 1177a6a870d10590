// `tenure db show`: what is at a path, for people or as JSON.
#pragma once

#include <string>

#include "dbtool/look/database_view.h"

namespace tenure::dbtool {

struct ShowOptions {
  uint64_t limit = 20;  // of entries, elements and fields' parts that are shown
  bool json = false;
};

// Adds to *out the value at the path; for an empty path the root and the names. False: the path is
// wrong, as *problem says. kNotFound, kCorrupt: the value is missing or unreadable.
Result<bool> ShowPath(DatabaseView& view, const std::string& path, const ShowOptions& options,
                      std::string* out, QueryProblem* problem);

// A value on one line: as Values::Text, with the number of a container's entries.
std::string Describe(DatabaseView& view, const Datum& value, const ShowLimits& limits);

}  // namespace tenure::dbtool
