#include "stabilize/store.h"

#include <cerrno>
#include <utility>

#include "stabilize/bdb_page_server.h"
#include "stabilize/failing_page_server.h"
#include "stabilize/memory_page_server.h"
#include "stabilize/remote_page_server.h"
#include "stabilize/status_text.h"
#include "stabilize/store_io.h"

namespace tenure::stabilize {

namespace {

template <typename Server>
Result<std::unique_ptr<PageServer>> WithFaults(Result<std::unique_ptr<Server>> server,
                                               const FailPoint& point) {
  if (!server.ok()) return server.status();
  if (point.kind == FailPointKind::kNone) return std::unique_ptr<PageServer>(*std::move(server));
  return std::unique_ptr<PageServer>(
      std::make_unique<FailingPageServer>(*std::move(server), point));
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
    default: return false;
  }
}

Result<std::unique_ptr<PageServer>> OpenStore(const std::string& path,
                                              const StoreOptions& options) {
  switch (options.kind) {
    case PageServerKind::kBdb: {
      int error = 0;
      if (RemotePageServer::IsServed(path, &error)) {
        if (options.mode == OpenMode::kCreate) {
          return Failure(StatusCode::kExists, "store " + path + " exists already");
        }
        return WithFaults(RemotePageServer::Connect(path), options.fail);
      }
      if (error == EACCES) {
        return Failure(StatusCode::kPermission,
                       "store " + path +
                           " is another user's: permission denied (its owner can share it with "
                           "tenure serve --group)",
                       EACCES);
      }
      BdbOptions bdb = options.bdb;
      // The same operations in every run.
      if (PlanIoFault(options.fail)) bdb.checkpoint_thread = false;
      return WithFaults(BdbPageServer::Open(path, options.mode, bdb), options.fail);
    }
    case PageServerKind::kMemory:
      return WithFaults(MemoryPageServer::Open(path, options.mode), options.fail);
  }
  TN_UNREACHABLE();
}

}  // namespace tenure::stabilize
