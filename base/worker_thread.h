// Threads of the run time's own.
#pragma once

#include <pthread.h>

#include <functional>

namespace tenure {

// A thread of the run time's own, which takes no signals (base/signals_blocked.h). That the system
// makes no more threads (their number is limited, memory is out) is an answer; std::thread would
// end the process. One thread at a time uses the object.
class WorkerThread {
 public:
  WorkerThread() = default;
  ~WorkerThread() { Join(); }
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  // Runs `work` on a thread. False: no thread could be started, and `work` does not run. Not while
  // one is started.
  [[nodiscard]] bool Start(std::function<void()> work);
  // Since the last Join.
  bool started() const { return started_; }
  // Waits for the end of `work`; nothing to do if none is started.
  void Join();

  // Called in a forked child, where the thread does not exist.
  void Forget() { started_ = false; }

  // The same for a thread that is never joined.
  [[nodiscard]] static bool StartDetached(std::function<void()> work);

 private:
  pthread_t thread_ = {};
  bool started_ = false;
};

}  // namespace tenure
