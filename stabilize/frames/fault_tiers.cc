#include "stabilize/frames/fault_tiers.h"

namespace tenure::stabilize {

Result<std::unique_ptr<FrameMapping>> CreateFrameMapping(const MappingOptions& options) {
  FaultTier tier = options.tier;
  if (tier == FaultTier::kChoose) {
    tier = ProbeUserfaultfd().ok() ? FaultTier::kUserfaultfd : FaultTier::kMprotect;
  }
  return tier == FaultTier::kUserfaultfd ? NewUserfaultfdMapping(options)
                                         : NewMprotectMapping(options);
}

std::unique_ptr<HeapProtection> CreateHeapProtection(FaultTier tier) {
  if (tier == FaultTier::kChoose) {
    tier = ProbeUserfaultfd().ok() ? FaultTier::kUserfaultfd : FaultTier::kMprotect;
  }
  return tier == FaultTier::kUserfaultfd ? NewUserfaultfdProtection() : NewMprotectProtection();
}

}  // namespace tenure::stabilize
