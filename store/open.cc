#include "store/open.h"

#include <cerrno>
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

// Whether another process serves the store.
Result<bool> IsServed(const std::string& path) {
  int error = 0;
  if (RemotePageServer::IsServed(path, &error)) return true;
  if (error != EACCES) return false;
  return Failure(StatusCode::kPermission,
                 "store " + path +
                     " is another user's: permission denied (its owner can share it with "
                     "tenure serve --group)",
                 EACCES);
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
      TN_ASSIGN_OR_RETURN(const bool served, IsServed(path));
      if (served) {
        if (options.mode == OpenMode::kCreate) return ExistsAlready(path);
        return WithFaults(RemotePageServer::Connect(path), options);
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
  TN_ASSIGN_OR_RETURN(const bool served, IsServed(path));
  if (served) return ExistsAlready(path);
  return BdbPageServer::Create(path, database, WithPlannedFault(options));
}

}  // namespace tenure::store
