#include "dbtool/browse/scanner.h"

#include <algorithm>
#include <span>
#include <utility>

#include "abi/object_header.h"
#include "base/mutex.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PersistentRef;

namespace {

// Pages of one transaction: a program that wants to write one of them waits for a few milliseconds.
constexpr uint64_t kPagesAtOnce = 256;

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void AddReferences(const StoredObject& object, IndexBuilder* builder) {
  ForEachSlot(*object.type, object.payload.size(), [&](uint64_t offset, StoredSlot kind) {
    const PersistentRef to{object.Word(offset)};
    if (kind == StoredSlot::kReference && to.is_object()) builder->AddReference(offset, to);
  });
}

// The pages that one transaction has read, until it is confirmed.
struct ReadPages {
  std::vector<PageId> ids;
  std::vector<store::PageReply> replies;
  std::map<uint64_t, StoredObject> large;  // by first page
  std::map<uint64_t, std::vector<std::byte>> payloads;
  std::map<uint64_t, std::string> problems;
};

}  // namespace

bool Scanner::Start() {
  return thread_.Start([this] { Run(); });
}

void Scanner::Stop() {
  {
    const MutexLock guard(lock_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.Join();
}

void Scanner::Want(const std::string& database) {
  const MutexLock guard(lock_);
  ScanState& state = states_[database];
  if (state.running) return;
  state.running = true;
  state.pages = state.of_pages = state.objects = 0;
  wanted_.push_back(database);
  changed_.notify_all();
}

void Scanner::Refresh(const std::string& database, uint64_t commits) {
  constexpr double kLeastAge = 30, kTimesItsTime = 20;  // seconds
  const ScanState state = StateOf(database);
  const double age = Now() - state.finished_at;
  if (state.index == nullptr || state.commits == commits) return;
  if (age > std::max(kLeastAge, kTimesItsTime * state.seconds)) Want(database);
}

ScanState Scanner::StateOf(const std::string& database) {
  {
    const MutexLock guard(lock_);
    const auto found = states_.find(database);
    if (found != states_.end()) return found->second;
  }
  Want(database);
  const MutexLock guard(lock_);
  return states_[database];
}

void Scanner::Run() {
  while (true) {
    std::string database;
    {
      MutexLock guard(lock_);
      changed_.wait(guard, [&]() TN_REQUIRES(lock_) { return stopped_ || !wanted_.empty(); });
      if (stopped_) return;
      database = wanted_.front();
      wanted_.erase(wanted_.begin());
    }
    Scan(database);
  }
}

void Scanner::Scan(const std::string& database) {
  const auto began = std::chrono::steady_clock::now();
  const Result<store::RecentCommits> commits = store_.RecentCommits(0);
  IndexBuilder builder;
  uint64_t next = 1;
  uint64_t last = 0;
  bool full = false;
  std::vector<PersistentRef> starts;
  Status status = store_.Use(StoreLane::kScan, [&](OpenedStore& store) -> Status {
    TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                        store.server->OpenDatabase(database, store::OpenMode::kOpen));
    TN_ASSIGN_OR_RETURN(const PersistentRef root, store.server->Root(id));
    TN_ASSIGN_OR_RETURN(const std::vector<store::ExportEntry> exports, store.server->Exports(id));
    TN_ASSIGN_OR_RETURN(const PageId most, store.server->MaxPage(id));
    starts.assign(1, root);
    for (const store::ExportEntry& entry : exports) starts.push_back(entry.object);
    last = most.number;
    return Status::Ok();
  });
  while (status.ok() && next <= last && !full) {
    status = store_.Use(StoreLane::kScan, [&](OpenedStore& store) -> Status {
      return ScanPart(store, database, next, &next, &builder, &full);
    });
    const MutexLock guard(lock_);
    if (stopped_) return;
    ScanState& state = states_[database];
    state.pages = std::min(next, last);
    state.of_pages = last;
    state.objects = builder.objects();
  }
  std::shared_ptr<const ObjectIndex> index;
  if (status.ok() && !full) index = std::make_shared<const ObjectIndex>(builder.Finish(starts));
  const MutexLock guard(lock_);
  ScanState& state = states_[database];
  state.running = false;
  state.problem = full          ? "the database has too many objects or references for an index"
                  : status.ok() ? ""
                                : status.text();
  if (index == nullptr) return;
  state.index = std::move(index);
  state.finished_at = Now();
  state.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  state.commits = commits.ok() ? commits->total : 0;
}

Status Scanner::ScanPart(OpenedStore& store, const std::string& database, uint64_t from,
                         uint64_t* next, IndexBuilder* builder, bool* full) {
  store::PageServer& server = *store.server;
  TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                      server.OpenDatabase(database, store::OpenMode::kOpen));
  TN_ASSIGN_OR_RETURN(const PageId last, server.MaxPage(id));
  TN_ASSIGN_OR_RETURN(const PageId first, server.NextPage(id, PageId{from}));
  ReadPages read;
  for (uint64_t n = first.number; n <= last.number && n < first.number + kPagesAtOnce; ++n) {
    read.ids.push_back(PageId{n});
  }
  read.replies.resize(read.ids.size());
  // A shared server waits for the first page of a read only.
  TN_RETURN_IF_ERROR(server.WantRead(id, read.ids));
  TN_RETURN_IF_ERROR(server.Read(id, read.ids, read.replies));
  // Large objects with references are read whole, before anything is added: the transaction may
  // have to begin again.
  ObjectSource source(server, id, store.types);
  for (size_t i = 0; i < read.ids.size(); ++i) {
    const store::PageReply& reply = read.replies[i];
    if (reply.status.code() != StatusCode::kCorrupt && reply.status.code() != StatusCode::kNotFound)
      TN_RETURN_IF_ERROR(reply.status);
    if (!reply.status.ok() || !reply.record.run.large() || reply.record.run.index != 0) continue;
    const PersistentRef at = PersistentRef::Object(read.ids[i], kHeaderBytes);
    const auto load = [&]() -> Status {
      TN_ASSIGN_OR_RETURN(const ObjectPtr object, source.Load(at));
      StoredObject& large = read.large[at.page().number];
      large.at = at;
      large.type = &object->type();
      std::vector<std::byte>& payload = read.payloads[at.page().number];
      // Only the length of an object without references is of interest.
      payload.resize(object->bytes());
      large.payload = payload;
      return large.type->pure() ? Status::Ok() : object->Copy(0, payload);
    };
    if (const Status loaded = load(); !loaded.ok()) {
      if (loaded.code() == StatusCode::kConflict) return loaded;
      read.problems[at.page().number] = loaded.text();
    }
  }
  for (size_t i = 0; i < read.ids.size() && !*full; ++i) {
    const PageId page = read.ids[i];
    const store::PageReply& reply = read.replies[i];
    if (reply.status.code() == StatusCode::kNotFound) continue;
    if (!reply.status.ok()) {
      builder->AddDamage(page, reply.status.text());
      continue;
    }
    const store::LargeRun& run = reply.record.run;
    const uint64_t version = reply.record.version;
    if (run.large() && run.index != 0) {
      builder->BeginPage(page, PageKind::kFurther, version);
      builder->AddPart(run.type, kPageBytes);
      continue;
    }
    if (run.large()) {
      builder->BeginPage(page, PageKind::kLarge, version);
      const auto problem = read.problems.find(page.number);
      if (problem != read.problems.end()) builder->AddDamage(page, problem->second);
      const auto large = read.large.find(page.number);
      if (large == read.large.end()) continue;
      *full = !builder->AddObject(kHeaderBytes, large->second.type->index,
                                  kHeaderBytes + large->second.payload.size());
      if (problem == read.problems.end()) AddReferences(large->second, builder);
      continue;
    }
    builder->BeginPage(page, PageKind::kSmall, version);
    uint64_t free_bytes = 0;
    const Result<bool> all = ForEachObjectOn(
        page, reply.record.contents, store.types, &free_bytes, [&](const StoredObject& object) {
          if (!builder->AddObject(object.at.offset(), object.type->index,
                                  kHeaderBytes + object.payload.size())) {
            return false;
          }
          AddReferences(object, builder);
          return true;
        });
    builder->AddFree(free_bytes);
    if (!all.ok()) builder->AddDamage(page, all.status().text());
    if (all.ok() && !*all) *full = true;
  }
  *next = first.number + kPagesAtOnce;
  return Status::Ok();
}

}  // namespace tenure::dbtool
