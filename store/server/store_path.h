// Paths of stores, names of databases, and how one store says where another is.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tenure::store {

// The argument of Database.Open: "DIR", or "DIR:NAME" for a database of that name.
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

// The beginning of the URIs of a cluster's stores (store/network/cluster_name.h).
inline constexpr std::string_view kClusterScheme = "tenure://";
bool IsClusterUri(std::string_view path);

// The path of `store` as an entry of a database in store `from` records it, and the inverse. Both
// are absolute, or URIs. A URI is recorded unchanged, and so is a path in a store that has a URI.
std::string StoreHint(const std::string& from, const std::string& store);
std::string StoreOfHint(const std::string& from, const std::string& hint);

}  // namespace tenure::store
