#include "stabilize/session/early_changes.h"

#include <pthread.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <memory>

#include "stabilize/frames/store_names.h"
#include "stabilize/session/frame_budget.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

constexpr size_t kWords = kPageBytes / 8;

uint64_t Twins(const SessionState& session) {
  uint64_t twins = 0;
  for (const auto& database : session.databases) twins += database->twins();
  return twins;
}

// Protects a dirty page that has a twin, and drops the twin.
Status CompareEarly(SessionState& session, Database& database, PageId page) {
  Frame& frame = database.frames().At(page);
  // Protect the page, since other threads may still write to it; unless the clock has closed it
  // already.
  if (!frame.closed_by_clock) {
    TN_RETURN_IF_ERROR(
        database.mapping().SetAccess(database.FrameOf(page), 1, Access::kWrite, Access::kRead));
  }
  const std::byte* const image = database.AliasOf(page);
  const std::byte* const twin = frame.twin.get();
  std::unique_ptr<std::bitset<kWords>> changed = std::move(frame.changed_early);
  if (std::memcmp(image, twin, kPageBytes) != 0) {
    if (changed == nullptr) changed = std::make_unique<std::bitset<kWords>>();
    for (size_t word = 0; word < kWords; ++word) {
      if (std::memcmp(image + 8 * word, twin + 8 * word, 8) != 0) changed->set(word);
    }
  }
  ++session.counters.twins_compared_early;
  database.DropTwin(page);
  if (changed != nullptr) {
    frame.changed_early = std::move(changed);
    return Status::Ok();
  }
  // The page was opened with others, and not written.
  database.RemoveDirty(page);
  frame.state = frame.closed_by_clock ? FrameState::kClosed : FrameState::kClean;
  frame.closed_by_clock = false;
  return Status::Ok();
}

}  // namespace

Status NoteTwins(SessionState& session, Database& database, PageRun run, PageId page) {
  const uint64_t most = session.options.twin_bytes / kPageBytes;
  if (session.options.twin_bytes == 0) return Status::Ok();
  TwinOrder& order = session.twin_order;
  order.NoteTrap({&database, page});
  uint64_t twins = Twins(session);
  // All others are of earlier transactions.
  if (twins <= run.pages) order.Forget();
  for (uint64_t i = 0; i < run.pages; ++i) {
    order.Add({&database, run.first + i});
  }
  if (session.open.count() != 1) return Status::Ok();
  // Pages that keep their twins are looked at again once behind all others.
  for (size_t looks = order.size(); twins > most && looks > 0; --looks) {
    const TwinOrder::Entry oldest = order.TakeOldest();
    if (!oldest.database->open()) continue;
    const Frame& frame = oldest.database->frames().At(oldest.page);
    // The page has been committed, restored or spilled since.
    if (frame.twin == nullptr || frame.state != FrameState::kDirty) continue;
    if (!order.IsAwaited(oldest) && MayLeave(session, *oldest.database, oldest.page)) {
      TN_RETURN_IF_ERROR(CompareEarly(session, *oldest.database, oldest.page));
      --twins;
    } else {
      order.Add(oldest);
    }
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
