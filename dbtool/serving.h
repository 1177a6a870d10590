// What `tenure db stat` tells of the server of a store: clients, what they hold, who waits for
// whom.
#pragma once

#include <string>

#include "base/result.h"
#include "dbtool/json.h"
#include "store/remote/serving_report.h"

namespace tenure::dbtool {

// By a connection of its own, which needs no permission: nobody is waited for. kNotFound: the store
// is not served.
Result<store::ServingReport> AskServer(const std::string& directory);
// On standard output, and written there at once.
void PrintServing(const std::string& directory, const store::ServingReport& report);
// Times in seconds.
Json JsonOf(const store::ServingReport& report);

}  // namespace tenure::dbtool
