// Which threads work in the transaction that is open, and the turns of those that wait for it to
// end. A process has one top-level transaction at a time. Those who work in it are the thread that
// began it, threads that these have started since, and threads that have joined it: what they begin
// are children. What others begin waits.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace tenure::runtime {

// Any thread.
class TransactionTurns {
 public:
  static TransactionTurns& OfProcess();

  // One thread's place in the queue, from Enter to Leave or the end of its life.
  class Place {
   public:
    explicit Place(TransactionTurns& turns) : turns_(turns) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Whether all who came earlier had their turns.
    bool IsFirst() const;
    // Takes its place at the end of the queue, if it has none. From here on a turn is not missed.
    void Enter();
    // Its turn has come, and a transaction is open now.
    void Leave();
    // In the queue. Until a transaction has ended since the last Enter or Await; only for the first
    // one in the queue. The caller looks again.
    void Await();

   private:
    friend class TransactionTurns;
    TransactionTurns& turns_;
    std::condition_variable woken_;
    bool queued_ = false, is_woken_ = false;
  };

  // No transaction is open now: the next one may look.
  void Ended();

 private:
  mutable std::mutex mutex_;
  std::deque<Place*> queue_;
};

}  // namespace tenure::runtime
