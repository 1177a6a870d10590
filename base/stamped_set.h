// A set that is emptied at no cost, again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tenure {

// A hash table with linear probing. An entry carries the number of its filling; entries of earlier
// fillings count as free. `Hash` gives 64 bits, of which the highest are the best.
template <typename Key, typename Hash>
class StampedSet {
 public:
  bool Contains(const Key& key) const {
    return !entries_.empty() && entries_[PlaceOf(key)].filling == filling_;
  }
  void Insert(const Key& key) {
    // At most half full.
    if ((size_ + 1) * 2 > entries_.size()) Grow();
    Entry& entry = entries_[PlaceOf(key)];
    if (entry.filling == filling_) return;
    entry = {key, filling_};
    ++size_;
  }
  void Clear() {
    ++filling_;
    size_ = 0;
  }
  size_t size() const { return size_; }

 private:
  struct Entry {
    Key key{};
    uint64_t filling = 0;
  };
  static constexpr size_t kFewest = 64;

  // The index of the key's entry, or of the free entry where it belongs.
  size_t PlaceOf(const Key& key) const {
    size_t place = static_cast<size_t>(Hash()(key) >> shift_);
    while (entries_[place].filling == filling_ && !(entries_[place].key == key)) {
      place = (place + 1) & (entries_.size() - 1);
    }
    return place;
  }

  void Grow() {
    const size_t places = entries_.empty() ? kFewest : 2 * entries_.size();
    std::vector<Entry> before = std::exchange(entries_, std::vector<Entry>(places));
    shift_ = 64;
    for (size_t i = places; i > 1; i /= 2) --shift_;
    for (const Entry& entry : before) {
      if (entry.filling == filling_) entries_[PlaceOf(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;  // none, or a power of two
  unsigned shift_ = 63;
  uint64_t filling_ = 1;
  size_t size_ = 0;
};

}  // namespace tenure
