// Which elements of an array a container of the library does not use: free slots of a hash table,
// the rest of a sequence, of a queue, of a node of a B+ tree. They hold what NEW gave them, which
// is no value of the program's.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "dbtool/stored/object_source.h"
#include "dbtool/values/value.h"
#include "dbtool/values/views.h"

namespace tenure::dbtool {

class UnusedPlaces {
 public:
  // Finds the containers of the source's database, all of them, by a walk over its objects. An
  // array that two of them have, or a damaged one, has no unused elements. The source must outlive
  // this object.
  static Result<std::unique_ptr<UnusedPlaces>> In(ObjectSource& source);

  // Whether a container has this array, of one dimension, and does not use its element `place`,
  // counted from 0.
  Result<bool> Has(store::PersistentRef array, uint64_t place);

  const ObjectSource& source() const { return source_; }
  store::DatabaseId database() const { return database_; }

 private:
  // What a container, or its node, says of one of its arrays.
  struct Use {
    const View* slots = nullptr;  // its elements say it themselves
    // Else `count` elements from `first` on are used; behind the last element comes the first one.
    uint64_t first = 0, count = 0;
    bool shared = false;
  };
  // Objects of a type that have such arrays: containers, or nodes of B+ trees.
  struct Owner {
    const View* view = nullptr;
    bool exact = true;  // the view is of the type itself
    bool node = false;
  };

  explicit UnusedPlaces(ObjectSource& source)
      : source_(source), database_(source.database()), values_(source) {}

  void FindOwners();
  Status Note(const Owner& owner, const ObjectPtr& object);

  ObjectSource& source_;
  const store::DatabaseId database_;
  Values values_;
  const Views views_ = Views::OfLibrary();
  std::unordered_map<uint32_t, Owner> owners_;  // by the index of their types
  std::unordered_map<uint64_t, Use> uses_;      // by the reference to the array
};

}  // namespace tenure::dbtool
