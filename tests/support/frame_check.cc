#include <algorithm>
#include <bitset>
#include <cstring>

#include "gc/card_table.h"
#include "stabilize/session/session.h"
#include "store/format/page_codec.h"
#include "tests/support/random_session.h"

namespace tenure::testing {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::SlotKind;
using stabilize::Database;
using stabilize::Frame;
using stabilize::FrameState;
using store::PageId;

namespace {

class FrameCheck {
 public:
  FrameCheck(gc::Heap& heap, stabilize::Session& session, Database& database,
             const std::vector<Ref>& literals)
      : heap_(heap),
        session_(session),
        database_(database),
        literals_(literals),
        starts_(database.frames().end()) {}

  std::string Run() {
    for (uint64_t n = 1; n < database_.frames().end() && wrong_.empty(); ++n) {
      if (Resident(PageId{n})) FindStarts(PageId{n});
    }
    for (uint64_t n = 1; n < database_.frames().end() && wrong_.empty(); ++n) {
      if (Resident(PageId{n})) CheckPage(PageId{n});
    }
    return wrong_;
  }

 private:
  bool Resident(PageId page) {
    const FrameState state = database_.frames().At(page).state;
    return state == FrameState::kClean || state == FrameState::kDirty;
  }

  void Wrong(PageId page, size_t offset, const std::string& what) {
    if (wrong_.empty()) {
      wrong_ = "frame " + std::to_string(page.number) + " offset " + std::to_string(offset) + ": " +
               what;
    }
  }

  void FindStarts(PageId page) {
    const Frame& frame = database_.frames().At(page);
    if (frame.run.large()) {
      if (frame.run.index == 0) starts_[page.number].set(kHeaderBytes / 8);
      return;
    }
    std::byte* image = database_.AliasOf(page);
    for (size_t at = 0; at < kPageBytes;) {
      const auto* header = reinterpret_cast<const ObjectHeader*>(image + at);
      const size_t bytes =
          header->is_filler()
              ? header->filler_bytes()
              : kHeaderBytes + abi::PayloadBytes(*header->type(), image + at + kHeaderBytes);
      if (bytes < kHeaderBytes || bytes > kPageBytes - at) {
        return Wrong(page, at, "not tiled");
      }
      if (!header->is_filler()) {
        if (header->word != ObjectHeader::ForType(header->type())) Wrong(page, at, "header bits");
        starts_[page.number].set((at + kHeaderBytes) / 8);
      }
      at += bytes;
    }
  }

  void CheckPage(PageId page) {
    const Frame& frame = database_.frames().At(page);
    std::byte* image = database_.AliasOf(page);
    auto check = [&](std::byte* slot, SlotKind kind) {
      Ref target;
      std::memcpy(&target, slot, sizeof target);
      CheckSlot(page, frame, static_cast<size_t>(slot - image), kind, target);
    };
    if (frame.run.large()) {
      const abi::TypeDescriptor& type = **database_.TypeOf(frame.run.type);
      const size_t begin = size_t{frame.run.index} * kPageBytes;
      store::ForEachSlotBetween(type, begin < kHeaderBytes ? 0 : begin - kHeaderBytes,
                                begin + kPageBytes - kHeaderBytes,
                                [&](size_t offset, SlotKind kind) {
                                  check(image + (offset + kHeaderBytes - begin), kind);
                                });
      return;
    }
    for (size_t bit = 0; bit < starts_[page.number].size(); ++bit) {
      if (!starts_[page.number].test(bit)) continue;
      Ref object = image + bit * 8;
      abi::ForEachSlot(*ObjectHeader::Of(object)->type(), object, [&](void** slot, SlotKind kind) {
        check(reinterpret_cast<std::byte*>(slot), kind);
      });
    }
  }

  void CheckSlot(PageId page, const Frame& frame, size_t offset, SlotKind kind, Ref target) {
    if (kind != SlotKind::kReference && kind != SlotKind::kTransientReference) return;
    if (target == nullptr) return;
    if (database_.Contains(target)) {
      const PageId at = database_.PageAt(target);
      const size_t in_page = reinterpret_cast<uintptr_t>(target) % kPageBytes;
      if (!database_.frames().Covers(at)) return Wrong(page, offset, "a reference outside");
      if (Resident(at) && (in_page % 8 != 0 || !starts_[at.number].test(in_page / 8))) {
        Wrong(page, offset,
              "refers to page " + std::to_string(at.number) + " offset " + std::to_string(in_page) +
                  ", where no object begins");
      }
      return;
    }
    if (heap_.Contains(target)) {
      if (heap_.ObjectContaining(target) != target) {
        return Wrong(page, offset, "refers to no object of the heap");
      }
      if (!frame.remembered.in)
        return Wrong(page, offset, "refers to the heap, and is not in the remembered set");
      const char* slot = database_.FrameOf(page) + offset;
      if (heap_.IsYoung(target) && !gc::CardTable::IsDirty(slot)) {
        return Wrong(page, offset, "refers to a young object, and the card is clean");
      }
      const ObjectHeader* header = ObjectHeader::Of(target);
      if (frame.state == FrameState::kClean && kind == SlotKind::kReference &&
          !header->displaced() && (header->type()->flags & abi::kTypeTransient) == 0) {
        Wrong(page, offset, "a clean frame refers to a transient object");
      }
      return;
    }
    // A reference to another database, or a missing one.
    using Error = stabilize::FaultAnswer::Error;
    if (session_.Owns(target) || session_.HandleFault(target, false).error == Error::kMissing)
      return;
    if (std::find(literals_.begin(), literals_.end(), target) == literals_.end()) {
      Wrong(page, offset, "refers to nowhere");
    }
  }

  gc::Heap& heap_;
  stabilize::Session& session_;
  Database& database_;
  const std::vector<Ref>& literals_;
  std::vector<std::bitset<kPageBytes / 8>> starts_;  // by page
  std::string wrong_;
};

}  // namespace

std::string CheckFrames(gc::Heap& heap, stabilize::Session& session, Database& database,
                        const std::vector<Ref>& literals) {
  return FrameCheck(heap, session, database, literals).Run();
}

}  // namespace tenure::testing
