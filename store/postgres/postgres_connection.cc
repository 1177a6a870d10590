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
  const char* const values[] = {"3", "4", "2", "2", "8000", "tenure", parameters.c_str(), nullptr};
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

namespace {

// Parameters as libpq takes them.
struct SentParameters {
  explicit SentParameters(const Parameters& parameters)
      : formats(parameters.values().size(), 1) {  // binary
    for (const std::string& value : parameters.values()) {
      values.push_back(value.data());
      lengths.push_back(static_cast<int>(value.size()));
    }
  }
  int count() const { return static_cast<int>(values.size()); }

  std::vector<const char*> values;
  std::vector<int> lengths, formats;
};

}  // namespace

StatementAnswer PostgresConnection::Run(const char* statement, const Parameters& parameters,
                                        std::unique_ptr<Rows>* rows) {
  const SentParameters sent(parameters);
  warning_.clear();
  return Judge(std::make_unique<Rows>(PQexecParams(connection_, statement, sent.count(), nullptr,
                                                   sent.values.data(), sent.lengths.data(),
                                                   sent.formats.data(), /*resultFormat=*/1)),
               rows);
}

PostgresConnection::Both PostgresConnection::RunBoth(const char* first,
                                                     const Parameters& parameters,
                                                     std::unique_ptr<Rows>* rows,
                                                     const char* second,
                                                     std::unique_ptr<Rows>* second_rows) {
  const char* const first_name = Prepared(first);
  const char* const second_name = Prepared(second);
  const bool is_sent = PQenterPipelineMode(connection_) != 0 &&
                       Send(first_name, first, parameters) && PQpipelineSync(connection_) != 0 &&
                       Send(second_name, second, {}) && PQpipelineSync(connection_) != 0;
  Both both;
  if (is_sent) {
    both.first = ReceiveOne(rows);
    if (both.first.failure != StatementFailure::kUnknown) both.second = ReceiveOne(second_rows);
  } else {
    both.first = {
        StatementFailure::kUnknown,
        Failure(StatusCode::kUnknownOutcome, "PostgreSQL: " + TextOf(PQerrorMessage(connection_))),
        ""};
  }
  if (both.first.failure == StatementFailure::kUnknown) both.second = both.first;
  // What has not been received is of no use: the caller drops the connection.
  if (both.second.failure != StatementFailure::kUnknown) (void)PQexitPipelineMode(connection_);
  return both;
}

const char* PostgresConnection::Prepared(const char* statement) {
  constexpr size_t kMost = 16;  // the text of further statements is sent for each run
  const auto found = prepared_.find(statement);
  if (found != prepared_.end()) return found->second.c_str();
  // A failure would end an open transaction.
  if (prepared_.size() == kMost || PQtransactionStatus(connection_) != PQTRANS_IDLE) return nullptr;
  const std::string name = "s" + std::to_string(prepared_.size());
  const Rows made(PQprepare(connection_, name.c_str(), statement, 0, nullptr));
  // The statement itself reports what is wrong with it.
  if (PQresultStatus(made.result()) != PGRES_COMMAND_OK) return nullptr;
  return prepared_.emplace(statement, name).first->second.c_str();
}

bool PostgresConnection::Send(const char* name, const char* statement,
                              const Parameters& parameters) {
  const SentParameters sent(parameters);
  const int done =
      name != nullptr
          ? PQsendQueryPrepared(connection_, name, sent.count(), sent.values.data(),
                                sent.lengths.data(), sent.formats.data(), /*resultFormat=*/1)
          : PQsendQueryParams(connection_, statement, sent.count(), nullptr, sent.values.data(),
                              sent.lengths.data(), sent.formats.data(), /*resultFormat=*/1);
  return done != 0;
}

StatementAnswer PostgresConnection::ReceiveOne(std::unique_ptr<Rows>* rows) {
  warning_.clear();
  std::unique_ptr<Rows> last;
  int ends = 0;
  while (true) {
    auto result = std::make_unique<Rows>(PQgetResult(connection_));
    if (result->result() == nullptr) {
      // The end of a statement's results. There is one before the mark, unless something is wrong.
      if (++ends > 1 || ended()) break;
      continue;
    }
    // The statement is committed at the mark, so warnings and failures of its commit have come.
    if (PQresultStatus(result->result()) == PGRES_PIPELINE_SYNC && last != nullptr) {
      return Judge(std::move(last), rows);
    }
    // An error is not replaced by what follows it.
    if (last == nullptr || PQresultStatus(last->result()) != PGRES_FATAL_ERROR) {
      last = std::move(result);
    }
  }
  return {
      StatementFailure::kUnknown,
      Failure(StatusCode::kUnknownOutcome, "PostgreSQL: " + TextOf(PQerrorMessage(connection_))),
      ""};
}

StatementAnswer PostgresConnection::Judge(std::unique_ptr<Rows> kept, std::unique_ptr<Rows>* rows) {
  const PGresult* const result = kept->result();
  const ExecStatusType state = PQresultStatus(result);
  if (state == PGRES_COMMAND_OK || state == PGRES_TUPLES_OK) {
    if (rows != nullptr) *rows = std::move(kept);
    if (warning_.empty()) return {};
    // "canceling wait for synchronous replication": committed here, perhaps nowhere else.
    return {StatementFailure::kUnknown, Failure(StatusCode::kUnknownOutcome, warning_), ""};
  }
  const char* const severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* const sql_state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* const message = PQresultErrorMessage(result);
  const std::string text =
      "PostgreSQL: " + TextOf(*message != '\0' ? message : PQerrorMessage(connection_));
  // Class 57: the server is shutting down, or an administrator has cancelled the statement, perhaps
  // while its commit waited for other machines.
  if (severity != nullptr && std::strcmp(severity, "ERROR") == 0 && sql_state != nullptr &&
      std::strncmp(sql_state, "57", 2) != 0 && !ended()) {
    return {StatementFailure::kRefused, Failure(CodeOf(sql_state), text), sql_state};
  }
  return {StatementFailure::kUnknown, Failure(StatusCode::kUnknownOutcome, text), ""};
}

}  // namespace tenure::store
