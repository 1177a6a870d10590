// Independent pieces of work on several processors.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tenure::compiler {

// Calls `work(i)` for each i below `count`, in up to `processes` copies of this process: what the
// work leaves must be files. It returns an empty string, or what is wrong. Returns the first of
// what went wrong, by i; work that was begun by then is completed.
std::string ForEachInParallel(size_t count, int processes,
                              const std::function<std::string(size_t)>& work);

}  // namespace tenure::compiler
