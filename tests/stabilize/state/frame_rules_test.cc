#include "stabilize/state/frame_rules.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/page_frames.h"
#include "stabilize/state/database.h"
#include "tests/support/session_world.h"

namespace tenure::stabilize {
namespace {

using testing::SessionWorld;
using testing::WordOf;

class FrameRules : public ::testing::Test {
 protected:
  void Make(bool paranoid) {
    world.paranoid = paranoid;
    world.Start();
    world.Create();
    world.Open();
    world.CommitManyPages();
    world.Reopen();
    transaction = world.Begin();
    EXPECT_NE(WordOf(world.Root()), ~uint64_t{0});
  }
  // A frame that has been read.
  Frame& Clean() {
    PageFrames& frames = world.database->frames();
    for (PageId page{1}; page.number < frames.end(); page = page + 1) {
      if (frames.At(page).state == FrameState::kClean) return frames.At(page);
    }
    ADD_FAILURE() << "no frame is clean";
    return frames.At(PageId{1});
  }

  SessionWorld world{FaultTier::kMprotect, PageServerKind::kBdb};
  uint64_t transaction = 0;
};

struct Mistake {
  const char* said;
  std::function<void(Frame&)> make;
};

const Mistake kMistakes[] = {
    {"another program has called it back", [](Frame& frame) { frame.called_back = true; }},
    {"is in the list of dirty pages", [](Frame& frame) { frame.dirty.in = true; }},
    {"the clock has closed it for writing", [](Frame& frame) { frame.closed_by_clock = true; }},
    {"was written by a child transaction", [](Frame& frame) { frame.level = 1; }},
    {"is dirty and is not in the list of dirty pages",
     [](Frame& frame) { frame.state = FrameState::kDirty; }},
    {"is spilled and is not in the spill file",
     [](Frame& frame) { frame.state = FrameState::kSpilled; }},
    {"is in the remembered set and not listed",
     [](Frame& frame) {
       frame.remembered.in = true;
       frame.remembered.listed = false;
     }},
    {"has expectations that nobody has checked",
     [](Frame& frame) { frame.expected = std::make_unique<std::vector<ExpectedObject>>(); }},
    {"has a twin", [](Frame& frame) { frame.twin = NewPageCopy(); }},
};

TEST_F(FrameRules, EachBrokenRuleEndsAProgramThatChecks) {
  Make(/*paranoid=*/true);
  for (const Mistake& mistake : kMistakes) {
    EXPECT_DEATH(
        {
          mistake.make(Clean());
          (void)world.session->SettleCommit(0);
        },
        mistake.said);
  }
  world.Commit(transaction);
}

TEST_F(FrameRules, NothingIsCheckedOtherwise) {
  Make(/*paranoid=*/false);
  Clean().level = 1;
  (void)world.session->SettleCommit(0);
  world.Commit(transaction);
}

}  // namespace
}  // namespace tenure::stabilize
