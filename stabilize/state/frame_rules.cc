#include "stabilize/state/frame_rules.h"

#include <cstdio>

#include "base/check.h"
#include "stabilize/frames/page_frames.h"
#include "stabilize/state/database.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

namespace {

const char* NameOf(FrameState state) {
  switch (state) {
    case FrameState::kAbsent: return "absent";
    case FrameState::kVacant: return "vacant";
    case FrameState::kStoreOnly: return "left";
    case FrameState::kClosed: return "closed";
    case FrameState::kClean: return "clean";
    case FrameState::kDirty: return "dirty";
    case FrameState::kSpilled: return "spilled";
  }
  return "?";
}

void Check(const SessionState& session, Database& database, PageId page) {
  const std::string broken = BrokenRule(session, database, page);
  if (broken.empty()) return;
  std::fprintf(stderr, "@M3paranoiddb: database %s: the frame of page %llu is %s and %s\n",
               database.Path().c_str(), static_cast<unsigned long long>(page.number),
               NameOf(database.frames().At(page).state), broken.c_str());
  TN_CHECK(broken.empty());
}

}  // namespace

std::string BrokenRule(const SessionState& session, Database& database, PageId page) {
  const Frame& frame = database.frames().At(page);
  const bool dirty = frame.state == FrameState::kDirty;
  const bool spilled = frame.state == FrameState::kSpilled;
  struct Rule {
    bool holds;
    const char* broken;
  };
  const Rule rules[] = {
      {spilled == (database.FindSpilled(page) != nullptr),
       spilled ? "is not in the spill file" : "is in the spill file"},
      {dirty || frame.twin == nullptr, "has a twin"},
      {dirty || frame.changed_early == nullptr, "has words that were compared early"},
      {dirty || !frame.closed_by_clock, "the clock has closed it for writing"},
      {dirty || spilled || frame.level == 0, "was written by a child transaction"},
      {dirty || spilled || !frame.dirty.in, "is in the list of dirty pages"},
      {(!dirty && !spilled) || frame.dirty.in || frame.kept_writable,
       "is not in the list of dirty pages"},
      {!frame.dirty.in || frame.dirty.listed, "is dirty and not listed"},
      {!frame.remembered.in || frame.remembered.listed, "is in the remembered set and not listed"},
      {frame.absent() || !frame.called_back, "another program has called it back"},
      {frame.in_memory() || frame.starts == nullptr, "has starts of objects"},
      {!frame.in_memory() || frame.expected == nullptr, "has expectations that nobody has checked"},
      {frame.marks != 0 || frame.blocks == nullptr, "has copies of blocks, and none is marked"},
      {frame.state != FrameState::kVacant || !frame.run.large(), "holds a part of a large object"},
      {!frame.run.large() || frame.run.index < frame.run.pages,
       "holds a part behind the end of its large object"},
      {!frame.in_clock || session.clock.active(), "is in the clock, which does not run"},
  };
  for (const Rule& rule : rules) {
    if (!rule.holds) return rule.broken;
  }
  return "";
}

void CheckFrame(const SessionState& session, const void* address) {
  if (!session.options.paranoid) return;
  Database* const database = session.DatabaseAt(address);
  if (database == nullptr || !database->open()) return;
  const PageId page = database->PageAt(address);
  if (database->frames().Covers(page)) Check(session, *database, page);
}

void CheckFrames(const SessionState& session) {
  if (!session.options.paranoid) return;
  for (const auto& database : session.databases) {
    if (!database->open()) continue;
    PageFrames& frames = database->frames();
    uint64_t twins = 0;
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      Check(session, *database, page);
      twins += frames.At(page).twin != nullptr;
    }
    TN_CHECK(twins == database->twins());
  }
}

}  // namespace tenure::stabilize
