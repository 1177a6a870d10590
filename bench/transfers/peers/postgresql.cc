// Transfers in PostgreSQL: STORE is a connection string, each thread has a connection. A transfer
// is one prepared statement for each account and a commit, sent in one message and answered in one
// (libpq's pipeline).
#include <postgresql/libpq-fe.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "bench/transfers/cpp/driver.h"

namespace {

using transfers::Account;

class Connection {
 public:
  explicit Connection(const char* conninfo) : connection_(PQconnectdb(conninfo)) {
    if (PQstatus(connection_) != CONNECTION_OK) Fail();
  }
  Connection(const Connection&) = delete;
  ~Connection() { PQfinish(connection_); }

  PGconn* get() { return connection_; }

  [[noreturn]] void Fail() {
    bench::Fail(std::string("PostgreSQL: ") + PQerrorMessage(connection_));
  }

  // The result of a command that is sent alone; the caller clears it.
  PGresult* Execute(const char* sql) {
    PGresult* result = PQexec(connection_, sql);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_COPY_IN) Fail();
    return result;
  }
  void Run(const char* sql) { PQclear(Execute(sql)); }

 private:
  PGconn* connection_;
};

class Bank {
 public:
  class Teller {
   public:
    explicit Teller(Bank& bank) : connection_(bank.conninfo_.c_str()) {
      PGresult* result = PQprepare(connection_.get(), "add",
                                   "UPDATE accounts SET balance = balance + $2::bigint, transfers ="
                                   " transfers + 1 WHERE id = $1::integer",
                                   2, nullptr);
      if (PQresultStatus(result) != PGRES_COMMAND_OK) connection_.Fail();
      PQclear(result);
      if (PQenterPipelineMode(connection_.get()) != 1) connection_.Fail();
    }

    int Transfer(int32_t from, int32_t to, int64_t amount) {
      for (int aborted = 0;; ++aborted) {
        // Rows are locked in the order of their numbers, so no deadlock is possible.
        if (from < to) {
          SendAdd(from, -amount);
          SendAdd(to, amount);
        } else {
          SendAdd(to, amount);
          SendAdd(from, -amount);
        }
        // Ends the transaction that the two statements are in.
        if (PQpipelineSync(connection_.get()) != 1) connection_.Fail();
        if (ReceiveAdd() & ReceiveAdd() & ReceiveSync()) return aborted;
      }
    }

   private:
    void SendAdd(int32_t id, int64_t amount) {
      const uint32_t id_bytes = __builtin_bswap32(static_cast<uint32_t>(id));
      const uint64_t amount_bytes = __builtin_bswap64(static_cast<uint64_t>(amount));
      const char* const values[] = {reinterpret_cast<const char*>(&id_bytes),
                                    reinterpret_cast<const char*>(&amount_bytes)};
      const int lengths[] = {sizeof id_bytes, sizeof amount_bytes};
      const int formats[] = {1, 1};
      if (PQsendQueryPrepared(connection_.get(), "add", 2, values, lengths, formats, 1) != 1) {
        connection_.Fail();
      }
    }

    // False: a conflict has undone the transaction, which may be tried again.
    bool ReceiveAdd() {
      PGresult* result = PQgetResult(connection_.get());
      const ExecStatusType status = PQresultStatus(result);
      bool done = status == PGRES_COMMAND_OK;
      if (done && std::strcmp(PQcmdTuples(result), "1") != 0) {
        bench::Fail("PostgreSQL: an account is missing");
      }
      if (!done && status != PGRES_PIPELINE_ABORTED && !IsConflict(result)) connection_.Fail();
      PQclear(result);
      if (PQgetResult(connection_.get()) != nullptr) connection_.Fail();
      return done;
    }

    // An error of the commit comes before the answer to the synchronization.
    bool ReceiveSync() {
      bool done = true;
      PGresult* result = PQgetResult(connection_.get());
      while (PQresultStatus(result) != PGRES_PIPELINE_SYNC) {
        if (result != nullptr && !IsConflict(result)) connection_.Fail();
        done = done && result == nullptr;
        PQclear(result);
        result = PQgetResult(connection_.get());
      }
      PQclear(result);
      return done;
    }

    static bool IsConflict(const PGresult* result) {
      const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
      return state != nullptr && std::strncmp(state, "40", 2) == 0;  // transaction rollback
    }

    Connection connection_;
  };

  explicit Bank(const char* conninfo) : conninfo_(conninfo) {}

  static void Create(const char* conninfo, int32_t accounts) {
    Connection connection(conninfo);
    // Pages with room: a changed row stays on its page, and the index need not know.
    connection.Run(
        "CREATE TABLE accounts (id integer NOT NULL, balance bigint NOT NULL, transfers bigint"
        " NOT NULL, filler character(36) NOT NULL) WITH (fillfactor = 50)");
    connection.Run("COPY accounts FROM STDIN");
    for (int32_t id = 0; id < accounts; ++id) {
      const Account account = transfers::NewAccount(id);
      const std::string row = std::to_string(id) + "\t" + std::to_string(account.balance) +
                              "\t0\t" + std::string(account.filler, sizeof account.filler) + "\n";
      if (PQputCopyData(connection.get(), row.data(), static_cast<int>(row.size())) != 1) {
        connection.Fail();
      }
    }
    if (PQputCopyEnd(connection.get(), nullptr) != 1) connection.Fail();
    for (PGresult* result = PQgetResult(connection.get()); result != nullptr;
         result = PQgetResult(connection.get())) {
      if (PQresultStatus(result) != PGRES_COMMAND_OK) connection.Fail();
      PQclear(result);
    }
    connection.Run("ALTER TABLE accounts ADD PRIMARY KEY (id)");
    connection.Run("VACUUM ANALYZE accounts");
    connection.Run("CHECKPOINT");
  }

  transfers::Sum GetSum() {
    Connection connection(conninfo_.c_str());
    PGresult* result =
        connection.Execute("SELECT count(*), sum(balance), sum(transfers) FROM accounts");
    const auto number = [&](int column) { return std::atoll(PQgetvalue(result, 0, column)); };
    const transfers::Sum sum{number(0), number(1), number(2)};
    PQclear(result);
    return sum;
  }

 private:
  std::string conninfo_;
};

}  // namespace

int main(int argc, char** argv) { return transfers::Main<Bank>(argc, argv); }
