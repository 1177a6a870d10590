// A connection to PostgreSQL: statements with binary parameters and results.
//
// One thread at a time. Nothing is sent a second time: whoever needs to know what became of a
// statement whose answer is missing has to ask in another way.
#pragma once

#include <postgresql/libpq-fe.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tenure::store {

// Parameters $1, $2, ... of a statement, which has to cast each to its type.
class Parameters {
 public:
  Parameters& Bytes(std::string_view value);  // bytea, text
  Parameters& Bytes(std::span<const std::byte> value);
  Parameters& Int8(uint64_t value);
  Parameters& Int8s(std::span<const uint64_t> values);
  Parameters& Int4s(std::span<const uint32_t> values);
  Parameters& Int2s(std::span<const uint16_t> values);
  Parameters& ByteArrays(std::span<const std::string_view> values);

  const std::vector<std::string>& values() const { return values_; }

 private:
  std::vector<std::string> values_;
};

// The rows of an answer.
class Rows {
 public:
  explicit Rows(PGresult* result) : result_(result, PQclear) {}

  PGresult* result() const { return result_.get(); }

  size_t count() const { return static_cast<size_t>(PQntuples(result_.get())); }
  // Rows that the statement has changed.
  uint64_t changed() const;
  // Reads an int2, int4 or int8, zero-extended; a negative number keeps its bits.
  uint64_t Number(size_t row, int column) const;
  // Valid as long as this object.
  std::string_view Bytes(size_t row, int column) const;

 private:
  std::unique_ptr<PGresult, void (*)(PGresult*)> result_;
};

// How a statement failed.
enum class StatementFailure : uint8_t {
  kNone,
  kRefused,  // the server has refused the statement, and none of it happened
  kUnknown,  // the answer is missing, or a commit did not wait for other machines
};

struct StatementAnswer {
  StatementFailure failure = StatementFailure::kNone;
  Status status;          // ok exactly when nothing failed
  std::string sql_state;  // five characters when the server refused it
};

class PostgresConnection {
 public:
  // `parameters`: as libpq reads it ("host=a,b dbname=tenure ...").
  static Result<std::unique_ptr<PostgresConnection>> Open(const std::string& parameters);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Runs one statement, which is a transaction of its own outside of BEGIN and COMMIT.
  StatementAnswer Run(const char* statement, const Parameters& parameters = {},
                      std::unique_ptr<Rows>* rows = nullptr);

  // Runs two statements in one trip, outside of BEGIN and COMMIT: the second begins when the first
  // has been committed, with all that its commit waits for, or was refused. When the answer to the
  // second is missing, so may be some of the first.
  struct Both {
    StatementAnswer first, second;
  };
  Both RunBoth(const char* first, const Parameters& parameters, std::unique_ptr<Rows>* rows,
               const char* second, std::unique_ptr<Rows>* second_rows);

  // The connection has ended: everything fails from now on.
  bool ended() const { return PQstatus(connection_) != CONNECTION_OK; }

 private:
  explicit PostgresConnection(PGconn* connection);
  static void Note(void* self, const PGresult* notice);
  // What `result` says of a statement, with the warnings since `warning_` was cleared.
  StatementAnswer Judge(std::unique_ptr<Rows> result, std::unique_ptr<Rows>* rows);
  // The name under which the server has the statement prepared: parsing and planning take most of
  // the time of a short one. Null: it has not, so the statement's text is sent.
  const char* Prepared(const char* statement);
  // In pipeline mode. `name` may be null.
  bool Send(const char* name, const char* statement, const Parameters& parameters);
  // In pipeline mode: the answer to the next statement, up to its end.
  StatementAnswer ReceiveOne(std::unique_ptr<Rows>* rows);

  PGconn* connection_;
  std::map<std::string, std::string> prepared_;  // names by statement
  std::string warning_;  // that the server sent during the statement; empty: none
};

}  // namespace tenure::store
