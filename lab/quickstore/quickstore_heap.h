// OO7 on QuickStore: references are pointers. QS-B has them padded to the 16 bytes that they have
// in E, so that objects are as large (White & DeWitt 1995, 5.5.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lab/oo1/references.h"
#include "lab/oo7/clusters.h"
#include "lab/oo7/objects.h"
#include "lab/quickstore/quickstore.h"

namespace tenure::lab::quickstore {

template <class T>
struct PaddedPointer {
  T* pointer;
  uint64_t padding;
  PaddedPointer& operator=(T* to) {
    pointer = to;
    return *this;
  }
  explicit operator T*() const { return pointer; }
};

template <bool kPadded>
struct QuickStoreHeap {
  static constexpr bool kFrees = false, kQueries = true;

  template <class T>
  using Ref = std::conditional_t<kPadded, PaddedPointer<T>, T*>;
  template <class T>
  using Local = T*;
  template <class T>
  using Param = T*;
  template <class T>
  using ArrayRef = Ref<oo7::References<QuickStoreHeap, T>>;
  template <class T>
  using ArrayLocal = oo7::References<QuickStoreHeap, T>*;
  using CharsRef = Ref<oo7::Chars<QuickStoreHeap>>;
  using CharsLocal = oo7::Chars<QuickStoreHeap>*;
  using CharsParam = CharsLocal;
  struct Indexes {};
  template <class P>
  struct PartIndex {};

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
    void* const object = MakeOf(T::kType, sizeof(T));
    if constexpr (requires(T& made) { made.ForEachRef([](auto&) {}); }) {
      static_cast<T*>(object)->ForEachRef([](auto& ref) { QuickStore::Get().NotePointer(&ref); });
    }
    return static_cast<T*>(object);
  }
  static void BeginCluster() {}
  template <class T>
  static ArrayLocal<T> MakeArray(int64_t n) {
    return static_cast<ArrayLocal<T>>(
        MakeOf(oo7::TypeNumber::kReferences, static_cast<size_t>(n) * sizeof(Ref<T>)));
  }
  template <class T>
  static T* At(oo7::References<QuickStoreHeap, T>* array, int64_t i) {
    const auto* const first = array->at;
    return static_cast<T*>(first[i]);
  }
  template <class T>
  static void SetAt(oo7::References<QuickStoreHeap, T>* array, int64_t i, T* object) {
    auto* const first = array->at;
    first[i] = object;
  }
  static CharsLocal MakeChars(std::string_view text) {
    const auto chars = static_cast<CharsLocal>(MakeOf(oo7::TypeNumber::kChars, text.size()));
    text.copy(chars->chars, text.size());
    return chars;
  }
  static char CharAt(CharsLocal chars, int64_t i) {
    const char* const first = chars->chars;
    return first[i];
  }

  using LibraryOf = oo7::Library<QuickStoreHeap>;
  using Part = oo7::AtomicPart<QuickStoreHeap>;
  using DocumentOf = oo7::Document<QuickStoreHeap>;
  static void InsertById(LibraryOf*, int32_t id, Part* part) { Insert(kById, KeyOf(id), part); }
  static void InsertByDate(LibraryOf*, int32_t date, int32_t id, Part* part) {
    Insert(kByDate, KeyOf(date, id), part);
  }
  static void EraseByDate(LibraryOf*, int32_t date, int32_t id) {
    Get().Index(kByDate).Erase(KeyOf(date, id));
  }
  static void InsertByTitle(LibraryOf*, std::string_view title, DocumentOf* document) {
    Insert(kByTitle, esm::IndexKey(title), document);
  }
  static Part* FindById(LibraryOf*, int32_t id) { return Find<Part>(kById, KeyOf(id)); }
  static DocumentOf* FindByTitle(LibraryOf*, std::string_view title) {
    return Find<DocumentOf>(kByTitle, esm::IndexKey(title));
  }
  template <class Visit>
  static void ForEachById(LibraryOf*, const Visit& visit) {
    ForEach<Part>(kById, KeyOf(0), visit);
  }
  template <class Visit>
  static void ForEachByTitle(LibraryOf*, const Visit& visit) {
    ForEach<DocumentOf>(kByTitle, esm::IndexKey(""), visit);
  }
  template <class Visit>
  static void ForEachFromDate(LibraryOf*, int32_t date, const Visit& visit) {
    ForEach<Part>(kByDate, KeyOf(date), visit);
  }

  template <class Db, class P>
  static void InsertPart(Db*, int64_t id, P* part) {
    Insert(kById, KeyOf(static_cast<int32_t>(id)), part);
  }
  template <class P, class Db>
  static P* FindPart(Db*, int64_t id) {
    return Find<P>(kById, KeyOf(static_cast<int32_t>(id)));
  }

 private:
  static constexpr auto kById = esm::IndexName::kById, kByDate = esm::IndexName::kByDate,
                        kByTitle = esm::IndexName::kByTitle;
  static QuickStore& Get() { return QuickStore::Get(); }
  static esm::IndexKey KeyOf(int32_t first, int32_t second = 0) {
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(second)};
  }
  static void Insert(esm::IndexName index, const esm::IndexKey& key, void* object) {
    Get().Index(index).Insert(key, Get().ValueOf(object));
  }
  template <class T>
  static T* Find(esm::IndexName index, const esm::IndexKey& key) {
    const std::optional<esm::IndexValue> value = Get().Index(index).Find(key);
    return value ? static_cast<T*>(Get().ObjectOf(*value)) : nullptr;
  }
  template <class T, class Visit>
  static void ForEach(esm::IndexName index, const esm::IndexKey& from, const Visit& visit) {
    Get().Index(index).ForEachFrom(
        from, [&](esm::IndexValue value) { visit(static_cast<T*>(Get().ObjectOf(value))); });
  }
  static void* MakeOf(oo7::TypeNumber type, size_t bytes) {
    const bool pointers = type != oo7::TypeNumber::kChars;
    void* const object =
        Get().Make(oo7::ClusterOf(type), static_cast<uint32_t>(type), bytes, pointers);
    oo1::ForEachReference<QuickStoreHeap>(type, object, bytes,
                                          [](auto& ref) { QuickStore::Get().NotePointer(&ref); });
    return object;
  }
};

}  // namespace tenure::lab::quickstore
