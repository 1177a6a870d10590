// Makes the mappings of frame_mapping.h, of one tier or the other.
#pragma once

#include <memory>

#include "stabilize/frames/frame_mapping.h"

namespace tenure::stabilize {

// kNoMemory when addresses have run out: after some 500 mappings.
Result<std::unique_ptr<FrameMapping>> CreateFrameMapping(const MappingOptions& options);
std::unique_ptr<HeapProtection> CreateHeapProtection(FaultTier tier);

// Whether tier A works here: tried once, on real memory. The status tells what is missing.
Status ProbeUserfaultfd();

// --- the two tiers, for the functions above and for tests ---

Result<std::unique_ptr<FrameMapping>> NewUserfaultfdMapping(const MappingOptions& options);
Result<std::unique_ptr<FrameMapping>> NewMprotectMapping(const MappingOptions& options);
std::unique_ptr<HeapProtection> NewUserfaultfdProtection();
std::unique_ptr<HeapProtection> NewMprotectProtection();

}  // namespace tenure::stabilize
