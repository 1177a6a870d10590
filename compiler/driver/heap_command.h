// `tenure heap FILE`: what a snapshot of a heap (@M3heapsnapshot) tells. The format is described in
// runtime/heap_snapshot.h.
#pragma once

#include <string>

namespace tenure::compiler {

struct HeapCommand {
  std::string file;
  std::string type;  // only objects of this type among the retainers; empty: of all
  int top = 10;      // how many types and retainers
};

// Prints objects and bytes by type, and the objects that retain most (all that would go with them),
// each with a shortest path from a root. Returns an ExitCode.
int ReportHeap(const HeapCommand& command);

}  // namespace tenure::compiler
