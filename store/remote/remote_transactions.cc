// Where a RemotePageServer's transactions begin and end: pages that other programs want are given
// up, and a program whose transaction was refused awaits its turn.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/remote/remote_page_server.h"

namespace tenure::store {

namespace {

// When a transaction was a deadlock's victim: how many of the pages that it wanted the program
// waits for, at most, before the transaction begins again.
constexpr size_t kTurnPagesMax = 8;
constexpr std::chrono::seconds kSameTransaction(1);
// How long the attempts of a transaction give way after the first refusal.
constexpr std::chrono::seconds kGivesWayFor(10);
// When a transaction that begins and finds no server tries again, and when it says so.
constexpr std::chrono::milliseconds kTryAgain(50);

std::chrono::nanoseconds TimeWithSleep() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

struct Connected {
  Mutex lock;  // before any server's
  std::vector<RemotePageServer*> servers TN_GUARDED_BY(lock);
  std::atomic<size_t> count{0};
};

Connected& TheConnected() {
  static Connected& connected = *new Connected;
  return connected;
}

}  // namespace

void NoteConnected(RemotePageServer* server) {
  Connected& connected = TheConnected();
  const MutexLock guard(connected.lock);
  connected.servers.push_back(server);
  connected.count = connected.servers.size();
}

void NoteDisconnected(RemotePageServer* server) {
  Connected& connected = TheConnected();
  const MutexLock guard(connected.lock);
  std::erase(connected.servers, server);
  connected.count = connected.servers.size();
}

size_t ConnectedServers() { return TheConnected().count; }

bool RemotePageServer::IsOtherOfProgram(const RemotePageServer& other) const {
  return &other != this && listener_ != nullptr && other.listener_ == listener_;
}

bool RemotePageServer::OthersOweSomething() {
  Connected& connected = TheConnected();
  const MutexLock guard(connected.lock);
  return std::any_of(connected.servers.begin(), connected.servers.end(), [&](auto* other) {
    if (!IsOtherOfProgram(*other)) return false;
    const MutexLock of_other(other->lock_);
    return other->in_transaction_ &&
           std::any_of(other->databases_.begin(), other->databases_.end(),
                       [](const Opened& database) { return database.pages.HasWanted(); });
  });
}

// The caller has the lock that callbacks need, so no other thread can answer them now.
void RemotePageServer::AnswerOthersWaiting() {
  std::vector<RemotePageServer*> others;
  {
    Connected& connected = TheConnected();
    const MutexLock guard(connected.lock);
    for (RemotePageServer* const other : connected.servers) {
      if (IsOtherOfProgram(*other)) others.push_back(other);
    }
  }
  for (RemotePageServer* const other : others) {
    const MutexLock gate(other->gate_);
    {
      const MutexLock guard(other->lock_);
      if (other->in_transaction_) continue;
    }
    RemoteConnection* const connection = other->connection_.get();
    if (connection != nullptr && !connection->lost()) (void)other->AnswerWaiting(*connection);
  }
}

// Called with the gate, between transactions. False: a callback must wait.
bool RemotePageServer::AnswerWaiting(RemoteConnection& connection) {
  std::deque<RemoteConnection::Callback> callbacks = connection.TakeCallbacks();
  while (!callbacks.empty() && GiveBack(connection, callbacks.front())) callbacks.pop_front();
  connection.PutBack(callbacks);
  return callbacks.empty();
}

void RemotePageServer::NoteConflict(MessageKind kind, DatabaseId database,
                                    std::span<const PageId> pages) {
  const size_t count = std::min(pages.size(), kTurnPagesMax);
  const MutexLock guard(lock_);
  turn_.kind = kind;
  turn_.database = database;
  turn_.pages.assign(pages.begin(), pages.begin() + static_cast<ptrdiff_t>(count));
  turn_.at = std::chrono::steady_clock::now();
  if (!first_refused_) first_refused_ = turn_.at;
}

// The winner of the deadlock has the pages until its transaction ends. A victim that waited for the
// pages in its next transaction would hold pages that others want, and be the victim again.
void RemotePageServer::AwaitTurn() {
  Turn turn;
  {
    const MutexLock guard(lock_);
    turn = std::exchange(turn_, {});
  }
  if (turn.pages.empty() || !CheckOpen(turn.database).ok()) return;
  // After a longer time the turn is of another transaction.
  if (std::chrono::steady_clock::now() - turn.at > kSameTransaction) return;
  begins_again_ = true;
  // Not noted as held: the server may call the page back before the transaction starts.
  (void)Call(turn.kind, WantBody(turn.database, transaction_ + 1, turn.pages, /*bounded=*/true),
             nullptr, /*between=*/true);
}

bool RemotePageServer::GivesWay() const {
  if (!gives_way_ || !first_refused_) return gives_way_;
  return std::chrono::steady_clock::now() - *first_refused_ < kGivesWayFor;
}

// A program that was stopped begins before its own thread has found this out.
bool RemotePageServer::IsLost() const {
  return connection_ == nullptr || connection_->lost() || connection_->HasEnded();
}

// Waits for a server that is being started again. A refusal by the server itself is an answer.
Status RemotePageServer::ReconnectPatiently() {
  const auto begin = std::chrono::steady_clock::now();
  for (bool said = false;;) {
    const Status status = Reconnect();
    const bool away = reach_->MayPass(status);
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (status.ok() || !away || waited > reach_->begin_patience()) return status;
    if (!said && waited > kSayWaitAfter) {
      said = true;
      SayThatItWaits("a transaction", directory_, reach_->begin_patience());
    }
    std::this_thread::sleep_for(kTryAgain);
  }
}

Result<bool> RemotePageServer::RenewLease() {
  if (!reach_->leases()) return true;
  const std::chrono::nanoseconds now = TimeWithSleep();
  if (now < lease_end_) return true;
  TN_ASSIGN_OR_RETURN(const uint64_t left, Ask(MessageKind::kLease, Writer(), [](Reader& reader) {
                        return reader.Get<uint64_t>();
                      }));
  if (left == 0) return false;
  lease_end_ = now + std::chrono::milliseconds(left);
  // The answer may have taken so long that the lease is over.
  return TimeWithSleep() < lease_end_;
}

// The program uses pages that it holds without a message. So the server must not have given them to
// others meanwhile; nor must another leader, if the server is cut off from its cluster.
Status RemotePageServer::ConnectForTransaction() {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    if (IsLost()) TN_RETURN_IF_ERROR(ReconnectPatiently());
    const Result<bool> leased = RenewLease();
    if (leased.ok() && *leased) return Status::Ok();
    if (std::chrono::steady_clock::now() - begin > reach_->begin_patience()) {
      return leased.ok() ? Failure(StatusCode::kIo, "the page server of " + directory_ +
                                                        " has no lease: it may have been replaced")
                         : leased.status();
    }
    std::this_thread::sleep_for(kTryAgain);
  }
}

bool RemotePageServer::StillHolds() {
  {
    const MutexLock guard(lock_);
    if (void_) return false;
  }
  if (IsLost()) return false;
  const Result<bool> leased = RenewLease();
  return leased.ok() && *leased;
}

Result<bool> RemotePageServer::StartTransaction() {
  TN_RETURN_IF_ERROR(ConnectForTransaction());
  TN_RETURN_IF_ERROR(failed());
  // Pages that are being given up are given up first.
  const MutexLock gate(gate_);
  const MutexLock guard(lock_);
  in_transaction_ = true;
  commits_.SettlePart();  // of a commit whose outcome nobody could tell
  transaction_began_ = std::chrono::steady_clock::now();
  if (!std::exchange(begins_again_, false)) first_refused_.reset();
  ++transaction_;
  return std::exchange(void_, false);
}

void RemotePageServer::EndTransaction() {
  const MutexLock gate(gate_);
  std::vector<std::pair<DatabaseId, HeldPages::ToGiveUp>> wanted;
  {
    const MutexLock guard(lock_);
    if (!std::exchange(in_transaction_, false)) return;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      for (const auto& page : databases_[i].pages.TakeWanted()) {
        wanted.emplace_back(DatabaseId{i}, page);
      }
    }
  }
  if (connection_ == nullptr || connection_->lost()) return;
  // Pages that have arrived and wait for their thread are given up as well: a program that begins
  // again at once would be in the way of the same other program again.
  (void)AnswerWaiting(*connection_);
  for (const auto& [database, page] : wanted) {
    if (listener_ != nullptr) (void)listener_->CalledBack(*this, database, page.page, !page.drop);
    SendRelease(*connection_, RemoteId(database), page.page, !page.drop);
  }
  GiveUpWandering();
  FreeContended();
}

// The release goes with the next request, which usually follows at once: a message of its own would
// wake the server once more. A program that wants the page before has it called back. No program
// has wanted the page during the transaction: otherwise it has been given up already.
void RemotePageServer::GiveUpWandering() {
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    std::vector<PageId> pages;
    {
      const MutexLock guard(lock_);
      pages = databases_[i].pages.TakeWandering();
    }
    std::erase_if(pages, [&](PageId page) {
      return listener_ != nullptr &&
             listener_->CalledBack(*this, DatabaseId{i}, page, /*to_read=*/false) !=
                 CallbackListener::Answer::kGivenUp;
    });
    if (pages.empty()) continue;
    Writer body;
    const MutexLock guard(lock_);
    for (const PageId page : pages) {
      databases_[i].pages.Forget(page);
      PutRelease(body, databases_[i].remote, page, /*keep_read=*/false);
    }
    connection_->SendLater(body);
  }
}

// A page in a frame counts as used in the next transaction, since touches of frames are invisible.
// Two programs would then wait for pages of each other that neither uses, and no server sees a
// cycle of waits that leads through several servers. So a page that others have wanted lately
// leaves its frame, and the next touch traps. The program keeps the permission and the contents;
// until that touch it gives the page up as soon as the server asks.
void RemotePageServer::FreeContended() {
  std::vector<std::pair<DatabaseId, HeldPages::Ending>> endings;
  {
    const bool several = ConnectedServers() > 1;
    const MutexLock guard(lock_);
    if (contention_ > 0) --contention_;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      endings.emplace_back(DatabaseId{i}, databases_[i].pages.EndTransaction(several));
    }
  }
  for (const auto& [id, ending] : endings) {
    for (const PageId page : ending.to_free) {
      if (listener_ != nullptr && listener_->CalledBack(*this, id, page, /*to_read=*/false) !=
                                      CallbackListener::Answer::kGivenUp) {
        continue;
      }
      const MutexLock guard(lock_);
      databases_[id.index].pages.Free(page);
      DropSurplus(databases_[id.index]);
    }
    for (const auto& [page, drop] : ending.to_give_up) {
      if (listener_ != nullptr) (void)listener_->CalledBack(*this, id, page, !drop);
      SendRelease(*connection_, RemoteId(id), page, !drop, /*wanted=*/false);
    }
  }
  const MutexLock guard(lock_);
  for (Opened& database : databases_) database.pages.ForgetUsed();
}

bool RemotePageServer::OthersWait() {
  const MutexLock guard(lock_);
  return std::any_of(databases_.begin(), databases_.end(),
                     [](const Opened& database) { return database.pages.HasWanted(); });
}

bool RemotePageServer::HoldsPermissions() {
  const MutexLock guard(lock_);
  return void_ || std::any_of(databases_.begin(), databases_.end(), [](const Opened& database) {
           return database.open && database.pages.HoldsAny();
         });
}

bool RemotePageServer::TellTransaction(RemoteConnection& connection, uint64_t question) {
  Writer body;
  body.Put(question);
  {
    const MutexLock guard(lock_);
    const auto since = std::chrono::steady_clock::now() - transaction_began_;
    body.Put(static_cast<uint8_t>(in_transaction_));
    body.Put(static_cast<uint64_t>(
        in_transaction_ ? std::chrono::duration_cast<std::chrono::milliseconds>(since).count()
                        : 0));
    uint64_t free_pages = 0;
    for (const Opened& database : databases_) {
      if (database.open) free_pages += database.pages.CountFree();
    }
    body.Put(free_pages);
  }
  return connection.Send(MessageKind::kTellsTransaction, body);
}

Result<ServingReport> RemotePageServer::Serving() {
  return Ask(MessageKind::kServing, Writer(), GetReport);
}

Result<RecentCommits> RemotePageServer::Recent(uint32_t most) {
  Writer body;
  body.Put(most);
  return Ask(MessageKind::kRecentCommits, body, GetRecent);
}

Status RemotePageServer::Confirm() {
  Writer body;
  body.Put(uint32_t{1});
  body.Put(transaction_);
  TN_ASSIGN_OR_RETURN(const std::vector<bool> holds, Ask(MessageKind::kConfirm, body, GetFlags));
  if (holds.size() != 1) return BadAnswer();
  if (holds[0]) return Status::Ok();
  return Status(StatusCode::kConflict, "the page server has given to others what was read");
}

}  // namespace tenure::store
