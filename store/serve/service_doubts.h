// Prepared commits of a served store, each part of a commit of several stores: the pages that they
// keep, and the search for their outcome when the program that made them is gone
// (docs/page_server.md, "Transactions over several stores").
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/serve/server_permissions.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread. A prepared commit belongs to the client that made it until that client's connection
// ends; then it is in doubt, and a thread asks the store that decides about it, again and again.
class ServiceDoubts {
 public:
  using Keys = std::vector<Permissions::Key>;

  // `directory` is that of the store, absolute: where other stores are is said relative to it.
  // `failed` is called when the store can do no more.
  ServiceDoubts(PageServer& store, Permissions& permissions, std::string directory,
                std::function<void()> failed);
  ~ServiceDoubts();

  // Takes over what earlier processes have left; opens their databases at the store; starts the
  // thread. Once, before there are clients.
  Status Adopt();
  // Databases that Adopt has opened.
  const std::map<uint32_t, std::string>& adopted() const { return adopted_; }
  // Ends the thread.
  void Stop();

  // kInvalidArgument: there is no such store. Ok if that is unknown.
  Status CheckCoordinator(const Coordinator& coordinator) const;
  // Prepares the commit at the store. The client may write `keys`; the pages `fresh` among them
  // have not been written yet. Afterwards all of them are the commit's.
  Status Prepare(PermissionClient& client, const CommitRequest& request,
                 const Coordinator& coordinator, Keys keys, std::set<Permissions::Key> fresh);
  // Carries out the commit, or forgets it. If the commit was the client's own it gets the keys
  // back, those of databases that it still has open (`open`); after an abort *unused are the fresh
  // pages that it gets back. kNotFound: there is no such commit any more. kPermission: it belongs
  // to another program, at another place (CommitAsker) than `place`. A commit in doubt is anybody's
  // who may write: the store that decides may be open in that program alone.
  CommitAnswer Resolve(PermissionClient& client, uint64_t place, CommitId id, bool commit,
                       const std::set<uint32_t>& open, std::set<Permissions::Key>* unused);
  // The client ends: its commits are in doubt.
  void Abandon(PermissionClient& client);
  // The prepared commits in doubt.
  std::vector<PreparedCommit> InDoubt();
  // Whether the commit is prepared, and neither carried out nor forgotten.
  bool Has(CommitId id);
  // Whether a prepared commit writes to the database.
  bool Concern(uint32_t database);

 private:
  class Holder;
  struct Doubt {
    Coordinator coordinator;
    PermissionClient* owner = nullptr;  // null: in doubt
    uint64_t place = 0;                 // of the program that prepared it; 0: not known
    Keys keys{};
    std::set<Permissions::Key> fresh{};
    std::unique_ptr<Holder> holder;
    std::chrono::steady_clock::time_point since;
    // A thread prepares or resolves the commit at the store. The thread does not hold lock_, so
    // that the syncs of several commits go together; the entry stays, and other threads leave it
    // alone.
    bool busy = false;
    bool refused = false;  // SayRefusal has said so
  };
  using DoubtMap = std::map<CommitId, Doubt>;

  // Waits until no thread works on the commit.
  DoubtMap::iterator FindIdle(MutexLock& guard, CommitId id) TN_REQUIRES(lock_);
  // Releases lock_ meanwhile: the doubt is busy.
  CommitAnswer ResolveUnlocked(MutexLock& guard, DoubtMap::iterator doubt, bool commit)
      TN_REQUIRES(lock_);
  // Ends the doubt.
  void Remove(DoubtMap::iterator doubt, PermissionClient* heir, const std::set<uint32_t>& open)
      TN_REQUIRES(lock_);
  CommitAnswer ResolveHere(CommitId id, bool commit);
  void ReturnFresh(const Doubt& doubt);
  void Run();
  // Says once for a commit that the store that decides about the commit does not let this one ask.
  void SayRefusal(CommitId id, const std::string& at, const Status& status);
  // Asks the store that decides, and settles the commit if there is an answer.
  void AskCoordinator(CommitId id, const Coordinator& coordinator, bool may_open);

  PageServer& store_;
  Permissions& permissions_;
  const std::string directory_;
  const std::function<void()> failed_;
  std::map<uint32_t, std::string> adopted_;
  Mutex lock_;
  CondVar changed_;
  DoubtMap doubts_ TN_GUARDED_BY(lock_);
  bool stop_ TN_GUARDED_BY(lock_) = false;
  WorkerThread thread_;
};

}  // namespace tenure::store
