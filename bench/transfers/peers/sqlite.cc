// Transfers in SQLite with prepared statements and a write-ahead log. Each thread has a connection;
// one of them writes at a time. BENCH_SQLITE_SYNCHRONOUS=NORMAL: commits are not durable when they
// return, so a power failure may lose them; the default is FULL.
#include <sqlite3.h>

#include <cstdlib>
#include <string>

#include "bench/transfers/cpp/driver.h"

namespace {

using transfers::Account;

class Connection {
 public:
  explicit Connection(const char* path) {
    Check(sqlite3_open_v2(
        path, &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr));
    Check(sqlite3_busy_timeout(db_, 60'000));
    const char* synchronous = std::getenv("BENCH_SQLITE_SYNCHRONOUS");
    Execute(
        (std::string("PRAGMA journal_mode=WAL; PRAGMA cache_size=-262144; PRAGMA synchronous=") +
         (synchronous != nullptr ? synchronous : "FULL"))
            .c_str());
  }
  Connection(const Connection&) = delete;
  ~Connection() { Check(sqlite3_close(db_)); }

  void Check(int status) {
    if (status != SQLITE_OK) bench::Fail(std::string("SQLite: ") + sqlite3_errmsg(db_));
  }
  void Execute(const char* sql) { Check(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* Prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    Check(sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr));
    return statement;
  }
  // Runs a statement that returns no row.
  void Run(sqlite3_stmt* statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) Check(sqlite3_errcode(db_));
    Check(sqlite3_reset(statement));
  }
  int ChangedRows() { return sqlite3_changes(db_); }

 private:
  sqlite3* db_ = nullptr;
};

class Bank {
 public:
  class Teller {
   public:
    explicit Teller(Bank& bank)
        : connection_(bank.path_.c_str()),
          begin_(connection_.Prepare("BEGIN IMMEDIATE")),
          add_(connection_.Prepare("UPDATE accounts SET balance = balance + ?2, transfers ="
                                   " transfers + 1 WHERE id = ?1")),
          commit_(connection_.Prepare("COMMIT")) {}
    ~Teller() {
      for (sqlite3_stmt* statement : {begin_, add_, commit_}) sqlite3_finalize(statement);
    }

    int Transfer(int32_t from, int32_t to, int64_t amount) {
      connection_.Run(begin_);
      Add(from, -amount);
      Add(to, amount);
      connection_.Run(commit_);
      return 0;
    }

   private:
    void Add(int32_t id, int64_t amount) {
      connection_.Check(sqlite3_bind_int(add_, 1, id));
      connection_.Check(sqlite3_bind_int64(add_, 2, amount));
      connection_.Run(add_);
      if (connection_.ChangedRows() != 1) bench::Fail("SQLite: an account is missing");
    }

    Connection connection_;
    sqlite3_stmt *begin_, *add_, *commit_;
  };

  explicit Bank(const char* path) : path_(path) {}

  static void Create(const char* path, int32_t accounts) {
    Connection connection(path);
    connection.Execute(
        "BEGIN; CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL,"
        " transfers INTEGER NOT NULL, filler TEXT NOT NULL)");
    sqlite3_stmt* insert = connection.Prepare("INSERT INTO accounts VALUES (?1, ?2, ?3, ?4)");
    for (int32_t id = 0; id < accounts; ++id) {
      const Account account = transfers::NewAccount(id);
      connection.Check(sqlite3_bind_int64(insert, 1, account.id));
      connection.Check(sqlite3_bind_int64(insert, 2, account.balance));
      connection.Check(sqlite3_bind_int64(insert, 3, account.transfers));
      connection.Check(
          sqlite3_bind_text(insert, 4, account.filler, sizeof account.filler, SQLITE_TRANSIENT));
      connection.Run(insert);
    }
    sqlite3_finalize(insert);
    connection.Execute("COMMIT");
  }

  transfers::Sum GetSum() {
    Connection connection(path_.c_str());
    sqlite3_stmt* select =
        connection.Prepare("SELECT count(*), sum(balance), sum(transfers) FROM accounts");
    if (sqlite3_step(select) != SQLITE_ROW) bench::Fail("SQLite: no sum");
    const transfers::Sum sum{sqlite3_column_int64(select, 0), sqlite3_column_int64(select, 1),
                             sqlite3_column_int64(select, 2)};
    sqlite3_finalize(select);
    return sum;
  }

 private:
  std::string path_;
};

}  // namespace

int main(int argc, char** argv) { return transfers::Main<Bank>(argc, argv); }
