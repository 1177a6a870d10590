// Page records of a store that were used last, least recently used first out. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "store/format/page_record.h"

namespace tenure::store {

class RecordCache {
 public:
  explicit RecordCache(size_t most_records) : most_(most_records) {}

  // Null: it is not here. Counts as a use.
  std::shared_ptr<const PageRecord> Find(uint32_t database, PageId page);
  void Put(uint32_t database, PageId page, std::shared_ptr<const PageRecord> record);
  void Remove(uint32_t database, PageId page);
  size_t size() const { return entries_.size(); }

 private:
  struct Key {
    uint32_t database;
    uint64_t page;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct HashOfKey {
    size_t operator()(const Key& key) const {
      return (key.page + (uint64_t{key.database} << 40)) * 0x9e3779b97f4a7c15;
    }
  };
  struct Entry {
    Key key;
    std::shared_ptr<const PageRecord> record;
  };

  size_t most_;
  std::list<Entry> entries_;  // used last first
  std::unordered_map<Key, std::list<Entry>::iterator, HashOfKey> places_;
};

}  // namespace tenure::store
