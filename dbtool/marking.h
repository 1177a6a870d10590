// Marks the objects reachable from a database's root and from its exports.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "dbtool/object_reader.h"

namespace tenure::dbtool {

class Marking {
 public:
  Marking(store::PageServer& server, store::DatabaseId database, const StoredTypes& types,
          ObjectReader& reader)
      : server_(server), database_(database), types_(types), reader_(reader) {}

  // Called once. `objects`: their number, for the progress display.
  Status Run(uint64_t objects);

  // The object with its payload at this offset of the page.
  bool Marked(store::PageId page, size_t payload) const;

 private:
  using Objects = std::bitset<abi::kPageBytes / 8>;  // of a page, by the offset of their payload

  void Reach(store::PersistentRef to);
  bool MayRefer(uint32_t type) const;

  store::PageServer& server_;
  const store::DatabaseId database_;
  const StoredTypes& types_;
  ObjectReader& reader_;
  std::unordered_map<uint64_t, Objects> marked_;  // by page
  // Offsets of objects to be visited, by page. Pages are visited in circles, so each is read few
  // times whatever the order of references.
  std::map<uint64_t, std::vector<uint16_t>> waiting_;
};

}  // namespace tenure::dbtool
