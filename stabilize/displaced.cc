#include "stabilize/displaced.h"

#include <algorithm>

#include "base/check.h"

namespace tenure::stabilize {

void DisplacedObjects::Add(const DisplacedObject& object) {
  const auto [entry, fresh] = by_place_.insert({object.place, object});
  entry->second.number = places_.size();
  places_.push_back(object.place);
  recent_.push_back(object.place);
  const bool fresh_home =
      by_home_.insert({{object.database, object.home.bits}, object.place}).second;
  TN_CHECK(fresh && fresh_home);
  by_page_[{object.database, object.home.page().number}].push_back(object.place);
}

void DisplacedObjects::Remove(abi::Ref place) {
  const auto it = by_place_.find(place);
  TN_CHECK(it != by_place_.end());
  const DisplacedObject& object = it->second;
  by_home_.erase({object.database, object.home.bits});
  const auto page = by_page_.find({object.database, object.home.page().number});
  std::erase(page->second, place);
  if (page->second.empty()) by_page_.erase(page);
  const size_t number = object.number;
  places_[number] = places_.back();
  by_place_.at(places_[number]).number = number;
  places_.pop_back();
  by_place_.erase(it);
}

const DisplacedObject* DisplacedObjects::Find(abi::Ref place) const {
  const auto it = by_place_.find(place);
  return it == by_place_.end() ? nullptr : &it->second;
}

abi::Ref DisplacedObjects::PlaceOf(const Database* database, PersistentRef home) const {
  const auto it = by_home_.find({database, home.bits});
  return it == by_home_.end() ? nullptr : it->second;
}

const std::vector<abi::Ref>* DisplacedObjects::WithHomeOn(const Database* database,
                                                          PageId page) const {
  const auto it = by_page_.find({database, page.number});
  return it == by_page_.end() ? nullptr : &it->second;
}

std::vector<abi::Ref> DisplacedObjects::PlacesOf(const Database* database) const {
  std::vector<abi::Ref> places;
  for (const auto& [place, object] : by_place_) {
    if (object.database == database) places.push_back(place);
  }
  return places;
}

}  // namespace tenure::stabilize
