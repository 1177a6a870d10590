// The read-only top-level transactions that are open. Any number of them are open at the same time,
// and none together with a top-level transaction that writes. They share one transaction at the
// page servers and one TransactionLevel: the first one begins these, the last one ends them. A
// child of a read-only transaction is a number only.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/result.h"

namespace tenure::stabilize {

// With the session's lock.
class ReadOnlyTransactions {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kAloneFor = std::chrono::seconds(1);

  bool empty() const { return open_.empty(); }
  size_t size() const { return open_.size(); }
  // Whether this is the serial number of one of them, or of a child of one.
  bool Has(uint64_t transaction) const { return top_of_.contains(transaction); }
  // The top-level transaction that contains this one; 0: Has(transaction) is false.
  uint64_t TopOf(uint64_t transaction) const {
    const auto it = top_of_.find(transaction);
    return it == top_of_.end() ? 0 : it->second;
  }
  bool HasTop(uint64_t transaction) const { return open_.contains(transaction); }
  // How many transactions are open in this top-level one, itself included.
  size_t DepthOf(uint64_t top) const {
    const auto it = open_.find(top);
    return it == open_.end() ? 0 : it->second.size();
  }

  void Add(uint64_t top) {
    open_[top] = {top};
    top_of_[top] = top;
  }
  void AddChild(uint64_t top, uint64_t child) {
    open_[top].push_back(child);
    top_of_[child] = top;
  }
  // The transaction, for which Has is true, and its children are over.
  void Remove(uint64_t transaction) {
    const uint64_t top = TopOf(transaction);
    RemoveChildrenOf(transaction);
    top_of_.erase(transaction);
    open_[top].pop_back();
    if (transaction != top) return;
    open_.erase(top);
    if (open_.empty()) aborted_ = is_alone_ = false;
  }
  // Has(transaction).
  void RemoveChildrenOf(uint64_t transaction) {
    std::vector<uint64_t>& levels = open_[TopOf(transaction)];
    for (; levels.back() != transaction; levels.pop_back()) top_of_.erase(levels.back());
  }

  // Whether all of them are aborted: each is told when it touches a page that is not open, or when
  // it ends. Until then it stays here, so that no other transaction writes pages that it reads.
  bool aborted() const { return aborted_; }
  void SetAborted() { aborted_ = !open_.empty(); }
  // Whether another one may join those that are open.
  bool admits() const {
    return !aborted_ && (!is_alone_ || Clock::now() - first_began_ >= kAloneFor);
  }

  // Called when a transaction has written and it is unknown which. So the next transactions are
  // open alone, more of them each time, but each for a second only, since it may wait for another.
  void BeginNextAlone() {
    constexpr uint64_t kAtFirst = 64, kMost = 1 << 20;
    alone_last_ = std::clamp(2 * alone_last_, kAtFirst, kMost);
    alone_ = alone_last_;
  }
  // Whether the transaction that begins next is to be open alone.
  bool begins_alone() const { return alone_ > 0; }
  // The first one has begun.
  void BegunFirst() {
    is_alone_ = begins_alone();
    if (is_alone_) first_began_ = Clock::now();
    if (is_alone_) --alone_;
  }

 private:
  // The open transactions of each top-level transaction, by its number; the innermost one last.
  std::unordered_map<uint64_t, std::vector<uint64_t>> open_;
  std::unordered_map<uint64_t, uint64_t> top_of_;
  bool aborted_ = false, is_alone_ = false;
  Clock::time_point first_began_;  // when is_alone_
  uint64_t alone_ = 0, alone_last_ = 0;
};

// The answer to a write in a read-only transaction.
inline Status WriteInReadOnly() {
  return Status(StatusCode::kReadOnly, "a persistent object is written in a read-only transaction");
}

}  // namespace tenure::stabilize
