// The two implementations of frame_mapping.h. Private to it and to tests.
#pragma once

#include <memory>

#include "stabilize/frames/frame_mapping.h"

namespace tenure::stabilize {

Result<std::unique_ptr<FrameMapping>> NewUserfaultfdMapping(const MappingOptions& options);
Result<std::unique_ptr<FrameMapping>> NewMprotectMapping(const MappingOptions& options);
std::unique_ptr<HeapProtection> NewUserfaultfdProtection();
std::unique_ptr<HeapProtection> NewMprotectProtection();

}  // namespace tenure::stabilize
