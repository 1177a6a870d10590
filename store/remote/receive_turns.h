// Who receives from a socket: a thread in the background, or a thread that waits for an answer.
#pragma once

#include <chrono>

#include "base/mutex.h"
#include "store/remote/noted_sockets.h"

namespace tenure::store {

// A message that a thread waits for costs least if that thread receives it: no other thread has to
// wake up and hand the message over. While no thread waits, a thread in the background receives.
// The threads take turns; whoever has the turn receives and handles messages.
//
// The background thread sleeps in epoll_wait. A thread that takes the turn tells epoll to ignore
// the socket, so messages do not wake the background thread.
class ReceiveTurns {
 public:
  ReceiveTurns() = default;
  ReceiveTurns(const ReceiveTurns&) = delete;
  ReceiveTurns& operator=(const ReceiveTurns&) = delete;

  // A thread that may take turns while another thread ends the connection calls Join before, and
  // Part when it takes no more. False: the connection ends.
  bool Join();
  void Part();
  // The connection ends and its socket is shut down: waits until those threads have called Part.
  void End();

  // Call before any thread receives. The socket outlives this object. False: no descriptor is left.
  bool Open(int socket);
  // A turn of a thread other than the background thread. One thread uses the object. The lock is
  // held from Take or TryTake to Leave.
  class Turn {
   public:
    explicit Turn(ReceiveTurns& turns) : turns_(turns) {}
    ~Turn() { Leave(); }
    // False: another thread has the turn.
    bool TryTake();
    void Take();
    // Messages that have come and have not been received wake the background thread.
    void Leave();
    bool taken() const { return taken_; }
    // Waits until there is something to receive, or the connection has ended. False: not in time.
    bool Await(std::chrono::milliseconds most) const { return turns_.IsReadable(most); }

   private:
    ReceiveTurns& turns_;
    bool taken_ = false;
  };

  // The background thread waits until there is something to receive and no other thread has the
  // turn. The turn lasts until the thread releases the lock. Call again after each message.
  void AwaitInBackground() TN_ACQUIRE(lock_);
  // Held by the thread that has the turn.
  Mutex& turn() TN_RETURNS_LOCK(lock_) { return lock_; }

 private:
  void Watch(bool watch);
  bool IsReadable(std::chrono::milliseconds most) const;

  int socket_ = -1;
  NotedSocket epoll_;
  Mutex lock_;  // is the turn
  Mutex members_lock_;
  CondVar parted_;
  int members_ TN_GUARDED_BY(members_lock_) = 0;
  bool ended_ TN_GUARDED_BY(members_lock_) = false;
};

}  // namespace tenure::store
