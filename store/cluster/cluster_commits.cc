// Commits of a ClusterPageServer: ordered, applied, and replayed from the log.
#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/mutex.h"
#include "store/cluster/cluster_page_server.h"
#include "store/format/status_text.h"
#include "store/server/commit_check.h"
#include "store/server/commit_image.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

CommitAnswer Failed(Status status) { return {CommitOutcome::kFailed, 0, status}; }

Status Damaged(const std::string& store, uint64_t position, const std::string& how) {
  return Failure(StatusCode::kCorrupt, "record " + std::to_string(position) +
                                           " of the log of store " + store + " is damaged: " + how);
}

// The body of a record kCommit: participants, then the request.
std::string WithParticipants(std::span<const Uuid> participants, std::string_view request) {
  ByteWriter writer(NumberForm::kShort);
  writer.PutNumber(participants.size());
  for (const Uuid& participant : participants) writer.Put(participant);
  writer.PutBytes(std::as_bytes(std::span(request)));
  return std::move(writer).Take();
}

struct CommitBody {
  std::vector<Uuid> participants;
  std::optional<PreparedImage> image;
};

std::optional<CommitBody> DecodeCommit(std::string_view body) {
  ByteReader reader(std::as_bytes(std::span(body)), NumberForm::kShort);
  CommitBody commit;
  for (size_t left = reader.GetCount(sizeof(Uuid)); left > 0; --left) {
    commit.participants.push_back(reader.Get<Uuid>());
  }
  if (!reader.ok()) return std::nullopt;
  commit.image = PreparedImage::Decode(reader.GetRest(), NumberForm::kShort);
  if (!commit.image) return std::nullopt;
  return commit;
}

std::optional<PreparedImage> DecodePrepared(std::string_view body) {
  return PreparedImage::Decode(std::as_bytes(std::span(body)), NumberForm::kShort);
}

}  // namespace

std::string ClusterPageServer::Encode(const CommitRequest& request,
                                      const Coordinator& coordinator) {
  return EncodePrepared(
      request, coordinator,
      [&](DatabaseId id) TN_REQUIRES(mutex_) { return databases_[id.index]->database->name; },
      NumberForm::kShort);
}

// --- Commits

CommitAnswer ClusterPageServer::CheckRequest(const CommitRequest& request) {
  const MutexLock lock(mutex_);
  if (const Status status = Usable(); !status.ok()) return Failed(status);
  const Status status = CheckCommitRequest(
      request, [this](DatabaseId id) TN_REQUIRES(mutex_) -> Result<const PageIds*> {
        TN_ASSIGN_OR_RETURN(OpenDatabaseState* const found, Find(id));
        return &found->ids;
      });
  if (!status.ok()) return Failed(status);
  for (const DatabaseCommit& commit : request.databases) {
    const ClusterDatabase& database = *databases_[commit.database.index]->database;
    if ((!commit.imports.empty() && commit.imports_before != database.imports.size()) ||
        (!commit.exports.empty() && commit.exports_before != database.exports.size())) {
      return {CommitOutcome::kConflict, 0,
              Status(StatusCode::kConflict, "a table of references between databases has changed")};
    }
  }
  return {CommitOutcome::kCommitted, 0, Status::Ok()};
}

CommitAnswer ClusterPageServer::MakeParts(const CommitRequest& request, uint64_t version,
                                          std::vector<StagedPart>* parts) {
  for (const DatabaseCommit& commit : request.databases) {
    StagedPart part{.database = nullptr, .commit = &commit, .records = {}};
    {
      const MutexLock lock(mutex_);
      part.database = databases_[commit.database.index]->database;
    }
    std::vector<PageId> pages;
    for (const PageWrite& write : commit.pages) pages.push_back(write.page);
    std::vector<PageReply> replies(pages.size());
    if (const Status status = Fetch(part.database, pages, replies); !status.ok()) {
      return Failed(status);
    }
    for (size_t i = 0; i < pages.size(); ++i) {
      const PageWrite& write = commit.pages[i];
      const Status& status = replies[i].status;
      const bool exists = status.code() != StatusCode::kNotFound;
      // A page that is damaged may be written whole, as with the other servers.
      if (!status.ok() && exists && write.contents == nullptr && !write.remove) {
        return Failed(status);
      }
      if ((exists ? replies[i].record.version : 0) != write.expected_version) {
        return {CommitOutcome::kConflict, 0,
                Failure(StatusCode::kConflict,
                        "page " + std::to_string(write.page.number) + " of database " +
                            part.database->name + " has changed since it was read",
                        static_cast<int64_t>(write.page.number))};
      }
      if (write.remove) {
        part.records.push_back(nullptr);
        continue;
      }
      auto record = std::make_shared<PageRecord>(replies[i].record);
      if (const Status applied = ApplyWrite(write, version, record.get()); !applied.ok()) {
        return Failed(applied);
      }
      part.records.push_back(std::move(record));
    }
    parts->push_back(std::move(part));
  }
  return {CommitOutcome::kCommitted, version, Status::Ok()};
}

void ClusterPageServer::CountCommit(const CommitRequest& request) {
  ++statistics_.commits;
  for (const DatabaseCommit& commit : request.databases) {
    for (const PageWrite& write : commit.pages) {
      if (write.remove) continue;
      ++(write.contents != nullptr ? statistics_.pages_written : statistics_.pages_changed);
      statistics_.bytes_written += BytesWritten(write);
    }
  }
}

void ClusterPageServer::Stage(const CommitRequest& request, uint64_t version,
                              std::span<const StagedPart> parts) {
  state_.StageCommit({request.id, version}, request.asker, request.participants, parts);
  for (const DatabaseCommit& commit : request.databases) {
    PageIds& ids = databases_[commit.database.index]->ids;
    for (const PageWrite& write : commit.pages) {
      ids.NoteCommitted(write.page);
      if (write.remove) {
        (void)ids.Return({write.page, 1});  // it may be free already
      } else {
        ids.Claim(write.page);
      }
    }
  }
}

CommitAnswer ClusterPageServer::OrderAs(const CommitRequest& request, LogRecord record) {
  const uint64_t version = queue_.put() + 1;
  std::vector<StagedPart> parts;
  if (const CommitAnswer made = MakeParts(request, version, &parts);
      made.outcome != CommitOutcome::kCommitted) {
    return made;
  }
  const uint64_t bytes = record.body.size();
  const uint64_t position = queue_.Put(std::move(record));
  TN_CHECK(position == version);
  bool hurry = false;
  {
    const MutexLock lock(mutex_);
    Stage(request, version, parts);
    CountCommit(request);
    statistics_.log_bytes += bytes;
    hurry = state_.pending_bytes() > options_.apply_bytes;
  }
  if (options_.apply_thread) {
    const MutexLock lock(applier_mutex_);
    apply_hurries_ |= hurry;
    WantApplied();
  }
  return {CommitOutcome::kCommitted, version, Status::Ok()};
}

CommitAnswer ClusterPageServer::Order(const CommitRequest& request) {
  const MutexLock commit_lock(commit_mutex_);
  if (const CommitAnswer checked = CheckRequest(request);
      checked.outcome != CommitOutcome::kCommitted) {
    return checked;
  }
  if (!WritesSomething(request) && request.participants.empty()) {
    return {CommitOutcome::kCommitted, queue_.put(), Status::Ok()};
  }
  if (const Status status = MakeRoom(); !status.ok()) return Failed(status);
  std::string body;
  {
    const MutexLock lock(mutex_);
    body = WithParticipants(request.participants, Encode(request, Coordinator()));
  }
  return OrderAs(request, {.kind = RecordKind::kCommit, .id = request.id, .body = std::move(body)});
}

CommitAnswer ClusterPageServer::Commit(const CommitRequest& request) {
  const CommitAnswer answer = Order(request);
  if (answer.outcome != CommitOutcome::kCommitted) return answer;
  const Status status = AwaitDurable(answer.version);
  if (status.ok()) return answer;
  if (queue_.failed_whole()) return Failed(status);
  return {CommitOutcome::kUnknown, answer.version - 1, status};
}

Status ClusterPageServer::AwaitDurable(uint64_t version) {
  {
    const MutexLock lock(mutex_);
    if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  }
  return queue_.AwaitDurable(std::min(version, queue_.put()));
}

Result<std::optional<uint64_t>> ClusterPageServer::Outcome(const OutcomeQuestion& question) {
  uint64_t version = 0;
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    TN_ASSIGN_OR_RETURN(const std::optional<uint64_t> found,
                        state_.outcomes().Find(question, queue_.put()));
    if (!found) return found;
    version = *found;
  }
  TN_RETURN_IF_ERROR(queue_.AwaitDurable(version));
  return std::optional<uint64_t>(version);
}

void ClusterPageServer::ForgetAsker(uint64_t asker) {
  const MutexLock lock(mutex_);
  state_.ForgetAsker(asker);
}

// --- Commits of several stores

Status ClusterPageServer::Prepare(const CommitRequest& request, const Coordinator& coordinator) {
  uint64_t position = 0;
  {
    const MutexLock commit_lock(commit_mutex_);
    if (const CommitAnswer checked = CheckRequest(request);
        checked.outcome != CommitOutcome::kCommitted) {
      return checked.status;
    }
    TN_RETURN_IF_ERROR(MakeRoom());
    std::vector<StagedPart> parts;
    TN_RETURN_IF_ERROR(MakeParts(request, queue_.put() + 1, &parts).status);
    std::string body;
    {
      const MutexLock lock(mutex_);
      body = Encode(request, coordinator);
    }
    position = queue_.Put({.kind = RecordKind::kPrepare, .id = request.id, .body = body});
    const MutexLock lock(mutex_);
    state_.StagePrepared(request.id, std::move(body));
    state_.NotePreparedFor(request.id, request.asker);
  }
  return queue_.AwaitDurable(position);
}

Result<std::vector<DatabaseId>> ClusterPageServer::OpenFor(const PreparedImage& image,
                                                           std::vector<DatabaseId>* opened) {
  std::vector<DatabaseId> ids;
  for (size_t i = 0; i < image.databases(); ++i) {
    const std::shared_ptr<ClusterDatabase> database = state_.Find(image.name(i));
    if (database == nullptr) {
      return Failure(StatusCode::kNotFound,
                     "database " + image.name(i) + " of store " + name_ + " does not exist");
    }
    std::optional<DatabaseId> id = FindOpen(*database);
    if (!id) {
      id = OpenAnew(database);
      opened->push_back(*id);
    }
    ids.push_back(*id);
  }
  return ids;
}

void ClusterPageServer::ClaimPages(const CommitRequest& request) {
  for (const DatabaseCommit& part : request.databases) {
    for (const PageWrite& write : part.pages) {
      if (write.remove || !write.page.valid() || write.page.number >= kPageNumberLimit) continue;
      databases_[part.database.index]->ids.Claim(write.page);
    }
  }
}

CommitAnswer ClusterPageServer::Resolve(CommitId id, bool commit) {
  CommitAnswer answer;
  {
    const MutexLock commit_lock(commit_mutex_);
    std::optional<PreparedImage> image;
    std::vector<DatabaseId> opened;
    Result<std::vector<DatabaseId>> ids = std::vector<DatabaseId>();
    {
      const MutexLock lock(mutex_);
      if (const Status status = Usable(); !status.ok()) return Failed(status);
      const auto found = state_.prepared().find(id);
      if (found == state_.prepared().end()) return PageServer::Resolve(id, commit);
      image = DecodePrepared(found->second);
      if (!image) {
        return Failed(Failure(StatusCode::kCorrupt,
                              "the record of a prepared commit of store " + name_ + " is damaged"));
      }
      if (commit) ids = OpenFor(*image, &opened);
    }
    LogRecord record{.kind = RecordKind::kResolve, .id = id, .body = commit ? "1" : "0"};
    if (!commit) {
      // If this is lost the participant asks again, and gets the same answer.
      static_cast<void>(queue_.Put(std::move(record)));
      const MutexLock lock(mutex_);
      state_.StageResolved(id);
      return Failed(Status::Ok());
    }
    answer = Failed(ids.status());
    if (ids.ok()) {
      CommitRequest request = image->Request(id, *ids);
      {
        const MutexLock lock(mutex_);
        request.asker = state_.outcomes().PreparedFor(id);
        ClaimPages(request);
      }
      answer = CheckRequest(request);
      if (answer.outcome == CommitOutcome::kCommitted) {
        answer = OrderAs(request, std::move(record));
      }
    }
    const MutexLock lock(mutex_);
    if (answer.outcome == CommitOutcome::kCommitted) state_.StageResolved(id);
    for (const DatabaseId database : opened) databases_[database.index].reset();
  }
  if (answer.outcome != CommitOutcome::kCommitted) return answer;
  const Status status = queue_.AwaitDurable(answer.version);
  return status.ok() ? answer : CommitAnswer{CommitOutcome::kUnknown, 0, status};
}

Result<std::vector<PreparedCommit>> ClusterPageServer::Prepared() {
  const MutexLock lock(mutex_);
  TN_RETURN_IF_ERROR(Usable());
  std::vector<PreparedCommit> commits;
  for (const auto& [id, body] : state_.prepared()) {
    const std::optional<PreparedImage> image = DecodePrepared(body);
    if (!image) {
      return Failure(StatusCode::kCorrupt,
                     "the record of a prepared commit of store " + name_ + " is damaged");
    }
    commits.push_back(image->Summary(id));
  }
  return commits;
}

Result<bool> ClusterPageServer::Decided(CommitId id) {
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    if (!state_.Decided(id)) return false;
  }
  // A participant that learns the decision carries out its part, so the decision must be durable
  // first.
  TN_RETURN_IF_ERROR(queue_.AwaitDurable(queue_.put()));
  return true;
}

Status ClusterPageServer::Acknowledge(CommitId id, const Uuid& participant) {
  const MutexLock commit_lock(commit_mutex_);
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
    if (!state_.Decided(id)) return Status::Ok();
  }
  ByteWriter body;
  body.Put(participant);
  static_cast<void>(
      queue_.Put({.kind = RecordKind::kAcknowledge, .id = id, .body = std::move(body).Take()}));
  const MutexLock lock(mutex_);
  state_.StageAcknowledged(id, participant);
  return Status::Ok();
}

// --- From the log to pages and tables

Status ClusterPageServer::Noted(Status answer) {
  switch (answer.code()) {
    case StatusCode::kConflict:
      answer = Failure(StatusCode::kInUse, "another node has become the leader of store " + name_);
      break;
    case StatusCode::kClosed: answer = Status(StatusCode::kIo, answer.text()); break;
    default: return answer;
  }
  queue_.FailWith(answer);
  return answer;
}

Status ClusterPageServer::ApplyLocked() {
  // Only durable records may be applied: a record that is not durable may be lost.
  // No commit can come while commit_mutex_ is held.
  const uint64_t position = queue_.put();
  TN_RETURN_IF_ERROR(queue_.AwaitDurable(position, /*at_once=*/true));
  FrozenChanges frozen;
  {
    const MutexLock lock(mutex_);
    if (!state_.has_changes()) return Status::Ok();
    frozen = state_.Freeze(position);
  }
  const Status status = Noted(engine_->Apply(uuid_, attachment_.term, frozen.Batch()));
  const MutexLock lock(mutex_);
  ++applies_;
  if (status.ok()) {
    state_.Applied(frozen);
  } else {
    state_.Unfreeze(frozen);
  }
  return status;
}

Status ClusterPageServer::ApplyNow() {
  const MutexLock commit_lock(commit_mutex_);
  {
    const MutexLock lock(mutex_);
    TN_RETURN_IF_ERROR(Usable());
  }
  return ApplyLocked();
}

Status ClusterPageServer::Refusal() const {
  return options_.now() < options_.refuses_until ? options_.refusal : Status::Ok();
}

Status ClusterPageServer::MakeRoom() {
  TN_RETURN_IF_ERROR(Refusal());
  {
    const MutexLock lock(mutex_);
    if (state_.pending_bytes() <= options_.pending_bytes) return Status::Ok();
  }
  return ApplyLocked();
}

void ClusterPageServer::WantApplied() {
  if (stop_applier_) return;
  apply_requested_ = true;
  if (applier_.started()) return apply_wanted_.notify_one();
  // If no thread can be started, the next commit tries again.
  apply_requested_ = applier_.Start([this]() TN_REQUIRES(applier_mutex_) { RunApplier(); });
}

void ClusterPageServer::RunApplier() {
  MutexLock lock(applier_mutex_);
  while (!stop_applier_) {
    apply_wanted_.wait(
        lock, [&]() TN_REQUIRES(applier_mutex_) { return apply_requested_ || stop_applier_; });
    // Waits for more commits: a page that several of them write is applied once.
    apply_wanted_.wait_for(lock, options_.apply_interval, [&]() TN_REQUIRES(applier_mutex_) {
      return apply_hurries_ || stop_applier_;
    });
    if (stop_applier_) break;
    apply_requested_ = apply_hurries_ = false;
    lock.unlock();
    const Status status = ApplyNow();
    const bool over = !failed().ok();
    lock.lock();
    if (over) return;
    apply_requested_ |= !status.ok();
  }
}

void ClusterPageServer::StopApplier() {
  {
    const MutexLock lock(applier_mutex_);
    stop_applier_ = true;
    if (!applier_.started()) return;
  }
  apply_wanted_.notify_one();
  applier_.Join();
}

// --- After attaching

// No other thread uses the store yet.
Status ClusterPageServer::Recover() TN_NO_LOCK_ANALYSIS {
  TN_ASSIGN_OR_RETURN(StoreContents contents, engine_->Load(uuid_, attachment_.term));
  TN_RETURN_IF_ERROR(state_.Load(contents));
  const std::vector<PlacedRecord> log = std::move(contents.log);
  uint64_t position = attachment_.applied;
  Status status;
  for (size_t i = 0; i < log.size() && status.ok(); ++i) {
    status =
        log[i].position == ++position ? Replay(log[i]) : Damaged(name_, position, "it is missing");
  }
  if (status.ok() && position != attachment_.last) {
    status = Damaged(name_, position + 1, "it is missing");
  }
  databases_.clear();
  // A leader that has lost its term also finds pages that differ from the log; Load tells whether
  // the term is over.
  if (!status.ok()) TN_RETURN_IF_ERROR(engine_->Load(uuid_, attachment_.term).status());
  return status;
}

Status ClusterPageServer::Replay(const PlacedRecord& placed) TN_NO_LOCK_ANALYSIS {
  const LogRecord& record = placed.record;
  const auto damaged = [&](const std::string& how) { return Damaged(name_, placed.position, how); };
  const auto commit = [&](PreparedImage& image, std::span<const Uuid> participants) -> Status {
    std::vector<DatabaseId> opened;
    std::vector<DatabaseId> ids;
    {
      const MutexLock lock(mutex_);
      const Result<std::vector<DatabaseId>> found = OpenFor(image, &opened);
      if (!found.ok()) return damaged(found.status().text());
      ids = *found;
      ClaimPages(image.Request(record.id, ids));
    }
    CommitRequest request = image.Request(record.id, ids);
    request.participants = participants;
    request.asker.place = kEarlierAsker;
    const CommitAnswer checked = CheckRequest(request);
    if (checked.outcome != CommitOutcome::kCommitted) return damaged(checked.status.text());
    std::vector<StagedPart> parts;
    const CommitAnswer made = MakeParts(request, placed.position, &parts);
    if (made.outcome == CommitOutcome::kConflict) return damaged(made.status.text());
    if (made.outcome != CommitOutcome::kCommitted) return made.status;
    const MutexLock lock(mutex_);
    Stage(request, placed.position, parts);
    return Status::Ok();
  };
  ByteReader body(std::as_bytes(std::span(record.body)));
  switch (record.kind) {
    case RecordKind::kCommit: {
      std::optional<CommitBody> decoded = DecodeCommit(record.body);
      if (!decoded) return damaged("it has no commit");
      return commit(*decoded->image, decoded->participants);
    }
    case RecordKind::kPrepare:
      if (!DecodePrepared(record.body)) return damaged("it has no commit");
      state_.StagePrepared(record.id, record.body);
      return Status::Ok();
    case RecordKind::kResolve: {
      const auto found = state_.prepared().find(record.id);
      if (found == state_.prepared().end()) return damaged("nothing was prepared");
      if (record.body == "1") {
        std::optional<PreparedImage> image = DecodePrepared(found->second);
        if (!image) return damaged("what was prepared is damaged");
        TN_RETURN_IF_ERROR(commit(*image, {}));
      }
      state_.StageResolved(record.id);
      return Status::Ok();
    }
    case RecordKind::kAcknowledge: {
      const auto participant = body.Get<Uuid>();
      if (!body.AtEnd()) return damaged("it names no participant");
      state_.StageAcknowledged(record.id, participant);
      return Status::Ok();
    }
    case RecordKind::kType: state_.StageType(record.body); return Status::Ok();
    case RecordKind::kCreate: {
      const auto uuid = body.Get<Uuid>();
      const std::string name = body.GetText();
      if (!body.AtEnd() || !CheckDatabaseName(name).ok() || state_.Find(name) != nullptr) {
        return damaged("it creates no database");
      }
      static_cast<void>(state_.StageCreate(uuid, name));
      return Status::Ok();
    }
    case RecordKind::kDelete: {
      const auto uuid = body.Get<Uuid>();
      for (const auto& [name, database] : state_.databases()) {
        if (database->uuid != uuid) continue;
        state_.StageDelete(std::shared_ptr<ClusterDatabase>(database));
        return Status::Ok();
      }
      return damaged("it deletes no database");
    }
    case RecordKind::kTerm: return Status::Ok();
    case RecordKind::kSession: {
      const auto session = body.Get<Uuid>();
      std::string program = body.GetText();
      if (!body.AtEnd()) return damaged("it names no session");
      state_.StageSession(session, std::move(program));
      return Status::Ok();
    }
    case RecordKind::kSessionEnd: {
      const auto session = body.Get<Uuid>();
      if (!body.AtEnd()) return damaged("it names no session");
      state_.StageSessionEnd(session);
      return Status::Ok();
    }
  }
  return damaged("its kind is not known");
}

}  // namespace tenure::store
