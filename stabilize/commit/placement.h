// Where a commit puts new objects: on open pages, on fresh ones, or on pages of their own.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "stabilize/commit/change_set.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// Of one commit, with the session's lock.
class Placement {
 public:
  Placement(SessionState& session, ChangeSet& changes) : session_(session), changes_(changes) {}

  // A place for an object of the type, with `bytes`. `at_once`: it gets its contents before the
  // commit ends. NIL: there is none (failure).
  PersistentRef Place(Database& database, const abi::TypeDescriptor& type, size_t bytes,
                      bool at_once = false);
  const Status& failure() const { return failure_; }
  // The database's open pages get no more objects.
  void FinishOpenPages(DatabaseChanges& changes) {
    for (const OpenPage& open : changes.database->open_pages()) FinishOpenPage(changes, open);
  }

  // Objects are encoded as they are reached.
  bool encodes_reached() const { return session_.options.cluster == ClusterOrder::kBreadth; }
  // The next encoded page that gets no more objects, of which all are among the first `reached`
  // displaced ones; null: there is none.
  const std::byte* TakeClosed(size_t reached) {
    if (next_closed_ == closed_.size() || closed_[next_closed_].objects >= reached) return nullptr;
    return closed_[next_closed_++].encoded;
  }

 private:
  PersistentRef PlaceSmall(Database& database, size_t bytes, bool apart, bool at_once);
  Result<PersistentRef> PlaceLarge(Database& database, const abi::TypeDescriptor& type,
                                   size_t bytes);
  // A fresh page takes the place of the fuller open one.
  Status TakeOpenPage(DatabaseChanges& changes, bool apart);
  // The open page gets no more objects: encodes its free end, if the page is encoded.
  void FinishOpenPage(DatabaseChanges& changes, const OpenPage& open);

  SessionState& session_;
  ChangeSet& changes_;
  Status failure_;
  struct ClosedPage {
    const std::byte* encoded;
    size_t objects;  // displaced ones at that time
  };
  std::vector<ClosedPage> closed_;
  size_t next_closed_ = 0;
};

}  // namespace tenure::stabilize
