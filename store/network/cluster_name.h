// Names of stores of a cluster: `tenure://HOST[:PORT][,...]/STORE`, and directories with a file
// CLUSTER that stand for them.
//
// The file has lines `KEY = VALUE` and comments behind '#': `servers` (separated by blanks or
// commas), `store`, `ca`, `certificate`, `key` (paths, relative to the file's directory) and
// `patience` (seconds). A URI takes ca, certificate, key and patience from the file that
// $TENURE_CLUSTER names, or ~/.config/tenure/cluster.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/network/tcp.h"
#include "store/network/tls_context.h"
#include "store/server/store_path.h"

namespace tenure::store {

inline constexpr const char* kClusterFile = "CLUSTER";

// How programs reach a store of a cluster.
struct ClusterName {
  std::vector<HostPort> servers;  // nodes of the group; any of them knows the leader
  std::string store;
  TlsFiles tls;
  std::chrono::seconds patience{60};  // for a leader to be found, and for outcomes

  // Equal for names that differ in TLS files and patience only.
  std::string uri() const;
};

// Whether it is a directory with a file CLUSTER.
bool HasClusterFile(const std::string& directory);
// Whether either.
bool IsClusterStore(const std::string& path);

// The store that a URI without a database, or a directory with a file CLUSTER, names. kNotFound,
// kInvalidArgument, kIo, kPermission: the text says which file and line is wrong, or which file is
// missing.
Result<ClusterName> ReadClusterName(const std::string& path);

// The URI of the store that the directory stands for, whose other settings this process uses for
// the URI from now on; the path itself if the directory has no such file or the file is wrong. Any
// thread.
std::string ClusterUriOf(const std::string& directory);

// Sets the files that URIs without settings of their own use, instead of those in $TENURE_CLUSTER:
// for nodes.
void UseForClusterUris(const TlsFiles& tls);

}  // namespace tenure::store
