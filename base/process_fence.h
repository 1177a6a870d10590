// Makes every running thread of the process execute a memory barrier (membarrier(2)), so that the
// frequent side of a protocol can do without one.
#pragma once

namespace tenure {

// When this returns true, each running thread of the process has executed a full memory barrier
// since the call began. False: the system has no such call (membarrier(2)). Any thread; allowed in
// signal handlers; leaves errno alone.
bool FenceAllThreads();
// Whether FenceAllThreads works here.
bool CanFenceAllThreads();

// The same for threads that run the program's own code. At once if the program says that no other
// thread does.
bool FenceRunningThreads();
// From now on FenceRunningThreads asks others_run() whether a thread other than the calling one may
// be running the program's own code. After false: what such threads have stored is visible to the
// calling thread, and what the calling thread has stored is visible to them when their code goes
// on.
void AskBeforeFences(bool (*others_run)());

}  // namespace tenure
