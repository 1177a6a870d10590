// The latest commits of a service, for tools that show the store's activity.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/remote/recent_commits.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread. Takes at most kCommitsKept times some 1.5 KB.
class ServiceHistory {
 public:
  static constexpr size_t kCommitsKept = 500;

  // Called when the commit is ordered. `names`: of its databases, in their order.
  void Note(const CommitRequest& request, uint64_t version, ServingReport::Party party,
            std::vector<std::string> names);
  // The latest ones, `most` at most; the last one first.
  RecentCommits Recent(size_t most) const;

 private:
  mutable Mutex lock_;
  std::deque<RecentCommit> commits_ TN_GUARDED_BY(lock_);
  uint64_t total_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
