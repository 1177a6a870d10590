#include "stabilize/page_ids.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "stabilize/status_text.h"

namespace tenure::stabilize {

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

void PageIds::NoteCommitted(PageId written) {
  committed_next_ = std::max(committed_next_, written.number + 1);
}

}  // namespace tenure::stabilize
