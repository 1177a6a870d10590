// Small wrappers around Berkeley DB's structures, for the .cc files of the Berkeley DB module only.

#pragma once

#include <db.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "store/bdb/bdb_records.h"
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

// A cursor of a tree, closed with the object. If it could not be opened, Get and Put return the
// code of that. The tree and the transaction (null: none) outlive it; one thread.
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

// Moves over the keys of a database's tree, which are numbers of pages and of entries of tables.
class PageCursor {
 public:
  // `values`: whether value() is wanted.
  PageCursor(DB* tree, bool values) : cursor_(tree) {
    if (!values) value_ = Part(Out(nullptr, 0), 0, 0);
  }

  // These return Berkeley DB's codes; DB_NOTFOUND: there is no such key.
  // Moves to the first key that is not below `number`.
  int SeekFrom(uint64_t number) {
    SetKey(number);
    return cursor_.Get(&key_dbt_, &value_, DB_SET_RANGE);
  }
  // Moves to the last key below `number`.
  int SeekBelow(uint64_t number) {
    const int code = SeekFrom(number);
    if (code != 0 && code != DB_NOTFOUND) return code;
    return cursor_.Get(&key_dbt_, &value_, code == 0 ? DB_PREV : DB_LAST);
  }
  int Next() { return cursor_.Get(&key_dbt_, &value_, DB_NEXT); }

  // The number in the key at the cursor. `value` lives until the cursor moves.
  uint64_t number() const { return PageOfKey(key_).number; }
  std::span<const std::byte> value() const {
    return {static_cast<const std::byte*>(value_.data), value_.size};
  }

 private:
  void SetKey(uint64_t number) {
    key_ = KeyOf(PageId{number});
    key_dbt_ = Out(key_.data(), key_.size());
    key_dbt_.size = static_cast<uint32_t>(key_.size());
  }

  Cursor cursor_;
  PageKey key_{};
  DBT key_dbt_{}, value_{};
};

inline std::string PageText(const std::string& database, PageId page) {
  return "page " + std::to_string(page.number) + " of database " + database;
}

}  // namespace tenure::store
