// Requests to a shared page server for pages that a trap or an operation is going to need. Another
// program may hold a page for long. So a thread sends these requests without the session's lock,
// and other threads run meanwhile, or stop the world (SessionOptions::while_waiting). Afterwards
// the trap or the operation works with the lock: the permissions are there, and so are the contents
// of a page that was read.
//
// While a request is under way no operation begins or ends a transaction, or closes a store:
// operations call BeginOperation first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

struct PageRequest {
  Database* database = nullptr;  // open; its store is shared
  PageRun pages;                 // page 0 stands for the root
  bool contents = false;         // of the first page
  bool read = false, write = false;
  std::vector<PageId> more = {};  // further pages to write, when `write`
};

// The answers to a thread's requests. Invalid when another thread has begun an operation.
class PageAnswers {
 public:
  // Called with the session's lock. True: the request counts as under way, and Ask must follow.
  // False: the answer is here; or other threads have made many answers invalid, and the caller asks
  // with the lock.
  bool Begins(SessionState& session, const PageRequest& request);
  // Sends the request and waits for the answer. Without the session's lock.
  void Ask(SessionState& session, const PageRequest& request);

  // The result of the request. Called with the session's lock, after Begins has returned false.
  const Status& status() const { return status_; }
  // Null: the page was not read.
  const PageReply* ContentsOf(const Database& database, PageId page) const;

 private:
  Status Send(SessionState& session, const PageRequest& request);

  std::optional<PageRequest> asked_;
  std::unique_ptr<PageReply> reply_;  // for asked_->contents
  uint64_t operations_ = 0;           // SessionState::operations when the request was sent
  int attempts_ = 0;
  Status status_;
};

// The permissions that a commit of the open transaction is going to ask shared stores for, one
// request for each database: the homes of displaced objects that have changed, for which no trap
// has asked. Called with the session's lock.
std::vector<PageRequest> RequestsOfCommit(SessionState& session);

// Whether the database is open, and its store is shared. Called with the session's lock.
bool IsShared(Database& database);
// Whether the page, which has not been touched, may come along with another page that is read.
// Called with the session's lock.
bool MayComeAlong(SessionState& session, Database& database, PageId page);

// Waits until no request is under way. Called with the session's lock, which other threads get in
// between.
void AwaitPageRequests(SessionState& session);
// The same for an operation that may begin or end transactions, or close stores: answers that
// threads have got, and not used yet, are void from now on.
void BeginOperation(SessionState& session);

}  // namespace tenure::stabilize
