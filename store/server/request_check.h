// Checks the requests of programs to a served store, with the rules by which verification and
// programs read the data later (docs/page_format.md): the store accepts nothing that verification
// would report. So that this stays true without a look at the whole store, an object keeps its
// place, its type and its length until a collection has found it dead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/server/commit_pages.h"
#include "store/server/dead_objects.h"
#include "store/server/known_store.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class RequestCheck {
 public:
  // `store` outlives it, and is at `place`, an absolute path or a URI. `open` opens one of its
  // databases for good.
  RequestCheck(PageServer& store, std::string place,
               std::function<Result<DatabaseId>(const std::string& name)> open)
      : store_(store, std::move(place), std::move(open)) {}

  // KnownTypes::Add.
  Result<uint32_t> AddType(std::span<const std::byte> description) {
    return store_.types.Add(description);
  }

  // kInvalidArgument says what makes no sense. No other thread may write the pages that the request
  // changes meanwhile.
  Status CheckCommit(const CommitRequest& request, const CommitRequester& by,
                     CheckedCommit* checked);
  // False: a collection has decided meanwhile; the commit must be checked again, before any other
  // collection decides.
  bool IsCurrent(const CheckedCommit& checked) const {
    return checked.dead_changes == store_.dead.changes();
  }
  // The commit has taken place.
  void NoteCommitted(const CommitRequester& by, const CheckedCommit& checked);

  // kInvalidArgument unless each candidate is an object, and nothing but candidates refers to
  // candidates: no other object, no root, no export. *edges: their references to each other.
  // Commits that go on meanwhile are the caller's to watch. Reads the whole database.
  Status FindEdges(DatabaseId database, std::span<const Candidate> candidates,
                   std::vector<CandidateEdge>* edges);
  // DeadObjects::Decide, when the candidates' references to each other are these. No commit may be
  // ordered meanwhile.
  void Decide(DatabaseId database, const void* collector, std::span<const Candidate> candidates,
              std::span<const CandidateEdge> edges, std::vector<bool>* held);
  DeadObjects& dead() { return store_.dead; }

  // The database is closed; its number may become another one's.
  void Forget(DatabaseId database);

 private:
  KnownStore store_;
};

}  // namespace tenure::store
