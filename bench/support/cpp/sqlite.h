// Namespace store (see store.h) by SQLite with prepared statements; write-ahead log, each commit
// synchronous.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench/support/cpp/store.h"
#include "bench/support/cpp/usage.h"

namespace store {

inline sqlite3* db;

inline void Check(int status) {
  if (status != SQLITE_OK) bench::Fail(std::string("SQLite: ") + sqlite3_errmsg(db));
}

inline void Execute(const char* sql) { Check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr)); }

class Statement;
inline std::vector<Statement*> statements;

// A statement, prepared when first used, with one set of values after the other. Lives as long as
// the program.
class Statement {
 public:
  explicit Statement(const char* sql) : sql_(sql) { statements.push_back(this); }

  Statement& Start() {
    if (statement_ == nullptr) Check(sqlite3_prepare_v2(db, sql_, -1, &statement_, nullptr));
    sqlite3_reset(statement_);
    column_ = 0;
    return *this;
  }
  Statement& Bind(int32_t n) {
    Check(sqlite3_bind_int(statement_, ++column_, n));
    return *this;
  }
  Statement& Bind(const char* text, size_t bytes) {
    Check(sqlite3_bind_text(statement_, ++column_, text, static_cast<int>(bytes), SQLITE_STATIC));
    return *this;
  }
  // Compares the text up to its first NUL.
  template <size_t kSize>
  Statement& Bind(const char (&text)[kSize]) {
    return Bind(text, strnlen(text, kSize));
  }
  void Run() {
    if (sqlite3_step(statement_) != SQLITE_DONE) Check(sqlite3_errcode(db));
    sqlite3_reset(statement_);
  }
  Statement& Row() {
    if (sqlite3_step(statement_) != SQLITE_ROW) bench::Fail("SQLite: a row is missing");
    column_ = 0;
    return *this;
  }
  int32_t Int() { return sqlite3_column_int(statement_, column_++); }
  // The rest of the array becomes zero.
  template <size_t kSize>
  void Chars(char (&text)[kSize]) {
    const int i = column_++;
    const void* from = sqlite3_column_text(statement_, i);
    std::memset(text, 0, kSize);
    std::memcpy(text, from, static_cast<size_t>(sqlite3_column_bytes(statement_, i)));
  }
  std::string String() {
    const int i = column_++;
    const char* from = reinterpret_cast<const char*>(sqlite3_column_text(statement_, i));
    return {from, static_cast<size_t>(sqlite3_column_bytes(statement_, i))};
  }
  void Finish() {
    sqlite3_finalize(statement_);
    statement_ = nullptr;
  }

 private:
  const char* sql_;
  sqlite3_stmt* statement_ = nullptr;
  int column_ = 0;
};

inline void Open(const char* path) {
  Check(sqlite3_open(path, &db));
  Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144");
}

inline void Close() {
  for (Statement* statement : statements) statement->Finish();
  Check(sqlite3_close(db));
}

inline void Begin(bool write) { Execute(write ? "BEGIN IMMEDIATE" : "BEGIN"); }

inline void Commit() { Execute("COMMIT"); }

}  // namespace store
