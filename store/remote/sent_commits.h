// The commits that a program has sent to a page server, until it knows what became of them.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "base/result.h"
#include "store/format/ids.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Sends nothing; needs the lock of the RemotePageServer.
class SentCommits {
 public:
  // A commit for whose outcome the program may ask: what the question needs.
  struct Commit {
    uint64_t above = 0;  // OutcomeQuestion::above
    CommitId id;
    Uuid serving;  // the run of the server then; zero: not of this copy of the store
    friend auto operator<=>(const Commit&, const Commit&) = default;
  };

  // The run of the server that the program uses, for StoreSessions.
  const Uuid& serving() const { return serving_; }
  // The highest version of the store that the program has seen.
  uint64_t seen() const { return seen_; }
  // The connection is new: later commits come above this version.
  void BeginServing(const Uuid& serving, uint64_t version);
  // Another copy of the store is served: no later commit is one of these.
  void NoteOtherCopy();
  // A page or a commit of this version has been seen.
  void NoteVersion(uint64_t version);

  // The commit is about to be sent, until NoteSettled or NoteOrdered.
  Commit NoteSent(CommitId id);
  void NoteSettled(const Commit& commit) { unsettled_.erase(commit); }
  // The same for a part of a commit of several stores, until SettlePart.
  void NotePrepared(CommitId id) { part_ = Commit{seen_, id, serving_}; }
  void SettlePart() { part_.reset(); }
  // Up to this version all commits of the program are settled.
  uint64_t Settled() const;
  // What the question about a commit says.
  Commit As(const OutcomeQuestion& question) const;

  // The commit is ordered: it is settled as soon as it is durable.
  void NoteOrdered(const Commit& commit, uint64_t version);
  // Commits up to `version` are durable. False: that was known.
  bool NoteDurable(uint64_t version);
  // The highest version that is known to be durable. Needs no lock.
  uint64_t durable() const { return durable_; }
  // Ordered, by version; not known to be durable.
  const std::map<uint64_t, Commit>& undurable() const { return undurable_; }
  // An ordered commit has not happened.
  void Lose(Status why) { lost_ = why; }
  Status lost() const { return lost_; }

 private:
  Uuid serving_;
  uint64_t seen_ = 0;
  std::set<Commit> unsettled_;  // whose outcome the program does not know
  std::optional<Commit> part_;  // prepared, and not resolved
  std::map<uint64_t, Commit> undurable_;
  std::atomic<uint64_t> durable_{0};
  Status lost_;
};

}  // namespace tenure::store
