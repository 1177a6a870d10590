// Objects of one database, and those of others that it refers to, by reference. Only the pages that
// are asked for are read: of a large array, those of the elements that are looked at. Everything
// that is read is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dbtool/stored/stored_objects.h"
#include "store/server/page_server.h"

namespace tenure::dbtool {

class ObjectSource;

// An object, without its header. Holds the bytes of an object on one page; those of a larger one
// are read when they are asked for, through its source, which must outlive it.
class LoadedObject {
 public:
  store::PersistentRef at() const { return at_; }
  const StoredType& type() const { return *type_; }
  uint64_t bytes() const { return bytes_; }
  // The source of the object's database, which loads what the object refers to.
  ObjectSource& source() const { return *source_; }
  // kCorrupt: a page is damaged, or the object does not have these bytes.
  Status Copy(uint64_t offset, std::span<std::byte> to) const;
  // Up to 64 bits, from a bit of the payload on.
  Result<uint64_t> Bits(uint64_t bit_offset, uint64_t count) const;
  // The length of an open array in one dimension.
  Result<uint64_t> Length(uint64_t dimension) const;

 private:
  friend class ObjectSource;
  store::PersistentRef at_;
  const StoredType* type_ = nullptr;
  uint64_t bytes_ = 0;
  std::vector<std::byte> held_;
  bool large_ = false;
  ObjectSource* source_ = nullptr;
};
using ObjectPtr = std::shared_ptr<const LoadedObject>;

class ObjectSource {
 public:
  // All three must outlive the source.
  ObjectSource(store::PageServer& server, store::DatabaseId database, const StoredTypes& types)
      : server_(server), database_(database), types_(types) {}

  store::PageServer& server() { return server_; }
  store::DatabaseId database() const { return database_; }
  const StoredTypes& types() const { return types_; }

  // kCorrupt when there is no object there, or its page is damaged. Reads the object's first page.
  // An object of another database of the store belongs to a source that this one keeps;
  // kNotSupported when the database is another store's.
  Result<ObjectPtr> Load(store::PersistentRef at);
  // Wraps an object that a walk has found, which need not be read again.
  ObjectPtr Hold(const StoredObject& object);
  // The record stays until the next call of any function.
  Result<const store::PageRecord*> ReadPage(store::PageId page);
  // How many pages the server was asked for since the source was made.
  uint64_t pages_read() const { return pages_read_; }

 private:
  static constexpr size_t kPagesKept = 4096;
  struct Kept {
    store::PageReply reply;
    std::list<uint64_t>::iterator use;
  };

  Result<ObjectPtr> LoadImported(uint64_t entry);

  store::PageServer& server_;
  const store::DatabaseId database_;
  const StoredTypes& types_;
  std::unordered_map<uint64_t, std::unique_ptr<Kept>> kept_;
  std::list<uint64_t> uses_;  // the latest first
  uint64_t pages_read_ = 0;
  std::optional<std::vector<store::ImportEntry>> imports_;       // when they have been asked for
  std::map<std::string, std::unique_ptr<ObjectSource>> others_;  // by the database's name
};

}  // namespace tenure::dbtool
