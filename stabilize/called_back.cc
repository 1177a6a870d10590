// A session at a page server that others use too: what it gives up, and what it then reads again
// (design.md section 5, "Locks").
#include <algorithm>
#include <cstring>

#include "abi/entry_points.h"
#include "base/check.h"
#include "stabilize/page_codec.h"
#include "stabilize/session.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

CallbackListener::Answer Session::CalledBack(PageServer& server, DatabaseId id, PageId page,
                                             bool to_read) {
  const std::unique_lock<std::recursive_mutex> guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return Answer::kLater;
  if (in_transaction()) return Answer::kInTransaction;
  for (auto& database : databases_) {
    if (!database->open() || database->id() != id) continue;
    if (database->server().store_uuid() != server.store_uuid()) continue;
    if (page.number == 0) {
      if (!to_read) database->root_fresh = false;
      continue;
    }
    // Nothing new may be put on it without asking.
    if (database->open_page().page == page) database->open_page() = {};
    if (!to_read && database->frames().Covers(page)) DropFrame(*database, page);
  }
  return Answer::kGivenUp;
}

void Session::DropFrame(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  TN_CHECK(frame.state != FrameState::kDirty);
  const bool displaced =
      displaced_.WithHomeOn(&database, page) != nullptr ||
      (frame.run.large() &&
       displaced_.PlaceOf(&database, PersistentRef::Object(PageId{page.number - frame.run.index},
                                                           kHeaderBytes)) != nullptr);
  if (frame.state == FrameState::kAbsent && !displaced) return;
  if (frame.state != FrameState::kAbsent) {
    TN_CHECK(database.mapping()
                 .SetAccess(database.FrameOf(page), 1, Access::kRead, Access::kNone)
                 .ok());
  }
  frame.state = FrameState::kAbsent;
  if (frame.outward) {
    frame.outward = false;
    std::erase(database.outward(), page);
  }
  if (displaced && !frame.called_back) {
    frame.called_back = true;
    database.stale.push_back(page);
  }
}

void Session::DropAllFrames(Database& database) {
  for (uint64_t number = 1; number < database.frames().end(); ++number) {
    DropFrame(database, PageId{number});
  }
  database.open_page() = {};
  database.root_fresh = false;
}

Status Session::StartAtServers() {
  Status status;
  for (auto& store : stores_) {
    if (store->server == nullptr || !store->server->capabilities().shared) continue;
    const Result<bool> lost = store->server->StartTransaction();
    if (!lost.ok()) {
      status = lost.status();
      break;
    }
    for (auto& database : databases_) {
      if (!database->open() || &database->store() != store.get()) continue;
      if (*lost) DropAllFrames(*database);
      if (status.ok()) status = RefreshDisplaced(*database);
    }
    if (!status.ok()) break;
  }
  if (!status.ok()) EndAtServers();
  return status;
}

void Session::EndAtServers() {
  for (auto& store : stores_) {
    if (store->server != nullptr) store->server->EndTransaction();
  }
}

// Displaced objects are read without a fault: what has been given up is fetched before a
// transaction can see it.
Status Session::RefreshDisplaced(Database& database) {
  while (!database.stale.empty()) {
    const PageId page = database.stale.back();
    Frame& frame = database.frames().At(page);
    if (frame.called_back) {
      TN_RETURN_IF_ERROR(governed_.UnprotectAll());
      Status status = MakeResident(database, page);
      const Status protect = governed_.ProtectAll();
      TN_RETURN_IF_ERROR(status);
      TN_RETURN_IF_ERROR(protect);
    }
    database.stale.pop_back();
  }
  return Status::Ok();
}

Status Session::DecodeIntoDisplaced(Database&, PageId page, const std::vector<abi::Ref>& places,
                                    const std::byte* image) {
  for (abi::Ref place : places) {
    const DisplacedObject* object = displaced_.Find(place);
    const uint64_t begin = object->home.bits - kHeaderBytes;  // of the header, in the database
    const uint64_t page_begin = page.number * kPageBytes;
    const uint64_t first = std::max(begin + kHeaderBytes, page_begin);
    const uint64_t last = std::min(begin + object->bytes, page_begin + kPageBytes);
    if (first >= last) continue;
    char* const to = static_cast<char*>(place) - kHeaderBytes + (first - begin);
    std::memcpy(to, image + (first - page_begin), last - first);
    abi::tn_mark_cards(to, last - first);
  }
  return Status::Ok();
}

Status Session::LockRoot(Database& database, bool write) {
  if (!database.server().capabilities().shared) return Status::Ok();
  const PageId root{0};
  Status status = write ? database.server().WantWrite(database.id(), std::span(&root, 1))
                        : database.server().WantRead(database.id(), std::span(&root, 1));
  if (status.ok() && !database.root_fresh) status = database.RefreshRoot();
  if (status.code() == StatusCode::kConflict) {
    Rollback();
    EndTransactions();
  }
  return status;
}

Status Session::WantWriteOfGoverned(GovernedPage& page) {
  for (abi::Ref place : page.objects) {
    const DisplacedObject* object = displaced_.Find(place);
    PageServer& server = object->database->server();
    if (!server.capabilities().shared) continue;
    const PageId home = object->home.page();
    const uint64_t last = (object->home.bits - kHeaderBytes + object->bytes - 1) / kPageBytes;
    for (PageId at = home; at.number <= last; at = at + 1) {
      TN_RETURN_IF_ERROR(server.WantWrite(object->database->id(), std::span(&at, 1)));
    }
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
