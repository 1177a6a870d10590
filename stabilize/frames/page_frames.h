// What is known of each page of an open database (design.md section 5, "Frames").
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"
#include "store/format/page_record.h"
#include "store/format/persistent_ref.h"
#include "store/format/slot_types.h"

namespace tenure::stabilize {

enum class FrameState : uint8_t {
  kAbsent,   // not read yet
  kClosed,   // contents here, no access: the next touch traps
  kClean,    // readable, as committed
  kDirty,    // open for the transaction to write; has a twin, unless it was spilled
  kSpilled,  // written by the open transaction, and in the spill file now
};

// Where payloads begin on a page, in words.
using ObjectStarts = std::bitset<abi::kPageBytes / 8>;

// What a reference from another page says of a page that is not there.
class ExpectedObject {
 public:
  // Where the payload of an object is to begin, and of which type; null: of any.
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
  bool listed = false;  // in Database::remembered(), perhaps not in the remembered set any more
  bool in_remembered_set = false;  // may refer to the transient heap
  bool passed = false;    // when kDirty: the clock has closed it, and nobody has touched it since
  bool in_clock = false;  // ResidentClock has an entry of the page
  bool in_dirty = false;  // Database::dirty() has it
  bool listed_dirty = false;     // in the list behind that, perhaps not dirty any more
  bool called_back = false;      // given up to another program, and absent since then
  bool received_object = false;  // an object moved home to it in the collection in progress
  // Nobody has seen its memory yet, and it may have none: all that is on the page is displaced.
  // Only when absent. PrepareSlots (stabilize/state/frame_contents.h) ends it.
  bool vacant = false;
  // Objects have moved home to the page by being forgotten in the heap: their contents are in the
  // store only. The frame has no memory, even if other objects of the page are displaced. Only when
  // absent, and not with vacant.
  bool left = false;
  // Encoding it would give other words than were stored (a type with two entries, a procedure that
  // the program lacks): a commit that changes the page writes all of it.
  bool not_round_trippable = false;
  uint16_t level = 0;    // of nesting: the transaction that wrote it last, when kDirty
  uint64_t version = 0;  // as read or committed; 0: the store does not have the page yet
  LargeRun run;
  // Where objects began when it was last looked at; null: not looked at, or not here.
  std::unique_ptr<const ObjectStarts> starts;
  // To be seen when the page is read.
  std::unique_ptr<std::vector<ExpectedObject>> expected;
  PageCopy twin;  // the image before the first write; null unless kDirty
  // Words that the transaction had changed when the page lost an earlier twin
  // (stabilize/session/early_changes.h); null: none. Only when kDirty.
  std::unique_ptr<std::bitset<abi::kPageBytes / 8>> changed_early;
};

// What a twin had at a place.
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

// Frames by page. References to a Frame are valid until Cover.
class PageFrames {
 public:
  // Makes frames for all pages up to this one.
  void Cover(PageId page) {
    if (page.number < frames_.size()) return;
    frames_.resize(page.number + 1);
    faults_.resize(page.number / kNeighbours + 1);
  }
  bool Covers(PageId page) const { return page.valid() && page.number < frames_.size(); }
  Frame& At(PageId page) { return frames_[page.number]; }
  uint64_t end() const { return frames_.size(); }  // one past the last page

  // Pages that a commit has made together, and that lie beside each other in the store.
  static constexpr uint64_t kNeighbours = 8;
  static PageId FirstNeighbour(PageId page) {
    return PageId{page.number / kNeighbours * kNeighbours};
  }
  // How often pages among these had to be read.
  uint16_t& FaultsNear(PageId page) { return faults_[page.number / kNeighbours]; }

 private:
  std::vector<Frame> frames_;
  std::vector<uint16_t> faults_;  // by group of neighbours
};

}  // namespace tenure::stabilize
