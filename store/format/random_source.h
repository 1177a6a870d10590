// The system's random numbers, which name stores, databases and commits.
#pragma once

#include <cstddef>

#include "base/result.h"

namespace tenure::store {

// Fills memory from the system call, or from the device if the system call is missing (old kernels,
// filters of system calls). Fails, with both reasons, if the device is missing as well. Any thread.
Status FillRandom(void* to, size_t bytes);

// Called before a store is opened: without random numbers no commit gets an id, and NewUuid and
// NewCommitId (page_server.h) end the process.
Status CheckRandomSource();

}  // namespace tenure::store
