// The results of a scan of a database: for each object its place, its type, the objects that refer
// to it, and the shortest path to it. About 30 bytes for each object with three references, and 8
// more for each reference of an object that is larger than a page.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "store/format/persistent_ref.h"

namespace tenure::dbtool {

enum class PageKind : uint8_t {
  kNone,     // no such page
  kSmall,    // objects that are no larger than a page
  kLarge,    // the first page of a larger object
  kFurther,  // another page of that object
  kDamaged,
};

struct IndexedPage {
  uint32_t first_object = 0;  // the number of its first object, or of those behind it
  uint32_t type = 0;          // of most of its bytes; 0: it has no object
  uint16_t used_bytes = 0;    // by objects, with their headers
  PageKind kind = PageKind::kNone;
  uint64_t version = 0;  // of the commit that wrote it last
};

struct TypeTotals {
  uint64_t objects = 0, bytes = 0;  // with headers
};

// Immutable once it has been made. Any thread.
class ObjectIndex {
 public:
  // Objects are numbered in the order of their places.
  using Id = uint32_t;
  static constexpr Id kNone = ~Id{0};

  // A reference of an object that is larger than a page.
  struct LargeReference {
    Id to = kNone;
    uint32_t word = 0;  // of the object's payload
    friend auto operator<=>(const LargeReference&, const LargeReference&) = default;
  };

  uint64_t objects() const { return offsets_.size(); }
  uint64_t bytes() const { return bytes_; }
  uint64_t free_bytes() const { return free_bytes_; }
  uint64_t references() const { return sources_.size(); }  // several from one object to another: 1
  uint64_t dangling() const { return dangling_; }          // references that lead to no object
  uint64_t reached() const { return reached_; }            // objects that a path leads to
  const std::map<uint32_t, TypeTotals>& types() const { return types_; }
  // By page number; entry 0 is unused.
  const std::vector<IndexedPage>& pages() const { return pages_; }
  uint64_t damaged_pages() const { return damaged_pages_; }
  const std::vector<std::string>& problems() const { return problems_; }  // the first ones

  store::PersistentRef PlaceOf(Id object) const;
  Id Find(store::PersistentRef place) const;  // kNone: there was none
  uint32_t TypeOf(Id object) const { return type_of_[object]; }
  // The objects that refer to it, in the order of their places, each once.
  std::span<const Id> Sources(Id object) const;
  // Whether the object is larger than a page.
  bool IsLarge(Id object) const { return LargeAt(object) != large_.end(); }
  // The references of an object that is larger than a page, by target and then by place; those of
  // other objects are quickly read, and not kept.
  std::span<const LargeReference> ReferencesOf(Id object) const;
  // The references of `object` that lead to `to`.
  std::span<const LargeReference> References(Id object, Id to) const;
  // The previous object on the shortest path from a start; the object itself if it is a start;
  // kNone if no path leads to it.
  Id Parent(Id object) const { return parents_[object]; }
  // The objects of a type, without those of its subtypes, in the order of their places.
  std::span<const Id> OfType(uint32_t type) const;

 private:
  friend class IndexBuilder;

  struct LargeObject {
    Id object = kNone;
    size_t begin = 0;  // of its part of large_references_, which goes up to the next one's
  };
  std::vector<LargeObject>::const_iterator LargeAt(Id object) const;

  std::vector<IndexedPage> pages_{1};
  std::vector<uint16_t> offsets_;  // of each object in its page
  std::vector<uint32_t> type_of_;
  std::vector<uint32_t> sources_begin_;  // by object, and one more
  std::vector<Id> sources_;
  std::vector<LargeObject> large_;  // in the order of their places
  std::vector<LargeReference> large_references_;
  std::vector<Id> parents_;
  std::vector<Id> by_type_;
  std::map<uint32_t, TypeTotals> types_;
  std::map<uint32_t, std::pair<size_t, size_t>> of_type_;  // ranges of by_type_
  std::vector<std::string> problems_;
  uint64_t bytes_ = 0, free_bytes_ = 0, dangling_ = 0, reached_ = 0, damaged_pages_ = 0;
};

// Takes pages in ascending order, their objects in ascending order, and the objects' references.
class IndexBuilder {
 public:
  void BeginPage(store::PageId page, PageKind kind, uint64_t version);
  // Adds an object at an offset of the current page; `bytes` with the header. False: there are too
  // many objects or references.
  [[nodiscard]] bool AddObject(size_t offset, uint32_t type, uint64_t bytes);
  // The current page is another one of a larger object, and has `bytes` of the object.
  void AddPart(uint32_t type, uint64_t bytes) { bytes_of_page_[type] += bytes; }
  // Adds a reference at this offset in the payload of the last object.
  void AddReference(uint64_t offset, store::PersistentRef to);
  void AddFree(uint64_t bytes) { index_.free_bytes_ += bytes; }
  void AddDamage(store::PageId page, const std::string& problem);
  uint64_t objects() const { return index_.objects(); }
  // `starts`: the root, and what other databases refer to. The builder is empty afterwards.
  ObjectIndex Finish(std::span<const store::PersistentRef> starts);

 private:
  void EndPage();
  void KeepLargeReferences(const std::vector<ObjectIndex::Id>& targets);
  void FindSources(const std::vector<ObjectIndex::Id>& targets);
  void FindPaths(const std::vector<ObjectIndex::Id>& targets,
                 std::span<const store::PersistentRef> starts);
  void SortByType();

  ObjectIndex index_;
  std::vector<uint64_t> targets_;               // stored references of all objects
  std::vector<uint32_t> targets_begin_;         // by object
  std::vector<uint32_t> large_words_;           // of the references of large objects, in order
  std::map<uint32_t, uint64_t> bytes_of_page_;  // by type
};

}  // namespace tenure::dbtool
