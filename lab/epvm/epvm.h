// The interpreter EPVM 3.0 of E (White & DeWitt 1995, 5.5.1): references in objects are identifiers
// of 16 bytes and stay so; only those in local variables become addresses in the pool, when they
// are first followed. Local variables lie on a stack of their own, so that they are found when a
// page leaves the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "lab/esm/storage.h"
#include "store/server/page_server.h"

namespace tenure::lab::epvm {

// All zero: none.
struct Oid {
  esm::ObjectId object;
  uint32_t unique;  // as in the object's header: the object is still the one that was meant
  uint32_t volume;
};

// A local variable that refers to an object.
struct LocalSlot {
  std::byte* address;  // of the object in the pool; null: not swizzled
  Oid oid;
  bool live;
};

struct Options {
  uint32_t pool_pages = 1536;     // 12 MB
  uint32_t side_bytes = 4 << 20;  // of the buffer of original values
};

struct Counters {
  uint64_t dereferences = 0;  // calls for a variable that was not swizzled
  uint64_t large_calls = 0;   // for parts of objects larger than a page
  uint64_t updates = 0;       // calls for updates
  uint64_t copied = 0;        // objects and chunks into the side buffer
  uint64_t unswizzled = 0;    // variables, when their pages left the pool
  esm::LogCounters log;
  uint64_t commit_ns = 0;
};

// The client. Only one at a time: variables do not name it. One thread.
class Epvm final : private esm::PoolUser {
 public:
  Epvm(store::PageServer& server, bool create, const Options& options);
  ~Epvm();
  Epvm(const Epvm&) = delete;
  Epvm& operator=(const Epvm&) = delete;

  static Epvm& Get() { return *current; }

  // ---- The stack of variables

  static LocalSlot* Push() {
    LocalSlot* const slot = top++;
    slot->live = true;
    return slot;
  }
  // Variables that a function returns outlive those that were made after them.
  static void Pop(LocalSlot* slot) {
    slot->live = false;
    while (top > stack && !top[-1].live) --top;
  }

  // ---- What compiled code calls

  // Gives the variable its address.
  void Dereference(LocalSlot* slot);
  // The part of an object larger than a page that begins at this offset and ends with the page.
  std::byte* Part(const LocalSlot* slot, size_t offset);
  char CharOf(const LocalSlot* slot, size_t offset);
  // Before the object is changed in place. Returns its address.
  std::byte* WillUpdate(LocalSlot* slot);
  // Before these bytes of it are changed; of an object larger than a page, `*bytes` is shortened to
  // the page's end.
  std::byte* WillUpdatePart(LocalSlot* slot, size_t offset, size_t* bytes);

  Oid Make(esm::Cluster cluster, uint32_t type, size_t bytes);
  Oid Root();
  void SetRoot(const Oid& oid);
  esm::BTree& Index(esm::IndexName name) { return storage_.Index(name); }
  // Ends the transaction and begins another one. Pages stay in the pool.
  void Commit();

  const Counters& counters() const { return counters_; }
  const esm::PoolCounters& pool_counters() { return storage_.pool().counters(); }
  const esm::DatabaseHead& head() { return storage_.head(); }

 private:
  static constexpr size_t kSlots = size_t{1} << 20;
  static constexpr uint32_t kChunkBytes = 1024;  // the unit of copying and logging
  static constexpr uint32_t kVolume = 1;

  void CopyOriginal(uint64_t page, uint32_t offset, uint32_t bytes);
  void LogPage(uint64_t page);
  void LogAll();
  void Leaves(uint64_t page, uint32_t slot) override;
  void ProtectAll() override {}

  static Epvm* current;
  static LocalSlot* stack;
  static LocalSlot* top;
  const Options options_;
  esm::Storage storage_;
  // The originals: by page and offset, bytes and where in the side buffer.
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> originals_;
  std::unique_ptr<std::byte[]> side_;
  uint32_t side_used_ = 0;
  Counters counters_;
};

}  // namespace tenure::lab::epvm
