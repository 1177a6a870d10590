// The list of a store's databases: the name of a database is in the store's tree from the
// transaction that makes the database until the database is deleted, so that a lost file is missed.
// Beside the name is the stamp that the file's head must have, so that an older file, or one of
// another copy of the store, is noticed.
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

  struct Entry {
    uint32_t number = 0;  // in the list
    FileStamp stamp;
  };

  bool Has(std::string_view name) const { return names_.contains(name); }
  const std::map<std::string, Entry, std::less<>>& names() const { return names_; }
  // Without a number if the list has no stamp for the name.
  FileStamp StampOf(std::string_view name) const;

  // kCorrupt: the list has the name, but the file is gone. The text tells the user what to do.
  Status Lost(std::string_view name) const;
  // kCorrupt: the file with this head is not the one that the store had last.
  Status CheckStamp(const DatabaseState& database) const;

  // Reads an entry of the list. False if it is damaged.
  bool Take(uint32_t number, std::span<const std::byte> record);
  // Writes the name's entry, a new one if the list has none, in the transaction. After its commit
  // the caller calls Add.
  Result<Entry> Put(__db_txn* transaction, std::string_view name, FileStamp stamp);
  void Add(const std::string& name, const Entry& entry) { names_.insert_or_assign(name, entry); }
  // Gives the list the stamp in the file's head. Not synced: the next opening does it again.
  Status Adopt(const std::string& name, FileStamp stamp);
  // Adds the names that are missing in the list. Not synced: an opening adds a missing name again.
  Status Note(std::span<const std::string> names);
  // Note, of all files of databases in the directory.
  Status NoteFiles();
  // Durable. Call before the file is removed: after a crash between the two the database is there.
  Status Remove(std::string_view name);
  // Forgets the names in memory; the tree keeps them.
  void Clear() { names_.clear(); }

 private:
  BdbStore& store_;
  std::map<std::string, Entry, std::less<>> names_;
};

}  // namespace tenure::store
