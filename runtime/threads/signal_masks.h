// Signals that compiled code cannot do without: those of memory faults and arithmetic traps, and
// those that stop a thread for a collection. A thread that had blocked them would be killed by the
// system at its first access to a page of a database, or would keep all others waiting.
//
// So this program's pthread_sigmask and sigprocmask, also for C code and shared libraries, leave
// these signals as they are: unblocked, but for a stop while a fault is handled. System calls that
// C code makes by itself, and the masks of C's signal handlers, go past them.
#pragma once

namespace tenure::runtime {

// Unblocks them in this thread: it may have inherited its mask from another program.
void UnblockNeededSignals();

}  // namespace tenure::runtime
