// An index that the server keeps, and clients ask (Hosking & Chen 1999, 5.4.4): pairs of numbers in
// order, with an object for each.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/shore/object_pages.h"

namespace tenure::lab::shore {

// Leaves on objects of their own, and a directory of leaves. Every call is a request to the server;
// a change is in the server's log at once.
class ServerIndex {
 public:
  struct Key {
    int32_t first, second;
    friend constexpr auto operator<=>(const Key&, const Key&) = default;
  };
  explicit ServerIndex(ObjectPages& pages) : pages_(pages) {}

  // Of a new store.
  void Create();
  // Of a store that has one.
  void Open();
  void Insert(Key key, Serial object);
  // The key must be there, for both.
  Serial Find(Key key);
  void Erase(Key key);
  // Changes that the server has logged one by one.
  uint64_t changes() const { return changes_; }

 private:
  struct Item {
    Key key;
    Serial object;
  };
  static constexpr uint32_t kItems = 400;  // in a leaf
  struct Leaf {
    uint32_t count, reserved;
    Item items[kItems];
  };
  static constexpr uint32_t kLeaves = 450;
  struct Directory {
    uint32_t count, reserved;
    struct {
      Key first;
      Serial leaf;
    } leaves[kLeaves];
  };
  static_assert(sizeof(Directory) < ObjectPages::kPageBytes - 64);
  static_assert(sizeof(Leaf) < ObjectPages::kPageBytes - 64);

  Directory& TheDirectory();
  Leaf& LeafAt(Serial serial);
  uint32_t PlaceOf(Key key);

  ObjectPages& pages_;
  Serial directory_ = 0;
  uint64_t changes_ = 0;
};

}  // namespace tenure::lab::shore
