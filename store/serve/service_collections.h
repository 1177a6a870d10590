// Disk collections of databases that programs use (design.md section 5, "Space"): while a
// collection decides which objects to free, the commits of other programs are watched, and each
// program is asked about its references.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A program that has the database open.
class CollectionClient {
 public:
  // Sends the client the question, which it answers with Told. False: its connection is broken.
  virtual bool SendCandidates(uint32_t database, uint64_t question,
                              std::span<const Candidate> candidates) = 0;
  // 0: not known.
  virtual int64_t process() const { return 0; }

 protected:
  ~CollectionClient() = default;
};

// Any thread.
class ServiceCollections {
 public:
  // Lasts until its Held or Leave. `others` have the database open; each calls Leave in the end.
  Status Begin(uint32_t database, CollectionClient& collector, std::vector<Candidate> candidates,
               std::set<CollectionClient*> others);
  // Asks the others and waits for them; the collection's decision is made then, while `ordering` is
  // held: decide(candidates, &held) is called with what is known to be held, and may add to it.
  // kInUse when one of them does not answer for some seconds, or has left and may come again.
  using Decide = std::function<void(std::span<const Candidate>, std::vector<bool>*)>;
  Result<std::vector<bool>> Held(uint32_t database, CollectionClient& collector, Mutex& ordering,
                                 const Decide& decide = {});
  // Watches the next commit. Words that look like references to candidates count as references.
  void NoteCommit(const CommitRequest& request);
  // Takes a client's answer; false if it does not fit the question.
  bool Told(CollectionClient& client, uint64_t question, const std::vector<bool>& refers);
  // The client no longer uses the database. `lost`: its connection broke, and it may reconnect with
  // the references that it has.
  void Leave(uint32_t database, CollectionClient& client, bool lost);

 private:
  struct Collection {
    CollectionClient* collector = nullptr;
    uint64_t question = 0;
    std::vector<Candidate> candidates;  // ascending
    std::vector<bool> held;
    std::set<CollectionClient*> others;  // clients that have not answered
    bool left = false;                   // one of them without an answer
    int64_t left_process = 0;            // which
  };

  static void Note(Collection& collection, PersistentRef reference);

  Mutex lock_;
  CondVar changed_;
  std::map<uint32_t, Collection> collections_ TN_GUARDED_BY(lock_);  // by database
  uint64_t last_question_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
