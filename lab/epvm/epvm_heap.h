// OO7 in E: what its compiler makes of references to persistent objects.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "lab/epvm/epvm.h"
#include "lab/oo7/clusters.h"
#include "lab/oo7/objects.h"

namespace tenure::lab::epvm {

struct EpvmHeap {
  static constexpr bool kFrees = false, kQueries = true;

  template <class T>
  class Local;
  template <class T>
  using Param = const Local<T>&;

  template <class T>
  struct Ref {
    Oid oid;
    Ref& operator=(const Local<T>& from) {
      oid = from.oid();
      return *this;
    }
  };

  template <class T>
  class Local {
   public:
    Local() : slot_(Epvm::Push()) { slot_->address = nullptr, slot_->oid = {}; }
    explicit Local(const Ref<T>& ref) : Local(ref.oid) {}
    explicit Local(const Oid& oid) : slot_(Epvm::Push()) {
      slot_->address = nullptr;
      slot_->oid = oid;
    }
    Local(const Local& from) : slot_(Epvm::Push()) {
      slot_->address = from.slot_->address;
      slot_->oid = from.slot_->oid;
    }
    Local& operator=(const Local& from) {
      slot_->address = from.slot_->address;
      slot_->oid = from.slot_->oid;
      return *this;
    }
    ~Local() { Epvm::Pop(slot_); }
    explicit operator bool() const { return slot_->oid.object != 0; }
    // The check in line, and a call if the variable has no address yet.
    const T* operator->() const {
      if (slot_->address == nullptr) [[unlikely]]
        Epvm::Get().Dereference(slot_);
      return reinterpret_cast<const T*>(slot_->address);
    }
    const Oid& oid() const { return slot_->oid; }
    LocalSlot* slot() const { return slot_; }

   private:
    LocalSlot* const slot_;
  };

  // Every store is a call.
  template <class T>
  class Updated {
   public:
    explicit Updated(const Local<T>& of) : slot_(of.slot()) {}
    T* operator->() const { return reinterpret_cast<T*>(Epvm::Get().WillUpdate(slot_)); }

   private:
    LocalSlot* const slot_;
  };

  template <class T>
  using ArrayRef = Ref<oo7::References<EpvmHeap, T>>;
  template <class T>
  using ArrayLocal = Local<oo7::References<EpvmHeap, T>>;
  using CharsRef = Ref<oo7::Chars<EpvmHeap>>;
  using CharsLocal = Local<oo7::Chars<EpvmHeap>>;
  using CharsParam = const CharsLocal&;
  struct Indexes {};
  template <class P>
  struct PartIndex {};

  template <class T>
  static Updated<T> Update(const Local<T>& object) {
    return Updated<T>(object);
  }
  template <class T, class From>
  static Local<T> Cast(const Local<From>& object) {
    Local<T> cast(object.oid());
    cast.slot()->address = object.slot()->address;
    return cast;
  }
  template <class T>
  static Local<T> Make() {
    return Local<T>(MakeOf(T::kType, sizeof(T)));
  }
  static void BeginCluster() {}
  template <class T>
  static ArrayLocal<T> MakeArray(int64_t n) {
    return ArrayLocal<T>(
        MakeOf(oo7::TypeNumber::kReferences, static_cast<size_t>(n) * sizeof(Ref<T>)));
  }
  template <class T>
  static Local<T> At(const Local<oo7::References<EpvmHeap, T>>& array, int64_t i) {
    if (!esm::IsLarge(array.oid().object)) {
      const Ref<T>* const first = array->at;
      return Local<T>(first[i]);
    }
    // An identifier may lie on two pages.
    Oid oid;
    const size_t at = static_cast<size_t>(i) * sizeof(Ref<T>);
    for (size_t done = 0; done < sizeof oid; done += sizeof(uint64_t)) {
      std::memcpy(reinterpret_cast<std::byte*>(&oid) + done,
                  Epvm::Get().Part(array.slot(), at + done), sizeof(uint64_t));
    }
    return Local<T>(oid);
  }
  template <class T>
  static void SetAt(const Local<oo7::References<EpvmHeap, T>>& array, int64_t i,
                    const Local<T>& object) {
    const Oid oid = object.oid();
    Write(array.slot(), static_cast<size_t>(i) * sizeof(Ref<T>), &oid, sizeof oid);
  }
  static CharsLocal MakeChars(std::string_view text) {
    const CharsLocal chars(MakeOf(oo7::TypeNumber::kChars, text.size()));
    Write(chars.slot(), 0, text.data(), text.size());
    return chars;
  }
  static char CharAt(const CharsLocal& chars, int64_t i) {
    if (esm::IsLarge(chars.oid().object)) {
      return Epvm::Get().CharOf(chars.slot(), static_cast<size_t>(i));
    }
    const char* const first = chars->chars;
    return first[i];
  }

  using LibraryOf = Local<oo7::Library<EpvmHeap>>;
  using Part = Local<oo7::AtomicPart<EpvmHeap>>;
  using DocumentOf = Local<oo7::Document<EpvmHeap>>;
  static void InsertById(const LibraryOf&, int32_t id, const Part& part) {
    Insert(kById, KeyOf(id), part.oid());
  }
  static void InsertByDate(const LibraryOf&, int32_t date, int32_t id, const Part& part) {
    Insert(kByDate, KeyOf(date, id), part.oid());
  }
  static void EraseByDate(const LibraryOf&, int32_t date, int32_t id) {
    Epvm::Get().Index(kByDate).Erase(KeyOf(date, id));
  }
  static void InsertByTitle(const LibraryOf&, std::string_view title, const DocumentOf& document) {
    Insert(kByTitle, esm::IndexKey(title), document.oid());
  }
  static Part FindById(const LibraryOf&, int32_t id) { return Part(Find(kById, KeyOf(id))); }
  static DocumentOf FindByTitle(const LibraryOf&, std::string_view title) {
    return DocumentOf(Find(kByTitle, esm::IndexKey(title)));
  }
  template <class Visit>
  static void ForEachById(const LibraryOf&, const Visit& visit) {
    ForEach<Part>(kById, KeyOf(0), visit);
  }
  template <class Visit>
  static void ForEachByTitle(const LibraryOf&, const Visit& visit) {
    ForEach<DocumentOf>(kByTitle, esm::IndexKey(""), visit);
  }
  template <class Visit>
  static void ForEachFromDate(const LibraryOf&, int32_t date, const Visit& visit) {
    ForEach<Part>(kByDate, KeyOf(date), visit);
  }

  template <class Db, class P>
  static void InsertPart(const Db&, int64_t id, const Local<P>& part) {
    Insert(kById, KeyOf(static_cast<int32_t>(id)), part.oid());
  }
  template <class P, class Db>
  static Local<P> FindPart(const Db&, int64_t id) {
    return Local<P>(Find(kById, KeyOf(static_cast<int32_t>(id))));
  }

 private:
  static constexpr auto kById = esm::IndexName::kById, kByDate = esm::IndexName::kByDate,
                        kByTitle = esm::IndexName::kByTitle;
  static esm::IndexKey KeyOf(int32_t first, int32_t second = 0) {
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(second)};
  }
  static Oid OidOf(const esm::IndexValue& value) {
    return {value.first, static_cast<uint32_t>(value.second >> 32),
            static_cast<uint32_t>(value.second)};
  }
  static void Insert(esm::IndexName index, const esm::IndexKey& key, const Oid& oid) {
    Epvm::Get().Index(index).Insert(key, {oid.object, uint64_t{oid.unique} << 32 | oid.volume});
  }
  static Oid Find(esm::IndexName index, const esm::IndexKey& key) {
    const std::optional<esm::IndexValue> value = Epvm::Get().Index(index).Find(key);
    return value ? OidOf(*value) : Oid{};
  }
  template <class L, class Visit>
  static void ForEach(esm::IndexName index, const esm::IndexKey& from, const Visit& visit) {
    Epvm::Get().Index(index).ForEachFrom(
        from, [&](const esm::IndexValue& value) { visit(L(OidOf(value))); });
  }
  static Oid MakeOf(oo7::TypeNumber type, size_t bytes) {
    return Epvm::Get().Make(oo7::ClusterOf(type), static_cast<uint32_t>(type), bytes);
  }
  static void Write(LocalSlot* slot, size_t offset, const void* from, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
      size_t now = bytes - done;
      std::byte* const to = Epvm::Get().WillUpdatePart(slot, offset + done, &now);
      std::memcpy(to, static_cast<const std::byte*>(from) + done, now);
      done += now;
    }
  }
};

}  // namespace tenure::lab::epvm
