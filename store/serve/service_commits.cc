// The requests of clients that concern commits.
#include "base/mutex.h"
#include "store/remote/server_commit.h"
#include "store/serve/service_client.h"

namespace tenure::store {

Status ServiceClient::Refuse(Status why, Writer& out) {
  out.Put(why.code() == StatusCode::kConflict ? CommitOutcome::kConflict : CommitOutcome::kFailed);
  for (int i = 0; i < 4; ++i) out.Put(uint64_t{0});  // version, log bytes, syncs, durable version
  return why;
}

Status ServiceClient::NoteRefused(CommitId id) {
  // A program asks about its own commits when it has connected again.
  constexpr size_t kUnknownMax = 10000;
  if (++unknown_outcomes_ > kUnknownMax) {
    CutOff();
    return BadRequest();
  }
  service_.refused.insert(id);
  return Status::Ok();
}

Status ServiceClient::CheckWrites(const CommitRequest& request, CheckedCommit* checked) {
  // The records of the store use the zero id for something else.
  if (request.id == CommitId()) return Status(StatusCode::kInvalidArgument, "a commit has no id");
  bool permitted = true;
  Status unfounded;
  for (const DatabaseCommit& commit : request.databases) {
    const uint32_t id = commit.database.index;
    if (!open_.contains(id)) return BadRequest();
    TN_ASSIGN_OR_RETURN(const PageId last, service_.store.MaxPage(commit.database));
    if (commit.root) permitted = permitted && service_.permissions.HasWrite(*this, {id, 0});
    for (const PageWrite& write : commit.pages) {
      if (write.page > last) {
        return Status(StatusCode::kInvalidArgument, "a page is written that was never handed out",
                      static_cast<int64_t>(write.page.number));
      }
      permitted = permitted && service_.permissions.HasWrite(*this, {id, write.page.number});
      // The page's number is given out again, so no program may have a reference to the page's old
      // objects.
      if (write.remove && !dead_.contains({id, write.page.number})) {
        unfounded = Status(StatusCode::kInvalidArgument,
                           "a page is removed that no collection has found empty",
                           static_cast<int64_t>(write.page.number));
      }
    }
  }
  // A client whose server was started again in between has lost both, and begins anew.
  if (!permitted) return Status(StatusCode::kConflict, "a page is written without permission");
  TN_RETURN_IF_ERROR(unfounded);
  return service_.trusts_contents ? Status::Ok()
                                  : service_.check.CheckCommit(request, requester(), checked);
}

Status ServiceClient::CheckAgain(const CommitRequest& request, CheckedCommit* checked) {
  if (service_.trusts_contents || service_.check.IsCurrent(*checked)) return Status::Ok();
  return service_.check.CheckCommit(request, requester(), checked);
}

Status ServiceClient::Commit(Reader& in, Writer& out) {
  return CommitRequested(in, out, Answers::kWhenDurable);
}

Status ServiceClient::Order(Reader& in, Writer& out) {
  return CommitRequested(in, out, Answers::kWhenOrdered);
}

Status ServiceClient::CommitRequested(Reader& in, Writer& out, Answers answers) {
  ReceivedCommit received;
  if (!received.Read(in) || !in.AtEnd()) return Refuse(BadRequest(), out);
  received.set_place(place_);
  const CommitRequest& request = received.request();
  CheckedCommit checked;
  if (const Status status = CheckWrites(request, &checked); !status.ok()) {
    return Refuse(status, out);
  }
  std::vector<Permissions::Key> tables;
  if (const Status status = LockTables(request, &tables); !status.ok()) {
    ReleaseTables(tables);
    return Refuse(status, out);
  }
  const Status status = CommitNow(request, &checked, out, answers);
  ReleaseTables(tables);
  return status;
}

// Clients order their commits one after the other, and wait for the disk together. The pages stay
// the client's until the commit is durable: a client that is answered then does not release them
// before, and releases of the others are deferred.
Status ServiceClient::CommitNow(const CommitRequest& request, CheckedCommit* checked, Writer& out,
                                Answers answers) {
  PageServerStatistics before;
  CommitAnswer answer;
  {
    const MutexLock guard(service_.commit_lock);
    if (service_.refused.contains(request.id)) {
      return Refuse(Status(StatusCode::kConflict, "the commit came too late"), out);
    }
    if (const Status status = CheckAgain(request, checked); !status.ok()) {
      return Refuse(status, out);
    }
    service_.collections.NoteCommit(request);
    before = service_.store.statistics();
    answer = service_.store.Order(request);
    if (answer.outcome == CommitOutcome::kCommitted) {
      service_.check.NoteCommitted(requester(), *checked);
    }
    if (answer.outcome == CommitOutcome::kCommitted && answer.version != 0) {
      service_.history.Note(request, answer.version, {process(), program(), false},
                            service_.NamesOf(request));
    }
  }
  bool await = answer.outcome == CommitOutcome::kCommitted;
  if (await && answers == Answers::kWhenOrdered) {
    undurable_.Note(request, answer.version);
    // If no thread can be started to tell the client, the answer itself waits for the disk.
    await = answer.version > service_.store.DurableVersion() &&
            !service_.durability.Ordered(*this, answer.version).ok();
  }
  if (await) {
    const Status durable = service_.store.AwaitDurable(answer.version);
    if (!durable.ok()) answer = {CommitOutcome::kUnknown, answer.version - 1, durable};
  }
  if (answer.outcome == CommitOutcome::kUnknown) service_.Fail();
  if (service_.failed) {
    // Programs that ask find out when the store has been opened again.
    CutOff();
  }
  if (answer.outcome == CommitOutcome::kCommitted || answer.outcome == CommitOutcome::kUnknown) {
    for (const DatabaseCommit& commit : request.databases) {
      for (const PageWrite& write : commit.pages) {
        allocated_.erase({commit.database.index, write.page.number});
        // The next client that gets the number has the permission.
        if (!write.remove) continue;
        dead_.erase({commit.database.index, write.page.number});
        service_.permissions.Release(*this, {commit.database.index, write.page.number},
                                     /*keep_read=*/false);
      }
    }
  }
  return PutAnswer(answer, before, out);
}

Status ServiceClient::PutAnswer(const CommitAnswer& answer, const PageServerStatistics& before,
                                Writer& out) {
  out.Put(answer.outcome);
  out.Put(answer.version);
  const PageServerStatistics after = service_.store.statistics();
  out.Put(after.log_bytes - before.log_bytes);
  out.Put(after.syncs - before.syncs);
  out.Put(service_.store.DurableVersion());
  return answer.status;
}

Status ServiceClient::Outcome(Reader& in, Writer& out) {
  OutcomeQuestion question;
  question.id = in.Get<CommitId>();
  const auto serving = in.Get<Uuid>();  // when the commit was sent
  question.above = in.Get<uint64_t>();
  if (!in.AtEnd()) return BadRequest();
  const MutexLock guard(service_.commit_lock);
  if (service_.failed) return Status(StatusCode::kIo, "the page server has failed");
  // "No" would be wrong if the commit is carried out later.
  if (service_.preparing.contains(question.id) || service_.doubts.Has(question.id)) {
    return Status(StatusCode::kUnknownOutcome,
                  "the commit is prepared, and waits for the store that decides about it");
  }
  // Since then the program counts as one that may ask, and the store is the same.
  question.kept = place_ != 0 && service_.sessions->MayComeAgain(serving, question.above);
  TN_ASSIGN_OR_RETURN(const std::optional<uint64_t> outcome, service_.store.Outcome(question));
  // A request that is still on its way must not make this answer wrong.
  if (!outcome.has_value()) TN_RETURN_IF_ERROR(NoteRefused(question.id));
  out.Put(static_cast<uint8_t>(outcome.has_value()));
  out.Put(outcome.value_or(0));
  return Status::Ok();
}

Status ServiceClient::Decided(Reader& in, Writer& out) {
  const auto id = in.Get<CommitId>();
  if (!in.AtEnd()) return BadRequest();
  const MutexLock guard(service_.commit_lock);
  if (service_.failed) return Status(StatusCode::kIo, "the page server has failed");
  TN_ASSIGN_OR_RETURN(const bool decided, service_.store.Decided(id));
  // As above: the program that asks gives the commit up now.
  if (!decided) TN_RETURN_IF_ERROR(NoteRefused(id));
  out.Put(static_cast<uint8_t>(decided));
  return Status::Ok();
}

Status ServiceClient::Acknowledge(Reader& in, Writer&) {
  const auto id = in.Get<CommitId>();
  const auto participant = in.Get<Uuid>();
  if (!in.AtEnd()) return BadRequest();
  return service_.store.Acknowledge(id, participant);
}

Status ServiceClient::LockTables(const CommitRequest& request,
                                 std::vector<Permissions::Key>* keys) {
  for (const DatabaseCommit& commit : request.databases) {
    if (commit.imports.empty() && commit.exports.empty()) continue;
    const Permissions::Key key(commit.database.index, Permissions::kTables);
    TN_RETURN_IF_ERROR(service_.permissions.AcquireMore(*this, key));
    keys->push_back(key);
  }
  return Status::Ok();
}

void ServiceClient::ReleaseTables(const std::vector<Permissions::Key>& keys) {
  for (const Permissions::Key& key : keys) service_.permissions.Release(*this, key, false);
}

Status ServiceClient::Prepare(Reader& in, Writer&) {
  ReceivedCommit received;
  const bool read = received.Read(in);
  received.set_place(place_);
  Coordinator coordinator;
  coordinator.store = in.Get<Uuid>();
  coordinator.path = in.GetText();
  coordinator.lineage = in.Get<uint64_t>();
  if (!read || !in.AtEnd()) return BadRequest();
  const CommitRequest& request = received.request();
  CheckedCommit checked;
  TN_RETURN_IF_ERROR(CheckWrites(request, &checked));
  TN_RETURN_IF_ERROR(service_.doubts.CheckCoordinator(coordinator));
  ServiceDoubts::Keys keys;
  std::set<Permissions::Key> fresh;
  for (const DatabaseCommit& commit : request.databases) {
    const uint32_t id = commit.database.index;
    if (commit.root) keys.emplace_back(id, 0);
    for (const PageWrite& write : commit.pages) {
      keys.emplace_back(id, write.page.number);
      if (allocated_.contains(keys.back())) fresh.insert(keys.back());
    }
  }
  std::vector<Permissions::Key> tables;
  Status status = LockTables(request, &tables);
  if (status.ok()) {
    keys.insert(keys.end(), tables.begin(), tables.end());
    {
      const MutexLock guard(service_.commit_lock);
      status = service_.refused.contains(request.id)
                   ? Status(StatusCode::kConflict, "the commit came too late")
                   : CheckAgain(request, &checked);
      if (status.ok()) {
        service_.collections.NoteCommit(request);
        service_.preparing.insert(request.id);
      }
    }
    if (status.ok()) {
      status = service_.doubts.Prepare(*this, request, coordinator, std::move(keys), fresh);
      const MutexLock guard(service_.commit_lock);
      service_.preparing.erase(service_.preparing.find(request.id));
    }
  }
  if (!status.ok()) {
    ReleaseTables(tables);
    return status;
  }
  for (const Permissions::Key& key : fresh) allocated_.erase(key);
  return Status::Ok();
}

Status ServiceClient::Resolve(Reader& in, Writer& out) {
  const auto id = in.Get<CommitId>();
  const bool commit = in.Get<uint8_t>() != 0;
  if (!in.AtEnd()) return Refuse(BadRequest(), out);
  const PageServerStatistics before = service_.store.statistics();
  std::set<Permissions::Key> unused;
  const CommitAnswer answer = service_.doubts.Resolve(*this, place_, id, commit, open_, &unused);
  allocated_.merge(unused);
  if (service_.failed) CutOff();
  return PutAnswer(answer, before, out);
}

Status ServiceClient::Prepared(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const std::vector<PreparedCommit> commits = service_.doubts.InDoubt();
  out.Put(static_cast<uint32_t>(commits.size()));
  for (const PreparedCommit& commit : commits) {
    out.Put(commit.id);
    out.Put(commit.coordinator.store);
    out.PutText(commit.coordinator.path);
    out.Put(commit.coordinator.lineage);
  }
  return Status::Ok();
}

// Confirms several transactions at once, so that a group can be asked about together. A client
// loses permissions only with its connection: it holds all or none.
Status ServiceClient::Confirm(Reader& in, Writer& out) {
  const size_t count = in.GetCount(sizeof(uint64_t));
  std::vector<uint64_t> transactions(count);
  for (uint64_t& transaction : transactions) transaction = in.Get<uint64_t>();
  if (!in.AtEnd() || count == 0) return BadRequest();
  PutFlags(out, std::vector<bool>(count, service_.permissions.HoldsAll(*this)));
  return Status::Ok();
}

}  // namespace tenure::store
