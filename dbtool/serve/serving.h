// The part of `tenure db stat` about the server of a store: clients, what they hold, who waits for
// whom.
#pragma once

#include <string>

#include "base/result.h"
#include "dbtool/values/json.h"
#include "store/remote/serving_report.h"

namespace tenure::dbtool {

// Asks through a connection of its own, without waiting for permissions. kNotFound: the store is
// not served.
Result<store::ServingReport> AskServer(const std::string& directory);
// Writes to standard output, and flushes at once.
void PrintServing(const std::string& directory, const store::ServingReport& report);
// Times in seconds.
Json JsonOf(const store::ServingReport& report);

}  // namespace tenure::dbtool
