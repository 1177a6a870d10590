#include "stabilize/session/nesting.h"

#include <cstring>
#include <utility>

#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/early_changes.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/page_images.h"
#include "stabilize/state/store_marks.h"
#include "store/files/page_copy.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

constexpr size_t kDepthMax = 10'000;

// Whether a word of the image may refer to the heap: for most pages this answers without a look at
// their objects.
bool AnyWordLeadsTo(const gc::Heap& heap, const std::byte* image) {
  bool any = false;
  for (size_t at = 0; at < kPageBytes; at += sizeof(void*)) {
    const void* word;
    std::memcpy(&word, image + at, sizeof word);
    any = any || heap.Contains(word);
  }
  return any;
}

PageCopy CopyOfPage(const void* page) {
  PageCopy image = NewPageCopy();
  std::memcpy(image.get(), page, kPageBytes);
  return image;
}

// Visits references from persistent and from other objects. A clean page refers to no object that
// was made in this transaction.
template <typename Visit>
void ForEachReferenceToMade(SessionState& session, Visit&& visit) {
  const auto visit_slot = [&](void* const* slot, abi::SlotKind kind) {
    if (kind == abi::SlotKind::kReference) visit(*slot);
  };
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    if (database->pending_root()) visit(*database->pending_root());
    for (const auto& [page, spilled] : database->spilled()) {
      for (const SpilledReference& reference : spilled.references) visit(reference.target);
    }
    for (PageId page : database->dirty()) {
      if (database->frames().At(page).state != FrameState::kDirty) continue;
      std::byte* const image = database->AliasOf(page);
      if (AnyWordLeadsTo(session.heap, image))
        ForEachSlotOnPage(*database, page, image, visit_slot);
    }
  }
  session.governed.ForEachChanged([&](const GovernedPage& page) {
    for (abi::Ref object : page.objects) {
      abi::ForEachSlot(*abi::ObjectHeader::Of(object)->type(), object, visit_slot);
    }
  });
}

// Keeps images of the objects to which a commit would give homes now.
void KeepNewObjectImages(SessionState& session, ObjectImages& made) {
  ObjectImages::Taker taker(session.heap, made);
  ForEachReferenceToMade(session, [&](abi::Ref target) { taker.Reach(target); });
  taker.Finish();
}

// Restores the objects that `made` has images of. Pages and roots must be restored before.
void RestoreNewObjects(SessionState& session, ObjectImages& made) {
  ObjectImages::Restorer restorer(made, session.governed);
  ForEachReferenceToMade(session, [&](abi::Ref target) { restorer.Reach(target); });
  restorer.Finish();
}

// A child's first store to a page must be seen before it happens.
Status StopLeavingOpen(SessionState& session) {
  if (!std::exchange(session.leaves_open, false)) return Status::Ok();
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    PageFrames& frames = database->frames();
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      TN_RETURN_IF_ERROR(Protect(*database, page));
    }
  }
  return Status::Ok();
}

TransactionLevel TakeChild(SessionState& session) {
  TransactionLevel child = session.open.Pop();
  session.heap.SetChildTransaction(session.open.count() > 1);
  return child;
}

}  // namespace

Result<uint64_t> BeginChild(SessionState& session, bool read_only) {
  if (session.open.count() >= kDepthMax) {
    return Status(StatusCode::kNotSupported, "transactions are nested too deeply");
  }
  const auto level = static_cast<uint16_t>(session.open.count());
  TN_RETURN_IF_ERROR(StopLeavingOpen(session));
  TransactionLevel child;
  child.serial = session.open.NextSerial();
  child.read_only = read_only || session.open.innermost().read_only;
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    child.roots.push_back({database.get(), database->pending_root()});
    // The parent's writes went unseen; the child's first one to each of its pages must not.
    for (PageId page : database->dirty()) {
      const Frame& frame = database->frames().At(page);
      // The page is protected since an earlier child, or is not in memory.
      if (frame.level + 1 != level || frame.state != FrameState::kDirty) continue;
      TN_RETURN_IF_ERROR(
          database->mapping().SetAccess(database->FrameOf(page), 1, Access::kWrite, Access::kRead));
      if (database->barriers() == abi::StoreBarriers::kHybrid) NoteProtected(*database, page);
    }
  }
  session.governed.SetDepth(level);
  TN_RETURN_IF_ERROR(session.governed.ProtectAll());
  KeepNewObjectImages(session, session.open.innermost().made);
  session.open.Push(std::move(child));
  session.heap.SetChildTransaction(true);
  return session.open.innermost().serial;
}

// A write to a dirty frame that trapped.
Status ReopenForWriting(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  // Later writes must be found again.
  if (frame.twin == nullptr && frame.changed_early != nullptr) {
    TN_RETURN_IF_ERROR(MakeRoom(session, 1));
    database.SetTwin(page, CopyOfPage(database.AliasOf(page)));
    ++session.counters.twins_made;
    TN_RETURN_IF_ERROR(NoteTwins(session, database, {page, 1}, page));
  }
  if (frame.level < session.depth()) {
    session.open.innermost().frames.push_back(
        {&database, page, CopyOfPage(database.AliasOf(page)), frame.level});
    frame.level = session.depth();
  }
  if (database.barriers() == abi::StoreBarriers::kHybrid) NoteOpened(database, page);
  // The kernel may have unmapped the frame when it swapped the frame out: map it again.
  return database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, Access::kWrite);
}

Status ReopenForWriting(SessionState& session, GovernedPage& page) {
  if (page.level < session.depth()) {
    session.open.innermost().governed.push_back({page.begin, CopyOfPage(page.begin), page.level});
  }
  return session.governed.Reopen(page);
}

// The innermost transaction, a child, ends well: its changes are its parent's.
void CommitChild(SessionState& session) {
  TransactionLevel child = TakeChild(session);
  const uint16_t level = session.depth();
  const bool top = level == 0;
  for (TransactionLevel::FrameImage& image : child.frames) {
    image.database->frames().At(image.page).level = level;
    // The twin, or the parent's own image, is older.
    const bool parent_has = top || (image.image != nullptr && image.level_before == level);
    if (!parent_has) session.open.innermost().frames.push_back(std::move(image));
  }
  for (TransactionLevel::GovernedImage& image : child.governed) {
    session.governed.Find(image.page)->level = level;
    const bool parent_has = top || (image.image != nullptr && image.level_before == level);
    if (!parent_has) session.open.innermost().governed.push_back(std::move(image));
  }
  session.governed.SetDepth(level);
  TN_CHECK(session.governed.ProtectAll().ok());
}

// Ends the child: memory is as it was when the child began.
void AbortChild(SessionState& session) {
  TransactionLevel child = TakeChild(session);
  for (TransactionLevel::FrameImage& image : child.frames) {
    Database& database = *image.database;
    Frame& frame = database.frames().At(image.page);
    if (image.image == nullptr) {
      RestoreFrame(session, database, image.page);
      continue;
    }
    std::memcpy(database.AliasOf(image.page), image.image.get(), kPageBytes);
    frame.level = image.level_before;
    // Protected even if its level is the parent's: the next write finds that out.
    TN_CHECK(database.mapping()
                 .SetAccess(database.FrameOf(image.page), 1, Access::kWrite, Access::kRead)
                 .ok());
    database.Remember(image.page);
  }
  for (auto& database : session.databases) {
    database->RemoveDirty([&](PageId page) {
      const FrameState state = database->frames().At(page).state;
      return state != FrameState::kDirty && state != FrameState::kSpilled;
    });
  }
  for (const TransactionLevel::GovernedImage& image : child.governed) {
    GovernedPage& page = *session.governed.Find(image.page);
    if (image.image == nullptr) {
      session.governed.Restore(page);
    } else {
      session.governed.Restore(page, image.image.get());
      page.level = image.level_before;
    }
  }
  for (const TransactionLevel::RootBefore& root : child.roots) {
    if (root.pending) {
      root.database->SetRoot(*root.pending);
    } else {
      root.database->DropPendingRoot();
    }
  }
  RestoreNewObjects(session, session.open.innermost().made);
  session.governed.SetDepth(session.depth());
  TN_CHECK(session.governed.ProtectAll().ok());
}

void AbortChildrenOf(SessionState& session, uint64_t transaction) {
  while (session.open.innermost().serial != transaction) AbortChild(session);
}

}  // namespace tenure::stabilize
