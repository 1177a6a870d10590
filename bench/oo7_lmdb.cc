// OO7 in LMDB, a record per object, each commit synchronous.
#include <lmdb.h>
#include <sys/stat.h>

#include "bench/oo7_records/by_key.h"

namespace store {

namespace {

constexpr size_t kMostBytes = size_t{16} << 30;

MDB_env* env;
MDB_txn* txn;
MDB_dbi table;
MDB_cursor* cursor;  // of the transaction

void Check(int status) {
  if (status != 0) oo7::Fail(std::string("LMDB: ") + mdb_strerror(status));
}

MDB_val Find(const Key& key) {
  MDB_val k = {sizeof key.bytes, const_cast<unsigned char*>(key.bytes)}, v;
  Check(mdb_get(txn, table, &k, &v));
  return v;
}

}  // namespace

void Create(const char* path) {
  mkdir(path, 0700);
  Open(path);
}

void Open(const char* path) {
  Check(mdb_env_create(&env));
  Check(mdb_env_set_mapsize(env, kMostBytes));
  Check(mdb_env_open(env, path, 0, 0600));
}

void Close() { mdb_env_close(env); }

void Begin(bool write) {
  Check(mdb_txn_begin(env, nullptr, write ? 0 : MDB_RDONLY, &txn));
  Check(mdb_dbi_open(txn, nullptr, 0, &table));
  Check(mdb_cursor_open(txn, table, &cursor));
}

void Commit() {
  mdb_cursor_close(cursor);
  Check(mdb_txn_commit(txn));
}

void GetValue(const Key& key, std::string* value) {
  const MDB_val v = Find(key);
  value->assign(static_cast<const char*>(v.mv_data), v.mv_size);
}

void GetValue(const Key& key, void* value, size_t bytes) {
  const MDB_val v = Find(key);
  if (v.mv_size != bytes) oo7::Fail("LMDB: a record has the wrong size");
  std::memcpy(value, v.mv_data, bytes);
}

void GetValues(const Key& key, void* values, size_t bytes, int count) {
  MDB_val k = {sizeof key.bytes, const_cast<unsigned char*>(key.bytes)}, v;
  for (int i = 0; i < count; ++i) {
    Check(mdb_cursor_get(cursor, &k, &v, i == 0 ? MDB_SET : MDB_NEXT));
    if (v.mv_size != bytes) oo7::Fail("LMDB: a record has the wrong size");
    std::memcpy(static_cast<char*>(values) + static_cast<size_t>(i) * bytes, v.mv_data, bytes);
  }
}

void PutValue(const Key& key, const void* value, size_t bytes) {
  MDB_val k = {sizeof key.bytes, const_cast<unsigned char*>(key.bytes)};
  MDB_val v = {bytes, const_cast<void*>(value)};
  Check(mdb_put(txn, table, &k, &v, 0));
}

}  // namespace store

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
