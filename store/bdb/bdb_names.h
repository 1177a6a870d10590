// The list of a store's databases: the name of a database is in the store's tree from the
// transaction that makes the database until the database is deleted, so that a lost file is missed.
//
// Functions that write need both mutexes of the BdbStore, or that nobody else uses the store.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "store/bdb/bdb_store.h"

namespace tenure::store {

class NameList {
 public:
  explicit NameList(BdbStore& store) : store_(store) {}

  bool Has(std::string_view name) const { return names_.contains(name); }
  // Name -> number in the list.
  const std::map<std::string, uint32_t, std::less<>>& names() const { return names_; }

  // kCorrupt: the list has the name, but the file is gone. The text tells the user what to do.
  Status Lost(std::string_view name) const;

  // Reads an entry of the list. False if it is damaged.
  bool Take(uint32_t number, std::span<const std::byte> record);
  // Writes an entry in the transaction. After its commit the caller calls Add.
  Result<uint32_t> Put(__db_txn* transaction, std::string_view name);
  void Add(const std::string& name, uint32_t number) { names_.insert_or_assign(name, number); }
  // Adds the names that are missing in the list. Not synced: an opening adds a missing name again.
  Status Note(std::span<const std::string> names);
  // Note, of all files of databases in the directory.
  Status NoteFiles();
  // Durable: before the file goes, so that after a crash between the two the database is there.
  Status Remove(std::string_view name);
  // Forgets the names in memory; the tree keeps them.
  void Clear() { names_.clear(); }

 private:
  BdbStore& store_;
  std::map<std::string, uint32_t, std::less<>> names_;
};

}  // namespace tenure::store
