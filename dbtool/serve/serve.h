// The command `tenure serve`: the process of a page server.
#pragma once

#include <string>
#include <vector>

#include "dbtool/values/json.h"

namespace tenure::dbtool {

// `tenure serve WORDS`: serves the store until SIGTERM or SIGINT (docs/page_server.md). Returns the
// exit status (base/exit_status.h).
int Serve(const std::vector<std::string>& words);

// The options of `tenure serve` (commands/table.h).
Json ServeTable();

}  // namespace tenure::dbtool
