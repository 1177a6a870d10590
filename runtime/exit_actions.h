// Actions for the end of the program: the library flushes its streams, databases are closed.
#pragma once

namespace tenure::runtime {

// Runs at the normal end, at exit and before a run-time error is reported. The last registered runs
// first. Any thread.
void RegisterExitAction(void (*action)());

// Runs what is registered, each action once, also when one of them fails and ends the program in
// its turn.
void RunExitActions();

// Writes what C's streams have buffered; the first call does. Before the other threads are stopped
// for good, since a stopped one may have a stream's lock.
void FlushAtTheEnd();

// Lets one thread end the process; others that come wait here for that. The same thread may come
// again.
void ClaimTheEnd();

// What an action that fails says: a status of 0 becomes 1.
void FailAtTheEnd();

// Runs the actions and ends the process with this status. Nothing after main runs: other threads
// may still use what C++ destructors would destroy.
[[noreturn]] void ExitProcess(int status);

}  // namespace tenure::runtime
