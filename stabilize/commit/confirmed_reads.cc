#include "stabilize/commit/confirmed_reads.h"

#include <algorithm>
#include <vector>

namespace tenure::stabilize {

// A transaction takes place at a moment at which it holds all pages that it has read or will write.
// A server that it writes to says at prepare or commit that it held all until then. With one
// server, nobody need be asked: if that server cut the program off, the program held all pages
// until then, and has read nothing new since. With several servers, one may have cut the program
// off before another one granted something; so all must say that they have not, after the last
// permission was granted. Nobody knows which servers' pages were only read, so each server counts
// from which the program holds a permission.
Status ConfirmReads(SessionState& session, std::span<const OpenStoreState* const> written) {
  std::vector<PageServer*> others;
  size_t shared = 0;
  for (auto& store : session.stores) {
    PageServer* const server = store->server.get();
    if (server == nullptr || !server->capabilities().shared) continue;
    const bool writes = std::find(written.begin(), written.end(), store.get()) != written.end();
    if (!writes && !server->HoldsPermissions()) continue;
    ++shared;
    if (!writes) others.push_back(server);
  }
  if (shared < 2) return Status::Ok();
  for (PageServer* const server : others) TN_RETURN_IF_ERROR(server->Confirm());
  return Status::Ok();
}

}  // namespace tenure::stabilize
