// References between databases, of one store or of several.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"
#include "store/server/verifier.h"

namespace tenure::dbtool {

struct ImportsReport {
  // Entries that lead to no object, or to one that may not stand where they are used: in words.
  std::vector<std::string> problems;
  // The stores that could not be looked at, and why.
  std::vector<std::string> unknown;
};

// Follows the entries of the database's import table that `found` says are used, and entries behind
// the end of the table. The other stores are found from the store's `path`, and are opened
// meanwhile, and recovered if necessary. With an empty path other stores are not looked at.
Result<ImportsReport> CheckImports(store::PageServer& server, const std::string& path,
                                   store::DatabaseId database, const store::VerifyReport& found);

}  // namespace tenure::dbtool
