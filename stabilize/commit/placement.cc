#include "stabilize/commit/placement.h"

#include <cstring>

#include "stabilize/state/frame_contents.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::TypeDescriptor;

void Placement::FinishOpenPage(DatabaseChanges& changes, const OpenPage& open) {
  const auto change = changes.pages.find(open.page.number);
  if (change == changes.pages.end() || change->second.encoded == nullptr) return;
  if (open.left() > 0) EncodeFiller(change->second.encoded + open.offset, open.left());
  closed_.push_back({change->second.encoded, session_.displaced.size()});
}

Status Placement::TakeOpenPage(DatabaseChanges& changes, bool apart) {
  Database& database = *changes.database;
  TN_ASSIGN_OR_RETURN(const PageId page, database.NextPage());
  changes.taken.push_back({page, 1});
  ++changes.fresh;
  PageChange& change = changes_.At(changes, page);
  change.fresh = true;
  database.ForgetUnknownProcedures(page);
  Frame& frame = database.frames().At(page);
  if (encodes_reached()) changes_.TakeEncoded(change);
  // An object that is encoded from its place in the heap leaves no trace in the frame.
  frame.ReadAnew();
  if (encodes_reached() && frame.absent()) {
    frame.state = FrameState::kVacant;
  } else {
    std::memset(database.AliasOf(page), 0, kPageBytes);
  }
  FinishOpenPage(changes, database.open_pages().Replace(page, apart));
  return Status::Ok();
}

PersistentRef Placement::PlaceSmall(Database& database, size_t bytes, bool apart, bool at_once) {
  DatabaseChanges& changes = changes_.Of(database);
  OpenPages& pages = database.open_pages();
  if (pages.WithRoom(bytes, apart) == nullptr) {
    if (const Status status = TakeOpenPage(changes, apart); !status.ok()) {
      failure_ = status;
      return PersistentRef::Nil();
    }
  }
  OpenPage& open = *pages.WithRoom(bytes, apart);
  const size_t at = open.offset;
  open.offset += bytes;
  PageChange& change = changes_.At(changes, open.page);
  change.stays_open = false;  // More changes than its twin has got.
  const PersistentRef home = PersistentRef::Object(open.page, at + kHeaderBytes);
  const Frame& frame = database.frames().At(open.page);
  if (frame.state == FrameState::kVacant && change.fresh && !at_once) return home;
  PrepareSlots(session_, database, open.page);
  std::byte* const image = database.AliasOf(open.page);
  // Fillers of the right sizes keep the page walkable while the slot is empty.
  StoreFiller(image + at, bytes);
  if (open.offset < kPageBytes) StoreFiller(image + open.offset, kPageBytes - open.offset);
  if (change.fresh) return home;  // It goes whole.
  for (size_t word = at / 8; word < open.offset / 8; ++word) change.changed.set(word);
  if (open.offset < kPageBytes) change.changed.set(open.offset / 8);
  return home;
}

Result<PersistentRef> Placement::PlaceLarge(Database& database, const TypeDescriptor& type,
                                            size_t bytes) {
  const uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  TN_ASSIGN_OR_RETURN(const PageRun run, database.NextRun(pages));
  DatabaseChanges& changes = changes_.Of(database);
  changes.taken.push_back(run);
  changes.fresh += pages;
  const LargeRun record{database.IndexOf(type), 0, static_cast<uint32_t>(pages)};
  for (uint64_t i = 0; i < pages; ++i) {
    PageChange& change = changes.pages[run.first.number + i];
    change.fresh = true;
    database.ForgetUnknownProcedures(run.first + i);
    change.run = record;
    change.run.index = static_cast<uint32_t>(i);
    database.frames().At(run.first + i).ReadAnew();
  }
  return PersistentRef::Object(run.first, kHeaderBytes);
}

PersistentRef Placement::Place(Database& database, const TypeDescriptor& type, size_t bytes,
                               bool at_once) {
  if (bytes <= kPageBytes) {
    const bool apart = LiesApart(bytes, (type.flags & abi::kTypePure) != 0);
    return PlaceSmall(database, bytes, apart, at_once);
  }
  const Result<PersistentRef> home = PlaceLarge(database, type, bytes);
  if (home.ok()) return *home;
  failure_ = home.status();
  return PersistentRef::Nil();
}

}  // namespace tenure::stabilize
