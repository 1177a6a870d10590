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
};

// A bijection between places and homes. With the session's lock.
class DisplacedObjects {
 public:
  // `young`: it is in the young generation now.
  void Add(const DisplacedObject& object, bool young);
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
  std::vector<abi::Ref> Places() const;
  // Calls visit(place) for each one that is young by is_young(place); those that are not never come
  // again. `visit` may remove this object, and no other.
  template <typename IsYoung, typename Visit>
  void ForEachYoung(IsYoung&& is_young, Visit&& visit) {
    // Backwards: what takes the place of one that leaves has been looked at.
    for (size_t i = young_.size(); i-- > 0;) {
      const abi::Ref place = young_[i].place;
      if (is_young(place)) {
        visit(place);
      } else {
        RemoveFrom(young_, &Entry::young_number, *young_[i].entry);
      }
    }
  }
  std::vector<abi::Ref> PlacesOf(const Database* database) const;

 private:
  static constexpr size_t kNone = ~size_t{0};
  struct Entry {
    DisplacedObject object;
    size_t number;        // in all_
    size_t young_number;  // in young_, or kNone
  };
  // The place beside the entry: a walk that only wants places touches nothing else.
  struct Listed {
    abi::Ref place;
    Entry* entry;
  };
  static void AddTo(std::vector<Listed>& list, size_t Entry::* number, Entry& entry) {
    entry.*number = list.size();
    list.push_back({entry.object.place, &entry});
  }
  static void RemoveFrom(std::vector<Listed>& list, size_t Entry::* number, Entry& entry) {
    list[entry.*number] = list.back();
    list.back().entry->*number = entry.*number;
    list.pop_back();
    entry.*number = kNone;
  }

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

  std::unordered_map<abi::Ref, Entry> by_place_;
  std::vector<Listed> all_;
  std::vector<Listed> young_;  // all that are in the young generation, and perhaps others
  std::unordered_map<Home, abi::Ref, HomeHash> by_home_;
  std::unordered_map<Home, std::vector<abi::Ref>, HomeHash> by_page_;
};

}  // namespace tenure::stabilize
