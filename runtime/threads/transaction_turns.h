// The threads that work in open transactions, and the turns of those that wait for a transaction to
// end. A process has one top-level transaction at a time, or several read-only ones. The threads
// that work in one are the thread that began it, threads that these have started since, and threads
// that have joined it: what they begin are children. What others begin waits, first come, first
// served. Read-only transactions have their turn together, unless one that writes came between
// them.
//
// Threads whose short transactions follow each other closely stay on one processor
// (base/shared_processor.h). There a thread that begins its next transaction at once goes before
// those that wait, for a tenth of a millisecond.
//
// A long wait is reported on stderr. A wait for a transaction in which no thread works any more
// ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/spinning.h"

namespace tenure::runtime {

// Any thread. A thread is not stopped while it has the lock, so every function may be called while
// the world is stopped.
class TransactionTurns {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    // A wait for a transaction is reported when it has lasted this long, once for each transaction.
    Clock::duration tell_after = std::chrono::seconds(10);
    // When the last thread that worked in a transaction has ended without ending the transaction,
    // another thread may still end it, with its Transaction.T, or join it. Waiting threads give it
    // this much time.
    Clock::duration abandoned_after = std::chrono::seconds(1);
    // The first thread that waits to read looks again after this, also if nothing has ended.
    Clock::duration look_after = std::chrono::milliseconds(250);
  };

  TransactionTurns() = default;
  explicit TransactionTurns(const Limits& limits) : limits_(limits) {}
  static TransactionTurns& OfProcess();

  // A top-level transaction and the threads that work in it.
  struct Holder {
    uint64_t transaction = 0;  // its number in the session; 0: no transaction has begun
    uint32_t thread = 0;       // the thread that began it
    Clock::time_point since;
    size_t workers = 0;      // threads that have not ended
    Clock::time_point left;  // when the last of them ended
    // Code addresses of the thread's frames at the beginning.
    static constexpr size_t kCodes = 12;
    uintptr_t codes[kCodes] = {};
    size_t code_count = 0;

    // "thread 3 began it 12 s ago in Main.Work (Main.m3:7)"
    std::string Text() const;
  };

  // One thread's place in the queue, from Enter to Leave or the end of its life.
  class Place {
   public:
    explicit Place(TransactionTurns& turns, bool read_only = false)
        : turns_(turns), read_only_(read_only) {}
    // Its wait is alertable (stdlib/thread/ThreadAlert.i3): it also ends when *permit is not 0, and
    // *alerted says whether it then has ended for good.
    Place(TransactionTurns& turns, uint64_t* permit, const uint8_t* alerted)
        : turns_(turns), word_(reinterpret_cast<uint32_t*>(permit)), alerted_(alerted) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // Whether every thread that came earlier has had its turn, or reads only as this one does; or
    // the calling thread keeps its turn.
    bool IsFirst() const;
    bool queued() const { return queued_; }
    bool read_only() const { return read_only_; }
    // Joins the end of the queue unless the thread is queued already. From here on the thread
    // misses no turn.
    void Enter();
    // Leaves the queue: the thread has begun its transaction.
    void Leave();

    enum class Event : uint8_t {
      kLook,       // its turn may have come
      kTell,       // it has waited for *holder for tell_after, and no thread has reported that
      kAbandoned,  // no thread has worked in *holder for abandoned_after
      kAlerted,
    };
    // In the queue: sleeps until one of these events. The caller finds out whether *holder is still
    // open.
    Event Await(Holder* holder);

   private:
    // Await without sleeping. Nothing: the thread is to sleep until *deadline.
    std::optional<Event> LookOrSpin(Holder* result, bool* may_spin, timespec* deadline);
    // Waits a short time for the word to change, without sleeping; whether it has.
    bool Spin() const;

    friend class TransactionTurns;
    TransactionTurns& turns_;
    const bool read_only_ = false;
    // The futex on which the thread sleeps: not 0 when there is something to look at.
    uint32_t own_word_ = 0;
    bool sleeps_ = false;     // or is about to; with mutex_
    bool ends_soon_ = false;  // what it waits for; with mutex_
    uint32_t* const word_ = &own_word_;
    const uint8_t* const alerted_ = nullptr;
    bool queued_ = false, is_woken_ = false;
    std::list<Place*>::iterator at_;
    Clock::time_point entered_, looks_at_;
  };

  // The calling thread has begun this top-level transaction, in which `workers` threads work, in a
  // procedure that was called by the one with this frame address (CaptureCallers); null: it is not
  // said where.
  void Began(uint64_t transaction, bool read_only = false, size_t workers = 1,
             const void* frame_address = nullptr);
  // This read-only top-level transaction is over. Returns how many threads worked in it; 0: it is
  // unknown, or its end was noted before.
  size_t ReaderEnded(uint64_t transaction);
  // WorkerCame: a thread that is about to start, or has joined, works in the transaction.
  // WorkerLeft: one of these threads ends. Nothing happens unless this transaction was begun last,
  // or is read-only and not over.
  void WorkerCame(uint64_t transaction);
  void WorkerLeft(uint64_t transaction);

  // The open transaction is about to end: the thread that is first in the queue wakes up, so that
  // it can begin at once when Ended is called.
  void EndsSoon();
  // No transaction is open now, or only read-only ones that admit others: the threads that are next
  // may look.
  void Ended();
  // The calling thread has ended its transaction, and returns to the program.
  static void NoteReturn();

  // The transaction that has kept threads waiting longest, perhaps over by now, and how many
  // threads wait for their turn.
  std::pair<Holder, size_t> Now() const;
  // Whether the calling thread is all that works in this transaction, which was begun last.
  bool IsOnlyWorker(uint64_t transaction) const;

 private:
  // Marks the first thread in the queue, and those that may read beside it. Returns
  // the words of the sleeping ones, to be woken without the mutex.
  struct Words {
    uint32_t* first = nullptr;
    std::vector<uint32_t*> others;
  };
  Words CallFirst() TN_REQUIRES(mutex_);
  static void Wake(const Words& words);
  // Whether it is one of the first in the queue.
  bool IsNear(const Place& place) const TN_REQUIRES(mutex_);
  // Notes how long the calling thread, which begins to wait, has done other work than transactions.
  // May move it to the shared processor.
  void NoteOtherWork(Clock::duration other_work) TN_REQUIRES(mutex_);
  // Whether the calling thread, which is about to begin a transaction, goes before
  // those that wait.
  bool KeepsTurn() const TN_REQUIRES(mutex_);
  // Whether more threads wait than do so without sleeping.
  bool HasSleepers() const TN_REQUIRES(mutex_);
  // The holder of a transaction that is open or, if it was not read-only, was open last; else null.
  Holder* HolderOf(uint64_t transaction) TN_REQUIRES(mutex_);
  // The open transaction that waiting threads should suspect: no thread works in it, or it is the
  // oldest. Null: no transaction has begun.
  const Holder* LongestHolder() const TN_REQUIRES(mutex_);

  const Limits limits_;
  mutable Mutex mutex_;
  std::list<Place*> queue_ TN_GUARDED_BY(mutex_);
  Holder holder_ TN_GUARDED_BY(mutex_);  // the last one that was not read-only
  // Since when the transactions that are not read-only are those of the holder's thread.
  Clock::time_point series_since_ TN_GUARDED_BY(mutex_);
  std::map<uint64_t, Holder> readers_ TN_GUARDED_BY(mutex_);
  SpinPatience patience_ TN_GUARDED_BY(mutex_);  // of waits at the front of the queue
  // Of transactions for whose end threads wait: how long they are open, about, and how long their
  // threads do other work between two of them.
  Clock::duration usual_ TN_GUARDED_BY(mutex_){}, other_work_ TN_GUARDED_BY(mutex_) =
                                                      std::chrono::milliseconds(1);
  uint64_t told_ TN_GUARDED_BY(mutex_) = 0;  // the last transaction for which a wait was reported
};

}  // namespace tenure::runtime
