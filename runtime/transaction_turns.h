// Which threads work in the transaction that is open, and the turns of those that wait for it to
// end. A process has one top-level transaction at a time. Those who work in it are the thread that
// began it, threads that these have started since, and threads that have joined it: what they begin
// are children. What others begin waits, first come, first served.
//
// A wait that is long is said; a wait for a transaction that no thread works in any more ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>

namespace tenure::runtime {

// Any thread. Nobody is stopped while it has the lock, so all may be called with the world stopped.
class TransactionTurns {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    // A wait for one transaction is said, once for it, when it has lasted so long.
    Clock::duration tell_after = std::chrono::seconds(10);
    // When the last thread that worked in a transaction has ended without ending it, another thread
    // may still do that, by its T, or join it. Nobody waits longer for that.
    Clock::duration abandoned_after = std::chrono::seconds(1);
  };

  TransactionTurns() = default;
  explicit TransactionTurns(const Limits& limits) : limits_(limits) {}
  static TransactionTurns& OfProcess();

  // What is known of a top-level transaction.
  struct Holder {
    uint64_t transaction = 0;  // its number in the session; 0: none has been begun
    uint32_t thread = 0;       // that began it
    Clock::time_point since;
    size_t workers = 0;      // threads that have not ended
    Clock::time_point left;  // when the last of them did
    // Of the thread, when it began; none if it was the only one then.
    static constexpr size_t kCodes = 8;
    uintptr_t codes[kCodes] = {};
    size_t code_count = 0;

    // "thread 3 began it 12 s ago in Main.Work (Main.m3:7)"
    std::string Text() const;
  };

  // One thread's place in the queue, from Enter to Leave or the end of its life.
  class Place {
   public:
    explicit Place(TransactionTurns& turns) : turns_(turns) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Whether all who came earlier had their turns.
    bool IsFirst() const;
    bool queued() const { return queued_; }
    // Takes its place at the end of the queue, if it has none. From here on a turn is not missed.
    void Enter();
    // Its turn has come, and a transaction is open now.
    void Leave();

    enum class Event : uint8_t {
      kLook,       // its turn may have come
      kTell,       // it has waited for tell_after for *holder, and nobody has said so
      kAbandoned,  // nobody has worked in *holder for abandoned_after
    };
    // In the queue: sleeps until something of that has happened. Whether *holder is still open is
    // the caller's to find out.
    Event Await(Holder* holder);

   private:
    friend class TransactionTurns;
    TransactionTurns& turns_;
    std::condition_variable woken_;
    bool queued_ = false, is_woken_ = false;
    std::list<Place*>::iterator at_;
    Clock::time_point entered_;
  };

  // The calling thread has begun this top-level transaction.
  void Began(uint64_t transaction);
  // A thread that is about to be started, or has joined, works in the transaction as well; one that
  // did ends. Nothing when it is not the one that was begun last.
  void WorkerCame(uint64_t transaction);
  void WorkerLeft(uint64_t transaction);

  // No transaction is open now: the next one may look.
  void Ended();

 private:
  void WakeFirst();

  const Limits limits_;
  mutable std::mutex mutex_;
  std::list<Place*> queue_;
  Holder holder_;
  uint64_t told_ = 0;  // the last transaction that a wait was said for
};

}  // namespace tenure::runtime
