// Makes the faults of this folder available to programs that open stores (store_faults.h). A
// program that is linked with this file takes @M3dbfail=POINT:N; a command line for the linker asks
// for the file with --undefined=tn_linked_faults.

#pragma once

#include <memory>

#include "store/faults/fail_point.h"
#include "store/server/store_faults.h"

namespace tenure::store {

// Null for FailPointKind::kNone.
std::shared_ptr<const StoreFaults> FaultsAt(const FailPoint& point);

}  // namespace tenure::store

extern "C" void tn_linked_faults();
