// Objects on pages, as the server of an object store keeps them: each page has a table of its
// objects, an object's identifier is its page and its place in that table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::lab::shore {

// An object within its store: page and place in the page's table. 0: none.
using Serial = uint64_t;
constexpr Serial MakeSerial(uint64_t page, uint32_t place) { return page << 12 | place; }
constexpr uint64_t PageOf(Serial serial) { return serial >> 12; }
constexpr uint32_t PlaceOf(Serial serial) { return static_cast<uint32_t>(serial & 0xfff); }

struct PageCounters {
  uint64_t pages_read = 0;     // from the page server
  uint64_t pages_written = 0;  // by commits
};

// The pages of one database, and the client's pool, which holds all pages that were read. One
// thread. A failure ends the program.
class ObjectPages {
 public:
  ObjectPages(store::PageServer& server, store::DatabaseId database)
      : server_(server), database_(database) {}

  // Room for an object, behind the one that was placed last: objects lie in the order of creation.
  // One that is larger than a page gets pages of its own.
  Serial Place(size_t bytes);
  // The object's bytes, read if need be. Valid until the next call.
  std::span<std::byte> Find(Serial serial);
  // One page of an object that is larger than a page: the bytes from offset / kPageBytes *
  // kPageBytes on.
  std::span<std::byte> FindPart(Serial serial, size_t offset);
  bool IsLarge(Serial serial) { return PlaceOf(serial) == kLargePlace; }
  size_t SizeOf(Serial serial);
  // The number of objects on a page: their places are 0 and so on. A page of a larger object has
  // none.
  uint32_t ObjectsOn(uint64_t page) { return HeadOf(Get(page)).count; }
  // The page of the object (or of this part of it) is written by the next commit.
  void NoteChanged(Serial serial, size_t offset = 0);
  // The commit of the changed pages; empty: none has changed. Valid until the pages change. After
  // the commit: NoteCommitted.
  std::vector<store::DatabaseCommit> Prepare();
  void NoteCommitted(uint64_t version);
  // Commits all changed pages, and `more` in the same commit. Returns the version; 0: there was
  // nothing to commit.
  uint64_t Commit(std::vector<store::DatabaseCommit> more);

  const PageCounters& counters() const { return counters_; }

  static constexpr size_t kPageBytes = 8192;

 private:
  // At the start of a page. Objects follow; the table grows downwards from the page's end.
  struct Head {
    uint16_t count;
    uint16_t used;
    uint32_t reserved;
    uint64_t large;  // the size of the object that has this page and the following ones; 0: none
  };
  struct Entry {
    uint16_t offset, bytes;
  };
  static constexpr uint32_t kLargePlace = 0xfff;
  struct Page {
    std::unique_ptr<std::byte[]> bytes;
    uint64_t version = 0;  // 0: never committed
    bool changed = false;
  };

  Page& Get(uint64_t number);
  Page& New();
  static Head& HeadOf(Page& page) { return *reinterpret_cast<Head*>(page.bytes.get()); }
  static Entry& EntryOf(Page& page, uint32_t place) {
    return reinterpret_cast<Entry*>(page.bytes.get() + kPageBytes)[-1 - int64_t{place}];
  }

  store::PageServer& server_;
  const store::DatabaseId database_;
  std::map<uint64_t, Page> pool_;
  uint64_t open_ = 0;                     // the page that objects are placed on; 0: none yet
  uint64_t last_ = 0;                     // the highest page
  std::vector<store::PageWrite> writes_;  // of the commit that is being made
  PageCounters counters_;
};

}  // namespace tenure::lab::shore
