// What a PageService does for its clients about databases and pages.
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include "stabilize/service_client.h"
#include "stabilize/status_text.h"

namespace tenure::stabilize {

namespace {

constexpr uint64_t kAllocateMax = 1 << 20;

// Whether there is such a process, and it has not ended, as far as that can be told without /proc.
bool Lives(pid_t process) {
  if (kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return true;
  // "PID (NAME) STATE ...", where the name may be anything.
  const size_t at = text.rfind(") ");
  return at != std::string::npos && text[at + 2] != 'Z' && text[at + 2] != 'X';
}

}  // namespace

Status PageService::Client::OpenDatabase(Reader& in, Writer& out) {
  const std::string name = in.GetText();
  const auto mode = in.Get<OpenMode>();
  if (!in.AtEnd() || mode > OpenMode::kOpenOrCreate) return BadRequest();
  const std::lock_guard guard(service_.databases_lock_);
  const Result<DatabaseId> id = service_.store_.OpenDatabase(name, mode);
  if (!id.ok()) return id.status();
  const Result<PageId> max_page = service_.store_.MaxPage(*id);
  if (!max_page.ok()) return max_page.status();
  OpenDatabaseState& state = service_.databases_[id->index];
  state.name = name;
  if (open_.insert(id->index).second) state.users.insert(this);
  state.lost.erase(process_);
  out.Put(id->index);
  out.Put(max_page->number);
  return Status::Ok();
}

void PageService::Client::LeaveDatabase(uint32_t id, bool lost) {
  {
    const std::lock_guard guard(service_.databases_lock_);
    // It stays open at the store: the next user finds it warm.
    OpenDatabaseState& state = service_.databases_[id];
    state.users.erase(this);
    if (lost && process_ > 0) state.lost.insert(process_);
  }
  service_.collections_.Leave(id, *this, lost);
}

Status PageService::Client::DeleteDatabase(Reader& in) {
  const std::string name = in.GetText();
  if (!in.AtEnd()) return BadRequest();
  const std::lock_guard guard(service_.databases_lock_);
  for (auto it = service_.databases_.begin(); it != service_.databases_.end(); ++it) {
    if (it->second.name != name) continue;
    if (!it->second.users.empty()) {
      return Status(StatusCode::kInUse, "the database is open in a program");
    }
    if (service_.doubts_.Concern(it->first)) {
      return Status(StatusCode::kInUse,
                    "a commit of several stores to the database waits for its outcome");
    }
    TN_RETURN_IF_ERROR(service_.store_.CloseDatabase(DatabaseId{it->first}));
    service_.databases_.erase(it);
    break;
  }
  return service_.store_.DeleteDatabase(name);
}

Status PageService::Client::CloseDatabase(uint32_t id, Reader& in) {
  if (!in.AtEnd()) return BadRequest();
  open_.erase(id);
  service_.permissions_.Forget(*this, id);
  LeaveDatabase(id, /*lost=*/false);
  return Status::Ok();
}

Status PageService::Client::ListDatabases(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<std::vector<std::string>> names = service_.store_.ListDatabases();
  if (!names.ok()) return names.status();
  out.Put(static_cast<uint32_t>(names->size()));
  for (const std::string& name : *names) out.PutText(name);
  return Status::Ok();
}

Status PageService::Client::TypeEntries(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<std::vector<TypeEntry>> entries = service_.store_.TypeEntries();
  if (!entries.ok()) return entries.status();
  out.Put(static_cast<uint32_t>(entries->size()));
  for (const TypeEntry& entry : *entries) {
    out.Put(entry.index);
    out.PutText(entry.description);
  }
  return Status::Ok();
}

Status PageService::Client::AddType(Reader& in, Writer& out) {
  std::vector<std::byte> description;
  while (!in.AtEnd()) description.push_back(in.Get<std::byte>());
  const Result<uint32_t> index = service_.store_.AddType(description);
  if (!index.ok()) return index.status();
  out.Put(*index);
  return Status::Ok();
}

Status PageService::Client::Info(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<DatabaseInfo> info = service_.store_.Info(DatabaseId{id});
  if (!info.ok()) return info.status();
  out.PutText(info->name);
  out.Put(info->uuid);
  out.Put(info->root.bits);
  out.Put(info->max_page.number);
  out.Put(info->pages);
  return Status::Ok();
}

Status PageService::Client::Uuid(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const auto uuid = service_.store_.DatabaseUuid(DatabaseId{id});
  if (!uuid.ok()) return uuid.status();
  out.Put(*uuid);
  return Status::Ok();
}

Status PageService::Client::Imports(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<std::vector<ImportEntry>> imports = service_.store_.Imports(DatabaseId{id});
  if (!imports.ok()) return imports.status();
  PutImports(out, *imports);
  return Status::Ok();
}

Status PageService::Client::Exports(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<std::vector<ExportEntry>> exports = service_.store_.Exports(DatabaseId{id});
  if (!exports.ok()) return exports.status();
  PutExports(out, *exports);
  return Status::Ok();
}

Status PageService::Client::Root(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<PersistentRef> root = service_.store_.Root(DatabaseId{id});
  if (!root.ok()) return root.status();
  const Result<PageId> max_page = service_.store_.MaxPage(DatabaseId{id});
  if (!max_page.ok()) return max_page.status();
  out.Put(root->bits);
  out.Put(max_page->number);
  return Status::Ok();
}

bool PageService::Client::GetWanted(Reader& in, WantedPages* wanted) {
  wanted->transaction = in.Get<uint64_t>();
  wanted->bounded = in.Get<uint8_t>() != 0;
  wanted->pages.resize(in.GetCount(8));
  for (PageId& page : wanted->pages) page.number = in.Get<uint64_t>();
  return in.AtEnd() && wanted->pages.size() <= kReadPagesMax;
}

Status PageService::Client::Read(uint32_t id, Reader& in, Writer& out) {
  WantedPages wanted;
  if (!GetWanted(in, &wanted) || wanted.pages.empty()) return BadRequest();
  const std::vector<PageId>& pages = wanted.pages;
  // Waits for the first; the others come along if they are free.
  std::vector<PageId> free;
  std::vector<bool> held;
  for (size_t i = 0; i < pages.size(); ++i) {
    const Permissions::Key key(id, pages[i].number);
    const bool held_before = service_.permissions_.Has(*this, key);
    if (i == 0) {
      TN_RETURN_IF_ERROR(
          service_.permissions_.Acquire(*this, wanted.transaction, key, false, wanted.bounded));
    } else if (!service_.permissions_.TryAcquire(*this, key)) {
      continue;
    }
    free.push_back(pages[i]);
    held.push_back(held_before);
  }
  std::vector<PageReply> replies(free.size());
  TN_RETURN_IF_ERROR(service_.store_.Read(DatabaseId{id}, free, replies));
  const Result<PageId> max_page = service_.store_.MaxPage(DatabaseId{id});
  if (!max_page.ok()) return max_page.status();
  out.Put(max_page->number);
  size_t next = 0;
  for (const PageId page : pages) {
    if (next == free.size() || free[next] != page) {
      out.PutStatus(Status(StatusCode::kConflict, "another program has the page"));
      continue;
    }
    const bool held_before = held[next];
    const PageReply& reply = replies[next++];
    out.PutStatus(reply.status);
    if (reply.status.ok()) {
      out.Put(reply.record);
    } else if (!held_before) {
      service_.permissions_.Release(*this, {id, page.number}, /*keep_read=*/false);
    }
  }
  return Status::Ok();
}

Status PageService::Client::Want(uint32_t id, Reader& in, bool write) {
  WantedPages wanted;
  if (!GetWanted(in, &wanted)) return BadRequest();
  for (const PageId page : wanted.pages) {
    TN_RETURN_IF_ERROR(service_.permissions_.Acquire(*this, wanted.transaction, {id, page.number},
                                                     write, wanted.bounded));
  }
  return Status::Ok();
}

Status PageService::Client::Allocate(uint32_t id, Reader& in, Writer& out) {
  const auto count = in.Get<uint64_t>();
  if (!in.AtEnd() || count == 0) return BadRequest();
  if (count > kAllocateMax) return Status(StatusCode::kNoSpace, "too many pages at once");
  const Result<PageRun> run = service_.store_.AllocatePages(DatabaseId{id}, count);
  if (!run.ok()) return run.status();
  for (uint64_t i = 0; i < count; ++i) {
    service_.permissions_.GrantWrite(*this, {id, run->first.number + i});
    allocated_.insert({id, run->first.number + i});
  }
  out.Put(run->first.number);
  return Status::Ok();
}

void PageService::Client::ReturnAllocated() {
  for (auto it = allocated_.begin(); it != allocated_.end();) {
    const auto [id, first] = *it;
    uint64_t pages = 0;
    for (; it != allocated_.end() && it->first == id && it->second == first + pages; ++it) ++pages;
    // What the store does not take back is lost until it is opened again.
    (void)service_.store_.ReturnPages(DatabaseId{id}, {PageId{first}, pages});
  }
  allocated_.clear();
}

Status PageService::Client::ReturnPages(uint32_t id, Reader& in) {
  PageRun run;
  run.first.number = in.Get<uint64_t>();
  run.pages = in.Get<uint64_t>();
  if (!in.AtEnd() || run.pages > kAllocateMax) return BadRequest();
  for (uint64_t i = 0; i < run.pages; ++i) {
    if (!allocated_.contains({id, run.first.number + i})) return BadRequest();
  }
  for (uint64_t i = 0; i < run.pages; ++i) {
    allocated_.erase({id, run.first.number + i});
    service_.permissions_.Release(*this, {id, run.first.number + i}, /*keep_read=*/false);
  }
  return service_.store_.ReturnPages(DatabaseId{id}, run);
}

Status PageService::Client::OfferCandidates(uint32_t id, Reader& in) {
  std::optional<std::vector<Candidate>> candidates = GetCandidates(in);
  if (!candidates || !in.AtEnd()) return BadRequest();
  // Who comes later finds what can be reached only.
  const std::lock_guard guard(service_.databases_lock_);
  OpenDatabaseState& state = service_.databases_[id];
  std::erase_if(state.lost, [](pid_t process) { return !Lives(process); });
  if (!state.lost.empty()) {
    return Failure(StatusCode::kInUse,
                   "process " + std::to_string(*state.lost.begin()) +
                       " has lost its connection and may come again: nothing is collected now",
                   *state.lost.begin());
  }
  std::set<CollectionClient*> others;
  for (Client* const user : state.users) {
    if (user != this) others.insert(user);
  }
  return service_.collections_.Begin(id, *this, *std::move(candidates), std::move(others));
}

Status PageService::Client::HeldCandidates(uint32_t id, Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  const Result<std::vector<bool>> held = service_.collections_.Held(id, *this);
  if (!held.ok()) return held.status();
  PutFlags(out, *held);
  return Status::Ok();
}

}  // namespace tenure::stabilize
