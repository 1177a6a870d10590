#include "runtime/transaction_turns.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/futex.h"
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
  for (;;) {
    Clock::time_point until;
    {
      const std::lock_guard lock(turns_.mutex_);
      // Before the looks that follow: what is found by none of them sets it again.
      __atomic_store_n(word_, 0, __ATOMIC_SEQ_CST);
      if (std::exchange(is_woken_, false)) return Event::kLook;
      if (alerted_ != nullptr && __atomic_load_n(alerted_, __ATOMIC_SEQ_CST) != 0) {
        return Event::kAlerted;
      }
      const Holder& holder = turns_.holder_;
      const Clock::time_point now = Clock::now();
      until = now + turns_.limits_.tell_after;
      // The first one looks after the transaction for all.
      if (turns_.queue_.front() == this && holder.transaction != 0) {
        if (holder.workers == 0) {
          until = holder.left + turns_.limits_.abandoned_after;
          if (now >= until) {
            *result = holder;
            return Event::kAbandoned;
          }
        } else if (turns_.told_ != holder.transaction) {
          until = std::max(entered_, holder.since) + turns_.limits_.tell_after;
          if (now >= until) {
            turns_.told_ = holder.transaction;
            *result = holder;
            return Event::kTell;
          }
        }
      }
    }
    const auto nanoseconds =
        std::chrono::duration_cast<std::chrono::nanoseconds>(until.time_since_epoch()).count();
    const timespec deadline = {nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
    FutexWait(word_, 0, &deadline);
  }
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
  Wake(CallFirst());
}

void TransactionTurns::Ended() {
  uint32_t* word;
  {
    const Locked locked(mutex_);
    word = CallFirst();
  }
  Wake(word);
}

std::pair<TransactionTurns::Holder, size_t> TransactionTurns::Now() const {
  const Locked locked(mutex_);
  return {holder_, queue_.size()};
}

bool TransactionTurns::IsOnlyWorker(uint64_t transaction) const {
  const Locked locked(mutex_);
  return transaction == holder_.transaction && holder_.workers == 1 &&
         transaction == Mutator::Current()->transaction;
}

uint32_t* TransactionTurns::CallFirst() {
  if (queue_.empty()) return nullptr;
  Place& first = *queue_.front();
  first.is_woken_ = true;
  __atomic_store_n(first.word_, 1, __ATOMIC_SEQ_CST);
  return first.word_;
}

// The thread may have left meanwhile, and the word be another's: that only wakes for nothing.
void TransactionTurns::Wake(uint32_t* word) {
  if (word != nullptr) FutexWake(word, 1);
}

}  // namespace tenure::runtime
