// Pages leave memory in the order of ResidentClock: a clean page is dropped and read again when it
// is needed, a dirty one goes to the spill file.
#include "stabilize/session/frame_budget.h"

#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/memory_budget.h"
#include "stabilize/state/page_images.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// Frees this many pages more than needed, so that only some faults look for victims.
constexpr uint64_t kSlackPages = 32;
// While frames take more than 7/8 of their limit, pages are closed in advance until 1/8 of them is
// closed. Then those that are evicted first have had time to be touched.
constexpr uint64_t kClosedPart = 8;
// Pages that are closed in advance for each page that is read.
constexpr uint64_t kClosedForEach = 2;
// The most pages that are evicted for one that is read.
constexpr uint64_t kMostAtOnce = 1024;

using Reason = ResidentClock::Reason;

// Why the page may not leave memory; nothing: all its contents can be read again.
std::optional<Reason> WhyStay(SessionState& session, Database& database, PageId page) {
  const Frame& frame = database.frames().At(page);
  // Slots of the page wait for objects, or new objects have got their homes there.
  if (database.open_pages().Has(page) || frame.received_object ||
      session.displaced.WithHomeOn(&database, page) != nullptr) {
    return Reason::kHomes;
  }
  std::optional<Reason> why;
  const auto look = [&](std::byte* image, bool committed) {
    ForEachSlotOnPage(database, page, image, [&](abi::Ref* slot, abi::SlotKind kind) {
      if (*slot == nullptr || why) return;
      switch (kind) {
        case abi::SlotKind::kTransientReference:
        case abi::SlotKind::kUntraced: why = Reason::kContents; break;
        case abi::SlotKind::kReference:
          // Displaced objects are found again when a committed page is read again; TRANSIENT ones
          // are not. The references of a spilled page are noted.
          if (committed && session.heap.Contains(*slot) &&
              !abi::ObjectHeader::Of(*slot)->displaced()) {
            why = Reason::kHomes;
          }
          break;
        case abi::SlotKind::kProcedure: break;
      }
    });
  };
  look(database.AliasOf(page), frame.state != FrameState::kDirty);
  // An abort would read the page again.
  if (!why && frame.twin != nullptr) look(frame.twin.get(), true);
  return why;
}

void CloseFrame(Database& database, PageId page, Access from) {
  TN_CHECK(database.mapping().SetAccess(database.FrameOf(page), 1, from, Access::kNone).ok());
}

Status Spill(SessionState& session, Database& database, PageId page) {
  std::byte* const image = database.AliasOf(page);
  SpilledPage spilled;
  ForEachSlotOnPage(database, page, image, [&](abi::Ref* slot, abi::SlotKind kind) {
    if (kind != abi::SlotKind::kReference || !session.heap.Contains(*slot)) return;
    spilled.references.push_back(
        {static_cast<size_t>(reinterpret_cast<std::byte*>(slot) - image), *slot});
  });
  TN_ASSIGN_OR_RETURN(const uint32_t slot, session.spill.Write(image));
  spilled.slot = slot;
  DropFrame(database, page);
  ++session.counters.pages_spilled;
  database.frames().At(page).in_clock = false;
  database.frames().At(page).changed_early.reset();
  database.frames().At(page).state = FrameState::kSpilled;
  database.frames().At(page).not_round_trippable = true;  // Without a twin the whole page is sent.
  database.AddSpilled(page, std::move(spilled));
  return Status::Ok();
}

// The first shortage: the clock gets all pages that are in memory.
void ActivateClock(SessionState& session) {
  if (session.clock.active()) return;
  session.clock.Activate();
  for (const auto& database : session.databases) {
    if (!database->open()) continue;
    PageFrames& frames = database->frames();
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      if (database->frames().At(page).in_memory()) EnterClock(session, *database, page);
    }
  }
}

// The entry's frame; null: the page is in memory no longer, and the entry is dropped.
Frame* FrameOf(ResidentClock::Entry entry) {
  if (!entry.database->open()) return nullptr;
  Frame& frame = entry.database->frames().At(entry.page);
  if (frame.in_memory()) return &frame;
  frame.in_clock = false;
  return nullptr;
}

// Closes the first of the open pages. False: there is none.
bool CloseOne(SessionState& session) {
  ResidentClock::Entry entry;
  if (!session.clock.TakeOpen(&entry)) return false;
  ++session.counters.clock_steps;
  Frame* const frame = FrameOf(entry);
  if (frame == nullptr) return true;
  // Frames with before-images of child transactions must stay in memory.
  if (frame->state == FrameState::kDirty && session.open.count() != 1) {
    session.clock.AddStuck(entry, Reason::kNested);
    return true;
  }
  // The page of the fault that is being handled stays.
  const bool kept = session.allowance.IsKept(entry.database, entry.page);
  if (!kept && frame->state == FrameState::kClean) {
    CloseFrame(*entry.database, entry.page, Access::kRead);
    frame->state = FrameState::kClosed;
    frame->was_kept_writable = frame->was_kept_writable || frame->kept_writable;
    frame->kept_writable = false;
  } else if (!kept && frame->state == FrameState::kDirty && !frame->closed_by_clock) {
    CloseFrame(*entry.database, entry.page, Access::kWrite);
    frame->closed_by_clock = true;
  }
  session.clock.AddClosed(entry);
  return true;
}

// Evicts the first of the closed pages, if it is still closed and may leave memory. False: no page
// is closed.
bool EvictOne(SessionState& session, Status* status) {
  ResidentClock::Entry entry;
  if (!session.clock.TakeClosed(&entry)) return false;
  ++session.counters.clock_steps;
  Frame* const frame = FrameOf(entry);
  if (frame == nullptr) return true;
  Database& database = *entry.database;
  const PageId page = entry.page;
  const bool dirty = frame->state == FrameState::kDirty;
  const bool kept = session.allowance.IsKept(&database, page);
  if (kept || !(dirty ? frame->closed_by_clock : frame->state == FrameState::kClosed)) {
    session.clock.Add(entry);
    return true;
  }
  const std::optional<Reason> why =
      dirty && session.open.count() != 1 ? Reason::kNested : WhyStay(session, database, page);
  if (why) {
    session.clock.AddStuck(entry, *why);
    return true;
  }
  const bool unchanged = dirty && frame->twin != nullptr && frame->changed_early == nullptr &&
                         frame->marks == 0 &&
                         std::memcmp(frame->twin.get(), database.AliasOf(page), kPageBytes) == 0;
  if (dirty && !unchanged) {
    const Status spilled = Spill(session, database, page);
    if (status->ok()) *status = spilled;
    // The page is still in memory, and may leave when there is space again.
    if (!spilled.ok()) session.clock.Add(entry);
    return true;
  }
  // The page was opened with others, and not written.
  if (dirty) database.RemoveDirty(page);
  frame->in_clock = false;
  DropFrame(database, page);
  ++session.counters.pages_dropped;
  return true;
}

// Whether the process has taken so little memory since the last measurement that another one is not
// worth its time, which is more than that of a small commit. Commits take memory for the pages that
// they change, and for tables of the objects to which they give homes.
bool IsMeasured(SessionState& session) {
  if (session.options.memory_bytes == 0) return false;  // There is nothing to measure.
  const uint64_t committed =
      session.counters.pages_written * kPageBytes + 2 * session.counters.bytes_named;
  const uint64_t heap = session.heap.HeapBytes();
  return session.allowance.IsMeasured(committed, heap);
}

void MakeRoomNow(SessionState& session) {
  session.allowance.MeasureNext();
  MeasureFrameLimit(session);
  // Pages that a commit made are in memory and were not read. If they cannot be spilled they stay.
  (void)MakeRoom(session, 0);
  // The memory that a commit needed is free now, but malloc keeps it.
  if (session.options.memory_bytes != 0 && IsMemorySmall(session) &&
      FrameBytes(session) > FrameLimit(session) / 2) {
    malloc_trim(0);
    MeasureFrameLimit(session);
  }
}

// Something may have changed for pages that could not leave memory.
bool RetryStuck(SessionState& session) {
  ResidentClock& clock = session.clock;
  const uint64_t commits = session.counters.commits;
  bool any = clock.Retry(Reason::kHomes, session.counters.objects_moved_home + commits + 1);
  if (session.open.count() <= 1) any |= clock.Retry(Reason::kNested, session.open.last_serial());
  any |= clock.Retry(Reason::kContents, session.heap.collections() / 16 + 1);
  return any;
}

}  // namespace

bool MayLeave(SessionState& session, Database& database, PageId page) {
  return !WhyStay(session, database, page);
}

Status MakeRoom(SessionState& session, uint64_t pages) {
  if (!HasBudget(session)) return Status::Ok();
  const uint64_t wanted = pages * kPageBytes;
  FrameAllowance& allowance = session.allowance;
  allowance.AddClosings(kClosedForEach * pages);
  if (allowance.Take(wanted)) return Status::Ok();
  uint64_t taken = FrameBytes(session);
  const uint64_t limit = MeasureFrameLimit(session);
  if (taken + wanted <= limit / kClosedPart * (kClosedPart - 1)) {
    allowance.DropClosings();
    if (session.options.memory_bytes != 0) allowance.Renew(limit - taken - wanted);
    return Status::Ok();
  }
  ActivateClock(session);
  ResidentClock& clock = session.clock;
  const uint64_t slack = std::min<uint64_t>(kSlackPages, limit / kPageBytes / 8) * kPageBytes;
  const auto close_some = [&] {
    while (allowance.has_closings() && clock.closed() < clock.open() / (kClosedPart - 1)) {
      if (!CloseOne(session)) break;
      allowance.CountClosing();
    }
    allowance.DropClosings();
  };
  Status status;
  if (taken + wanted > limit) {
    const auto enough = [&] {
      taken = FrameBytes(session);
      return taken + wanted + slack <= limit;
    };
    // Looks at each page twice at most: when it is closed, and when it leaves. When the heap has
    // taken much at once, later calls do the rest.
    size_t steps = 2 * (clock.open() + clock.closed()) + 2;
    const bool adapts = session.options.memory_bytes != 0;
    uint64_t most = adapts ? kMostAtOnce + 2 * pages : UINT64_MAX;
    uint64_t dropped = session.counters.pages_dropped + session.counters.pages_spilled;
    while (status.ok() && steps-- > 0) {
      if (clock.closed() == 0 && !CloseOne(session)) {
        if (!RetryStuck(session)) break;
        steps += 2 * clock.open();
        continue;
      }
      if (!EvictOne(session, &status)) continue;
      const uint64_t now = session.counters.pages_dropped + session.counters.pages_spilled;
      if (std::exchange(dropped, now) != now && (enough() || --most == 0)) break;
    }
  }
  close_some();
  if (session.options.memory_bytes != 0 && taken + wanted < limit) {
    allowance.Renew(limit - taken - wanted);
  }
  return status;
}

void MakeRoomForHeap(SessionState& session, uint64_t bytes) {
  const uint64_t memory = session.options.memory_bytes;
  if (memory == 0 || !session.in_transaction()) return;
  session.allowance.MeasureNext();
  const uint64_t limit = MeasureFrameLimit(session);
  // Memory of files does not count. A commit takes half as much again for tables.
  const uint64_t counted = std::min(bytes, memory / 2);
  const uint64_t wanted = std::min(counted + counted / 2, limit - LeastFrameBytes(session));
  if (FrameBytes(session) + wanted <= limit) return;
  (void)MakeRoom(session, wanted / kPageBytes);
  if (IsMemorySmall(session)) malloc_trim(0);  // twins
}

// Reads a touched page from the spill file: it is dirty, in memory.
Status Unspill(SessionState& session, Database& database, PageId page) {
  TN_RETURN_IF_ERROR(MakeRoom(session, 1));
  const SpilledPage* const spilled = database.FindSpilled(page);
  TN_CHECK(spilled != nullptr);
  TN_RETURN_IF_ERROR(ReadSpilled(session, *spilled, database.AliasOf(page)));
  Frame& frame = database.frames().At(page);
  // The first write of a child transaction must trap.
  const Access access = session.depth() > 0 ? Access::kRead : Access::kWrite;
  TN_RETURN_IF_ERROR(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, access));
  session.spill.Free(spilled->slot);
  database.RemoveSpilled(page);
  frame.state = FrameState::kDirty;
  frame.closed_by_clock = false;
  EnterClock(session, database, page);
  database.Remember(page);
  return Status::Ok();
}

// Homes stay in memory until their objects move in.
bool WantsCollection(const SessionState& session) {
  if (session.mappings_short) return true;
  if (!HasBudget(session)) return false;
  // Displaced objects take memory twice: in the heap, and in the tables about them.
  const uint64_t memory = session.options.memory_bytes;
  return session.displaced.home_pages() * kPageBytes > FrameLimit(session) / 8 ||
         (memory != 0 && 2 * session.displaced.bytes() > memory / 8);
}

void SendHomeWhenTight(SessionState& session) {
  if (std::exchange(session.mappings_short, false)) {
    session.heap.CollectMajor();
    // Also needed without a collection, when collections are switched off.
    TN_CHECK(session.governed.ProtectAll().ok());
  }
  const bool measures = HasBudget(session) && !IsMeasured(session);
  if (measures) MeasureFrameLimit(session);
  const bool collects = WantsCollection(session);
  if (collects) session.heap.CollectMajor();
  if (measures || (collects && HasBudget(session))) MakeRoomNow(session);
}

void MakeRoomAfterCommit(SessionState& session) {
  if (HasBudget(session) && !IsMeasured(session)) MakeRoomNow(session);
}

}  // namespace tenure::stabilize
