// Actions for the end of the program: the library flushes its streams, databases are closed.
#pragma once

namespace tenure::runtime {

// The action runs at the normal end, at exit, and before a run-time error is reported. The action
// registered last runs first. Any thread.
void RegisterExitAction(void (*action)());

// Runs each registered action once. If an action fails and thereby ends the program again, the
// remaining actions still run.
void RunExitActions();

// Writes the buffers of C's streams; only the first call does. Must precede the final stop of the
// other threads, since a stopped thread may have a stream's lock.
void FlushAtTheEnd();

// The first thread that calls this ends the process; other callers wait here for the end. The same
// thread may call again.
void ClaimTheEnd();

// Called by an action that fails: an exit status of 0 becomes 1.
void FailAtTheEnd();

// Runs the actions and ends the process with this status. Nothing after main runs: other threads
// may still use what C++ destructors would destroy.
[[noreturn]] void ExitProcess(int status);

// Notes that a write to the standard output or standard error found a pipe without a reader. Any
// thread.
void NoteUnreadOutput();
bool OutputIsUnread();

// Ends the process as a pipe without a reader ends other command line tools: runs the exit actions,
// writes nothing more, and dies of SIGPIPE.
[[noreturn]] void EndUnread();

}  // namespace tenure::runtime
