// Waits for sockets, pipes and terminals by threads that workers carry (workers.h): workers without
// other work ask the kernel for all of them together (epoll). Where no workers are in use, or the
// first thread is alone, each thread asks the kernel by itself.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace tenure::runtime {

enum class FileState : int64_t {
  kWaits = 0,  // not ready, at the time given
  kReady = 1,  // or at its end, or broken: the next call will tell
  kUnknown = 2,
  kClosed = 3,  // the descriptor is of no file
};

// Ends the wait of one thread from another. -1: no descriptor was to be had, with kernel threads.
int64_t NewWaker();
void WakeByWaker(int64_t waker);
void CloseWaker(int64_t waker);

// Waits until `fd` is ready for input (or output), for at most `seconds` (negative: without end),
// or until the waker (-1: none) was woken.
FileState AwaitFile(int fd, bool output, int64_t waker, double seconds);

// read(2) and write(2), for which the thread waits as AwaitFile does.
ssize_t ReadWhenReady(int fd, void* buffer, size_t bytes);
ssize_t WriteWhenReady(int fd, const void* buffer, size_t bytes);
// Waits before a call that would block, as AwaitFile does, unless the file is non-blocking; or
// returns at once where the call itself may wait.
void AwaitInput(int fd);
void AwaitOutput(int fd);

// --- For workers ---

// Whether a thread has waited so: then workers without work call TakeFileEvents.
bool FilesAreAwaited();
// Makes the threads ready for whose files events have come. Waits for the first event; or, not
// `waits`, only looks. InterruptFileEvents ends the wait, or the next one.
void TakeFileEvents(bool waits);
void InterruptFileEvents();

}  // namespace tenure::runtime
