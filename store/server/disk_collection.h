// A page server's part in collections of garbage on the disk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/format/persistent_ref.h"

namespace tenure::store {

// An object that a disk collection found unreachable, and would free.
struct Candidate {
  PersistentRef object;
  uint64_t bytes = 0;  // with its header
};

// These answers are those of a server that only one program uses.
class DiskCollection {
 public:
  // A disk collection of a shared server, which others use meanwhile (docs/recovery.md). Called in
  // a transaction with permission to read all pages and the root, with the unreachable objects in
  // ascending order. From then on the server watches the commits of others for references to them.
  // kInUse: another collection of the database is going on.
  virtual Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates);
  // After that transaction: whether a program refers to each candidate. No program can ever refer
  // to those that are not reachable from these. kInUse: a program has not answered in time.
  virtual Result<std::vector<bool>> HeldCandidates(DatabaseId database);

  // Called by the only user of the store before places of unreachable objects are given to other
  // objects. kInUse, with a process id or -1, while a program that the store was served to may come
  // again with references to such places. A program that comes again later is told to begin anew.
  virtual Status GivePlacesAgain() { return Status::Ok(); }

 protected:
  ~DiskCollection() = default;
};

}  // namespace tenure::store
