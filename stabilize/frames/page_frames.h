// The state of each page of an open database (design.md section 5, "Frames").
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "stabilize/frames/block_copies.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"
#include "store/format/slot_types.h"

namespace tenure::stabilize {

enum class FrameState : uint8_t {
  kAbsent,  // not read yet
  // Absent: only displaced objects are on the page, so its memory has not been used and may be
  // missing. PrepareSlots (stabilize/state/frame_contents.h) ends this state.
  kVacant,
  // Absent: objects have moved home to the page by being forgotten in the heap, so their contents
  // are in the store only. The frame has no memory, even if other objects of the page are
  // displaced.
  kStoreOnly,
  kClosed,   // contents here, no access: the next touch traps
  kClean,    // readable, as committed
  kDirty,    // open for the transaction to write; has a twin, unless it was spilled
  kSpilled,  // written by the open transaction, and in the spill file now
};

// Where payloads begin on a page, in words.
using ObjectStarts = std::bitset<abi::kPageBytes / 8>;

// The object that a reference from another page expects on a page that is not resident.
class ExpectedObject {
 public:
  // The offset of the payload, and the condition that the object must meet; null: any object.
  ExpectedObject(size_t offset, const RequiredType* required)
      : word_(reinterpret_cast<uint64_t>(required) << kOffsetBits | offset / 8) {}
  size_t offset() const { return word_ % (1 << kOffsetBits) * 8; }
  const RequiredType* required() const {
    return reinterpret_cast<const RequiredType*>(word_ >> kOffsetBits);
  }
  friend auto operator<=>(const ExpectedObject&, const ExpectedObject&) = default;

 private:
  static constexpr unsigned kOffsetBits = 10;
  static_assert(abi::kPageBytes / 8 == 1 << kOffsetBits);
  uint64_t word_;  // addresses have 48 bits
};

struct Frame {
  FrameState state = FrameState::kAbsent;
  // The page's place in a PageList. The list may still have an entry of a page that is not in it.
  struct ListPlace {
    bool in = false;
    bool listed = false;
  };
  ListPlace remembered;  // in Database::remembered(): may refer to the transient heap
  ListPlace dirty;       // in Database::dirty()
  bool closed_by_clock =
      false;              // when kDirty: the clock has closed it, and it has not been touched since
  bool in_clock = false;  // ResidentClock has an entry of the page
  bool called_back = false;      // given up to another program, and absent since then
  bool received_object = false;  // an object moved home to it in the collection in progress
  // Encoding the page would give other words than the stored ones (a type with two entries, a
  // procedure that the program lacks): a commit that changes the page writes all of it.
  bool not_round_trippable = false;
  // With software barriers (stabilize/state/store_marks.h).
  bool kept_writable : 1 = false;  // writable although nothing was written since the last commit,
                                   // or without a twin
  bool was_kept_writable : 1 = false;  // since the last commit: a store of then may be on its way
  bool has_barriers : 1 = false;       // a store barrier has been met on the page
  bool dense : 1 = false;              // the last commit that changed the page changed many blocks
  bool by_trap : 1 = false;            // never left open; stays when the frame is dropped
  uint16_t level = 0;  // of nesting: the transaction that wrote it last, when kDirty
  uint32_t marks = 0;  // bit i: block i was stored to, and no twin has its former contents
  // With the policies sd and sl: the smaller blocks that `marks` stands for. Null when it is 0.
  std::unique_ptr<BlockCopies> blocks;
  uint64_t version = 0;  // as read or committed; 0: the store does not have the page yet
  LargeRun run;
  // Where objects began when it was last looked at; null: not looked at, or not here.
  std::unique_ptr<const ObjectStarts> starts;
  // Checked when the page is read.
  std::unique_ptr<std::vector<ExpectedObject>> expected;
  PageCopy twin;  // the image before the first write; null unless kDirty
  // Words that the transaction had changed when the page lost an earlier twin
  // (stabilize/session/early_changes.h); null: none. Only when kDirty.
  std::unique_ptr<std::bitset<abi::kPageBytes / 8>> changed_early;

  // Whether the contents are not here, and not in the spill file.
  bool absent() const { return state <= FrameState::kStoreOnly; }
  bool in_memory() const { return !absent() && state != FrameState::kSpilled; }
  // The contents are to be read when they are wanted, whatever was known of the page.
  void ReadAnew() {
    if (absent()) state = FrameState::kAbsent;
  }
};

// A word of a twin, and its place.
struct TwinWord {
  std::byte* at = nullptr;
  uint64_t word = 0;
};

// A reference on a spilled page to an object of the heap, which may move meanwhile.
struct SpilledReference {
  size_t offset = 0;  // on the page
  abi::Ref target = nullptr;
};

// A dirty page that is in the spill file.
struct SpilledPage {
  uint32_t slot = 0;
  std::vector<SpilledReference> references;
};

// Frames by page. A frame is made when it is first asked for, with some of its neighbours: opening
// a large database costs no more than opening a small one. References to a Frame stay valid.
class PageFrames {
 public:
  // From now on all pages up to this one have frames.
  void Cover(PageId page) {
    if (page.number < end_) return;
    end_ = page.number + 1;
    parts_.resize(end_ / kPartFrames + 1);
  }
  bool Covers(PageId page) const { return page.valid() && page.number < end_; }
  Frame& At(PageId page) { return PartOf(page).frames[page.number % kPartFrames]; }
  uint64_t end() const { return end_; }  // one past the last page
  // The first page from `page` on whose frame may have changed; end() if there is none.
  PageId NextUsed(PageId page) const {
    while (page.number < end_ && parts_[page.number / kPartFrames] == nullptr) {
      page = PageId{(page.number / kPartFrames + 1) * kPartFrames};
    }
    return PageId{std::min(page.number, end_)};
  }

  // The most pages that a commit makes together, beside each other in the store.
  static constexpr uint64_t kNeighbours = 8;
  static PageId FirstNeighbour(PageId page) {
    return PageId{page.number / kNeighbours * kNeighbours};
  }
  struct NearFaults {
    uint64_t last = 0;  // the number of the last one among all read faults
    uint16_t count = 0;
  };
  // How often pages among these had to be read.
  NearFaults& FaultsNear(PageId page) {
    return PartOf(page).faults[page.number % kPartFrames / kNeighbours];
  }

 private:
  // A page with references to pages all over the database makes a part for each.
  static constexpr uint64_t kPartFrames = 16;
  static_assert(kPartFrames % kNeighbours == 0);
  struct Part {
    Frame frames[kPartFrames];
    NearFaults faults[kPartFrames / kNeighbours];  // by group of neighbours
  };

  Part& PartOf(PageId page) {
    std::unique_ptr<Part>& part = parts_[page.number / kPartFrames];
    if (part == nullptr) part = std::make_unique<Part>();
    return *part;
  }

  uint64_t end_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace tenure::stabilize
