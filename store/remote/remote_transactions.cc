// Where a RemotePageServer's transactions begin and end: pages that other programs want are given
// up, and a program whose transaction was refused awaits its turn.
#include <poll.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/remote/remote_connection.h"
#include "store/remote/remote_page_server.h"
#include "store/server/commit_check.h"

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
                       [](const Opened& database) { return !database.to_release.empty(); });
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
    if (connection != nullptr && !connection->lost) (void)other->AnswerWaiting(*connection);
  }
}

// Called with the gate, between transactions. False: a callback must wait.
bool RemotePageServer::AnswerWaiting(RemoteConnection& connection) {
  std::deque<RemoteConnection::Callback> callbacks;
  {
    const MutexLock guard(connection.callback_lock);
    callbacks.swap(connection.callbacks);
  }
  while (!callbacks.empty()) {
    const RemoteConnection::Callback callback = callbacks.front();
    DatabaseId database{~0u};
    {
      const MutexLock guard(lock_);
      database = OpenWithRemoteId(callback.remote);
      if (database.index != ~0u && databases_[database.index].MayArrive(callback.page)) break;
    }
    if (database.index != ~0u && listener_ != nullptr &&
        listener_->CalledBack(*this, database, PageId{callback.page}, callback.to_read) !=
            CallbackListener::Answer::kGivenUp) {
      break;
    }
    SendRelease(connection, callback.remote, callback.page, callback.to_read);
    callbacks.pop_front();
  }
  const bool all = callbacks.empty();
  const MutexLock guard(connection.callback_lock);
  connection.callbacks.insert(connection.callbacks.begin(), callbacks.begin(), callbacks.end());
  // The thread of callbacks need not wake up without one.
  if (!connection.callbacks.empty()) connection.called.notify_one();
  return all;
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
  if (connection_ == nullptr || connection_->lost) return true;
  pollfd source = {connection_->socket, POLLRDHUP, 0};
  return poll(&source, 1, 0) > 0 && (source.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
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
  part_.reset();  // of a commit whose outcome nobody could tell
  transaction_began_ = std::chrono::steady_clock::now();
  if (!std::exchange(begins_again_, false)) first_refused_.reset();
  ++transaction_;
  return std::exchange(void_, false);
}

void RemotePageServer::EndTransaction() {
  const MutexLock gate(gate_);
  std::vector<std::pair<DatabaseId, std::map<uint64_t, bool>>> to_release;
  {
    const MutexLock guard(lock_);
    if (!std::exchange(in_transaction_, false)) return;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      if (databases_[i].to_release.empty()) continue;
      to_release.emplace_back(DatabaseId{i}, std::exchange(databases_[i].to_release, {}));
    }
  }
  if (connection_ == nullptr || connection_->lost) return;
  // Pages that have arrived and wait for their thread are given up as well: a program that begins
  // again at once would be in the way of the same other program again.
  (void)AnswerWaiting(*connection_);
  for (const auto& [database, pages] : to_release) {
    for (const auto& [page, drop] : pages) {
      if (listener_ != nullptr) (void)listener_->CalledBack(*this, database, PageId{page}, !drop);
      SendRelease(*connection_, RemoteId(database), page, !drop);
    }
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
      Opened& database = databases_[i];
      pages = database.wandering.TakeGranted();
      std::erase_if(pages, [&](PageId page) {
        return !database.held.contains(page.number) || database.allocated.contains(page.number);
      });
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
      ForgetPage(databases_[i], page.number);
      body.Put(databases_[i].remote);
      body.Put(page.number);
      body.Put(uint8_t{0});
    }
    const MutexLock sending(connection_->send_lock);
    connection_->release.insert(connection_->release.end(), body.bytes().begin(),
                                body.bytes().end());
  }
}

void RemotePageServer::NoteUsed(DatabaseId database, PageId page, const PageRecord& record) {
  if (!in_transaction_) return;
  Opened& opened = databases_[database.index];
  const auto contended = opened.contended.find(page.number);
  const bool is_contended =
      contended != opened.contended.end() && contended->second.transactions > 0;
  if (contention_ == 0 && !is_contended) return;
  // More would not be kept when they become free.
  if (opened.used.size() >= ReadAhead::kPagesMost) return;
  opened.used[page.number] = {std::make_unique<PageRecord>(record), false, false};
}

void RemotePageServer::NoteWritten(Opened& database, const PageWrite& write, uint64_t version) {
  const auto used = database.used.find(write.page.number);
  if (used == database.used.end()) return;
  if (write.remove || !ApplyWrite(write, version, used->second.record.get()).ok()) {
    database.used.erase(used);
    return;
  }
  used->second.written = true;
  used->second.prepared = version == 0;
}

void RemotePageServer::SettleWritten(uint64_t version) {
  for (Opened& database : databases_) {
    for (auto entry = database.used.begin(); entry != database.used.end();) {
      Opened::Used& used = entry->second;
      const bool settles = std::exchange(used.prepared, false);
      if (settles) used.record->version = version;
      entry = settles && version == 0 ? database.used.erase(entry) : std::next(entry);
    }
  }
}

// A page in a frame counts as used in the next transaction, since touches of frames are invisible.
// Two programs would then wait for pages of each other that neither uses, and no server sees a
// cycle of waits that leads through several servers. So a page that others have wanted lately
// leaves its frame, and the next touch traps. The program keeps the permission and the contents;
// until that touch it gives the page up as soon as the server asks.
void RemotePageServer::FreeContended() {
  struct Page {
    DatabaseId database;
    uint64_t number;
    bool drop;
  };
  std::vector<Page> frees, gives_up;
  const bool several = ConnectedServers() > 1;
  {
    const MutexLock guard(lock_);
    SettleWritten(0);
    if (contention_ > 0) --contention_;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      Opened& database = databases_[i];
      for (const auto& [page, used] : database.used) {
        if (!database.held.contains(page) || database.allocated.contains(page)) continue;
        const auto found = database.contended.find(page);
        const bool wanted = found != database.contended.end() && found->second.transactions > 0;
        if (wanted) --found->second.transactions;
        if (wanted || used.written) frees.push_back({DatabaseId{i}, page, true});
      }
      if (!several) continue;
      for (auto& [page, contended] : database.contended) {
        if (contended.transactions == 0) continue;
        const auto held = database.held.find(page);
        if (held == database.held.end() || !(contended.drop || held->second)) continue;
        if (database.used.contains(page) && !database.allocated.contains(page)) continue;
        --contended.transactions;
        gives_up.push_back({DatabaseId{i}, page, contended.drop});
      }
    }
  }
  for (const Page& page : frees) {
    if (listener_ != nullptr &&
        listener_->CalledBack(*this, page.database, PageId{page.number},
                              /*to_read=*/false) != CallbackListener::Answer::kGivenUp) {
      continue;
    }
    const MutexLock guard(lock_);
    Opened& database = databases_[page.database.index];
    const auto held = database.held.find(page.number);
    const auto used = database.used.find(page.number);
    if (held == database.held.end() || used == database.used.end()) continue;
    if (held->second) database.free_writable.insert(page.number);
    database.held.erase(held);
    database.prefetched.KeepUsed(PageId{page.number}, std::move(used->second.record));
    database.used.erase(used);
    DropSurplus(database);
  }
  for (const Page& page : gives_up) {
    if (listener_ != nullptr) {
      (void)listener_->CalledBack(*this, page.database, PageId{page.number}, !page.drop);
    }
    SendRelease(*connection_, RemoteId(page.database), page.number, !page.drop, /*wanted=*/false);
  }
  const MutexLock guard(lock_);
  for (Opened& database : databases_) database.used.clear();
}

bool RemotePageServer::OthersWait() {
  const MutexLock guard(lock_);
  return std::any_of(databases_.begin(), databases_.end(),
                     [](const Opened& database) { return !database.to_release.empty(); });
}

bool RemotePageServer::HoldsPermissions() {
  const MutexLock guard(lock_);
  return void_ || std::any_of(databases_.begin(), databases_.end(), [](const Opened& database) {
           return database.open && !database.held.empty();
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
      if (database.open) free_pages += database.FreePages();
    }
    body.Put(free_pages);
  }
  const MutexLock sending(connection.send_lock);
  ++messages_;
  return SendMessage(connection.socket, MessageKind::kTellsTransaction, 0, body.bytes());
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
