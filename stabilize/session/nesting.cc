// Child transactions of a session (stabilize/session/nesting.h).
#include "stabilize/session/nesting.h"

#include <cstring>
#include <utility>

#include "base/check.h"
#include "stabilize/session/heap_bridge.h"
#include "stabilize/session/session.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

constexpr size_t kDepthMax = 10'000;

// Whether it may: most pages are told from others without a look at their objects.
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

}  // namespace

Result<uint64_t> Session::BeginChild() {
  if (levels_.size() >= kDepthMax) {
    return Status(StatusCode::kNotSupported, "transactions are nested too deeply");
  }
  const auto level = static_cast<uint16_t>(levels_.size());
  TransactionLevel child;
  child.serial = ++last_transaction_;
  for (auto& database : databases_) {
    if (!database->open()) continue;
    child.roots.push_back({database.get(), database->pending_root()});
    // The parent's writes went unseen; the child's first one to each of its pages must not.
    for (PageId page : database->dirty()) {
      const Frame& frame = database->frames().At(page);
      // Protected since an earlier child, or not here.
      if (frame.level + 1 != level || frame.state != FrameState::kDirty) continue;
      TN_RETURN_IF_ERROR(
          database->mapping().SetAccess(database->FrameOf(page), 1, Access::kWrite, Access::kRead));
    }
  }
  governed_.SetDepth(level);
  TN_RETURN_IF_ERROR(governed_.ProtectAll());
  KeepMade(levels_.back().made);
  levels_.push_back(std::move(child));
  heap_.SetChildTransaction(true);
  return levels_.back().serial;
}

// Of the objects that a commit would name now.
void Session::KeepMade(ObjectImages& made) {
  ObjectImages::Taker taker(heap_, made);
  ForEachReferenceToMade([&](abi::Ref target) { taker.Reach(target); });
  taker.Finish();
}

// Pages and roots are as they were when they were kept.
void Session::PutBackMade(ObjectImages& made) {
  ObjectImages::Restorer restorer(made, governed_);
  ForEachReferenceToMade([&](abi::Ref target) { restorer.Reach(target); });
  restorer.Finish();
}

// From what is persistent, and others. A clean page leads to nothing that was made in this
// transaction.
template <typename Visit>
void Session::ForEachReferenceToMade(Visit&& visit) {
  const auto visit_slot = [&](void* const* slot, abi::SlotKind kind) {
    if (kind == abi::SlotKind::kReference) visit(*slot);
  };
  for (auto& database : databases_) {
    if (!database->open()) continue;
    if (database->pending_root()) visit(*database->pending_root());
    for (const auto& [page, spilled] : database->spilled()) {
      for (const SpilledReference& reference : spilled.references) visit(reference.target);
    }
    for (PageId page : database->dirty()) {
      if (database->frames().At(page).state != FrameState::kDirty) continue;
      std::byte* const image = database->AliasOf(page);
      if (AnyWordLeadsTo(heap_, image)) ForEachSlotOnPage(*database, page, image, visit_slot);
    }
  }
  governed_.ForEachChanged([&](const GovernedPage& page) {
    for (abi::Ref object : page.objects) {
      abi::ForEachSlot(*abi::ObjectHeader::Of(object)->type(), object, visit_slot);
    }
  });
}

// A write to a dirty frame that trapped.
Status Session::ReopenForWriting(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  if (frame.level < depth()) {
    levels_.back().frames.push_back(
        {&database, page, CopyOfPage(database.AliasOf(page)), frame.level});
    frame.level = depth();
  }
  // It may be out of the mapping: the system has swapped it out.
  return database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, Access::kWrite);
}

Status Session::ReopenForWriting(GovernedPage& page) {
  if (page.level < depth()) {
    levels_.back().governed.push_back({page.begin, CopyOfPage(page.begin), page.level});
  }
  return governed_.Reopen(page);
}

TransactionLevel Session::TakeChild() {
  TransactionLevel child = std::move(levels_.back());
  levels_.pop_back();
  heap_.SetChildTransaction(levels_.size() > 1);
  return child;
}

// The innermost transaction, a child, ends well: its changes are its parent's.
void Session::CommitChild() {
  TransactionLevel child = TakeChild();
  const uint16_t level = depth();
  const bool top = level == 0;
  for (TransactionLevel::FrameImage& image : child.frames) {
    image.database->frames().At(image.page).level = level;
    // The twin, or the parent's own image, is older.
    const bool parent_has = top || (image.image != nullptr && image.level_before == level);
    if (!parent_has) levels_.back().frames.push_back(std::move(image));
  }
  for (TransactionLevel::GovernedImage& image : child.governed) {
    governed_.Find(image.page)->level = level;
    const bool parent_has = top || (image.image != nullptr && image.level_before == level);
    if (!parent_has) levels_.back().governed.push_back(std::move(image));
  }
  governed_.SetDepth(level);
  TN_CHECK(governed_.ProtectAll().ok());
}

// It ends badly: memory is as it was when it began.
void Session::AbortChild() {
  TransactionLevel child = TakeChild();
  for (TransactionLevel::FrameImage& image : child.frames) {
    Database& database = *image.database;
    Frame& frame = database.frames().At(image.page);
    if (image.image == nullptr) {
      RestoreFrame(database, image.page);
      continue;
    }
    std::memcpy(database.AliasOf(image.page), image.image.get(), kPageBytes);
    frame.level = image.level_before;
    // Also when its level is the parent's: the next write finds that out.
    TN_CHECK(database.mapping()
                 .SetAccess(database.FrameOf(image.page), 1, Access::kWrite, Access::kRead)
                 .ok());
    database.MarkOutward(image.page);
  }
  for (auto& database : databases_) {
    std::erase_if(database->dirty(), [&](PageId page) {
      const FrameState state = database->frames().At(page).state;
      return state != FrameState::kDirty && state != FrameState::kSpilled;
    });
  }
  for (const TransactionLevel::GovernedImage& image : child.governed) {
    GovernedPage& page = *governed_.Find(image.page);
    if (image.image == nullptr) {
      governed_.Restore(page);
    } else {
      governed_.Restore(page, image.image.get());
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
  PutBackMade(levels_.back().made);
  governed_.SetDepth(depth());
  TN_CHECK(governed_.ProtectAll().ok());
}

}  // namespace tenure::stabilize
