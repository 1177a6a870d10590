#include "stabilize/state/store_marks.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/standard_error.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/state/page_images.h"

namespace tenure::stabilize {

using abi::StoreBarriers;

namespace {

// Whether an object on the page would not be the same if the page was read again. All objects that
// the page refers to have homes, except those of transient types.
bool LosesWhenRead(const gc::Heap& heap, std::byte* image) {
  bool loses = false;
  ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
    loses = loses || HasUnkeptSlots(type);
    if (loses) return;
    abi::ForEachSlot(type, object, [&](void** slot, abi::SlotKind kind) {
      loses = loses || (kind == abi::SlotKind::kReference && *slot != nullptr &&
                        heap.Contains(*slot) && !abi::ObjectHeader::Of(*slot)->displaced());
    });
  });
  return loses;
}

}  // namespace

void NoteOpened(Database& database, PageId page) {
  switch (database.barriers()) {
    case StoreBarriers::kTrap: return;
    case StoreBarriers::kHybrid:
      return BlockTable::SetUsedPage(database.FrameOf(page), abi::kBlockSeen);
    case StoreBarriers::kSoftware: break;
  }
  Frame& frame = database.frames().At(page);
  if (frame.kept_writable) frame.was_kept_writable = true;
  frame.kept_writable = false;
  // The first barrier behind a store shows that code with barriers stores to the page.
  if (!frame.run.large() && (!frame.by_trap || database.paranoid_barriers())) {
    BlockTable::SetPage(database.FrameOf(page), abi::kBlockCalls);
  }
}

void NoteProtected(Database& database, PageId page) {
  switch (database.barriers()) {
    case StoreBarriers::kTrap: return;
    case StoreBarriers::kHybrid:
      return BlockTable::SetPage(database.FrameOf(page), abi::kBlockCalls);
    case StoreBarriers::kSoftware:
      return BlockTable::SetUsedPage(database.FrameOf(page), abi::kBlockCalls);
  }
}

void NoteDropped(Database& database, PageId page) {
  if (database.barriers() == StoreBarriers::kTrap) return;
  Frame& frame = database.frames().At(page);
  frame.marks = 0;
  frame.blocks.reset();
  frame.kept_writable = frame.was_kept_writable = frame.has_barriers = false;
  // In a program with software barriers a thread may be between a store to the frame and the
  // barrier, which then stores again.
  const bool hybrid = database.barriers() == StoreBarriers::kHybrid;
  BlockTable::SetUsedPage(database.FrameOf(page), hybrid ? abi::kBlockSeen : abi::kBlockCalls);
}

Status Protect(Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  if (!frame.kept_writable) return Status::Ok();
  if (frame.state == FrameState::kClean || frame.state == FrameState::kDirty) {
    TN_RETURN_IF_ERROR(
        database.mapping().SetAccess(database.FrameOf(page), 1, Access::kWrite, Access::kRead));
  }
  frame.kept_writable = false;
  frame.was_kept_writable = true;
  NoteProtected(database, page);
  return Status::Ok();
}

Status KeepByTrap(Database& database, PageId page) {
  database.frames().At(page).by_trap = true;
  return Protect(database, page);
}

// Blocks of @M3block of [offset, offset + bytes). A block of the table calls until all of its
// smaller blocks are marked.
static void MarkSmallBlocks(Database& database, PageId page, size_t offset, size_t bytes,
                            const void* before) {
  Frame& frame = database.frames().At(page);
  const size_t size = database.recovery_block();
  if (frame.blocks == nullptr) frame.blocks = std::make_unique<BlockCopies>(size);
  const size_t first = offset / size, last = (offset + bytes - 1) / size;
  for (size_t block = first; block <= last; ++block) {
    if (frame.blocks->Has(block)) continue;
    if (before == nullptr || first != last || !database.copies_blocks()) {
      frame.blocks->Mark(block);
      continue;
    }
    std::byte copy[abi::kBlockBytes];
    std::memcpy(copy, database.AliasOf(page) + block * size, size);
    std::memcpy(copy + offset % size, before, bytes);
    frame.blocks->MarkWith(block, copy);
  }
  const size_t in_one = abi::kBlockBytes / size;
  for (size_t block = first / in_one; block <= last / in_one; ++block) {
    frame.marks |= uint32_t{1} << block;
    bool all = true;
    for (size_t i = 0; i < in_one; ++i) all = all && frame.blocks->Has(block * in_one + i);
    if (all) BlockTable::ByteOf(database.FrameOf(page))[block] = abi::kBlockSeen;
  }
}

void MarkBlocks(Database& database, PageId page, const void* address, size_t bytes,
                const void* before) {
  Frame& frame = database.frames().At(page);
  const size_t offset = static_cast<size_t>(static_cast<const char*>(address) -
                                            static_cast<const char*>(database.FrameOf(page)));
  const size_t last = (offset + bytes - 1) / abi::kBlockBytes;
  TN_CHECK(bytes > 0 && last < BlockTable::kBlocksPerPage);
  if (database.recovery_block() != 0) {
    return MarkSmallBlocks(database, page, offset, bytes, before);
  }
  for (size_t block = offset / abi::kBlockBytes; block <= last; ++block) {
    frame.marks |= uint32_t{1} << block;
    BlockTable::ByteOf(database.FrameOf(page))[block] = abi::kBlockSeen;
  }
}

void CallAtStores(Database& database, PageId page) {
  BlockTable::SetPage(database.FrameOf(page), abi::kBlockCalls);
}

bool HasUnkeptSlots(const abi::TypeDescriptor& type) {
  const auto unkept = [](const abi::SlotRun& run) {
    return run.kind == abi::SlotKind::kTransientReference || run.kind == abi::SlotKind::kUntraced;
  };
  return std::any_of(type.slot_runs, type.slot_runs + type.slot_run_count, unkept) ||
         std::any_of(type.element_runs, type.element_runs + type.element_run_count, unkept);
}

bool LeaveOpen(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  frame.marks = 0;
  frame.blocks.reset();
  frame.was_kept_writable = frame.kept_writable;
  if (!session.leaves_open || frame.by_trap || frame.dense || frame.run.large() ||
      frame.not_round_trippable || (!frame.has_barriers && !frame.kept_writable)) {
    return false;
  }
  // The page was left open before and has been found good; commits check later stores to it
  // (Stabilizer::NoteLosses).
  if (!frame.kept_writable && LosesWhenRead(session.heap, database.AliasOf(page))) {
    frame.by_trap = true;
    return false;
  }
  frame.kept_writable = true;
  frame.was_kept_writable = false;
  BlockTable::SetPage(database.FrameOf(page), abi::kBlockCalls);
  return true;
}

// --- @M3paranoidbarriers ---

void NoteStore(Database& database, PageId page, const void* address, size_t bytes) {
  const auto at = static_cast<const char*>(address);
  const size_t offset = static_cast<size_t>(at - database.FrameOf(page));
  const size_t first = offset / 8, last = (offset + bytes - 1) / 8;
  auto& words = database.stored_words()[page];
  for (size_t word = first; word <= last; ++word) words.set(word);
  std::erase_if(database.untold_words(), [&](const Database::UntoldWord& untold) {
    return untold.page == page && untold.word >= first && untold.word <= last;
  });
}

void ReportMissedBarriers(SessionState& session) {
  constexpr uint64_t kMostLines = 20;
  for (auto& database : session.databases) {
    for (const Database::UntoldWord& untold : std::exchange(database->untold_words(), {})) {
      if (++session.counters.missed_barriers > kMostLines) continue;
      WriteToStandardError("*** a store without a barrier: " + untold.where + "\n");
    }
  }
}

void FindMissedBarriers(SessionState& session) {
  for (auto& database : session.databases) {
    if (!database->open()) continue;
    for (PageId page : database->dirty()) {
      const Frame& frame = database->frames().At(page);
      if (frame.twin == nullptr || frame.by_trap || frame.run.large()) continue;
      std::byte* const image = database->AliasOf(page);
      const auto& stored = database->stored_words()[page];
      ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
        const size_t begin =
            static_cast<size_t>(static_cast<char*>(object) - reinterpret_cast<char*>(image));
        for (size_t at = 0; at < abi::PayloadBytes(type, object); at += 8) {
          const size_t offset = begin + at;
          if (std::memcmp(image + offset, frame.twin.get() + offset, 8) == 0 ||
              stored.test(offset / 8)) {
            continue;
          }
          database->untold_words().push_back({page, offset / 8,
                                              "database " + database->Path() + ", page " +
                                                  std::to_string(page.number) + ", byte " +
                                                  std::to_string(at) + " of an object of type " +
                                                  std::string(type.name)});
        }
      });
    }
  }
}

void ForgetStores(SessionState& session) {
  for (auto& database : session.databases) database->stored_words().clear();
}

}  // namespace tenure::stabilize
