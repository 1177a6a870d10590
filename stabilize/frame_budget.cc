// Memory smaller than the data (design.md section 5, "Memory smaller than the data"): a clock over
// the frames. What it passes is closed; what it finds still closed, nobody has touched since, is
// dropped, and read again when it is needed. When that does not free enough, dirty frames go to a
// file.
#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "stabilize/heap_bridge.h"
#include "stabilize/page_codec.h"
#include "stabilize/session.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// Freed beyond what is needed now, so that not every fault looks for victims.
constexpr uint64_t kSlackPages = 32;

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
  if (FrameBytes() + wanted <= options_.frame_bytes) return Status::Ok();
  const uint64_t slack =
      std::min<uint64_t>(kSlackPages, options_.frame_bytes / kPageBytes / 8) * kPageBytes;
  const auto enough = [&] { return FrameBytes() + wanted + slack <= options_.frame_bytes; };
  // Twice around, since the first time only closes.
  SweepFrames(2, enough, [&](Database& database, PageId page) {
    Frame& frame = database.frames().At(page);
    if (frame.state == FrameState::kClean) {
      TN_CHECK(database.mapping()
                   .SetAccess(database.FrameOf(page), 1, Access::kRead, Access::kNone)
                   .ok());
      frame.state = FrameState::kClosed;
      return false;
    }
    if (frame.state != FrameState::kClosed || !MayDrop(database, page)) return false;
    DropFrame(database, page);
    ++counters_.pages_dropped;
    return true;
  });
  if (enough()) return Status::Ok();
  // Before-images of children stay with the frames that they are of.
  if (levels_.size() != 1) return Status::Ok();
  Status status;
  SweepFrames(
      1, [&] { return !status.ok() || enough(); },
      [&](Database& database, PageId page) {
        const Frame& frame = database.frames().At(page);
        if (frame.state != FrameState::kDirty || !MayDrop(database, page)) return false;
        if (frame.twin != nullptr &&
            std::memcmp(frame.twin.get(), database.AliasOf(page), kPageBytes) == 0) {
          // It was opened with others, and not written.
          std::erase(database.dirty(), page);
          DropFrame(database, page);
          ++counters_.pages_dropped;
          return true;
        }
        status = Spill(database, page);
        return status.ok();
      });
  return status;
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
          // are not.
          may = !heap_.Contains(*slot) || (committed && abi::ObjectHeader::Of(*slot)->displaced());
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
  if (frame.twin != nullptr) {
    frame.twin.reset();
    --database.twins;
  }
  database.ForgetOutward(page);
}

Status Session::Spill(Database& database, PageId page) {
  Result<uint32_t> slot = spill_.Write(database.AliasOf(page));
  if (!slot.ok()) return slot.status();
  DropFrame(database, page);
  ++counters_.pages_spilled;
  database.frames().At(page).state = FrameState::kSpilled;
  database.frames().At(page).rewritten = true;  // Without a twin all of it is sent.
  database.spilled()[page] = *slot;
  return Status::Ok();
}

// A touch of a spilled page: it is dirty, in memory.
Status Session::Unspill(Database& database, PageId page) {
  TN_RETURN_IF_ERROR(MakeRoom(1));
  const auto it = database.spilled().find(page);
  TN_CHECK(it != database.spilled().end());
  TN_RETURN_IF_ERROR(spill_.Read(it->second, database.AliasOf(page)));
  Frame& frame = database.frames().At(page);
  // A child's first write must be seen.
  const Access access = depth() > 0 ? Access::kRead : Access::kWrite;
  TN_RETURN_IF_ERROR(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, access));
  spill_.Free(it->second);
  database.spilled().erase(it);
  frame.state = FrameState::kDirty;
  database.MarkOutward(page);
  return Status::Ok();
}

void Session::DropSpilled(Database& database, PageId page) {
  const auto it = database.spilled().find(page);
  if (it == database.spilled().end()) return;
  spill_.Free(it->second);
  database.spilled().erase(it);
  database.frames().At(page).state = FrameState::kAbsent;
}

Result<std::byte*> Session::ImageOf(Database& database, PageId page, std::byte* buffer) {
  const auto it = database.spilled().find(page);
  if (it == database.spilled().end()) return database.AliasOf(page);
  TN_RETURN_IF_ERROR(spill_.Read(it->second, buffer));
  return buffer;
}

// Homes stay in memory until their objects move in.
void Session::SendHomeWhenTight() {
  if (options_.frame_bytes == 0) return;
  if (displaced_.home_pages() * kPageBytes > options_.frame_bytes / 8) heap_.CollectMajor();
  // What a commit made is in memory and was not read. When it cannot be spilled, it stays.
  (void)MakeRoom(0);
}

}  // namespace tenure::stabilize
