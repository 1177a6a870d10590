#include "runtime/transaction_turns.h"

#include <algorithm>

#include "runtime/mutator.h"
#include "runtime/safepoint.h"
#include "runtime/stack_trace.h"
#include "runtime/threads.h"

namespace tenure::runtime {
namespace {

// Holds stops as well, because a thread that stops the world may wait for the lock.
class Locked {
 public:
  explicit Locked(std::mutex& mutex) : lock_(mutex) {}

 private:
  const StopsHeld held_;
  const std::lock_guard<std::mutex> lock_;
};

}  // namespace

TransactionTurns& TransactionTurns::OfProcess() {
  // Never destroyed: threads may wait until the process ends.
  static TransactionTurns& turns = *new TransactionTurns;
  return turns;
}

std::string TransactionTurns::Holder::Text() const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since);
  std::string text = "thread " + std::to_string(thread) + " began it " +
                     std::to_string(seconds.count()) + " s ago";
  const StackFrame frame = DescribeFirst(codes, code_count, "Transaction");
  if (!frame.procedure.empty()) text += " in " + frame.procedure;
  if (!frame.file.empty()) text += " (" + frame.file + ":" + std::to_string(frame.line) + ")";
  return text;
}

void TransactionTurns::Place::Leave() {
  const Locked locked(turns_.mutex_);
  if (queued_) turns_.queue_.erase(at_);
  queued_ = false;
}

TransactionTurns::Place::~Place() {
  if (!queued_) return;
  Leave();
  // The thread that is first now may have missed its turn.
  turns_.Ended();
}

bool TransactionTurns::Place::IsFirst() const {
  const Locked locked(turns_.mutex_);
  return turns_.queue_.empty() || turns_.queue_.front() == this;
}

void TransactionTurns::Place::Enter() {
  const Locked locked(turns_.mutex_);
  if (queued_) return;
  at_ = turns_.queue_.insert(turns_.queue_.end(), this);
  entered_ = Clock::now();
  queued_ = true;
}

TransactionTurns::Place::Event TransactionTurns::Place::Await(Holder* result) {
  const ParkedRegion waiting;
  std::unique_lock lock(turns_.mutex_);
  const Holder& holder = turns_.holder_;
  while (!is_woken_) {
    const Clock::time_point now = Clock::now();
    Clock::time_point until = now + turns_.limits_.tell_after;
    // The first one looks after the transaction for all.
    if (turns_.queue_.front() == this && holder.transaction != 0) {
      *result = holder;
      if (holder.workers == 0) {
        until = holder.left + turns_.limits_.abandoned_after;
        if (now >= until) return Event::kAbandoned;
      } else if (turns_.told_ != holder.transaction) {
        until = std::max(entered_, holder.since) + turns_.limits_.tell_after;
        if (now >= until) {
          turns_.told_ = holder.transaction;
          return Event::kTell;
        }
      }
    }
    woken_.wait_until(lock, until);
  }
  is_woken_ = false;
  return Event::kLook;
}

void TransactionTurns::Began(uint64_t transaction) {
  Holder holder;
  holder.transaction = transaction;
  holder.thread = Mutator::CurrentId();
  holder.since = Clock::now();
  holder.workers = 1;
  // Nobody waits for a program's only thread.
  if (!Mutator::IsAlone()) holder.code_count = CaptureCode(holder.codes, Holder::kCodes);
  const Locked locked(mutex_);
  holder_ = holder;
}

void TransactionTurns::WorkerCame(uint64_t transaction) {
  const Locked locked(mutex_);
  if (transaction == holder_.transaction) ++holder_.workers;
}

void TransactionTurns::WorkerLeft(uint64_t transaction) {
  const Locked locked(mutex_);
  if (transaction != holder_.transaction || --holder_.workers > 0) return;
  holder_.left = Clock::now();
  WakeFirst();
}

void TransactionTurns::Ended() {
  const Locked locked(mutex_);
  WakeFirst();
}

void TransactionTurns::WakeFirst() {
  if (queue_.empty()) return;
  queue_.front()->is_woken_ = true;
  queue_.front()->woken_.notify_one();
}

}  // namespace tenure::runtime
