// A store of keys and values in LMDB, each commit synchronous.
#pragma once

#include <lmdb.h>
#include <sys/stat.h>

#include <cstring>
#include <string>

#include "bench/support/cpp/key_value.h"
#include "bench/support/cpp/usage.h"

namespace store {

constexpr size_t kMostBytes = size_t{16} << 30;

inline MDB_env* env;
inline MDB_txn* txn;
inline MDB_dbi table;
inline MDB_cursor* cursor;  // of the transaction

inline void Check(int status) {
  if (status != 0) bench::Fail(std::string("LMDB: ") + mdb_strerror(status));
}

inline MDB_val Find(const Key& key) {
  MDB_val k = {key.size, const_cast<unsigned char*>(key.bytes)}, v;
  Check(mdb_get(txn, table, &k, &v));
  return v;
}

inline void Create(const char* path) {
  mkdir(path, 0700);
  Open(path);
}

inline void Open(const char* path) {
  Check(mdb_env_create(&env));
  Check(mdb_env_set_mapsize(env, kMostBytes));
  Check(mdb_env_open(env, path, 0, 0600));
}

inline void Close() { mdb_env_close(env); }

inline void Begin(bool write) {
  Check(mdb_txn_begin(env, nullptr, write ? 0 : MDB_RDONLY, &txn));
  Check(mdb_dbi_open(txn, nullptr, 0, &table));
  Check(mdb_cursor_open(txn, table, &cursor));
}

inline void Commit() {
  mdb_cursor_close(cursor);
  Check(mdb_txn_commit(txn));
}

inline void GetValue(const Key& key, std::string* value) {
  const MDB_val v = Find(key);
  value->assign(static_cast<const char*>(v.mv_data), v.mv_size);
}

inline void GetValue(const Key& key, void* value, size_t bytes) {
  const MDB_val v = Find(key);
  if (v.mv_size != bytes) bench::Fail("LMDB: a record has the wrong size");
  std::memcpy(value, v.mv_data, bytes);
}

inline void GetValues(const Key& key, void* values, size_t bytes, int count) {
  MDB_val k = {key.size, const_cast<unsigned char*>(key.bytes)}, v;
  for (int i = 0; i < count; ++i) {
    Check(mdb_cursor_get(cursor, &k, &v, i == 0 ? MDB_SET : MDB_NEXT));
    if (v.mv_size != bytes) bench::Fail("LMDB: a record has the wrong size");
    std::memcpy(static_cast<char*>(values) + static_cast<size_t>(i) * bytes, v.mv_data, bytes);
  }
}

inline void PutValue(const Key& key, const void* value, size_t bytes) {
  MDB_val k = {key.size, const_cast<unsigned char*>(key.bytes)};
  MDB_val v = {bytes, const_cast<void*>(value)};
  Check(mdb_put(txn, table, &k, &v, 0));
}

}  // namespace store
