// How a RemotePageServer connects, asks and hears.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/format/status_text.h"
#include "store/remote/remote_connection.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_away.h"

namespace tenure::store {

namespace {

// A server that has sent nothing for this long gets a ping.
constexpr std::chrono::seconds kPingAfter(1);

// A callback that has waited for this long is answered by kBusy.
constexpr std::chrono::seconds kTellBusyAfter(1);

// A program that waits at one server and has a page that others want at another gives its wait up
// after kCyclePatience, and up to twice as long again, so that two programs which wait for each
// other do not both give up at the same time. It looks every kLookForCycle.
constexpr std::chrono::milliseconds kCyclePatience(60);
constexpr std::chrono::milliseconds kLookForCycle(20);

// The interval for polling conditions that no thread signals.
constexpr std::chrono::milliseconds kLookAgain(1);

std::atomic<void (*)(const std::string& store, int64_t process)> report_wait{nullptr};

}  // namespace

void RemotePageServer::ReportWaits(void (*report)(const std::string& store, int64_t process)) {
  report_wait = report;
}

// The caller is the only one that uses the server, or holds the session's lock.
Status RemotePageServer::Reconnect() {
  {
    const MutexLock alive(lifeline_->lock);
    connection_.reset();
  }
  TN_ASSIGN_OR_RETURN(ServerLink link, reach_->Connect());
  lease_end_ = {};
  const Uuid serving = [&] {
    const MutexLock guard(lock_);
    return commits_.serving();
  }();
  TN_ASSIGN_OR_RETURN(Greeting greeting, Greet(link.socket.get(), serving, directory_));
  // Pages that were read of another copy of the store, or of an earlier state, say nothing about
  // this one.
  const bool another_copy = uuid_ == greeting.uuid && lineage_ != greeting.lineage;
  if (uuid_ != Uuid{} && uuid_ != greeting.uuid) {
    return Failure(StatusCode::kIo, "the store at " + directory_ + " is another one now");
  }
  uuid_ = greeting.uuid;
  lineage_ = greeting.lineage;
  {
    const MutexLock guard(lock_);
    void_ = true;
    receiving_ = true;
    if (another_copy) commits_.NoteOtherCopy();
    for (Opened& database : databases_) database.pages.Forget();
  }
  auto connection = std::make_unique<RemoteConnection>(std::move(link), messages_);
  RemoteConnection& made = *connection;
  TN_RETURN_IF_ERROR(made.Start(
      directory_, [this, &made] { ReceiveAll(made); }, [this, &made] { AnswerCallbacks(made); }));
  {
    const MutexLock alive(lifeline_->lock);
    connection_ = std::move(connection);
  }
  Status status = ReopenDatabases(another_copy);
  if (status.ok()) {
    // The old file is kept until the server knows what this program holds.
    session_file_ = std::move(greeting.session_file);
    {
      const MutexLock guard(lock_);
      commits_.BeginServing(greeting.serving, greeting.version);
    }
    SendNotice(MessageKind::kReturned);
    status = AskAboutOrdered();
  }
  if (!status.ok()) made.Lose();
  return status;
}

Status RemotePageServer::ReopenDatabases(bool another_copy) {
  for (Opened& database : databases_) {
    if (!database.open) continue;
    const Result<uint32_t> remote =
        another_copy ? Failure(StatusCode::kClosed, "another copy of its store is there now")
                     : OpenAtServer(database, OpenMode::kOpen, /*again=*/true);
    const StatusCode code = remote.status().code();
    // Perhaps it can be had later.
    if (!remote.ok() && code != StatusCode::kClosed && code != StatusCode::kNotFound) {
      return remote.status();
    }
    const MutexLock guard(lock_);
    if (remote.ok()) {
      database.remote = *remote;
    } else {
      database.open = false;
      database.gone =
          Failure(StatusCode::kClosed, "database " + directory_ + ":" + database.name +
                                           " must be opened anew: " + remote.status().text());
    }
  }
  return Status::Ok();
}

void RemotePageServer::SendNotice(MessageKind kind) {
  if (connection_ != nullptr && !connection_->lost()) (void)connection_->Send(kind);
}

Result<uint32_t> RemotePageServer::OpenAtServer(Opened& database, OpenMode mode, bool again) {
  Writer body;
  body.PutText(database.name);
  body.Put(mode);
  const bool given = mode == OpenMode::kCreate && database.uuid != Uuid{};
  body.Put(again || given ? database.uuid : Uuid{});
  // A server that knows no given uuids takes the zero for an unknown serving, and refuses.
  {
    const MutexLock guard(lock_);
    body.Put(given ? Uuid{} : commits_.serving());
    body.Put(commits_.seen());
  }
  struct Answer {
    uint32_t remote;
    uint64_t max_page;
    Uuid uuid;
  };
  TN_ASSIGN_OR_RETURN(
      const Answer answer, Ask(MessageKind::kOpenDatabase, body, [](Reader& reader) {
        return Answer{reader.Get<uint32_t>(), reader.Get<uint64_t>(), reader.Get<Uuid>()};
      }));
  database.max_page = std::max(database.max_page, answer.max_page);
  database.uuid = answer.uuid;
  return answer.remote;
}

void RemotePageServer::NoteVersion(uint64_t version) {
  const MutexLock guard(lock_);
  commits_.NoteVersion(version);
}

void RemotePageServer::ReceiveAll(RemoteConnection& connection) {
  while (!connection.lost()) {
    connection.turns().AwaitInBackground();
    const MutexLock turn(connection.turns().turn(), std::adopt_lock);
    if (connection.lost() || !ReceiveOne(connection)) break;
  }
  EndReceiving(connection);
}

bool RemotePageServer::ReceiveOne(RemoteConnection& connection) {
  Message message;
  if (connection.Receive(&message) && Handle(connection, message)) return true;
  EndReceiving(connection);
  return false;
}

void RemotePageServer::EndReceiving(RemoteConnection& connection) {
  connection.Lose();
  {
    const MutexLock guard(lock_);
    receiving_ = false;
    answered_.notify_all();
  }
  connection.WakeAnswerer();
}

bool RemotePageServer::Handle(RemoteConnection& connection, Message& message) {
  {
    const MutexLock guard(lock_);
    connection.NoteHeard();
    if (message.kind == MessageKind::kReply) {
      connection.Answer(std::move(message));
      answered_.notify_all();
      return true;
    }
  }
  Reader reader(message.body);
  switch (message.kind) {
    case MessageKind::kPong: return true;
    case MessageKind::kWaitsFor: {
      const auto process = reader.Get<int64_t>();
      if (!reader.AtEnd()) return false;
      if (const auto report = report_wait.load()) report(directory_, process);
      return true;
    }
    case MessageKind::kAskTransaction: {
      const auto question = reader.Get<uint64_t>();
      return reader.AtEnd() && TellTransaction(connection, question);
    }
    case MessageKind::kDurable: {
      const auto version = reader.Get<uint64_t>();
      if (!reader.AtEnd()) return false;
      NoteDurable(version);
      return true;
    }
    case MessageKind::kAskCandidates: {
      const auto remote = reader.Get<uint32_t>();
      const auto question = reader.Get<uint64_t>();
      std::optional<std::vector<Candidate>> candidates = GetCandidates(reader);
      if (!candidates || !reader.AtEnd()) return false;
      return AnswerCandidates(remote, question, *std::move(candidates));
    }
    case MessageKind::kCallback: {
      RemoteConnection::Callback callback = {
          reader.Get<uint32_t>(), {reader.Get<uint64_t>()}, false, 0};
      callback.to_read = reader.Get<uint8_t>() != 0;
      if (!reader.AtEnd()) return false;
      // The page may be one of these, and the next transaction has perhaps begun.
      connection.SendWaitingRelease();
      connection.AddCallback(callback);
      // A thread that waits for an answer between transactions answers the callback at once.
      const MutexLock guard(lock_);
      answered_.notify_all();
      return true;
    }
    default: return false;
  }
}

void RemotePageServer::AwaitMessage(RemoteConnection& connection, ReceiveTurns::Turn& turn,
                                    MutexLock& guard,
                                    std::chrono::milliseconds most) TN_NO_LOCK_ANALYSIS {
  if (!turn.TryTake()) {
    answered_.wait_for(guard, most);
    return;
  }
  guard.unlock();
  if (turn.Await(most)) (void)ReceiveOne(connection);
  guard.lock();
}

bool RemotePageServer::AnswerCandidates(uint32_t remote, uint64_t question,
                                        std::vector<Candidate> candidates) {
  const DatabaseId id = [&] {
    const MutexLock guard(lock_);
    return OpenWithRemoteId(remote);
  }();
  return WorkerThread::StartDetached([lifeline = lifeline_, listener = listener_, id, question,
                                      candidates = std::move(candidates)] {
    std::vector<bool> refers(candidates.size());
    const auto send = [&] {
      const MutexLock alive(lifeline->lock);
      if (lifeline->server == nullptr) return;
      if (listener != nullptr && id.index != ~0u) {
        refers = listener->RefersTo(*lifeline->server, id, candidates);
      }
      RemoteConnection* const connection = lifeline->server->connection_.get();
      if (connection == nullptr) return;
      Writer body;
      body.Put(question);
      PutFlags(body, refers);
      (void)connection->Send(MessageKind::kRefersTo, body);
    };
    if (listener == nullptr) return send();
    listener->WithOthersStopped(send);
  });
}

void RemotePageServer::AnswerCallbacks(RemoteConnection& connection) {
  while (const auto callback = connection.AwaitCallback()) {
    auto told = std::chrono::steady_clock::now();
    while (!connection.lost() && !AnswerCallback(connection, *callback)) {
      // A long collection is no reason to be cut off.
      const auto now = std::chrono::steady_clock::now();
      if (now - told > kTellBusyAfter) {
        told = now;
        SendBusy(connection, *callback);
      }
      std::this_thread::sleep_for(kLookAgain);
    }
  }
}

bool RemotePageServer::AnswerCallback(RemoteConnection& connection,
                                      const RemoteConnection::Callback& callback) {
  const MutexLock gate(gate_);
  // Perhaps the end of a transaction has answered it.
  if (!connection.IsFirst(callback)) return true;
  {
    const MutexLock guard(lock_);
    const DatabaseId id = OpenWithRemoteId(callback.remote);
    HeldPages* const pages = id.index != ~0u ? &databases_[id.index].pages : nullptr;
    if (pages != nullptr && pages->IsFree(callback.page)) {
      connection.DropFirst();
      if (in_transaction_ && contention_ > 0) NoteContention();
      SendReleaseLocked(connection, callback.remote, callback.page, /*keep_read=*/false);
      return true;
    }
    if (pages != nullptr && in_transaction_) {
      pages->NoteWanted(callback.page, callback.to_read);
      NoteContention();
      connection.DropFirst();
      SendBusy(connection, callback);
      return true;
    }
  }
  if (!GiveBack(connection, callback)) return false;
  connection.DropFirst();
  return true;
}

bool RemotePageServer::GiveBack(RemoteConnection& connection,
                                const RemoteConnection::Callback& callback) {
  DatabaseId id{~0u};
  {
    const MutexLock guard(lock_);
    id = OpenWithRemoteId(callback.remote);
    if (id.index != ~0u && databases_[id.index].pages.MayArrive(callback.page)) return false;
  }
  if (id.index != ~0u && listener_ != nullptr &&
      listener_->CalledBack(*this, id, callback.page, callback.to_read) !=
          CallbackListener::Answer::kGivenUp) {
    return false;
  }
  SendRelease(connection, callback.remote, callback.page, callback.to_read);
  return true;
}

void RemotePageServer::SendBusy(RemoteConnection& connection,
                                const RemoteConnection::Callback& callback) {
  Writer body;
  body.Put(callback.remote);
  body.Put(callback.page.number);
  (void)connection.Send(MessageKind::kBusy, body);
}

void RemotePageServer::SendRelease(RemoteConnection& connection, uint32_t remote, PageId page,
                                   bool keep_read, bool wanted) {
  const MutexLock guard(lock_);
  SendReleaseLocked(connection, remote, page, keep_read, wanted);
}

void RemotePageServer::SendReleaseLocked(RemoteConnection& connection, uint32_t remote, PageId page,
                                         bool keep_read, bool wanted) {
  const DatabaseId id = OpenWithRemoteId(remote);
  if (id.index != ~0u) {
    keep_read = databases_[id.index].pages.GiveUp(page, keep_read, wanted);
  }
  Writer body;
  PutRelease(body, remote, page, keep_read);
  (void)connection.Send(MessageKind::kRelease, body);
}

Status RemotePageServer::LostStatus() {
  const MutexLock guard(lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (in_transaction_) {
    return Status(StatusCode::kConflict, "the connection to the page server was lost");
  }
  return CallFailure(ServerCall::kReceive, ECONNRESET,
                     "the connection to the page server of " + directory_ + " was lost");
}

Result<Message> RemotePageServer::Call(MessageKind kind, const Writer& body, bool* sent,
                                       bool between) {
  if (sent != nullptr) *sent = false;
  RemoteConnection* const connection = connection_.get();
  if (connection == nullptr || connection->lost()) return LostStatus();
  if (!connection->is_own()) {
    return Status(StatusCode::kNotSupported, "a forked child cannot use its parent's databases");
  }
  uint64_t number;
  ReceiveTurns::Turn turn(connection->turns());
  {
    const MutexLock guard(lock_);
    // A new connection knows nothing of the transaction, except how its commit ended.
    const bool settles = kind == MessageKind::kOutcome || kind == MessageKind::kResolve;
    if (in_transaction_ && void_ && !settles && kind != MessageKind::kOpenDatabase) {
      return Status(StatusCode::kConflict, "the connection to the page server was lost");
    }
    number = connection->BeginRequest();
  }
  if (sent != nullptr) *sent = true;
  connection->SendRequest(kind, number, body);
  // Takes the turn only now: while a large message is sent, another thread must receive, since the
  // server may be sending as well.
  (void)turn.TryTake();
  MutexLock guard(lock_);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point asked = Clock::now();
  Clock::time_point pinged = asked;
  const bool for_permission = kind == MessageKind::kRead || kind == MessageKind::kWantRead ||
                              kind == MessageKind::kWantWrite;
  const bool several = for_permission && ConnectedServers() > 1;
  const Clock::duration patience =
      kCyclePatience + std::chrono::milliseconds((transaction_ * 7919 + getpid() * 104729ull) %
                                                 (2 * kCyclePatience.count()));
  Clock::time_point wanted_since;  // that another server wants something: no time when it does not
  const auto is_over = [&] { return connection->IsAnswered(number) || connection->lost(); };
  while (!is_over()) {
    if (between) {
      guard.unlock();
      const bool all = [&] {
        const MutexLock gate(gate_);
        return AnswerWaiting(*connection);
      }();
      if (several) AnswerOthersWaiting();
      guard.lock();
      if (is_over()) break;
      if (!all) {
        AwaitMessage(*connection, turn, guard, kLookAgain);
      } else if (!connection->HasCallbacks()) {
        AwaitMessage(*connection, turn, guard, several ? kLookForCycle : kPingAfter);
      }
    } else if (several) {
      AwaitMessage(*connection, turn, guard, kLookForCycle);
      if (is_over()) break;
      guard.unlock();
      if (!OthersOweSomething()) {
        wanted_since = {};
      } else if (wanted_since == Clock::time_point()) {
        wanted_since = Clock::now();
      } else if (Clock::now() - wanted_since > patience) {
        wanted_since = {};
        if (!connection->Send(MessageKind::kGiveUp)) connection->Lose();
      }
      guard.lock();
    } else {
      AwaitMessage(*connection, turn, guard, kPingAfter);
    }
    LookAtSilence(*connection, asked, &pinged);
  }
  std::optional<Message> answer = connection->EndRequest(number);
  guard.unlock();
  if (!answer) return LostStatus();
  return *std::move(answer);
}

void RemotePageServer::LookAtSilence(RemoteConnection& connection,
                                     RemoteConnection::Clock::time_point asked,
                                     RemoteConnection::Clock::time_point* pinged) {
  if (connection.lost() || !connection.is_own()) return;
  const auto now = RemoteConnection::Clock::now();
  const auto quiet_since = std::max(asked, connection.heard());
  if (now - quiet_since > reach_->silence_patience()) {
    reach_->NoteSilent();
    connection.Lose();
  } else if (now - std::max(*pinged, quiet_since) >= kPingAfter) {
    *pinged = now;
    connection.Ping();
  }
}

Status RemotePageServer::CallForStatus(MessageKind kind, const Writer& body) {
  TN_ASSIGN_OR_RETURN(Message reply, Call(kind, body));
  return Reader(reply.body).GetStatus();
}

}  // namespace tenure::store
