#include "lab/shore/server_index.h"

#include <algorithm>

#include "lab/support/fail.h"

namespace tenure::lab::shore {

namespace {

constexpr Serial kDirectory = MakeSerial(1, 0);  // the first object of the index's database

}  // namespace

void ServerIndex::Create() {
  directory_ = pages_.Place(sizeof(Directory));
  if (directory_ != kDirectory) Fail("an index is made in a database that has objects");
  const Serial leaf = pages_.Place(sizeof(Leaf));
  Directory& directory = TheDirectory();
  directory.count = 1;
  directory.leaves[0] = {{INT32_MIN, INT32_MIN}, leaf};
}

void ServerIndex::Open() { directory_ = kDirectory; }

ServerIndex::Directory& ServerIndex::TheDirectory() {
  return *reinterpret_cast<Directory*>(pages_.Find(directory_).data());
}

ServerIndex::Leaf& ServerIndex::LeafAt(Serial serial) {
  return *reinterpret_cast<Leaf*>(pages_.Find(serial).data());
}

// The leaf in which the key is or belongs.
uint32_t ServerIndex::PlaceOf(Key key) {
  const Directory& directory = TheDirectory();
  uint32_t low = 0, high = directory.count;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (directory.leaves[middle].first <= key ? low : high) = middle;
  }
  return low;
}

void ServerIndex::Insert(Key key, Serial object) {
  const uint32_t place = PlaceOf(key);
  Serial serial = TheDirectory().leaves[place].leaf;
  if (LeafAt(serial).count == kItems) {
    const Serial right = pages_.Place(sizeof(Leaf));
    Directory& directory = TheDirectory();
    if (directory.count == kLeaves) Fail("the index is full");
    Leaf& from = LeafAt(serial);
    Leaf& to = LeafAt(right);
    std::copy(from.items + kItems / 2, from.items + kItems, to.items);
    to.count = kItems / 2;
    from.count = kItems / 2;
    std::copy_backward(directory.leaves + place + 1, directory.leaves + directory.count,
                       directory.leaves + directory.count + 1);
    directory.leaves[place + 1] = {to.items[0].key, right};
    ++directory.count;
    pages_.NoteChanged(directory_);
    pages_.NoteChanged(serial);
    pages_.NoteChanged(right);
    if (to.items[0].key <= key) serial = right;
  }
  Leaf& leaf = LeafAt(serial);
  Item* const end = leaf.items + leaf.count;
  Item* const at =
      std::lower_bound(leaf.items, end, key, [](const Item& item, Key k) { return item.key < k; });
  if (at != end && at->key == key) Fail("the index has the key already");
  std::copy_backward(at, end, end + 1);
  *at = {key, object};
  ++leaf.count;
  pages_.NoteChanged(serial);
  ++changes_;
}

Serial ServerIndex::Find(Key key) {
  const Leaf& leaf = LeafAt(TheDirectory().leaves[PlaceOf(key)].leaf);
  const Item* const end = leaf.items + leaf.count;
  const Item* const at =
      std::lower_bound(leaf.items, end, key, [](const Item& item, Key k) { return item.key < k; });
  if (at == end || at->key != key) Fail("the index does not have the key");
  return at->object;
}

void ServerIndex::Erase(Key key) {
  const Serial serial = TheDirectory().leaves[PlaceOf(key)].leaf;
  Leaf& leaf = LeafAt(serial);
  Item* const end = leaf.items + leaf.count;
  Item* const at =
      std::lower_bound(leaf.items, end, key, [](const Item& item, Key k) { return item.key < k; });
  if (at == end || at->key != key) Fail("the index does not have the key");
  std::copy(at + 1, end, at);
  --leaf.count;
  pages_.NoteChanged(serial);
  ++changes_;
}

}  // namespace tenure::lab::shore
