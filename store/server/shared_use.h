// Pages of a page server that several programs use: permissions and transactions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/format/persistent_ref.h"
#include "store/server/disk_collection.h"

namespace tenure::store {

class PageServer;

// The holder of permissions of a shared server, which asks it to give pages back. The calls come
// from a thread of the server object, which may be told to call again; and from a thread of the
// program in EndTransaction, AwaitTurn or StartTransaction, which holds the session's lock.
class CallbackListener {
 public:
  enum class Answer : uint8_t {
    kGivenUp,        // the page is not accessible any more (to_read: not writable)
    kInTransaction,  // the page may have been used: when the transaction ends
    kLater,          // the lock that is needed is taken
  };
  virtual Answer CalledBack(PageServer& server, DatabaseId database, PageId page, bool to_read) = 0;
  // Calls `ask` when no other thread of the program is in the middle of anything. By a thread that
  // holds no lock.
  virtual void WithOthersStopped(const std::function<void()>& ask) { ask(); }
  // Called only by a thread of the server object. For each of these objects, in ascending order:
  // whether the program may refer to it from outside of the database.
  virtual std::vector<bool> RefersTo(PageServer&, DatabaseId,
                                     std::span<const Candidate> candidates) {
    return std::vector<bool>(candidates.size(), true);
  }

 protected:
  ~CallbackListener() = default;
};

// The answers here, and those of PageServer, are those of a server that only one program uses.
class SharedUse {
 public:
  // Permissions stay with the session until called back or released (callback locking). These may
  // block. kConflict: waiting would have closed a cycle, and this session's transaction is the
  // victim. With capabilities().shared false they return ok at once.
  virtual Status WantRead(DatabaseId database, std::span<const PageId> pages) = 0;
  virtual Status WantWrite(DatabaseId database, std::span<const PageId> pages) = 0;
  virtual Status Release(DatabaseId database, std::span<const PageId> pages) = 0;

  // For shared servers; others do nothing. In WantRead and WantWrite of these, page 0 stands for
  // the root. The listener must be set before a transaction starts.
  virtual void SetListener(CallbackListener*) {}
  // Called before a transaction that repeats a victim's (kConflict): waits, for some seconds at
  // most, until the pages that the victim wanted are free. Meanwhile passes the requests of others
  // to the listener, in the calling thread.
  virtual void AwaitTurn() {}
  // Permissions are asked for between StartTransaction and EndTransaction only. True: all that were
  // granted before are void. A failure: no transaction has started.
  virtual Result<bool> StartTransaction() { return false; }
  // Passes the requests that came during the transaction to the listener, in the calling thread.
  virtual void EndTransaction() {}
  // Whether anything has been granted to the open transaction, or is kept from earlier ones: it may
  // have read that.
  virtual bool HoldsPermissions() { return false; }
  // Whether what was granted to the open transaction, or before it, is still its own, so that
  // another thread's reads may join the transaction. Asks a server only if a lease is over.
  virtual bool StillHolds() { return true; }
  // Whether others wait for pages that the open transaction may have used, until it ends. Does not
  // block.
  virtual bool OthersWait() { return false; }
  // Ok: at some moment after this call began, all that was granted was the program's own.
  // kConflict: it was not, the transaction is void.
  virtual Status Confirm() { return Status::Ok(); }

 protected:
  ~SharedUse() = default;
};

}  // namespace tenure::store
