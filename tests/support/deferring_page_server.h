// A page server whose syncs the test makes, lets fail, or holds back.
//
// A commit that it orders is kept in memory, and the server behind it gets the commit when the test
// has the log synced. So what is not durable is lost when the store is opened anew. Pages of such a
// commit cannot be read from it: a session does not, since it has them in its frames.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include "store/server/page_server.h"
#include "store/server/store_faults.h"

namespace tenure::testing {

// What the test and the servers that it makes share. The test may change it while threads wait.
class SyncControl {
 public:
  // Syncs wait for Sync or Fail from here on.
  void Hold();
  // All that is ordered becomes durable, and is from here on as soon as somebody waits for it.
  void Sync();
  // The next sync makes the first `kept` commits that are not durable so, and fails.
  void Fail(size_t kept);
  // The server behind is gone from here on: transactions begin anew, and its databases and the
  // outcomes of its commits cannot be asked for.
  void Vanish();
  // Threads that are in AwaitDurable.
  int waiting();

 private:
  friend class DeferringPageServer;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool holds_ = false;
  bool fails_ = false;
  bool vanished_ = false;
  size_t kept_ = 0;
  int waiting_ = 0;
};

// For StoreOptions::fail: puts such a server in front of each one.
std::shared_ptr<const store::StoreFaults> Deferring(std::shared_ptr<SyncControl> control);

}  // namespace tenure::testing
