// The page server that is another process, `tenure serve` (docs/page_server.md).
//
// Two threads serve each connection: one receives while no thread waits for an answer
// (receive_turns.h), one answers callbacks, so that other programs need not wait until this one
// happens to ask for something. They run no compiled code.
//
// When the connection is lost in a transaction, operations answer kConflict: what was read may
// change from now on. The next StartTransaction connects anew and says that all permissions are
// void. A commit whose answer is missing is kUnknown, and Outcome connects anew to ask.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/mutex.h"
#include "store/remote/held_pages.h"
#include "store/remote/noted_sockets.h"
#include "store/remote/recent_commits.h"
#include "store/remote/remote_connection.h"
#include "store/remote/sent_commits.h"
#include "store/remote/server_protocol.h"
#include "store/remote/server_reach.h"
#include "store/remote/serving_report.h"
#include "store/server/page_server.h"

namespace tenure::store {

class RemotePageServer final : public PageServer {
 public:
  // Whether something listens at the store's socket; if not, *error is errno. A store of a cluster
  // (store/network/cluster_name.h) counts as served.
  static bool IsServed(const std::string& directory, int* error = nullptr);
  // kIo if no server listens. While another node of a cluster takes over, this waits; so do
  // transactions that begin later.
  static Result<std::unique_ptr<RemotePageServer>> Connect(const std::string& directory);
  // The same as IsServed; kPermission if this user may not know.
  static Result<bool> MayBeServed(const std::string& directory);
  // As Connect; null: nobody serves the store.
  static Result<std::unique_ptr<RemotePageServer>> ConnectIfServed(const std::string& directory);
  ~RemotePageServer() override;
  // Called from now on, by threads of these objects, when a request has waited for some seconds:
  // for the end of a transaction of this process (0: not known).
  static void ReportWaits(void (*report)(const std::string& store, int64_t process));

  PageServerCapabilities capabilities() const override { return {"remote", true, true}; }
  PageServerStatistics statistics() const override;
  Uuid store_uuid() const override { return uuid_; }
  uint64_t lineage() const override { return lineage_; }
  // Which programs use the store, what they hold, who waits for whom. Needs no permission.
  Result<ServingReport> Serving();
  // The latest commits that the server remembers, `most` at most. Needs no permission.
  Result<RecentCommits> Recent(uint32_t most);
  // For a program that only reads and can begin again: in a cycle of waits, transactions that start
  // from now on are the victims rather than those of other programs. 10 s after a transaction was
  // first the victim it gives way no longer, since programs that write all the time would hold it
  // up for ever. Like StartTransaction, not while another thread uses the server.
  void set_gives_way(bool gives_way) { gives_way_ = gives_way; }
  // The number of messages sent to the server, answers to callbacks and pings included.
  uint64_t messages() const { return messages_; }
  Status Close() override;

  Result<DatabaseId> OpenDatabase(std::string_view name, OpenMode mode) override;
  Result<DatabaseId> CreateDatabase(std::string_view name, const Uuid& uuid) override;
  Status DeleteDatabase(std::string_view name) override;
  Status CloseDatabase(DatabaseId database) override;
  Result<std::vector<std::string>> ListDatabases() override;
  Result<DatabaseInfo> Info(DatabaseId database) override;
  Result<PersistentRef> Root(DatabaseId database) override;
  Result<Uuid> DatabaseUuid(DatabaseId database) override;
  // Not supported: other programs must not see the effects of these.
  Result<DatabaseId> CreateReplacement(std::string_view name, const Uuid* uuid = nullptr) override;
  Status CloseReplacing(std::span<const DatabaseId> replacements) override;
  Result<std::vector<ImportEntry>> Imports(DatabaseId database) override;
  Result<std::vector<ExportEntry>> Exports(DatabaseId database) override;
  // From the server's last answer; sends no message.
  Result<PageId> MaxPage(DatabaseId database) override;

  Status Read(DatabaseId database, std::span<const PageId> pages,
              std::span<PageReply> replies) override;
  Status ReadTouched(DatabaseId database, PageId page, PageReply& reply,
                     const std::function<bool(PageId)>& may_come) override;
  Status WantRead(DatabaseId database, std::span<const PageId> pages) override;
  Status WantWrite(DatabaseId database, std::span<const PageId> pages) override;
  Status Release(DatabaseId database, std::span<const PageId> pages) override;
  void SetListener(CallbackListener* listener) override { listener_ = listener; }
  void AwaitTurn() override;
  Result<bool> StartTransaction() override;
  void EndTransaction() override;
  bool HoldsPermissions() override;
  bool StillHolds() override;
  bool OthersWait() override;
  Status Confirm() override;

  Status OfferCandidates(DatabaseId database, std::span<const Candidate> candidates) override;
  Result<std::vector<bool>> HeldCandidates(DatabaseId database) override;

  Result<PageRun> AllocatePages(DatabaseId database, uint64_t count) override;
  Status ReturnPages(DatabaseId database, PageRun run) override;
  CommitAnswer Commit(const CommitRequest& request) override;
  // A lost connection may lose ordered commits. When the server is reached again, it is asked about
  // them: if one has not happened, this object has failed, since the program may have built on that
  // commit.
  CommitAnswer Order(const CommitRequest& request) override;
  Status AwaitDurable(uint64_t version) override;
  uint64_t DurableVersion() const override TN_NO_LOCK_ANALYSIS { return commits_.durable(); }
  Status failed() const override;
  Result<std::optional<uint64_t>> Outcome(const OutcomeQuestion& question) override;
  Status Prepare(const CommitRequest& request, const Coordinator& coordinator) override;
  CommitAnswer Resolve(CommitId id, bool commit) override;
  Result<std::vector<PreparedCommit>> Prepared() override;
  Result<bool> Decided(CommitId id) override;
  Status Acknowledge(CommitId id, const Uuid& participant) override;
  Result<std::vector<TypeEntry>> TypeEntries() override;
  Result<uint32_t> AddType(std::span<const std::byte> description) override;

 private:
  struct Opened {
    std::string name;
    Uuid uuid;
    uint32_t remote = 0;
    bool open = false;
    Status gone;  // not ok: why all pages of the database are invalid until it is closed
    uint64_t max_page = 0;
    HeldPages pages;
  };

  // The pages that a transaction wanted when it was a deadlock's victim.
  struct Turn {
    MessageKind kind;
    DatabaseId database;
    std::vector<PageId> pages;
    std::chrono::steady_clock::time_point at;
  };

  // The server's answer to a request for pages, in the order of the request. The records are
  // unchecked and lie in the message.
  struct PagesAnswer {
    struct Page {
      Status status;
      std::span<const std::byte> record;  // of kPageRecordBytes if the status is ok
    };
    Message message;
    std::vector<Page> pages;
  };

  RemotePageServer(std::string place, std::unique_ptr<ServerReach> reach);

  // Tells a background thread that the page server is gone. Nobody can wait for that thread, since
  // it may itself wait for a thread that is stopped. The lock is held while the thread uses the
  // server.
  struct Lifeline {
    Mutex lock;
    RemotePageServer* server TN_GUARDED_BY(lock);
  };

  Status Reconnect();
  Status ReconnectPatiently();
  // Between transactions: connects anew if the connection is lost. Afterwards the program holds
  // what it held before, or has been told that it does not, and the lease is valid.
  Status ConnectForTransaction();
  // Ok(false): the server has no lease to give, or answered when it was over already. True where
  // permissions are not leased.
  Result<bool> RenewLease();
  static Result<std::unique_ptr<RemotePageServer>> ConnectBy(std::string place,
                                                             std::unique_ptr<ServerReach> reach);
  // Opens the databases of before over a new connection. `another_copy`: the store is another one.
  Status ReopenDatabases(bool another_copy);
  // Sends a message without contents that is not answered. The caller is the only one that uses the
  // server, or holds the lifeline's lock.
  void SendNotice(MessageKind kind);
  // `again`: it must be the database with database.uuid, as it was. With kCreate database.uuid is
  // that of the new one; zero: any.
  Result<uint32_t> OpenAtServer(Opened& database, OpenMode mode, bool again);
  DatabaseId Add(Opened opened, uint32_t remote);
  // A page or a commit of this version has been seen.
  void NoteVersion(uint64_t version);
  bool IsLost() const;
  // Since when the program is in a transaction. False: the connection is lost.
  bool TellTransaction(RemoteConnection& connection, uint64_t question);
  void ReceiveAll(RemoteConnection& connection);
  // Called in the caller's turn: receives and handles one message. False: the connection is lost.
  bool ReceiveOne(RemoteConnection& connection);
  bool Handle(RemoteConnection& connection, Message& message);
  // The connection is lost.
  void EndReceiving(RemoteConnection& connection);
  // `guard` holds lock_. Waits, for `most` at most, until something has changed that
  // answered_ tells of. Receives meanwhile, if no other thread does.
  void AwaitMessage(RemoteConnection& connection, ReceiveTurns::Turn& turn, MutexLock& guard,
                    std::chrono::milliseconds most) TN_REQUIRES(lock_);
  // Runs in a thread of its own, since the listener waits for others. False: no thread could be
  // started.
  bool AnswerCandidates(uint32_t remote, uint64_t question, std::vector<Candidate> candidates);
  void AnswerCallbacks(RemoteConnection& connection);
  // The following two return false if the callback must wait. AnswerCallback: the first one.
  bool AnswerCallback(RemoteConnection& connection, const RemoteConnection::Callback& callback);
  // Called with the gate, between transactions: gives the page up.
  bool GiveBack(RemoteConnection& connection, const RemoteConnection::Callback& callback);
  // Sends a request and waits for the answer. *sent: whether the server may have got the request.
  // `between`: between transactions, so callbacks are answered as well; the caller holds the locks
  // that this needs.
  Result<Message> Call(MessageKind kind, const Writer& body, bool* sent = nullptr,
                       bool between = false);
  Status CallForStatus(MessageKind kind, const Writer& body);
  // Calls, and returns take(reader), which reads the answer behind its status.
  template <typename Take>
  auto Ask(MessageKind kind, const Writer& body, Take&& take)
      -> Result<std::invoke_result_t<Take, Reader&>>;
  // The same, about a database that is open.
  template <typename Take>
  auto AskAbout(DatabaseId database, MessageKind kind, Take&& take)
      -> Result<std::invoke_result_t<Take, Reader&>>;
  Status LostStatus();
  Status Want(MessageKind kind, DatabaseId database, std::span<const PageId> pages, bool write);
  Status WantWhatWillBeWritten(DatabaseId database, PageId page);
  // Pages that a request of the calling thread needs, while it exists.
  class Need {
   public:
    // With lock_ held by `guard`: waits until none of the pages is on its way. Those that were
    // prefetched count as used from now on.
    Need(RemotePageServer& server, MutexLock& guard, DatabaseId database,
         std::span<const PageId> pages);
    ~Need();
    Need(const Need&) = delete;
    Need& operator=(const Need&) = delete;

   private:
    RemotePageServer& server_;
    const DatabaseId database_;
    const std::span<const PageId> pages_;
  };
  // The pages to ask for with one that is touched; that page is the first.
  std::vector<PageId> WithNeighbours(DatabaseId database, PageId page,
                                     const std::function<bool(PageId)>& may_come);
  // `pages` are on the way no more. Keeps those that came; an answer without pages: none came.
  void KeepNeighbours(DatabaseId database, std::span<const PageId> pages,
                      std::span<const PagesAnswer::Page> answers);
  // Gives up free pages beyond those that may be kept.
  void DropSurplus(Opened& database) TN_REQUIRES(lock_);
  // At most kReadPagesMax pages. The server waits until the program may read the first; it leaves
  // out others that it cannot grant at once.
  // `to_write`: may it write the first, too.
  Result<PagesAnswer> AskForPages(DatabaseId database, std::span<const PageId> pages,
                                  bool to_write = false);
  // Copies and checks the answer about a page, which the program holds from now on.
  void TakeAnswer(DatabaseId database, PageId page, const PagesAnswer::Page& answer,
                  PageReply& reply, bool to_write = false);
  bool GivesWay() const;
  Writer WantBody(DatabaseId database, uint64_t transaction, std::span<const PageId> pages,
                  bool bounded, bool read_to_write = false);
  void NoteConflict(MessageKind kind, DatabaseId database, std::span<const PageId> pages);
  bool AnswerWaiting(RemoteConnection& connection);
  // Whether the other object is one of this program's connections to another server.
  bool IsOtherOfProgram(const RemotePageServer& other) const;
  bool OthersOweSomething();
  void AnswerOthersWaiting();
  // A transaction is over: pages that others have wanted, or that it has written while others
  // wanted pages, become free.
  void FreeContended();
  // A transaction is over: gives up pages that wander.
  void GiveUpWandering();
  // Another program has wanted a page during a transaction.
  void NoteContention() TN_REQUIRES(lock_) { contention_ = kContentionLasts; }
  Status CheckOpen(DatabaseId database);
  // Another thread may open a database meanwhile.
  uint32_t RemoteId(DatabaseId database) const {
    const MutexLock guard(lock_);
    return databases_[database.index].remote;
  }
  // The open database that the server knows by this number; ~0u for none.
  DatabaseId OpenWithRemoteId(uint32_t remote) const TN_REQUIRES(lock_);
  Status CheckCommit(const CommitRequest& request);
  CommitAnswer SendCommit(MessageKind kind, const CommitRequest& request);
  static Writer QuestionAbout(const SentCommits::Commit& commit);
  Result<std::optional<uint64_t>> AskOutcome(const OutcomeQuestion& question);
  CommitAnswer SendCommit(MessageKind kind, const CommitRequest& request,
                          const SentCommits::Commit& to_settle);
  CommitAnswer AskToResolve(CommitId id, bool commit);
  // Commits up to `version` are durable.
  void NoteDurable(uint64_t version);
  Status AwaitDurableFrom(RemoteConnection& connection, uint64_t version);
  // Ok: the version is durable or may still become so.
  Status UndurableStatus(uint64_t version, bool lost) const TN_REQUIRES(lock_);
  // Asks over a new connection which of the ordered commits have happened.
  Status AskAboutOrdered();
  // Loses the connection to a server that has been silent for too long since `asked`; sends a ping
  // to one that has been so for a while, and since *pinged.
  void LookAtSilence(RemoteConnection& connection, RemoteConnection::Clock::time_point asked,
                     RemoteConnection::Clock::time_point* pinged) TN_REQUIRES(lock_);
  void ForgetWritable(const CommitRequest& request);
  void NoteCommit(const CommitRequest& request, uint64_t version, uint64_t log_bytes,
                  uint64_t syncs);
  void NoteMaxPage(DatabaseId database, uint64_t max_page);
  // Gives the page up, unless it may still be read and `keep_read`. `wanted`: because another
  // program wants the page.
  void SendRelease(RemoteConnection& connection, uint32_t remote, PageId page, bool keep_read,
                   bool wanted = true);
  // The same with lock_.
  void SendReleaseLocked(RemoteConnection& connection, uint32_t remote, PageId page, bool keep_read,
                         bool wanted = true) TN_REQUIRES(lock_);
  // Tells the server that a page which was called back is in use.
  void SendBusy(RemoteConnection& connection, const RemoteConnection::Callback& callback);

  const std::string directory_;  // or the URI
  const std::unique_ptr<ServerReach> reach_;
  Uuid uuid_;
  uint64_t lineage_ = 0;
  NotedSocket session_file_;  // locked; a new run learns from it that the program will come back
  CallbackListener* listener_ = nullptr;
  // Held while pages are given up between transactions and the server is told: no transaction
  // starts meanwhile. Before lock_, after the session's lock.
  Mutex gate_;
  mutable Mutex lock_;
  CondVar answered_;
  std::atomic<uint64_t> messages_{0};
  std::unique_ptr<RemoteConnection> connection_;
  bool closed_ TN_GUARDED_BY(lock_) = false;
  std::chrono::nanoseconds lease_end_{
      0};  // with reach_->leases(); of a clock that goes on in sleep
  // Permissions were lost, and the listener has not been told yet: an open transaction is doomed.
  bool void_ = false;
  bool in_transaction_ TN_GUARDED_BY(lock_) = false;
  uint64_t transaction_ = 0;
  std::chrono::steady_clock::time_point transaction_began_
      TN_GUARDED_BY(lock_);  // while in_transaction_
  Turn turn_ TN_GUARDED_BY(lock_){};
  bool gives_way_ = false;
  bool begins_again_ = false;  // the next transaction is another attempt
  // When the transaction, or an earlier attempt of it, was a victim first.
  std::optional<std::chrono::steady_clock::time_point> first_refused_;
  // Only the program's thread changes the list, with lock_; so that thread may read its length
  // without.
  std::vector<Opened> databases_;
  // After others have wanted a page, this many transactions treat pages as wanted by others.
  static constexpr int kContentionLasts = 256;
  int contention_ TN_GUARDED_BY(lock_) = 0;
  PageServerStatistics statistics_ TN_GUARDED_BY(lock_);
  SentCommits commits_ TN_GUARDED_BY(lock_);
  bool receiving_ TN_GUARDED_BY(lock_) = false;  // the connection is not lost
  const std::shared_ptr<Lifeline> lifeline_;
};

// --- for the source files of this folder only ---

// The list of all connected servers of this process. A program that uses several servers may wait
// in a cycle that no server sees.
void NoteConnected(RemotePageServer* server);
void NoteDisconnected(RemotePageServer* server);
size_t ConnectedServers();

// The failure of operations that need the store alone.
Status OnlyAlone(const char* what);

template <typename Take>
auto RemotePageServer::Ask(MessageKind kind, const Writer& body, Take&& take)
    -> Result<std::invoke_result_t<Take, Reader&>> {
  TN_ASSIGN_OR_RETURN(Message reply, Call(kind, body));
  Reader reader(reply.body);
  TN_RETURN_IF_ERROR(reader.GetStatus());
  auto answer = take(reader);
  if (!reader.AtEnd()) return BadAnswer();
  return answer;
}

template <typename Take>
auto RemotePageServer::AskAbout(DatabaseId database, MessageKind kind, Take&& take)
    -> Result<std::invoke_result_t<Take, Reader&>> {
  TN_RETURN_IF_ERROR(CheckOpen(database));
  Writer body;
  body.Put(RemoteId(database));
  return Ask(kind, body, std::forward<Take>(take));
}

}  // namespace tenure::store
