// Marks the objects reachable from a database's root and from its exports.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/chunked_table.h"
#include "dbtool/stored/object_reader.h"

namespace tenure::dbtool {

class Marking {
 public:
  Marking(store::PageServer& server, store::DatabaseId database, const StoredTypes& types,
          ObjectReader& reader)
      : server_(server), database_(database), types_(types), reader_(reader) {}

  // Called once, for a database that VerifyDatabase finds right. `objects`: their number, for the
  // progress display.
  Status Run(uint64_t objects);

  // The object with its payload at this offset of the page.
  bool Marked(store::PageId page, size_t payload) const;
  // How many objects of the page are marked.
  size_t CountMarked(store::PageId page) const;

 private:
  struct Page {
    std::bitset<abi::kPageBytes / 8> marked;  // objects, by the offset of their payload
    std::vector<uint16_t> waiting;            // offsets of those that are still to be visited
  };
  // This many pages share a node of waiting_.
  static constexpr uint64_t kPagesTogether = 4096;

  void Reach(store::PersistentRef to);
  bool MayRefer(uint32_t type) const;
  // Takes the first page from this one on, or else of all, whose objects wait; they wait no more.
  std::optional<uint64_t> TakePage(uint64_t from);

  store::PageServer& server_;
  const store::DatabaseId database_;
  const StoredTypes& types_;
  ObjectReader& reader_;
  ChunkedTable<Page> pages_;
  // Pages with waiting objects. They are visited in circles, so each is read few times whatever the
  // order of references.
  std::map<uint64_t, std::bitset<kPagesTogether>> waiting_;
};

}  // namespace tenure::dbtool
