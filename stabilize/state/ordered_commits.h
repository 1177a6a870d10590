// Commits that a page server has ordered and that may not be durable yet
// (docs/stabilization.md, "Durability").
//
// The commits of a process have numbers that ascend in the order in which they take place. At most
// one store has commits that are not durable: a commit of another store is not ordered before they
// are (Stabilizer::Send). So if a commit is durable, each one with a lower number is durable too.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/worker_thread.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

// Any thread, with or without the session's lock. A thread that may be stopped with the world holds
// stops during a call, since a thread that has stopped the world calls too.
class OrderedCommits {
 public:
  OrderedCommits() = default;
  ~OrderedCommits();
  OrderedCommits(const OrderedCommits&) = delete;
  OrderedCommits& operator=(const OrderedCommits&) = delete;

  struct Commit {
    uint64_t number = 0;
    store::CommitId id;
    uint64_t version = 0;  // that the server gave it
  };

  // The server has ordered a commit. Returns its number, or 0 if the commit is durable already.
  uint64_t Add(const std::shared_ptr<store::PageServer>& server, const store::CommitId& id,
               uint64_t version);
  // The number of the newest commit that may not be durable yet; 0: there is none.
  uint64_t Newest();
  // The server that has ordered the commits that may not be durable yet; null: there are none.
  std::shared_ptr<store::PageServer> Server();

  // Waits until the commit is durable; commit 0 is. kAborted: the commit did not take place.
  // kUnknownOutcome. Nothing: its server has failed, and the outcome has not been asked for yet
  // (AwaitOrdered, stabilize/state/open_stores.h).
  std::optional<Status> Await(uint64_t number);
  // The same without waiting. Nothing: the commit is not known to be durable.
  std::optional<Status> Outcome(uint64_t number);

  // From now on a background thread makes this commit and those before it durable although no
  // thread waits for them.
  void MakeDurableInBackground(uint64_t number);

  // --- With the session's lock ---

  // Forgets the commits that the server, which may have failed, knows to be durable. Returns the
  // others, in order.
  std::vector<Commit> Undecided();
  // All commits up to this number are durable.
  void NoteDurable(uint64_t number);
  // `why` (kAborted or kUnknownOutcome) becomes the state of the undecided commits from `first` on.
  void NoteFailed(uint64_t first, Status why);

  // In the child of a fork: forgets all commits.
  void ForgetAll();

 private:
  // Commits that did not take place, and commits whose outcome is unknown.
  struct Failed {
    uint64_t first, last;
    Status why;
  };

  void DropDurable(uint64_t number) TN_REQUIRES(mutex_);
  std::optional<Status> OutcomeLocked(uint64_t number) const TN_REQUIRES(mutex_);
  void RunBackground();

  Mutex mutex_;
  std::deque<Commit> waiting_ TN_GUARDED_BY(mutex_);  // numbers without gaps
  std::shared_ptr<store::PageServer> server_ TN_GUARDED_BY(mutex_);
  uint64_t last_ TN_GUARDED_BY(mutex_) = 0;  // number
  std::vector<Failed> failed_ TN_GUARDED_BY(mutex_);

  WorkerThread background_;
  CondVar wanted_changed_;
  uint64_t wanted_ TN_GUARDED_BY(mutex_) = 0;   // the newest commit that background_ makes durable
  bool is_idle_ TN_GUARDED_BY(mutex_) = false;  // background_ waits for wanted_changed_
  bool ends_ TN_GUARDED_BY(mutex_) = false;
};

}  // namespace tenure::stabilize
