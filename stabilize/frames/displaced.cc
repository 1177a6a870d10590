#include "stabilize/frames/displaced.h"

#include <algorithm>

#include "abi/heap_constants.h"
#include "base/check.h"

namespace tenure::stabilize {

static_assert(abi::kPageBytes <= UINT16_MAX);

size_t DisplacedObjects::Homes::FirstNotBelow(uint16_t offset) const {
  // A commit gives out the places of a page in this order.
  if (offsets.empty() || offsets.back() < offset) return offsets.size();
  return static_cast<size_t>(std::lower_bound(offsets.begin(), offsets.end(), offset) -
                             offsets.begin());
}

DisplacedObjects::Homes& DisplacedObjects::HomesOn(const HomePage& page) {
  if (last_homes_.homes == nullptr || !(last_homes_.page == page)) {
    const auto [homes, fresh] = by_page_.Insert(page);
    if (fresh) {
      // About as many as a page has.
      constexpr size_t kHomes = 64;
      homes->offsets.reserve(kHomes);
      homes->places.reserve(kHomes);
    }
    last_homes_ = {page, homes};
  }
  return *last_homes_.homes;
}

void DisplacedObjects::EraseHomes(const HomePage& page) {
  by_page_.Erase(page);
  last_homes_.homes = nullptr;
}

void DisplacedObjects::Add(const DisplacedObject& object) {
  PlacePage& page = *by_place_.Insert(PageOf(object.place)).first;
  if (page.numbers.empty()) page.numbers.resize(abi::kPageBytes / kPlaceBytes);
  uint32_t& number = page.numbers[SlotOf(object.place)];
  TN_CHECK(number == 0 && objects_.size() < UINT32_MAX);
  objects_.push_back(object);
  bytes_ += object.bytes;
  number = static_cast<uint32_t>(objects_.size());
  ++page.count;
  recent_.push_back(object.place);
  Homes& homes = HomesOn({object.database, object.home.page().number});
  const auto offset = static_cast<uint16_t>(object.home.offset());
  const auto at = static_cast<ptrdiff_t>(homes.FirstNotBelow(offset));
  TN_CHECK(static_cast<size_t>(at) == homes.offsets.size() ||
           homes.offsets[static_cast<size_t>(at)] != offset);
  if (static_cast<size_t>(at) == homes.offsets.size()) {
    homes.offsets.push_back(offset);
    homes.places.push_back(object.place);
  } else {
    homes.offsets.insert(homes.offsets.begin() + at, offset);
    homes.places.insert(homes.places.begin() + at, object.place);
  }
}

void DisplacedObjects::Remove(abi::Ref place) {
  TN_CHECK(Find(place) != nullptr);
  PlacePage& place_page = *by_place_.Find(PageOf(place));
  uint32_t& slot = place_page.numbers[SlotOf(place)];
  const size_t number = slot - 1;
  const DisplacedObject& object = objects_[number];
  const HomePage page{object.database, object.home.page().number};
  Homes& homes = *by_page_.Find(page);
  const auto offset = static_cast<uint16_t>(object.home.offset());
  const auto at = static_cast<ptrdiff_t>(homes.FirstNotBelow(offset));
  homes.offsets.erase(homes.offsets.begin() + at);
  homes.places.erase(homes.places.begin() + at);
  if (homes.places.empty()) EraseHomes(page);
  bytes_ -= object.bytes;
  slot = 0;
  if (number + 1 != objects_.size()) {
    objects_[number] = objects_.back();
    NumberOf(objects_[number].place) = static_cast<uint32_t>(number + 1);
  }
  objects_.Truncate(objects_.size() - 1);
  if (--place_page.count == 0) by_place_.Erase(PageOf(place));
}

abi::Ref DisplacedObjects::PlaceOf(const Database* database, PersistentRef home) const {
  const Homes* const homes = by_page_.Find({database, home.page().number});
  if (homes == nullptr) return nullptr;
  const auto offset = static_cast<uint16_t>(home.offset());
  const size_t at = homes->FirstNotBelow(offset);
  return at < homes->offsets.size() && homes->offsets[at] == offset ? homes->places[at] : nullptr;
}

const PageObjects* DisplacedObjects::WithHomeOn(const Database* database, PageId page) const {
  const Homes* const homes = by_page_.Find({database, page.number});
  return homes == nullptr ? nullptr : &homes->places;
}

std::vector<abi::Ref> DisplacedObjects::RemoveAll(const Database* database) {
  std::vector<abi::Ref> places = PlacesOf(database);
  if (places.size() == objects_.size()) {
    *this = DisplacedObjects();
  } else {
    for (const abi::Ref place : places) Remove(place);
  }
  return places;
}

std::vector<abi::Ref> DisplacedObjects::Places() const {
  std::vector<abi::Ref> places;
  places.reserve(objects_.size());
  for (size_t i = 0; i < objects_.size(); ++i) places.push_back(objects_[i].place);
  return places;
}

std::vector<abi::Ref> DisplacedObjects::PlacesOf(const Database* database) const {
  std::vector<abi::Ref> places;
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].database == database) places.push_back(objects_[i].place);
  }
  return places;
}

}  // namespace tenure::stabilize
