// The engine over PostgreSQL 15: the log and the pages of a cluster's stores in tables of one
// schema, `tenure`, which PostgreSQL replicates.
//
// An append and an attachment are committed with synchronous replication, and afterwards the
// settings under which they were are checked, an append's in the same trip: they must ask for a
// quorum of standbys, and one of these must stream. An apply does not wait. An attachment has
// connections of its own, and ends when any of them does.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "store/cluster/engine.h"
#include "store/postgres/postgres_connection.h"

namespace tenure::store {

struct PostgresOptions {
  // As libpq reads it. With more than one host, target_session_attrs=read-write.
  std::string connection;
  // False, for experiments and tests: one machine suffices, and its loss loses stores.
  bool quorum = true;
  size_t statement_bytes = 64 << 20;  // records of more go with several statements
};

class PostgresEngine final : public Engine {
 public:
  // Makes the tables, or those that a group of an earlier version lacks. kPermission, kIo; kFormat:
  // tables of another version.
  static Status MakeTables(const PostgresOptions& options);

  explicit PostgresEngine(PostgresOptions options) : options_(std::move(options)) {}
  ~PostgresEngine() override;

  Result<std::vector<std::string>> Stores() override;
  Status CreateStore(std::string_view name) override;
  Result<Uuid> FindStore(std::string_view name) override;
  Result<NodeId> EnterNode(std::string_view name, std::string_view address,
                           std::string_view subject) override;
  Result<bool> Beat(const NodeId& node, uint64_t number) override;
  Result<std::vector<NodeRow>> Nodes() override;
  Result<bool> TakeNode(const NodeRow& seen) override;
  Result<NodeId> LeaderOf(const Uuid& store) override;
  Result<Attachment> Attach(const Uuid& store, const NodeId& node,
                            const NodeId* former = nullptr) override;
  AppendAnswer Append(const Uuid& store, uint64_t term, uint64_t last,
                      std::span<const LogRecord> records) override;
  Result<StoreContents> Load(const Uuid& store, uint64_t term) override;
  Status ReadPages(const Uuid& store, const Uuid& database, std::span<const PageId> pages,
                   std::span<PageReply> replies) override;

  // Beyond what engines do.

  // Whether the group has the tables of this version. kFormat; other failures may pass.
  Status CheckTables();
  // The same, and whether the group waits for a quorum: whether changes may be made. kFormat,
  // kNotSupported; other failures may pass.
  Status CheckGroup();
  // Makes a store whose owner is `owner`; empty: none yet. Both or nothing. As Engine::CreateStore.
  Status CreateStore(std::string_view name, std::string_view owner, uint16_t role);
  // How often the connection for nodes was made: rows read through two different connections may
  // come from two machines.
  uint64_t connections();
  struct StoreRow {
    std::string name;
    Uuid uuid;
    NodeId leader;  // the last to attach; no name: no node has, or it has released the store
  };
  // All stores, by name.
  Result<std::vector<StoreRow>> StoreRows();
  // The leader of this term gives the store up: no other need wait for the end of its lease.
  Status ReleaseStore(const Uuid& store, uint64_t term);
  struct Grant {
    std::string subject;
    uint16_t role = 0;
  };
  // Role 0 takes the grant away. kNotFound: there is no such store.
  Status SetRole(std::string_view store, std::string_view subject, uint16_t role);
  struct Rights {
    uint16_t role = 0;  // 0: none was granted
    bool node = false;  // the subject of a node of the group
  };
  // kNotFound: there is no such store.
  Result<Rights> RightsOf(std::string_view store, std::string_view subject);
  Result<std::vector<Grant>> Grants(std::string_view store);

  Result<uint64_t> CountPages(const Uuid& store, const Uuid& database) override;
  Status Apply(const Uuid& store, uint64_t term, const ApplyBatch& batch) override;

 private:
  struct Link {
    Mutex mutex;
    std::unique_ptr<PostgresConnection> connection;  // null: the attachment has ended
  };

  // Needs the link's mutex. kClosed without a connection. When the outcome is unknown the
  // attachment ends.
  Status Run(Link& link, const char* statement, const Parameters& parameters = {},
             std::unique_ptr<Rows>* rows = nullptr);
  Result<std::unique_ptr<PostgresConnection>> Connect() const;
  // Runs a statement, at most once, on the connection for nodes and stores. Connects anew if the
  // connection has ended.
  Status RunOutside(const char* statement, const Parameters& parameters,
                    std::unique_ptr<Rows>* rows);
  // The same of one that changes something, durably.
  Status Change(const char* statement, const Parameters& parameters, std::unique_ptr<Rows>* rows);
  // Whether commits of the connection wait for a quorum.
  Status CheckQuorum(PostgresConnection& connection) const;
  static Status JudgeQuorum(const Rows& settings);
  // As JudgeQuorum, but kNotSupported when the settings ask for no quorum.
  static Status CheckSettings(PostgresConnection& connection);
  // Runs a statement that commits, and looks in the same trip whether its commit has waited for a
  // quorum. If it has not, or nobody knows, the answer is unknown.
  StatementAnswer RunChecked(PostgresConnection& connection, const char* statement,
                             const Parameters& parameters, std::unique_ptr<Rows>* rows) const;
  // Needs outside_.mutex.
  Status ConnectOutside();
  Status ApplyIn(const Uuid& store, uint64_t term, const ApplyBatch& batch);
  Status ApplyPages(std::span<const AppliedPage> pages);
  Status LoadIn(const Uuid& store, uint64_t term, StoreContents* contents);

  const PostgresOptions options_;
  Link log_, apply_, read_;
  Link outside_;              // of no attachment
  uint64_t connections_ = 0;  // with outside_.mutex
};

}  // namespace tenure::store
