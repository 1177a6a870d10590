#include "stabilize/remote_page_server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <deque>
#include <thread>

#include "stabilize/commit_check.h"
#include "stabilize/status_text.h"

namespace tenure::stabilize {

namespace {

// How long Outcome tries to reach a server that is being started again.
constexpr std::chrono::seconds kOutcomePatience(10);

Status BadAnswer() {
  return Status(StatusCode::kCorrupt, "the page server's answer is not one to the request");
}

}  // namespace

struct RemotePageServer::Connection {
  struct Callback {
    uint32_t remote;
    uint64_t page;
    bool to_read;
  };

  ~Connection() {
    lost = true;
    shutdown(socket, SHUT_RDWR);
    {
      const std::lock_guard guard(callback_lock);
      called.notify_all();
    }
    if (process == getpid()) {
      receiver.join();
      answerer.join();
    } else {  // a forked child has not got the threads
      receiver.detach();
      answerer.detach();
    }
    close(socket);
  }

  int socket = -1;
  const pid_t process = getpid();
  std::atomic<bool> lost{false};
  std::mutex send_lock;
  uint64_t last_number = 0;                 // with the server's lock, as is:
  std::unordered_map<uint64_t, Message> answers;
  std::mutex callback_lock;
  std::condition_variable called;
  std::deque<Callback> callbacks;
  std::thread receiver, answerer;
};

RemotePageServer::RemotePageServer(std::string directory) : directory_(std::move(directory)) {}

bool RemotePageServer::IsServed(const std::string& directory) {
  const int made = ConnectToStore(directory);
  if (made >= 0) close(made);
  return made >= 0;
}

Result<std::unique_ptr<RemotePageServer>> RemotePageServer::Connect(const std::string& directory) {
  std::unique_ptr<RemotePageServer> server(new RemotePageServer(directory));
  TN_RETURN_IF_ERROR(server->Reconnect());
  server->void_ = false;
  return server;
}

RemotePageServer::~RemotePageServer() { (void)Close(); }

Status RemotePageServer::Close() {
  {
    const std::lock_guard guard(lock_);
    if (closed_) return Status::Ok();
    closed_ = true;
  }
  connection_.reset();
  return Status::Ok();
}

// The caller is the only one that uses the server, or holds the session's lock.
Status RemotePageServer::Reconnect() {
  connection_.reset();
  const int made = ConnectToStore(directory_);
  if (made < 0) return SystemFailure(errno, "cannot reach the page server of " + directory_);
  timeval patience = {kAnswerSeconds, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Writer hello;
  hello.Put(kProtocolVersion);
  Message answer;
  if (!SendMessage(made, MessageKind::kHello, 0, hello.bytes()) ||
      !ReceiveMessage(made, &answer)) {
    close(made);
    return Failure(StatusCode::kIo, "the page server of " + directory_ + " does not answer");
  }
  Reader reader(answer.body);
  Status status = reader.GetStatus();
  const auto uuid = reader.Get<Uuid>();
  if (status.ok() && !reader.AtEnd()) status = BadAnswer();
  if (status.ok() && uuid_ != Uuid{} && uuid_ != uuid) {
    status = Failure(StatusCode::kIo, "the store at " + directory_ + " is another one now");
  }
  if (!status.ok()) {
    close(made);
    return status;
  }
  uuid_ = uuid;
  patience = {0, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  {
    const std::lock_guard guard(lock_);
    void_ = true;
    for (Opened& database : databases_) {
      database.held.clear();
      database.owed.clear();
    }
  }
  auto connection = std::make_unique<Connection>();
  connection->socket = made;
  // Signals are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  connection->receiver = std::thread(ReceiveAll, this, connection.get());
  connection->answerer = std::thread(AnswerCallbacks, this, connection.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  connection_ = std::move(connection);
  for (Opened& database : databases_) {
    if (!database.open) continue;
    Writer body;
    body.PutText(database.name);
    body.Put(OpenMode::kOpen);
    Result<Message> reply = Call(MessageKind::kOpenDatabase, body);
    if (!reply.ok()) return reply.status();
    Reader ids(reply->body);
    TN_RETURN_IF_ERROR(ids.GetStatus());
    database.remote = ids.Get<uint32_t>();
    database.max_page = std::max(database.max_page, ids.Get<uint64_t>());
    if (!ids.AtEnd()) return BadAnswer();
  }
  return Status::Ok();
}

void RemotePageServer::ReceiveAll(RemotePageServer* server, Connection* connection) {
  Message message;
  while (ReceiveMessage(connection->socket, &message)) {
    if (message.kind == MessageKind::kReply) {
      const std::lock_guard guard(server->lock_);
      // Nobody waits for others.
      const auto waiting = connection->answers.find(message.number);
      if (waiting != connection->answers.end()) waiting->second = std::move(message);
      server->answered_.notify_all();
    } else if (message.kind == MessageKind::kCallback) {
      Reader reader(message.body);
      Connection::Callback callback = {reader.Get<uint32_t>(), reader.Get<uint64_t>(), false};
      callback.to_read = reader.Get<uint8_t>() != 0;
      if (!reader.AtEnd()) break;
      const std::lock_guard guard(connection->callback_lock);
      connection->callbacks.push_back(callback);
      connection->called.notify_one();
    } else {
      break;
    }
  }
  connection->lost = true;
  shutdown(connection->socket, SHUT_RDWR);
  {
    const std::lock_guard guard(server->lock_);
    server->answered_.notify_all();
  }
  const std::lock_guard guard(connection->callback_lock);
  connection->called.notify_all();
}

void RemotePageServer::AnswerCallbacks(RemotePageServer* server, Connection* connection) {
  while (true) {
    Connection::Callback callback;
    {
      std::unique_lock guard(connection->callback_lock);
      connection->called.wait(
          guard, [&] { return connection->lost || !connection->callbacks.empty(); });
      if (connection->lost) return;
      callback = connection->callbacks.front();
      connection->callbacks.pop_front();
    }
    while (!connection->lost) {
      DatabaseId id{~0u};
      {
        const std::lock_guard guard(server->lock_);
        for (uint32_t i = 0; i < server->databases_.size(); ++i) {
          const Opened& opened = server->databases_[i];
          if (opened.open && opened.remote == callback.remote) id.index = i;
        }
        if (id.index != ~0u && server->in_transaction_) {
          // What was granted and has not arrived yet counts as well: it is not looked up.
          bool& drop = server->databases_[id.index].owed[callback.page];
          drop = drop || !callback.to_read;
          Writer body;
          body.Put(callback.remote);
          body.Put(callback.page);
          const std::lock_guard sending(connection->send_lock);
          if (!SendMessage(connection->socket, MessageKind::kBusy, 0, body.bytes())) return;
          break;
        }
      }
      auto answer = CallbackListener::Answer::kGivenUp;
      if (id.index != ~0u && server->listener_ != nullptr) {
        answer = server->listener_->CalledBack(*server, id, PageId{callback.page}, callback.to_read);
      }
      if (answer == CallbackListener::Answer::kGivenUp) {
        server->SendRelease(*connection, callback.remote, callback.page, callback.to_read);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

void RemotePageServer::SendRelease(Connection& connection, uint32_t remote, uint64_t page,
                                   bool keep_read) {
  const std::lock_guard guard(lock_);
  for (Opened& database : databases_) {
    if (!database.open || database.remote != remote) continue;
    const auto held = database.held.find(page);
    // What is not held cannot be kept.
    if (held == database.held.end()) {
      keep_read = false;
    } else if (keep_read) {
      held->second = false;
    } else {
      database.held.erase(held);
    }
  }
  Writer body;
  body.Put(remote);
  body.Put(page);
  body.Put(static_cast<uint8_t>(keep_read));
  const std::lock_guard sending(connection.send_lock);
  (void)SendMessage(connection.socket, MessageKind::kRelease, 0, body.bytes());
}

Status RemotePageServer::LostStatus() {
  const std::lock_guard guard(lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (in_transaction_) {
    return Status(StatusCode::kConflict, "the connection to the page server was lost");
  }
  return Failure(StatusCode::kIo, "the connection to the page server of " + directory_ +
                                      " was lost");
}

Result<Message> RemotePageServer::Call(MessageKind kind, const Writer& body, bool* sent) {
  if (sent != nullptr) *sent = false;
  Connection* const connection = connection_.get();
  if (connection == nullptr || connection->lost) return LostStatus();
  uint64_t number;
  {
    const std::lock_guard guard(lock_);
    number = ++connection->last_number;
    connection->answers[number];
  }
  {
    const std::lock_guard guard(connection->send_lock);
    if (sent != nullptr) *sent = true;
    if (!SendMessage(connection->socket, kind, number, body.bytes())) connection->lost = true;
  }
  std::unique_lock guard(lock_);
  Message& answer = connection->answers[number];
  // Until an answer comes its number is 0.
  answered_.wait(guard, [&] { return answer.number == number || connection->lost; });
  Message result = std::move(answer);
  connection->answers.erase(number);
  if (result.number != number) {
    guard.unlock();
    return LostStatus();
  }
  return result;
}

Status RemotePageServer::CallForStatus(MessageKind kind, const Writer& body) {
  Result<Message> reply = Call(kind, body);
  if (!reply.ok()) return reply.status();
  return Reader(reply->body).GetStatus();
}

Status RemotePageServer::CheckOpen(DatabaseId database) {
  const std::lock_guard guard(lock_);
  if (closed_) return Status(StatusCode::kClosed, "the store is closed");
  if (database.index >= databases_.size() || !databases_[database.index].open) {
    return Status(StatusCode::kInvalidArgument, "the database is not open");
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
  Writer body;
  body.PutText(name);
  body.Put(mode);
  Result<Message> reply = Call(MessageKind::kOpenDatabase, body);
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  Opened opened;
  opened.name = name;
  opened.remote = reader.Get<uint32_t>();
  opened.open = true;
  opened.max_page = reader.Get<uint64_t>();
  if (!reader.AtEnd()) return BadAnswer();
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
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  {
    const std::lock_guard guard(lock_);
    databases_[database.index].open = false;
    databases_[database.index].held.clear();
  }
  return CallForStatus(MessageKind::kCloseDatabase, body);
}

Result<std::vector<std::string>> RemotePageServer::ListDatabases() {
  Result<Message> reply = Call(MessageKind::kListDatabases, Writer());
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  std::vector<std::string> names(reader.GetCount(4));
  for (std::string& name : names) name = reader.GetText();
  if (!reader.AtEnd()) return BadAnswer();
  return names;
}

Result<DatabaseInfo> RemotePageServer::Info(DatabaseId database) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  Result<Message> reply = Call(MessageKind::kInfo, body);
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  DatabaseInfo info;
  info.name = reader.GetText();
  info.uuid = reader.Get<Uuid>();
  info.root.bits = reader.Get<uint64_t>();
  info.max_page.number = reader.Get<uint64_t>();
  info.pages = reader.Get<uint64_t>();
  if (!reader.AtEnd()) return BadAnswer();
  return info;
}

Result<PersistentRef> RemotePageServer::Root(DatabaseId database) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  Result<Message> reply = Call(MessageKind::kRoot, body);
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  const PersistentRef root{reader.Get<uint64_t>()};
  const auto max_page = reader.Get<uint64_t>();
  if (!reader.AtEnd()) return BadAnswer();
  NoteMaxPage(database, max_page);
  return root;
}

Result<PageId> RemotePageServer::MaxPage(DatabaseId database) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  const std::lock_guard guard(lock_);
  return PageId{databases_[database.index].max_page};
}

// --------------------------------------------------------------------------------------- pages --

Status RemotePageServer::Read(DatabaseId database, std::span<const PageId> pages,
                              std::span<PageReply> replies) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  for (size_t begin = 0; begin < pages.size(); begin += kReadPagesMax) {
    const size_t count = std::min(kReadPagesMax, pages.size() - begin);
    Writer body;
    body.Put(RemoteId(database));
    body.Put(transaction_);
    body.Put(static_cast<uint32_t>(count));
    for (const PageId page : pages.subspan(begin, count)) body.Put(page.number);
    Result<Message> reply = Call(MessageKind::kRead, body);
    if (!reply.ok()) return reply.status();
    Reader reader(reply->body);
    TN_RETURN_IF_ERROR(reader.GetStatus());
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
      ++statistics_.pages_read;
      statistics_.bytes_read += sizeof(PageRecord);
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
  if (wanted.empty()) return Status::Ok();
  Writer body;
  body.Put(RemoteId(database));
  body.Put(transaction_);
  body.Put(static_cast<uint32_t>(wanted.size()));
  for (const PageId page : wanted) body.Put(page.number);
  TN_RETURN_IF_ERROR(CallForStatus(kind, body));
  const std::lock_guard guard(lock_);
  for (const PageId page : wanted) {
    bool& writable = databases_[database.index].held[page.number];
    writable = writable || write;
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

Result<bool> RemotePageServer::StartTransaction() {
  if (connection_ == nullptr || connection_->lost) TN_RETURN_IF_ERROR(Reconnect());
  const std::lock_guard guard(lock_);
  in_transaction_ = true;
  ++transaction_;
  return std::exchange(void_, false);
}

void RemotePageServer::EndTransaction() {
  std::vector<std::pair<DatabaseId, std::map<uint64_t, bool>>> owed;
  {
    const std::lock_guard guard(lock_);
    in_transaction_ = false;
    for (uint32_t i = 0; i < databases_.size(); ++i) {
      owed.emplace_back(DatabaseId{i}, std::exchange(databases_[i].owed, {}));
    }
  }
  if (connection_ == nullptr || connection_->lost) return;
  for (const auto& [database, pages] : owed) {
    for (const auto& [page, drop] : pages) {
      if (listener_ != nullptr) (void)listener_->CalledBack(*this, database, PageId{page}, !drop);
      SendRelease(*connection_, RemoteId(database), page, !drop);
    }
  }
}

Result<PageRun> RemotePageServer::AllocatePages(DatabaseId database, uint64_t count) {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  body.Put(count);
  Result<Message> reply = Call(MessageKind::kAllocate, body);
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  const PageRun run{PageId{reader.Get<uint64_t>()}, count};
  if (!reader.AtEnd()) return BadAnswer();
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
  return CallForStatus(MessageKind::kReturnPages, body);
}

// -------------------------------------------------------------------------------------- commit --

CommitAnswer RemotePageServer::Commit(const CommitRequest& request) {
  Writer body;
  body.Put(request.id);
  body.Put(static_cast<uint32_t>(request.databases.size()));
  for (const DatabaseCommit& database : request.databases) {
    if (Status status = CheckOpen(database.database); !status.ok()) {
      return {CommitOutcome::kFailed, 0, status};
    }
    body.Put(RemoteId(database.database));
    body.Put(static_cast<uint8_t>(database.root.has_value()));
    body.Put(database.root.value_or(PersistentRef{}).bits);
    body.Put(static_cast<uint32_t>(database.pages.size()));
    for (const PageWrite& write : database.pages) {
      body.Put(write.page.number);
      body.Put(write.expected_version);
      body.Put(write.checksum);
      body.Put(write.run);
      body.Put(static_cast<uint8_t>(write.contents != nullptr));
      if (write.contents != nullptr) body.PutBytes({write.contents, abi::kPageBytes});
      body.Put(static_cast<uint32_t>(write.regions.size()));
      for (const ChangedRegion& region : write.regions) {
        body.Put(region.offset);
        body.Put(static_cast<uint32_t>(region.bytes.size()));
        body.PutBytes(region.bytes);
      }
    }
  }
  if (body.bytes().size() > kMessageBytesMax) {
    return {CommitOutcome::kFailed, 0,
            Status(StatusCode::kNoSpace, "the transaction is too large for one message")};
  }
  bool sent = false;
  Result<Message> reply = Call(MessageKind::kCommit, body, &sent);
  if (!reply.ok()) {
    return {sent ? CommitOutcome::kUnknown : CommitOutcome::kConflict, 0, reply.status()};
  }
  Reader reader(reply->body);
  CommitAnswer answer;
  answer.status = reader.GetStatus();
  answer.outcome = reader.Get<CommitOutcome>();
  answer.version = reader.Get<uint64_t>();
  const auto log_bytes = reader.Get<uint64_t>();
  if (!reader.AtEnd() || answer.outcome > CommitOutcome::kUnknown ||
      (answer.outcome == CommitOutcome::kCommitted) != answer.status.ok()) {
    return {CommitOutcome::kUnknown, 0, BadAnswer()};
  }
  if (answer.outcome != CommitOutcome::kCommitted) return answer;
  const std::lock_guard guard(lock_);
  ++statistics_.commits;
  statistics_.log_bytes += log_bytes;
  for (const DatabaseCommit& database : request.databases) {
    for (const PageWrite& write : database.pages) {
      ++(write.contents != nullptr ? statistics_.pages_written : statistics_.pages_changed);
      statistics_.bytes_written += BytesWritten(write);
    }
  }
  return answer;
}

Result<std::optional<uint64_t>> RemotePageServer::Outcome(CommitId id) {
  Writer body;
  body.Put(id);
  const auto end = std::chrono::steady_clock::now() + kOutcomePatience;
  while (true) {
    Status status;
    if (connection_ == nullptr || connection_->lost) status = Reconnect();
    if (status.ok()) {
      Result<Message> reply = Call(MessageKind::kOutcome, body);
      if (reply.ok()) {
        Reader reader(reply->body);
        TN_RETURN_IF_ERROR(reader.GetStatus());
        const bool happened = reader.Get<uint8_t>() != 0;
        const auto version = reader.Get<uint64_t>();
        if (!reader.AtEnd()) return BadAnswer();
        return happened ? std::optional<uint64_t>(version) : std::nullopt;
      }
      status = reply.status();
    }
    if (std::chrono::steady_clock::now() > end) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<std::vector<TypeEntry>> RemotePageServer::TypeEntries() {
  Result<Message> reply = Call(MessageKind::kTypeEntries, Writer());
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  std::vector<TypeEntry> entries(reader.GetCount(8));
  for (TypeEntry& entry : entries) {
    entry.index = reader.Get<uint32_t>();
    entry.description = reader.GetText();
  }
  if (!reader.AtEnd()) return BadAnswer();
  return entries;
}

Result<uint32_t> RemotePageServer::AddType(std::span<const std::byte> description) {
  Result<Message> reply = Call(MessageKind::kAddType, [&] {
    Writer body;
    body.PutBytes(description);
    return body;
  }());
  if (!reply.ok()) return reply.status();
  Reader reader(reply->body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  const auto index = reader.Get<uint32_t>();
  if (!reader.AtEnd()) return BadAnswer();
  return index;
}

}  // namespace tenure::stabilize
