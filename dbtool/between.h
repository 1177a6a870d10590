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
  // What could not be looked at, and why.
  std::vector<std::string> unknown;
};

// Follows the entries of the database's import table that `found` says are used; entries behind the
// end of what it says are. `path` is the store's, from which others are found; they are opened, and
// recovered if need be, meanwhile. Empty: what is in other stores is not looked at.
Result<ImportsReport> CheckImports(store::PageServer& server, const std::string& path,
                                   store::DatabaseId database, const store::VerifyReport& found);

}  // namespace tenure::dbtool
