// The references in objects of OO1 and OO7, for heaps that have to find them.
#pragma once

#include <cstddef>

#include "lab/oo1/objects.h"
#include "lab/oo7/objects.h"

namespace tenure::lab::oo1 {

// Calls visit for each reference in the object of `bytes` bytes at `object`, which has this type,
// of OO1 or of OO7 (oo7::ForEachReference says more).
template <class H, class Visit>
void ForEachReference(TypeNumber type, void* object, size_t bytes, const Visit& visit) {
  switch (type) {
    case TypeNumber::kOo1Connection: return static_cast<Connection<H>*>(object)->ForEachRef(visit);
    case TypeNumber::kOo1Part: return static_cast<Part<H>*>(object)->ForEachRef(visit);
    case TypeNumber::kOo1WholePart: return static_cast<WholePart<H>*>(object)->ForEachRef(visit);
    case TypeNumber::kOo1Database: return;  // the index is not in the object
    default: return oo7::ForEachReference<H>(type, object, bytes, visit);
  }
}

}  // namespace tenure::lab::oo1
