// The starter of a process hands its ignored and its blocked signals on. Some starters (schedulers,
// supervisors, containers' first processes) ignore SIGCHLD, so that waiting for a child finds none
// and its status is lost; others were blocking signals at that moment.
#pragma once

namespace tenure {

// SIGCHLD has its default action, and no signal is blocked in the calling thread. Before the
// process starts a thread or a child.
void ResetInheritedSignals();

}  // namespace tenure
