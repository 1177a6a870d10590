// A number for each of a database's objects, for work that follows references: the object's new
// place, or the object from which it was reached.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>

#include "base/chunked_table.h"
#include "dbtool/stored/object_reader.h"

namespace tenure::dbtool {

// Takes 8 bytes for each object of the pages that were asked about, and some 140 for each page and
// its neighbours (base/chunked_table.h). One thread at a time.
class ObjectTable {
 public:
  // The reader is asked for pages; what it read before is invalid then.
  ObjectTable(ObjectReader& reader, const StoredTypes& types) : reader_(reader), types_(types) {}

  // The number of the object, 0 at first, to be read or set until the next call. kCorrupt when no
  // object begins there.
  Result<uint64_t*> At(store::PersistentRef object);
  // 0 if none was set.
  uint64_t Find(store::PersistentRef object) const;

 private:
  struct Page {
    std::bitset<abi::kPageBytes / 8> starts;  // of payloads
    std::unique_ptr<uint64_t[]> numbers;      // of those, in order
  };

  static size_t Rank(const Page& page, size_t start);
  Status FindObjects(store::PageId number, Page* page);

  ObjectReader& reader_;
  const StoredTypes& types_;
  ChunkedTable<Page> pages_;
};

}  // namespace tenure::dbtool
