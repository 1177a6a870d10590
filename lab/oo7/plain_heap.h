// Objects of OO7 in the memory of a program that knows nothing of persistence: the bound of all
// systems.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>

#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

struct PlainHeap {
  template <class T>
  using Ref = T*;
  template <class T>
  using Local = T*;

  template <class T>
  static T* Update(T* object) {
    return object;
  }
  template <class T>
  static T* Make() {
    return static_cast<T*>(std::calloc(1, sizeof(T)));
  }
  template <class T>
  static T* MakeSized(int64_t n) {
    auto* const object = static_cast<T*>(
        std::calloc(1, sizeof(T) + static_cast<size_t>(n) * sizeof(typename T::Element)));
    object->size = n;
    return object;
  }
  static void InsertByDate(int32_t date, int32_t id, AtomicPart<PlainHeap>* part) {
    by_date[{date, id}] = part;
  }
  static void EraseByDate(int32_t date, int32_t id) { by_date.erase({date, id}); }

  static inline std::map<std::pair<int32_t, int32_t>, AtomicPart<PlainHeap>*> by_date;
};

}  // namespace tenure::lab::oo7
