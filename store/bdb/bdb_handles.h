#pragma once

// Small wrappers around Berkeley DB's structures, for the .cc files of the Berkeley DB module only.

#include <db.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "store/format/page_record.h"

namespace tenure::store {

inline DBT In(const void* bytes, size_t count) {
  DBT dbt{};
  dbt.data = const_cast<void*>(bytes);
  dbt.size = static_cast<uint32_t>(count);
  return dbt;
}

// Berkeley DB writes into the caller's memory and fails if it is too small.
inline DBT Out(void* bytes, size_t capacity) {
  DBT dbt{};
  dbt.data = bytes;
  dbt.ulen = static_cast<uint32_t>(capacity);
  dbt.flags = DB_DBT_USERMEM;
  return dbt;
}

// `count` bytes at `offset` of a record.
inline DBT Part(DBT dbt, size_t offset, size_t count) {
  dbt.flags |= DB_DBT_PARTIAL;
  dbt.doff = static_cast<uint32_t>(offset);
  dbt.dlen = static_cast<uint32_t>(count);
  return dbt;
}

class Cursor {
 public:
  explicit Cursor(DB* tree, DB_TXN* transaction = nullptr) {
    code_ = tree->cursor(tree, transaction, &cursor_, 0);
  }
  ~Cursor() {
    if (cursor_ != nullptr) cursor_->close(cursor_);
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  // All return Berkeley DB's codes.
  int Get(DBT* key, DBT* value, uint32_t flags) {
    return code_ != 0 ? code_ : cursor_->get(cursor_, key, value, flags);
  }
  int Put(DBT* key, DBT* value, uint32_t flags) {
    return code_ != 0 ? code_ : cursor_->put(cursor_, key, value, flags);
  }

 private:
  DBC* cursor_ = nullptr;
  int code_ = 0;
};

inline std::string PageText(const std::string& database, PageId page) {
  return "page " + std::to_string(page.number) + " of database " + database;
}

}  // namespace tenure::store
