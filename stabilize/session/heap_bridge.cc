#include "stabilize/session/heap_bridge.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/block_memory.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/memory_budget.h"
#include "stabilize/state/page_images.h"
#include "stabilize/state/store_marks.h"

namespace tenure::stabilize {

namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;
using abi::Ref;

// Calls visit(Ref* slot) for the traced slots of an image of one page of a database.
template <typename Visit>
void ForEachTracedSlot(Database& database, PageId page, std::byte* image, Visit&& visit) {
  ForEachSlotOnPage(database, page, image, [&](Ref* slot, abi::SlotKind kind) {
    if (kind == abi::SlotKind::kReference || kind == abi::SlotKind::kTransientReference)
      visit(slot);
  });
}

}  // namespace

void HeapBridge::BeginCollection(gc::CollectionKind kind) {
  {
    // Threads that answer callbacks do not stop with the world.
    const CallbackGuard guard(session_.lock);
    session_.collecting = true;
  }
  heap_bytes_before_ = session_.heap.HeapBytes();
  // A home takes memory before the collection gives that of the object back.
  const uint64_t limit = FrameLimit(session_);
  leaves_ = limit != UINT64_MAX &&
            FrameBytes(session_) + session_.displaced.home_pages() * kPageBytes > limit / 4 * 3;
  // The collector forwards objects and clears headers on the pages that it collects.
  GovernedPages& governed = session_.governed;
  switch (kind) {
    case gc::CollectionKind::kSlice: break;
    case gc::CollectionKind::kMinor:
      TN_CHECK(
          governed.UnprotectYoung([&](const char* page) { return session_.heap.IsYoung(page); })
              .ok());
      break;
    case gc::CollectionKind::kMajor:
    case gc::CollectionKind::kVerify: TN_CHECK(governed.UnprotectAll().ok()); break;
  }
}

void HeapBridge::MakeWritable(const void* page) {
  if (GovernedPage* governed = session_.governed.Find(page); governed != nullptr) {
    TN_CHECK(session_.governed.MakeWritableStopped(*governed).ok());
  }
}

void HeapBridge::StoreWord(void* place, uint64_t word) {
  // A thread that answers callbacks does not stop with the world.
  const CallbackGuard guard(session_.lock);
  TN_CHECK(session_.governed.StoreWord(static_cast<uint64_t*>(place), word).ok());
}

void HeapBridge::ExpectCommit() {
  if (!session_.in_transaction() || session_.in_read_only()) return;
  const uint64_t commits = session_.counters.commits;
  if (std::exchange(commits_, commits) != commits) survived_bytes_ = 0;
  // The originals of copied objects still take memory as well.
  const size_t now = session_.heap.HeapBytes();
  survived_bytes_ += now - std::min(now, heap_bytes_before_);
  ExpectCommitOf(survived_bytes_);
}

void HeapBridge::ExpectCommitOf(uint64_t bytes) {
  constexpr uint64_t kFew = 256 << 10;
  // A commit gets further chunks one by one while it works.
  constexpr uint64_t kMostChunks = 6;
  if (IsMemorySmall(session_) || bytes < kFew) return;
  // The notes about the objects take about as much memory as their pages, and the program makes
  // more objects meanwhile.
  ExpectChunks(std::min(kMostChunks, 2 + 3 * bytes / kChunkBytes));
}

void HeapBridge::AllocatedAtFirst(size_t bytes) {
  // Skipped while a commit or another thread is at work: that may take long.
  const CallbackGuard guard(session_.lock, std::try_to_lock);
  if (guard.has_lock() && session_.in_transaction() && !session_.in_read_only()) {
    ExpectCommitOf(bytes);
  }
}

void HeapBridge::WillAllocate(size_t bytes) {
  // Skipped while a commit or another thread is at work, which may wait for the heap's lock.
  const CallbackGuard guard(session_.lock, std::try_to_lock);
  if (guard.has_lock()) MakeRoomForHeap(session_, bytes);
}

void HeapBridge::EndCollection(gc::CollectionKind kind) {
  if (kind == gc::CollectionKind::kMinor) ExpectCommit();
  for (auto& database : session_.databases) {
    for (PageId page : database->remembered()) database->frames().At(page).received_object = false;
  }
  TN_CHECK(session_.governed.Sweep().ok());
  TN_CHECK(session_.governed.ProtectAll().ok());
  const CallbackGuard guard(session_.lock);
  session_.collecting = false;
  if (kind != gc::CollectionKind::kMinor && kind != gc::CollectionKind::kMajor) return;
  // The heap may have grown, and a program whose pages are all open meets no trap that would notice
  // the growth. Pages that cannot be spilled stay.
  session_.allowance.MeasureNext();
  (void)MakeRoom(session_, 0);
}

bool HeapBridge::VisitFrame(Database& database, PageId page, gc::SlotVisitor& visitor) {
  bool refers = false;
  ForEachTracedSlot(database, page, database.AliasOf(page), [&](Ref* slot) {
    if (*slot == nullptr) return;
    visitor.VisitSlot(slot);
    if (session_.heap.Contains(*slot)) refers = true;
  });
  return refers;
}

void HeapBridge::VisitRoots(gc::CollectionKind kind, gc::SlotVisitor& visitor) {
  for (auto& database : session_.databases) {
    if (!database->open()) continue;
    if (Ref* root = database->pending_root_slot(); root != nullptr && *root != nullptr)
      visitor.VisitSlot(root);

    database->ForEachSpilledReference([&](Ref* target) { visitor.VisitSlot(target); });
    if (database->copies_blocks() && kind != gc::CollectionKind::kVerify) {
      // An object may move, and another one may get its address.
      for (PageId page : database->dirty()) {
        if (const auto& blocks = database->frames().At(page).blocks; blocks != nullptr) {
          blocks->ForgetCopies([&](uint64_t word) {
            return session_.heap.Contains(reinterpret_cast<const void*>(word));
          });
        }
      }
    }
    // Objects that go home during the scan add pages to the remembered set.
    const std::vector<PageId> before = database->remembered();
    for (PageId page : before) {
      Frame& frame = database->frames().At(page);
      char* const address = database->FrameOf(page);
      if (kind == gc::CollectionKind::kVerify)
        frame.received_object = true;  // The list stays as it is.
      // Cards know the stores since the last scan; a frame without dirty cards refers to no young
      // object.
      if (kind == gc::CollectionKind::kMinor && !gc::CardTable::AnyDirtyOnPage(address)) continue;
      bool refers = VisitFrame(*database, page, visitor);
      if (frame.twin != nullptr) {
        ForEachTracedSlot(*database, page, frame.twin.get(), [&](Ref* slot) {
          if (*slot == nullptr) return;
          visitor.VisitSlot(slot);
          if (session_.heap.Contains(*slot)) refers = true;
        });
      }
      if (!refers && !frame.received_object && frame.state != FrameState::kDirty) {
        database->ForgetRemembered(page);
      }
    }
  }
  // The images of displaced objects from before the open transactions wrote them.
  session_.governed.ForEachChanged(
      [&](GovernedPage& page) { VisitGovernedImage(page, page.twin.get(), visitor); });
  for (TransactionLevel& level : session_.open.levels()) {
    for (TransactionLevel::RootBefore& root : level.roots) {
      if (root.pending && *root.pending != nullptr) visitor.VisitSlot(&*root.pending);
    }
    for (TransactionLevel::FrameImage& image : level.frames) {
      if (image.image == nullptr) continue;
      ForEachTracedSlot(*image.database, image.page, image.image.get(), [&](Ref* slot) {
        if (*slot != nullptr) visitor.VisitSlot(slot);
      });
    }
    for (TransactionLevel::GovernedImage& image : level.governed) {
      if (image.image == nullptr) continue;
      VisitGovernedImage(*session_.governed.Find(image.page), image.image.get(), visitor);
    }
    level.made.VisitSlots(visitor);
  }
}

// Visits an image of a governed page, of which only the displaced objects count.
void HeapBridge::VisitGovernedImage(const GovernedPage& page, std::byte* image,
                                    gc::SlotVisitor& visitor) {
  for (Ref place : page.objects) {
    const DisplacedObject* object = session_.displaced.Find(place);
    const PartOnPage part = PartOf(page, place, object->bytes);
    const size_t begin = static_cast<size_t>(page.begin + part.begin - BeginOf(place));
    const size_t first = begin < kHeaderBytes ? 0 : begin - kHeaderBytes;
    const size_t last = begin + (part.end - part.begin) - kHeaderBytes;
    std::byte* payload = image + part.begin + (first + kHeaderBytes - begin);
    ForEachSlotBetween(
        *abi::ObjectHeader::Of(place)->type(), first, last, [&](size_t offset, abi::SlotKind kind) {
          if (kind != abi::SlotKind::kReference && kind != abi::SlotKind::kTransientReference) {
            return;
          }
          Ref* slot = reinterpret_cast<Ref*>(payload + (offset - first));
          if (*slot != nullptr) visitor.VisitSlot(slot);
        });
  }
}

void HeapBridge::VisitDisplaced(gc::CollectionKind kind, gc::SlotVisitor& visitor) {
  if (kind == gc::CollectionKind::kMinor) {
    session_.displaced.ForEachYoung([&](Ref place) { return session_.heap.IsYoung(place); },
                                    [&](Ref place) {
                                      Ref slot = place;
                                      visitor.VisitSlot(&slot);
                                      return slot == place;
                                    });
    return;
  }
  // The table changes while the visited objects go home.
  for (Ref place : session_.displaced.Places()) {
    Ref slot = place;
    visitor.VisitSlot(&slot);
  }
}

// A reference to an object of a TRANSIENT type is stored as NIL. The target may have moved in this
// collection.
bool HeapBridge::IsTargetStored(Ref target) const {
  if (!session_.heap.Contains(target)) return true;
  const abi::ObjectHeader* const header = abi::ObjectHeader::Of(target);
  if (header->is_forwarded()) return !session_.heap.Contains(header->forwarding());
  return header->displaced();
}

bool HeapBridge::IsStored(Ref displaced_object) const {
  bool stored = true;
  abi::ForEachSlot(*abi::ObjectHeader::Of(displaced_object)->type(), displaced_object,
                   [&](void** slot, abi::SlotKind kind) {
                     if (*slot == nullptr || !stored) return;
                     if (kind == abi::SlotKind::kReference) {
                       stored = IsTargetStored(*slot);
                     } else {
                       stored = kind == abi::SlotKind::kProcedure &&
                                session_.procedures.NameOf(*slot) != nullptr;
                     }
                   });
  return stored;
}

// All objects of a page go the same way, since a frame has memory or not. Those that stay displaced
// get fillers in their slots when the page is read.
bool HeapBridge::GoesHomeByLeaving(Database& database, const DisplacedObject& object) {
  const PageId page = object.home.page();
  Frame& frame = database.frames().At(page);
  if (frame.state == FrameState::kStoreOnly) return true;
  if (!leaves_ || !frame.absent() || database.open_pages().Has(page)) return false;
  if (object.bytes > kPageBytes) {
    if (!IsStored(object.place)) return false;
    frame.state = FrameState::kStoreOnly;
    return true;
  }
  // After PrepareSlots a page has memory.
  if (frame.state != FrameState::kVacant) return false;
  for (Ref place : *session_.displaced.WithHomeOn(&database, page)) {
    if (!IsStored(place)) return false;
  }
  frame.state = FrameState::kStoreOnly;
  return true;
}

gc::PersistentSpace::Home HeapBridge::HomeOf(Ref displaced_object) {
  const DisplacedObject* object = session_.displaced.FindByHeader(displaced_object);
  TN_CHECK(object != nullptr);
  Database& database = *object->database;
  // An object that the open transaction wrote stays in the heap, so that an abort finds it. So does
  // an object whose home is on a frame with a twin that must not change.
  const char* const begin = BeginOf(displaced_object);
  for (const char* at = GovernedPages::PageOf(begin); at < begin + object->bytes;
       at += kPageBytes) {
    if (session_.governed.Find(at)->state != GovernedState::kProtected) return {nullptr, nullptr};
  }
  if (database.frames().At(object->home.page()).state == FrameState::kDirty)
    return {nullptr, nullptr};
  // Its page has been given up to another program: the slot may hold something newer.
  const Placed home = object->at_home();
  for (PageId page = home.first_page(); page <= home.last_page(); page = page + 1) {
    if (database.frames().At(page).called_back) return {nullptr, nullptr};
  }
  const Ref lives_at = database.AddressOf(object->home);
  if (GoesHomeByLeaving(database, *object)) {
    // A value stored in such a field since then is not in the store.
    if (!IsStored(displaced_object)) return {nullptr, nullptr};
    return {nullptr, lives_at};
  }
  if (object->bytes <= kPageBytes) {
    PrepareSlots(session_, database, object->home.page());
  } else {
    ClearBehindLarge(database, home);
  }
  return {database.mapping().Alias(lives_at), lives_at};
}

void HeapBridge::WentHome(Ref place, Ref) {
  const DisplacedObject object = *session_.displaced.Find(place);
  session_.displaced.Remove(place);
  session_.governed.Remove(place, object.bytes);
  ++session_.counters.objects_moved_home;
  Database& database = *object.database;
  const Placed home = object.at_home();
  if (database.frames().At(home.first_page()).state == FrameState::kStoreOnly) return;
  for (PageId page = home.first_page(); page <= home.last_page(); page = page + 1) {
    Frame& frame = database.frames().At(page);
    if (frame.absent()) {
      // The frame showed nothing until now. If access fails here, a touch will give it.
      const Status status =
          database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, Access::kRead);
      frame.state = status.ok() ? FrameState::kClean : FrameState::kClosed;
      EnterClock(session_, database, page);
      NoteProtected(database, page);
    }
    frame.received_object = true;
    frame.starts.reset();
    database.Remember(page);
  }
}

bool HeapBridge::IsFrameAddress(const void* address) const {
  return session_.DatabaseAt(address) != nullptr || session_.missing.Contains(address);
}

bool HeapBridge::IsGoverned(const void* page) const { return session_.governed.Contains(page); }

}  // namespace tenure::stabilize
