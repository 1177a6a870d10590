// The command line of `tenure node`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/network/tls_context.h"
#include "store/postgres/postgres_engine.h"
#include "store/serve/service_peer.h"

namespace tenure::node {

enum class NodeCommand : uint8_t { kServe, kInit, kCreate, kGrant, kStat };

struct NodeOptions {
  NodeCommand command = NodeCommand::kServe;
  std::string group;
  bool allow_asynchronous = false;
  std::string listen, name, address;
  store::TlsFiles tls;
  double lease_seconds = 4;
  uint32_t session_timeout = 300;  // seconds
  uint64_t cache_bytes = 0;        // for pages of each store; 0: the default
  std::string store, subject, owner;
  store::StoreRole role = store::StoreRole::kNone;

  store::PostgresOptions postgres() const;
};

// Returns -1 if the node should start. Otherwise prints the help or the error, and returns a
// status.
int ParseNodeOptions(const std::vector<std::string>& words, NodeOptions* options);

}  // namespace tenure::node
