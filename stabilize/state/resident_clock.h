// Which pages leave memory next: those that nobody has touched for long.
//
// Pages that are in memory stand in one of two queues. The first in the queue of *open* pages is
// closed (it loses its access) and goes to the end of the queue of *closed* ones. The first of
// these leaves memory if it is still closed; if it was touched meanwhile, it is put behind the open
// ones again. A page that may not leave waits in a list until something may have changed that: so
// each step looks at a page that may leave, and the steps that make room for a page are the same
// few however many pages there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "stabilize/frames/store_names.h"
#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

class Database;

// With the session's lock.
class ResidentClock {
 public:
  struct Entry {
    Database* database = nullptr;
    PageId page;
  };
  // Why a page may not leave.
  enum Reason : uint8_t {
    kHomes,     // displaced objects have their homes there, or it refers to some of the heap's
    kNested,    // it is dirty, and a child transaction is open
    kContents,  // it has unstored contents: TRANSIENT fields
    kReasons
  };

  // Whether the queues have all pages that are in memory. Until the first shortage they have none,
  // and cost nothing.
  bool active() const { return active_; }
  void Activate() { active_ = true; }

  // A page has come into memory. Frame::in_clock says that no second entry is needed.
  void Add(Entry entry) { open_.push_back(entry); }
  void AddClosed(Entry entry) { closed_.push_back(entry); }
  void AddStuck(Entry entry, Reason reason) { stuck_[reason].push_back(entry); }

  bool TakeOpen(Entry* entry) { return Take(open_, entry); }
  bool TakeClosed(Entry* entry) { return Take(closed_, entry); }

  size_t open() const { return open_.size(); }
  size_t closed() const { return closed_.size(); }
  size_t stuck() const {
    size_t all = 0;
    for (const auto& list : stuck_) all += list.size();
    return all;
  }

  // Puts the pages that wait for this reason behind the open ones, if `event` is another number
  // than at the last call: what they wait for may have happened. Returns whether there were any.
  bool Retry(Reason reason, uint64_t event) {
    if (events_[reason] == event || stuck_[reason].empty()) return false;
    events_[reason] = event;
    open_.insert(open_.end(), stuck_[reason].begin(), stuck_[reason].end());
    stuck_[reason].clear();
    return true;
  }

 private:
  static bool Take(std::deque<Entry>& from, Entry* entry) {
    if (from.empty()) return false;
    *entry = from.front();
    from.pop_front();
    return true;
  }

  bool active_ = false;
  std::deque<Entry> open_, closed_;
  std::vector<Entry> stuck_[kReasons];
  uint64_t events_[kReasons] = {};
};

}  // namespace tenure::stabilize
