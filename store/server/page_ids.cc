#include "store/server/page_ids.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::store {

Result<PageRun> PageIds::Allocate(uint64_t count) {
  if (count == 0) return Status(StatusCode::kInvalidArgument, "a run of no pages");
  for (auto run = free_.begin(); run != free_.end(); ++run) {
    const auto [first, pages] = *run;
    if (pages < count) continue;
    free_.erase(run);
    if (pages > count) free_.emplace(first + count, pages - count);
    return PageRun{PageId{first}, count};
  }
  if (count > kPageNumberLimit - next_) {
    return Status(StatusCode::kNoSpace, "the database has no page numbers left");
  }
  const PageRun run{PageId{next_}, count};
  next_ += count;
  return run;
}

Status PageIds::Return(PageRun run) {
  const uint64_t first = run.first.number;
  const auto refuse = [&] {
    return Failure(StatusCode::kInvalidArgument, "page numbers from " + std::to_string(first) +
                                                     " on are not there to be returned");
  };
  if (run.pages == 0) return Status::Ok();
  if (first == 0 || first >= next_ || run.pages > next_ - first) return refuse();
  auto after = free_.upper_bound(first);
  if (after != free_.end() && after->first < first + run.pages) return refuse();
  auto before = after == free_.begin() ? free_.end() : std::prev(after);
  if (before != free_.end() && before->first + before->second > first) return refuse();

  uint64_t start = first;
  uint64_t end = first + run.pages;
  if (before != free_.end() && before->first + before->second == start) {
    start = before->first;
    free_.erase(before);
  }
  if (after != free_.end() && after->first == end) {
    end += after->second;
    free_.erase(after);
  }
  if (end == next_ && start >= committed_next_) {
    next_ = start;
  } else {
    free_.emplace(start, end - start);
  }
  return Status::Ok();
}

std::vector<PageRun> PageIds::AllocateFree(uint64_t most) {
  std::vector<PageRun> runs;
  while (most > 0 && !free_.empty()) {
    const auto [first, pages] = *free_.begin();
    const uint64_t taken = std::min(pages, most);
    free_.erase(free_.begin());
    if (taken < pages) free_.emplace(first + taken, pages - taken);
    runs.push_back({PageId{first}, taken});
    most -= taken;
  }
  return runs;
}

void PageIds::Claim(PageId page) {
  if (page.number >= next_) {
    const uint64_t first = std::exchange(next_, page.number + 1);
    (void)Return({PageId{first}, page.number - first});
    return;
  }
  auto run = free_.upper_bound(page.number);
  if (run == free_.begin()) return;
  const auto [first, pages] = *--run;
  if (page.number - first >= pages) return;
  free_.erase(run);
  if (page.number > first) free_.emplace(first, page.number - first);
  if (page.number + 1 < first + pages) {
    free_.emplace(page.number + 1, first + pages - page.number - 1);
  }
}

void PageIds::NoteCommitted(PageId written) {
  committed_next_ = std::max(committed_next_, written.number + 1);
}

}  // namespace tenure::store
