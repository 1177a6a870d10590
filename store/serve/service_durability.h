// Tells clients which of their ordered commits have become durable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/worker_thread.h"
#include "store/serve/server_permissions.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A client that is told.
class DurabilityClient {
 public:
  // Tells the client that commits up to `version` are durable. False: the client could not be told
  // now. Must not wait.
  virtual bool TellDurable(uint64_t version) = 0;

 protected:
  ~DurabilityClient() = default;
};

// A thread waits for the store's syncs, as one of those that the syncs serve. Any thread.
class ServiceDurability {
 public:
  // `failed` is called when a sync has failed.
  ServiceDurability(PageServer& store, std::function<void()> failed)
      : store_(store), failed_(std::move(failed)) {}
  ~ServiceDurability() { Stop(); }

  // Notes that the client has ordered a commit: the client is told when the commit is durable. Not
  // ok: no thread could be started.
  Status Ordered(DurabilityClient& client, uint64_t version);
  // The client ends and gets no messages any more.
  void Leave(DurabilityClient& client);
  // Ends the thread.
  void Stop();

 private:
  void Run();
  bool TellAll(uint64_t durable) TN_REQUIRES(lock_);

  PageServer& store_;
  const std::function<void()> failed_;
  Mutex lock_;
  CondVar changed_;
  std::map<DurabilityClient*, uint64_t> waiting_
      TN_GUARDED_BY(lock_);  // the last commit to tell each of
  bool stop_ TN_GUARDED_BY(lock_) = false;
  WorkerThread thread_;
};

// A client's commits that are ordered and not durable, and the pages that they wrote: others get
// such a page when its commit is durable. Any thread.
class UndurablePages {
 public:
  struct Release {
    Permissions::Key key;
    bool keep_read = false;
    uint64_t version = 0;  // of the commit that must be durable first
  };

  void Note(const CommitRequest& request, uint64_t version);
  // True: the release of the page waits until its commit is durable; `durable` is the version up to
  // which all commits are.
  bool Defer(Permissions::Key key, bool keep_read, uint64_t durable);
  // The releases that are due, since commits up to `durable` are durable.
  std::vector<Release> Take(uint64_t durable);
  // The last commit for which a release waits; 0: no release waits.
  uint64_t deferred_version();
  // The last ordered commit.
  uint64_t version();

 private:
  Mutex lock_;
  std::map<Permissions::Key, uint64_t> written_ TN_GUARDED_BY(lock_);
  std::vector<Release> deferred_ TN_GUARDED_BY(lock_);
  uint64_t version_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
