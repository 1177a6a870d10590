// One processor for threads that work in turns.
//
// Threads of which only one works at a time, each for some microseconds, are faster on one
// processor than on several: there the turn wakes a thread on another processor, which takes an
// interrupt, the data of the work moves from cache to cache, and each change of a page's protection
// interrupts the other processor. The system cannot know that such threads do not work at the same
// time, and spreads them.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>

#include "base/mutex.h"

namespace tenure {

// Any thread. One that may be stopped with the world holds stops during Join and LeaveHere,
// since a thread that has stopped the world may call LeaveHere.
class SharedProcessor {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    // A member that works longer than this without a new turn is let go: other members may have
    // work for other processors.
    Clock::duration longest_work = std::chrono::milliseconds(5);
    // After this time all members are let go, for `pause`, so that the system can place them by the
    // load of the processors. The first that then joins chooses the processor anew.
    Clock::duration choice_lasts = std::chrono::seconds(1);
    Clock::duration pause = std::chrono::milliseconds(10);
  };

  SharedProcessor() = default;
  explicit SharedProcessor(const Limits& limits) : limits_(limits) {}
  // Its members have left.
  ~SharedProcessor();
  SharedProcessor(const SharedProcessor&) = delete;
  SharedProcessor& operator=(const SharedProcessor&) = delete;

  // Lives until the process ends. A child of a fork begins with one that has no members.
  static SharedProcessor& OfProcess();
  // Lets no thread join the object of the process. Call before the first one joins.
  static void Forbid();

  // The calling thread is moved to the shared processor: the one that it runs on, if there is no
  // other member. Nothing happens if it may not run there or may run nowhere else, or during a
  // pause. A thread is a member of one object at most.
  void Join();
  // Lets the calling thread run where it might before it joined. Call before a thread ends, or
  // makes threads or processes: these would stay on the shared processor for ever.
  static void LeaveHere();
  // Whether the calling thread is on the shared processor.
  static bool IsMember();

  // The calling thread, if it is a member, has a turn since then; it waits for its next one.
  static void NoteWork(Clock::time_point since);
  static void NoteWait();

 private:
  struct Member {
    SharedProcessor* of;
    pid_t thread;
    cpu_set_t before;                  // where it might run
    std::atomic<int64_t> works_since;  // of Clock; 0: it waits for a turn
    std::atomic<bool> is_here;         // on the shared processor; changes with mutex_
  };

  static void Release(Member& member);
  void ReleaseAll() TN_REQUIRES(mutex_);
  void LetLongWorkersGo(Clock::time_point now) TN_REQUIRES(mutex_);
  bool StartWatcher() TN_REQUIRES(mutex_);
  void Watch();
  static void ForgetInChild();

  static thread_local Member* own_;

  const Limits limits_;
  Mutex mutex_;
  std::list<Member> members_ TN_GUARDED_BY(mutex_);  // also those that were let go
  size_t here_ TN_GUARDED_BY(mutex_) = 0;            // members that are on the processor
  int processor_ TN_GUARDED_BY(mutex_) = -1;         // -1: none is chosen
  bool is_useless_ TN_GUARDED_BY(mutex_) = false;    // the system does not let threads be moved
  Clock::time_point chosen_at_ TN_GUARDED_BY(mutex_), paused_until_ TN_GUARDED_BY(mutex_);
  CondVar changed_;
  bool ends_ TN_GUARDED_BY(mutex_) = false;
  // Not a WorkerThread, since that uses this object.
  pthread_t watcher_ = {};
  bool has_watcher_ TN_GUARDED_BY(mutex_) = false;
};

}  // namespace tenure
