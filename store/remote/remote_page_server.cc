#include "store/remote/remote_page_server.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "store/format/random_source.h"
#include "store/format/status_text.h"
#include "store/remote/remote_connection.h"

namespace tenure::store {

Status BadAnswer() {
  return Status(StatusCode::kCorrupt, "the page server's answer is not one to the request");
}

Status OnlyAlone(const char* what) {
  return Failure(StatusCode::kNotSupported,
                 std::string("the store is being served, and only of one that is not ") + what +
                     ": stop the server first");
}

RemotePageServer::RemotePageServer(std::string directory)
    : directory_(std::move(directory)), lifeline_(std::make_shared<Lifeline>()) {
  lifeline_->server = this;
  NoteConnected(this);
}

bool RemotePageServer::IsServed(const std::string& directory, int* error) {
  const int made = ConnectToStore(directory);
  if (error != nullptr) *error = made >= 0 ? 0 : errno;
  if (made >= 0) close(made);
  return made >= 0;
}

Result<std::unique_ptr<RemotePageServer>> RemotePageServer::Connect(const std::string& directory) {
  TN_RETURN_IF_ERROR(CheckRandomSource());
  std::unique_ptr<RemotePageServer> server(new RemotePageServer(directory));
  TN_RETURN_IF_ERROR(server->Reconnect());
  server->void_ = false;
  return server;
}

RemotePageServer::~RemotePageServer() { (void)Close(); }

Status RemotePageServer::Close() {
  {
    const std::lock_guard guard(lock_);
    if (closed_) return Status(StatusCode::kClosed, "the store is closed");
    closed_ = true;
  }
  const std::lock_guard alive(lifeline_->lock);
  lifeline_->server = nullptr;
  connection_.reset();
  if (session_file_ >= 0) CloseSocket(std::exchange(session_file_, -1));
  NoteDisconnected(this);
  return Status::Ok();
}

Status RemotePageServer::CheckOpen(DatabaseId database) {
  const std::lock_guard guard(lock_);
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
  const std::lock_guard guard(lock_);
  uint64_t& known = databases_[database.index].max_page;
  known = std::max(known, max_page);
}

PageServerStatistics RemotePageServer::statistics() const {
  const std::lock_guard guard(lock_);
  return statistics_;
}

// ----------------------------------------------------------------------------------- databases --

Result<DatabaseId> RemotePageServer::OpenDatabase(std::string_view name, OpenMode mode) {
  Opened opened;
  opened.name = name;
  TN_ASSIGN_OR_RETURN(const uint32_t remote, OpenAtServer(opened, mode, /*again=*/false));
  opened.remote = remote;
  opened.open = true;
  const std::lock_guard guard(lock_);
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i].open && databases_[i].name == name) return DatabaseId{i};
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
    const std::lock_guard guard(lock_);
    if (database.index < databases_.size() && !databases_[database.index].gone.ok()) {
      // The server has not got it open.
      databases_[database.index].gone = Status::Ok();
      return Status::Ok();
    }
  }
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  {
    const std::lock_guard guard(lock_);
    databases_[database.index].open = false;
    databases_[database.index].held.clear();
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
  const std::lock_guard guard(lock_);
  return PageId{databases_[database.index].max_page};
}

// --------------------------------------------------------------------------------------- pages --

DatabaseId RemotePageServer::OpenWithRemoteId(uint32_t remote) const {
  for (uint32_t i = 0; i < databases_.size(); ++i) {
    if (databases_[i].open && databases_[i].remote == remote) return DatabaseId{i};
  }
  return DatabaseId{~0u};
}

Writer RemotePageServer::WantBody(DatabaseId database, uint64_t transaction,
                                  std::span<const PageId> pages, bool bounded) {
  Writer body;
  body.Put(RemoteId(database));
  body.Put(transaction);
  body.Put(static_cast<uint8_t>(bounded));
  body.Put(static_cast<uint32_t>(pages.size()));
  for (const PageId page : pages) body.Put(page.number);
  return body;
}

Status RemotePageServer::Read(DatabaseId database, std::span<const PageId> pages,
                              std::span<PageReply> replies) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  // What others want as well, and the last transaction has written: of two that both have it for
  // reading, and then want to write it, one would be the victim.
  const bool will_write = [&] {
    const std::lock_guard guard(lock_);
    const auto& contended = databases_[database.index].contended;
    const auto found = pages.empty() ? contended.end() : contended.find(pages[0].number);
    return in_transaction_ && found != contended.end() && found->second.written &&
           found->second.transactions > 0;
  }();
  if (will_write) TN_RETURN_IF_ERROR(WantWrite(database, pages.first(1)));
  for (size_t begin = 0; begin < pages.size(); begin += kReadPagesMax) {
    const size_t count = std::min(kReadPagesMax, pages.size() - begin);
    const auto some = pages.subspan(begin, count);
    TN_ASSIGN_OR_RETURN(
        Message reply,
        Call(MessageKind::kRead, WantBody(database, transaction_, some, ConnectedServers() > 1)));
    Reader reader(reply.body);
    if (const Status status = reader.GetStatus(); !status.ok()) {
      // It waits for the first only.
      if (status.code() == StatusCode::kConflict) {
        NoteConflict(MessageKind::kWantRead, database, some.first(1));
      }
      return status;
    }
    const auto max_page = reader.Get<uint64_t>();
    for (size_t i = begin; i < begin + count; ++i) {
      replies[i].status = reader.GetStatus();
      if (!replies[i].status.ok()) continue;
      const std::span<const std::byte> record = reader.GetBytes(sizeof(PageRecord));
      if (!reader.ok()) return BadAnswer();
      std::memcpy(&replies[i].record, record.data(), sizeof(PageRecord));
      replies[i].status = CheckPageRecord(pages[i], replies[i].record);
    }
    if (!reader.AtEnd()) return BadAnswer();
    NoteMaxPage(database, max_page);
    const std::lock_guard guard(lock_);
    for (size_t i = begin; i < begin + count; ++i) {
      if (!replies[i].status.ok()) continue;
      databases_[database.index].held.try_emplace(pages[i].number, false);
      seen_version_ = std::max(seen_version_, replies[i].record.version);
      ++statistics_.pages_read;
      statistics_.bytes_read += kPageRecordBytes;
    }
  }
  const std::lock_guard guard(lock_);
  ++statistics_.read_calls;
  return Status::Ok();
}

Status RemotePageServer::Want(MessageKind kind, DatabaseId database, std::span<const PageId> pages,
                              bool write) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  std::vector<PageId> wanted;
  {
    const std::lock_guard guard(lock_);
    const auto& held = databases_[database.index].held;
    for (const PageId page : pages) {
      const auto found = held.find(page.number);
      if (found == held.end() || (write && !found->second)) wanted.push_back(page);
    }
  }
  for (size_t begin = 0; begin < wanted.size(); begin += kReadPagesMax) {
    const auto some =
        std::span(wanted).subspan(begin, std::min(kReadPagesMax, wanted.size() - begin));
    const Status status =
        CallForStatus(kind, WantBody(database, transaction_, some, ConnectedServers() > 1));
    if (status.code() == StatusCode::kConflict) NoteConflict(kind, database, some);
    TN_RETURN_IF_ERROR(status);
    const std::lock_guard guard(lock_);
    for (const PageId page : some) {
      bool& writable = databases_[database.index].held[page.number];
      writable = writable || write;
    }
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
  if (connection_ == nullptr || connection_->lost) return Status::Ok();
  for (const PageId page : pages) {
    SendRelease(*connection_, RemoteId(database), page.number, /*keep_read=*/false);
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
  TN_ASSIGN_OR_RETURN(const uint64_t first, Ask(MessageKind::kAllocate, body, [](Reader& reader) {
                        return reader.Get<uint64_t>();
                      }));
  const PageRun run{PageId{first}, count};
  NoteMaxPage(database, run.first.number + count - 1);
  const std::lock_guard guard(lock_);
  for (uint64_t i = 0; i < count; ++i) {
    databases_[database.index].held[run.first.number + i] = true;
  }
  return run;
}

Status RemotePageServer::ReturnPages(DatabaseId database, PageRun run) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  body.Put(run.first.number);
  body.Put(run.pages);
  {
    const std::lock_guard guard(lock_);
    for (uint64_t i = 0; i < run.pages && !databases_[database.index].held.empty(); ++i) {
      databases_[database.index].held.erase(run.first.number + i);
    }
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
