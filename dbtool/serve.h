#pragma once

#include <string>
#include <vector>

namespace tenure::dbtool {

// `tenure serve WORDS`: serves the store until SIGTERM or SIGINT
// (docs/page_server.md). The exit status: 0; 1 when the store cannot be served; 2 for a wrong
// command line.
int Serve(const std::vector<std::string>& words);

}  // namespace tenure::dbtool
