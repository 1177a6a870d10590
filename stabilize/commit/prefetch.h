// Prefetches memory that a commit is about to need.
#pragma once

#include <cstddef>

#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// What the displaced objects behind number `next` need when they are reached.
void PrefetchNext(const SessionState& session, size_t next);
// The same for all targets of an object of many references.
void PrefetchTargets(const SessionState& session, const abi::TypeDescriptor& type, void* payload);

}  // namespace tenure::stabilize
