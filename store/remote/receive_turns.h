// Who receives from a socket: a thread in the background, or a thread that waits for an answer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

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
  ~ReceiveTurns();
  ReceiveTurns(const ReceiveTurns&) = delete;
  ReceiveTurns& operator=(const ReceiveTurns&) = delete;

  // A thread that may take turns while another thread ends the connection says so before, and says
  // when it takes no more. False: the connection ends.
  bool Join();
  void Part();
  // The connection ends and its socket is shut down: waits for those threads.
  void End();

  // Before any thread receives. The socket outlives this object. False: no descriptor is left.
  bool Open(int socket);
  // A turn of a thread other than the background thread. One thread uses the object. The lock is
  // held from Take or TryTake to Leave.
  class Turn {
   public:
    explicit Turn(ReceiveTurns& turns) : turns_(turns), lock_(turns.lock_, std::defer_lock) {}
    ~Turn() { Leave(); }
    // False: another thread has the turn.
    bool TryTake();
    void Take();
    // Messages that have come and have not been received wake the background thread.
    void Leave();
    bool taken() const { return lock_.owns_lock(); }
    // Waits until there is something to receive, or the connection has ended. False: not in time.
    bool Await(std::chrono::milliseconds most) const { return turns_.IsReadable(most); }

   private:
    ReceiveTurns& turns_;
    std::unique_lock<std::mutex> lock_;
  };

  // The background thread waits until there is something to receive and no other thread has the
  // turn. The turn lasts as long as the lock. Call again after each message.
  std::unique_lock<std::mutex> AwaitInBackground();

 private:
  void Watch(bool watch);
  bool IsReadable(std::chrono::milliseconds most) const;

  int socket_ = -1;
  int epoll_ = -1;   // noted (remote_connection.h)
  std::mutex lock_;  // is the turn
  std::mutex members_lock_;
  std::condition_variable parted_;
  int members_ = 0;
  bool ended_ = false;
};

}  // namespace tenure::store
