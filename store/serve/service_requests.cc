// The requests of clients that concern databases and pages.
#include <algorithm>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/serve/service_client.h"

namespace tenure::store {

namespace {

// The most pages that a program may have been given and not used: more than one commit can take.
constexpr uint64_t kAllocateMax = 1 << 20;

}  // namespace

Status ServiceClient::OpenDatabase(Reader& in, Writer& out) {
  const std::string name = in.GetText();
  const auto mode = in.Get<OpenMode>();
  // A program that reconnects sends the database's uuid, the serving in which it held pages, and
  // the highest version that it has seen. With kCreate: the new database's uuid, if not zero.
  const auto uuid = in.Get<Uuid>();
  const auto serving = in.Get<Uuid>();
  const auto seen = in.Get<uint64_t>();
  if (!in.AtEnd() || mode > OpenMode::kOpenOrCreate) return BadRequest();
  const bool given = mode == OpenMode::kCreate && uuid != Uuid{};
  const bool again = mode != OpenMode::kCreate && uuid != Uuid{};
  if (again && !service_.sessions->MayComeAgain(serving, seen)) {
    return Status(StatusCode::kClosed,
                  "what it has of the store is not known to be there still: since the connection "
                  "was lost the store has been collected or rewritten, or an older copy put in its "
                  "place");
  }
  if (mode == OpenMode::kCreate) {
    TN_RETURN_IF_ERROR(CheckRole(StoreRole::kOwner, "make databases"));
  }
  const MutexLock guard(service_.databases_lock);
  // A program without the right to make a database opens an existing one.
  const OpenMode granted = role_ == StoreRole::kOwner ? mode : OpenMode::kOpen;
  if (given) TN_RETURN_IF_ERROR(CheckNewUuid(uuid));
  TN_ASSIGN_OR_RETURN(const DatabaseId id, given ? service_.store.CreateDatabase(name, uuid)
                                                 : service_.store.OpenDatabase(name, granted));
  TN_ASSIGN_OR_RETURN(const PageId max_page, service_.store.MaxPage(id));
  TN_ASSIGN_OR_RETURN(const auto there, service_.store.DatabaseUuid(id));
  if (again && there != uuid) {
    return Status(StatusCode::kClosed, "another database has its name now");
  }
  ServiceState::OpenedDatabase& state = service_.databases[id.index];
  state.name = name;
  if (open_.insert(id.index).second) state.users.insert(this);
  out.Put(id.index);
  out.Put(max_page.number);
  out.Put(there);
  return Status::Ok();
}

// References to a database find it by its uuid. The databases stay open, as those of programs do.
Status ServiceClient::CheckNewUuid(const Uuid& uuid) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, service_.store.ListDatabases());
  for (const std::string& name : names) {
    const Result<DatabaseId> id = service_.store.OpenDatabase(name, OpenMode::kOpen);
    if (!id.ok()) continue;  // a damaged one is no reason
    service_.databases[id->index].name = name;
    TN_ASSIGN_OR_RETURN(const Uuid other, service_.store.DatabaseUuid(*id));
    if (other != uuid) continue;
    return Failure(StatusCode::kExists, "database " + name +
                                            " has the uuid that the new database "
                                            "is to have");
  }
  return Status::Ok();
}

void ServiceClient::LeaveDatabase(uint32_t id, bool lost) {
  {
    const MutexLock guard(service_.databases_lock);
    // The database stays open at the store, so its next user finds it in memory.
    service_.databases[id].users.erase(this);
  }
  service_.check.dead().Drop(this, DatabaseId{id});
  service_.collections.Leave(id, *this, lost);
}

Status ServiceClient::DeleteDatabase(Reader& in, Writer&) {
  const std::string name = in.GetText();
  if (!in.AtEnd()) return BadRequest();
  const MutexLock guard(service_.databases_lock);
  for (auto it = service_.databases.begin(); it != service_.databases.end(); ++it) {
    if (it->second.name != name) continue;
    if (!it->second.users.empty()) {
      return Status(StatusCode::kInUse, "the database is open in a program");
    }
    if (service_.doubts.Concern(it->first)) {
      return Status(StatusCode::kInUse,
                    "a commit of several stores to the database waits for its outcome");
    }
    TN_RETURN_IF_ERROR(service_.store.CloseDatabase(DatabaseId{it->first}));
    service_.check.Forget(DatabaseId{it->first});
    service_.databases.erase(it);
    break;
  }
  return service_.store.DeleteDatabase(name);
}

Status ServiceClient::CloseDatabase(uint32_t id, Reader& in, Writer&) {
  if (!in.AtEnd()) return BadRequest();
  open_.erase(id);
  // Others get a page only when the commit that wrote the page is durable.
  (void)service_.store.AwaitDurable(undurable_.version());
  service_.permissions.Forget(*this, id);
  LeaveDatabase(id, /*lost=*/false);
  return Status::Ok();
}

Status ServiceClient::ListDatabases(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, service_.store.ListDatabases());
  out.Put(static_cast<uint32_t>(names.size()));
  for (const std::string& name : names) out.PutText(name);
  return Status::Ok();
}

Status ServiceClient::TypeEntries(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const std::vector<TypeEntry> entries, service_.store.TypeEntries());
  out.Put(static_cast<uint32_t>(entries.size()));
  for (const TypeEntry& entry : entries) {
    out.Put(entry.index);
    out.PutText(entry.description);
  }
  return Status::Ok();
}

Status ServiceClient::AddType(Reader& in, Writer& out) {
  const std::span<const std::byte> description = in.GetRest();
  TN_ASSIGN_OR_RETURN(const uint32_t index, service_.trusts_contents
                                                ? service_.store.AddType(description)
                                                : service_.check.AddType(description));
  out.Put(index);
  return Status::Ok();
}

Status ServiceClient::Info(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const DatabaseInfo info, service_.store.Info(DatabaseId{id}));
  out.PutText(info.name);
  out.Put(info.uuid);
  out.Put(info.root.bits);
  out.Put(info.max_page.number);
  out.Put(info.pages);
  return Status::Ok();
}

Status ServiceClient::DatabaseUuid(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const Uuid uuid, service_.store.DatabaseUuid(DatabaseId{id}));
  out.Put(uuid);
  return Status::Ok();
}

Status ServiceClient::Imports(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const std::vector<ImportEntry> imports,
                      service_.store.Imports(DatabaseId{id}));
  PutImports(out, imports);
  return Status::Ok();
}

Status ServiceClient::Exports(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const std::vector<ExportEntry> exports,
                      service_.store.Exports(DatabaseId{id}));
  PutExports(out, exports);
  return Status::Ok();
}

Status ServiceClient::Root(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const PersistentRef root, service_.store.Root(DatabaseId{id}));
  TN_ASSIGN_OR_RETURN(const PageId max_page, service_.store.MaxPage(DatabaseId{id}));
  out.Put(root.bits);
  out.Put(max_page.number);
  return Status::Ok();
}

Status ServiceClient::GetWanted(uint32_t id, Reader& in, WantedPages* wanted) {
  wanted->transaction = in.Get<uint64_t>();
  const auto manner = in.Get<uint8_t>();
  if (manner > (kWaitIsBounded | kWaitGivesWay | kReadToWrite)) return BadRequest();
  wanted->to_write = (manner & kReadToWrite) != 0;
  wanted->manner = {(manner & kWaitIsBounded) != 0, (manner & kWaitGivesWay) != 0};
  wanted->pages.resize(in.GetCount(sizeof(uint64_t)));
  for (PageId& page : wanted->pages) page.number = in.Get<uint64_t>();
  if (!in.AtEnd() || wanted->pages.size() > kReadPagesMax) return BadRequest();
  TN_ASSIGN_OR_RETURN(wanted->last, service_.store.MaxPage(DatabaseId{id}));
  return Status::Ok();
}

Status ServiceClient::Read(uint32_t id, Reader& in, Writer& out) {
  WantedPages wanted;
  TN_RETURN_IF_ERROR(GetWanted(id, in, &wanted));
  if (wanted.pages.empty()) return BadRequest();
  if (wanted.to_write) TN_RETURN_IF_ERROR(CheckRole(MessageKind::kWantWrite));
  const std::vector<PageId>& pages = wanted.pages;
  // Waits for the first; the others come along if they are free.
  std::vector<PageId> free;
  std::vector<bool> held;
  for (size_t i = 0; i < pages.size(); ++i) {
    const Permissions::Key key(id, pages[i].number);
    // A page number that was never handed out has no page to give.
    const bool known = pages[i] <= wanted.last;
    const bool held_before = !known || service_.permissions.Has(*this, key);
    if (known && i == 0) {
      TN_RETURN_IF_ERROR(service_.permissions.Acquire(*this, wanted.transaction, key,
                                                      wanted.to_write, wanted.manner));
    } else if (known && !service_.permissions.TryAcquire(*this, key)) {
      continue;
    }
    free.push_back(pages[i]);
    held.push_back(held_before);
  }
  // Does not clear the memory: Read sets the records.
  const auto memory = std::make_unique_for_overwrite<PageReply[]>(free.size());
  const std::span<PageReply> replies(memory.get(), free.size());
  TN_RETURN_IF_ERROR(service_.store.Read(DatabaseId{id}, free, replies));
  constexpr size_t kStatusBytes = 16;  // of one without a text
  out.Reserve(sizeof(uint64_t) + pages.size() * (kStatusBytes + sizeof(PageRecord)));
  TN_ASSIGN_OR_RETURN(const PageId max_page, service_.store.MaxPage(DatabaseId{id}));
  out.Put(max_page.number);
  size_t next = 0;
  for (const PageId page : pages) {
    // One that has been made since then was not asked for.
    const bool made = next < free.size() && page > wanted.last && replies[next].status.ok();
    if (made) ++next;
    if (made || next == free.size() || free[next] != page) {
      out.PutStatus(Status(StatusCode::kConflict, "another program has the page"));
      continue;
    }
    const bool held_before = held[next];
    const PageReply& reply = replies[next++];
    out.PutStatus(reply.status);
    if (reply.status.ok()) {
      out.Put(reply.record);
    } else if (!held_before) {
      service_.permissions.Release(*this, {id, page.number}, /*keep_read=*/false);
    }
  }
  return Status::Ok();
}

Status ServiceClient::WantRead(uint32_t id, Reader& in, Writer&) { return Want(id, in, false); }

Status ServiceClient::WantWrite(uint32_t id, Reader& in, Writer&) { return Want(id, in, true); }

Status ServiceClient::Want(uint32_t id, Reader& in, bool write) {
  WantedPages wanted;
  TN_RETURN_IF_ERROR(GetWanted(id, in, &wanted));
  if (wanted.to_write) return BadRequest();
  for (const PageId page : wanted.pages) {
    if (page > wanted.last) {
      if (write) return BadRequest();
      // A program that ended has returned the last pages, which no other program has read.
      continue;
    }
    TN_RETURN_IF_ERROR(service_.permissions.Acquire(*this, wanted.transaction, {id, page.number},
                                                    write, wanted.manner));
  }
  return Status::Ok();
}

Status ServiceClient::Allocate(uint32_t id, Reader& in, Writer& out) {
  const auto count = in.Get<uint64_t>();
  if (!in.AtEnd() || count == 0) return BadRequest();
  if (count > kAllocateMax || allocated_.size() > kAllocateMax - count)
    return Status(StatusCode::kNoSpace, "too many pages at once");
  TN_ASSIGN_OR_RETURN(const PageRun run, service_.store.AllocatePages(DatabaseId{id}, count));
  for (uint64_t i = 0; i < count; ++i) {
    service_.permissions.GrantWrite(*this, {id, run.first.number + i});
    allocated_.insert({id, run.first.number + i});
  }
  out.Put(run.first.number);
  return Status::Ok();
}

void ServiceClient::ReturnAllocated() {
  for (auto it = allocated_.begin(); it != allocated_.end();) {
    const auto [id, first] = *it;
    uint64_t pages = 0;
    for (; it != allocated_.end() && it->first == id && it->second == first + pages; ++it) ++pages;
    // Pages that the store does not take back are lost until it is opened again.
    (void)service_.store.ReturnPages(DatabaseId{id}, {PageId{first}, pages});
  }
  allocated_.clear();
}

Status ServiceClient::ReturnPages(uint32_t id, Reader& in, Writer&) {
  PageRun run;
  run.first.number = in.Get<uint64_t>();
  run.pages = in.Get<uint64_t>();
  if (!in.AtEnd() || run.pages > kAllocateMax) return BadRequest();
  for (uint64_t i = 0; i < run.pages; ++i) {
    if (!allocated_.contains({id, run.first.number + i})) return BadRequest();
  }
  for (uint64_t i = 0; i < run.pages; ++i) {
    allocated_.erase({id, run.first.number + i});
    service_.permissions.Release(*this, {id, run.first.number + i}, /*keep_read=*/false);
  }
  return service_.store.ReturnPages(DatabaseId{id}, run);
}

Status ServiceClient::OfferCandidates(uint32_t id, Reader& in, Writer&) {
  std::optional<std::vector<Candidate>> candidates = GetCandidates(in);
  if (!candidates || !in.AtEnd()) return BadRequest();
  TN_ASSIGN_OR_RETURN(const PageId last, service_.store.MaxPage(DatabaseId{id}));
  for (const Candidate& candidate : *candidates) {
    const uint64_t end = (last.number + 1) * abi::kPageBytes;
    if (candidate.object.bits >= end || candidate.bytes > end - candidate.object.bits + 8) {
      return BadRequest();
    }
  }
  dead_.clear();
  edges_.clear();
  service_.check.dead().Drop(this);
  const DatabaseId database{id};
  if (service_.check.dead().Freeing(database, this)) {
    return Status(StatusCode::kInUse, "another collection of the database is going on");
  }
  {
    // Programs that open the database later find reachable objects only.
    const MutexLock guard(service_.databases_lock);
    TN_RETURN_IF_ERROR(service_.sessions->CheckNobodyAway(service_.clients.Places()));
    std::set<CollectionClient*> others;
    for (ServiceClient* const user : service_.databases[id].users) {
      if (user != this) others.insert(user);
    }
    TN_RETURN_IF_ERROR(service_.collections.Begin(id, *this, *candidates, std::move(others)));
  }
  if (service_.trusts_contents) return Status::Ok();
  // Commits are watched from now on; what they leave as it was is looked at.
  Status status;
  {
    const MutexLock guard(service_.commit_lock);
    if (!service_.preparing.empty() || service_.doubts.Concern(id)) {
      status = Status(StatusCode::kInUse,
                      "a commit of several stores to the database waits for its outcome");
    }
  }
  if (status.ok()) status = service_.check.FindEdges(database, *candidates, &edges_[id]);
  if (!status.ok()) service_.collections.Leave(id, *this, /*lost=*/false);
  return status;
}

Status ServiceClient::HeldCandidates(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  std::vector<Candidate> candidates;
  const auto decide = [&](std::span<const Candidate> offered, std::vector<bool>* held) {
    candidates.assign(offered.begin(), offered.end());
    if (!service_.trusts_contents) {
      service_.check.Decide(DatabaseId{id}, this, offered, edges_[id], held);
    }
  };
  TN_ASSIGN_OR_RETURN(const std::vector<bool> held,
                      service_.collections.Held(id, *this, service_.commit_lock, decide));
  edges_.erase(id);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (held[i]) continue;
    const uint64_t begin = candidates[i].object.bits - abi::kHeaderBytes;
    const uint64_t last =
        (begin + std::max<uint64_t>(candidates[i].bytes, 1) - 1) / abi::kPageBytes;
    for (uint64_t page = begin / abi::kPageBytes; page <= last; ++page) dead_.insert({id, page});
  }
  // A program that was served before and is not connected has no reference to these objects:
  // otherwise it would have been asked.
  TN_RETURN_IF_ERROR(service_.sessions->ForgetOthers());
  PutFlags(out, held);
  return Status::Ok();
}

}  // namespace tenure::store
