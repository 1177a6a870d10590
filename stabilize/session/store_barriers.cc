#include "stabilize/session/store_barriers.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/residency.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/store_marks.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

constexpr FaultAnswer kResolved = {FaultAnswer::Kind::kResolved, FaultAnswer::Error::kNone, {}};

// The first mark of a frame that was left open.
void BecomeDirty(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  frame.state = FrameState::kDirty;
  frame.closed_by_clock = false;
  frame.level = session.depth();
  database.AddDirty(page);
  database.Remember(page);
}

// `before_store`: what the bytes had before the store, or null.
FaultAnswer Mark(SessionState& session, Database& database, PageId page, const void* address,
                 size_t bytes, uint64_t top, const void* before_store, const PageAnswers& answers) {
  if (!database.open() || !database.frames().Covers(page)) {
    return HandleFault(session, address, /*is_write=*/true, top, answers);
  }
  if (!session.open.abort_pending() &&
      MayTouch(session, /*is_write=*/true, top).kind != FaultAnswer::Kind::kResolved) {
    // The store must leave no trace.
    if (database.frames().At(page).state == FrameState::kClean) {
      ReadAgainLater(session, database, page);
      ReadAgain(session, database, page);
    }
    return HandleFault(session, address, /*is_write=*/true, top, answers);
  }
  const Frame& before = database.frames().At(page);
  const bool stored = before.state == FrameState::kClean && before.kept_writable;
  if (stored && session.open.abort_pending()) {
    // The rollback undoes this store with the others.
    BecomeDirty(session, database, page);
    MarkBlocks(database, page, address, bytes);
  }
  if (stored && !session.open.abort_pending()) {
    const Status status = answers.status().ok()
                              ? database.server().WantWrite(database.id(), std::span(&page, 1))
                              : answers.status();
    BecomeDirty(session, database, page);
    if (!status.ok()) {
      MarkBlocks(database, page, address, bytes);
      session.open.SetAbortPending(true);
      return {FaultAnswer::Kind::kFailed, FaultAnswer::Error::kAborted, status};
    }
  } else if (before.state != FrameState::kDirty || before.level < session.depth() ||
             session.open.abort_pending()) {
    const FaultAnswer answer = HandleFault(session, address, /*is_write=*/true, top, answers);
    if (answer.kind != FaultAnswer::Kind::kResolved) return answer;
  }
  Frame& frame = database.frames().At(page);
  if (frame.run.large()) return kResolved;  // It has a twin, or goes whole.
  frame.has_barriers = true;
  if (session.options.paranoid_barriers) {
    NoteStore(database, page, address, bytes);
    return kResolved;
  }
  if (frame.twin != nullptr && frame.marks == 0) {
    // Equal words: perhaps the store came before the twin was made.
    const size_t offset = static_cast<size_t>(static_cast<const char*>(address) -
                                              static_cast<const char*>(database.FrameOf(page)));
    const bool may_hide =
        frame.was_kept_writable && session.depth() == 0 &&
        std::memcmp(database.AliasOf(page) + offset, frame.twin.get() + offset, bytes) == 0;
    if (!may_hide) {
      BlockTable::SetPage(database.FrameOf(page), abi::kBlockSeen);
      return kResolved;
    }
  }
  // Only a frame that was clean when the store came is known to have had these bytes at the
  // beginning of the transaction.
  const bool known = stored || (frame.blocks != nullptr && frame.twin == nullptr);
  MarkBlocks(database, page, address, bytes, known ? before_store : nullptr);
  return kResolved;
}

}  // namespace

std::optional<PageRequest> RequestOfStore(SessionState& session, const void* address, size_t bytes,
                                          uint64_t top) {
  Database* const database = session.DatabaseAt(address);
  if (database == nullptr || bytes == 0 || !IsShared(*database)) return std::nullopt;
  const PageId first = database->PageAt(address);
  const PageId last = database->PageAt(static_cast<const char*>(address) + bytes - 1);
  bool asks = false;
  for (PageId page = first; page <= last; page = page + 1) {
    if (!database->frames().Covers(page)) return std::nullopt;
    asks = asks || database->frames().At(page).state == FrameState::kClean;
  }
  if (!asks || !MayTouchNow(session, /*is_write=*/true, top)) return std::nullopt;
  return PageRequest{database, {first, last.number - first.number + 1}, false, false, true};
}

FaultAnswer MarkStored(SessionState& session, const void* address, size_t bytes, uint64_t top,
                       const void* before, const PageAnswers& answers) {
  ++session.counters.barrier_calls;
  Database* const database = session.DatabaseAt(address);
  if (database == nullptr || bytes == 0) return {};
  const auto* at = static_cast<const char*>(address);
  const char* const end = at + bytes;
  while (at < end) {
    const PageId page = database->PageAt(at);
    const char* const page_end = database->FrameOf(page) + kPageBytes;
    const char* const to = std::min(end, page_end);
    const FaultAnswer answer = Mark(session, *database, page, at, static_cast<size_t>(to - at), top,
                                    at == address && to == end ? before : nullptr, answers);
    if (answer.kind != FaultAnswer::Kind::kResolved) return answer;
    at = to;
  }
  return kResolved;
}

FaultAnswer ProtectForOthers(SessionState& session, const void* address) {
  Database* const database = session.DatabaseAt(address);
  if (database == nullptr || !database->open()) return {};
  const PageId page = database->PageAt(address);
  if (!database->frames().Covers(page)) return {};
  const Status status = KeepByTrap(*database, page);
  if (status.ok()) return kResolved;
  return {FaultAnswer::Kind::kFailed, FaultAnswer::Error::kFailure, status};
}

void ReadAgain(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  const bool may_read = session.in_transaction() || !database.server().capabilities().shared;
  if (!may_read || session.open.abort_pending() || !frame.absent()) return;
  // Displaced objects have been put back.
  const bool called_back = std::exchange(frame.called_back, false);
  if (!MakeResidentAlone(session, database, page).ok()) {
    database.frames().At(page).called_back = called_back;
  }
}

}  // namespace tenure::stabilize
