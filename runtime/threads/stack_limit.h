// The main thread's stack grows up to a limit of the system.
#pragma once

namespace tenure::runtime {

// Sets a limit on the main stack: without one an endless recursion would take all memory of the
// machine before it is a stack overflow. A smaller limit of the system stays. Before any mutator.
void BoundMainStack();

}  // namespace tenure::runtime
