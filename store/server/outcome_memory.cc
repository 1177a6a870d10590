#include "store/server/outcome_memory.h"

#include <algorithm>
#include <utility>

namespace tenure::store {

namespace {

// Has an entry of its own in askers_.
bool IsKnown(uint64_t asker) { return asker != 0 && asker != kEarlierAsker; }

}  // namespace

void OutcomeMemory::Load(std::vector<CommitMark> marks, bool awaited) {
  awaited_ = awaited;
  std::ranges::sort(marks, {}, &CommitMark::version);
  std::erase_if(marks, [&](const CommitMark& mark) {
    if (mark.id != CommitId()) return false;
    limit_ = std::max(limit_, mark.version);
    return true;
  });
  const size_t older = marks.size() - std::min(marks.size(), latest_most_);
  for (size_t i = 0; i < marks.size(); ++i) {
    const Entry entry{marks[i], kEarlierAsker};
    if (i >= older) {
      latest_.push_back(entry);
    } else if (awaited) {
      kept_.emplace(entry.mark.version, entry);
    } else {
      changes_.forgotten.push_back(entry.mark);
    }
  }
}

bool OutcomeMemory::Wanted(const Entry& entry, const CommitAsker& now) const {
  if (entry.asker == kEarlierAsker) return awaited_;
  if (entry.asker == 0) return false;
  const auto asker = askers_.find(entry.asker);
  if (asker == askers_.end()) return false;
  const uint64_t settled = entry.asker == now.place ? now.settled : 0;
  return entry.mark.version > std::max(asker->second.settled, settled);
}

std::optional<CommitMark> OutcomeMemory::KeptByNext(const CommitAsker& asker) const {
  if (latest_.size() < latest_most_ || !Wanted(latest_.front(), asker)) return std::nullopt;
  return latest_.front().mark;
}

void OutcomeMemory::Note(const CommitMark& mark, const CommitAsker& asker) {
  if (IsKnown(asker.place)) {
    Asker& known = askers_[asker.place];
    known.settled = std::max(known.settled, asker.settled);
    ++known.commits;
    while (!known.kept.empty() && known.kept.front() <= known.settled) {
      ForgetKept(known.kept.front());
    }
  }
  latest_.push_back({mark, asker.place});
  if (latest_.size() <= latest_most_) return;
  const Entry oldest = latest_.front();
  latest_.pop_front();
  if (Wanted(oldest, asker)) {
    Keep(oldest);
  } else {
    changes_.dropped.push_back(oldest.mark);
    Drop(oldest);
  }
}

void OutcomeMemory::Keep(const Entry& entry) {
  kept_.emplace(entry.mark.version, entry);
  if (IsKnown(entry.asker)) askers_[entry.asker].kept.push_back(entry.mark.version);
  changes_.kept.push_back(entry.mark);
  if (kept_.size() <= kept_most_) return;
  if (limit_ != 0) changes_.forgotten.push_back({CommitId(), limit_});
  limit_ = kept_.begin()->first;
  changes_.limit = CommitMark{CommitId(), limit_};
  ForgetKept(limit_);
}

void OutcomeMemory::ForgetKept(uint64_t version) {
  const auto found = kept_.find(version);
  const Entry entry = found->second;
  kept_.erase(found);
  changes_.forgotten.push_back(entry.mark);
  if (IsKnown(entry.asker)) {
    std::deque<uint64_t>& kept = askers_[entry.asker].kept;
    kept.erase(std::ranges::lower_bound(kept, version));
  }
  Drop(entry);
}

void OutcomeMemory::Drop(const Entry& entry) {
  const auto asker = askers_.find(entry.asker);
  if (asker != askers_.end() && --asker->second.commits == 0) askers_.erase(asker);
}

void OutcomeMemory::Forget(uint64_t asker) {
  const auto found = askers_.find(asker);
  if (found == askers_.end()) return;
  const std::deque<uint64_t> kept = found->second.kept;
  for (const uint64_t version : kept) ForgetKept(version);
  // Nothing in latest_ is wanted by this asker any more.
  askers_.erase(asker);
}

Result<std::optional<uint64_t>> OutcomeMemory::Find(const OutcomeQuestion& question,
                                                    uint64_t newest) const {
  for (const Entry& entry : latest_) {
    if (entry.mark.id == question.id) return std::optional(entry.mark.version);
  }
  for (const auto& [version, entry] : kept_) {
    if (entry.mark.id == question.id) return std::optional(version);
  }
  // Beyond this version all commits are remembered that this program may ask for.
  uint64_t complete = limit_;
  if (!question.kept) {
    complete = latest_.size() < latest_most_ ? 0 : latest_.front().mark.version - 1;
  }
  if (question.above >= complete && question.above <= newest) return std::optional<uint64_t>();
  return Status(StatusCode::kUnknownOutcome,
                "the store does not remember any more whether the commit took place: too many "
                "commits of others came after it");
}

}  // namespace tenure::store
