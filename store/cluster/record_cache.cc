#include "store/cluster/record_cache.h"

#include <utility>

namespace tenure::store {

std::shared_ptr<const PageRecord> RecordCache::Find(uint32_t database, PageId page) {
  const auto place = places_.find({database, page.number});
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->record;
}

void RecordCache::Put(uint32_t database, PageId page, std::shared_ptr<const PageRecord> record) {
  Remove(database, page);
  if (most_ == 0) return;
  if (entries_.size() == most_) {
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  const Key key{database, page.number};
  entries_.push_front({key, std::move(record)});
  places_.emplace(key, entries_.begin());
}

void RecordCache::Remove(uint32_t database, PageId page) {
  const auto place = places_.find({database, page.number});
  if (place == places_.end()) return;
  entries_.erase(place->second);
  places_.erase(place);
}

}  // namespace tenure::store
