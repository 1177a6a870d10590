#include "runtime/transaction_turns.h"

#include <algorithm>

#include "runtime/safepoint.h"

namespace tenure::runtime {

TransactionTurns& TransactionTurns::OfProcess() {
  // Never destroyed: threads may wait until the process ends.
  static TransactionTurns& turns = *new TransactionTurns;
  return turns;
}

void TransactionTurns::Place::Leave() {
  const std::lock_guard lock(turns_.mutex_);
  if (queued_) std::erase(turns_.queue_, this);
  queued_ = false;
}

TransactionTurns::Place::~Place() {
  if (!queued_) return;
  Leave();
  // Who is first now may have been passed over.
  turns_.Ended();
}

bool TransactionTurns::Place::IsFirst() const {
  const std::lock_guard lock(turns_.mutex_);
  return turns_.queue_.empty() || turns_.queue_.front() == this;
}

void TransactionTurns::Place::Enter() {
  const std::lock_guard lock(turns_.mutex_);
  if (!queued_) turns_.queue_.push_back(this);
  queued_ = true;
}

void TransactionTurns::Place::Await() {
  const SafeRegion waiting;
  std::unique_lock lock(turns_.mutex_);
  woken_.wait(lock, [&] { return is_woken_; });
  is_woken_ = false;
}

void TransactionTurns::Ended() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return;
  queue_.front()->is_woken_ = true;
  queue_.front()->woken_.notify_one();
}

}  // namespace tenure::runtime
