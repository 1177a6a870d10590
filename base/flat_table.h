// A hash table in one array: linear probing, no node per entry, no tombstones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"

namespace tenure {

// `Hash` gives 64 bits, of which the highest are the best; `Key{}` is not a key. The results of
// Find and Insert are valid until the next Insert or Erase.
template <typename Key, typename Value, typename Hash>
class FlatTable {
 public:
  size_t size() const { return size_; }

  Value* Find(const Key& key) {
    return const_cast<Value*>(static_cast<const FlatTable*>(this)->Find(key));
  }
  const Value* Find(const Key& key) const {
    if (size_ == 0) return nullptr;
    const Entry& entry = entries_[PlaceOf(key)];
    return entry.key == key ? &entry.value : nullptr;
  }

  // The entry, and whether it was made by this call: its value is Value{} then.
  std::pair<Value*, bool> Insert(const Key& key) {
    TN_DCHECK(!(key == Key{}));
    // At most five eighths full: a miss then looks at four entries.
    if ((size_ + 1) * 8 > entries_.size() * 5) Grow();
    Entry& entry = entries_[PlaceOf(key)];
    const bool fresh = !(entry.key == key);
    if (fresh) {
      entry.key = key;
      ++size_;
    }
    return {&entry.value, fresh};
  }

  // Calls visit(key, value) for every entry, in any order. `visit` may change values only.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (Entry& entry : entries_) {
      if (!(entry.key == Key{})) visit(entry.key, entry.value);
    }
  }

  // Whether there was one.
  bool Erase(const Key& key) {
    if (size_ == 0) return false;
    size_t hole = PlaceOf(key);
    if (!(entries_[hole].key == key)) return false;
    // Entries behind it that are not at their own place move up, so that none is behind a hole.
    const size_t mask = entries_.size() - 1;
    for (size_t at = (hole + 1) & mask; !(entries_[at].key == Key{}); at = (at + 1) & mask) {
      if (((at - OwnPlace(entries_[at].key)) & mask) < ((at - hole) & mask)) continue;
      entries_[hole] = std::move(entries_[at]);
      hole = at;
    }
    entries_[hole] = Entry{};
    --size_;
    return true;
  }

 private:
  struct Entry {
    Key key{};
    Value value{};
  };
  static constexpr size_t kFewest = 64;

  size_t OwnPlace(const Key& key) const { return static_cast<size_t>(Hash()(key) >> shift_); }

  // The index of the key's entry, or of the free entry where it belongs.
  size_t PlaceOf(const Key& key) const {
    size_t place = OwnPlace(key);
    while (!(entries_[place].key == key) && !(entries_[place].key == Key{})) {
      place = (place + 1) & (entries_.size() - 1);
    }
    return place;
  }

  void Grow() {
    std::vector<Entry> before = std::move(entries_);
    entries_ = std::vector<Entry>(before.empty() ? kFewest : 2 * before.size());
    shift_ = 64;
    for (size_t places = entries_.size(); places > 1; places /= 2) --shift_;
    for (Entry& entry : before) {
      if (!(entry.key == Key{})) entries_[PlaceOf(entry.key)] = std::move(entry);
    }
  }

  std::vector<Entry> entries_;  // none, or a power of two
  unsigned shift_ = 63;
  size_t size_ = 0;
};

// For keys that are addresses or numbers. Sequences of them must not come to be clusters, so one
// multiplication is not enough.
constexpr uint64_t SpreadBits(uint64_t bits) {
  constexpr uint64_t kOdd = 0xD6E8FEB86659FD93u;
  bits = (bits ^ (bits >> 32)) * kOdd;
  return (bits ^ (bits >> 32)) * kOdd;
}

}  // namespace tenure
