// OO7 in SQLite: a table per class, a column per attribute.
#include "bench/support/cpp/sqlite.h"

#include "bench/oo7/peers/records.h"

namespace store {

namespace {

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
void PutText(Statement& statement, const oo7::TextRecord& r) {
  statement.Start().Bind(r.id).Bind(r.title.data(), r.title.size());
  statement.Bind(r.text.data(), r.text.size()).Run();
}

}  // namespace

void Create(const char* path) {
  Open(path);
  Execute(kSchema);
}

void Get(int32_t id, oo7::AtomicRecord* r) {
  Statement& s = get_atomic.Start().Bind(id).Row();
  r->id = s.Int();
  r->build_date = s.Int();
  r->x = s.Int();
  r->y = s.Int();
  r->doc_id = s.Int();
  s.Chars(r->type.chars);
  r->part_of = s.Int();
  s.Start();
}

// Selects only the targets, as usual in SQL: a traversal needs no other columns.
void GetConnections(int32_t from, oo7::ConnectionRecord* records) {
  Statement& s = get_connections.Start().Bind(from);
  for (int i = 0; i < oo7::kConnections; ++i) records[i].to = s.Row().Int();
  s.Start();
}

void Get(int32_t id, oo7::CompositeRecord* r) {
  Statement& s = get_composite.Start().Bind(id).Row();
  r->id = s.Int();
  r->build_date = s.Int();
  s.Chars(r->type.chars);
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
  s.Bind(r.doc_id).Bind(r.type.chars).Bind(r.part_of).Run();
}

void Update(const oo7::AtomicRecord& r) {
  update_atomic.Start().Bind(r.x).Bind(r.y).Bind(r.id).Run();
}

void Put(const oo7::ConnectionRecord& r) {
  Statement& s = put_connection.Start().Bind(r.from).Bind(r.id % oo7::kConnections);
  s.Bind(r.length).Bind(r.type.chars).Bind(r.to).Run();
}

void Put(const oo7::CompositeRecord& r) {
  put_composite.Start().Bind(r.id).Bind(r.build_date).Bind(r.type.chars).Bind(r.document);
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
