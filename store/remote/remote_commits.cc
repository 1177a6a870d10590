// A RemotePageServer's commits.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/remote/remote_connection.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_commit.h"
#include "store/server/commit_check.h"

namespace tenure::store {

namespace {

// When Outcome tries again to reach a server that is being started again.
constexpr std::chrono::milliseconds kTryAgain(50);
// A thread that waits for commits to become durable pings a server that is silent for this long.
constexpr std::chrono::seconds kLookAtSilent(1);

CommitAnswer GetAnswer(Reader& reader, uint64_t* log_bytes, uint64_t* syncs, uint64_t* durable) {
  CommitAnswer answer;
  answer.status = reader.GetStatus();
  answer.outcome = reader.Get<CommitOutcome>();
  answer.version = reader.Get<uint64_t>();
  *log_bytes = reader.Get<uint64_t>();
  *syncs = reader.Get<uint64_t>();
  *durable = reader.Get<uint64_t>();
  if (answer.outcome > CommitOutcome::kUnknown) (void)reader.GetBytes(~size_t{0});  // it is none
  return answer;
}

}  // namespace

Status RemotePageServer::CheckCommit(const CommitRequest& request) {
  for (const DatabaseCommit& database : request.databases) {
    TN_RETURN_IF_ERROR(CheckOpen(database.database));
  }
  return Status::Ok();
}

// Forgets the permissions to write the commit's pages: the server may have dropped them, so the
// program asks again.
void RemotePageServer::ForgetWritable(const CommitRequest& request) {
  const MutexLock guard(lock_);
  for (const DatabaseCommit& database : request.databases) {
    std::unordered_map<uint64_t, bool>& held = databases_[database.database.index].held;
    for (const PageWrite& write : database.pages) {
      (void)databases_[database.database.index].prefetched.Drop(write.page);
      databases_[database.database.index].used.erase(write.page.number);
      if (const auto it = held.find(write.page.number); it != held.end()) it->second = false;
    }
  }
}

void RemotePageServer::NoteCommit(const CommitRequest& request, uint64_t version,
                                  uint64_t log_bytes, uint64_t syncs) {
  const MutexLock guard(lock_);
  ++statistics_.commits;
  statistics_.log_bytes += log_bytes;
  statistics_.syncs += syncs;
  for (const DatabaseCommit& database : request.databases) {
    auto& contended = databases_[database.database.index].contended;
    const uint64_t commit = ++databases_[database.database.index].commits;
    for (const PageWrite& write : database.pages) {
      (void)databases_[database.database.index].prefetched.Drop(write.page);
      NoteWritten(databases_[database.database.index], write, version);
      databases_[database.database.index].wandering.NoteWritten(write.page, version);
      const auto wanted = contended.find(write.page.number);
      if (wanted != contended.end()) wanted->second.written_by = commit;
      // The number is free now.
      if (write.remove) databases_[database.database.index].held.erase(write.page.number);
      ++(write.contents != nullptr ? statistics_.pages_written : statistics_.pages_changed);
      statistics_.bytes_written += BytesWritten(write);
    }
  }
}

CommitAnswer RemotePageServer::Commit(const CommitRequest& request) {
  return SendCommit(MessageKind::kCommit, request);
}

CommitAnswer RemotePageServer::Order(const CommitRequest& request) {
  return SendCommit(MessageKind::kOrder, request);
}

RemotePageServer::SentCommit RemotePageServer::NoteSent(CommitId id, uint64_t* settled) {
  const MutexLock guard(lock_);
  *settled = Settled();
  const SentCommit sent{seen_version_, id, serving_};
  unsettled_.insert(sent);
  return sent;
}

void RemotePageServer::NotePrepared(CommitId id, uint64_t* settled) {
  const MutexLock guard(lock_);
  *settled = Settled();
  part_ = SentCommit{seen_version_, id, serving_};
}

uint64_t RemotePageServer::Settled() const {
  const uint64_t settled = unsettled_.empty() ? seen_version_ : unsettled_.begin()->above;
  return part_ ? std::min(settled, part_->above) : settled;
}

void RemotePageServer::NoteSettled(const SentCommit& commit) {
  const MutexLock guard(lock_);
  unsettled_.erase(commit);
}

Writer RemotePageServer::QuestionAbout(const SentCommit& commit) {
  Writer body;
  body.Put(commit.id);
  body.Put(commit.serving);
  body.Put(commit.above);
  return body;
}

CommitAnswer RemotePageServer::SendCommit(MessageKind kind, const CommitRequest& request) {
  Status refused = failed();
  if (refused.ok()) refused = CheckCommit(request);
  if (!refused.ok()) return {CommitOutcome::kFailed, 0, refused};
  CommitRequest asked = request;
  const SentCommit sent = NoteSent(request.id, &asked.asker.settled);
  const CommitAnswer answer = SendCommit(kind, asked, sent);
  const bool undurable = answer.outcome == CommitOutcome::kCommitted && kind == MessageKind::kOrder;
  // NoteDurable settles commits that are ordered.
  if (answer.outcome != CommitOutcome::kUnknown && !undurable) NoteSettled(sent);
  return answer;
}

CommitAnswer RemotePageServer::SendCommit(MessageKind kind, const CommitRequest& request,
                                          const SentCommit& to_settle) {
  Writer body;
  PutCommit(body, request, [this](DatabaseId database) { return RemoteId(database); });
  if (body.bytes().size() > kMessageBytesMax) {
    return {CommitOutcome::kFailed, 0,
            Status(StatusCode::kNoSpace, "the transaction is too large for one message")};
  }
  bool sent = false;
  Result<Message> reply = Call(kind, body, &sent);
  if (!reply.ok()) {
    if (!sent) return {CommitOutcome::kConflict, 0, reply.status()};
    return {CommitOutcome::kUnknown, to_settle.above, reply.status()};
  }
  uint64_t log_bytes = 0, syncs = 0, durable = 0;
  Reader reader(reply->body);
  const CommitAnswer answer = GetAnswer(reader, &log_bytes, &syncs, &durable);
  if (!reader.AtEnd() || (answer.outcome == CommitOutcome::kCommitted) != answer.status.ok()) {
    return {CommitOutcome::kUnknown, to_settle.above, BadAnswer()};
  }
  if (answer.outcome == CommitOutcome::kCommitted) {
    if (kind == MessageKind::kOrder) {
      const MutexLock guard(lock_);
      // The server may have told of this commit already.
      if (WritesSomething(request) && answer.version > durable_) {
        undurable_.emplace(answer.version, to_settle);
      } else {
        unsettled_.erase(to_settle);
        if (WritesSomething(request)) seen_version_ = std::max(seen_version_, answer.version);
      }
    }
    NoteDurable(durable);
  }
  if (answer.outcome == CommitOutcome::kFailed || answer.outcome == CommitOutcome::kUnknown ||
      !WritesSomething(request)) {
    return answer;
  }
  if (answer.outcome == CommitOutcome::kConflict) {
    ForgetWritable(request);
    return answer;
  }
  NoteCommit(request, answer.version, log_bytes, syncs);
  // A commit that may still be lost has not been seen.
  if (kind == MessageKind::kCommit) NoteVersion(answer.version);
  return answer;
}

Status RemotePageServer::failed() const {
  const MutexLock guard(lock_);
  return lost_commits_;
}

void RemotePageServer::NoteDurable(uint64_t version) {
  const MutexLock guard(lock_);
  if (version <= durable_) return;
  durable_ = version;
  while (!undurable_.empty() && undurable_.begin()->first <= version) {
    seen_version_ = std::max(seen_version_, undurable_.begin()->first);
    unsettled_.erase(undurable_.begin()->second);
    undurable_.erase(undurable_.begin());
  }
  answered_.notify_all();
}

Status RemotePageServer::AwaitDurable(uint64_t version) {
  if (version <= durable_) return Status::Ok();
  // Whoever ends the connection waits until this thread has left it.
  RemoteConnection* connection = nullptr;
  {
    const MutexLock alive(lifeline_->lock);
    connection = connection_.get();
    if (connection != nullptr && !connection->turns.Join()) connection = nullptr;
  }
  if (connection == nullptr) {
    const MutexLock guard(lock_);
    return UndurableStatus(version, /*lost=*/true);
  }
  const Status status = AwaitDurableFrom(*connection, version);
  connection->turns.Part();
  return status;
}

Status RemotePageServer::UndurableStatus(uint64_t version, bool lost) const {
  if (version <= durable_) return Status::Ok();
  if (!lost_commits_.ok()) return lost_commits_;
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (receiving_ && !lost) return Status::Ok();
  return Failure(StatusCode::kIo,
                 "the connection to the page server of " + directory_ + " was lost");
}

Status RemotePageServer::AwaitDurableFrom(RemoteConnection& connection, uint64_t version) {
  const auto asked = std::chrono::steady_clock::now();
  ReceiveTurns::Turn turn(connection.turns);
  MutexLock guard(lock_);
  while (version > durable_) {
    TN_RETURN_IF_ERROR(UndurableStatus(version, connection.lost));
    AwaitMessage(connection, turn, guard, kLookAtSilent);
    if (std::chrono::steady_clock::now() - asked < kLookAtSilent) continue;
    guard.unlock();
    PingSilent(connection, asked);
    guard.lock();
  }
  return Status::Ok();
}

void RemotePageServer::GiveUpSilent(RemoteConnection& connection) {
  connection.lost = true;
  reach_->NoteSilent();
  shutdown(connection.socket, SHUT_RDWR);
}

void RemotePageServer::PingSilent(RemoteConnection& connection,
                                  std::chrono::steady_clock::time_point asked) {
  if (connection.lost || connection.process != getpid()) return;
  std::chrono::steady_clock::time_point heard;
  {
    const MutexLock guard(lock_);
    heard = std::max(asked, connection.heard);
  }
  const auto silent = std::chrono::steady_clock::now() - heard;
  if (silent > reach_->silence_patience()) {
    GiveUpSilent(connection);
  } else if (silent >= kLookAtSilent && connection.send_lock.try_lock()) {
    const MutexLock sending(connection.send_lock, std::adopt_lock);
    ++messages_;
    (void)SendMessage(connection.socket, MessageKind::kPing, 0, {}, /*wait=*/false);
  }
}

Status RemotePageServer::AskAboutOrdered() {
  std::map<uint64_t, SentCommit> ordered;
  {
    const MutexLock guard(lock_);
    ordered = undurable_;
  }
  for (const auto& [version, commit] : ordered) {
    const Result<bool> happened =
        Ask(MessageKind::kOutcome, QuestionAbout(commit), [](Reader& reader) {
          const bool is_there = reader.Get<uint8_t>() != 0;
          (void)reader.Get<uint64_t>();
          return is_there;
        });
    const bool forgotten = happened.status().code() == StatusCode::kUnknownOutcome;
    if (!happened.ok() && !forgotten) return happened.status();
    if (happened.ok() && *happened) {
      NoteDurable(version);
      continue;
    }
    const MutexLock guard(lock_);
    lost_commits_ = Failure(StatusCode::kUnknownOutcome,
                            "the page server of " + directory_ + " was started again without " +
                                (forgotten ? "knowing commits that this program had ordered"
                                           : "commits that this program had ordered"));
    answered_.notify_all();
    break;
  }
  return Status::Ok();
}

Result<std::optional<uint64_t>> RemotePageServer::Outcome(const OutcomeQuestion& question) {
  const Result<std::optional<uint64_t>> outcome = AskOutcome(question);
  NoteSettled(SentAs(question));  // nobody asks twice
  return outcome;
}

RemotePageServer::SentCommit RemotePageServer::SentAs(const OutcomeQuestion& question) const {
  const MutexLock guard(lock_);
  if (part_ && part_->id == question.id) return *part_;
  const auto sent = std::ranges::find(unsettled_, question.id, &SentCommit::id);
  return sent != unsettled_.end() ? *sent : SentCommit{question.above, question.id, Uuid()};
}

Result<std::optional<uint64_t>> RemotePageServer::AskOutcome(const OutcomeQuestion& question) {
  const auto end = std::chrono::steady_clock::now() + reach_->outcome_patience();
  while (true) {
    Status status;
    if (connection_ == nullptr || connection_->lost) status = Reconnect();
    if (status.ok()) {
      Result<Message> reply = Call(MessageKind::kOutcome, QuestionAbout(SentAs(question)));
      if (reply.ok()) {
        Reader reader(reply->body);
        status = reader.GetStatus();
        if (status.ok()) {
          const bool happened = reader.Get<uint8_t>() != 0;
          const auto version = reader.Get<uint64_t>();
          if (!reader.AtEnd()) return BadAnswer();
          if (happened) {
            NoteVersion(version);
            NoteDurable(version);
          }
          return happened ? std::optional<uint64_t>(version) : std::nullopt;
        }
        if (status.code() == StatusCode::kUnknownOutcome) return status;
        // The server has failed; its successor will know.
      } else {
        status = reply.status();
      }
    }
    if (std::chrono::steady_clock::now() > end) return status;
    std::this_thread::sleep_for(kTryAgain);
  }
}

// --- several stores ---

Status RemotePageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  TN_RETURN_IF_ERROR(CheckCommit(request));
  CommitRequest asked = request;
  NotePrepared(request.id, &asked.asker.settled);
  Writer body;
  PutCommit(body, asked, [this](DatabaseId database) { return RemoteId(database); });
  body.Put(coordinator.store);
  body.PutText(coordinator.path);
  body.Put(coordinator.lineage);
  if (body.bytes().size() > kMessageBytesMax) {
    return Status(StatusCode::kNoSpace, "the transaction is too large for one message");
  }
  const Status status = CallForStatus(MessageKind::kPrepare, body);
  if (status.code() == StatusCode::kConflict) ForgetWritable(request);
  if (status.ok()) NoteCommit(request, /*version=*/0, 0, 0);
  return status;
}

CommitAnswer RemotePageServer::Resolve(CommitId id, bool commit) {
  const CommitAnswer answer = AskToResolve(id, commit);
  const MutexLock guard(lock_);
  part_.reset();  // nobody asks twice
  return answer;
}

CommitAnswer RemotePageServer::AskToResolve(CommitId id, bool commit) {
  const auto failed = [](Status status) { return CommitAnswer{CommitOutcome::kFailed, 0, status}; };
  Writer body;
  body.Put(id);
  body.Put(static_cast<uint8_t>(commit));
  const auto end = std::chrono::steady_clock::now() + reach_->outcome_patience();
  while (true) {
    Status status;
    // The server forgets an aborted commit without being told.
    if (commit && (connection_ == nullptr || connection_->lost)) status = Reconnect();
    if (status.ok()) {
      Result<Message> reply = Call(MessageKind::kResolve, body);
      status = reply.status();
      if (reply.ok()) {
        uint64_t log_bytes = 0, syncs = 0, durable = 0;
        Reader reader(reply->body);
        CommitAnswer answer = GetAnswer(reader, &log_bytes, &syncs, &durable);
        if (!reader.AtEnd()) return {CommitOutcome::kUnknown, 0, BadAnswer()};
        if (commit && answer.status.code() == StatusCode::kNotFound) {
          // Since then the server may have asked the deciding store for the outcome.
          const Result<std::optional<uint64_t>> outcome = Outcome({.id = id});
          if (!outcome.ok()) return failed(outcome.status());
          if (outcome->has_value()) return {CommitOutcome::kCommitted, **outcome, Status::Ok()};
        }
        if (commit && answer.status.ok()) {
          NoteVersion(answer.version);
          const MutexLock guard(lock_);
          SettleWritten(answer.version);
        }
        if (answer.status.ok()) {
          const MutexLock guard(lock_);
          statistics_.log_bytes += log_bytes;
          statistics_.syncs += syncs;
        }
        if (answer.outcome != CommitOutcome::kUnknown || !commit) return answer;
        status = answer.status;  // the server ends, and is perhaps started again
      }
    }
    if (!commit || std::chrono::steady_clock::now() > end) return failed(status);
    std::this_thread::sleep_for(kTryAgain);
  }
}

// Only commits in doubt: a commit that a living program has prepared is left to this program.
Result<std::vector<PreparedCommit>> RemotePageServer::Prepared() {
  return Ask(MessageKind::kPrepared, Writer(), [](Reader& reader) {
    std::vector<PreparedCommit> commits(reader.GetCount(sizeof(CommitId) + sizeof(Uuid) + 4));
    for (PreparedCommit& commit : commits) {
      commit.id = reader.Get<CommitId>();
      commit.coordinator.store = reader.Get<Uuid>();
      commit.coordinator.path = reader.GetText();
      commit.coordinator.lineage = reader.Get<uint64_t>();
    }
    return commits;
  });
}

Result<bool> RemotePageServer::Decided(CommitId id) {
  Writer body;
  body.Put(id);
  return Ask(MessageKind::kDecided, body,
             [](Reader& reader) { return reader.Get<uint8_t>() != 0; });
}

// Sends the message without waiting for the answer, since a clean-up must not delay the next
// transaction. The server answers requests of a connection in order; this answer is ignored.
Status RemotePageServer::Acknowledge(CommitId id, const Uuid& participant) {
  Writer body;
  body.Put(id);
  body.Put(participant);
  RemoteConnection* const connection = connection_.get();
  if (connection == nullptr || connection->lost || connection->process != getpid()) {
    return LostStatus();
  }
  uint64_t number;
  {
    const MutexLock guard(lock_);
    number = ++connection->last_number;
  }
  const MutexLock sending(connection->send_lock);
  ++messages_;
  const bool sent =
      SendMessage(connection->socket, MessageKind::kAcknowledge, number, body.bytes());
  return sent ? Status::Ok() : LostStatus();
}

}  // namespace tenure::store
