#include "store/open.h"

#include <cerrno>
#include <utility>

#include "base/check.h"
#include "store/bdb/bdb_page_server.h"
#include "store/faults/failing_page_server.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/remote/remote_page_server.h"
#include "store/server/memory_page_server.h"

namespace tenure::store {

namespace {

template <typename Server>
Result<std::unique_ptr<PageServer>> WithFaults(Result<std::unique_ptr<Server>> server,
                                               const FailPoint& point) {
  if (!server.ok()) return server.status();
  if (point.kind == FailPointKind::kNone) return std::unique_ptr<PageServer>(*std::move(server));
  return std::unique_ptr<PageServer>(
      std::make_unique<FailingPageServer>(*std::move(server), point));
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

// The same operations in every run, if one of them is to fail.
BdbOptions WithPlannedFault(const StoreOptions& options) {
  BdbOptions bdb = options.bdb;
  if (PlanIoFault(options.fail)) bdb.checkpoint_thread = false;
  return bdb;
}

}  // namespace

bool PlanIoFault(const FailPoint& point) {
  switch (point.kind) {
    case FailPointKind::kCrash: SetIoFault(IoFault::kCrash, point.count); return true;
    case FailPointKind::kCrashTorn: SetIoFault(IoFault::kCrashTorn, point.count); return true;
    case FailPointKind::kCrashUnsynced:
      SetIoFault(IoFault::kCrashUnsynced, point.count);
      return true;
    case FailPointKind::kCrashHalfSynced:
      SetIoFault(IoFault::kCrashHalfSynced, point.count);
      return true;
    case FailPointKind::kIoNoSpace: SetIoFault(IoFault::kError, point.count, ENOSPC); return true;
    case FailPointKind::kIoError: SetIoFault(IoFault::kError, point.count, EIO); return true;
    case FailPointKind::kLookError: SetLookFault(point.count, EIO); return true;
    case FailPointKind::kLookNoMemory: SetLookFault(point.count, ENOMEM); return true;
    default: return false;
  }
}

Result<std::unique_ptr<PageServer>> OpenStore(const std::string& path,
                                              const StoreOptions& options) {
  switch (options.kind) {
    case PageServerKind::kBdb: {
      const Result<bool> served = IsServed(path);
      if (!served.ok()) return served.status();
      if (*served) {
        if (options.mode == OpenMode::kCreate) return ExistsAlready(path);
        return WithFaults(RemotePageServer::Connect(path), options.fail);
      }
      return WithFaults(BdbPageServer::Open(path, options.mode, WithPlannedFault(options)),
                        options.fail);
    }
    case PageServerKind::kMemory:
      return WithFaults(MemoryPageServer::Open(path, options.mode), options.fail);
  }
  TN_UNREACHABLE();
}

Status CreateStore(const std::string& path, const std::string& database,
                   const StoreOptions& options) {
  TN_CHECK(options.kind == PageServerKind::kBdb);
  const Result<bool> served = IsServed(path);
  if (!served.ok()) return served.status();
  if (*served) return ExistsAlready(path);
  return BdbPageServer::Create(path, database, WithPlannedFault(options));
}

}  // namespace tenure::store
