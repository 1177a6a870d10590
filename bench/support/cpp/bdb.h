// A store of keys and values in one B-tree of Berkeley DB, transactions with a synchronous log.
#pragma once

#include <db.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "bench/support/cpp/key_value.h"
#include "bench/support/cpp/usage.h"

namespace store {

inline DB_ENV* env;
inline DB* table;
inline DB_TXN* txn;
inline DBC* cursor;  // of the transaction

inline void Check(int status) {
  if (status != 0) bench::Fail(std::string("Berkeley DB: ") + db_strerror(status));
}

inline DBT KeyOf(const Key& key) {
  DBT dbt = {};
  dbt.data = const_cast<unsigned char*>(key.bytes);
  dbt.size = key.size;
  return dbt;
}

inline void Find(const Key& key, DBT* value) {
  DBT k = KeyOf(key);
  Check(table->get(table, txn, &k, value, 0));
}

inline void Create(const char* path) {
  mkdir(path, 0700);
  Open(path);
}

inline void Open(const char* path) {
  Check(db_env_create(&env, 0));
  Check(env->set_cachesize(env, 0, 256 << 20, 1));
  Check(env->set_lg_bsize(env, 4 << 20));
  Check(env->set_lg_max(env, 16 << 20));
  // No locks: one thread of one program uses the store.
  Check(env->open(env, path,
                  DB_CREATE | DB_INIT_MPOOL | DB_INIT_TXN | DB_INIT_LOG | DB_RECOVER | DB_PRIVATE,
                  0600));
  Check(db_create(&table, env, 0));
  Check(table->open(table, nullptr, "records.db", nullptr, DB_BTREE, DB_CREATE | DB_AUTO_COMMIT,
                    0600));
}

inline void Close() {
  Check(table->close(table, 0));
  Check(env->txn_checkpoint(env, 0, 0, 0));
  Check(env->close(env, 0));
}

inline void Begin(bool) {
  Check(env->txn_begin(env, nullptr, &txn, 0));
  Check(table->cursor(table, txn, &cursor, 0));
}

inline void Commit() {
  Check(cursor->close(cursor));
  Check(txn->commit(txn, DB_TXN_SYNC));
}

inline void GetValue(const Key& key, std::string* value) {
  DBT v = {};
  v.flags = DB_DBT_MALLOC;
  Find(key, &v);
  value->assign(static_cast<const char*>(v.data), v.size);
  std::free(v.data);
}

inline void GetValue(const Key& key, void* value, size_t bytes) {
  DBT v = {};
  v.flags = DB_DBT_USERMEM;
  v.data = value;
  v.ulen = static_cast<u_int32_t>(bytes);
  Find(key, &v);
}

inline void GetValues(const Key& key, void* values, size_t bytes, int count) {
  for (int i = 0; i < count; ++i) {
    unsigned char next[sizeof key.bytes];
    DBT k = KeyOf(key), v = {};
    if (i > 0) {
      k.data = next;
      k.ulen = sizeof next;
      k.flags = DB_DBT_USERMEM;
    }
    v.flags = DB_DBT_USERMEM;
    v.data = static_cast<char*>(values) + static_cast<size_t>(i) * bytes;
    v.ulen = static_cast<u_int32_t>(bytes);
    Check(cursor->get(cursor, &k, &v, i == 0 ? DB_SET : DB_NEXT));
  }
}

inline void PutValue(const Key& key, const void* value, size_t bytes) {
  DBT k = KeyOf(key), v = {};
  v.data = const_cast<void*>(value);
  v.size = static_cast<u_int32_t>(bytes);
  Check(table->put(table, txn, &k, &v, 0));
}

}  // namespace store
