// Objects and the standard containers in a heap (see malloc_heap.h), which has been included
// before.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <utility>

namespace heap {

// With all its fields zero.
template <class T>
T* Make() {
  return new (Allocate(sizeof(T))) T();
}

}  // namespace heap

namespace bench {

template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(heap::Allocate(n * sizeof(T))); }
  void deallocate(T* place, size_t) { heap::Free(place); }
  bool operator==(const Allocator&) const { return true; }
};

using HeapString = std::basic_string<char, std::char_traits<char>, Allocator<char>>;
template <class Key, class Value>
using Index = std::map<Key, Value, std::less<Key>, Allocator<std::pair<const Key, Value>>>;

}  // namespace bench
