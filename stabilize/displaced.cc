#include "stabilize/displaced.h"

#include <algorithm>

#include "base/check.h"

namespace tenure::stabilize {

void DisplacedObjects::Add(const DisplacedObject& object, bool young) {
  const auto [place, fresh] = by_place_.insert({object.place, {object, kNone, kNone}});
  AddTo(all_, &Entry::number, place->second);
  if (young) AddTo(young_, &Entry::young_number, place->second);
  const bool fresh_home =
      by_home_.insert({{object.database, object.home.bits}, object.place}).second;
  TN_CHECK(fresh && fresh_home);
  by_page_[{object.database, object.home.page().number}].push_back(object.place);
}

void DisplacedObjects::Remove(abi::Ref place) {
  const auto it = by_place_.find(place);
  TN_CHECK(it != by_place_.end());
  const DisplacedObject& object = it->second.object;
  by_home_.erase({object.database, object.home.bits});
  const auto page = by_page_.find({object.database, object.home.page().number});
  std::erase(page->second, place);
  if (page->second.empty()) by_page_.erase(page);
  RemoveFrom(all_, &Entry::number, it->second);
  if (it->second.young_number != kNone) RemoveFrom(young_, &Entry::young_number, it->second);
  by_place_.erase(it);
}

const DisplacedObject* DisplacedObjects::Find(abi::Ref place) const {
  const auto it = by_place_.find(place);
  return it == by_place_.end() ? nullptr : &it->second.object;
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

std::vector<abi::Ref> DisplacedObjects::Places() const {
  std::vector<abi::Ref> places;
  places.reserve(all_.size());
  for (const Listed& listed : all_) places.push_back(listed.place);
  return places;
}

std::vector<abi::Ref> DisplacedObjects::PlacesOf(const Database* database) const {
  std::vector<abi::Ref> places;
  for (const auto& [place, entry] : by_place_) {
    if (entry.object.database == database) places.push_back(place);
  }
  return places;
}

}  // namespace tenure::stabilize
