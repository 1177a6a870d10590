// Pages of the transient heap on which displaced objects lie. They obey the states of frames, for
// the displaced objects on them together: a write in a transaction is seen and can be undone
// (design.md section 5).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/flat_table.h"
#include "base/result.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/frame_mapping.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"

namespace tenure::stabilize {

enum class GovernedState : uint8_t {
  kProtected,  // as committed; a write traps
  kDirty,      // written by the open transaction; the twin is the image before
  kOpen,       // written outside a transaction (only its transient objects may be); has a twin too
};

struct GovernedPage {
  char* begin = nullptr;
  GovernedState state = GovernedState::kProtected;
  bool writable = true;           // what the hardware allows now
  uint16_t level = 0;             // of nesting: the transaction that opened it last, when kDirty
  BlockVector<abi::Ref> objects;  // displaced ones that lie, wholly or in part, on the page
  PageCopy twin;                  // or null
};

// Called with the session's lock and the world stopped: a page that is writable for a moment is
// writable for all threads, and a store then goes unseen. Find, Contains, Open and Reopen need the
// lock only: a trap calls them, and a page that they open has its image before. So does
// ForEachChanged, if `visit` changes nothing.
class GovernedPages {
 public:
  explicit GovernedPages(std::unique_ptr<HeapProtection> protection)
      : protection_(std::move(protection)) {}

  static char* PageOf(const void* address) {
    return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(address) & ~(abi::kPageBytes - 1));
  }
  // Null when the page is not governed.
  GovernedPage* Find(const void* address);
  bool Contains(const void* address) const { return pages_.Find(PageOf(address)) != nullptr; }
  bool empty() const { return pages_.size() == 0; }
  // Whether the displaced objects on the page differ from those in an image of the page. Their
  // headers, which a collection may change, do not count.
  static bool ObjectsDiffer(const GovernedPage& page, const std::byte* image);

  // The object (header at place - 8, `bytes` long in all) is displaced from now on; its pages
  // become governed. They are left writable until Protect.
  void Add(abi::Ref place, size_t bytes);
  // The object went home, or the commit that named it failed. Its pages stay in the table, without
  // objects, until Sweep.
  void Remove(abi::Ref place, size_t bytes);
  // Removes each object whose header has no displaced bit.
  void RemoveUndisplaced();
  // Gives up pages without displaced objects: they are writable again. Looks only at pages that
  // have lost their last one since the call before.
  Status Sweep();

  // First write: keeps the image before and opens the page.
  Status Open(GovernedPage& page, GovernedState state);
  // Called after a trap has opened a page: protects the other opened pages again when the system's
  // mappings run short. Their states stay, and their next write traps.
  Status KeepWithinQuota(const GovernedPage& opened);
  // The next store traps again; the state and the twin stay. Needs the lock only.
  Status Protect(GovernedPage& page) { return SetWritable(page, false); }
  // How deep transactions are nested now, 0 for a top-level one. ProtectAll protects dirty pages of
  // lower levels as well, so that the first write of a child is seen; Reopen lets it go on.
  void SetDepth(uint16_t depth);
  Status Reopen(GovernedPage& page);
  // Restores the displaced objects of the page to their contents before the first write, and drops
  // the twin.
  void Restore(GovernedPage& page);
  // The same with the displaced objects of another image of the page, which stays dirty.
  void Restore(GovernedPage& page, const std::byte* image);
  // Drops the twin: the contents of the page stay.
  void Accept(GovernedPage& page);
  // Write-protects every page that is kProtected, or dirty at a lower level. Looks only at those
  // that may be writable: governed pages that a commit has nothing to do with cost it nothing.
  Status ProtectAll();
  // For a collection.
  Status UnprotectAll();
  // In the child of a fork: no page is governed any more.
  void Release();
  // Unprotects the pages that is_young(begin) says are young. Pages found old are forgotten.
  template <typename IsYoung>
  Status UnprotectYoung(IsYoung&& is_young) {
    std::erase_if(young_, [&](const GovernedPage* page) { return !is_young(page->begin); });
    return OrAllWritable(SetAllWritable(young_, true));
  }

  // Pages that are not kProtected. `visit` may change their states.
  template <typename Visit>
  void ForEachChanged(Visit&& visit) {
    for (size_t i = 0; i < changed_.size(); ++i) visit(*changed_[i]);
    std::erase_if(changed_,
                  [](GovernedPage* page) { return page->state == GovernedState::kProtected; });
  }
  size_t size() const { return pages_.size(); }
  // Whether every page is protected and in the state kProtected: ProtectAll and ForEachChanged
  // would do nothing.
  bool AllProtected() const { return changed_.empty() && writable_.empty(); }

  // Opens the page for a store by the run time to an object's header. When the system's mappings
  // have run out, protects other writable pages to free some.
  Status MakeWritable(GovernedPage& page);
  // The same in a collection: then all governed pages become writable instead, which needs fewer.
  Status MakeWritableStopped(GovernedPage& page) { return OrAllWritable(SetWritable(page, true)); }
  // While the world is stopped: stores to a place where no displaced object is. The page's
  // protection is the same afterwards.
  Status StoreWord(uint64_t* place, uint64_t word);

 private:
  Status SetWritable(GovernedPage& page, bool writable);
  // Changes neighbours together. Sorts the pages, and drops duplicates.
  Status SetAllWritable(std::vector<GovernedPage*>& pages, bool writable);
  Status OrAllWritable(Status status) {
    return status.code() == StatusCode::kNoMemory ? UnprotectAll() : status;
  }
  Status ProtectOpened(const GovernedPage* except);

  struct PageHash {
    uint64_t operator()(const char* page) const {
      return SpreadBits(reinterpret_cast<uintptr_t>(page));
    }
  };
  FlatTable<char*, std::unique_ptr<GovernedPage>, PageHash> pages_;
  // Find's last result, since objects come page by page. Atomic, as Find otherwise only reads.
  std::atomic<GovernedPage*> last_found_ = nullptr;
  std::vector<GovernedPage*> changed_;  // not kProtected
  std::vector<GovernedPage*>
      writable_;  // has all that are kProtected and writable; others too, and twice
  std::vector<GovernedPage*> young_;  // has all of the young generation
  std::vector<char*> emptied_;        // has all without objects; others too, and twice
  std::unique_ptr<HeapProtection> protection_;
  size_t opened_ = 0;  // by traps, since ProtectOpened
  uint16_t depth_ = 0;
};

// The part of the object that lies on the page, as offsets from the page's begin.
struct PartOnPage {
  size_t begin, end;
};
PartOnPage PartOf(const GovernedPage& page, abi::Ref place, size_t bytes);

}  // namespace tenure::stabilize
