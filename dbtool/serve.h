#pragma once

#include <string>
#include <vector>

namespace tenure::dbtool {

// `tenure serve WORDS`: serves the store until SIGTERM or SIGINT
// (docs/page_server.md). The exit status (base/exit_status.h).
int Serve(const std::vector<std::string>& words);

}  // namespace tenure::dbtool
