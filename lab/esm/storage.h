// A database of objects on pages, with a root and indexes: what QuickStore and E have in
// common (White & DeWitt 1995, 5.4). One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lab/esm/btree.h"
#include "lab/esm/buffer_pool.h"
#include "lab/esm/layout.h"
#include "store/server/page_server.h"

namespace tenure::lab::esm {

// Objects that lie together, in the order of creation.
enum class Cluster : uint8_t { kParts, kDocuments, kAssemblies, kMappings, kBitmaps };
inline constexpr size_t kClusters = 5;

// kByPage: of pages, where their bitmap objects are, if references are relative.
enum class IndexName : uint8_t { kById, kByDate, kByTitle, kByPage };
inline constexpr size_t kIndexes = 4;

// The first page of a database.
struct DatabaseHead {
  uint64_t next_frame;    // QuickStore: that no page has had; wraps
  uint64_t first_frames;  // QuickStore: the frames below it were given when the database was made
  ObjectId root;
  uint64_t root_address;  // QuickStore
  uint64_t objects;       // made by the program
  uint64_t object_bytes;
  uint64_t map_bytes, bitmap_bytes;  // of mapping and bitmap objects
};

struct Placed {
  ObjectId id = 0;
  uint64_t page = 0;  // the first
  uint64_t pages = 1;
  uint32_t offset = 0;  // of the object's header in the page
  bool new_pages = false;
};

class Storage {
 public:
  // Makes the database "objects" in the open store, or opens it, and begins a transaction.
  Storage(store::PageServer& server, bool create, uint32_t pool_pages, Clock clock, PoolUser& user);
  ~Storage();

  // Room for an object of `bytes` bytes, with a header. `metas`: a large one gets room for
  // its meta objects.
  Placed Place(Cluster cluster, size_t bytes, bool metas);
  // The place of the object's header in the pool; for a large object, its first page.
  std::byte* Locate(ObjectId id, PageUse use);
  // Its bytes without the header. Not of a large one.
  uint32_t SizeOf(ObjectId id, PageUse use);

  DatabaseHead& head() { return head_; }
  void HeadChanged() { head_changed_ = true; }
  BTree& Index(IndexName name) { return trees_[static_cast<size_t>(name)]; }
  BufferPool& pool() { return pool_; }
  // Ends the transaction and begins another one. Pages stay in the pool.
  void Commit();

 private:
  struct Open {
    uint64_t page = 0, next = 0, end = 0;
  };
  uint64_t NewPage(Open& open);

  store::PageServer& server_;
  BufferPool pool_;
  DatabaseHead head_ = {};
  bool head_changed_ = false;
  std::array<BTree, kIndexes> trees_;
  std::array<Open, kClusters> open_;
};

}  // namespace tenure::lab::esm
