#include "store/remote/sent_commits.h"

#include <algorithm>
#include <utility>

namespace tenure::store {

void SentCommits::BeginServing(const Uuid& serving, uint64_t version) {
  serving_ = serving;
  NoteVersion(version);
}

void SentCommits::NoteOtherCopy() {
  std::set<Commit> elsewhere;
  for (const Commit& commit : unsettled_) elsewhere.insert({commit.above, commit.id, Uuid()});
  unsettled_ = std::move(elsewhere);
  if (part_) part_->serving = Uuid();
}

void SentCommits::NoteVersion(uint64_t version) { seen_ = std::max(seen_, version); }

SentCommits::Commit SentCommits::NoteSent(CommitId id) {
  return *unsettled_.insert(Commit{seen_, id, serving_}).first;
}

uint64_t SentCommits::Settled() const {
  const uint64_t settled = unsettled_.empty() ? seen_ : unsettled_.begin()->above;
  return part_ ? std::min(settled, part_->above) : settled;
}

SentCommits::Commit SentCommits::As(const OutcomeQuestion& question) const {
  if (part_ && part_->id == question.id) return *part_;
  const auto sent = std::ranges::find(unsettled_, question.id, &Commit::id);
  return sent != unsettled_.end() ? *sent : Commit{question.above, question.id, Uuid()};
}

void SentCommits::NoteOrdered(const Commit& commit, uint64_t version) {
  // The server may have told of this commit already.
  if (version > durable_) {
    undurable_.emplace(version, commit);
  } else {
    NoteSettled(commit);
    NoteVersion(version);
  }
}

bool SentCommits::NoteDurable(uint64_t version) {
  if (version <= durable_) return false;
  durable_ = version;
  while (!undurable_.empty() && undurable_.begin()->first <= version) {
    NoteVersion(undurable_.begin()->first);
    NoteSettled(undurable_.begin()->second);
    undurable_.erase(undurable_.begin());
  }
  return true;
}

}  // namespace tenure::store
