#include "store/postgres/postgres_engine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "base/bytes.h"
#include "base/mutex.h"
#include "store/format/status_text.h"
#include "store/postgres/postgres_schema.h"
#include "store/server/reference_entries.h"

namespace tenure::store {

namespace {

// Bytes. The body of a longer record is stored in parts of this size.
constexpr size_t kPartBytes = 4 << 20;
constexpr size_t kPagesTogether = 256;

// tenure.ref.kind, tenure.doubt.kind.
enum ReferenceKind : uint16_t { kImport = 0, kExport = 1 };
enum DoubtKind : uint16_t { kPrepared = 0, kDecision = 1 };

constexpr const char* kReadSettings =
    "SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),"
    " (SELECT count(*) FROM pg_stat_replication"
    " WHERE state = 'streaming' AND sync_state = 'quorum')";

const Status kEnded(StatusCode::kClosed, "the connection to PostgreSQL was lost");
const Status kNoStore(StatusCode::kNotFound, "PostgreSQL has no such store");
const Status kTermOver(StatusCode::kConflict, "the term is over");

template <typename T>
std::string_view BytesOf(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
bool ReadBytes(std::string_view bytes, T* value) {
  if (bytes.size() != sizeof *value) return false;
  std::memcpy(value, bytes.data(), sizeof *value);
  return true;
}

Status Damaged(const char* table) {
  return Failure(StatusCode::kCorrupt, std::string("table tenure.") + table +
                                           " in PostgreSQL has a row of the wrong form");
}

template <typename T>
std::string EncodeAll(std::span<const T> values) {
  ByteWriter writer;
  for (const T& value : values) writer.Put(value);
  return std::move(writer).Take();
}

template <typename T>
bool DecodeAll(std::string_view bytes, std::vector<T>* values) {
  if (bytes.size() % sizeof(T) != 0) return false;
  values->resize(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values->data(), bytes.data(), bytes.size());
  return true;
}

// The columns of records from a position on.
struct LogColumns {
  std::vector<uint64_t> positions;
  std::vector<uint32_t> parts;
  std::vector<uint16_t> kinds;
  std::vector<std::string_view> ids, bodies;

  void Add(uint64_t position, const LogRecord& record) {
    const std::string_view body = record.body;
    size_t at = 0;
    do {
      positions.push_back(position);
      parts.push_back(static_cast<uint32_t>(at / kPartBytes));
      kinds.push_back(static_cast<uint16_t>(record.kind));
      ids.push_back(BytesOf(record.id));
      bodies.push_back(body.substr(at, kPartBytes));
      at += kPartBytes;
    } while (at < body.size());
  }
  Parameters& PutInto(Parameters& parameters) const {
    return parameters.Int8s(positions).Int4s(parts).Int2s(kinds).ByteArrays(ids).ByteArrays(bodies);
  }
};

Status OtherFormat(const Rows& version) {
  const int64_t found = version.count() == 1 ? static_cast<int64_t>(version.Number(0, 0)) : 0;
  return Failure(StatusCode::kFormat,
                 "the tables in PostgreSQL have version " + std::to_string(found) +
                     ", this program knows version " + std::to_string(kPostgresFormat),
                 found);
}

AppendAnswer AnswerOf(const StatementAnswer& answer) {
  switch (answer.failure) {
    case StatementFailure::kNone: return {AppendOutcome::kDurable, Status::Ok()};
    case StatementFailure::kRefused: return {AppendOutcome::kFailed, answer.status};
    case StatementFailure::kUnknown: break;
  }
  return {AppendOutcome::kUnknown, answer.status};
}

}  // namespace

PostgresEngine::~PostgresEngine() = default;

Result<std::unique_ptr<PostgresConnection>> PostgresEngine::Connect() const {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<PostgresConnection> connection,
                      PostgresConnection::Open(options_.connection));
  TN_RETURN_IF_ERROR(connection->Run("SET synchronous_commit = on").status);
  return connection;
}

StatementAnswer PostgresEngine::RunChecked(PostgresConnection& connection, const char* statement,
                                           const Parameters& parameters,
                                           std::unique_ptr<Rows>* rows) const {
  if (!options_.quorum) return connection.Run(statement, parameters, rows);
  std::unique_ptr<Rows> settings;
  PostgresConnection::Both both =
      connection.RunBoth(statement, parameters, rows, kReadSettings, &settings);
  if (both.first.failure != StatementFailure::kNone) return both.first;
  const Status status =
      both.second.failure == StatementFailure::kNone ? JudgeQuorum(*settings) : both.second.status;
  if (status.ok()) return both.first;
  return {StatementFailure::kUnknown, status, ""};
}

Status PostgresEngine::CheckQuorum(PostgresConnection& connection) const {
  if (!options_.quorum) return Status::Ok();
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(connection.Run(kReadSettings, {}, &rows).status);
  return JudgeQuorum(*rows);
}

Status PostgresEngine::CheckSettings(PostgresConnection& connection) {
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(connection.Run(kReadSettings, {}, &rows).status);
  const Status status = JudgeQuorum(*rows);
  if (status.ok() || status.number() == EAGAIN) return status;
  return Status(StatusCode::kNotSupported, status.text());
}

Status PostgresEngine::JudgeQuorum(const Rows& settings) {
  const Rows* const rows = &settings;
  const std::string names(rows->Bytes(0, 0));
  if (!names.starts_with("ANY ")) {
    return Failure(StatusCode::kUnknownOutcome,
                   "PostgreSQL does not wait for a quorum of standbys: synchronous_standby_names "
                   "is '" +
                       names + "'");
  }
  if (rows->Bytes(0, 1) != "on") {
    return Status(StatusCode::kUnknownOutcome, "PostgreSQL's synchronous_commit is not on");
  }
  if (rows->Number(0, 2) == 0) {
    // Standbys come back by themselves.
    return Status(StatusCode::kUnknownOutcome, "no standby of PostgreSQL's quorum is streaming",
                  EAGAIN);
  }
  return Status::Ok();
}

Status PostgresEngine::MakeTables(const PostgresOptions& options) {
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<PostgresConnection> connection,
                      PostgresConnection::Open(options.connection));
  if (options.quorum) TN_RETURN_IF_ERROR(CheckSettings(*connection));
  TN_RETURN_IF_ERROR(connection->Run("BEGIN").status);
  // Two nodes that do this at a time do it one after the other.
  TN_RETURN_IF_ERROR(connection->Run("SELECT pg_advisory_xact_lock(7306375)").status);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      connection->Run("SELECT 1 FROM pg_namespace WHERE nspname = 'tenure'", {}, &rows).status);
  if (rows->count() == 0) {
    for (const char* statement : kPostgresSchema) {
      TN_RETURN_IF_ERROR(connection->Run(statement).status);
    }
    for (const char* statement : kPostgresSessions) {
      TN_RETURN_IF_ERROR(connection->Run(statement).status);
    }
    return connection->Run("COMMIT").status;
  }
  TN_RETURN_IF_ERROR(connection->Run("SELECT version FROM tenure.format", {}, &rows).status);
  if (rows->count() == 1 && rows->Number(0, 0) == kFormatWithoutSessions) {
    for (const char* statement : kPostgresSessions) {
      TN_RETURN_IF_ERROR(connection->Run(statement).status);
    }
    TN_RETURN_IF_ERROR(connection->Run("UPDATE tenure.format SET version = 2").status);
    return connection->Run("COMMIT").status;
  }
  if (rows->count() != 1 || rows->Number(0, 0) != kPostgresFormat) return OtherFormat(*rows);
  return connection->Run("ROLLBACK").status;
}

Status PostgresEngine::CheckGroup() {
  {
    const MutexLock lock(outside_.mutex);
    TN_RETURN_IF_ERROR(ConnectOutside());
    if (options_.quorum) TN_RETURN_IF_ERROR(CheckSettings(*outside_.connection));
  }
  return CheckTables();
}

Status PostgresEngine::CheckTables() {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(RunOutside(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'tenure' AND tablename = 'format'", {}, &rows));
  if (rows->count() == 0) {
    return Status(StatusCode::kFormat,
                  "the group has no tables yet: 'tenure node init' makes them");
  }
  TN_RETURN_IF_ERROR(RunOutside("SELECT version FROM tenure.format", {}, &rows));
  if (rows->count() == 1 && rows->Number(0, 0) == kFormatWithoutSessions) {
    return Status(StatusCode::kFormat,
                  "the group has the tables of an earlier version: 'tenure node init' makes those "
                  "that are missing");
  }
  if (rows->count() != 1 || rows->Number(0, 0) != kPostgresFormat) return OtherFormat(*rows);
  return Status::Ok();
}

Status PostgresEngine::Run(Link& link, const char* statement, const Parameters& parameters,
                           std::unique_ptr<Rows>* rows) {
  if (link.connection == nullptr) return kEnded;
  const StatementAnswer answer = link.connection->Run(statement, parameters, rows);
  if (answer.failure != StatementFailure::kUnknown) return answer.status;
  link.connection.reset();
  return Status(StatusCode::kClosed, answer.status.text());
}

Status PostgresEngine::ConnectOutside() {
  if (outside_.connection != nullptr) return Status::Ok();
  TN_ASSIGN_OR_RETURN(outside_.connection, Connect());
  ++connections_;
  return Status::Ok();
}

Status PostgresEngine::RunOutside(const char* statement, const Parameters& parameters,
                                  std::unique_ptr<Rows>* rows) {
  TN_RETURN_IF_ERROR(ConnectOutside());
  const StatementAnswer answer = outside_.connection->Run(statement, parameters, rows);
  if (answer.failure == StatementFailure::kUnknown) outside_.connection.reset();
  return answer.status;
}

Status PostgresEngine::Change(const char* statement, const Parameters& parameters,
                              std::unique_ptr<Rows>* rows) {
  TN_RETURN_IF_ERROR(ConnectOutside());
  const StatementAnswer answer = RunChecked(*outside_.connection, statement, parameters, rows);
  if (answer.failure == StatementFailure::kUnknown) outside_.connection.reset();
  return answer.status;
}

// --- Nodes

Result<NodeId> PostgresEngine::EnterNode(std::string_view name, std::string_view address,
                                         std::string_view subject) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      Change("INSERT INTO tenure.node VALUES (convert_from($1::bytea, 'UTF8'),"
             " convert_from($2::bytea, 'UTF8'), 1, 0, convert_from($3::bytea, 'UTF8'))"
             " ON CONFLICT (name) DO UPDATE SET address = excluded.address,"
             " subject = excluded.subject, epoch = tenure.node.epoch + 1 RETURNING epoch",
             Parameters().Bytes(name).Bytes(address).Bytes(subject), &rows));
  return NodeId{std::string(name), rows->Number(0, 0)};
}

Result<bool> PostgresEngine::Beat(const NodeId& node, uint64_t number) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      Change("UPDATE tenure.node SET beat = $3::bigint WHERE name = convert_from($1::bytea, 'UTF8')"
             " AND epoch = $2::bigint",
             Parameters().Bytes(node.name).Int8(node.epoch).Int8(number), &rows));
  return rows->changed() == 1;
}

Result<std::vector<NodeRow>> PostgresEngine::Nodes() {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT name, address, epoch, beat FROM tenure.node ORDER BY name", {}, &rows));
  std::vector<NodeRow> nodes;
  for (size_t i = 0; i < rows->count(); ++i) {
    nodes.push_back({.name = std::string(rows->Bytes(i, 0)),
                     .address = std::string(rows->Bytes(i, 1)),
                     .epoch = rows->Number(i, 2),
                     .beat = rows->Number(i, 3)});
  }
  return nodes;
}

Result<bool> PostgresEngine::TakeNode(const NodeRow& seen) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      Change("UPDATE tenure.node SET epoch = epoch + 1"
             " WHERE name = convert_from($1::bytea, 'UTF8') AND epoch = $2::bigint"
             " AND beat = $3::bigint",
             Parameters().Bytes(seen.name).Int8(seen.epoch).Int8(seen.beat), &rows));
  return rows->changed() == 1;
}

Result<NodeId> PostgresEngine::LeaderOf(const Uuid& store) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(RunOutside("SELECT node, node_epoch FROM tenure.store WHERE uuid = $1::bytea",
                                Parameters().Bytes(BytesOf(store)), &rows));
  if (rows->count() != 1) return kNoStore;
  return NodeId{std::string(rows->Bytes(0, 0)), rows->Number(0, 1)};
}

uint64_t PostgresEngine::connections() {
  const MutexLock lock(outside_.mutex);
  return connections_;
}

// --- Grants

Status PostgresEngine::SetRole(std::string_view store, std::string_view subject, uint16_t role) {
  TN_RETURN_IF_ERROR(FindStore(store).status());
  const MutexLock lock(outside_.mutex);
  Parameters parameters = Parameters().Bytes(store).Bytes(subject);
  if (role == 0) {
    return Change(
        "DELETE FROM tenure.granted g USING tenure.store s WHERE g.store = s.uuid"
        " AND s.name = convert_from($1::bytea, 'UTF8')"
        " AND g.subject = convert_from($2::bytea, 'UTF8')",
        parameters, nullptr);
  }
  return Change(
      "INSERT INTO tenure.granted SELECT uuid, convert_from($2::bytea, 'UTF8'),"
      " $3::bigint FROM tenure.store WHERE name = convert_from($1::bytea, 'UTF8')"
      " ON CONFLICT (store, subject) DO UPDATE SET role = excluded.role",
      parameters.Int8(role), nullptr);
}

Result<PostgresEngine::Rights> PostgresEngine::RightsOf(std::string_view store,
                                                        std::string_view subject) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT coalesce(g.role, 0)::bigint, (SELECT count(*) FROM tenure.node n"
                 " WHERE n.subject = convert_from($2::bytea, 'UTF8'))"
                 " FROM tenure.store s LEFT JOIN tenure.granted g"
                 " ON g.store = s.uuid AND g.subject = convert_from($2::bytea, 'UTF8')"
                 " WHERE s.name = convert_from($1::bytea, 'UTF8')",
                 Parameters().Bytes(store).Bytes(subject), &rows));
  if (rows->count() != 1) {
    return Failure(StatusCode::kNotFound, "store " + std::string(store) + " does not exist");
  }
  return Rights{static_cast<uint16_t>(rows->Number(0, 0)), rows->Number(0, 1) != 0};
}

Result<std::vector<PostgresEngine::Grant>> PostgresEngine::Grants(std::string_view store) {
  TN_RETURN_IF_ERROR(FindStore(store).status());
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT g.subject, g.role::bigint FROM tenure.granted g JOIN tenure.store s"
                 " ON g.store = s.uuid WHERE s.name = convert_from($1::bytea, 'UTF8')"
                 " ORDER BY g.subject COLLATE \"C\"",
                 Parameters().Bytes(store), &rows));
  std::vector<Grant> grants;
  for (size_t i = 0; i < rows->count(); ++i) {
    grants.push_back({std::string(rows->Bytes(i, 0)), static_cast<uint16_t>(rows->Number(i, 1))});
  }
  return grants;
}

// --- Stores

Result<std::vector<PostgresEngine::StoreRow>> PostgresEngine::StoreRows() {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT name, uuid, node, node_epoch FROM tenure.store"
                 " ORDER BY name COLLATE \"C\"",
                 {}, &rows));
  std::vector<StoreRow> stores;
  for (size_t i = 0; i < rows->count(); ++i) {
    StoreRow row{.name = std::string(rows->Bytes(i, 0)),
                 .uuid = {},
                 .leader = {std::string(rows->Bytes(i, 2)), rows->Number(i, 3)}};
    if (!ReadBytes(rows->Bytes(i, 1), &row.uuid)) return Damaged("store");
    stores.push_back(std::move(row));
  }
  return stores;
}

Status PostgresEngine::ReleaseStore(const Uuid& store, uint64_t term) {
  const MutexLock lock(outside_.mutex);
  return Change(
      "UPDATE tenure.store SET node = '', node_epoch = 0 WHERE uuid = $1::bytea"
      " AND term = $2::bigint",
      Parameters().Bytes(BytesOf(store)).Int8(term), nullptr);
}

Result<std::vector<std::string>> PostgresEngine::Stores() {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT name FROM tenure.store ORDER BY name COLLATE \"C\"", {}, &rows));
  std::vector<std::string> names;
  for (size_t i = 0; i < rows->count(); ++i) names.emplace_back(rows->Bytes(i, 0));
  return names;
}

Status PostgresEngine::CreateStore(std::string_view name) { return CreateStore(name, "", 0); }

Status PostgresEngine::CreateStore(std::string_view name, std::string_view owner, uint16_t role) {
  const MutexLock lock(outside_.mutex);
  const Status status = Change(
      "WITH s AS (INSERT INTO tenure.store VALUES ($1::bytea, convert_from($2::bytea, 'UTF8'),"
      " $3::bigint, 0, 0, '', 0) RETURNING uuid), g AS (INSERT INTO tenure.granted"
      " SELECT uuid, convert_from($4::bytea, 'UTF8'), $5::bigint FROM s WHERE $5::bigint <> 0)"
      " INSERT INTO tenure.applied SELECT uuid, 0, 0 FROM s",
      Parameters().Bytes(BytesOf(NewUuid())).Bytes(name).Int8(NewTag()).Bytes(owner).Int8(role),
      nullptr);
  if (status.code() == StatusCode::kExists) {
    return Failure(StatusCode::kExists, "store " + std::string(name) + " exists already");
  }
  return status;
}

Result<Uuid> PostgresEngine::FindStore(std::string_view name) {
  const MutexLock lock(outside_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      RunOutside("SELECT uuid FROM tenure.store WHERE name = convert_from($1::bytea, 'UTF8')",
                 Parameters().Bytes(name), &rows));
  if (rows->count() == 0) {
    return Failure(StatusCode::kNotFound, "store " + std::string(name) + " does not exist");
  }
  Uuid uuid;
  if (!ReadBytes(rows->Bytes(0, 0), &uuid)) return Damaged("store");
  return uuid;
}

Result<Attachment> PostgresEngine::Attach(const Uuid& store, const NodeId& node,
                                          const NodeId* former) {
  const MutexLock log_lock(log_.mutex), apply_lock(apply_.mutex), read_lock(read_.mutex);
  for (Link* const link : {&log_, &apply_, &read_}) {
    link->connection.reset();
    TN_ASSIGN_OR_RETURN(link->connection, Connect());
  }
  const auto run = [&](const char* statement, const Parameters& parameters,
                       std::unique_ptr<Rows>* rows) {
    return log_.connection->Run(statement, parameters, rows).status;
  };
  const Parameters uuid = Parameters().Bytes(BytesOf(store));
  std::unique_ptr<Rows> row, applied;
  // The row's lock waits for an append in progress; that append is committed first, or finds
  // another term. The same holds for an apply, and for the reading of `applied`.
  TN_RETURN_IF_ERROR(run("BEGIN", {}, nullptr));
  if (!node.name.empty()) {
    // The lock keeps others from taking the node's place until this is committed.
    TN_RETURN_IF_ERROR(
        run("SELECT 1 FROM tenure.node WHERE name = convert_from($1::bytea, 'UTF8')"
            " AND epoch = $2::bigint FOR SHARE",
            Parameters().Bytes(node.name).Int8(node.epoch), &row));
    if (row->count() != 1) return kTermOver;
  }
  if (former != nullptr) {
    TN_RETURN_IF_ERROR(
        run("SELECT convert_to(node, 'UTF8'), node_epoch FROM tenure.store WHERE uuid = $1::bytea"
            " FOR UPDATE",
            uuid, &row));
    if (row->count() != 1) return kNoStore;
    if (NodeId{std::string(row->Bytes(0, 0)), row->Number(0, 1)} != *former) {
      return Status(StatusCode::kConflict, "another node has become the store's leader");
    }
  }
  TN_RETURN_IF_ERROR(
      run("UPDATE tenure.store SET term = term + 1, last = last + 1,"
          " node = convert_from($2::bytea, 'UTF8'), node_epoch = $3::bigint"
          " WHERE uuid = $1::bytea RETURNING term, last, lineage",
          Parameters(uuid).Bytes(node.name).Int8(node.epoch), &row));
  if (row->count() != 1) return kNoStore;
  Attachment attachment{.term = row->Number(0, 0),
                        .last = row->Number(0, 1),
                        .applied = 0,
                        .lineage = row->Number(0, 2)};
  TN_RETURN_IF_ERROR(
      run("UPDATE tenure.applied SET term = $2::bigint WHERE store = $1::bytea"
          " RETURNING pos",
          Parameters(uuid).Int8(attachment.term), &applied));
  if (applied->count() != 1) return Damaged("applied");
  attachment.applied = applied->Number(0, 0);
  TN_RETURN_IF_ERROR(
      run("INSERT INTO tenure.log VALUES ($1::bytea, $2::bigint, 0, $3::bigint,"
          " ''::bytea, ''::bytea)",
          Parameters(uuid).Int8(attachment.last).Int8(static_cast<uint64_t>(RecordKind::kTerm)),
          nullptr));
  // Waits until the term, and with it all that precedes it in PostgreSQL's log, is on a quorum.
  TN_RETURN_IF_ERROR(run("COMMIT", {}, nullptr));
  TN_RETURN_IF_ERROR(CheckQuorum(*log_.connection));
  for (Link* const link : {&apply_, &read_}) {
    // The other connections may lead to a machine that was the primary before.
    TN_RETURN_IF_ERROR(link->connection
                           ->Run("SELECT 1 FROM tenure.store WHERE uuid = $1::bytea"
                                 " AND term >= $2::bigint",
                                 Parameters(uuid).Int8(attachment.term), &row)
                           .status);
    if (row->count() != 1) {
      return Status(StatusCode::kIo, "the connections lead to different machines");
    }
  }
  TN_RETURN_IF_ERROR(apply_.connection->Run("SET synchronous_commit = off").status);
  // A leader seldom asks about nodes or other stores; then it connects again.
  const MutexLock outside(outside_.mutex);
  outside_.connection.reset();
  return attachment;
}

// --- The log

AppendAnswer PostgresEngine::Append(const Uuid& store, uint64_t term, uint64_t last,
                                    std::span<const LogRecord> records) {
  const MutexLock lock(log_.mutex);
  if (log_.connection == nullptr) return {AppendOutcome::kUnknown, kEnded};
  PostgresConnection& connection = *log_.connection;
  const Parameters condition =
      Parameters().Bytes(BytesOf(store)).Int8(term).Int8(last).Int8(last + records.size());
  std::vector<LogColumns> statements(1);
  size_t bytes = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    if (bytes > options_.statement_bytes) {
      statements.emplace_back();
      bytes = 0;
    }
    statements.back().Add(last + 1 + i, records[i]);
    bytes += records[i].body.size();
  }
  StatementAnswer answer;
  uint64_t found = 0;
  std::unique_ptr<Rows> rows;
  if (statements.size() == 1) {
    Parameters parameters = condition;
    answer = RunChecked(
        connection,
        "WITH s AS (UPDATE tenure.store SET last = $4::bigint WHERE uuid = $1::bytea"
        " AND term = $2::bigint AND last = $3::bigint RETURNING uuid)"
        " INSERT INTO tenure.log SELECT s.uuid, l.* FROM s, unnest($5::bigint[], $6::int[],"
        " $7::smallint[], $8::bytea[], $9::bytea[]) AS l",
        statements.front().PutInto(parameters), &rows);
    if (answer.failure == StatementFailure::kNone) found = rows->changed();
  } else {
    const auto run = [&](const char* statement, const Parameters& parameters = {}) {
      if (answer.failure == StatementFailure::kNone) {
        answer = connection.Run(statement, parameters, &rows);
      }
    };
    run("BEGIN");
    run("UPDATE tenure.store SET last = $4::bigint WHERE uuid = $1::bytea AND term = $2::bigint"
        " AND last = $3::bigint",
        condition);
    if (answer.failure == StatementFailure::kNone) found = rows->changed();
    for (const LogColumns& columns : statements) {
      if (found == 0) break;
      Parameters parameters;
      parameters.Bytes(BytesOf(store));
      run("INSERT INTO tenure.log SELECT $1::bytea, l.* FROM unnest($2::bigint[], $3::int[],"
          " $4::smallint[], $5::bytea[], $6::bytea[]) AS l",
          columns.PutInto(parameters));
    }
    if (answer.failure == StatementFailure::kNone && found > 0) {
      answer = RunChecked(connection, "COMMIT", {}, nullptr);
    } else if (answer.failure == StatementFailure::kNone) {
      run("ROLLBACK");
    } else if (answer.failure == StatementFailure::kRefused) {
      static_cast<void>(connection.Run("ROLLBACK"));
    }
  }
  if (answer.failure == StatementFailure::kUnknown) log_.connection.reset();
  if (answer.failure != StatementFailure::kNone) return AnswerOf(answer);
  if (found == 0) return {AppendOutcome::kFenced, kTermOver};
  return {AppendOutcome::kDurable, Status::Ok()};
}

Result<StoreContents> PostgresEngine::Load(const Uuid& store, uint64_t term) {
  const MutexLock lock(read_.mutex);
  StoreContents contents;
  TN_RETURN_IF_ERROR(Run(read_, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  const Status status = LoadIn(store, term, &contents);
  const Status ended = Run(read_, "ROLLBACK");
  TN_RETURN_IF_ERROR(status);
  TN_RETURN_IF_ERROR(ended);
  return contents;
}

Status PostgresEngine::LoadIn(const Uuid& store, uint64_t term, StoreContents* contents) {
  const Parameters uuid = Parameters().Bytes(BytesOf(store));
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(
      Run(read_, "SELECT term FROM tenure.store WHERE uuid = $1::bytea", uuid, &rows));
  if (rows->count() != 1 || rows->Number(0, 0) != term) return kTermOver;
  TN_RETURN_IF_ERROR(Run(read_,
                         "SELECT pos, part, kind, id, body FROM tenure.log WHERE store = $1::bytea"
                         " ORDER BY pos, part",
                         uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    const uint64_t position = rows->Number(i, 0);
    if (rows->Number(i, 1) == 0) {
      PlacedRecord& placed = contents->log.emplace_back();
      placed.position = position;
      placed.record.kind = static_cast<RecordKind>(rows->Number(i, 2));
      if (!rows->Bytes(i, 3).empty() && !ReadBytes(rows->Bytes(i, 3), &placed.record.id)) {
        return Damaged("log");
      }
    } else if (contents->log.empty() || contents->log.back().position != position) {
      return Damaged("log");
    }
    contents->log.back().record.body += rows->Bytes(i, 4);
  }
  TN_RETURN_IF_ERROR(Run(read_,
                         "SELECT uuid, convert_to(name, 'UTF8'), root, next_page, freed"
                         " FROM tenure.db WHERE store = $1::bytea",
                         uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    DatabaseRow& row = contents->databases.emplace_back();
    row.name = rows->Bytes(i, 1);
    row.root = PersistentRef{rows->Number(i, 2)};
    row.next_page = rows->Number(i, 3);
    if (!ReadBytes(rows->Bytes(i, 0), &row.uuid) || !DecodeAll(rows->Bytes(i, 4), &row.freed)) {
      return Damaged("db");
    }
  }
  TN_RETURN_IF_ERROR(Run(read_,
                         "SELECT r.db, r.kind, r.body FROM tenure.ref r, tenure.db d"
                         " WHERE d.store = $1::bytea AND r.db = d.uuid ORDER BY r.db, r.kind, r.no",
                         uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    Uuid database;
    if (!ReadBytes(rows->Bytes(i, 0), &database)) return Damaged("ref");
    if (contents->references.empty() || contents->references.back().database != database) {
      contents->references.push_back({.database = database, .imports = {}, .exports = {}});
    }
    ReferenceRows& entries = contents->references.back();
    const std::span<const std::byte> body = std::as_bytes(std::span(rows->Bytes(i, 2)));
    if (rows->Number(i, 1) == kImport) {
      const std::optional<ImportEntry> entry = DecodeImport(body);
      if (!entry) return Damaged("ref");
      entries.imports.push_back(*entry);
    } else {
      const std::optional<ExportEntry> entry = DecodeExport(body);
      if (!entry) return Damaged("ref");
      entries.exports.push_back(*entry);
    }
  }
  TN_RETURN_IF_ERROR(
      Run(read_, "SELECT body FROM tenure.type WHERE store = $1::bytea ORDER BY idx", uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) contents->types.emplace_back(rows->Bytes(i, 0));
  TN_RETURN_IF_ERROR(
      Run(read_, "SELECT pos, id FROM tenure.outcome WHERE store = $1::bytea", uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    CommitMark& mark = contents->outcomes.emplace_back();
    mark.version = rows->Number(i, 0);
    if (!ReadBytes(rows->Bytes(i, 1), &mark.id)) return Damaged("outcome");
  }
  TN_RETURN_IF_ERROR(
      Run(read_, "SELECT kind, id, body FROM tenure.doubt WHERE store = $1::bytea", uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    CommitId id;
    if (!ReadBytes(rows->Bytes(i, 1), &id)) return Damaged("doubt");
    if (rows->Number(i, 0) == kPrepared) {
      contents->prepared.push_back({id, std::string(rows->Bytes(i, 2))});
      continue;
    }
    contents->decisions.push_back({.id = id, .waits_for = {}});
    if (!DecodeAll(rows->Bytes(i, 2), &contents->decisions.back().waits_for)) {
      return Damaged("doubt");
    }
  }
  TN_RETURN_IF_ERROR(
      Run(read_, "SELECT id, program FROM tenure.session WHERE store = $1::bytea", uuid, &rows));
  for (size_t i = 0; i < rows->count(); ++i) {
    SessionRow& row = contents->sessions.emplace_back();
    row.program = rows->Bytes(i, 1);
    if (!ReadBytes(rows->Bytes(i, 0), &row.session)) return Damaged("session");
  }
  return Status::Ok();
}

// --- Pages and tables

Status PostgresEngine::ReadPages(const Uuid&, const Uuid& database, std::span<const PageId> pages,
                                 std::span<PageReply> replies) {
  std::vector<uint64_t> numbers;
  for (const PageId page : pages) numbers.push_back(page.number);
  std::unique_ptr<Rows> rows;
  {
    const MutexLock lock(read_.mutex);
    TN_RETURN_IF_ERROR(Run(
        read_, "SELECT no, body FROM tenure.page WHERE db = $1::bytea AND no = ANY($2::bigint[])",
        Parameters().Bytes(BytesOf(database)).Int8s(numbers), &rows));
  }
  std::map<uint64_t, size_t> places;
  for (size_t i = 0; i < rows->count(); ++i) places[rows->Number(i, 0)] = i;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto found = places.find(pages[i].number);
    if (found == places.end()) {
      replies[i].status = Status(StatusCode::kNotFound, "the page does not exist");
    } else if (!ReadBytes(rows->Bytes(found->second, 1), &replies[i].record)) {
      replies[i].status =
          Failure(StatusCode::kCorrupt,
                  "page " + std::to_string(pages[i].number) + " is damaged: its length is wrong",
                  static_cast<int64_t>(pages[i].number));
    } else {
      replies[i].status = Status::Ok();
    }
  }
  return Status::Ok();
}

Result<uint64_t> PostgresEngine::CountPages(const Uuid&, const Uuid& database) {
  const MutexLock lock(read_.mutex);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(Run(read_, "SELECT count(*) FROM tenure.page WHERE db = $1::bytea",
                         Parameters().Bytes(BytesOf(database)), &rows));
  return rows->Number(0, 0);
}

Status PostgresEngine::Apply(const Uuid& store, uint64_t term, const ApplyBatch& batch) {
  const MutexLock lock(apply_.mutex);
  TN_RETURN_IF_ERROR(Run(apply_, "BEGIN"));
  const Status status = ApplyIn(store, term, batch);
  if (status.ok()) {
    const Status committed = Run(apply_, "COMMIT");
    // The outcome is unknown, so the leader's memory may differ from the tables.
    if (!committed.ok()) apply_.connection.reset();
    return committed.ok() ? committed : Failure(StatusCode::kClosed, committed.text());
  }
  if (status.code() != StatusCode::kClosed) {
    const Status undone = Run(apply_, "ROLLBACK");
    if (!undone.ok()) return undone;
  }
  return status;
}

Status PostgresEngine::ApplyIn(const Uuid& store, uint64_t term, const ApplyBatch& batch) {
  const std::string_view uuid = BytesOf(store);
  std::unique_ptr<Rows> rows;
  TN_RETURN_IF_ERROR(Run(apply_,
                         "UPDATE tenure.applied SET pos = $3::bigint WHERE store = $1::bytea"
                         " AND term = $2::bigint",
                         Parameters().Bytes(uuid).Int8(term).Int8(batch.position), &rows));
  if (rows->changed() != 1) return kTermOver;
  for (const Uuid& database : batch.deleted) {
    for (const char* statement : {"DELETE FROM tenure.page WHERE db = $1::bytea",
                                  "DELETE FROM tenure.ref WHERE db = $1::bytea",
                                  "DELETE FROM tenure.db WHERE uuid = $1::bytea"}) {
      TN_RETURN_IF_ERROR(Run(apply_, statement, Parameters().Bytes(BytesOf(database))));
    }
  }
  for (const DatabaseRow& row : batch.databases) {
    TN_RETURN_IF_ERROR(Run(apply_,
                           "INSERT INTO tenure.db VALUES ($1::bytea, $2::bytea,"
                           " convert_from($3::bytea, 'UTF8'), $4::bigint, $5::bigint, $6::bytea)"
                           " ON CONFLICT (uuid) DO UPDATE SET root = excluded.root,"
                           " next_page = excluded.next_page, freed = excluded.freed",
                           Parameters()
                               .Bytes(BytesOf(row.uuid))
                               .Bytes(uuid)
                               .Bytes(row.name)
                               .Int8(row.root.bits)
                               .Int8(row.next_page)
                               .Bytes(EncodeAll(std::span(row.freed)))));
  }
  TN_RETURN_IF_ERROR(ApplyPages(batch.pages));
  for (const ReferenceRows& entries : batch.references) {
    const auto add = [&](ReferenceKind kind, uint64_t number, const std::string& body) {
      return Run(apply_,
                 "INSERT INTO tenure.ref VALUES ($1::bytea, $2::bigint, $3::bigint, $4::bytea)",
                 Parameters().Bytes(BytesOf(entries.database)).Int8(kind).Int8(number).Bytes(body));
    };
    for (size_t i = 0; i < entries.imports.size(); ++i) {
      TN_RETURN_IF_ERROR(
          add(kImport, entries.imports_before + i + 1, EncodeImport(entries.imports[i])));
    }
    for (size_t i = 0; i < entries.exports.size(); ++i) {
      TN_RETURN_IF_ERROR(
          add(kExport, entries.exports_before + i + 1, EncodeExport(entries.exports[i])));
    }
  }
  for (const std::string& description : batch.types) {
    TN_RETURN_IF_ERROR(Run(apply_,
                           "INSERT INTO tenure.type SELECT $1::bytea, coalesce(max(idx), 0) + 1,"
                           " $2::bytea FROM tenure.type WHERE store = $1::bytea",
                           Parameters().Bytes(uuid).Bytes(description)));
  }
  if (!batch.forgotten.empty()) {
    const std::vector<uint64_t> versions(batch.forgotten.begin(), batch.forgotten.end());
    TN_RETURN_IF_ERROR(Run(apply_,
                           "DELETE FROM tenure.outcome WHERE store = $1::bytea"
                           " AND pos = ANY($2::bigint[])",
                           Parameters().Bytes(uuid).Int8s(versions)));
  }
  if (!batch.outcomes.empty()) {
    std::vector<uint64_t> versions;
    std::vector<std::string_view> ids;
    for (const CommitMark& mark : batch.outcomes) {
      versions.push_back(mark.version);
      ids.push_back(BytesOf(mark.id));
    }
    TN_RETURN_IF_ERROR(Run(apply_,
                           "INSERT INTO tenure.outcome SELECT $1::bytea, o.* FROM"
                           " unnest($2::bigint[], $3::bytea[]) AS o",
                           Parameters().Bytes(uuid).Int8s(versions).ByteArrays(ids)));
  }
  const auto put_doubt = [&](DoubtKind kind, CommitId id, const std::string& body) {
    Parameters key = Parameters().Bytes(uuid).Int8(kind).Bytes(BytesOf(id));
    if (body.empty()) {
      return Run(apply_,
                 "DELETE FROM tenure.doubt WHERE store = $1::bytea AND kind = $2::bigint"
                 " AND id = $3::bytea",
                 key);
    }
    return Run(apply_,
               "INSERT INTO tenure.doubt VALUES ($1::bytea, $2::bigint, $3::bytea, $4::bytea)"
               " ON CONFLICT (store, kind, id) DO UPDATE SET body = excluded.body",
               key.Bytes(body));
  };
  for (const PreparedRow& row : batch.prepared) {
    TN_RETURN_IF_ERROR(put_doubt(kPrepared, row.id, row.body));
  }
  for (const DecisionRow& row : batch.decisions) {
    TN_RETURN_IF_ERROR(put_doubt(kDecision, row.id, EncodeAll(std::span(row.waits_for))));
  }
  for (const SessionRow& row : batch.sessions) {
    Parameters key = Parameters().Bytes(uuid).Bytes(BytesOf(row.session));
    TN_RETURN_IF_ERROR(
        row.ended
            ? Run(apply_, "DELETE FROM tenure.session WHERE store = $1::bytea AND id = $2::bytea",
                  key)
            : Run(apply_,
                  "INSERT INTO tenure.session VALUES ($1::bytea, $2::bytea, $3::bytea)"
                  " ON CONFLICT (store, id) DO UPDATE SET program = excluded.program",
                  key.Bytes(row.program)));
  }
  return Run(apply_, "DELETE FROM tenure.log WHERE store = $1::bytea AND pos <= $2::bigint",
             Parameters().Bytes(uuid).Int8(batch.position));
}

Status PostgresEngine::ApplyPages(std::span<const AppliedPage> pages) {
  // They are sorted by database.
  while (!pages.empty()) {
    size_t count = 1;
    while (count < pages.size() && count < kPagesTogether &&
           pages[count].database == pages[0].database) {
      ++count;
    }
    std::vector<uint64_t> written, removed;
    std::vector<std::string_view> bodies;
    for (const AppliedPage& page : pages.first(count)) {
      if (page.record == nullptr) {
        removed.push_back(page.page.number);
      } else {
        written.push_back(page.page.number);
        bodies.push_back(BytesOf(*page.record));
      }
    }
    const std::string_view database = BytesOf(pages[0].database);
    if (!written.empty()) {
      TN_RETURN_IF_ERROR(Run(apply_,
                             "INSERT INTO tenure.page SELECT $1::bytea, p.* FROM"
                             " unnest($2::bigint[], $3::bytea[]) AS p"
                             " ON CONFLICT (db, no) DO UPDATE SET body = excluded.body",
                             Parameters().Bytes(database).Int8s(written).ByteArrays(bodies)));
    }
    if (!removed.empty()) {
      TN_RETURN_IF_ERROR(
          Run(apply_, "DELETE FROM tenure.page WHERE db = $1::bytea AND no = ANY($2::bigint[])",
              Parameters().Bytes(database).Int8s(removed)));
    }
    pages = pages.subspan(count);
  }
  return Status::Ok();
}

}  // namespace tenure::store
