// OO1 in SQLite: a table per class, a column per attribute.
#include "bench/support/cpp/sqlite.h"

#include "bench/oo1/peers/records.h"

namespace store {

namespace {

constexpr const char* kSchema =
    "CREATE TABLE part(id INTEGER PRIMARY KEY, x INT, y INT, build_date INT, type TEXT);"
    "CREATE TABLE connection(from_part INT, number INT, length INT, type TEXT, to_part INT,"
    " PRIMARY KEY(from_part, number)) WITHOUT ROWID;"
    "CREATE INDEX connection_to ON connection(to_part);";

Statement get_part_count("SELECT coalesce(max(id) + 1, 0) FROM part");
Statement get_part("SELECT x, y, type FROM part WHERE id = ?");
Statement get_connections("SELECT to_part FROM connection WHERE from_part = ? ORDER BY number");
Statement put_part("INSERT INTO part VALUES(?,?,?,?,?)");
Statement put_connection("INSERT INTO connection VALUES(?,?,?,?,?)");

}  // namespace

void Create(const char* path) {
  Open(path);
  Execute(kSchema);
}

int32_t GetPartCount() {
  const int32_t parts = get_part_count.Start().Row().Int();
  get_part_count.Start();
  return parts;
}

void PutPartCount(int32_t) {}  // the table tells it

// Selects only the columns that the operations use, as usual in SQL.
void Get(int32_t id, oo1::PartRecord* r) {
  Statement& s = get_part.Start().Bind(id).Row();
  r->x = s.Int();
  r->y = s.Int();
  s.Chars(r->type.chars);
  s.Start();
}

void GetConnections(int32_t from, oo1::ConnectionRecord* records) {
  Statement& s = get_connections.Start().Bind(from);
  for (int i = 0; i < oo1::kConnections; ++i) records[i].to = s.Row().Int();
  s.Start();
}

void Put(const oo1::PartRecord& r) {
  put_part.Start().Bind(r.id).Bind(r.x).Bind(r.y).Bind(r.build_date).Bind(r.type.chars).Run();
}

void Put(const oo1::ConnectionRecord& r) {
  Statement& s = put_connection.Start().Bind(r.from).Bind(r.id % oo1::kConnections);
  s.Bind(r.length).Bind(r.type.chars).Bind(r.to).Run();
}

}  // namespace store

int main(int argc, char** argv) { return oo1::Main(argc, argv); }
