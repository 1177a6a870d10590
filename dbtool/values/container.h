// The entries or elements of containers: keys and values, or elements in order. Open arrays are
// containers, too.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dbtool/values/compare.h"
#include "dbtool/values/value.h"
#include "dbtool/values/views.h"

namespace tenure::dbtool {

struct Entry {
  Datum key;                       // none in containers without keys
  Datum value;                     // none in sets of keys without values
  uint64_t slot = 0;               // of a hash table: where it lies, for KeyRange::first_slot
  uint64_t place = 0;              // of an element without a key, from 0 on
  store::PersistentRef node = {};  // of a list: what holds it, for KeyRange::first_node
};

// Bounds of keys, or of places, that an iteration is limited to.
struct KeyRange {
  std::optional<Datum> from, to;
  bool from_open = false, to_open = false;  // the bound itself is not meant
  // For a hash table: the slot, or the chain, to begin with. Entries of one chain have the same
  // one.
  uint64_t first_slot = 0;
  // For a list: the node to begin with. Bounds then count from it.
  std::optional<store::PersistentRef> first_node = {};
  bool descending = false;  // from the last key on; only where Container::ascending()

  // The key that the range alone has; null: it may have others.
  const Datum* only() const {
    const bool one = from && to && !from_open && !to_open && CompareData(*from, *to) == 0;
    return one ? &*from : nullptr;
  }
};

class Container {
 public:
  // Null: objects of the type are not containers. All arguments must outlive it.
  static std::unique_ptr<Container> Of(Values& values, const Views& views, const ObjectPtr& object);

  bool keyed() const;                          // entries have keys
  bool has_values() const;                     // entries have values; else the keys are all
  bool hashed() const;                         // entries have slots
  bool ascending() const { return ordered_; }  // entries come in the natural order of their keys
  bool indexed() const { return !keyed(); }
  const ObjectPtr& object() const { return object_; }
  // The first and the last index of elements: of an open array from 0 on.
  Result<uint64_t> Size();

  // Visits entries, in order, until visit returns false. Keys of ordered containers are read only
  // as far as the range needs; texts among keys and values are not resolved. Damage is reported to
  // `problem`, once for each place, and left out.
  Status ForEach(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  // The first entry with this key, which is a number, a text, ...; by the container's order or hash
  // where these are known. Nothing: there is none. kCorrupt: it may be in what is damaged.
  Result<std::optional<Entry>> Find(const Datum& key);
  // Element `place`, counted from 0, of one without keys. Nothing: it has fewer.
  Result<std::optional<Entry>> At(uint64_t place);

  std::function<void(const Status&)> problem = [](const Status&) {};

 private:
  Container(Values& values, const Views& views, ObjectPtr object)
      : values_(values), views_(views), object_(std::move(object)) {}

  struct TreeWalk;

  static Status Damaged(const LoadedObject& object, const std::string& what);
  Result<Datum> FieldOf(const ObjectPtr& object, const std::string& name);
  Result<int64_t> NumberIn(const ObjectPtr& object, const std::string& name);
  Result<ObjectPtr> ObjectIn(const ObjectPtr& object, const std::string& name);
  Result<Datum> ArrayIn(const ObjectPtr& object, const std::string& name);
  Result<Entry> EntryOf(const Datum& record);
  Result<Entry> EntryOfNode(const ObjectPtr& node);
  Status Inside(const KeyRange& range, const Entry& entry, bool* inside);
  // -1, 0, 1: the key is before the range, in it, behind it.
  Result<int> PlaceOf(const KeyRange& range, const Datum& key);
  Status Report(const Status& status);

  Status VisitSlots(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitChains(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitList(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitTree(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitBPlusTree(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitPlaces(const KeyRange& range, const std::function<bool(const Entry&)>& visit);
  Status VisitNode(TreeWalk& walk, const Datum& node, int depth);
  Status VisitHashed(const Datum& key, const std::function<bool(const Entry&)>& visit);

  Values& values_;
  const Views& views_;
  const ObjectPtr object_;
  const View* view_ = nullptr;     // null: an open array
  std::unique_ptr<Container> of_;  // kOf
  bool subtype_ = false;           // the object's own fields may hide those that the view names
  bool ordered_ = false;
  bool hashed_ = false;            // by the library's hash of numbers or texts
  Datum elements_;                 // of arrays and rings: the array
  uint64_t first_ = 0, size_ = 0;  // the place of the first element, and how many there are
};

// The open array that an object is, as an array from 0 on; of several dimensions, of arrays. None:
// the object is not an open array.
Result<Datum> OpenArrayIn(Values& values, const ObjectPtr& object);

}  // namespace tenure::dbtool
