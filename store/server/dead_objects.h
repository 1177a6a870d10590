// The objects that disk collections of a served store have found dead, while their collectors free
// them: no other program's commit may refer to them any more, and only their collector may take
// them away.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/server/page_server.h"

namespace tenure::store {

// A reference of one candidate for being dead to another: by their places in the list of
// candidates, and the page on which the reference is.
struct CandidateEdge {
  size_t from = 0, to = 0;
  uint64_t page = 0;
};

// Any thread.
class DeadObjects {
 public:
  // Adds to *held the `candidates` (ascending) that are reached from held ones. The others are the
  // collector's from now on.
  void Decide(DatabaseId database, const void* collector, std::span<const Candidate> candidates,
              std::span<const CandidateEdge> edges, std::vector<bool>* held);
  // The collector frees none of its objects any more, of any database or of this one.
  void Drop(const void* collector);
  void Drop(const void* collector, DatabaseId database);

  // Whether a collector is freeing objects of the database.
  bool Freeing(DatabaseId database, const void* but_not);
  bool any() const { return any_; }
  // Grows whenever objects become dead, or are dead no more.
  uint64_t changes() const { return changes_; }
  bool Contains(DatabaseId database, PersistentRef object);
  // Whether the client may free the object: its collection has found the object dead, and no dead
  // object of that collection refers to a dead one any more.
  bool MayFree(DatabaseId database, PersistentRef object, const void* client);
  // Those of `pages` on which dead objects that the client has found refer to dead ones.
  std::vector<PageId> Connected(DatabaseId database, const void* client,
                                std::span<const PageWrite> pages);
  // On these pages no dead object refers to a dead one any more.
  void Disconnected(DatabaseId database, const void* client, std::span<const PageId> pages);

 private:
  struct Dead {
    const void* collector = nullptr;
    std::vector<uint64_t> objects;  // ascending
    std::set<uint64_t> connected;   // pages
  };

  Dead* Find(DatabaseId database, const void* client) TN_REQUIRES(lock_);
  void Changed() TN_REQUIRES(lock_);

  Mutex lock_;
  std::map<uint32_t, Dead> dead_ TN_GUARDED_BY(lock_);  // by database
  std::atomic<bool> any_{false};
  std::atomic<uint64_t> changes_{0};
};

}  // namespace tenure::store
