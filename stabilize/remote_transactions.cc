// Where a RemotePageServer's transactions begin and end: what others want is given up, and whoever
// has lost awaits its turn.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>
#include <vector>

#include "stabilize/remote_connection.h"

namespace tenure::stabilize {

namespace {

// Of those that a transaction wanted when it was the victim, how many are waited for before it
// begins again.
constexpr size_t kTurnPagesMax = 8;
constexpr std::chrono::seconds kSameTransaction(1);

}  // namespace

// With the gate, between transactions. False: something must wait.
bool RemotePageServer::AnswerWaiting(Connection& connection) {
  std::deque<Connection::Callback> callbacks;
  {
    const std::lock_guard guard(connection.callback_lock);
    callbacks.swap(connection.callbacks);
  }
  while (!callbacks.empty()) {
    const Connection::Callback callback = callbacks.front();
    const DatabaseId database = [&] {
      const std::lock_guard guard(lock_);
      return OpenWithRemoteId(callback.remote);
    }();
    if (database.index != ~0u && listener_ != nullptr &&
        listener_->CalledBack(*this, database, PageId{callback.page}, callback.to_read) !=
            CallbackListener::Answer::kGivenUp) {
      break;
    }
    SendRelease(connection, callback.remote, callback.page, callback.to_read);
    callbacks.pop_front();
  }
  const bool all = callbacks.empty();
  const std::lock_guard guard(connection.callback_lock);
  connection.callbacks.insert(connection.callbacks.begin(), callbacks.begin(), callbacks.end());
  connection.called.notify_one();
  return all;
}

void RemotePageServer::NoteConflict(MessageKind kind, DatabaseId database,
                                    std::span<const PageId> pages) {
  const size_t count = std::min(pages.size(), kTurnPagesMax);
  const std::lock_guard guard(lock_);
  turn_.kind = kind;
  turn_.database = database;
  turn_.pages.assign(pages.begin(), pages.begin() + static_cast<ptrdiff_t>(count));
  turn_.at = std::chrono::steady_clock::now();
}

// Whoever has won has the pages until its transaction ends. Who waits for that in a transaction of
// its own holds what others want, and is the victim again.
void RemotePageServer::AwaitTurn() {
  Turn turn;
  {
    const std::lock_guard guard(lock_);
    turn = std::exchange(turn_, {});
  }
  if (turn.pages.empty() || !CheckOpen(turn.database).ok()) return;
  // Later it will be another transaction.
  if (std::chrono::steady_clock::now() - turn.at > kSameTransaction) return;
  // Not remembered as held: it may be called back before the transaction starts.
  (void)Call(turn.kind, WantBody(turn.database, transaction_ + 1, turn.pages, /*bounded=*/true),
             nullptr, /*between=*/true);
}

// A program that was stopped begins before its own thread has found this out.
bool RemotePageServer::IsLost() const {
  if (connection_ == nullptr || connection_->lost) return true;
  pollfd source = {connection_->socket, POLLRDHUP, 0};
  return poll(&source, 1, 0) > 0 && (source.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

Result<bool> RemotePageServer::StartTransaction() {
  if (IsLost()) TN_RETURN_IF_ERROR(Reconnect());
  // What is being given up is given up first.
  const std::lock_guard gate(gate_);
  const std::lock_guard guard(lock_);
  in_transaction_ = true;
  ++transaction_;
  return std::exchange(void_, false);
}

void RemotePageServer::EndTransaction() {
  const std::lock_guard gate(gate_);
  std::vector<std::pair<DatabaseId, std::map<uint64_t, bool>>> owed;
  {
    const std::lock_guard guard(lock_);
    if (!std::exchange(in_transaction_, false)) return;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      if (databases_[i].owed.empty()) continue;
      owed.emplace_back(DatabaseId{i}, std::exchange(databases_[i].owed, {}));
    }
  }
  if (connection_ == nullptr || connection_->lost) return;
  // What has come and waits for its thread is given up as well: whoever begins again at once would
  // be in the way of the same program again.
  (void)AnswerWaiting(*connection_);
  for (const auto& [database, pages] : owed) {
    for (const auto& [page, drop] : pages) {
      if (listener_ != nullptr) (void)listener_->CalledBack(*this, database, PageId{page}, !drop);
      SendRelease(*connection_, RemoteId(database), page, !drop);
    }
  }
}

}  // namespace tenure::stabilize
