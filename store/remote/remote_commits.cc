// A RemotePageServer's commits.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_commit.h"
#include "store/server/commit_check.h"

namespace tenure::store {

namespace {

// When Outcome tries again to reach a server that is being started again.
constexpr std::chrono::milliseconds kTryAgain(50);
// How often a thread that waits for commits to become durable looks at the connection.
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
    databases_[database.database.index].pages.NoteConflict(database.pages);
  }
}

void RemotePageServer::NoteCommit(const CommitRequest& request, uint64_t version,
                                  uint64_t log_bytes, uint64_t syncs) {
  const MutexLock guard(lock_);
  ++statistics_.commits;
  statistics_.log_bytes += log_bytes;
  statistics_.syncs += syncs;
  for (const DatabaseCommit& database : request.databases) {
    databases_[database.database.index].pages.NoteCommit(database.pages, version);
    for (const PageWrite& write : database.pages) {
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

Writer RemotePageServer::QuestionAbout(const SentCommits::Commit& commit) {
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
  const SentCommits::Commit sent = [&] {
    const MutexLock guard(lock_);
    asked.asker.settled = commits_.Settled();
    return commits_.NoteSent(request.id);
  }();
  const CommitAnswer answer = SendCommit(kind, asked, sent);
  const bool undurable = answer.outcome == CommitOutcome::kCommitted && kind == MessageKind::kOrder;
  // NoteDurable settles commits that are ordered.
  if (answer.outcome != CommitOutcome::kUnknown && !undurable) {
    const MutexLock guard(lock_);
    commits_.NoteSettled(sent);
  }
  return answer;
}

CommitAnswer RemotePageServer::SendCommit(MessageKind kind, const CommitRequest& request,
                                          const SentCommits::Commit& to_settle) {
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
      if (WritesSomething(request)) {
        commits_.NoteOrdered(to_settle, answer.version);
      } else {
        commits_.NoteSettled(to_settle);
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
  return commits_.lost();
}

void RemotePageServer::NoteDurable(uint64_t version) {
  const MutexLock guard(lock_);
  if (commits_.NoteDurable(version)) answered_.notify_all();
}

Status RemotePageServer::AwaitDurable(uint64_t version) {
  if (version <= DurableVersion()) return Status::Ok();
  // Whoever ends the connection waits until this thread has left it.
  RemoteConnection* connection = nullptr;
  {
    const MutexLock alive(lifeline_->lock);
    connection = connection_.get();
    if (connection != nullptr && !connection->turns().Join()) connection = nullptr;
  }
  if (connection == nullptr) {
    const MutexLock guard(lock_);
    return UndurableStatus(version, /*lost=*/true);
  }
  const Status status = AwaitDurableFrom(*connection, version);
  connection->turns().Part();
  return status;
}

Status RemotePageServer::UndurableStatus(uint64_t version, bool lost) const {
  if (version <= commits_.durable()) return Status::Ok();
  if (!commits_.lost().ok()) return commits_.lost();
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (receiving_ && !lost) return Status::Ok();
  return Failure(StatusCode::kIo,
                 "the connection to the page server of " + directory_ + " was lost");
}

Status RemotePageServer::AwaitDurableFrom(RemoteConnection& connection, uint64_t version) {
  const auto asked = RemoteConnection::Clock::now();
  auto pinged = asked;
  ReceiveTurns::Turn turn(connection.turns());
  MutexLock guard(lock_);
  while (version > commits_.durable()) {
    TN_RETURN_IF_ERROR(UndurableStatus(version, connection.lost()));
    AwaitMessage(connection, turn, guard, kLookAtSilent);
    LookAtSilence(connection, asked, &pinged);
  }
  return Status::Ok();
}

Status RemotePageServer::AskAboutOrdered() {
  const auto ordered = [&] {
    const MutexLock guard(lock_);
    return commits_.undurable();
  }();
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
    commits_.Lose(Failure(StatusCode::kUnknownOutcome,
                          "the page server of " + directory_ + " was started again without " +
                              (forgotten ? "knowing commits that this program had ordered"
                                         : "commits that this program had ordered")));
    answered_.notify_all();
    break;
  }
  return Status::Ok();
}

Result<std::optional<uint64_t>> RemotePageServer::Outcome(const OutcomeQuestion& question) {
  const Result<std::optional<uint64_t>> outcome = AskOutcome(question);
  const MutexLock guard(lock_);
  commits_.NoteSettled(commits_.As(question));  // nobody asks twice
  return outcome;
}

Result<std::optional<uint64_t>> RemotePageServer::AskOutcome(const OutcomeQuestion& question) {
  const auto end = std::chrono::steady_clock::now() + reach_->outcome_patience();
  while (true) {
    Status status;
    if (connection_ == nullptr || connection_->lost()) status = Reconnect();
    if (status.ok()) {
      const Writer asked = [&] {
        const MutexLock guard(lock_);
        return QuestionAbout(commits_.As(question));
      }();
      Result<Message> reply = Call(MessageKind::kOutcome, asked);
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
  {
    const MutexLock guard(lock_);
    asked.asker.settled = commits_.Settled();
    commits_.NotePrepared(request.id);
  }
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
  commits_.SettlePart();  // nobody asks twice
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
    if (commit && (connection_ == nullptr || connection_->lost())) status = Reconnect();
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
          for (Opened& database : databases_) database.pages.SettlePrepared(answer.version);
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
  if (connection == nullptr || connection->lost() || !connection->is_own()) {
    return LostStatus();
  }
  uint64_t number;
  {
    const MutexLock guard(lock_);
    number = connection->BeginRequest(/*awaits_answer=*/false);
  }
  const bool sent = connection->Send(MessageKind::kAcknowledge, body, number);
  return sent ? Status::Ok() : LostStatus();
}

}  // namespace tenure::store
