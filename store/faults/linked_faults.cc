#include "store/faults/linked_faults.h"

#include <cerrno>
#include <utility>

#include "store/faults/failing_page_server.h"
#include "store/faults/io_faults.h"

namespace tenure::store {

namespace {

class FaultsOfPoint final : public StoreFaults {
 public:
  explicit FaultsOfPoint(const FailPoint& point) : point_(point) {}

  bool PlanFileFault() const override {
    const uint64_t at = point_.count;
    switch (point_.kind) {
      case FailPointKind::kCrash: SetIoFault(IoFault::kCrash, at); return true;
      case FailPointKind::kCrashTorn: SetIoFault(IoFault::kCrashTorn, at); return true;
      case FailPointKind::kCrashUnsynced: SetIoFault(IoFault::kCrashUnsynced, at); return true;
      case FailPointKind::kCrashHalfSynced: SetIoFault(IoFault::kCrashHalfSynced, at); return true;
      case FailPointKind::kCrashSomeSynced: SetIoFault(IoFault::kCrashSomeSynced, at); return true;
      case FailPointKind::kCrashLied: SetIoFault(IoFault::kCrashLied, at); return true;
      case FailPointKind::kCrashSomeLied: SetIoFault(IoFault::kCrashSomeLied, at); return true;
      case FailPointKind::kIoNoSpace: SetIoFault(IoFault::kError, at, ENOSPC); return true;
      case FailPointKind::kIoError: SetIoFault(IoFault::kError, at, EIO); return true;
      case FailPointKind::kLookError: SetLookFault(at, EIO); return true;
      case FailPointKind::kLookNoMemory: SetLookFault(at, ENOMEM); return true;
      default: return false;
    }
  }

  std::unique_ptr<PageServer> InFrontOf(std::unique_ptr<PageServer> server) const override {
    return std::make_unique<FailingPageServer>(std::move(server), point_);
  }

 private:
  const FailPoint point_;
};

Result<std::shared_ptr<const StoreFaults>> Parse(std::string_view text) {
  TN_ASSIGN_OR_RETURN(const FailPoint point, ParseFailPoint(text));
  return FaultsAt(point);
}

constexpr FaultOption kOption{Parse, FailPointHelp};

[[maybe_unused]] const bool linked = (LinkFaultOption(&kOption), true);

}  // namespace

std::shared_ptr<const StoreFaults> FaultsAt(const FailPoint& point) {
  if (point.kind == FailPointKind::kNone) return nullptr;
  return std::make_shared<FaultsOfPoint>(point);
}

}  // namespace tenure::store

extern "C" void tn_linked_faults() {}
