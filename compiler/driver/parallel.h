// Independent pieces of work on several processors.
#pragma once

#include <cstddef>
#include <functional>

#include "compiler/driver/options.h"
#include "compiler/source/problem.h"

namespace tenure::compiler {

// How many processes a build may use: -jN, or one for each processor.
int ProcessesFor(const Options& options);

// Calls `work(i)` for each i below `count`, in up to `processes` copies of this process: the work's
// only lasting effects are on files. Returns the problem of the lowest i that had one; no more work
// begins after a problem, and work that has begun is completed.
Problem ForEachInParallel(size_t count, int processes, const std::function<Problem(size_t)>& work);

}  // namespace tenure::compiler
