// The door of a node: connections of programs, with TLS.
#pragma once

#include <memory>

#include "node/group_member.h"
#include "store/network/tls_context.h"
#include "store/postgres/postgres_engine.h"

namespace tenure::node {

struct Entrance {
  GroupMember& member;
  store::PostgresEngine& grants;
  std::shared_ptr<const store::TlsContext> tls;
};

// Serves connections to `listener` until `ending` (a signalfd) can be read; then closes the
// listener. Connections may go on in threads of their own until the member has stopped and
// AwaitThreads has returned.
void ServeEntrance(const Entrance& entrance, int listener, int ending);
void AwaitThreads();

}  // namespace tenure::node
