// Which commits of a store took place: the latest ones, and older ones for which somebody may still
// ask (docs/page_server.md, "Outcomes").
//
// A program that waits for the answer to a commit may be stopped for any time, while its server is
// started again and others commit. So an outcome is forgotten only when its program knows it; or if
// that cannot be had, the memory notes that it is incomplete, and the answer is kUnknownOutcome. It
// is "no" only for a commit that would be remembered. docs/models/outcomes.pml is a model of this.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

class OutcomeMemory {
 public:
  // Remembers this many of the latest commits, and at most `kept` older ones.
  OutcomeMemory(size_t latest, size_t kept) : latest_most_(latest), kept_most_(kept) {}

  // The commits that an opening finds in the store, in any order; before anything else. A mark
  // whose id is zero is the memory's limit (Changes::limit). `awaited`: programs from before may
  // ask, so these commits, and those of kEarlierAsker, are kept.
  void Load(std::vector<CommitMark> marks, bool awaited);

  // A commit takes place. Versions ascend.
  void Note(const CommitMark& mark, const CommitAsker& asker);
  // The older commit that must be kept when the next one, of this asker, takes its place among the
  // latest: it must be durable when the next one is.
  std::optional<CommitMark> KeptByNext(const CommitAsker& asker) const;
  // A part of a commit of several stores is prepared for this asker, or given up. PreparedFor: its
  // asker; kEarlierAsker for a part that the opening has found.
  void NotePrepared(CommitId id, const CommitAsker& asker) { prepared_[id] = asker; }
  void ForgetPrepared(CommitId id) { prepared_.erase(id); }
  CommitAsker PreparedFor(CommitId id) const {
    const auto found = prepared_.find(id);
    return found == prepared_.end() ? CommitAsker{kEarlierAsker, 0} : found->second;
  }
  // The asker asks no more.
  void Forget(uint64_t asker);

  // The version, or nullopt for a commit that did not take place. kUnknownOutcome: may have been
  // forgotten. `newest`: the version of the store.
  Result<std::optional<uint64_t>> Find(const OutcomeQuestion& question, uint64_t newest) const;
  // Version 0: none.
  CommitMark last() const { return latest_.empty() ? CommitMark() : latest_.back().mark; }

  // What a store has to write, in this order, since the last NoteSaved.
  struct Changes {
    std::vector<CommitMark> kept;       // commits that left the latest ones, and are kept
    std::vector<CommitMark> dropped;    // commits that left the latest ones, and are forgotten
    std::vector<CommitMark> forgotten;  // older ones that are remembered no more; earlier limits
    std::optional<CommitMark> limit;    // zero, and the version beyond which nothing was forgotten
  };
  const Changes& changes() const { return changes_; }
  void NoteSaved() { changes_ = {}; }

  size_t kept() const { return kept_.size(); }

 private:
  struct Entry {
    CommitMark mark;
    uint64_t asker = 0;
  };
  struct Asker {
    uint64_t settled = 0;
    size_t commits = 0;              // that are remembered
    std::deque<uint64_t> kept = {};  // the versions of those in kept_, ascending
  };

  // Whether its asker may still ask for the entry. If `now` is that asker, now.settled counts too.
  bool Wanted(const Entry& entry, const CommitAsker& now) const;
  void Keep(const Entry& entry);
  void ForgetKept(uint64_t version);
  void Drop(const Entry& entry);

  const size_t latest_most_, kept_most_;
  bool awaited_ = false;
  std::deque<Entry> latest_;
  std::map<uint64_t, Entry> kept_;  // by version
  uint64_t limit_ = 0;              // of the kept ones; 0: none was given up
  std::unordered_map<uint64_t, Asker> askers_;
  std::map<CommitId, CommitAsker> prepared_;
  Changes changes_;
};

}  // namespace tenure::store
