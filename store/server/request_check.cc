#include "store/server/request_check.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "abi/heap_constants.h"
#include "store/server/object_starts.h"
#include "store/server/request_failure.h"

namespace tenure::store {

using abi::kPageBytes;

namespace {

constexpr size_t kPagesAtOnce = 32;

}  // namespace

Status RequestCheck::CheckCommit(const CommitRequest& request, const CommitRequester& by,
                                 CheckedCommit* checked) {
  *checked = {store_.dead.changes(), {}};
  CommitPages::AllPages all;
  for (const DatabaseCommit& commit : request.databases) {
    all.push_back(std::make_unique<CommitPages>(store_, request, commit, by));
    TN_RETURN_IF_ERROR(all.back()->FindObjects());
  }
  for (const std::unique_ptr<CommitPages>& pages : all) {
    TN_RETURN_IF_ERROR(pages->CheckReferences(all, checked));
  }
  return Status::Ok();
}

void RequestCheck::NoteCommitted(const CommitRequester& by, const CheckedCommit& checked) {
  for (const auto& [database, pages] : checked.disconnected) {
    store_.dead.Disconnected(database, by.client, pages);
  }
}

void RequestCheck::Forget(DatabaseId database) {
  store_.entries.Forget(database);
  store_.objects.Forget();
}

void RequestCheck::Decide(DatabaseId database, const void* collector,
                          std::span<const Candidate> candidates,
                          std::span<const CandidateEdge> edges, std::vector<bool>* held) {
  store_.dead.Decide(database, collector, candidates, edges, held);
  store_.objects.Forget();
}

Status RequestCheck::FindEdges(DatabaseId database, std::span<const Candidate> candidates,
                               std::vector<CandidateEdge>* edges) {
  const auto by_place = [](const Candidate& candidate) { return candidate.object.bits; };
  if (!std::ranges::is_sorted(candidates, std::less_equal<>(), by_place)) {
    return Nonsense("candidates for a collection that are not in order");
  }
  const auto find = [&](uint64_t bits) -> std::optional<size_t> {
    const auto at = std::ranges::lower_bound(candidates, bits, {}, by_place);
    if (at == candidates.end() || at->object.bits != bits) return std::nullopt;
    return static_cast<size_t>(at - candidates.begin());
  };
  KnownTypes::Cache types;
  std::optional<uint64_t> reached;
  std::vector<bool> seen(candidates.size());
  const auto visit_page = [&](PageId page, const PageRecord& record) {
    if (!record.run.large() || record.run.index == 0) {
      ObjectStarts objects;
      TN_RETURN_IF_ERROR(
          FindStarts(store_.types, page, record.run, record.contents, &objects, &types));
      for (auto at = std::ranges::lower_bound(candidates, page.number * kPageBytes, {}, by_place);
           at != candidates.end() && at->object.page() == page; ++at) {
        seen[static_cast<size_t>(at - candidates.begin())] =
            at->object.is_object() && objects.starts.test(at->object.offset() / 8);
      }
    }
    return ForEachReference(store_.types, page, record.run, record.contents, &types,
                            [&](uint64_t from, uint64_t to) {
                              const std::optional<size_t> target = find(to);
                              if (!target) return;
                              if (const std::optional<size_t> source = find(from)) {
                                edges->push_back({*source, *target, page.number});
                              } else {
                                reached = to;
                              }
                            });
  };
  TN_ASSIGN_OR_RETURN(const PageId last, store_.pages.MaxPage(database));
  std::vector<PageReply> replies(kPagesAtOnce);
  std::vector<PageId> wanted;
  for (PageId page{1}; page <= last;) {
    TN_ASSIGN_OR_RETURN(page, store_.pages.NextPage(database, page));
    wanted.clear();
    for (; page <= last && wanted.size() < kPagesAtOnce; page = page + 1) wanted.push_back(page);
    if (wanted.empty()) break;
    const std::span read = std::span(replies).first(wanted.size());
    for (PageReply& reply : read) reply.status = Status::Ok();
    TN_RETURN_IF_ERROR(store_.pages.Read(database, wanted, read));
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (read[i].status.code() == StatusCode::kNotFound) continue;
      TN_RETURN_IF_ERROR(read[i].status);
      TN_RETURN_IF_ERROR(visit_page(wanted[i], read[i].record));
    }
  }
  TN_ASSIGN_OR_RETURN(const PersistentRef root, store_.pages.Root(database));
  if (find(root.bits)) reached = root.bits;
  TN_ASSIGN_OR_RETURN(const std::vector<ExportEntry> exports, store_.pages.Exports(database));
  for (const ExportEntry& entry : exports) {
    if (find(entry.object.bits)) reached = entry.object.bits;
  }
  if (reached) {
    return Nonsense("a collection would free the object at " + PlaceText(*reached) +
                    ", to which others refer");
  }
  if (std::ranges::find(seen, false) != seen.end()) {
    return Nonsense("a collection would free an object that is none");
  }
  std::ranges::stable_sort(*edges, {}, &CandidateEdge::from);
  return Status::Ok();
}

}  // namespace tenure::store
