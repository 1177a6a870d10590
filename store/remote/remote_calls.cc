// How a RemotePageServer connects, asks and hears.
#include <sys/socket.h>
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

// After a transaction in which others wanted a page, the page is given up at the end of each of the
// next kContendedLeast transactions. Each time others want it again the number doubles, up to
// kContendedMost.
constexpr int kContendedLeast = 16, kContendedMost = 4096;

// A program that waits at one server and has a page that others want at another gives its wait up
// after kCyclePatience, and up to twice as long again, so that two programs which wait for each
// other do not both give up at the same time. It looks every kLookForCycle.
constexpr std::chrono::milliseconds kCyclePatience(60);
constexpr std::chrono::milliseconds kLookForCycle(20);

// The interval for polling conditions that no thread signals.
constexpr std::chrono::milliseconds kLookAgain(1);

std::atomic<void (*)(const std::string& store, int64_t process)> report_wait{nullptr};

// With the connection's send_lock: sends a release that waits for the next request.
void SendWaitingRelease(RemoteConnection& connection, std::atomic<uint64_t>& messages)
    TN_REQUIRES(connection.send_lock) {
  if (connection.release.empty()) return;
  const std::vector<std::byte> release = std::exchange(connection.release, {});
  ++messages;
  if (!SendMessage(connection.socket, MessageKind::kRelease, 0, release)) connection.lost = true;
}

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
  TN_ASSIGN_OR_RETURN(const ServerLink link, reach_->Connect());
  const int made = link.socket;
  lease_end_ = {};
  timeval patience = {kAnswerSeconds, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  Writer hello;
  hello.Put(kProtocolVersion);
  hello.Put(serving_);
  Message answer;
  int session_file = -1;
  const auto silent = [&](ServerCall call) {
    const int error = errno;
    if (session_file >= 0) close(session_file);
    close(made);
    return CallFailure(call, error, "the page server of " + directory_ + " does not answer");
  };
  if (!SendMessage(made, MessageKind::kHello, 0, hello.bytes())) return silent(ServerCall::kSend);
  if (!ReceiveMessage(made, &answer, kMessageBytesMax, &session_file)) {
    return silent(ServerCall::kReceive);
  }
  Reader reader(answer.body);
  Status status = reader.GetStatus();
  const auto uuid = reader.Get<Uuid>();
  const auto lineage = reader.Get<uint64_t>();
  const auto serving = reader.Get<Uuid>();
  const auto version = reader.Get<uint64_t>();
  if (status.ok() && !reader.AtEnd()) status = BadAnswer();
  // Pages that were read of another copy of the store, or of an earlier state, say nothing about
  // this one.
  const bool another_copy = uuid_ == uuid && lineage_ != lineage;
  if (status.ok() && uuid_ != Uuid{} && uuid_ != uuid) {
    status = Failure(StatusCode::kIo, "the store at " + directory_ + " is another one now");
  }
  if (!status.ok()) {
    if (session_file >= 0) close(session_file);
    close(made);
    return status;
  }
  uuid_ = uuid;
  lineage_ = lineage;
  // The old file is kept until the server knows what this program holds.
  if (session_file >= 0) NoteSocket(session_file);
  const auto keep_session = [&] {
    if (session_file_ >= 0) CloseSocket(session_file_);
    session_file_ = session_file;
    const MutexLock guard(lock_);
    serving_ = serving;
    // The commits of this program from now on come later.
    seen_version_ = std::max(seen_version_, version);
  };
  {
    const MutexLock guard(lock_);
    void_ = true;
    receiving_ = true;
    if (another_copy) {
      std::set<SentCommit> elsewhere;
      for (const SentCommit& commit : unsettled_) {
        elsewhere.insert({commit.above, commit.id, Uuid()});
      }
      unsettled_ = std::move(elsewhere);
      if (part_) part_->serving = Uuid();
    }
    for (Opened& database : databases_) {
      database.held.clear();
      database.to_release.clear();
      database.prefetched.Clear();
      database.used.clear();
      database.free_writable.clear();
      database.wandering.ForgetGranted();
    }
  }
  auto connection = std::make_unique<RemoteConnection>();
  connection->socket = made;
  connection->tls = link.tls;
  NoteSocket(made);
  RemoteConnection* const raw = connection.get();
  if (!raw->turns.Open(made)) {
    if (session_file >= 0) CloseSocket(session_file);
    return Failure(StatusCode::kIo, "no descriptor is left for the page server of " + directory_);
  }
  if (!raw->receiver.Start([this, raw] { ReceiveAll(this, raw); }) ||
      !raw->answerer.Start([this, raw] { AnswerCallbacks(this, raw); })) {
    if (session_file >= 0) CloseSocket(session_file);
    return Failure(StatusCode::kNoMemory,
                   "no thread can be made for the page server of " + directory_);
  }
  {
    const MutexLock alive(lifeline_->lock);
    connection_ = std::move(connection);
  }
  for (Opened& database : databases_) {
    if (!database.open) continue;
    const Result<uint32_t> remote =
        another_copy ? Failure(StatusCode::kClosed, "another copy of its store is there now")
                     : OpenAtServer(database, OpenMode::kOpen, /*again=*/true);
    const StatusCode code = remote.status().code();
    if (!remote.ok() && code != StatusCode::kClosed && code != StatusCode::kNotFound) {
      // Perhaps it can be had later.
      connection_->lost = true;
      if (session_file >= 0) CloseSocket(session_file);
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
  keep_session();
  SendNotice(MessageKind::kReturned);
  if (const Status status = AskAboutOrdered(); !status.ok()) {
    connection_->lost = true;
    return status;
  }
  return Status::Ok();
}

void RemotePageServer::SendNotice(MessageKind kind) {
  if (connection_ == nullptr || connection_->lost) return;
  const MutexLock sending(connection_->send_lock);
  ++messages_;
  (void)SendMessage(connection_->socket, kind, 0, {});
}

Result<uint32_t> RemotePageServer::OpenAtServer(Opened& database, OpenMode mode, bool again) {
  Writer body;
  body.PutText(database.name);
  body.Put(mode);
  const bool given = mode == OpenMode::kCreate && database.uuid != Uuid{};
  body.Put(again || given ? database.uuid : Uuid{});
  // A server that knows no given uuids takes the zero for an unknown serving, and refuses.
  body.Put(given ? Uuid{} : serving_);
  body.Put(seen_version_);
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
  seen_version_ = std::max(seen_version_, version);
}

void RemotePageServer::ReceiveAll(RemotePageServer* server, RemoteConnection* connection) {
  while (!connection->lost) {
    connection->turns.AwaitInBackground();
    const MutexLock turn(connection->turns.turn(), std::adopt_lock);
    if (connection->lost || !server->ReceiveOne(*connection)) break;
  }
  server->EndReceiving(*connection);
}

bool RemotePageServer::ReceiveOne(RemoteConnection& connection) {
  Message message;
  if (ReceiveMessage(connection.socket, &message) && Handle(connection, message)) return true;
  EndReceiving(connection);
  return false;
}

void RemotePageServer::EndReceiving(RemoteConnection& connection) {
  connection.lost = true;
  shutdown(connection.socket, SHUT_RDWR);
  {
    const MutexLock guard(lock_);
    receiving_ = false;
    answered_.notify_all();
  }
  const MutexLock guard(connection.callback_lock);
  connection.called.notify_all();
}

bool RemotePageServer::Handle(RemoteConnection& connection, Message& message) {
  {
    const MutexLock guard(lock_);
    connection.heard = std::chrono::steady_clock::now();
    if (message.kind == MessageKind::kReply) {
      // Nobody waits for others.
      const auto waiting = connection.answers.find(message.number);
      if (waiting != connection.answers.end()) waiting->second = std::move(message);
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
      RemoteConnection::Callback callback = {reader.Get<uint32_t>(), reader.Get<uint64_t>(), false,
                                             0};
      callback.to_read = reader.Get<uint8_t>() != 0;
      if (!reader.AtEnd()) return false;
      // The page may be one of these, and the next transaction has perhaps begun. Whoever has the
      // lock sends the release as well.
      if (connection.send_lock.try_lock()) {
        const MutexLock sending(connection.send_lock, std::adopt_lock);
        SendWaitingRelease(connection, messages_);
      }
      {
        const MutexLock guard(connection.callback_lock);
        callback.number = ++connection.last_callback;
        connection.callbacks.push_back(callback);
        connection.called.notify_one();
      }
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
      const MutexLock sending(connection->send_lock);
      ++lifeline->server->messages_;
      (void)SendMessage(connection->socket, MessageKind::kRefersTo, 0, body.bytes());
    };
    if (listener == nullptr) return send();
    listener->WithOthersStopped(send);
  });
}

void RemotePageServer::AnswerCallbacks(RemotePageServer* server, RemoteConnection* connection) {
  while (true) {
    RemoteConnection::Callback callback;
    {
      MutexLock guard(connection->callback_lock);
      connection->called.wait(guard, [&]() TN_REQUIRES(connection->callback_lock) {
        return connection->lost || !connection->callbacks.empty();
      });
      if (connection->lost) return;
      callback = connection->callbacks.front();
    }
    // Called with the gate. False: the end of a transaction has answered the callback.
    const auto waits = [&] {
      const MutexLock guard(connection->callback_lock);
      return !connection->callbacks.empty() &&
             connection->callbacks.front().number == callback.number;
    };
    const auto answered = [&] {
      const MutexLock guard(connection->callback_lock);
      connection->callbacks.pop_front();
    };
    auto told = std::chrono::steady_clock::now();
    while (!connection->lost) {
      DatabaseId id{~0u};
      bool arrives = false;
      MutexLock gate(server->gate_);
      if (!waits()) break;
      {
        const MutexLock guard(server->lock_);
        id = server->OpenWithRemoteId(callback.remote);
        if (id.index != ~0u && server->databases_[id.index].IsFree(callback.page)) {
          answered();
          if (server->in_transaction_ && server->contention_ > 0) server->NoteContention();
          server->SendReleaseLocked(*connection, callback.remote, callback.page,
                                    /*keep_read=*/false);
          break;
        }
        if (id.index != ~0u && server->in_transaction_) {
          // A grant that has not arrived yet counts as held, without a look at whether it has
          // arrived.
          bool& drop = server->databases_[id.index].to_release[callback.page];
          drop = drop || !callback.to_read;
          server->NoteContention();
          auto& contended = server->databases_[id.index].contended[callback.page];
          // A page that was wanted again as soon as it was kept is given up for longer.
          if (contended.transactions == 0) {
            contended.span = std::clamp(2 * contended.span, kContendedLeast, kContendedMost);
          }
          contended.drop = contended.drop || drop;
          contended.transactions = contended.span;
          answered();
          if (!server->SendBusy(*connection, callback.remote, callback.page)) return;
          break;
        }
        arrives = id.index != ~0u && server->databases_[id.index].MayArrive(callback.page);
      }
      auto answer = arrives ? CallbackListener::Answer::kLater : CallbackListener::Answer::kGivenUp;
      if (id.index != ~0u && !arrives && server->listener_ != nullptr) {
        answer =
            server->listener_->CalledBack(*server, id, PageId{callback.page}, callback.to_read);
      }
      if (answer == CallbackListener::Answer::kGivenUp) {
        answered();
        server->SendRelease(*connection, callback.remote, callback.page, callback.to_read);
        break;
      }
      gate.unlock();
      // A long collection is no reason to be cut off.
      const auto now = std::chrono::steady_clock::now();
      if (now - told > kTellBusyAfter) {
        told = now;
        if (!server->SendBusy(*connection, callback.remote, callback.page)) return;
      }
      std::this_thread::sleep_for(kLookAgain);
    }
  }
}

bool RemotePageServer::SendBusy(RemoteConnection& connection, uint32_t remote, uint64_t page) {
  Writer body;
  body.Put(remote);
  body.Put(page);
  const MutexLock sending(connection.send_lock);
  ++messages_;
  return SendMessage(connection.socket, MessageKind::kBusy, 0, body.bytes());
}

void RemotePageServer::SendRelease(RemoteConnection& connection, uint32_t remote, uint64_t page,
                                   bool keep_read, bool wanted) {
  const MutexLock guard(lock_);
  SendReleaseLocked(connection, remote, page, keep_read, wanted);
}

void RemotePageServer::ForgetPage(Opened& database, uint64_t page) {
  database.held.erase(page);
  (void)database.prefetched.Lose(PageId{page});
  database.free_writable.erase(page);
  database.used.erase(page);
}

void RemotePageServer::SendReleaseLocked(RemoteConnection& connection, uint32_t remote,
                                         uint64_t page, bool keep_read, bool wanted) {
  for (Opened& database : databases_) {
    if (!database.open || database.remote != remote) continue;
    const auto held = database.held.find(page);
    const bool writable =
        held != database.held.end() ? held->second : database.free_writable.contains(page);
    if (wanted && writable && page != 0) database.wandering.NoteWanted(PageId{page});
    // A page that is not held cannot be kept.
    keep_read = keep_read && held != database.held.end();
    if (keep_read) {
      held->second = false;
    } else {
      ForgetPage(database, page);
    }
  }
  Writer body;
  body.Put(remote);
  body.Put(page);
  body.Put(static_cast<uint8_t>(keep_read));
  const MutexLock sending(connection.send_lock);
  ++messages_;
  (void)SendMessage(connection.socket, MessageKind::kRelease, 0, body.bytes());
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
  if (connection == nullptr || connection->lost) return LostStatus();
  if (connection->process != getpid()) {
    return Status(StatusCode::kNotSupported, "a forked child cannot use its parent's databases");
  }
  uint64_t number;
  ReceiveTurns::Turn turn(connection->turns);
  {
    const MutexLock guard(lock_);
    // A new connection knows nothing of the transaction, except how its commit ended.
    const bool settles = kind == MessageKind::kOutcome || kind == MessageKind::kResolve;
    if (in_transaction_ && void_ && !settles && kind != MessageKind::kOpenDatabase) {
      return Status(StatusCode::kConflict, "the connection to the page server was lost");
    }
    number = ++connection->last_number;
    connection->answers[number];
  }
  {
    const MutexLock guard(connection->send_lock);
    if (sent != nullptr) *sent = true;
    SendWaitingRelease(*connection, messages_);
    ++messages_;
    if (!SendMessage(connection->socket, kind, number, body.bytes())) connection->lost = true;
  }
  // Takes the turn only now: while a large message is sent, another thread must receive, since the
  // server may be sending as well.
  (void)turn.TryTake();
  MutexLock guard(lock_);
  Message& answer = connection->answers[number];
  // Until an answer comes its number is 0.
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
  while (answer.number != number && !connection->lost) {
    if (between) {
      guard.unlock();
      const bool all = [&] {
        const MutexLock gate(gate_);
        return AnswerWaiting(*connection);
      }();
      if (several) AnswerOthersWaiting();
      guard.lock();
      if (answer.number == number || connection->lost) break;
      const auto called = [&] {
        const MutexLock callbacks(connection->callback_lock);
        return !connection->callbacks.empty();
      };
      if (!all) {
        AwaitMessage(*connection, turn, guard, kLookAgain);
      } else if (!called()) {
        AwaitMessage(*connection, turn, guard, several ? kLookForCycle : kPingAfter);
      }
    } else if (several) {
      AwaitMessage(*connection, turn, guard, kLookForCycle);
      if (answer.number == number || connection->lost) break;
      guard.unlock();
      if (!OthersOweSomething()) {
        wanted_since = {};
      } else if (wanted_since == Clock::time_point()) {
        wanted_since = Clock::now();
      } else if (Clock::now() - wanted_since > patience) {
        wanted_since = {};
        const MutexLock sending(connection->send_lock);
        ++messages_;
        if (!SendMessage(connection->socket, MessageKind::kGiveUp, 0, {})) connection->lost = true;
      }
      guard.lock();
    } else {
      AwaitMessage(*connection, turn, guard, kPingAfter);
    }
    const Clock::time_point now = Clock::now();
    const Clock::time_point quiet_since = std::max(asked, connection->heard);
    if (now - quiet_since > reach_->silence_patience()) {
      GiveUpSilent(*connection);
    } else if (now - std::max(pinged, quiet_since) >= kPingAfter) {
      pinged = now;
      if (connection->send_lock.try_lock()) {
        const MutexLock sending(connection->send_lock, std::adopt_lock);
        bool sent_nothing = false;
        ++messages_;
        if (!SendMessage(connection->socket, MessageKind::kPing, 0, {}, /*wait=*/false,
                         &sent_nothing) &&
            !sent_nothing) {
          connection->lost = true;
        }
      }
    }
  }
  Message result = std::move(answer);
  connection->answers.erase(number);
  if (result.number != number) {
    guard.unlock();
    return LostStatus();
  }
  return result;
}

Status RemotePageServer::CallForStatus(MessageKind kind, const Writer& body) {
  TN_ASSIGN_OR_RETURN(Message reply, Call(kind, body));
  return Reader(reply.body).GetStatus();
}

}  // namespace tenure::store
