// References between the databases of one store.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::dbtool {

// The entries of the database's import table that lead to no object of a database of this store,
// though they name one of it: each in words. Only those that `used` has, by number - 1; entries
// behind its end are used. What is in other stores is not looked at.
Result<std::vector<std::string>> BrokenImports(store::PageServer& server,
                                               store::DatabaseId database,
                                               const std::vector<bool>& used);

}  // namespace tenure::dbtool
