// The client's pool of pages in the storage manager under QuickStore and E: a file in memory, which
// may be mapped a second time, page by page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lab/esm/layout.h"
#include "lab/esm/regions.h"
#include "store/files/spill_file.h"
#include "store/server/page_server.h"

namespace tenure::lab::esm {

enum class PageUse : uint8_t { kData, kMap, kIndex };

// How the pool knows which pages have been used.
enum class Clock : uint8_t {
  kBits,  // a bit for each page: the clock takes the first page without, and clears it in others
  kProtection,  // access to the page's memory: the clock takes the first page without; when it has
                // come to the pool's end, access to all is taken away (White & DeWitt 1995, 4.5)
};

struct PoolCounters {
  uint64_t data_reads = 0, map_reads = 0, index_reads = 0;  // pages from the page server
  uint64_t spilled = 0;                                     // changed pages that left the pool
  uint64_t spilled_reads = 0;  // of these, pages of PageUse::kData that came back
  uint64_t evicted = 0;
  uint64_t sweeps = 0;         // of the clock, to the pool's end
  uint64_t pages_written = 0;  // whole, by commits
  uint64_t pages_changed = 0;  // by regions
};

// The user of the pool's pages.
class PoolUser {
 public:
  // The page leaves its slot. The user logs what it has changed there (ChangedWhole, AddRegions).
  virtual void Leaves(uint64_t page, uint32_t slot) = 0;
  // With Clock::kProtection: no page is accessible any more.
  virtual void ProtectAll() = 0;

 protected:
  ~PoolUser() = default;
};

// One thread. A failure ends the program.
class BufferPool {
 public:
  BufferPool(store::PageServer& server, store::DatabaseId database, uint32_t slots, Clock clock,
             PoolUser& user);
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // The slot of the page, which is read if need be. It keeps its slot until another one is read
  // unless it is pinned.
  uint32_t Fix(uint64_t page, PageUse use);
  // A page that does not exist yet, all zero, which the commit writes whole.
  uint32_t FixNew(uint64_t page);
  // The page's slot, if it has one. Counts as use if `touch`.
  std::optional<uint32_t> Find(uint64_t page, bool touch) {
    const auto found = slot_of_.find(page);
    if (found == slot_of_.end()) return {};
    if (touch) slots_[found->second].used = true;
    return found->second;
  }
  std::byte* Bytes(uint32_t slot) { return memory_ + size_t{slot} * kPageBytes; }
  void Touch(uint32_t slot) { slots_[slot].used = true; }
  void Pin(uint32_t slot) { ++slots_[slot].pins; }
  void Unpin(uint32_t slot) { --slots_[slot].pins; }
  int file() const { return file_; }
  uint32_t slots() const { return static_cast<uint32_t>(slots_.size()); }

  // `count` numbers of new pages in a row.
  uint64_t Allocate(uint64_t count);
  // The transaction's first change of the page asks the server for it.
  void WillChange(uint64_t page);
  bool IsChanged(uint64_t page) const { return changed_.contains(page); }
  bool IsNew(uint64_t page) const {
    const auto found = changed_.find(page);
    return found != changed_.end() && found->second.version == 0;
  }
  void ChangedWhole(uint64_t page);
  RegionSet& Regions(uint64_t page);
  std::vector<uint64_t> ChangedPages() const;
  // Commits all changed pages.
  void Commit();

  const PoolCounters& counters() const { return counters_; }

 private:
  struct Slot {
    uint64_t page = 0;  // 0: free
    uint64_t version = 0;
    uint32_t pins = 0;
    bool used = false;
  };
  struct Change {
    uint64_t version = 0;  // 0: a new page
    bool whole = false;
    RegionSet regions;
    std::optional<uint32_t> spilled;
  };
  uint32_t TakeSlot();
  void Evict(uint32_t slot);
  Change& ChangeOf(uint64_t page);

  store::PageServer& server_;
  const store::DatabaseId database_;
  const Clock clock_;
  PoolUser& user_;
  int file_;
  std::byte* memory_;
  std::vector<Slot> slots_;
  std::unordered_map<uint64_t, uint32_t> slot_of_;
  uint32_t filled_ = 0;  // slots from here on have never been used
  uint32_t hand_ = 0;
  std::map<uint64_t, Change> changed_;
  store::SpillFile spill_;
  std::unique_ptr<store::PageReply> reply_;
  PoolCounters counters_;
};

// Keeps a page in its slot.
class Pinned {
 public:
  Pinned(BufferPool& pool, uint32_t slot) : pool_(pool), slot_(slot) { pool.Pin(slot); }
  ~Pinned() { pool_.Unpin(slot_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  std::byte* bytes() const { return pool_.Bytes(slot_); }

 private:
  BufferPool& pool_;
  const uint32_t slot_;
};

}  // namespace tenure::lab::esm
