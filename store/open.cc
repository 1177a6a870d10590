#include "store/open.h"

#include <utility>

#include "base/check.h"
#include "store/bdb/bdb_page_server.h"
#include "store/format/status_text.h"
#include "store/remote/remote_page_server.h"
#include "store/server/memory_page_server.h"

namespace tenure::store {

namespace {

template <typename Server>
Result<std::unique_ptr<PageServer>> WithFaults(Result<std::unique_ptr<Server>> server,
                                               const StoreOptions& options) {
  if (!server.ok()) return server.status();
  if (options.fail == nullptr) return std::unique_ptr<PageServer>(*std::move(server));
  return options.fail->InFrontOf(*std::move(server));
}

Status ExistsAlready(const std::string& path) {
  return Failure(StatusCode::kExists, "store " + path + " exists already");
}

// If an operation is to fail, every run must make the same operations: no thread makes some.
BdbOptions WithPlannedFault(const StoreOptions& options) {
  BdbOptions bdb = options.bdb;
  if (options.fail != nullptr && options.fail->PlanFileFault()) bdb.checkpoint_thread = false;
  return bdb;
}

}  // namespace

Result<std::unique_ptr<PageServer>> OpenStore(const std::string& path,
                                              const StoreOptions& options) {
  switch (options.kind) {
    case PageServerKind::kBdb: {
      if (options.mode == OpenMode::kCreate) {
        TN_ASSIGN_OR_RETURN(const bool exists, RemotePageServer::MayBeServed(path));
        if (exists) return ExistsAlready(path);
      }
      TN_ASSIGN_OR_RETURN(std::unique_ptr<RemotePageServer> served,
                          RemotePageServer::ConnectIfServed(path));
      if (served != nullptr) {
        return WithFaults(Result<std::unique_ptr<RemotePageServer>>(std::move(served)), options);
      }
      return WithFaults(BdbPageServer::Open(path, options.mode, WithPlannedFault(options)),
                        options);
    }
    case PageServerKind::kMemory:
      return WithFaults(MemoryPageServer::Open(path, options.mode), options);
  }
  TN_UNREACHABLE();
}

Status CreateStore(const std::string& path, const std::string& database,
                   const StoreOptions& options) {
  TN_CHECK(options.kind == PageServerKind::kBdb);
  TN_ASSIGN_OR_RETURN(const bool served, RemotePageServer::MayBeServed(path));
  if (served) return ExistsAlready(path);
  return BdbPageServer::Create(path, database, WithPlannedFault(options));
}

}  // namespace tenure::store
