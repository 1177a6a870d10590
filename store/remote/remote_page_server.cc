#include "store/remote/remote_page_server.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/remote/server_away.h"

namespace tenure::store {

namespace {

constexpr std::chrono::milliseconds kOpenAgain(200);
// Within this time the socket of a process that ends is closed.
constexpr std::chrono::seconds kGoneAfter(5);

}  // namespace

Status OnlyAlone(const char* what) {
  return Failure(StatusCode::kNotSupported,
                 std::string("the store is being served, and only of one that is not ") + what +
                     ": stop the server first");
}

RemotePageServer::RemotePageServer(std::string place, std::unique_ptr<ServerReach> reach)
    : directory_(std::move(place)),
      reach_(std::move(reach)),
      lifeline_(std::make_shared<Lifeline>()) {
  lifeline_->server = this;
  NoteConnected(this);
}

bool RemotePageServer::IsServed(const std::string& directory, int* error) {
  if (IsClusterStore(directory)) {
    if (error != nullptr) *error = 0;
    return true;
  }
  const int made = ConnectToStore(directory);
  if (error != nullptr) *error = made >= 0 ? 0 : errno;
  if (made >= 0) close(made);
  return made >= 0;
}

Result<std::unique_ptr<RemotePageServer>> RemotePageServer::Connect(const std::string& directory) {
  if (!IsClusterStore(directory)) return ConnectBy(directory, ReachDirectory(directory));
  TN_ASSIGN_OR_RETURN(std::unique_ptr<ServerReach> reach, ReachCluster(directory));
  return ConnectBy(directory, std::move(reach));
}

Result<bool> RemotePageServer::MayBeServed(const std::string& directory) {
  int error = 0;
  if (IsServed(directory, &error)) return true;
  if (error != EACCES) return false;
  return Failure(StatusCode::kPermission,
                 "store " + directory +
                     " is another user's: permission denied (its owner can share it with "
                     "tenure serve --group)",
                 EACCES);
}

Result<std::unique_ptr<RemotePageServer>> RemotePageServer::ConnectIfServed(
    const std::string& directory) {
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    TN_ASSIGN_OR_RETURN(const bool served, MayBeServed(directory));
    if (!served) return std::unique_ptr<RemotePageServer>();
    Result<std::unique_ptr<RemotePageServer>> server = Connect(directory);
    // A server that was killed still seems to be there for a moment.
    if (server.ok() || !IsAway(server.status()) || IsClusterStore(directory) ||
        std::chrono::steady_clock::now() - begin > kGoneAfter) {
      return server;
    }
    std::this_thread::sleep_for(kOpenAgain);
  }
}

Result<std::unique_ptr<RemotePageServer>> RemotePageServer::ConnectBy(
    std::string place, std::unique_ptr<ServerReach> reach) {
  TN_RETURN_IF_ERROR(CheckRandomSource());
  std::unique_ptr<RemotePageServer> server(
      new RemotePageServer(std::move(place), std::move(reach)));
  const auto begin = std::chrono::steady_clock::now();
  // The longest so far: once a node has answered, the place is right, even if none answers now.
  std::chrono::seconds patience(0);
  for (bool said = false;;) {
    const Status status = server->Reconnect();
    if (status.ok()) break;
    patience = std::max(patience, server->reach_->open_patience(status));
    const auto waited = std::chrono::steady_clock::now() - begin;
    if (!server->reach_->MayPass(status) || waited >= patience) return status;
    if (!said && waited > kSayWaitAfter) {
      said = true;
      SayThatItWaits("the program", server->directory_, patience);
    }
    std::this_thread::sleep_for(kOpenAgain);
  }
  server->void_ = false;
  return server;
}

RemotePageServer::~RemotePageServer() { (void)Close(); }

Status RemotePageServer::Close() {
  uint64_t ordered = 0;
  {
    const MutexLock guard(lock_);
    if (closed_) return Status(StatusCode::kClosed, "the store is closed");
    if (!commits_.undurable().empty()) ordered = commits_.undurable().rbegin()->first;
  }
  const Status durable = AwaitDurable(ordered);
  {
    const MutexLock guard(lock_);
    closed_ = true;
  }
  const MutexLock alive(lifeline_->lock);
  lifeline_->server = nullptr;
  // A forked child does not speak for its parent.
  if (connection_ != nullptr && connection_->is_own()) SendNotice(MessageKind::kBye);
  connection_.reset();
  session_file_.Close();
  NoteDisconnected(this);
  return durable;
}

Status RemotePageServer::CheckOpen(DatabaseId database) {
  const MutexLock guard(lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (database.index < databases_.size() && !databases_[database.index].gone.ok()) {
    return databases_[database.index].gone;
  }
  if (database.index >= databases_.size() || !databases_[database.index].open) {
    return Status(StatusCode::kClosed, "the database is not open");
  }
  return Status::Ok();
}

void RemotePageServer::NoteMaxPage(DatabaseId database, uint64_t max_page) {
  const MutexLock guard(lock_);
  uint64_t& known = databases_[database.index].max_page;
  known = std::max(known, max_page);
}

PageServerStatistics RemotePageServer::statistics() const {
  const MutexLock guard(lock_);
  return statistics_;
}

// --- databases ---

Result<DatabaseId> RemotePageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  Opened opened;
  opened.name = name;
  TN_ASSIGN_OR_RETURN(const uint32_t remote, OpenAtServer(opened, mode, /*again=*/false));
  return Add(std::move(opened), remote);
}

Result<DatabaseId> RemotePageServer::CreateDatabase(std::string_view name, const Uuid& uuid) {
  Opened opened;
  opened.name = name;
  opened.uuid = uuid;
  const Result<uint32_t> remote = OpenAtServer(opened, OpenMode::kCreate, /*again=*/false);
  if (remote.status().code() == StatusCode::kClosed) {
    return Failure(StatusCode::kNotSupported,
                   "the server is of an older tenure, which chooses the uuid of a database itself "
                   "(" +
                       std::string(remote.status().text()) + ")");
  }
  TN_RETURN_IF_ERROR(remote.status());
  return Add(std::move(opened), *remote);
}

DatabaseId RemotePageServer::Add(Opened opened, uint32_t remote) {
  opened.remote = remote;
  opened.open = true;
  const MutexLock guard(lock_);
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i].open && databases_[i].name == opened.name) return DatabaseId{i};
  }
  databases_.push_back(std::move(opened));
  return DatabaseId{static_cast<uint32_t>(databases_.size() - 1)};
}

Status RemotePageServer::DeleteDatabase(std::string_view name) {
  Writer body;
  body.PutText(name);
  return CallForStatus(MessageKind::kDeleteDatabase, body);
}

Status RemotePageServer::CloseDatabase(DatabaseId database) {
  {
    const MutexLock guard(lock_);
    if (database.index < databases_.size() && !databases_[database.index].gone.ok()) {
      // The server does not have it open.
      databases_[database.index].gone = Status::Ok();
      return Status::Ok();
    }
  }
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  {
    const MutexLock guard(lock_);
    databases_[database.index].open = false;
    databases_[database.index].pages.Forget();
  }
  Result<Message> reply = Call(MessageKind::kCloseDatabase, body);
  // With the connection the server has closed it, too.
  return reply.ok() ? Reader(reply->body).GetStatus() : Status::Ok();
}

Result<std::vector<std::string>> RemotePageServer::ListDatabases() {
  return Ask(MessageKind::kListDatabases, Writer(), [](Reader& reader) {
    std::vector<std::string> names(reader.GetCount(4));
    for (std::string& name : names) name = reader.GetText();
    return names;
  });
}

Result<DatabaseInfo> RemotePageServer::Info(DatabaseId database) {
  return AskAbout(database, MessageKind::kInfo, [](Reader& reader) {
    DatabaseInfo info;
    info.name = reader.GetText();
    info.uuid = reader.Get<Uuid>();
    info.root.bits = reader.Get<uint64_t>();
    info.max_page.number = reader.Get<uint64_t>();
    info.pages = reader.Get<uint64_t>();
    return info;
  });
}

Result<Uuid> RemotePageServer::DatabaseUuid(DatabaseId database) {
  return AskAbout(database, MessageKind::kDatabaseUuid,
                  [](Reader& reader) { return reader.Get<Uuid>(); });
}

Result<DatabaseId> RemotePageServer::CreateReplacement(std::string_view, const Uuid*) {
  return OnlyAlone("a database can be rewritten");
}

Status RemotePageServer::CloseReplacing(std::span<const DatabaseId>) {
  return OnlyAlone("a database can be rewritten");
}

Result<std::vector<ImportEntry>> RemotePageServer::Imports(DatabaseId database) {
  return AskAbout(database, MessageKind::kImports, GetImports);
}

Result<std::vector<ExportEntry>> RemotePageServer::Exports(DatabaseId database) {
  return AskAbout(database, MessageKind::kExports, GetExports);
}

Result<PersistentRef> RemotePageServer::Root(DatabaseId database) {
  struct Answer {
    PersistentRef root;
    uint64_t max_page;
  };
  TN_ASSIGN_OR_RETURN(
      const Answer answer, AskAbout(database, MessageKind::kRoot, [](Reader& reader) {
        return Answer{PersistentRef{reader.Get<uint64_t>()}, reader.Get<uint64_t>()};
      }));
  NoteMaxPage(database, answer.max_page);
  return answer.root;
}

Result<PageId> RemotePageServer::MaxPage(DatabaseId database) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  const MutexLock guard(lock_);
  return PageId{databases_[database.index].max_page};
}

// --- pages ---

DatabaseId RemotePageServer::OpenWithRemoteId(uint32_t remote) const {
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i].open && databases_[i].remote == remote) return DatabaseId{i};
  }
  return DatabaseId{~0u};
}

Writer RemotePageServer::WantBody(DatabaseId database, uint64_t transaction,
                                  std::span<const PageId> pages, bool bounded, bool read_to_write) {
  Writer body;
  body.Put(RemoteId(database));
  body.Put(transaction);
  body.Put(static_cast<uint8_t>((bounded ? kWaitIsBounded : 0) | (GivesWay() ? kWaitGivesWay : 0) |
                                (read_to_write ? kReadToWrite : 0)));
  body.Put(static_cast<uint32_t>(pages.size()));
  for (const PageId page : pages) body.Put(page.number);
  return body;
}

// Asks early for permission to write a page that other programs want as well and that the last
// transaction has written. Otherwise two programs might read the page and then both want to write
// it, and one would be a deadlock's victim.
Status RemotePageServer::WantWhatWillBeWritten(DatabaseId database, PageId page) {
  {
    const MutexLock guard(lock_);
    if (!in_transaction_ || !databases_[database.index].pages.WasWrittenLast(page)) {
      return Status::Ok();
    }
  }
  return WantWrite(database, std::span(&page, 1));
}

RemotePageServer::Need::Need(RemotePageServer& server, MutexLock& guard, DatabaseId database,
                             std::span<const PageId> pages)
    : server_(server), database_(database), pages_(pages) {
  for (const PageId page : pages) {
    // Databases may be added during the wait, so the entry may move.
    server.answered_.wait(guard, [&]() TN_REQUIRES(server.lock_) {
      return !server.databases_[database.index].pages.IsOnTheWay(page);
    });
    server.databases_[database.index].pages.BeginNeed(page);
  }
}

RemotePageServer::Need::~Need() {
  const MutexLock guard(server_.lock_);
  for (const PageId page : pages_) server_.databases_[database_.index].pages.EndNeed(page);
}

Result<RemotePageServer::PagesAnswer> RemotePageServer::AskForPages(DatabaseId database,
                                                                    std::span<const PageId> pages,
                                                                    bool to_write) {
  PagesAnswer answer;
  TN_ASSIGN_OR_RETURN(answer.message,
                      Call(MessageKind::kRead, WantBody(database, transaction_, pages,
                                                        ConnectedServers() > 1, to_write)));
  Reader reader(answer.message.body);
  if (const Status status = reader.GetStatus(); !status.ok()) {
    // The server waits for permission for the first page only.
    if (status.code() == StatusCode::kConflict) {
      NoteConflict(to_write ? MessageKind::kWantWrite : MessageKind::kWantRead, database,
                   pages.first(1));
    }
    return status;
  }
  const auto max_page = reader.Get<uint64_t>();
  answer.pages.reserve(pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    const Status status = reader.GetStatus();
    answer.pages.push_back({status, {}});
    if (status.ok()) answer.pages.back().record = reader.GetBytes(sizeof(PageRecord));
    if (!reader.ok()) return BadAnswer();
  }
  if (!reader.AtEnd()) return BadAnswer();
  NoteMaxPage(database, max_page);
  return answer;
}

void RemotePageServer::TakeAnswer(DatabaseId database, PageId page, const PagesAnswer::Page& answer,
                                  PageReply& reply, bool to_write) {
  reply.status = answer.status;
  if (!reply.status.ok()) return;
  std::memcpy(&reply.record, answer.record.data(), sizeof(PageRecord));
  reply.status = CheckPageRecord(page, reply.record);
  if (!reply.status.ok()) return;
  const MutexLock guard(lock_);
  HeldPages& held = databases_[database.index].pages;
  if (to_write) {
    held.NoteGrantedToWrite(page, reply.record.version);
  } else {
    held.NoteGranted(page, false);
    if (in_transaction_) held.NoteUsed(page, reply.record, contention_ > 0);
  }
  commits_.NoteVersion(reply.record.version);
  ++statistics_.pages_read;
  statistics_.bytes_read += kPageRecordBytes;
}

Status RemotePageServer::Read(DatabaseId database, std::span<const PageId> pages,
                              std::span<PageReply> replies) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  if (!pages.empty()) TN_RETURN_IF_ERROR(WantWhatWillBeWritten(database, pages[0]));
  MutexLock needing(lock_);
  const Need need(*this, needing, database, pages);
  needing.unlock();
  for (size_t begin = 0; begin < pages.size(); begin += kReadPagesMax) {
    const auto some = pages.subspan(begin, std::min(kReadPagesMax, pages.size() - begin));
    TN_ASSIGN_OR_RETURN(const PagesAnswer answer, AskForPages(database, some));
    for (size_t i = 0; i < some.size(); ++i) {
      TakeAnswer(database, some[i], answer.pages[i], replies[begin + i]);
    }
  }
  const MutexLock guard(lock_);
  ++statistics_.read_calls;
  return Status::Ok();
}

std::vector<PageId> RemotePageServer::WithNeighbours(DatabaseId database, PageId page,
                                                     const std::function<bool(PageId)>& may_come) {
  std::vector<PageId> pages = {page};
  PageRun run;
  {
    const MutexLock guard(lock_);
    Opened& opened = databases_[database.index];
    run = opened.pages.Around(page, PageId{opened.max_page});
  }
  for (PageId near = run.first; near < run.first + run.pages; near = near + 1) {
    if (near.valid() && near != page && may_come(near)) pages.push_back(near);
  }
  const MutexLock guard(lock_);
  databases_[database.index].pages.BeginNeighbours(pages);
  return pages;
}

void RemotePageServer::KeepNeighbours(DatabaseId database, std::span<const PageId> pages,
                                      std::span<const PagesAnswer::Page> answers) {
  const MutexLock guard(lock_);
  Opened& opened = databases_[database.index];
  opened.pages.EndNeighbours(pages);
  answered_.notify_all();
  for (size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].status.ok()) continue;
    ++statistics_.pages_read;
    ++statistics_.pages_prefetched;
    statistics_.bytes_read += kPageRecordBytes;
    if (!opened.pages.KeepNeighbour(pages[i], answers[i].record)) {
      SendReleaseLocked(*connection_, opened.remote, pages[i], /*keep_read=*/false);
      continue;
    }
    DropSurplus(opened);
  }
}

void RemotePageServer::DropSurplus(Opened& database) {
  for (const PageId page : database.pages.DropSurplus()) {
    SendReleaseLocked(*connection_, database.remote, page, /*keep_read=*/false, /*wanted=*/false);
  }
}

Status RemotePageServer::ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                                     const std::function<bool(PageId)>& may_come) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  TN_RETURN_IF_ERROR(WantWhatWillBeWritten(database, page));
  MutexLock guard(lock_);
  const Need need(*this, guard, database, std::span(&page, 1));
  ++statistics_.read_calls;
  HeldPages& held = databases_[database.index].pages;
  const bool kept = held.Touch(page, &reply.record);
  if (kept) {
    if (in_transaction_) held.NoteUsed(page, reply.record, contention_ > 0);
    ++statistics_.pages_prefetched_used;
    commits_.NoteVersion(reply.record.version);
  }
  const bool to_write = in_transaction_ && held.WillBeWritten(page);
  guard.unlock();
  if (kept) {
    reply.status = CheckPageRecord(page, reply.record);
    return Status::Ok();
  }
  // Pages near one that wanders probably do so as well.
  const std::vector<PageId> pages =
      to_write ? std::vector<PageId>{page} : WithNeighbours(database, page, may_come);
  const Result<PagesAnswer> answer = AskForPages(database, pages, to_write);
  const auto neighbours = std::span(pages).subspan(1);
  if (!answer.ok()) {
    KeepNeighbours(database, neighbours, {});
    return answer.status();
  }
  TakeAnswer(database, page, answer->pages[0], reply, to_write);
  KeepNeighbours(database, neighbours, std::span(answer->pages).subspan(1));
  return Status::Ok();
}

Status RemotePageServer::Want(MessageKind kind, DatabaseId database, std::span<const PageId> pages,
                              bool write) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  MutexLock needing(lock_);
  const Need need(*this, needing, database, pages);
  const std::vector<PageId> wanted = databases_[database.index].pages.NotHeld(pages, write);
  needing.unlock();
  for (size_t begin = 0; begin < wanted.size(); begin += kReadPagesMax) {
    const auto some =
        std::span(wanted).subspan(begin, std::min(kReadPagesMax, wanted.size() - begin));
    const Status status =
        CallForStatus(kind, WantBody(database, transaction_, some, ConnectedServers() > 1));
    if (status.code() == StatusCode::kConflict) NoteConflict(kind, database, some);
    TN_RETURN_IF_ERROR(status);
    const MutexLock guard(lock_);
    for (const PageId page : some) databases_[database.index].pages.NoteGranted(page, write);
  }
  return Status::Ok();
}

Status RemotePageServer::WantRead(DatabaseId database, std::span<const PageId> pages) {
  return Want(MessageKind::kWantRead, database, pages, false);
}

Status RemotePageServer::WantWrite(DatabaseId database, std::span<const PageId> pages) {
  return Want(MessageKind::kWantWrite, database, pages, true);
}

Status RemotePageServer::Release(DatabaseId database, std::span<const PageId> pages) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  if (connection_ == nullptr || connection_->lost()) return Status::Ok();
  for (const PageId page : pages) {
    SendRelease(*connection_, RemoteId(database), page, /*keep_read=*/false, /*wanted=*/false);
  }
  return Status::Ok();
}

Status RemotePageServer::OfferCandidates(DatabaseId database,
                                         std::span<const Candidate> candidates) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  PutCandidates(body, candidates);
  return CallForStatus(MessageKind::kOfferCandidates, body);
}

Result<std::vector<bool>> RemotePageServer::HeldCandidates(DatabaseId database) {
  return AskAbout(database, MessageKind::kHeldCandidates, GetFlags);
}

Result<PageRun> RemotePageServer::AllocatePages(DatabaseId database, uint64_t count) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  body.Put(count);
  {
    const MutexLock guard(lock_);
    databases_[database.index].pages.BeginAllocation();
  }
  const Result<uint64_t> first =
      Ask(MessageKind::kAllocate, body, [](Reader& reader) { return reader.Get<uint64_t>(); });
  if (first.ok()) NoteMaxPage(database, *first + count - 1);
  const MutexLock guard(lock_);
  databases_[database.index].pages.EndAllocation(first.ok() ? PageRun{PageId{*first}, count}
                                                            : PageRun{});
  if (!first.ok()) return first.status();
  return PageRun{PageId{*first}, count};
}

Status RemotePageServer::ReturnPages(DatabaseId database, PageRun run) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  body.Put(run.first.number);
  body.Put(run.pages);
  {
    const MutexLock guard(lock_);
    databases_[database.index].pages.Return(run);
  }
  return CallForStatus(MessageKind::kReturnPages, body);
}

Result<std::vector<TypeEntry>> RemotePageServer::TypeEntries() {
  return Ask(MessageKind::kTypeEntries, Writer(), [](Reader& reader) {
    std::vector<TypeEntry> entries(reader.GetCount(8));
    for (TypeEntry& entry : entries) {
      entry.index = reader.Get<uint32_t>();
      entry.description = reader.GetText();
    }
    return entries;
  });
}

Result<uint32_t> RemotePageServer::AddType(std::span<const std::byte> description) {
  Writer body;
  body.PutBytes(description);
  return Ask(MessageKind::kAddType, body, [](Reader& reader) { return reader.Get<uint32_t>(); });
}

}  // namespace tenure::store
