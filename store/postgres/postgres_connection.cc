#include "store/postgres/postgres_connection.h"

#include <bit>
#include <cstring>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::store {

namespace {

// PostgreSQL's numbers are big-endian.
template <typename T>
void PutBig(std::string* out, T value) {
  for (size_t i = sizeof value; i-- > 0;) out->push_back(static_cast<char>(value >> (8 * i)));
}

// The number of an element type in PostgreSQL's catalogue.
enum ElementType : uint32_t { kBytea = 17, kInt8 = 20, kInt2 = 21, kInt4 = 23 };

std::string ArrayHead(ElementType type, size_t count) {
  std::string text;
  PutBig(&text, uint32_t{1});  // dimensions
  PutBig(&text, uint32_t{0});  // no NULLs
  PutBig(&text, static_cast<uint32_t>(type));
  PutBig(&text, static_cast<uint32_t>(count));
  PutBig(&text, uint32_t{1});  // the first index
  return text;
}

template <typename T>
std::string ArrayOf(ElementType type, std::span<const T> values) {
  std::string text = ArrayHead(type, values.size());
  for (const T value : values) {
    PutBig(&text, static_cast<uint32_t>(sizeof value));
    PutBig(&text, value);
  }
  return text;
}

// Without the line's end.
std::string TextOf(const char* message) {
  std::string text = message;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

StatusCode CodeOf(std::string_view sql_state) {
  if (sql_state == "53100") return StatusCode::kNoSpace;
  if (sql_state == "53200") return StatusCode::kNoMemory;
  if (sql_state == "23505") return StatusCode::kExists;
  if (sql_state == "42501" || sql_state.starts_with("28")) return StatusCode::kPermission;
  return StatusCode::kIo;
}

}  // namespace

Parameters& Parameters::Bytes(std::string_view value) {
  values_.emplace_back(value);
  return *this;
}

Parameters& Parameters::Bytes(std::span<const std::byte> value) {
  return Bytes(std::string_view(reinterpret_cast<const char*>(value.data()), value.size()));
}

Parameters& Parameters::Int8(uint64_t value) {
  PutBig(&values_.emplace_back(), value);
  return *this;
}

Parameters& Parameters::Int8s(std::span<const uint64_t> values) {
  values_.push_back(ArrayOf(kInt8, values));
  return *this;
}

Parameters& Parameters::Int4s(std::span<const uint32_t> values) {
  values_.push_back(ArrayOf(kInt4, values));
  return *this;
}

Parameters& Parameters::Int2s(std::span<const uint16_t> values) {
  values_.push_back(ArrayOf(kInt2, values));
  return *this;
}

Parameters& Parameters::ByteArrays(std::span<const std::string_view> values) {
  std::string text = ArrayHead(kBytea, values.size());
  for (const std::string_view value : values) {
    PutBig(&text, static_cast<uint32_t>(value.size()));
    text += value;
  }
  values_.push_back(std::move(text));
  return *this;
}

uint64_t Rows::changed() const {
  const char* const text = PQcmdTuples(result_.get());
  return std::strtoull(text, nullptr, 10);
}

uint64_t Rows::Number(size_t row, int column) const {
  uint64_t value = 0;
  for (const char byte : Bytes(row, column)) value = value << 8 | static_cast<uint8_t>(byte);
  return value;
}

std::string_view Rows::Bytes(size_t row, int column) const {
  return {PQgetvalue(result_.get(), static_cast<int>(row), column),
          static_cast<size_t>(PQgetlength(result_.get(), static_cast<int>(row), column))};
}

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::Open(
    const std::string& parameters) {
  // Detects a machine that is gone. `parameters` come last, so they may override these.
  const char* const names[] = {"connect_timeout",
                               "keepalives_idle",
                               "keepalives_interval",
                               "keepalives_count",
                               "tcp_user_timeout",
                               "application_name",
                               "dbname",
                               nullptr};
  const char* const values[] = {"5", "4", "2", "2", "8000", "tenure", parameters.c_str(), nullptr};
  PGconn* const connection = PQconnectdbParams(names, values, /*expand_dbname=*/1);
  if (connection == nullptr) {
    return Status(StatusCode::kNoMemory, "no memory for a connection to PostgreSQL");
  }
  if (PQstatus(connection) != CONNECTION_OK) {
    const Status status = Failure(
        StatusCode::kIo, "cannot connect to PostgreSQL: " + TextOf(PQerrorMessage(connection)));
    PQfinish(connection);
    return status;
  }
  return std::unique_ptr<PostgresConnection>(new PostgresConnection(connection));
}

PostgresConnection::PostgresConnection(PGconn* connection) : connection_(connection) {
  PQsetNoticeReceiver(connection_, Note, this);
}

PostgresConnection::~PostgresConnection() { PQfinish(connection_); }

void PostgresConnection::Note(void* self, const PGresult* notice) {
  const char* const severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  if (severity == nullptr || std::strcmp(severity, "WARNING") != 0) return;
  static_cast<PostgresConnection*>(self)->warning_ = TextOf(PQresultErrorMessage(notice));
}

StatementAnswer PostgresConnection::Run(const char* statement, const Parameters& parameters,
                                        std::unique_ptr<Rows>* rows) {
  std::vector<const char*> values;
  std::vector<int> lengths;
  for (const std::string& value : parameters.values()) {
    values.push_back(value.data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  const std::vector<int> formats(values.size(), 1);  // binary
  warning_.clear();
  PGresult* const result =
      PQexecParams(connection_, statement, static_cast<int>(values.size()), nullptr, values.data(),
                   lengths.data(), formats.data(), /*resultFormat=*/1);
  auto kept = std::make_unique<Rows>(result);
  const ExecStatusType state = PQresultStatus(result);
  if (state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK) {
    if (rows != nullptr) *rows = std::move(kept);
    if (warning_.empty()) return {};
    // "canceling wait for synchronous replication": committed here, perhaps nowhere else.
    return {StatementFailure::kUnknown, Failure(StatusCode::kUnknownOutcome, warning_), ""};
  }
  const char* const severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* const sql_state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string text = "PostgreSQL: " + TextOf(PQerrorMessage(connection_));
  // Class 57: the server is shutting down, or an administrator has cancelled the statement, perhaps
  // while its commit waited for other machines.
  if (severity != nullptr && std::strcmp(severity, "ERROR") == 0 && sql_state != nullptr &&
      std::strncmp(sql_state, "57", 2) != 0 && !ended()) {
    return {StatementFailure::kRefused, Failure(CodeOf(sql_state), text), sql_state};
  }
  return {StatementFailure::kUnknown, Failure(StatusCode::kUnknownOutcome, text), ""};
}

}  // namespace tenure::store
