// A session at a page server that others use too: what it gives up, and what it then reads again
// (design.md section 5, "Locks").
#include <algorithm>
#include <cstring>

#include "abi/heap_constants.h"
#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/session.h"
#include "store/format/page_codec.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

namespace {

constexpr int kBeginAttempts = 1000;

}  // namespace

CallbackListener::Answer Session::CalledBack(PageServer& server, DatabaseId id, PageId page,
                                             bool to_read) {
  const std::unique_lock<std::recursive_mutex> guard(lock_, std::try_to_lock);
  if (!guard.owns_lock() || collecting_) return Answer::kLater;
  if (in_transaction()) return Answer::kInTransaction;
  for (auto& database : databases_) {
    if (!database->open() || database->id() != id) continue;
    if (database->server().store_uuid() != server.store_uuid()) continue;
    if (page.number == 0) {
      if (!to_read) database->root_fresh = false;
      continue;
    }
    // Nothing new may be put on it without asking.
    database->open_pages().Close(page);
    if (!to_read && database->frames().Covers(page)) GiveUpFrame(*database, page);
  }
  return Answer::kGivenUp;
}

abi::Ref Session::DisplacedLarge(Database& database, PageId page, const LargeRun& run) {
  if (!run.large()) return nullptr;
  return displaced_.PlaceOf(&database,
                            PersistentRef::Object(PageId{page.number - run.index}, kHeaderBytes));
}

void Session::GiveUpFrame(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  TN_CHECK(frame.state != FrameState::kDirty && frame.state != FrameState::kSpilled);
  if (frame.state != FrameState::kAbsent) {
    ExpectSame(database, page);
    DropFrame(database, page);
  }
  if (frame.called_back) return;
  if (displaced_.WithHomeOn(&database, page) == nullptr &&
      DisplacedLarge(database, page, frame.run) == nullptr) {
    return;
  }
  frame.called_back = true;
  database.stale.push_back(page);
}

void Session::GiveUpAll(Database& database) {
  for (uint64_t number = 1; number < database.frames().end(); ++number) {
    GiveUpFrame(database, PageId{number});
  }
  database.open_pages() = {};
  database.root_fresh = false;
}

Status Session::StartAtServers() {
  for (auto& store : stores_) TN_RETURN_IF_ERROR(RestoreUse(*store));
  // Transactions that do nothing yet but fetch displaced objects may already wait for each other:
  // the victim begins again, older than before.
  for (int attempt = 1;; ++attempt) {
    Status status;
    // At all of them before anything is held at one.
    for (auto& store : stores_) {
      if (store->server != nullptr) store->server->AwaitTurn();
    }
    // By number: what is fetched may lead to databases that are opened then.
    for (size_t s = 0; s < stores_.size() && status.ok(); ++s) {
      OpenStoreState& store = *stores_[s];
      if (store.server == nullptr) continue;
      const Result<bool> lost = store.server->StartTransaction();
      if (!lost.ok()) {
        status = lost.status();
        break;
      }
      for (auto& database : databases_) {
        if (!*lost || !database->open() || &database->store() != &store) continue;
        database->ForgetFreeRuns();
        database->all_stale = true;
      }
      for (size_t d = 0; d < databases_.size() && status.ok(); ++d) {
        Database& database = *databases_[d];
        if (!database.open() || &database.store() != &store) continue;
        if (database.all_stale) {
          GiveUpAll(database);
          status = store.catalog.Reload(*store.server);
          if (status.ok()) status = database.LoadTables();
          if (status.code() == StatusCode::kClosed) return CloseGone(store, status);
          if (status.ok() && !store.server->capabilities().shared) status = database.RefreshRoot();
          if (status.ok()) database.all_stale = false;
        }
        if (status.ok()) status = RefreshDisplaced(database);
      }
    }
    if (status.ok()) return status;
    EndAtServers();
    if (status.code() != StatusCode::kConflict || attempt == kBeginAttempts) return status;
  }
}

// What the program has of the store is no more what is there: its databases are closed, and what it
// refers to in them is found out by whoever touches it.
Status Session::CloseGone(OpenStoreState& store, Status why) {
  EndAtServers();
  for (auto& database : databases_) {
    if (!database->open() || &database->store() != &store) continue;
    if (!database->server().MaxPage(database->id()).ok()) CloseGone(*database);
  }
  return why;
}

void Session::CloseGone(Database& database) {
  for (auto& other : databases_) {
    // What it refers to there is looked up again.
    if (other->open() && other->ImportsFrom(database)) other->all_stale = true;
  }
  GiveUpAll(database);
  (void)CloseParts(database);
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
    if (displaced_.WithHomeOn(&database, page) == nullptr &&
        DisplacedLarge(database, page, frame.run) == nullptr) {
      frame.called_back = false;  // They have died.
    }
    if (frame.called_back) {
      TN_RETURN_IF_ERROR(governed_.UnprotectAll());
      Status status = MakeResident(database, page);
      const Status protect = governed_.ProtectAll();
      // A disk collection has removed the page after this program had said that it refers to
      // nothing there: the objects are dead, only not swept yet.
      if (status.code() == StatusCode::kNotFound) {
        frame.called_back = false;
        status = Status::Ok();
      }
      TN_RETURN_IF_ERROR(status);
      TN_RETURN_IF_ERROR(protect);
    }
    database.stale.pop_back();
  }
  return Status::Ok();
}

void Session::DecodeIntoDisplaced(Database&, PageId page, std::span<const abi::Ref> places,
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
    // References to young objects may be there now.
    gc::CardTable::MarkRange(to, last - first);
  }
}

Status Session::LockRoot(Database& database, bool write) {
  if (!database.server().capabilities().shared) return Status::Ok();
  const PageId root{0};
  Status status = write ? database.server().WantWrite(database.id(), std::span(&root, 1))
                        : database.server().WantRead(database.id(), std::span(&root, 1));
  if (status.ok() && !database.root_fresh) status = database.RefreshRoot();
  return EndIfAborted(status);
}

Status Session::WantWriteOf(const DisplacedObject& object) {
  PageServer& server = object.database->server();
  if (!server.capabilities().shared) return Status::Ok();
  const uint64_t last = (object.home.bits - kHeaderBytes + object.bytes - 1) / kPageBytes;
  for (PageId at = object.home.page(); at.number <= last; at = at + 1) {
    TN_RETURN_IF_ERROR(server.WantWrite(object.database->id(), std::span(&at, 1)));
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
