// `tenure db show`: what is at a path, for people or as JSON.
#pragma once

#include <string>

#include "dbtool/look/database_view.h"

namespace tenure::dbtool {

struct ShowOptions {
  uint64_t limit = 20;  // of entries, elements and fields' parts that are shown
  bool json = false;
};

// Adds to *out what is at the path; an empty one: the root and the names. False: the path is wrong,
// which *problem says. kNotFound, kCorrupt: nothing is there, or it cannot be read.
Result<bool> ShowPath(DatabaseView& view, const std::string& path, const ShowOptions& options,
                      std::string* out, QueryProblem* problem);

// What a value is, on one line: as Values::Text, with the number of a container's entries.
std::string Describe(DatabaseView& view, const Datum& value, const ShowLimits& limits);

}  // namespace tenure::dbtool
