// The transactions that are open: one that writes with its children, or several read-only ones, and
// what became of those that ended by a failure.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stabilize/state/read_only_transactions.h"
#include "stabilize/state/transaction_level.h"

namespace tenure::stabilize {

// With the session's lock, but for the functions that say "any thread". Whoever changes what is
// open calls NoteOpen before the lock is given back.
class OpenTransactions {
 public:
  // For callers that are not threads of a program.
  static constexpr uint64_t kWhicheverIsOpen = ~uint64_t{0};

  // Whether a transaction is open, also one that a trap has aborted.
  bool any() const { return !levels_.empty(); }
  // How many levels there are: 1 for a top-level transaction, and for read-only ones together.
  size_t count() const { return levels_.size(); }
  // The depth of nesting: 0 in a top-level transaction. any().
  uint16_t depth() const { return static_cast<uint16_t>(levels_.size() - 1); }
  // Whether the open transaction is that of readers(). Also when a trap has aborted it.
  bool are_read_only() const { return any() && levels_.front().read_only; }
  // any().
  TransactionLevel& top() { return levels_.front(); }
  const TransactionLevel& top() const { return levels_.front(); }
  TransactionLevel& innermost() { return levels_.back(); }
  const TransactionLevel& innermost() const { return levels_.back(); }
  // The top-level one first.
  std::span<TransactionLevel> levels() { return levels_; }
  std::span<const TransactionLevel> levels() const { return levels_; }
  // While read-only transactions are open, there is one level for all of them, unless they are
  // aborted.
  ReadOnlyTransactions& readers() { return readers_; }
  const ReadOnlyTransactions& readers() const { return readers_; }

  // A read-only transaction that has been aborted with others is open until it is told.
  bool IsOpen(uint64_t transaction) const {
    if (readers_.Has(transaction)) return true;
    return !abort_pending_ && !are_read_only() &&
           std::ranges::find(levels_, transaction, &TransactionLevel::serial) != levels_.end();
  }
  // Whether a thread whose top-level transaction was this one still works in it.
  bool IsOpenTop(uint64_t top) const {
    if (top == kWhicheverIsOpen) return any();
    return any() && !are_read_only() ? levels_.front().serial == top : readers_.HasTop(top);
  }
  // The serial number of the top-level transaction that this one is in; 0: it is not open.
  uint64_t TopOf(uint64_t transaction) const {
    if (const uint64_t top = readers_.TopOf(transaction); top != 0) return top;
    return IsOpen(transaction) ? levels_.front().serial : 0;
  }
  // How many transactions are open in this top-level one, itself included; 0: it is not open.
  size_t DepthOf(uint64_t top) const {
    if (const size_t depth = readers_.DepthOf(top); depth != 0) return depth;
    return top != 0 && IsOpen(top) ? levels_.size() : 0;
  }

  uint64_t last_serial() const { return last_; }
  uint64_t NextSerial() { return ++last_; }
  // Opens a level with the next serial number, which it returns. Not any().
  uint64_t BeginTop(bool read_only) {
    TransactionLevel& level = levels_.emplace_back();
    level.serial = NextSerial();
    level.read_only = read_only;
    return level.serial;
  }
  void Push(TransactionLevel child) { levels_.push_back(std::move(child)); }
  TransactionLevel Pop() {
    TransactionLevel child = std::move(levels_.back());
    levels_.pop_back();
    return child;
  }
  void DropChildren() { levels_.resize(std::min<size_t>(levels_.size(), 1)); }
  void Clear() { levels_.clear(); }
  // Between two transactions of a chain none is open; Resume opens what Suspend has closed.
  std::vector<TransactionLevel> Suspend() { return std::exchange(levels_, {}); }
  void Resume(std::vector<TransactionLevel> levels) { levels_ = std::move(levels); }
  // In the child of a fork: the transactions have numbers, and nothing to restore.
  void ForgetImages() {
    for (TransactionLevel& level : levels_) {
      const uint64_t serial = level.serial;
      level = {};
      level.serial = serial;
    }
  }

  // The open transactions are over, and their writes are still in memory until FinishAbort. Any
  // thread reads this.
  bool abort_pending() const { return abort_pending_; }
  void SetAbortPending(bool pending) { abort_pending_ = pending; }

  // The open ones end by a failure, so that their threads learn it at their next call.
  void NoteEndedByFailure() {
    ended_by_failure_.clear();
    for (const TransactionLevel& level : levels_) ended_by_failure_.push_back(level.serial);
    any_ended_by_failure_ = true;
    abort_pending_ = false;
  }
  // Whether this one was among those that ended so last.
  bool HasEndedByFailure(uint64_t transaction) const {
    return std::ranges::find(ended_by_failure_, transaction) != ended_by_failure_.end();
  }
  // Any thread. False: none has.
  bool has_any_ended_by_failure() const { return any_ended_by_failure_; }

  void NoteOpen() {
    const uint64_t first = !readers_.empty() ? 0 : any() ? levels_.front().serial : kNoneOpen;
    if (first_open_.load(std::memory_order_relaxed) != first) first_open_.store(first);
  }
  // Any thread, as of the last NoteOpen. MayBeOpen is false: no transaction that is open has this
  // number, or a lower one.
  bool MayBeOpen(uint64_t transaction) const { return transaction >= first_open_.load(); }
  bool IsAnyOpen() const { return first_open_.load() != kNoneOpen && !abort_pending_; }

 private:
  static constexpr uint64_t kNoneOpen = ~uint64_t{0};

  std::vector<TransactionLevel> levels_;
  ReadOnlyTransactions readers_;
  uint64_t last_ = 0;  // serial number
  std::atomic<uint64_t> first_open_ = kNoneOpen;
  std::atomic<bool> abort_pending_ = false, any_ended_by_failure_ = false;
  std::vector<uint64_t> ended_by_failure_;  // the top-level one first
};

}  // namespace tenure::stabilize
