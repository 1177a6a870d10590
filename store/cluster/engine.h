// Engine: what keeps the log and the pages of a cluster's stores, replicated over several machines.
//
// docs/decisions/0026. A store has one *leader* at a time, the node whose page server
// attached to it last. The leader appends what its store does to the store's *log*; a record is
// *durable* when a majority of the machines have it. Later it *applies* what the log says to pages
// and tables, and drops the records. A *term*, which every attachment raises, *fences* earlier
// leaders: what they append or apply changes nothing.
//
// What every engine guarantees, and all that page servers rely on:
//   - An append is conditional on the term and on the position of the last record. It is durable,
//   or
//     certainly not there, or unknown; an unknown append may also be carried out later.
//   - Attach is a barrier. When it has answered ok, appends of earlier terms that have not been
//     carried out never will be, and those that have been are durable.
//   - Load and ReadPages of an attached leader see every record that was
//   appended
//     before it attached, and everything that it has appended or applied since.
//   - Apply takes effect whole or not at all. It may be lost, as long as the records are not; but
//   then
//     the attachment has ended.
//   - An attachment *ends* when the engine may have lost something that the leader has seen: its
//     primary has changed or was started anew. Every call that needs an attachment answers kClosed
//     from then on, until the leader attaches again.
//
// Implementations: PostgresEngine (store/postgres), SimulatedCluster's (store/faults).
//
// Threads: every function may be called by any thread at any time; each may block for I/O.
// Failures: kNotFound, kExists, kIo, kNoSpace, kPermission, kConflict (fenced), kClosed (the
// attachment has ended), kUnknownOutcome (of CreateStore and Attach).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// The kind of a record in a store's log. The numbers are stored.
enum class RecordKind : uint8_t {
  kCommit = 1,       // body: the participants of the commit, then the request
  kPrepare = 2,      // body: the coordinator and the request
  kResolve = 3,      // of a prepared commit; body: "1" to carry it out, "0" to forget it
  kAcknowledge = 4,  // body: the uuid of the participant
  kType = 5,         // body: the description; the index is the next one
  kCreate = 6,       // a database; body: its uuid, its name
  kDelete = 7,       // a database; body: its uuid
  kTerm = 8,         // a leader attached; no body
  kSession = 9,      // a program came that may come again; body: its session, its name
  kSessionEnd = 10,  // and does not; body: the session
};

struct LogRecord {
  RecordKind kind = RecordKind::kCommit;
  CommitId id;  // of kCommit, kPrepare, kResolve, kAcknowledge
  std::string body;
};

// Positions in a log begin with 1 and have no gaps.
struct PlacedRecord {
  uint64_t position = 0;
  LogRecord record;
};

// One life of a node: a name, and how often nodes of this name have come or lost their place.
struct NodeId {
  std::string name;  // empty: no node, of a program that needs no lease
  uint64_t epoch = 0;

  bool operator==(const NodeId&) const = default;
};

struct NodeRow {
  std::string name;
  std::string address;  // where programs reach the node
  uint64_t epoch = 0;
  uint64_t beat = 0;  // the last one's number; EnterNode and TakeNode leave it
};

struct Attachment {
  uint64_t term = 0;
  uint64_t last = 0;     // position of the last record, which is this term's
  uint64_t applied = 0;  // pages and tables have the records up to this one; behind it is the log
  uint64_t lineage = 0;  // PageServer::lineage
};

enum class AppendOutcome : uint8_t {
  kDurable,
  kFenced,   // nothing was appended and nothing of this term ever will be
  kFailed,   // nothing was appended; see the status
  kUnknown,  // it may have been appended, or may be yet: attach again to find out
};

struct AppendAnswer {
  AppendOutcome outcome = AppendOutcome::kFailed;
  Status status;  // ok exactly when durable
};

// A database as its row in the engine has it.
struct DatabaseRow {
  Uuid uuid;
  std::string name;
  PersistentRef root;
  uint64_t next_page = 1;      // one more than the highest number that a commit has used
  std::vector<PageRun> freed;  // numbers that commits have freed, ascending
};

// Entries at the end of a database's tables of references.
struct ReferenceRows {
  Uuid database;
  uint64_t imports_before = 0, exports_before = 0;
  std::vector<ImportEntry> imports;
  std::vector<ExportEntry> exports;
};

struct PreparedRow {
  CommitId id;
  std::string body;  // as in the record kPrepare
};

struct DecisionRow {
  CommitId id;
  std::vector<Uuid> waits_for;  // participants that have not acknowledged
};

// A program that may come again to whichever node leads the store (cluster_sessions.h).
struct SessionRow {
  Uuid session;
  std::string program;  // its name, for messages
  bool ended = false;   // of ApplyBatch only
};

// Everything that the engine has of a store, except the pages.
struct StoreContents {
  std::vector<PlacedRecord> log;  // the records behind those that are applied, in order
  // The tables, after the applied records.
  std::vector<DatabaseRow> databases;
  std::vector<ReferenceRows> references;
  std::vector<std::string> types;  // entry i + 1
  std::vector<CommitMark> outcomes;
  std::vector<PreparedRow> prepared;
  std::vector<DecisionRow> decisions;
  std::vector<SessionRow> sessions;
};

struct AppliedPage {
  Uuid database;
  PageId page;
  // Null: the page goes. The caller's memory, read during Apply only.
  const PageRecord* record = nullptr;
};

// The changes by the records up to `position` since the last Apply. The memory is the caller's.
struct ApplyBatch {
  uint64_t position = 0;
  std::span<const AppliedPage> pages;
  std::span<const Uuid> deleted;           // databases: their pages and entries go first
  std::span<const DatabaseRow> databases;  // new or changed
  std::span<const ReferenceRows> references;
  std::span<const std::string> types;      // entries at the end
  std::span<const CommitMark> outcomes;    // new ones
  std::span<const uint64_t> forgotten;     // versions of older outcomes, which go first
  std::span<const PreparedRow> prepared;   // an empty body: forget it
  std::span<const DecisionRow> decisions;  // waits_for is empty: forget it
  std::span<const SessionRow> sessions;    // new or ended
};

class Engine {
 public:
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Stores by name, sorted.
  virtual Result<std::vector<std::string>> Stores() = 0;
  // Makes a store without databases and without a leader. kExists.
  virtual Status CreateStore(std::string_view name) = 0;
  virtual Result<Uuid> FindStore(std::string_view name) = 0;

  // Nodes (store/cluster/lease.h). Changes are durable when these functions return.

  // The node comes, with a new epoch: an earlier process of this name has lost its place. `subject`
  // is the common name in its certificate: the other nodes let it ask for the outcomes of commits.
  virtual Result<NodeId> EnterNode(std::string_view name, std::string_view address,
                                   std::string_view subject) = 0;
  // Sets the node's beat. False: it has lost its place. No two calls for a node of one epoch have
  // the same number, whatever became of the first: who sees the number knows that this call had
  // begun (BeatWatch).
  virtual Result<bool> Beat(const NodeId& node, uint64_t number) = 0;
  virtual Result<std::vector<NodeRow>> Nodes() = 0;
  // Takes the place of a node if its epoch and beat are still those in `seen`; otherwise returns
  // false.
  virtual Result<bool> TakeNode(const NodeRow& seen) = 0;
  // The node that attached to the store last.
  virtual Result<NodeId> LeaderOf(const Uuid& store) = 0;

  // Makes the caller the leader of the store; the node that led before loses its place. After a
  // failure the caller is not the leader, and the store may have no leader. kConflict: `node` has
  // lost its place, or the last leader is another node than `former`, the one that the caller has
  // seen (null: any).
  virtual Result<Attachment> Attach(const Uuid& store, const NodeId& node,
                                    const NodeId* former = nullptr) = 0;

  // The functions below need an attachment by this object.

  // Appends records at the positions behind `last`, all or none.
  virtual AppendAnswer Append(const Uuid& store, uint64_t term, uint64_t last,
                              std::span<const LogRecord> records) = 0;

  // Reads the tables and the log of one moment. kConflict: the term is over.
  virtual Result<StoreContents> Load(const Uuid& store, uint64_t term) = 0;

  // Reads pages as the last Apply left them. Like PageServer::Read, but does not check the records.
  virtual Status ReadPages(const Uuid& store, const Uuid& database, std::span<const PageId> pages,
                           std::span<PageReply> replies) = 0;
  virtual Result<uint64_t> CountPages(const Uuid& store, const Uuid& database) = 0;

  // Puts the batch into pages and tables and drops the records that it stands for. kConflict: the
  // term is over.
  virtual Status Apply(const Uuid& store, uint64_t term, const ApplyBatch& batch) = 0;

 protected:
  Engine() = default;
};

}  // namespace tenure::store
