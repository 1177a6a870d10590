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
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/mutex.h"
#include "store/remote/read_ahead.h"
#include "store/remote/receive_turns.h"
#include "store/remote/recent_commits.h"
#include "store/remote/server_protocol.h"
#include "store/remote/server_reach.h"
#include "store/remote/serving_report.h"
#include "store/remote/wandering_pages.h"
#include "store/server/page_server.h"

namespace tenure::store {

struct RemoteConnection;

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
  uint64_t DurableVersion() const override { return durable_; }
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
    std::unordered_map<uint64_t, bool> held;  // page -> whether it may be written
    // Pages that came before they were touched. A page that is not in `held` as well is *free*: no
    // transaction has read it, so it is given up as soon as the server asks.
    ReadAhead prefetched;
    // Pages that a read in progress asks for beside the page that it needs. No other request is
    // about them: the server may grant such a page and call it back before the answer is here.
    std::set<uint64_t> on_the_way;
    // Pages that requests in progress need, once for each of them. They are not free, nor asked for
    // beside others: a release could reach the server after the grant and before the answer is
    // here, and the program would hold the page without the server's knowledge.
    std::multiset<uint64_t> needed;
    // Requests for new pages that have no answer yet.
    int allocations = 0;
    // Whether the server may have granted the page already by an answer that is still to come. No
    // transaction need be in progress when new pages are asked for.
    bool MayArrive(uint64_t page) const { return allocations != 0 && !held.contains(page); }
    bool IsUsed(uint64_t page) const { return held.contains(page) || needed.contains(page); }
    bool IsFree(uint64_t page) const { return prefetched.Has(PageId{page}) && !IsUsed(page); }
    uint64_t FreePages() const {
      return prefetched.CountIf([&](PageId page) { return !IsUsed(page.number); });
    }
    // Pages to give up when the transaction ends -> whether they are dropped wholly.
    std::map<uint64_t, bool> to_release;
    // Pages that the transaction has read or written, as the store has them, the transaction's own
    // commit included. Kept only while other programs want pages during transactions.
    struct Used {
      std::unique_ptr<PageRecord> record;
      bool written = false;
      bool prepared = false;  // written, and the version is not known yet
    };
    std::unordered_map<uint64_t, Used> used;
    // Free pages that the server has granted for writing.
    std::unordered_set<uint64_t> free_writable;
    WanderingPages wandering;
    // Pages that this program has been given new: new objects are put on them, or have their homes
    // there.
    std::unordered_set<uint64_t> allocated;
    // Pages that other programs wanted during transactions. At the end of each of the next
    // transactions they become free, or are given up, without being wanted again.
    struct Contended {
      bool drop = false;
      uint64_t written_by = 0;  // the last commit that has written the page
      int transactions = 0;     // that are left
      int span = 0;             // how many there were at first
    };
    std::map<uint64_t, Contended> contended;
    uint64_t commits = 0;  // of this program to the database
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
  static void ReceiveAll(RemotePageServer* server, RemoteConnection* connection);
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
  static void AnswerCallbacks(RemotePageServer* server, RemoteConnection* connection);
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
  // Gives up free pages beyond ReadAhead::kPagesMost.
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
  // The page was read; its record is remembered if the page may become free.
  void NoteUsed(DatabaseId database, PageId page, const PageRecord& record) TN_REQUIRES(lock_);
  // `version` 0: the commit is only prepared.
  void NoteWritten(Opened& database, const PageWrite& write, uint64_t version) TN_REQUIRES(lock_);
  // Sets the version of the commit that was prepared; 0: unknown.
  void SettleWritten(uint64_t version) TN_REQUIRES(lock_);
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
  // A commit for whose outcome this program may ask: what the question needs.
  struct SentCommit {
    uint64_t above = 0;  // OutcomeQuestion::above
    CommitId id;
    Uuid serving;  // as it was then; zero: not of this copy of the store
    friend auto operator<=>(const SentCommit&, const SentCommit&) = default;
  };
  SentCommit NoteSent(CommitId id, uint64_t* settled);
  // The same for a part of a commit of several stores, until Resolve.
  void NotePrepared(CommitId id, uint64_t* settled);
  // With lock_: up to this version all commits of this program are settled.
  uint64_t Settled() const TN_REQUIRES(lock_);
  void NoteSettled(const SentCommit& commit);
  SentCommit SentAs(const OutcomeQuestion& question) const;
  static Writer QuestionAbout(const SentCommit& commit);
  Result<std::optional<uint64_t>> AskOutcome(const OutcomeQuestion& question);
  CommitAnswer SendCommit(MessageKind kind, const CommitRequest& request,
                          const SentCommit& to_settle);
  CommitAnswer AskToResolve(CommitId id, bool commit);
  // Commits up to `version` are durable.
  void NoteDurable(uint64_t version);
  Status AwaitDurableFrom(RemoteConnection& connection, uint64_t version);
  // Ok: the version is durable or may still become so.
  Status UndurableStatus(uint64_t version, bool lost) const TN_REQUIRES(lock_);
  // Asks over a new connection which of the ordered commits have happened.
  Status AskAboutOrdered();
  // Loses the connection to a server that has been silent for too long.
  void GiveUpSilent(RemoteConnection& connection);
  // Sends a ping to a server that has been silent since `asked`, or gives it up.
  void PingSilent(RemoteConnection& connection, std::chrono::steady_clock::time_point asked);
  void ForgetWritable(const CommitRequest& request);
  void NoteCommit(const CommitRequest& request, uint64_t version, uint64_t log_bytes,
                  uint64_t syncs);
  void NoteMaxPage(DatabaseId database, uint64_t max_page);
  // `wanted`: because another program wants the page.
  void SendRelease(RemoteConnection& connection, uint32_t remote, uint64_t page, bool keep_read,
                   bool wanted = true);
  // The same with lock_.
  void SendReleaseLocked(RemoteConnection& connection, uint32_t remote, uint64_t page,
                         bool keep_read, bool wanted = true) TN_REQUIRES(lock_);
  // The program does not hold the page any more.
  static void ForgetPage(Opened& database, uint64_t page);
  // Tells the server that a page which was called back is in use. False: the connection is lost.
  bool SendBusy(RemoteConnection& connection, uint32_t remote, uint64_t page);

  const std::string directory_;  // or the URI
  const std::unique_ptr<ServerReach> reach_;
  Uuid uuid_;
  uint64_t lineage_ = 0;
  // For StoreSessions: the run of the server that the program has used, the highest version that
  // the program has seen, and the locked file from which a new run learns that the program will
  // come back.
  Uuid serving_;
  uint64_t seen_version_ = 0;
  int session_file_ = -1;  // noted
  CallbackListener* listener_ = nullptr;
  // Held while pages are given up between transactions and the server is told: no transaction
  // starts meanwhile. Before lock_, after the session's lock.
  Mutex gate_;
  mutable Mutex lock_;
  CondVar answered_;
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
  std::atomic<uint64_t> durable_{0};
  std::set<SentCommit> unsettled_ TN_GUARDED_BY(lock_);  // whose outcome the program does not know
  std::optional<SentCommit> part_ TN_GUARDED_BY(lock_);  // prepared, and not resolved
  std::map<uint64_t, SentCommit> undurable_
      TN_GUARDED_BY(lock_);                      // ordered, by version; not known to be durable
  bool receiving_ TN_GUARDED_BY(lock_) = false;  // the connection is not lost
  Status lost_commits_ TN_GUARDED_BY(lock_);     // not ok: an ordered commit has not happened
  std::atomic<uint64_t> messages_{0};
  const std::shared_ptr<Lifeline> lifeline_;
};

// --- for the source files of this folder only ---

// The list of all connected servers of this process. A program that uses several servers may wait
// in a cycle that no server sees.
void NoteConnected(RemotePageServer* server);
void NoteDisconnected(RemotePageServer* server);
size_t ConnectedServers();

Status BadAnswer();
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
