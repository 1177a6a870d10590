#include "stabilize/page_service.h"

#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "stabilize/server_protocol.h"

namespace tenure::stabilize {

namespace {

// Requests of one client that wait for an earlier one; programs send one per thread.
constexpr size_t kQueueMax = 1024;
constexpr uint64_t kAllocateMax = 1 << 20;

Status BadRequest() { return Status(StatusCode::kInvalidArgument, "the request makes no sense"); }

}  // namespace

// One connection. A thread receives, so that answers to callbacks are heard while a request waits
// for a permission; another carries out the requests in order.
class PageService::Client final : public PermissionClient {
 public:
  Client(PageService& service, int socket) : service_(service), socket_(socket) {
    const timeval patience = {kAnswerSeconds, 0};
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }

  void Run() {
    std::thread worker([this] { Work(); });
    Message message;
    while (ReceiveMessage(socket_, &message) && Accept(message)) {
    }
    CutOff();
    service_.permissions_.Stop(*this);
    {
      const std::lock_guard guard(queue_lock_);
      ended_ = true;
      queued_.notify_all();
    }
    worker.join();
    service_.permissions_.Forget(*this);
    ReturnAllocated();
    for (const uint32_t id : open_) LeaveDatabase(id);
  }

  bool SendCallback(uint32_t database, uint64_t page, bool to_read) override {
    Writer body;
    body.Put(database);
    body.Put(page);
    body.Put(static_cast<uint8_t>(to_read));
    const std::unique_lock guard(send_lock_, std::try_to_lock);
    if (!guard.owns_lock()) return false;
    bool sent_nothing = false;
    const bool sent = SendMessage(socket_, MessageKind::kCallback, 0, body.bytes(),
                                  /*wait=*/false, &sent_nothing);
    if (!sent && !sent_nothing) CutOff();
    return sent;
  }
  void CutOff() override { shutdown(socket_, SHUT_RDWR); }

 private:
  // False: the client does not keep to the protocol.
  bool Accept(Message& message) {
    if (message.kind == MessageKind::kRelease || message.kind == MessageKind::kBusy) {
      Reader reader(message.body);
      const auto database = reader.Get<uint32_t>();
      const auto page = reader.Get<uint64_t>();
      if (message.kind == MessageKind::kBusy) {
        if (!reader.AtEnd()) return false;
        service_.permissions_.Busy(*this, {database, page});
      } else {
        const auto keep = reader.Get<uint8_t>();
        if (!reader.AtEnd()) return false;
        service_.permissions_.Release(*this, {database, page}, keep != 0);
      }
      return true;
    }
    if (message.kind == MessageKind::kPing) {
      const std::unique_lock guard(send_lock_, std::try_to_lock);
      // Else something is being sent to it, which is as good.
      return !guard.owns_lock() || SendMessage(socket_, MessageKind::kPong, 0, {});
    }
    if (message.kind == MessageKind::kPong) return false;
    if (message.kind == MessageKind::kReply || message.kind == MessageKind::kCallback) return false;
    const std::lock_guard guard(queue_lock_);
    if (queue_.size() >= kQueueMax) return false;
    queue_.push_back(std::move(message));
    queued_.notify_one();
    return true;
  }

  // Page ids that a program got and did not use are for others.
  void ReturnAllocated() {
    for (auto it = allocated_.begin(); it != allocated_.end();) {
      const auto [id, first] = *it;
      uint64_t pages = 0;
      for (; it != allocated_.end() && it->first == id && it->second == first + pages; ++it)
        ++pages;
      // What the store does not take back is lost until it is opened again.
      (void)service_.store_.ReturnPages(DatabaseId{id}, {PageId{first}, pages});
    }
    allocated_.clear();
  }

  void Work() {
    while (true) {
      Message request;
      {
        std::unique_lock guard(queue_lock_);
        queued_.wait(guard, [&] { return ended_ || !queue_.empty(); });
        if (ended_) return;
        request = std::move(queue_.front());
        queue_.pop_front();
      }
      Writer rest;
      Reader reader(request.body);
      const Status status = Answer(request.kind, reader, rest);
      Writer reply;
      reply.PutStatus(status);
      if (status.ok() || request.kind == MessageKind::kCommit) reply.PutBytes(rest.bytes());
      const std::lock_guard guard(send_lock_);
      if (!SendMessage(socket_, MessageKind::kReply, request.number, reply.bytes())) CutOff();
    }
  }

  Status Answer(MessageKind kind, Reader& in, Writer& out) {
    if (kind == MessageKind::kHello) {
      const auto version = in.Get<uint32_t>();
      if (!in.AtEnd()) return BadRequest();
      if (version != kProtocolVersion) {
        return Status(StatusCode::kFormat, "the page server speaks another version of the protocol",
                      kProtocolVersion);
      }
      greeted_ = true;
      out.Put(service_.store_.store_uuid());
      return Status::Ok();
    }
    if (!greeted_) return BadRequest();
    switch (kind) {
      case MessageKind::kOpenDatabase: return OpenDatabase(in, out);
      case MessageKind::kDeleteDatabase: return DeleteDatabase(in);
      case MessageKind::kListDatabases: return ListDatabases(in, out);
      case MessageKind::kTypeEntries: return TypeEntries(in, out);
      case MessageKind::kAddType: return AddType(in, out);
      case MessageKind::kOutcome: return Outcome(in, out);
      case MessageKind::kCommit: return Commit(in, out);
      case MessageKind::kDecided: return Decided(in, out);
      case MessageKind::kAcknowledge: return Acknowledge(in);
      default: break;
    }
    const auto id = in.Get<uint32_t>();
    if (!in.ok() || !open_.contains(id)) return BadRequest();
    switch (kind) {
      case MessageKind::kCloseDatabase:
        if (!in.AtEnd()) return BadRequest();
        open_.erase(id);
        service_.permissions_.Forget(*this, id);
        LeaveDatabase(id);
        return Status::Ok();
      case MessageKind::kInfo: return Info(id, in, out);
      case MessageKind::kRoot: return Root(id, in, out);
      case MessageKind::kDatabaseUuid: return Uuid(id, in, out);
      case MessageKind::kImports: return Imports(id, in, out);
      case MessageKind::kExports: return Exports(id, in, out);
      case MessageKind::kRead: return Read(id, in, out);
      case MessageKind::kWantRead: return Want(id, in, false);
      case MessageKind::kWantWrite: return Want(id, in, true);
      case MessageKind::kAllocate: return Allocate(id, in, out);
      case MessageKind::kReturnPages: return ReturnPages(id, in);
      default: return BadRequest();
    }
  }

  Status OpenDatabase(Reader& in, Writer& out) {
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
    if (open_.insert(id->index).second) ++state.users;
    out.Put(id->index);
    out.Put(max_page->number);
    return Status::Ok();
  }

  void LeaveDatabase(uint32_t id) {
    const std::lock_guard guard(service_.databases_lock_);
    // It stays open at the store: the next user finds it warm.
    --service_.databases_[id].users;
  }

  Status DeleteDatabase(Reader& in) {
    const std::string name = in.GetText();
    if (!in.AtEnd()) return BadRequest();
    const std::lock_guard guard(service_.databases_lock_);
    for (auto it = service_.databases_.begin(); it != service_.databases_.end(); ++it) {
      if (it->second.name != name) continue;
      if (it->second.users > 0) {
        return Status(StatusCode::kInUse, "the database is open in a program");
      }
      TN_RETURN_IF_ERROR(service_.store_.CloseDatabase(DatabaseId{it->first}));
      service_.databases_.erase(it);
      break;
    }
    return service_.store_.DeleteDatabase(name);
  }

  Status ListDatabases(Reader& in, Writer& out) {
    if (!in.AtEnd()) return BadRequest();
    const Result<std::vector<std::string>> names = service_.store_.ListDatabases();
    if (!names.ok()) return names.status();
    out.Put(static_cast<uint32_t>(names->size()));
    for (const std::string& name : *names) out.PutText(name);
    return Status::Ok();
  }

  Status TypeEntries(Reader& in, Writer& out) {
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

  Status AddType(Reader& in, Writer& out) {
    std::vector<std::byte> description;
    while (!in.AtEnd()) description.push_back(in.Get<std::byte>());
    const Result<uint32_t> index = service_.store_.AddType(description);
    if (!index.ok()) return index.status();
    out.Put(*index);
    return Status::Ok();
  }

  Status Info(uint32_t id, Reader& in, Writer& out) {
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

  Status Uuid(uint32_t id, Reader& in, Writer& out) {
    if (!in.AtEnd()) return BadRequest();
    const auto uuid = service_.store_.DatabaseUuid(DatabaseId{id});
    if (!uuid.ok()) return uuid.status();
    out.Put(*uuid);
    return Status::Ok();
  }

  Status Imports(uint32_t id, Reader& in, Writer& out) {
    if (!in.AtEnd()) return BadRequest();
    const Result<std::vector<ImportEntry>> imports = service_.store_.Imports(DatabaseId{id});
    if (!imports.ok()) return imports.status();
    PutImports(out, *imports);
    return Status::Ok();
  }

  Status Exports(uint32_t id, Reader& in, Writer& out) {
    if (!in.AtEnd()) return BadRequest();
    const Result<std::vector<PersistentRef>> exports = service_.store_.Exports(DatabaseId{id});
    if (!exports.ok()) return exports.status();
    PutExports(out, *exports);
    return Status::Ok();
  }

  Status Decided(Reader& in, Writer& out) {
    const auto id = in.Get<CommitId>();
    if (!in.AtEnd()) return BadRequest();
    const Result<bool> decided = service_.store_.Decided(id);
    if (!decided.ok()) return decided.status();
    out.Put(static_cast<uint8_t>(*decided));
    return Status::Ok();
  }

  Status Acknowledge(Reader& in) {
    const auto id = in.Get<CommitId>();
    const auto participant = in.Get<stabilize::Uuid>();
    if (!in.AtEnd()) return BadRequest();
    return service_.store_.Acknowledge(id, participant);
  }

  Status Root(uint32_t id, Reader& in, Writer& out) {
    if (!in.AtEnd()) return BadRequest();
    const Result<PersistentRef> root = service_.store_.Root(DatabaseId{id});
    if (!root.ok()) return root.status();
    const Result<PageId> max_page = service_.store_.MaxPage(DatabaseId{id});
    if (!max_page.ok()) return max_page.status();
    out.Put(root->bits);
    out.Put(max_page->number);
    return Status::Ok();
  }

  bool GetPages(Reader& in, uint64_t* transaction, std::vector<PageId>* pages) {
    *transaction = in.Get<uint64_t>();
    pages->resize(in.GetCount(8));
    for (PageId& page : *pages) page.number = in.Get<uint64_t>();
    return in.AtEnd() && pages->size() <= kReadPagesMax;
  }

  Status Read(uint32_t id, Reader& in, Writer& out) {
    uint64_t transaction = 0;
    std::vector<PageId> pages;
    if (!GetPages(in, &transaction, &pages) || pages.empty()) return BadRequest();
    // Waits for the first; the others come along if they are free.
    std::vector<PageId> free;
    std::vector<bool> held;
    for (size_t i = 0; i < pages.size(); ++i) {
      const Permissions::Key key(id, pages[i].number);
      const bool held_before = service_.permissions_.Has(*this, key);
      if (i == 0) {
        TN_RETURN_IF_ERROR(service_.permissions_.Acquire(*this, transaction, key, false));
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

  Status Want(uint32_t id, Reader& in, bool write) {
    uint64_t transaction = 0;
    std::vector<PageId> pages;
    if (!GetPages(in, &transaction, &pages)) return BadRequest();
    for (const PageId page : pages) {
      TN_RETURN_IF_ERROR(
          service_.permissions_.Acquire(*this, transaction, {id, page.number}, write));
    }
    return Status::Ok();
  }

  Status Allocate(uint32_t id, Reader& in, Writer& out) {
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

  Status ReturnPages(uint32_t id, Reader& in) {
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

  Status Commit(Reader& in, Writer& out) {
    CommitRequest request;
    request.id = in.Get<CommitId>();
    // Sizes are fixed before anything points into them.
    std::vector<DatabaseCommit> databases(in.GetCount(41));
    std::vector<std::vector<PageWrite>> pages(databases.size());
    std::deque<std::vector<ChangedRegion>> regions;
    std::deque<std::vector<ImportEntry>> imports;
    std::deque<std::vector<PersistentRef>> exports;
    bool permitted = true;
    for (size_t d = 0; d < databases.size(); ++d) {
      const auto id = in.Get<uint32_t>();
      const auto has_root = in.Get<uint8_t>();
      const PersistentRef root{in.Get<uint64_t>()};
      if (!in.ok() || !open_.contains(id)) return Refuse(BadRequest(), out);
      databases[d].database = DatabaseId{id};
      if (has_root != 0) {
        databases[d].root = root;
        permitted = permitted && service_.permissions_.HasWrite(*this, {id, 0});
      }
      pages[d].resize(in.GetCount(37));
      for (PageWrite& write : pages[d]) {
        write.page.number = in.Get<uint64_t>();
        write.expected_version = in.Get<uint64_t>();
        write.checksum = in.Get<uint32_t>();
        write.run = in.Get<LargeRun>();
        if (in.Get<uint8_t>() != 0) write.contents = in.GetBytes(abi::kPageBytes).data();
        std::vector<ChangedRegion>& list = regions.emplace_back(in.GetCount(8));
        for (ChangedRegion& region : list) {
          region.offset = in.Get<uint32_t>();
          region.bytes = in.GetBytes(in.Get<uint32_t>());
        }
        write.regions = list;
        permitted = permitted && service_.permissions_.HasWrite(*this, {id, write.page.number});
      }
      databases[d].pages = pages[d];
      databases[d].imports_before = in.Get<uint64_t>();
      databases[d].imports = imports.emplace_back(GetImports(in));
      databases[d].exports_before = in.Get<uint64_t>();
      databases[d].exports = exports.emplace_back(GetExports(in));
    }
    if (!in.AtEnd()) return Refuse(BadRequest(), out);
    if (!permitted) {
      return Refuse(Status(StatusCode::kConflict, "a page is written without permission"), out);
    }
    request.databases = databases;
    const std::lock_guard guard(service_.commit_lock_);
    if (service_.refused_.contains(request.id)) {
      return Refuse(Status(StatusCode::kConflict, "the commit came too late"), out);
    }
    const PageServerStatistics before = service_.store_.statistics();
    const CommitAnswer answer = service_.store_.Commit(request);
    if (answer.outcome == CommitOutcome::kUnknown && !service_.failed_.exchange(true)) {
      kill(getpid(), SIGTERM);
    }
    if (service_.failed()) {
      // Programs that ask find out when the store has been opened again.
      CutOff();
    }
    if (answer.outcome == CommitOutcome::kCommitted || answer.outcome == CommitOutcome::kUnknown) {
      for (size_t d = 0; d < databases.size(); ++d) {
        for (const PageWrite& write : pages[d]) {
          allocated_.erase({databases[d].database.index, write.page.number});
        }
      }
    }
    out.Put(answer.outcome);
    out.Put(answer.version);
    const PageServerStatistics after = service_.store_.statistics();
    out.Put(after.log_bytes - before.log_bytes);
    out.Put(after.syncs - before.syncs);
    return answer.status;
  }

  static Status Refuse(Status why, Writer& out) {
    out.Put(why.code() == StatusCode::kConflict ? CommitOutcome::kConflict
                                                : CommitOutcome::kFailed);
    for (int i = 0; i < 3; ++i) out.Put(uint64_t{0});  // version, log bytes, syncs
    return why;
  }

  Status Outcome(Reader& in, Writer& out) {
    const auto id = in.Get<CommitId>();
    if (!in.AtEnd()) return BadRequest();
    const std::lock_guard guard(service_.commit_lock_);
    if (service_.failed()) return Status(StatusCode::kIo, "the page server has failed");
    const Result<std::optional<uint64_t>> outcome = service_.store_.Outcome(id);
    if (!outcome.ok()) return outcome.status();
    // A request that is still on its way must not make this answer wrong.
    if (!outcome->has_value()) service_.refused_.insert(id);
    out.Put(static_cast<uint8_t>(outcome->has_value()));
    out.Put(outcome->value_or(0));
    return Status::Ok();
  }

  PageService& service_;
  const int socket_;
  bool greeted_ = false;
  std::set<uint32_t> open_;
  std::set<Permissions::Key> allocated_;  // and not committed: may be returned
  std::mutex send_lock_;
  std::mutex queue_lock_;
  std::condition_variable queued_;
  std::deque<Message> queue_;
  bool ended_ = false;
};

void PageService::Serve(int socket) {
  Client client(*this, socket);
  {
    const std::lock_guard guard(clients_lock_);
    clients_.insert(&client);
  }
  client.Run();
  // Until here CutOffAll may use the socket.
  const std::lock_guard guard(clients_lock_);
  clients_.erase(&client);
  close(socket);
}

void PageService::CutOffAll() {
  const std::lock_guard guard(clients_lock_);
  for (Client* client : clients_) client->CutOff();
}

}  // namespace tenure::stabilize
