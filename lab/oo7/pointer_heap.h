// Objects of OO7 that refer to each other by pointers, in memory that M gives out: plain C++. The
// object code is that of a program without templates (tests/lab/pointer_code_test.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

// M::Allocate(bytes), M::AllocateChars(bytes) for memory without pointers, M::Free(place);
// M::Index<Key, Value> is an ordered map there and M::String a string.
template <class M>
struct PointerHeap {
  static constexpr bool kFrees = true, kQueries = true;

  template <class T>
  using Ref = T*;
  template <class T>
  using Local = T*;
  template <class T>
  using Param = T*;
  template <class T>
  using ArrayRef = T**;
  template <class T>
  using ArrayLocal = T**;
  using CharsRef = char*;
  using CharsLocal = char*;
  using CharsParam = const char*;

  struct Indexes {
    typename M::template Index<int64_t, AtomicPart<PointerHeap>*> by_id;
    typename M::template Index<std::pair<int32_t, int32_t>, AtomicPart<PointerHeap>*> by_date;
    typename M::template Index<typename M::String, Document<PointerHeap>*> by_title;
  };
  using LibraryOf = Library<PointerHeap>;
  template <class P>
  using PartIndex = typename M::template Index<int64_t, P*>;

  template <class T>
  static T* Update(T* object) {
    return object;
  }
  template <class T, class From>
  static T* Cast(From* object) {
    return static_cast<T*>(object);
  }
  template <class T>
  static T* Make() {
    return new (M::Allocate(sizeof(T))) T();
  }
  template <class T>
  static void Free(T* object) {
    M::Free(object);
  }
  static void BeginCluster() {}

  template <class T>
  static T** MakeArray(int64_t n) {
    void* const place = M::Allocate(static_cast<size_t>(n) * sizeof(T*));
    std::memset(place, 0, static_cast<size_t>(n) * sizeof(T*));
    return static_cast<T**>(place);
  }
  template <class T>
  static void FreeArray(T** array) {
    M::Free(array);
  }
  template <class T>
  static T* At(T** array, int64_t i) {
    return array[i];
  }
  template <class T>
  static void SetAt(T** array, int64_t i, T* object) {
    array[i] = object;
  }

  static char* MakeChars(std::string_view text) {
    auto* const chars = static_cast<char*>(M::AllocateChars(text.size()));
    text.copy(chars, text.size());
    return chars;
  }
  static void FreeChars(char* chars) { M::Free(chars); }
  static char CharAt(const char* chars, int64_t i) { return chars[i]; }

  static void InsertById(LibraryOf* library, int32_t id, AtomicPart<PointerHeap>* part) {
    library->indexes.by_id[id] = part;
  }
  static void EraseById(LibraryOf* library, int32_t id) { library->indexes.by_id.erase(id); }
  static void InsertByDate(LibraryOf* library, int32_t date, int32_t id,
                           AtomicPart<PointerHeap>* part) {
    library->indexes.by_date[{date, id}] = part;
  }
  static void EraseByDate(LibraryOf* library, int32_t date, int32_t id) {
    library->indexes.by_date.erase({date, id});
  }
  static void InsertByTitle(LibraryOf* library, std::string_view title,
                            Document<PointerHeap>* document) {
    library->indexes.by_title[typename M::String(title)] = document;
  }
  static void EraseByTitle(LibraryOf* library, std::string_view title) {
    library->indexes.by_title.erase(typename M::String(title));
  }
  static AtomicPart<PointerHeap>* FindById(LibraryOf* library, int32_t id) {
    const auto found = library->indexes.by_id.find(id);
    return found == library->indexes.by_id.end() ? nullptr : found->second;
  }
  static Document<PointerHeap>* FindByTitle(LibraryOf* library, std::string_view title) {
    const auto found = library->indexes.by_title.find(typename M::String(title));
    return found == library->indexes.by_title.end() ? nullptr : found->second;
  }
  template <class Visit>
  static void ForEachById(LibraryOf* library, const Visit& visit) {
    for (const auto& [id, part] : library->indexes.by_id) visit(part);
  }
  template <class Visit>
  static void ForEachByTitle(LibraryOf* library, const Visit& visit) {
    for (const auto& [title, document] : library->indexes.by_title) visit(document);
  }
  template <class Visit>
  static void ForEachFromDate(LibraryOf* library, int32_t date, const Visit& visit) {
    auto& by_date = library->indexes.by_date;
    for (auto at = by_date.lower_bound({date, 0}); at != by_date.end(); ++at) visit(at->second);
  }

  template <class Db, class P>
  static void InsertPart(Db* db, int64_t id, P* part) {
    db->by_id[id] = part;
  }
  // The part must be there.
  template <class P, class Db>
  static P* FindPart(Db* db, int64_t id) {
    return db->by_id.find(id)->second;
  }
};

// Memory of the C library.
struct MallocMemory {
  template <class Key, class Value>
  using Index = std::map<Key, Value>;
  using String = std::string;
  static void* Allocate(size_t bytes) {
    void* const place = std::malloc(bytes);
    if (place == nullptr) std::abort();
    return place;
  }
  static void* AllocateChars(size_t bytes) { return Allocate(bytes); }
  static void Free(void* place) { std::free(place); }
};

using PlainHeap = PointerHeap<MallocMemory>;

}  // namespace tenure::lab::oo7
