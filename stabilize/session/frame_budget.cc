// Memory smaller than the data (design.md section 5, "Memory smaller than the data"): a clock over
// the frames. What it passes is closed; what it finds still closed, nobody has touched since, goes:
// a clean frame is dropped, and read again when it is needed, a dirty one goes to a file.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/heap_bridge.h"
#include "stabilize/session/session.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// Freed beyond what is needed now, so that not every fault looks for victims.
constexpr uint64_t kSlackPages = 32;
// When the clock finds too little that may go, frames may take this part of the budget more before
// it goes around again: else each fault would look at all of them.
constexpr uint64_t kOverdraftPart = 8;

}  // namespace

// Frames, by what the system says that they take, and twins.
uint64_t Session::FrameBytes() const {
  uint64_t bytes = 0;
  for (const auto& database : databases_) {
    if (!database->open()) continue;
    bytes += database->mapping().UsedBytes() + database->twins * kPageBytes;
  }
  return bytes;
}

bool Session::HasRoom(uint64_t pages) const {
  return options_.frame_bytes == 0 ||
         FrameBytes() + pages * kPageBytes <= options_.frame_bytes / 4 * 3;
}

Status Session::MakeRoom(uint64_t pages) {
  if (options_.frame_bytes == 0) return Status::Ok();
  const uint64_t wanted = pages * kPageBytes;
  const uint64_t taken = FrameBytes();
  if (taken <= options_.frame_bytes) overdraft_bytes_ = 0;
  if (taken + wanted <= options_.frame_bytes + overdraft_bytes_) return Status::Ok();
  const uint64_t slack =
      std::min<uint64_t>(kSlackPages, options_.frame_bytes / kPageBytes / 8) * kPageBytes;
  const auto enough = [&] { return FrameBytes() + wanted + slack <= options_.frame_bytes; };
  // Before-images of children stay with the frames that they are of.
  const bool may_spill = levels_.size() == 1;
  ++counters_.sweeps;
  Status status;
  // Twice around, since the first time only closes.
  SweepFrames(
      2, [&] { return !status.ok() || enough(); },
      [&](Database& database, PageId page) {
        Frame& frame = database.frames().At(page);
        switch (frame.state) {
          case FrameState::kAbsent:
          case FrameState::kSpilled: return false;
          case FrameState::kClean:
            Close(database, page, Access::kRead);
            frame.state = FrameState::kClosed;
            return false;
          case FrameState::kClosed:
            if (!MayDrop(database, page)) return false;
            DropFrame(database, page);
            ++counters_.pages_dropped;
            return true;
          case FrameState::kDirty:
            if (!may_spill) return false;
            if (!frame.passed) {
              Close(database, page, Access::kWrite);
              frame.passed = true;
              return false;
            }
            if (!MayDrop(database, page)) return false;
            if (frame.twin != nullptr &&
                std::memcmp(frame.twin.get(), database.AliasOf(page), kPageBytes) == 0) {
              // It was opened with others, and not written.
              std::erase(database.dirty(), page);
              DropFrame(database, page);
              ++counters_.pages_dropped;
              return true;
            }
            status = Spill(database, page);
            return true;
        }
        return false;
      });
  if (!enough()) {
    const uint64_t now = FrameBytes() + wanted;
    overdraft_bytes_ =
        now - std::min(now, options_.frame_bytes) + options_.frame_bytes / kOverdraftPart;
  }
  return status;
}

void Session::Close(Database& database, PageId page, Access from) {
  TN_CHECK(database.mapping().SetAccess(database.FrameOf(page), 1, from, Access::kNone).ok());
}

// Calls visit for the frames from the hand on, at most `rounds` times around, until done(). visit
// says whether it freed something: only then done() is asked.
template <typename Done, typename Visit>
void Session::SweepFrames(int rounds, Done&& done, Visit&& visit) {
  if (databases_.empty()) return;
  uint64_t left = 0;
  for (const auto& database : databases_) {
    if (database->open()) left += database->frames().end();
  }
  left *= static_cast<uint64_t>(rounds);
  while (left > 0) {
    if (hand_.database >= databases_.size()) hand_ = {};
    Database& database = *databases_[hand_.database];
    if (!database.open() || hand_.page >= database.frames().end()) {
      hand_ = {hand_.database + 1, 1};
      // Page 0, which does not exist, pays for the step.
      if (!database.open()) continue;
      --left;
      continue;
    }
    --left;
    const PageId page{hand_.page++};
    // The page that a fault is about.
    if (&database == kept_.database && page == kept_.page) continue;
    if (visit(database, page) && done()) return;
  }
}

// Whether the frame has nothing that would be lost or missed.
bool Session::MayDrop(Database& database, PageId page) {
  const Frame& frame = database.frames().At(page);
  if (database.open_pages().Has(page) || frame.filled) return false;
  // Its slots wait for their objects.
  if (displaced_.WithHomeOn(&database, page) != nullptr) return false;
  bool may = true;
  const auto look = [&](std::byte* image, bool committed) {
    ForEachSlotOnPage(database, page, image, [&](abi::Ref* slot, abi::SlotKind kind) {
      if (*slot == nullptr || !may) return;
      switch (kind) {
        case abi::SlotKind::kTransientReference:
        case abi::SlotKind::kUntraced: may = false; break;
        case abi::SlotKind::kReference:
          // Displaced objects are found again when a committed page is read again; TRANSIENT ones
          // are not. What a spilled page refers to is noted.
          may = !committed || !heap_.Contains(*slot) || abi::ObjectHeader::Of(*slot)->displaced();
          break;
        case abi::SlotKind::kProcedure: break;
      }
    });
  };
  look(database.AliasOf(page), frame.state != FrameState::kDirty);
  // An abort would read the page again.
  if (may && frame.twin != nullptr) look(frame.twin.get(), true);
  return may;
}

// The frame's memory goes; what it held is in the store, in the spill file, or not wanted.
void Session::DropFrame(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  TN_CHECK(database.mapping().Discard(database.FrameOf(page)).ok());
  frame.state = FrameState::kAbsent;
  frame.level = 0;
  frame.starts.reset();
  if (frame.twin != nullptr) {
    frame.twin.reset();
    --database.twins;
  }
  database.ForgetOutward(page);
}

Status Session::Spill(Database& database, PageId page) {
  std::byte* const image = database.AliasOf(page);
  SpilledPage spilled;
  ForEachSlotOnPage(database, page, image, [&](abi::Ref* slot, abi::SlotKind kind) {
    if (kind != abi::SlotKind::kReference || !heap_.Contains(*slot)) return;
    spilled.references.push_back(
        {static_cast<size_t>(reinterpret_cast<std::byte*>(slot) - image), *slot});
  });
  Result<uint32_t> slot = spill_.Write(image);
  if (!slot.ok()) return slot.status();
  spilled.slot = *slot;
  DropFrame(database, page);
  ++counters_.pages_spilled;
  database.frames().At(page).state = FrameState::kSpilled;
  database.frames().At(page).rewritten = true;  // Without a twin all of it is sent.
  database.spilled()[page] = std::move(spilled);
  return Status::Ok();
}

Status Session::ReadSpilled(const SpilledPage& spilled, std::byte* to) const {
  TN_RETURN_IF_ERROR(spill_.Read(spilled.slot, to));
  for (const SpilledReference& reference : spilled.references) {
    std::memcpy(to + reference.offset, &reference.target, sizeof reference.target);
  }
  return Status::Ok();
}

// A touch of a spilled page: it is dirty, in memory.
Status Session::Unspill(Database& database, PageId page) {
  TN_RETURN_IF_ERROR(MakeRoom(1));
  const auto it = database.spilled().find(page);
  TN_CHECK(it != database.spilled().end());
  TN_RETURN_IF_ERROR(ReadSpilled(it->second, database.AliasOf(page)));
  Frame& frame = database.frames().At(page);
  // A child's first write must be seen.
  const Access access = depth() > 0 ? Access::kRead : Access::kWrite;
  TN_RETURN_IF_ERROR(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, access));
  spill_.Free(it->second.slot);
  database.spilled().erase(it);
  frame.state = FrameState::kDirty;
  frame.passed = false;
  database.MarkOutward(page);
  return Status::Ok();
}

void Session::DropSpilled(Database& database, PageId page) {
  const auto it = database.spilled().find(page);
  if (it == database.spilled().end()) return;
  spill_.Free(it->second.slot);
  database.spilled().erase(it);
  database.frames().At(page).state = FrameState::kAbsent;
}

Result<std::byte*> Session::ImageOf(Database& database, PageId page, std::byte* buffer) {
  const auto it = database.spilled().find(page);
  if (it == database.spilled().end()) return database.AliasOf(page);
  TN_RETURN_IF_ERROR(ReadSpilled(it->second, buffer));
  return buffer;
}

// Homes stay in memory until their objects move in.
void Session::SendHomeWhenTight() {
  if (std::exchange(mappings_short_, false)) {
    heap_.CollectMajor();
    // Also if there was no collection, since they are switched off.
    TN_CHECK(governed_.ProtectAll().ok());
  }
  if (options_.frame_bytes == 0) return;
  if (displaced_.home_pages() * kPageBytes > options_.frame_bytes / 8) heap_.CollectMajor();
  // What a commit made is in memory and was not read. When it cannot be spilled, it stays.
  (void)MakeRoom(0);
}

}  // namespace tenure::stabilize
