// `tenure heap FILE`: reports on a snapshot of a heap (@M3heapsnapshot). The format is described in
// runtime/reports/heap_snapshot.h.
#pragma once

#include <string>

namespace tenure::compiler {

// Prints objects and bytes by type, and the objects that retain most (objects that would be freed
// with them), each with a shortest path from a root: `top` types and `top` objects. If `type` is
// not empty, only objects of this type are listed as retainers. Returns an ExitStatus; errors are
// printed.
int ReportHeap(const std::string& file, const std::string& type, int top);

}  // namespace tenure::compiler
