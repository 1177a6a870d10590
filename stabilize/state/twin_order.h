// The pages that have twins, in the order in which they got them, and the write traps for which
// they did. Only with SessionOptions::twin_bytes (stabilize/session/early_changes.h).
#pragma once

#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "stabilize/state/resident_clock.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

// Needs the session's lock.
class TwinOrder {
 public:
  using Entry = ResidentClock::Entry;

  // A store of the calling thread to the page has trapped.
  void NoteTrap(Entry page) {
    if (traps_.size() == kTrapsNoted) traps_.pop_front();
    traps_.push_back({pthread_self(), page});
  }
  // Whether a thread that trapped at the page may not have done its store yet.
  bool IsAwaited(const Entry& page) const {
    for (size_t i = traps_.size(); i-- > 0;) {
      if (traps_[i].page.database != page.database || traps_[i].page.page != page.page) continue;
      const auto of_thread = [&](const Trap& trap) { return trap.thread == traps_[i].thread; };
      const auto later =
          std::count_if(traps_.begin() + static_cast<ptrdiff_t>(i) + 1, traps_.end(), of_thread);
      if (static_cast<size_t>(later) < kPagesOfAStore) return true;
    }
    return false;
  }

  size_t size() const { return pages_.size(); }
  void Forget() { pages_.clear(); }
  void Add(Entry page) { pages_.push_back(page); }
  // There must be one.
  Entry TakeOldest() {
    const Entry oldest = pages_.front();
    pages_.pop_front();
    return oldest;
  }

 private:
  // One instruction may store to both sides of a boundary of pages. After each trap it begins anew,
  // so it ends only when both pages are open.
  static constexpr size_t kPagesOfAStore = 2;
  // It is known of this many traps whether their threads still wait for their pages.
  static constexpr size_t kTrapsNoted = 32;

  struct Trap {
    pthread_t thread;
    Entry page;
  };

  std::deque<Entry> pages_;  // some have lost their twins without a notice
  std::deque<Trap> traps_;
};

}  // namespace tenure::stabilize
