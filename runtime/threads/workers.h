// Workers: a few kernel threads that run the threads of the library (Thread.T), each on a stack of
// its own. Where a thread waits for a word (FutexWait, base/futex.h), its worker switches to the
// next thread that can run, without a call of the kernel; the thread goes on when it is woken, on
// whichever worker is free.
//
// A thread that waits elsewhere (in a system call, in a fault handler, in C code), or that computes
// for long, keeps its worker. A monitor looks now and then whether threads can run while workers
// are kept so, and gives them another worker.
//
// Without Workers::Use, and for threads that C code has made, each thread is a kernel thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <map>

#include "abi/object_header.h"
#include "base/result.h"
#include "gc/heap.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/thread_stacks.h"
#include "runtime/threads/threads_mode.h"

namespace tenure::runtime {

// What workers need to carry a thread.
struct Carried {
  enum class State : uint8_t {
    kActive,   // runs, or can run
    kParking,  // is in the list of waiting threads, and about to leave its worker
    kParked,   // has left
    kWoken,    // was taken out of that list
  };

  explicit Carried(Mutator& of) : mutator(of) {}

  Mutator& mutator;
  void* stack_pointer = nullptr;  // while no worker runs the thread
  ThreadStack stack;              // none: that of the first thread
  void (*run)(abi::Ref thread) = nullptr;
  const void* last_worker = nullptr;
  Carried* next_ready = nullptr;

  // While the thread waits for a word; with the lock of the word's bucket.
  const void* word = nullptr;
  Carried *before_waiting = nullptr, *next_waiting = nullptr;
  bool is_listed = false, timed_out = false;
  std::atomic<State> state{State::kActive};

  // Its deadline, with the timers' lock.
  using Timers = std::multimap<int64_t, Carried*>;  // by nanoseconds of CLOCK_MONOTONIC
  bool has_timer = false;
  Timers::iterator timer;
};

class Workers {
 public:
  // From here on workers carry the calling thread, which is the program's first, and all that
  // Start starts. Before any other thread. Not for kKernel.
  static Status Use(const ThreadsMode& mode);
  static bool InUse();
  // Whether the first thread has never started another.
  static bool IsAlone();

  // Runs run(thread) on a new thread, which works in the transaction. 0, or the system's error.
  static int Start(abi::Ref thread, void (*run)(abi::Ref thread), uint64_t stack_bytes,
                   uint64_t transaction);
  // Lets other threads run, if any can. In a SafeRegion.
  static void Yield();
  // The calling thread has just woken one that waits for a lock: lets others run, at most once in a
  // while, so that a thread which takes the lock again at once does not keep it for ever.
  static void GiveWay();
  // In a SafeRegion: waits until the deadline (CLOCK_MONOTONIC).
  static void Pause(const timespec& deadline);

  // A thread has begun to wait for a file, the first one.
  static void FilesAreAwaitedNow();

  // In the child of a fork: the calling thread is a kernel thread from here on, as are those that
  // it starts.
  static void ForgetInChild(gc::Heap& heap);
};

}  // namespace tenure::runtime
