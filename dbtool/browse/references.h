// The references of objects, read without more pages than are needed: an object may be an array of
// millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dbtool/browse/object_index.h"
#include "dbtool/stored/object_source.h"

namespace tenure::dbtool {

// Visits the references of the object to objects of its database, with the offsets of their slots
// in the payload, until visit answers false. Only those of the payload's bytes from `begin` to
// before `end`; of a large object only the pages of these are read.
Status ForEachReference(const ObjectPtr& object,
                        const std::function<bool(uint64_t offset, store::PersistentRef to)>& visit,
                        uint64_t begin = 0, uint64_t end = UINT64_MAX);

// For a large object whose references have not been counted, views read at most this many bytes.
inline constexpr uint64_t kBytesLookedThrough = 1 << 20;

// Through which slots one object refers to another.
struct SlotsBetween {
  std::vector<uint64_t> offsets;  // of the first ones, in the payload
  uint64_t count = 0;
};
// As the objects are now; of a large one, the slots that the index has are looked at. `index` may
// be null. At most `most` slots get into the answer.
Result<SlotsBetween> SlotsTo(const ObjectIndex* index, const ObjectPtr& from,
                             store::PersistentRef to, size_t most);

}  // namespace tenure::dbtool
