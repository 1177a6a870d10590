// Reads the objects of a database in any order, through a cache of pages. Checks everything that it
// reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "dbtool/stored/object_source.h"
#include "dbtool/stored/stored_objects.h"
#include "store/server/page_server.h"

namespace tenure::dbtool {

class ObjectReader {
 public:
  ObjectReader(store::PageServer& server, store::DatabaseId database, const StoredTypes& types)
      : server_(server), database_(database), types_(types) {}

  // A source of objects of this database and of those that it refers to, with another cache; made
  // when first asked for. Databases that it opens stay open.
  ObjectSource& source();
  // The record stays until the next call of ReadPage or Read.
  Result<const store::PageRecord*> ReadPage(store::PageId page);
  // The object at a reference of the kind kObject; its payload stays until the next call of
  // ReadPage or Read. kCorrupt when there can be none. Does not check that an object begins there.
  Result<StoredObject> Read(store::PersistentRef at);
  // Forgets what it has read, since pages may have been written.
  void Forget();

 private:
  static constexpr size_t kPagesKept = 2048;
  static constexpr uint64_t kPagesAtOnce = 8;  // pages that follow come with the first
  struct Kept {
    store::PageReply reply;
    std::list<uint64_t>::iterator use;
  };

  Status Fetch(store::PageId page);
  Result<StoredObject> ReadLarge(store::PersistentRef at);

  store::PageServer& server_;
  const store::DatabaseId database_;
  const StoredTypes& types_;
  std::unordered_map<uint64_t, std::unique_ptr<Kept>> kept_;
  std::list<uint64_t> uses_;      // the latest first
  std::vector<std::byte> large_;  // the large object that was read last
  uint64_t large_first_ = 0;      // its first page
  uint32_t large_type_ = 0;
  std::unique_ptr<ObjectSource> source_;
};

}  // namespace tenure::dbtool
