// Objects that a commit has named but that still live where they were: place <-> home (design.md
// section 5, "Displaced objects").
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "abi/object_header.h"
#include "stabilize/persistent_ref.h"

namespace tenure::stabilize {

class Database;

struct DisplacedObject {
  abi::Ref place = nullptr;  // in the transient heap; its header has the displaced bit
  Database* database = nullptr;
  PersistentRef home;  // the slot: first field, as every reference to it is stored
  size_t bytes = 0;    // header and payload
  size_t number = 0;   // the table's own
};

// A bijection between places and homes. With the session's lock.
class DisplacedObjects {
 public:
  void Add(const DisplacedObject& object);
  void Remove(abi::Ref place);

  // Null when the object is not displaced.
  const DisplacedObject* Find(abi::Ref place) const;
  // Where the object with this home lives; null when it is at home.
  abi::Ref PlaceOf(const Database* database, PersistentRef home) const;
  // The displaced objects whose home is on this page; null for none.
  const std::vector<abi::Ref>* WithHomeOn(const Database* database, PageId page) const;

  size_t size() const { return by_place_.size(); }
  // Pages on which homes begin.
  size_t home_pages() const { return by_page_.size(); }
  // A copy, so that the caller may change the table meanwhile. Costs little.
  std::vector<abi::Ref> Places() const { return places_; }
  // Calls stays(place) for each one that is young by is_young(place). Those that are not, or for
  // which it says no, never come again. `stays` may remove the object.
  template <typename IsYoung, typename Stays>
  void ForEachYoung(IsYoung&& is_young, Stays&& stays) {
    size_t kept = 0;
    for (size_t i = 0; i < recent_.size(); ++i) {
      const abi::Ref place = recent_[i];
      // Asked first, since it costs least: after a large commit most are old.
      if (is_young(place) && by_place_.contains(place) && stays(place)) recent_[kept++] = place;
    }
    recent_.resize(kept);
  }
  std::vector<abi::Ref> PlacesOf(const Database* database) const;

 private:
  struct Home {
    const Database* database;
    uint64_t bits;  // of a reference, or a page number
    friend bool operator==(const Home&, const Home&) = default;
  };
  struct HomeHash {
    size_t operator()(const Home& home) const {
      return (reinterpret_cast<size_t>(home.database) >> 4) ^
             static_cast<size_t>(home.bits * 0x9E3779B97F4A7C15u);
    }
  };

  std::unordered_map<abi::Ref, DisplacedObject> by_place_;
  std::vector<abi::Ref> places_;  // by DisplacedObject::number
  std::vector<abi::Ref> recent_;  // perhaps in the young generation, perhaps removed
  std::unordered_map<Home, abi::Ref, HomeHash> by_home_;
  std::unordered_map<Home, std::vector<abi::Ref>, HomeHash> by_page_;
};

}  // namespace tenure::stabilize
