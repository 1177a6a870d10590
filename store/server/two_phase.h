// Commits that concern several stores: one decides, and the others have prepared their parts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/server/commit_request.h"

namespace tenure::store {

// The store that decides about a commit of several stores.
struct Coordinator {
  Uuid store;
  std::string path;      // hint: relative to the participant's directory
  uint64_t lineage = 0;  // PageServer::lineage of the store; 0: not known
};

// The part of a prepared commit that concerns one database.
struct PreparedPart {
  std::string database;       // its name
  std::vector<PageId> pages;  // that it writes
  std::vector<PageId> fresh;  // those among them that do not exist yet
  bool root = false;          // it changes the root
  bool tables = false;        // it adds to the tables of references between databases
};

struct PreparedCommit {
  CommitId id;
  Coordinator coordinator;
  std::vector<PreparedPart> parts;
};

// A page server's part in such commits. These answers are those of a server that has none.
class TwoPhaseCommits {
 public:
  // Ensures that the request can be committed later, even after a crash. kConflict and other
  // failures as in Commit. Until Resolve no other commit may write its pages.
  virtual Status Prepare(const CommitRequest& request, const Coordinator& coordinator);
  // Carries out the prepared commit of this id, or forgets it. kFailed with kNotFound: there is
  // none.
  virtual CommitAnswer Resolve(CommitId id, bool commit);
  // The prepared commits that wait for Resolve, also those of earlier processes.
  virtual Result<std::vector<PreparedCommit>> Prepared();
  // Whether a commit with participants took place. Exact until all participants have acknowledged.
  virtual Result<bool> Decided(CommitId id);
  virtual Status Acknowledge(CommitId id, const Uuid& participant);

 protected:
  ~TwoPhaseCommits() = default;
};

}  // namespace tenure::store
