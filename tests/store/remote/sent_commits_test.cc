#include "store/remote/sent_commits.h"

#include <gtest/gtest.h>

#include "store/format/ids.h"

namespace tenure::store {
namespace {

class SentCommitsTest : public ::testing::Test {
 protected:
  SentCommitsTest() { commits.BeginServing(first_run, 10); }

  const Uuid first_run = NewUuid();
  const CommitId id = NewCommitId();
  SentCommits commits;
};

TEST_F(SentCommitsTest, ACommitIsAboveWhatWasSeen) {
  commits.NoteVersion(12);
  const auto sent = commits.NoteSent(id);
  EXPECT_EQ(sent.above, 12u);
  EXPECT_EQ(sent.serving, first_run);
  EXPECT_EQ(commits.As({.id = id}), sent);
}

TEST_F(SentCommitsTest, ALowerVersionIsNoNews) {
  commits.NoteVersion(9);
  EXPECT_EQ(commits.seen(), 10u);
}

TEST_F(SentCommitsTest, ACommitOfUnknownOutcomeHoldsBackWhatIsSettled) {
  EXPECT_EQ(commits.Settled(), 10u);
  const auto sent = commits.NoteSent(id);
  commits.NoteVersion(20);
  EXPECT_EQ(commits.Settled(), 10u);
  commits.NoteSettled(sent);
  EXPECT_EQ(commits.Settled(), 20u);
}

TEST_F(SentCommitsTest, SoDoesAPartUntilItIsResolved) {
  commits.NotePrepared(id);
  commits.NoteVersion(20);
  EXPECT_EQ(commits.Settled(), 10u);
  EXPECT_EQ(commits.As({.id = id}).above, 10u);
  commits.SettlePart();
  EXPECT_EQ(commits.Settled(), 20u);
}

TEST_F(SentCommitsTest, OfAnUnknownCommitTheQuestionItselfTells) {
  const auto asked = commits.As({.id = id, .above = 4});
  EXPECT_EQ(asked.above, 4u);
  EXPECT_EQ(asked.serving, Uuid());
}

TEST_F(SentCommitsTest, AnOrderedCommitIsSettledWhenItIsDurable) {
  commits.NoteOrdered(commits.NoteSent(id), 11);
  EXPECT_EQ(commits.Settled(), 10u);
  EXPECT_EQ(commits.undurable().size(), 1u);
  EXPECT_TRUE(commits.NoteDurable(11));
  EXPECT_FALSE(commits.NoteDurable(11));
  EXPECT_TRUE(commits.undurable().empty());
  EXPECT_EQ(commits.Settled(), 11u);
}

TEST_F(SentCommitsTest, TheServerMayTellOfDurabilityFirst) {
  const auto sent = commits.NoteSent(id);
  EXPECT_TRUE(commits.NoteDurable(11));
  commits.NoteOrdered(sent, 11);
  EXPECT_TRUE(commits.undurable().empty());
  EXPECT_EQ(commits.Settled(), 11u);
}

TEST_F(SentCommitsTest, AnotherCopyOfTheStoreHasNotRunFor) {
  commits.NoteSent(id);
  const CommitId part = NewCommitId();
  commits.NotePrepared(part);
  commits.NoteOtherCopy();
  EXPECT_EQ(commits.As({.id = id}).serving, Uuid());
  EXPECT_EQ(commits.As({.id = part}).serving, Uuid());
  EXPECT_EQ(commits.As({.id = id}).above, 10u);
}

}  // namespace
}  // namespace tenure::store
