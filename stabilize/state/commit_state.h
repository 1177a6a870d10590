// What commits leave to later operations, and memory that they use again.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "stabilize/frames/page_frames.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/encode_arena.h"
#include "store/files/spill_file.h"

namespace tenure::stabilize {

// Needs the session's lock.
class CommitState {
 public:
  // Words of twins that a commit has changed, by two threads.
  using TwinWords = std::array<std::vector<TwinWord>, 2>;

  explicit CommitState(const SpillFile& spill) : arena_(spill) {}

  EncodeArena& arena() { return arena_; }  // of the commit in progress
  TwinWords& TwinsAnew() {
    for (auto& twins : twins_) twins.clear();
    return twins_;
  }
  // Undoes what the commit has changed in twins.
  void RestoreTwins() {
    for (const auto& twins : twins_) {
      for (const TwinWord& was : twins) std::memcpy(was.at, &was.word, sizeof was.word);
    }
  }
  const CommitId& last_sent() const { return last_sent_; }
  void NoteSent(const CommitId& id) { last_sent_ = id; }

  // --- A commit beside other threads

  // Its failure: the next operation with the world stopped, Commit of the same transaction, rolls
  // back.
  void FailBesideOthers(const Status& why) { failed_beside_others_ = why; }
  bool has_failed_beside_others() const { return failed_beside_others_.has_value(); }
  std::optional<Status> TakeFailureBesideOthers() {
    return std::exchange(failed_beside_others_, std::nullopt);
  }
  // It has protected the dirty frames, and has left them to that operation. A trap may have opened
  // some of them since.
  void SetProtectedBesideOthers(bool is_protected) { protected_beside_others_ = is_protected; }
  bool TakeProtectedBesideOthers() { return std::exchange(protected_beside_others_, false); }

  // --- A commit that memory contains and that the store may lack

  // Not ok: why there is one. The databases will be closed (CloseAfterLostCommit).
  const Status& lost() const { return lost_; }
  // The first reason counts.
  void Lose(const Status& why) {
    if (lost_.ok()) lost_ = why;
  }
  Status TakeLost() { return std::exchange(lost_, Status::Ok()); }

 private:
  EncodeArena arena_;
  TwinWords twins_;  // kept for their memory
  CommitId last_sent_;
  std::optional<Status> failed_beside_others_;
  bool protected_beside_others_ = false;
  Status lost_;
};

}  // namespace tenure::stabilize
