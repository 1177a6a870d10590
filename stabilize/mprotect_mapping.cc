// Tier B: mprotect. Works everywhere; each protection that differs from its neighbour's costs the
// kernel a mapping, of which there may be 65,530.
#include <sys/mman.h>

#include <cerrno>

#include "stabilize/fault_tiers.h"
#include "stabilize/status_text.h"

namespace tenure::stabilize {

namespace {

int ProtectionOf(Access access) {
  switch (access) {
    case Access::kNone: return PROT_NONE;
    case Access::kRead: return PROT_READ;
    case Access::kWrite: return PROT_READ | PROT_WRITE;
  }
  return PROT_NONE;
}

Status Protect(void* begin, size_t bytes, int protection) {
  if (mprotect(begin, bytes, protection) == 0) return Status::Ok();
  if (errno == ENOMEM) {
    return Failure(StatusCode::kNoMemory,
                   "too many page protections for this kernel (vm.max_map_count); use "
                   "@M3faults=uffd where it works");
  }
  return SystemFailure(errno, "cannot protect a database's pages");
}

class MprotectMapping : public FrameMapping {
 public:
  Status Initialize(const MappingOptions& options) { return Map(options, PROT_NONE); }
  Status SetAccess(char* frame, size_t pages, Access, Access to) override {
    return Protect(frame, pages * abi::kPageBytes, ProtectionOf(to));
  }
  FaultTier tier() const override { return FaultTier::kMprotect; }
};

class MprotectProtection : public HeapProtection {
 public:
  Status SetWritable(void* page, size_t pages, bool writable) override {
    return Protect(page, pages * abi::kPageBytes,
                   ProtectionOf(writable ? Access::kWrite : Access::kRead));
  }
};

}  // namespace

Result<std::unique_ptr<FrameMapping>> NewMprotectMapping(const MappingOptions& options) {
  auto mapping = std::make_unique<MprotectMapping>();
  TN_RETURN_IF_ERROR(mapping->Initialize(options));
  return std::unique_ptr<FrameMapping>(std::move(mapping));
}

std::unique_ptr<HeapProtection> NewMprotectProtection() {
  return std::make_unique<MprotectProtection>();
}

}  // namespace tenure::stabilize
