// Paths of stores, names of databases, and how one store says where another is.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tenure::store {

// What Database.Open takes: "DIR", or "DIR:NAME" for a database of that name.
struct StorePath {
  std::string store;
  std::string database;  // empty: none is named
  bool named = false;
};

// The last colon is taken for the one before NAME unless a slash follows it, or a directory has the
// whole path.
StorePath SplitStorePath(std::string_view path);

// Ok, or kInvalidArgument: see PageServer::OpenDatabase.
Status CheckDatabaseName(std::string_view name);

// What names of stores of a cluster begin with (store/network/cluster_name.h).
inline constexpr std::string_view kClusterScheme = "tenure://";
bool IsClusterUri(std::string_view path);

// The path of a store as an entry of a database in store `from` has it, and the inverse. Both are
// absolute, or URIs. A URI is noted as it is, and so is a path in a store that has a URI.
std::string StoreHint(const std::string& from, const std::string& store);
std::string StoreOfHint(const std::string& from, const std::string& hint);

}  // namespace tenure::store
