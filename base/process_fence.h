// A memory barrier of all threads of the process, so that the side of an agreement that runs often
// needs none.
#pragma once

namespace tenure {

// When this returns true, each running thread of the process has executed a full memory barrier
// since the call began. False: the system has no such call (membarrier(2)). Any thread; allowed in
// signal handlers; leaves errno alone.
bool FenceAllThreads();
// Whether FenceAllThreads works here.
bool CanFenceAllThreads();

}  // namespace tenure
