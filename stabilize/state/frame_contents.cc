#include "stabilize/state/frame_contents.h"

#include <cstring>

#include "base/check.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/memory_budget.h"
#include "stabilize/state/reference_check.h"
#include "stabilize/state/store_marks.h"
#include "store/files/page_copy.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

using abi::kPageBytes;

// The memory of frames, as the system counts it, and of twins.
uint64_t FrameBytes(const SessionState& session) {
  uint64_t bytes = 0;
  for (const auto& database : session.databases) {
    if (!database->open()) continue;
    bytes += database->mapping().UsedBytes() + database->twins() * kPageBytes;
  }
  return bytes;
}

bool HasRoom(const SessionState& session, uint64_t pages) {
  const uint64_t limit = FrameLimit(session);
  return limit == UINT64_MAX || FrameBytes(session) + pages * kPageBytes <= limit / 4 * 3;
}

// The frame's memory goes; what it held is in the store, in the spill file, or not wanted.
void DropFrame(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  TN_CHECK(database.mapping().Discard(database.FrameOf(page)).ok());
  frame.state = FrameState::kAbsent;
  frame.level = 0;
  frame.closed_by_clock = false;
  frame.starts.reset();
  frame.changed_early.reset();
  database.DropTwin(page);
  database.ForgetRemembered(page);
  NoteDropped(database, page);
}

Status ReadSpilled(const SessionState& session, const SpilledPage& spilled, std::byte* to) {
  TN_RETURN_IF_ERROR(session.spill.Read(spilled.slot, to));
  for (const SpilledReference& reference : spilled.references) {
    std::memcpy(to + reference.offset, &reference.target, sizeof reference.target);
  }
  return Status::Ok();
}

void DropSpilled(SessionState& session, Database& database, PageId page) {
  const SpilledPage* const spilled = database.FindSpilled(page);
  if (spilled == nullptr) return;
  session.spill.Free(spilled->slot);
  database.RemoveSpilled(page);
  database.frames().At(page).state = FrameState::kAbsent;
}

Result<std::byte*> ImageOf(SessionState& session, Database& database, PageId page,
                           std::byte* buffer) {
  const SpilledPage* const spilled = database.FindSpilled(page);
  if (spilled == nullptr) return database.AliasOf(page);
  TN_RETURN_IF_ERROR(ReadSpilled(session, *spilled, buffer));
  return buffer;
}

void ReadAgainLater(SessionState& session, Database& database, PageId page) {
  DropFrame(database, page);
  Frame& frame = database.frames().At(page);
  if (frame.called_back || (session.displaced.WithHomeOn(&database, page) == nullptr &&
                            !database.open_pages().Has(page))) {
    return;
  }
  frame.called_back = true;
  database.AddStale(page);
}

// Restores the page as it was before the transaction.
void RestoreFrame(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  if (frame.state == FrameState::kSpilled) return DropSpilled(session, database, page);
  // Without a complete image from before the transaction the page is read again: a page that was
  // spilled has no twin, marked blocks have no image, and a twin made after an early comparison is
  // younger than the first changes.
  if (frame.twin == nullptr || frame.marks != 0 || frame.changed_early != nullptr) {
    return ReadAgainLater(session, database, page);
  }
  std::memcpy(database.AliasOf(page), frame.twin.get(), kPageBytes);
  TN_CHECK(
      database.mapping().SetAccess(database.FrameOf(page), 1, Access::kWrite, Access::kRead).ok());
  frame.state = FrameState::kClean;
  frame.level = 0;
  frame.closed_by_clock = false;
  database.DropTwin(page);
  NoteProtected(database, page);
}

void PrepareSlots(SessionState& session, Database& database, PageId page) {
  PageFrames& frames = database.frames();
  if (frames.At(page).state != FrameState::kVacant) return;
  // A collection sends objects home to all of them. Mapping more memory at once costs less, if
  // there is enough.
  constexpr uint64_t kTogether = 32;
  const PageId first{page.number / kTogether * kTogether};
  uint64_t vacant = 0;
  for (uint64_t i = 0; i < kTogether; ++i) {
    vacant += frames.Covers(first + i) && frames.At(first + i).state == FrameState::kVacant;
  }
  if (vacant == kTogether && !IsMemorySmall(session)) {
    Populate(database.AliasOf(first), kTogether * kPageBytes);
  }
  std::byte* const image = database.AliasOf(page);
  std::memset(image, 0, kPageBytes);
  size_t end = 0;
  if (const PageObjects* const places = session.displaced.WithHomeOn(&database, page)) {
    for (abi::Ref place : *places) {
      const DisplacedObject& object = *session.displaced.FindByHeader(place);
      const size_t begin = object.at_home().offset();
      TN_CHECK(begin == end);
      StoreFiller(image + begin, object.bytes);
      end = begin + object.bytes;
    }
  }
  if (end < kPageBytes) StoreFiller(image + end, kPageBytes - end);
  frames.At(page).state = FrameState::kAbsent;
}

void ClearBehindLarge(Database& database, const Placed& home) {
  const uint64_t used = (home.end() - 1) % kPageBytes + 1;
  std::memset(database.AliasOf(home.last_page()) + used, 0, kPageBytes - used);
}

abi::Ref DisplacedLarge(SessionState& session, Database& database, PageId page,
                        const LargeRun& run) {
  if (!run.large()) return nullptr;
  return session.displaced.PlaceOf(&database, HomeOfRun(page, run));
}

void GiveUpFrame(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  TN_CHECK(frame.state != FrameState::kDirty && frame.state != FrameState::kSpilled);
  if (!frame.absent()) {
    ExpectSame(session, database, page);
    DropFrame(database, page);
  }
  if (frame.called_back) return;
  if (session.displaced.WithHomeOn(&database, page) == nullptr &&
      DisplacedLarge(session, database, page, frame.run) == nullptr) {
    return;
  }
  frame.called_back = true;
  database.AddStale(page);
}

void GiveUpAll(SessionState& session, Database& database) {
  PageFrames& frames = database.frames();
  for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
       page = frames.NextUsed(page + 1)) {
    GiveUpFrame(session, database, page);
  }
  database.open_pages() = {};
  database.ExpireRoot();
}

}  // namespace tenure::stabilize
