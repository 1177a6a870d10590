#include "store/server/freed_pages.h"

#include <iterator>

namespace tenure::store {

namespace {

// The run that contains the page or begins nearest before it; end when there is none.
std::map<uint64_t, uint64_t>::const_iterator NotAfter(const std::map<uint64_t, uint64_t>& runs,
                                                      uint64_t page) {
  const auto after = runs.upper_bound(page);
  return after == runs.begin() ? runs.end() : std::prev(after);
}

}  // namespace

bool FreedPages::Load(PageRun run) {
  const uint64_t first = run.first.number;
  if (first == 0 || run.pages == 0 || run.pages > kPageNumberLimit - first) return false;
  const auto before = NotAfter(runs_, first + run.pages - 1);
  if (before != runs_.end() && before->first + before->second > first) return false;
  runs_.emplace(first, run.pages);
  return true;
}

bool FreedPages::Contains(PageId page) const {
  const auto run = NotAfter(runs_, page.number);
  return run != runs_.end() && page.number - run->first < run->second;
}

PageId FreedPages::EndOfRun(PageId page) const {
  const auto run = NotAfter(runs_, page.number);
  return PageId{run->first + run->second};
}

void FreedPages::Set(uint64_t first, uint64_t pages) {
  const auto found = runs_.find(first);
  before_.try_emplace(first, found == runs_.end() ? 0 : found->second);
  if (pages == 0) {
    runs_.erase(first);
  } else {
    runs_[first] = pages;
  }
}

void FreedPages::Take(PageId page) {
  const auto run = NotAfter(runs_, page.number);
  if (run == runs_.end() || page.number - run->first >= run->second) return;
  const auto [first, pages] = *run;
  const uint64_t before = page.number - first;
  Set(first, before);
  if (before + 1 < pages) Set(page.number + 1, pages - before - 1);
}

void FreedPages::Add(PageId page) {
  if (Contains(page)) return;
  uint64_t first = page.number, pages = 1;
  const auto before = NotAfter(runs_, page.number);
  if (before != runs_.end() && before->first + before->second == first) {
    first = before->first;
    pages += before->second;
  }
  if (const auto after = runs_.find(page.number + 1); after != runs_.end()) {
    pages += after->second;
    Set(page.number + 1, 0);
  }
  Set(first, pages);
}

void FreedPages::Undo() {
  for (const auto& [first, pages] : before_) {
    if (pages == 0) {
      runs_.erase(first);
    } else {
      runs_[first] = pages;
    }
  }
  before_.clear();
}

}  // namespace tenure::store
