// The language binding of SHORE/C++ (Hosking & Chen 1999, 5.3): references are smart pointers over
// a cache of objects in the client. Each access pins its object for as long as it lasts; stores go
// through Update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lab/oo7/objects.h"
#include "lab/shore/object_pages.h"
#include "lab/shore/server_index.h"
#include "store/server/page_server.h"

namespace tenure::lab::shore {

// A reference in an object, 16 bytes: volume and serial number; or, after it has been followed
// once, 0 and the address of the cache's entry. All zero: none.
struct ObjectRef {
  uint64_t volume;
  uint64_t word;
};

// An object that the client has a copy of, or knows of.
struct CacheEntry {
  Serial serial = 0;
  std::unique_ptr<std::byte[]> object;  // null: not fetched
  uint32_t bytes = 0;
  oo7::TypeNumber type{};
  uint32_t pins = 0;
  bool changed = false;
  bool told = false;  // the server knows that the client has it
};

struct ShoreCounters {
  uint64_t pins = 0, unpins = 0;
  uint64_t fetched = 0;  // objects, from the server's pages into the cache
  uint64_t fetched_bytes = 0;
  uint64_t commit_visits = 0;  // cached objects whose status a commit has looked at
  uint64_t requests = 0;       // to the server, besides those for pages
};

// The client. Only one at a time: references are as small as in SHORE and do not name it.
class ShoreClient {
 public:
  // Makes databases, or opens them, in the open store.
  ShoreClient(store::PageServer& server, bool create);
  ~ShoreClient();
  ShoreClient(const ShoreClient&) = delete;
  ShoreClient& operator=(const ShoreClient&) = delete;

  static ShoreClient& Get() { return *current; }

  // The entry that a reference leads to. The reference is swizzled.
  CacheEntry* Resolve(ObjectRef& ref) {
    if (ref.volume == 0) return reinterpret_cast<CacheEntry*>(ref.word);
    CacheEntry* const entry = EntryOf(ref.word);
    ref = {0, reinterpret_cast<uint64_t>(entry)};
    return entry;
  }
  CacheEntry* EntryOf(Serial serial);
  std::byte* Pin(CacheEntry* entry) {
    if (entry->object == nullptr) [[unlikely]]
      Fetch(entry);
    ++entry->pins;
    ++counters_.pins;
    return entry->object.get() + kHeaderBytes;
  }
  void Unpin(CacheEntry* entry) {
    --entry->pins;
    ++counters_.unpins;
  }
  void NoteChanged(CacheEntry* entry) {
    if (!entry->changed) changed_.push_back(entry);
    entry->changed = true;
  }
  CacheEntry* Create(oo7::TypeNumber type, size_t bytes);
  // The first object that was made.
  ObjectRef Root() const;
  // Ends the transaction and begins another one: the cache is kept.
  void Commit();
  ServerIndex& Index();

  const ShoreCounters& counters() const { return counters_; }
  const PageCounters& page_counters() const { return pages_.counters(); }

 private:
  // In front of each object: its type.
  static constexpr size_t kHeaderBytes = 8;
  void Fetch(CacheEntry* entry);
  void NoteFetched(CacheEntry* entry, size_t bytes);
  void WriteBack(CacheEntry* entry);
  void Request();

  static ShoreClient* current;
  store::PageServer& server_;
  const store::DatabaseId objects_, index_database_;
  ObjectPages pages_, index_pages_;
  ServerIndex index_;
  std::unordered_map<Serial, std::unique_ptr<CacheEntry>> cache_;
  std::vector<CacheEntry*> changed_;
  ShoreCounters counters_;
};

// Lives as long as one access.
template <class T>
class Pinned {
 public:
  explicit Pinned(CacheEntry* entry)
      : entry_(entry), object_(reinterpret_cast<T*>(ShoreClient::Get().Pin(entry))) {}
  ~Pinned() { ShoreClient::Get().Unpin(entry_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* operator->() const { return object_; }

 private:
  CacheEntry* const entry_;
  T* const object_;
};

struct ShoreHeap {
  // Of OO7 the index by date only, which is what Hosking & Chen measure.
  static constexpr bool kFrees = false, kQueries = false;

  template <class T>
  class Local;
  template <class T>
  using Param = const Local<T>&;

  template <class T>
  class Ref : public ObjectRef {
   public:
    Ref& operator=(const Local<T>& from);
  };
  template <class T>
  using ArrayRef = Ref<oo7::References<ShoreHeap, T>>;
  template <class T>
  using ArrayLocal = Local<oo7::References<ShoreHeap, T>>;
  using CharsRef = Ref<oo7::Chars<ShoreHeap>>;
  using CharsLocal = Local<oo7::Chars<ShoreHeap>>;
  using CharsParam = const CharsLocal&;
  struct Indexes {};
  template <class P>
  struct PartIndex {};

  // Has followed its reference, unless there is none.
  template <class T>
  class Local {
   public:
    Local() = default;
    // The reference in the object is swizzled, although the object is only read.
    explicit Local(const Ref<T>& ref) {
      if ((ref.volume | ref.word) == 0) return;
      entry_ = ShoreClient::Get().Resolve(const_cast<Ref<T>&>(ref));
    }
    explicit Local(CacheEntry* entry) : entry_(entry) {}
    explicit operator bool() const { return entry_ != nullptr; }
    Pinned<const T> operator->() const { return Pinned<const T>(entry_); }
    CacheEntry* entry() const { return entry_; }

   private:
    CacheEntry* entry_ = nullptr;
  };

  template <class T>
  static Pinned<T> Update(const Local<T>& object) {
    ShoreClient::Get().NoteChanged(object.entry());
    return Pinned<T>(object.entry());
  }
  template <class T>
  static Local<T> Make() {
    return Local<T>(ShoreClient::Get().Create(T::kType, sizeof(T)));
  }
  template <class T, class From>
  static Local<T> Cast(const Local<From>& object) {
    return Local<T>(object.entry());
  }
  static void BeginCluster() {}

  template <class T>
  static ArrayLocal<T> MakeArray(int64_t n) {
    return ArrayLocal<T>(ShoreClient::Get().Create(oo7::TypeNumber::kReferences,
                                                   static_cast<size_t>(n) * sizeof(Ref<T>)));
  }
  template <class T>
  static Local<T> At(const Local<oo7::References<ShoreHeap, T>>& array, int64_t i) {
    return Local<T>(array->at[i]);
  }
  template <class T>
  static void SetAt(const Local<oo7::References<ShoreHeap, T>>& array, int64_t i,
                    const Local<T>& object) {
    Update(array)->at[i] = object;
  }
  static CharsLocal MakeChars(std::string_view text) {
    const CharsLocal chars(ShoreClient::Get().Create(oo7::TypeNumber::kChars, text.size()));
    text.copy(Update(chars)->chars, text.size());
    return chars;
  }
  static char CharAt(const CharsLocal& chars, int64_t i) { return chars->chars[i]; }

  using Library = Local<oo7::Library<ShoreHeap>>;
  using Part = Local<oo7::AtomicPart<ShoreHeap>>;
  static void InsertById(const Library&, int32_t, const Part&) {}
  static void InsertByTitle(const Library&, std::string_view,
                            const Local<oo7::Document<ShoreHeap>>&) {}
  static void InsertByDate(const Library&, int32_t date, int32_t id, const Part& part) {
    ShoreClient::Get().Index().Insert({date, id}, part.entry()->serial);
  }
  static void EraseByDate(const Library&, int32_t date, int32_t id) {
    ShoreClient::Get().Index().Erase({date, id});
  }

  // OO1's parts by their ids; a store has OO7 or OO1.
  template <class Db, class P>
  static void InsertPart(const Db&, int64_t id, const Local<P>& part) {
    ShoreClient::Get().Index().Insert({static_cast<int32_t>(id), 0}, part.entry()->serial);
  }
  template <class P, class Db>
  static Local<P> FindPart(const Db&, int64_t id) {
    ShoreClient& client = ShoreClient::Get();
    return Local<P>(client.EntryOf(client.Index().Find({static_cast<int32_t>(id), 0})));
  }
};

template <class T>
ShoreHeap::Ref<T>& ShoreHeap::Ref<T>::operator=(const Local<T>& from) {
  volume = 0;
  word = reinterpret_cast<uint64_t>(from.entry());
  return *this;
}

}  // namespace tenure::lab::shore
