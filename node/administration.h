// The commands by which an administrator manages the stores of a group, through the group's own
// connection.
#pragma once

#include <string>

#include "store/postgres/postgres_engine.h"
#include "store/serve/service_peer.h"

namespace tenure::node {

// Each reports its work, or an error, and returns the exit status (base/exit_status.h).

int InitGroup(const store::PostgresOptions& group);
// `owner`: the subject that gets the role owner; empty: none yet.
int CreateGroupStore(const store::PostgresOptions& group, const std::string& store,
                     const std::string& owner);
int GrantRole(const store::PostgresOptions& group, const std::string& store,
              const std::string& subject, store::StoreRole role);
int PrintGroup(const store::PostgresOptions& group);

// "tenure node: TEXT" on stderr; kExitEnvironment.
int Refuse(const std::string& text);

}  // namespace tenure::node
