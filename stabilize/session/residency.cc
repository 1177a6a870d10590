#include "stabilize/session/residency.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/session/page_requests.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/expected_pages.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/paranoid_check.h"
#include "stabilize/state/reference_check.h"
#include "stabilize/state/store_marks.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// After this many faults among neighbours the other neighbours will be wanted too. A traversal of a
// few scattered objects does not fault that often.
constexpr uint16_t kManyFaults = 3;
// While pages leave memory, neighbours that come at once would leave again before most of them are
// touched, and others for them: only faults count that follow each other within this many.
constexpr uint64_t kSoon = 64;

void DecodeIntoDisplaced(SessionState& session, PageId page, std::span<const abi::Ref> places,
                         const std::byte* image) {
  for (abi::Ref place : places) {
    const DisplacedObject* object = session.displaced.Find(place);
    const Placed home = object->at_home();
    const uint64_t page_begin = page.number * kPageBytes;
    const uint64_t first = std::max(home.home.bits, page_begin);
    const uint64_t last = std::min(home.end(), page_begin + kPageBytes);
    if (first >= last) continue;
    char* const to = BeginOf(place) + (first - home.begin());
    std::memcpy(to, image + (first - page_begin), last - first);
    // References to young objects may be there now.
    gc::CardTable::MarkRange(to, last - first);
  }
}

// The page itself first, then absent neighbours that will probably be wanted next. Of a shared
// store only the page: other programs could not write the pages read.
std::vector<PageId> ChoosePages(SessionState& session, Database& database, PageId page) {
  if (database.server().capabilities().shared) return {page};
  PageFrames& frames = database.frames();
  const bool forward = page.number == database.last_fault().number + 1;
  std::vector<PageId> wanted;
  const uint64_t limit =
      forward ? std::min(page.number + session.options.pages_read_ahead, frames.end())
              : page.number + 1;
  for (uint64_t number = page.number; number < limit; ++number) {
    const Frame& frame = frames.At(PageId{number});
    if (!frame.absent()) break;
    if (number > page.number && frame.state == FrameState::kVacant) break;
    wanted.push_back(PageId{number});
  }
  database.SetLastFault(wanted.back());
  PageFrames::NearFaults& faults = frames.FaultsNear(page);
  const uint64_t now = session.counters.read_faults;
  if (session.clock.active() && now - faults.last > kSoon) faults.count = 0;
  faults.last = now;
  if (faults.count < kManyFaults) ++faults.count;
  if (wanted.size() > 1 || faults.count < kManyFaults || session.options.pages_read_ahead == 1) {
    return wanted;
  }
  faults.count = 0;
  const PageId first = PageFrames::FirstNeighbour(page);
  for (uint64_t i = 0; i < PageFrames::kNeighbours; ++i) {
    const PageId neighbour = first + i;
    if (neighbour == page || !frames.Covers(neighbour)) continue;
    const Frame& frame = frames.At(neighbour);
    // No reference leads to frames whose objects have not come home.
    if (frame.absent() && !frame.run.large() &&
        session.displaced.WithHomeOn(&database, neighbour) == nullptr) {
      wanted.push_back(neighbour);
    }
  }
  return wanted;
}

// For shared stores: other programs make pages, and the pages read may refer to these.
Status CoverAll(Database& database) {
  TN_ASSIGN_OR_RETURN(const PageId last, database.server().MaxPage(database.id()));
  return database.Cover(last);
}

// Reads the pages into session.replies, in the order of `wanted`.
Status ReadPages(SessionState& session, Database& database, std::span<const PageId> wanted) {
  if (session.replies.size() < wanted.size()) session.replies.resize(wanted.size());
  const std::span replies = std::span(session.replies).first(wanted.size());
  for (PageReply& reply : replies) reply.status = Status::Ok();
  if (!database.server().capabilities().shared) {
    return database.server().Read(database.id(), wanted, replies);
  }
  TN_CHECK(wanted.size() == 1);
  TN_RETURN_IF_ERROR(database.server().ReadTouched(
      database.id(), wanted[0], replies[0],
      [&](PageId near) { return MayComeAlong(session, database, near); }));
  return CoverAll(database);
}

// Decodes a page that was read into `image`, and checks its references. Sets *refers_to_heap when
// one of them leads into the transient heap. `touched`: the program needs the page, which may then
// have garbage of types that the program lacks.
Status Decode(SessionState& session, Database& database, PageId page, const PageReply& reply,
              bool touched, std::byte* image, bool* refers_to_heap) {
  session.found.clear();
  Status status = reply.status;
  if (status.ok() && session.options.paranoid) {
    status = CheckReferencesOfPage(database, page, reply.record);
  }
  (void)database.TakeNotRoundTrippable();
  if (status.ok()) {
    database.ForgetUnknownProcedures(page);
    DatabaseReferences references(session, database, /*only_known=*/!touched);
    status = DecodePage(page, reply.record, references, image, refers_to_heap, &session.found);
  }
  if (status.ok()) status = CheckFound(session, database, page, image, reply.record.run);
  if (status.ok()) return status;
  const std::string text = "database " + database.Path() + ": " + status.text();
  if (status.code() == StatusCode::kTypeMismatch) return Failure(status.code(), text);
  return Failure(status.code(), text, static_cast<int64_t>(page.number));
}

// Copies another program's versions of displaced objects from the page to the objects' places, and
// puts fillers into the page's slots of displaced objects, where no object may be found. True: the
// page is part of a large object that lives elsewhere, so its frame stays absent.
bool MoveToDisplaced(SessionState& session, Database& database, PageId page,
                     const PageRecord& record, std::byte* image) {
  Frame& frame = database.frames().At(page);
  if (frame.called_back) {
    if (abi::Ref large = DisplacedLarge(session, database, page, record.run)) {
      DecodeIntoDisplaced(session, page, std::span(&large, 1), image);
      frame.version = record.version;
      frame.called_back = false;
      return true;
    }
  }
  const PageObjects* const places = session.displaced.WithHomeOn(&database, page);
  if (places == nullptr) return false;
  if (frame.called_back) DecodeIntoDisplaced(session, page, *places, image);
  for (abi::Ref place : *places) {
    const DisplacedObject& object = *session.displaced.Find(place);
    StoreFiller(image + object.at_home().offset(), object.bytes);
  }
  return false;
}

// Shows a decoded page to the program.
Status Publish(SessionState& session, Database& database, PageId page, const PageRecord& record,
               std::byte* image, bool refers_to_heap) {
  ++session.counters.pages_read;
  session.counters.bytes_read += kPageRecordBytes;
  if (MoveToDisplaced(session, database, page, record, image)) return Status::Ok();
  Frame& frame = database.frames().At(page);
  frame.version = record.version;
  frame.run = record.run;
  frame.not_round_trippable = database.TakeNotRoundTrippable();
  TN_RETURN_IF_ERROR(database.mapping().Publish(database.FrameOf(page), 1, image));
  frame.state = FrameState::kClean;
  frame.called_back = false;
  EnterClock(session, database, page);
  NoteProtected(database, page);
  if (refers_to_heap) database.Remember(page);
  return Status::Ok();
}

}  // namespace

Status MakeResident(SessionState& session, Database& database, PageId page,
                    std::span<const PageId> wanted, const PageReply* here) {
  TN_RETURN_IF_ERROR(MakeRoom(session, wanted.size()));
  TN_RETURN_IF_ERROR(here != nullptr ? CoverAll(database) : ReadPages(session, database, wanted));
  session.counters.pages_read_ahead += wanted.size() - 1;
  for (size_t i = 0; i < wanted.size(); ++i) {
    alignas(8) std::byte image[kPageBytes];
    bool refers_to_heap = false;
    const PageReply& reply = here != nullptr ? *here : session.replies[i];
    if (Status status =
            Decode(session, database, wanted[i], reply, wanted[i] == page, image, &refers_to_heap);
        !status.ok()) {
      if (wanted[i] == page) return status;
      continue;  // A fault of the neighbour itself will report the failure.
    }
    TN_RETURN_IF_ERROR(Publish(session, database, wanted[i], reply.record, image, refers_to_heap));
  }
  return SettleExpected(session);
}

Status MakeResident(SessionState& session, Database& database, PageId page) {
  return MakeResident(session, database, page, ChoosePages(session, database, page), nullptr);
}

Status MakeResidentAlone(SessionState& session, Database& database, PageId page) {
  return MakeResident(session, database, page, std::span(&page, 1), nullptr);
}

}  // namespace tenure::stabilize
