#include "runtime/threads/transaction_turns.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <thread>
#include <utility>

#include "base/futex.h"
#include "base/mutex.h"
#include "base/shared_processor.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"

namespace tenure::runtime {
namespace {

// This many threads at the front of the queue wait this long for their turn before they sleep: to
// wake a thread costs more than a short transaction, and threads whose commits became durable
// together come one after the other.
constexpr int kNear = 3;
constexpr std::chrono::microseconds kSpin(60);

// Threads have their turns on the shared processor when transactions are short, more threads wait
// than do so without sleeping, and the threads do little else: about less than half of the time of
// a transaction between the end of one and the wait for the next. A member's other work is not
// looked at, since others have the processor meanwhile: the shared processor lets all threads go
// now and then.
constexpr std::chrono::microseconds kShortTransaction(300);
constexpr int kMostTimesUsual = 16;  // as much of a thread's other work counts at once
thread_local TransactionTurns::Clock::time_point returned_at;

// A member of the shared processor that begins its next transaction at once keeps its turn for this
// long: to change to another thread costs more than a short transaction.
constexpr std::chrono::microseconds kSeries(100);

// Holds stops as well, because a thread that stops the world may wait for the lock.
class TN_SCOPED_CAPABILITY Locked {
 public:
  explicit Locked(Mutex& mutex) TN_ACQUIRE(mutex) : lock_(mutex) {}
  ~Locked() TN_RELEASE() {}

 private:
  const StopsHeld held_;
  const MutexLock lock_;
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
  const StackFrame frame = DescribeFirst(codes, code_count, {"Transaction", "Thread"});
  if (!frame.procedure.empty()) text += " in " + frame.procedure;
  if (!frame.file.empty()) text += " (" + frame.file + ":" + std::to_string(frame.line) + ")";
  return text;
}

void TransactionTurns::Place::Leave() {
  if (!queued_) return;
  const Locked locked(turns_.mutex_);
  turns_.queue_.erase(at_);
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
  if (!queued_ && !read_only_ && turns_.KeepsTurn()) return true;
  for (const Place* place : turns_.queue_) {
    if (place == this) return true;
    if (!read_only_ || !place->read_only_) return false;
  }
  return true;
}

void TransactionTurns::Place::Enter() {
  const Locked locked(turns_.mutex_);
  if (queued_) return;
  at_ = turns_.queue_.insert(turns_.queue_.end(), this);
  entered_ = Clock::now();
  looks_at_ = entered_ + turns_.limits_.look_after;
  queued_ = true;
  if (!read_only_) turns_.NoteOtherWork(entered_ - returned_at);
}

void TransactionTurns::NoteOtherWork(Clock::duration other_work) {
  if (SharedProcessor::IsMember()) {
    SharedProcessor::NoteWait();
    return;
  }
  other_work_ += (std::min(other_work, kMostTimesUsual * usual_) - other_work_) / 32;
  if (usual_ <= kShortTransaction && 2 * other_work_ < usual_ && HasSleepers()) {
    SharedProcessor::OfProcess().Join();
  }
}

bool TransactionTurns::KeepsTurn() const {
  return SharedProcessor::IsMember() && holder_.thread == Mutator::CurrentId() &&
         Clock::now() - series_since_ < kSeries;
}

bool TransactionTurns::HasSleepers() const {
  static const size_t others = std::max(std::thread::hardware_concurrency(), 1u) - 1;
  return queue_.size() > std::min<size_t>(kNear, others);
}

TransactionTurns::Place::Event TransactionTurns::Place::Await(Holder* result) {
  bool may_spin = true;
  for (;;) {
    timespec deadline;
    {
      // Most waits end here. A thread that sleeps costs a stop of the world nothing, but falling
      // asleep costs the thread its allocation buffer.
      const SafeRegion waiting;
      if (const std::optional<Event> event = LookOrSpin(result, &may_spin, &deadline)) {
        return *event;
      }
    }
    const ParkedRegion sleeping;
    FutexWait(word_, 0, &deadline);
  }
}

std::optional<TransactionTurns::Place::Event> TransactionTurns::Place::LookOrSpin(
    Holder* result, bool* may_spin, timespec* deadline) {
  for (;;) {
    Clock::time_point until;
    {
      const MutexLock lock(turns_.mutex_);
      sleeps_ = false;
      // Cleared before the looks that follow: an event that comes too late for them sets it again.
      __atomic_store_n(word_, 0, __ATOMIC_SEQ_CST);
      if (std::exchange(is_woken_, false)) return Event::kLook;
      if (alerted_ != nullptr && __atomic_load_n(alerted_, __ATOMIC_SEQ_CST) != 0) {
        return Event::kAlerted;
      }
      const Clock::time_point now = Clock::now();
      until = now + turns_.limits_.tell_after;
      const bool is_first = turns_.queue_.front() == this;
      if (is_first && read_only_) {
        // The moment when open transactions begin to admit others is not signalled.
        if (now >= looks_at_) {
          looks_at_ = now + turns_.limits_.look_after;
          return Event::kLook;
        }
        until = std::min(until, looks_at_);
      }
      // The first one looks after the transaction for all.
      if (const Holder* const holder = is_first ? turns_.LongestHolder() : nullptr) {
        if (holder->workers == 0) {
          const auto abandoned = holder->left + turns_.limits_.abandoned_after;
          if (now >= abandoned) {
            *result = *holder;
            return Event::kAbandoned;
          }
          until = std::min(until, abandoned);
        } else if (turns_.told_ != holder->transaction) {
          const auto tell = std::max(entered_, holder->since) + turns_.limits_.tell_after;
          if (now >= tell) {
            turns_.told_ = holder->transaction;
            *result = *holder;
            return Event::kTell;
          }
          until = std::min(until, tell);
        }
      }
      // A transaction often ends sooner than a thread wakes up.
      const bool spins =
          turns_.IsNear(*this) && !read_only_ &&
          (std::exchange(ends_soon_, false) || (*may_spin && turns_.patience_.ShouldSpin()));
      *may_spin = false;
      sleeps_ = !spins;
      if (!spins) {
        *deadline = FutexDeadline(until);
        return std::nullopt;
      }
    }
    const bool in_vain = !Spin();
    const MutexLock lock(turns_.mutex_);
    turns_.patience_.Note(in_vain);
  }
}

bool TransactionTurns::Place::Spin() const {
  return SpinUntil([&] { return __atomic_load_n(word_, __ATOMIC_ACQUIRE) != 0; }, kSpin);
}

bool TransactionTurns::IsNear(const Place& place) const {
  auto it = queue_.begin();
  for (int i = 0; i < kNear && it != queue_.end(); ++i, ++it) {
    if (*it == &place) return true;
  }
  return false;
}

void TransactionTurns::Began(uint64_t transaction, bool read_only, size_t workers,
                             const void* frame_address) {
  Holder holder;
  holder.transaction = transaction;
  holder.thread = Mutator::CurrentId();
  holder.since = Clock::now();
  holder.workers = workers;
  if (frame_address != nullptr) {
    holder.code_count = CaptureCallers(frame_address, holder.codes, Holder::kCodes);
  }
  SharedProcessor::NoteWork(holder.since);
  const Locked locked(mutex_);
  if (read_only) {
    readers_[transaction] = holder;
  } else {
    if (holder.thread != holder_.thread || holder.since - series_since_ >= kSeries) {
      series_since_ = holder.since;
    }
    holder_ = holder;
  }
}

size_t TransactionTurns::ReaderEnded(uint64_t transaction) {
  const Locked locked(mutex_);
  const auto it = readers_.find(transaction);
  if (it == readers_.end()) return 0;
  const size_t workers = it->second.workers;
  readers_.erase(it);
  return workers;
}

TransactionTurns::Holder* TransactionTurns::HolderOf(uint64_t transaction) {
  if (transaction == holder_.transaction) return &holder_;
  const auto it = readers_.find(transaction);
  return it == readers_.end() ? nullptr : &it->second;
}

const TransactionTurns::Holder* TransactionTurns::LongestHolder() const {
  const Holder* longest = nullptr;
  for (const auto& [transaction, holder] : readers_) {
    // By number, and so by age.
    if (longest == nullptr || (longest->workers > 0 && holder.workers == 0)) longest = &holder;
  }
  if (longest != nullptr) return longest;
  return holder_.transaction != 0 ? &holder_ : nullptr;
}

void TransactionTurns::WorkerCame(uint64_t transaction) {
  const Locked locked(mutex_);
  if (Holder* const holder = HolderOf(transaction)) ++holder->workers;
}

void TransactionTurns::WorkerLeft(uint64_t transaction) {
  const Locked locked(mutex_);
  Holder* const holder = HolderOf(transaction);
  if (holder == nullptr || --holder->workers > 0) return;
  holder->left = Clock::now();
  Wake(CallFirst());
}

void TransactionTurns::EndsSoon() {
  // On the processor of this thread another one would only be in the way.
  if (SharedProcessor::IsMember()) return;
  uint32_t* word = nullptr;
  {
    const Locked locked(mutex_);
    if (queue_.empty()) return;
    Place& first = *queue_.front();
    if (first.read_only_ || first.is_woken_ || !first.sleeps_ || !patience_.ShouldSpin()) return;
    first.ends_soon_ = true;
    first.sleeps_ = false;
    word = first.word_;
    __atomic_store_n(word, 1, __ATOMIC_SEQ_CST);
  }
  FutexWake(word, 1);
}

void TransactionTurns::Ended() {
  Words words;
  {
    const Locked locked(mutex_);
    if (!queue_.empty() && holder_.since != Clock::time_point()) {
      // Tends to the median: the thread may have waited for the processor.
      const bool longer = Clock::now() - holder_.since > usual_;
      usual_ += longer ? usual_ / 16 + std::chrono::nanoseconds(100) : -usual_ / 16;
    }
    words = CallFirst();
  }
  Wake(words);
}

void TransactionTurns::NoteReturn() {
  returned_at = Clock::now();
  SharedProcessor::NoteWork(returned_at);
}

std::pair<TransactionTurns::Holder, size_t> TransactionTurns::Now() const {
  const Locked locked(mutex_);
  const Holder* const longest = LongestHolder();
  return {longest != nullptr ? *longest : holder_, queue_.size()};
}

bool TransactionTurns::IsOnlyWorker(uint64_t transaction) const {
  const Mutator* const mutator = Mutator::Current();
  if (mutator == nullptr || mutator->transaction != transaction) return false;
  const Locked locked(mutex_);
  return transaction == holder_.transaction && holder_.workers == 1;
}

TransactionTurns::Words TransactionTurns::CallFirst() {
  Words words;
  for (Place* place : queue_) {
    const bool is_first = place == queue_.front();
    if (!is_first && !(queue_.front()->read_only_ && place->read_only_)) break;
    if (std::exchange(place->is_woken_, true)) continue;
    __atomic_store_n(place->word_, 1, __ATOMIC_SEQ_CST);
    if (!std::exchange(place->sleeps_, false)) continue;
    if (is_first) {
      words.first = place->word_;
    } else {
      words.others.push_back(place->word_);
    }
  }
  return words;
}

// A thread may have left meanwhile, and its word may be another's: then the wake-up is spurious.
void TransactionTurns::Wake(const Words& words) {
  if (words.first != nullptr) FutexWake(words.first, 1);
  for (uint32_t* word : words.others) FutexWake(word, 1);
}

}  // namespace tenure::runtime
