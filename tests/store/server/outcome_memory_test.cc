// Outcomes of commits: whatever is forgotten, a commit that took place is never said not to have
// taken place. In the random test clients lose answers, and a store that writes what
// OutcomeMemory tells it to write loses its memory; a shadow knows which commits took place.

#include "store/server/outcome_memory.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/format/ids.h"
#include "tests/support/random.h"

namespace tenure::store {
namespace {

class OutcomeMemoryTest : public ::testing::Test {
 protected:
  CommitMark Commit(uint64_t place, uint64_t settled = 0) {
    const CommitMark mark{NewCommitId(), ++version};
    memory.Note(mark, {place, settled});
    return mark;
  }
  void CommitOthers(int count) {
    for (int i = 0; i < count; ++i) Commit(0);
  }
  Result<std::optional<uint64_t>> Ask(CommitId id, uint64_t above, bool kept = true) {
    return memory.Find({id, above, kept}, version);
  }
  StatusCode Refusal(CommitId id, uint64_t above, bool kept = true) {
    return Ask(id, above, kept).status().code();
  }

  OutcomeMemory memory{/*latest=*/4, /*kept=*/3};
  uint64_t version = 0;
};

TEST_F(OutcomeMemoryTest, ACommitIsKeptUntilItsAskerHasSettledIt) {
  const CommitMark mine = Commit(7);
  CommitOthers(3);
  EXPECT_EQ(memory.KeptByNext({8, 0}), mine);
  EXPECT_EQ(memory.KeptByNext({7, mine.version}), std::nullopt);
  CommitOthers(9);
  EXPECT_EQ(memory.changes().kept, std::vector{mine});
  EXPECT_EQ(memory.changes().dropped.size(), 8u);
  EXPECT_EQ(*Ask(mine.id, 0), mine.version);
  Commit(7, mine.version);
  EXPECT_EQ(memory.kept(), 0u);
  EXPECT_EQ(memory.changes().forgotten, std::vector{mine});
  EXPECT_EQ(*Ask(mine.id, mine.version), std::nullopt);  // it does not ask any more
}

TEST_F(OutcomeMemoryTest, WhatMayBeForgottenIsUnknown) {
  CommitOthers(10);
  const CommitId none = NewCommitId();
  EXPECT_EQ(Refusal(none, 5, /*kept=*/false), StatusCode::kUnknownOutcome);
  EXPECT_EQ(*Ask(none, 6, /*kept=*/false), std::nullopt);
  EXPECT_EQ(*Ask(none, 0), std::nullopt);
  // A store that is older than the commit's.
  EXPECT_EQ(Refusal(none, version + 1), StatusCode::kUnknownOutcome);
}

TEST_F(OutcomeMemoryTest, BeyondItsLimitTheMemoryIsIncomplete) {
  std::vector<CommitMark> mine;
  for (int i = 0; i < 4; ++i) mine.push_back(Commit(7));
  CommitOthers(4);
  EXPECT_EQ(memory.kept(), 3u);
  EXPECT_EQ(memory.changes().limit, (CommitMark{CommitId(), mine[0].version}));
  EXPECT_EQ(Refusal(mine[0].id, 0), StatusCode::kUnknownOutcome);
  EXPECT_EQ(*Ask(mine[1].id, 1), mine[1].version);
  EXPECT_EQ(*Ask(NewCommitId(), mine[0].version), std::nullopt);
}

TEST_F(OutcomeMemoryTest, AfterAnOpeningWhatWasThereIsKeptWhileSomebodyMayAsk) {
  std::vector<CommitMark> marks;
  for (uint64_t i = 1; i <= 6; ++i) marks.push_back({NewCommitId(), i});
  for (const bool awaited : {false, true}) {
    OutcomeMemory opened(/*latest=*/4, /*kept=*/100);
    opened.Load(marks, awaited);
    EXPECT_EQ(opened.kept(), awaited ? 2u : 0u);
    EXPECT_EQ(opened.changes().forgotten.size(), awaited ? 0u : 2u);
    for (uint64_t i = 7; i <= 16; ++i) opened.Note({NewCommitId(), i}, {});
    EXPECT_EQ(opened.kept(), awaited ? 6u : 0u);
    EXPECT_EQ(opened.Find({marks[5].id, 0, true}, 16)->has_value(), awaited);
  }
}

TEST_F(OutcomeMemoryTest, ALimitSurvivesAnOpening) {
  OutcomeMemory opened(/*latest=*/2, /*kept=*/2);
  opened.Load({{NewCommitId(), 5}, {CommitId(), 3}, {NewCommitId(), 4}}, /*awaited=*/true);
  EXPECT_EQ(opened.last().version, 5u);
  EXPECT_EQ(opened.Find({NewCommitId(), 2, true}, 5).status().code(), StatusCode::kUnknownOutcome);
  EXPECT_TRUE(opened.Find({NewCommitId(), 3, true}, 5).ok());
}

TEST_F(OutcomeMemoryTest, NothingIsKeptForAnAskerThatHasClosedTheStore) {
  Commit(7);
  CommitOthers(4);
  Commit(7);
  EXPECT_EQ(memory.kept(), 1u);
  memory.Forget(7);
  CommitOthers(5);
  EXPECT_EQ(memory.kept(), 0u);
}

// --- Random ---

class RandomOutcomes {
 public:
  RandomOutcomes(uint64_t seed, size_t latest, size_t kept, bool logged)
      : random_(seed), latest_(latest), kept_(kept), logged_(logged), clients_(5) {
    memory_.emplace(latest, kept);
    for (Client& client : clients_) client.place = ++last_place_;
  }

  void Run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFailure(); ++i) Step();
  }
  int answers = 0, unknown = 0, old_answers = 0;  // of questions; about commits not the latest

 private:
  struct Pending {
    CommitId id;
    uint64_t above;
    uint64_t version;  // 0: it did not take place
  };
  struct Client {
    uint64_t place;
    uint64_t seen = 0;
    std::vector<Pending> pending;  // answers that it waits for
  };

  void Step() {
    const uint64_t what = random_.Below(100);
    Client& client = clients_[random_.Below(clients_.size())];
    if (what < 60) return Commit(client);
    if (what < 75) return Ask(client);
    if (what < 80) {
      // Cut off, and here again.
      client.place = ++last_place_;
    } else if (what < 82) {
      // It ends, and another program comes.
      if (random_.OneIn(2)) memory_->Forget(client.place);
      client = {.place = ++last_place_, .seen = version_, .pending = {}};
    } else if (what < 90) {
      if (logged_) Apply();
    } else if (what < 94) {
      Reopen();
    } else {
      // Others, whom nobody asks.
      for (uint64_t i = random_.Below(3 * latest_); i > 0; --i) {
        Write({NewCommitId(), ++version_}, {});
      }
    }
  }

  void Commit(Client& client) {
    if (client.pending.size() > 2) return;
    uint64_t settled = client.seen;
    for (const Pending& pending : client.pending) settled = std::min(settled, pending.above);
    const Pending sent{NewCommitId(), client.seen, 0};
    const uint64_t fate = random_.Below(10);
    if (fate == 0) {
      client.pending.push_back(sent);  // the request is lost
      return;
    }
    Write({sent.id, ++version_}, {client.place, settled});
    if (fate < 6) {
      client.seen = version_;
    } else {
      client.pending.push_back({sent.id, sent.above, version_});
    }
  }

  void Ask(Client& client) {
    if (client.pending.empty()) return;
    const size_t which = random_.Below(client.pending.size());
    const Pending pending = client.pending[which];
    client.pending.erase(client.pending.begin() + static_cast<ptrdiff_t>(which));
    const auto answer = memory_->Find({pending.id, pending.above, /*kept=*/true}, version_);
    ++answers;
    old_answers += pending.version != 0 && pending.version + latest_ <= version_;
    if (!answer.ok()) {
      ++unknown;
      EXPECT_EQ(answer.status().code(), StatusCode::kUnknownOutcome);
      return;
    }
    EXPECT_EQ(answer->value_or(0), pending.version) << "above " << pending.above;
    client.seen = std::max(client.seen, pending.version);
  }

  // As a store does: at once, or into a log and later to the slots.
  void Write(const CommitMark& mark, const CommitAsker& asker) {
    if (logged_) {
      log_.push_back(mark);
      memory_->Note(mark, asker);
      return;
    }
    if (const auto kept = memory_->KeptByNext(asker)) kept_marks_[kept->id] = *kept;
    WriteChanges();
    slots_[mark.version % latest_] = mark;
    memory_->Note(mark, asker);
  }
  void WriteChanges() {
    const OutcomeMemory::Changes& changes = memory_->changes();
    for (const CommitMark& mark : changes.kept) kept_marks_[mark.id] = mark;
    for (const CommitMark& mark : changes.forgotten) kept_marks_.erase(mark.id);
    if (changes.limit) kept_marks_[CommitId()] = *changes.limit;
    memory_->NoteSaved();
  }
  void Apply() {
    for (const CommitMark& mark : log_) slots_[mark.version % latest_] = mark;
    WriteChanges();
    log_.clear();
  }
  void Reopen() {
    memory_.emplace(latest_, kept_);
    std::vector<CommitMark> marks;
    for (const auto& [slot, mark] : slots_) marks.push_back(mark);
    for (const auto& [id, mark] : kept_marks_) marks.push_back(mark);
    memory_->Load(std::move(marks), /*awaited=*/true);
    for (const CommitMark& mark : log_) memory_->Note(mark, {kEarlierAsker, 0});
    if (random_.OneIn(2)) Apply();
    for (Client& client : clients_) client.place = ++last_place_;
  }

  Random random_;
  const size_t latest_, kept_;
  const bool logged_;
  std::vector<Client> clients_;
  uint64_t version_ = 0, last_place_ = 0;
  std::optional<OutcomeMemory> memory_;
  // On disk.
  std::map<uint64_t, CommitMark> slots_;
  std::map<CommitId, CommitMark> kept_marks_;
  std::vector<CommitMark> log_;
};

TEST(OutcomeMemoryRandom, NoCommitThatTookPlaceIsDenied) {
  const uint64_t seed = NewCommitId().high;
  RecordProperty("seed", std::to_string(seed));
  int unknown = 0, old_answers = 0;
  for (uint64_t round = 0; round < 200; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed + round));
    Random sizes(seed + round);
    const size_t latest = 1 + sizes.Below(8);
    const bool small = sizes.OneIn(2);
    RandomOutcomes run(seed + round, latest, small ? 1 + sizes.Below(20) : 1 << 20, sizes.OneIn(2));
    run.Run(400);
    if (!small) {
      EXPECT_EQ(run.unknown, 0);
    }
    unknown += run.unknown;
    old_answers += run.old_answers;
    if (HasFailure()) return;
  }
  EXPECT_GT(unknown, 0);
  EXPECT_GT(old_answers, 500);
}

}  // namespace
}  // namespace tenure::store
