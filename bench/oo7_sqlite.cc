// OO7 in SQLite: a table per class, a column per attribute, prepared statements; write-ahead log,
// each commit synchronous.
#include <sqlite3.h>

#include "bench/oo7_records/records.h"

namespace store {

namespace {

sqlite3* db;

void Check(int status) {
  if (status != SQLITE_OK) oo7::Fail(std::string("SQLite: ") + sqlite3_errmsg(db));
}

void Execute(const char* sql) { Check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr)); }

// A statement, prepared when first used, with one set of values after the other.
class Statement {
 public:
  explicit Statement(const char* sql) : sql_(sql) {}

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
  Statement& Bind(const oo7::ShortText& text) {
    return Bind(text.chars, strnlen(text.chars, sizeof text.chars));
  }
  void Run() {
    if (sqlite3_step(statement_) != SQLITE_DONE) Check(sqlite3_errcode(db));
    sqlite3_reset(statement_);
  }
  Statement& Row() {
    if (sqlite3_step(statement_) != SQLITE_ROW) oo7::Fail("SQLite: a row is missing");
    column_ = 0;
    return *this;
  }
  int32_t Int() { return sqlite3_column_int(statement_, column_++); }
  oo7::ShortText Short() {
    oo7::ShortText text = {};
    const int i = column_++;
    const void* from = sqlite3_column_text(statement_, i);
    std::memcpy(text.chars, from, static_cast<size_t>(sqlite3_column_bytes(statement_, i)));
    return text;
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

constexpr const char* kSchema =
    "CREATE TABLE atomic(id INTEGER PRIMARY KEY, build_date INT, x INT, y INT, doc_id INT, type "
    "TEXT,"
    " part_of INT);"
    "CREATE TABLE connection(from_part INT, number INT, length INT, type TEXT, to_part INT,"
    " PRIMARY KEY(from_part, number)) WITHOUT ROWID;"
    "CREATE TABLE composite(id INTEGER PRIMARY KEY, build_date INT, type TEXT, document INT, root "
    "INT);"
    "CREATE TABLE assembly(id INTEGER PRIMARY KEY, base INT, build_date INT, parent INT, below0 "
    "INT,"
    " below1 INT, below2 INT);"
    "CREATE TABLE document(id INTEGER PRIMARY KEY, title TEXT, text TEXT);"
    "CREATE TABLE manual(id INTEGER PRIMARY KEY, title TEXT, text TEXT);";

Statement get_atomic("SELECT * FROM atomic WHERE id = ?");
Statement get_connections("SELECT to_part FROM connection WHERE from_part = ? ORDER BY number");
Statement get_composite("SELECT * FROM composite WHERE id = ?");
Statement get_assembly("SELECT * FROM assembly WHERE id = ?");
Statement get_manual("SELECT text FROM manual WHERE id = ?");
Statement put_atomic("INSERT INTO atomic VALUES(?,?,?,?,?,?,?)");
Statement update_atomic("UPDATE atomic SET x = ?, y = ? WHERE id = ?");
Statement put_connection("INSERT INTO connection VALUES(?,?,?,?,?)");
Statement put_composite("INSERT INTO composite VALUES(?,?,?,?,?)");
Statement put_assembly("INSERT INTO assembly VALUES(?,?,?,?,?,?,?)");
Statement put_document("INSERT INTO document VALUES(?,?,?)");
Statement put_manual("INSERT INTO manual VALUES(?,?,?)");
Statement* const kStatements[] = {&get_atomic,    &get_connections, &get_composite, &get_assembly,
                                  &get_manual,    &put_atomic,      &update_atomic, &put_connection,
                                  &put_composite, &put_assembly,    &put_document,  &put_manual};

void PutText(Statement& statement, const oo7::TextRecord& r) {
  statement.Start().Bind(r.id).Bind(r.title.data(), r.title.size());
  statement.Bind(r.text.data(), r.text.size()).Run();
}

}  // namespace

void Create(const char* path) {
  Open(path);
  Execute(kSchema);
}

void Open(const char* path) {
  Check(sqlite3_open(path, &db));
  Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144");
}

void Close() {
  for (Statement* statement : kStatements) statement->Finish();
  Check(sqlite3_close(db));
}

void Begin(bool write) { Execute(write ? "BEGIN IMMEDIATE" : "BEGIN"); }

void Commit() { Execute("COMMIT"); }

void Get(int32_t id, oo7::AtomicRecord* r) {
  Statement& s = get_atomic.Start().Bind(id).Row();
  r->id = s.Int();
  r->build_date = s.Int();
  r->x = s.Int();
  r->y = s.Int();
  r->doc_id = s.Int();
  r->type = s.Short();
  r->part_of = s.Int();
  s.Start();
}

// Only where they lead to: nobody who traverses asks for more columns than he needs.
void GetConnections(int32_t from, oo7::ConnectionRecord* records) {
  Statement& s = get_connections.Start().Bind(from);
  for (int i = 0; i < oo7::kConnections; ++i) records[i].to = s.Row().Int();
  s.Start();
}

void Get(int32_t id, oo7::CompositeRecord* r) {
  Statement& s = get_composite.Start().Bind(id).Row();
  r->id = s.Int();
  r->build_date = s.Int();
  r->type = s.Short();
  r->document = s.Int();
  r->root = s.Int();
  s.Start();
}

void Get(int32_t id, oo7::AssemblyRecord* r) {
  Statement& s = get_assembly.Start().Bind(id).Row();
  r->id = s.Int();
  r->base = s.Int();
  r->build_date = s.Int();
  r->parent = s.Int();
  for (int32_t& below : r->below) below = s.Int();
  s.Start();
}

void GetManual(int32_t id, std::string* text) {
  *text = get_manual.Start().Bind(id).Row().String();
  get_manual.Start();
}

void Put(const oo7::AtomicRecord& r) {
  Statement& s = put_atomic.Start().Bind(r.id).Bind(r.build_date).Bind(r.x).Bind(r.y);
  s.Bind(r.doc_id).Bind(r.type).Bind(r.part_of).Run();
}

void Update(const oo7::AtomicRecord& r) {
  update_atomic.Start().Bind(r.x).Bind(r.y).Bind(r.id).Run();
}

void Put(const oo7::ConnectionRecord& r) {
  Statement& s = put_connection.Start().Bind(r.from).Bind(r.id % oo7::kConnections);
  s.Bind(r.length).Bind(r.type).Bind(r.to).Run();
}

void Put(const oo7::CompositeRecord& r) {
  put_composite.Start().Bind(r.id).Bind(r.build_date).Bind(r.type).Bind(r.document);
  put_composite.Bind(r.root).Run();
}

void Put(const oo7::AssemblyRecord& r) {
  Statement& s = put_assembly.Start().Bind(r.id).Bind(r.base).Bind(r.build_date).Bind(r.parent);
  for (const int32_t below : r.below) s.Bind(below);
  s.Run();
}

void PutDocument(const oo7::TextRecord& r) { PutText(put_document, r); }
void PutManual(const oo7::TextRecord& r) { PutText(put_manual, r); }

}  // namespace store

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
