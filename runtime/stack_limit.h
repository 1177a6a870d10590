// The main thread's stack grows up to a limit of the system.
#pragma once

namespace tenure::runtime {

// Without a limit a recursion that does not end would take all memory of the machine before it is a
// stack overflow: sets one for this process. A limit that there is and that is not larger stays.
// Before any mutator.
void BoundMainStack();

}  // namespace tenure::runtime
