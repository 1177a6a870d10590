// The system's random numbers, which name stores, databases and commits.
#pragma once

#include <cstddef>

#include "base/result.h"

namespace tenure::store {

// From the system call, or the device where that is not to be had (old kernels, filters of system
// calls). Fails, with both reasons, when the device is not there either. Any thread.
Status FillRandom(void* to, size_t bytes);

// Whoever opens a store asks this first: what cannot name a commit can do nothing with it, and
// NewUuid and NewCommitId (page_server.h) end the process.
Status CheckRandomSource();

}  // namespace tenure::store
