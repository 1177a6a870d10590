// A clock goes over the frames. It closes each frame that it passes. A frame that is still closed
// when the clock comes again has not been touched since, and leaves memory: a clean frame is
// dropped and read again when it is needed, a dirty one goes to the spill file.
#include "stabilize/session/frame_budget.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/page_images.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// Freed beyond what is needed now, so that not every fault looks for victims.
constexpr uint64_t kSlackPages = 32;
// When the clock finds too little that may go, frames may take this part of the budget more before
// it goes around again: else each fault would look at all of them.
constexpr uint64_t kOverdraftPart = 8;

// Whether the frame has nothing that would be lost or missed.
bool MayDrop(SessionState& session, Database& database, PageId page) {
  const Frame& frame = database.frames().At(page);
  if (database.open_pages().Has(page) || frame.received_object) return false;
  // Its slots wait for their objects.
  if (session.displaced.WithHomeOn(&database, page) != nullptr) return false;
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
          may = !committed || !session.heap.Contains(*slot) ||
                abi::ObjectHeader::Of(*slot)->displaced();
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

void CloseFrame(Database& database, PageId page, Access from) {
  TN_CHECK(database.mapping().SetAccess(database.FrameOf(page), 1, from, Access::kNone).ok());
}

// Calls visit for the frames from the hand on, at most `rounds` times around, until done(). visit
// says whether it freed something: only then done() is asked.
template <typename Done, typename Visit>
void SweepFrames(SessionState& session, int rounds, Done&& done, Visit&& visit) {
  if (session.databases.empty()) return;
  uint64_t left = 0;
  for (const auto& database : session.databases) {
    if (database->open()) left += database->frames().end();
  }
  left *= static_cast<uint64_t>(rounds);
  while (left > 0) {
    if (session.hand.database >= session.databases.size()) session.hand = {};
    Database& database = *session.databases[session.hand.database];
    if (!database.open() || session.hand.page >= database.frames().end()) {
      session.hand = {session.hand.database + 1, 1};
      // Page 0, which does not exist, pays for the step.
      if (!database.open()) continue;
      --left;
      continue;
    }
    --left;
    const PageId page{session.hand.page++};
    // The page that a fault is about.
    if (&database == session.kept.database && page == session.kept.page) continue;
    if (visit(database, page) && done()) return;
  }
}

Status Spill(SessionState& session, Database& database, PageId page) {
  std::byte* const image = database.AliasOf(page);
  SpilledPage spilled;
  ForEachSlotOnPage(database, page, image, [&](abi::Ref* slot, abi::SlotKind kind) {
    if (kind != abi::SlotKind::kReference || !session.heap.Contains(*slot)) return;
    spilled.references.push_back(
        {static_cast<size_t>(reinterpret_cast<std::byte*>(slot) - image), *slot});
  });
  Result<uint32_t> slot = session.spill.Write(image);
  if (!slot.ok()) return slot.status();
  spilled.slot = *slot;
  DropFrame(database, page);
  ++session.counters.pages_spilled;
  database.frames().At(page).state = FrameState::kSpilled;
  database.frames().At(page).not_round_trippable = true;  // Without a twin all of it is sent.
  database.AddSpilled(page, std::move(spilled));
  return Status::Ok();
}

}  // namespace

Status MakeRoom(SessionState& session, uint64_t pages) {
  if (session.options.frame_bytes == 0) return Status::Ok();
  const uint64_t wanted = pages * kPageBytes;
  const uint64_t taken = FrameBytes(session);
  if (taken <= session.options.frame_bytes) session.overdraft_bytes = 0;
  if (taken + wanted <= session.options.frame_bytes + session.overdraft_bytes) return Status::Ok();
  const uint64_t slack =
      std::min<uint64_t>(kSlackPages, session.options.frame_bytes / kPageBytes / 8) * kPageBytes;
  const auto enough = [&] {
    return FrameBytes(session) + wanted + slack <= session.options.frame_bytes;
  };
  // Before-images of children stay with the frames that they are of.
  const bool may_spill = session.levels.size() == 1;
  ++session.counters.sweeps;
  Status status;
  // Twice around, since the first time only closes.
  SweepFrames(
      session, 2, [&] { return !status.ok() || enough(); },
      [&](Database& database, PageId page) {
        Frame& frame = database.frames().At(page);
        switch (frame.state) {
          case FrameState::kAbsent:
          case FrameState::kSpilled: return false;
          case FrameState::kClean:
            CloseFrame(database, page, Access::kRead);
            frame.state = FrameState::kClosed;
            return false;
          case FrameState::kClosed:
            if (!MayDrop(session, database, page)) return false;
            DropFrame(database, page);
            ++session.counters.pages_dropped;
            return true;
          case FrameState::kDirty:
            if (!may_spill) return false;
            if (!frame.passed) {
              CloseFrame(database, page, Access::kWrite);
              frame.passed = true;
              return false;
            }
            if (!MayDrop(session, database, page)) return false;
            if (frame.twin != nullptr &&
                std::memcmp(frame.twin.get(), database.AliasOf(page), kPageBytes) == 0) {
              // It was opened with others, and not written.
              database.RemoveDirty([&](PageId dirty) { return dirty == page; });
              DropFrame(database, page);
              ++session.counters.pages_dropped;
              return true;
            }
            status = Spill(session, database, page);
            return true;
        }
        return false;
      });
  if (!enough()) {
    const uint64_t now = FrameBytes(session) + wanted;
    session.overdraft_bytes = now - std::min(now, session.options.frame_bytes) +
                              session.options.frame_bytes / kOverdraftPart;
  }
  return status;
}

// A touch of a spilled page: it is dirty, in memory.
Status Unspill(SessionState& session, Database& database, PageId page) {
  TN_RETURN_IF_ERROR(MakeRoom(session, 1));
  const SpilledPage* const spilled = database.FindSpilled(page);
  TN_CHECK(spilled != nullptr);
  TN_RETURN_IF_ERROR(ReadSpilled(session, *spilled, database.AliasOf(page)));
  Frame& frame = database.frames().At(page);
  // A child's first write must be seen.
  const Access access = session.depth() > 0 ? Access::kRead : Access::kWrite;
  TN_RETURN_IF_ERROR(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, access));
  session.spill.Free(spilled->slot);
  database.RemoveSpilled(page);
  frame.state = FrameState::kDirty;
  frame.passed = false;
  database.Remember(page);
  return Status::Ok();
}

// Homes stay in memory until their objects move in.
bool WantsCollection(const SessionState& session) {
  const uint64_t limit = session.options.frame_bytes;
  return session.mappings_short ||
         (limit != 0 && session.displaced.home_pages() * kPageBytes > limit / 8);
}

void SendHomeWhenTight(SessionState& session) {
  if (std::exchange(session.mappings_short, false)) {
    session.heap.CollectMajor();
    // Also if there was no collection, since they are switched off.
    TN_CHECK(session.governed.ProtectAll().ok());
  }
  if (session.options.frame_bytes == 0) return;
  if (WantsCollection(session)) session.heap.CollectMajor();
  // What a commit made is in memory and was not read. When it cannot be spilled, it stays.
  (void)MakeRoom(session, 0);
}

}  // namespace tenure::stabilize
