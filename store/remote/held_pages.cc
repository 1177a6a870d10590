#include "store/remote/held_pages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/server/commit_check.h"

namespace tenure::store {

namespace {

// After a transaction in which others wanted a page, the page is given up at the end of each of the
// next kContendedLeast transactions. Each time others want it again the number doubles, up to
// kContendedMost.
constexpr int kContendedLeast = 16, kContendedMost = 4096;

}  // namespace

void HeldPages::Forget() {
  held_.clear();
  wanted_.clear();
  prefetched_.Clear();
  used_.clear();
  free_writable_.clear();
  wandering_.ForgetGranted();
}

void HeldPages::Forget(PageId page) {
  held_.erase(page.number);
  (void)prefetched_.Lose(page);
  free_writable_.erase(page.number);
  used_.erase(page.number);
}

void HeldPages::BeginNeed(PageId page) {
  needed_.insert(page.number);
  if (!prefetched_.Has(page)) return;
  const bool writable = free_writable_.erase(page.number) != 0;
  held_.try_emplace(page.number, writable);
}

void HeldPages::EndAllocation(PageRun run) {
  --allocations_;
  for (uint64_t i = 0; i < run.pages; ++i) {
    held_[run.first.number + i] = true;
    allocated_.insert(run.first.number + i);
  }
}

void HeldPages::Return(PageRun run) {
  for (uint64_t i = 0; i < run.pages && !held_.empty(); ++i) held_.erase(run.first.number + i);
}

std::vector<PageId> HeldPages::NotHeld(std::span<const PageId> pages, bool to_write) const {
  std::vector<PageId> others;
  for (const PageId page : pages) {
    const auto found = held_.find(page.number);
    if (found == held_.end() || (to_write && !found->second)) others.push_back(page);
  }
  return others;
}

PageRun HeldPages::Around(PageId page, PageId last) {
  PageRun run = prefetched_.Around(page);
  const uint64_t end = std::min(run.first.number + run.pages, last.number + 1);
  run.pages = end - std::min(end, run.first.number);
  return run;
}

void HeldPages::BeginNeighbours(std::vector<PageId>& pages) {
  const PageId touched = pages[0];
  std::erase_if(pages, [&](PageId near) {
    if (near == touched) return false;
    return prefetched_.Has(near) || IsOnTheWay(near) || IsUsed(near) ||
           wanted_.contains(near.number) || ContendedAt(near) != nullptr;
  });
  for (const PageId near : std::span(pages).subspan(1)) on_the_way_.insert(near.number);
}

void HeldPages::EndNeighbours(std::span<const PageId> pages) {
  for (const PageId page : pages) on_the_way_.erase(page.number);
}

bool HeldPages::KeepNeighbour(PageId page, std::span<const std::byte> record) {
  if (!IsUsed(page) && wanted_.erase(page.number) != 0) return false;
  prefetched_.Keep(page, record);
  return true;
}

std::vector<PageId> HeldPages::DropSurplus() {
  std::vector<PageId> dropped;
  for (PageId old; (old = prefetched_.DropSurplus()).valid();) {
    if (!IsUsed(old)) dropped.push_back(old);
  }
  return dropped;
}

void HeldPages::NoteGranted(PageId page, bool to_write) {
  bool& writable = held_[page.number];
  writable = writable || to_write;
}

void HeldPages::NoteGrantedToWrite(PageId page, uint64_t version) {
  held_[page.number] = true;
  wandering_.NoteGranted(page, version);
}

const HeldPages::Contended* HeldPages::ContendedAt(PageId page) const {
  const auto found = contended_.find(page.number);
  return found != contended_.end() && found->second.transactions > 0 ? &found->second : nullptr;
}

void HeldPages::NoteUsed(PageId page, const PageRecord& record, bool others_want) {
  if (!others_want && ContendedAt(page) == nullptr) return;
  // More would not be kept when they become free.
  if (used_.size() >= ReadAhead::kPagesMost) return;
  used_[page.number] = {std::make_unique<PageRecord>(record), false, false};
}

bool HeldPages::WasWrittenLast(PageId page) const {
  const Contended* const contended = ContendedAt(page);
  return contended != nullptr && contended->written_by != 0 && contended->written_by == commits_;
}

// A grant that has not arrived yet counts as held, without a look at whether it has arrived.
void HeldPages::NoteWanted(PageId page, bool to_read) {
  bool& drop = wanted_[page.number];
  drop = drop || !to_read;
  Contended& contended = contended_[page.number];
  // A page that was wanted again as soon as it was kept is given up for longer.
  if (contended.transactions == 0) {
    contended.span = std::clamp(2 * contended.span, kContendedLeast, kContendedMost);
  }
  contended.drop = contended.drop || drop;
  contended.transactions = contended.span;
}

std::vector<HeldPages::ToGiveUp> HeldPages::TakeWanted() {
  std::vector<ToGiveUp> wanted;
  for (const auto& [page, drop] : std::exchange(wanted_, {}))
    wanted.push_back({PageId{page}, drop});
  return wanted;
}

bool HeldPages::GiveUp(PageId page, bool keep_read, bool wanted) {
  const auto held = held_.find(page.number);
  const bool is_held = held != held_.end();
  const bool writable = is_held ? held->second : free_writable_.contains(page.number);
  if (wanted && writable && page.valid()) wandering_.NoteWanted(page);
  // A page that is not held cannot be kept.
  if (keep_read && is_held) {
    held->second = false;
    return true;
  }
  Forget(page);
  return false;
}

std::vector<PageId> HeldPages::TakeWandering() {
  std::vector<PageId> pages = wandering_.TakeGranted();
  std::erase_if(pages, [&](PageId page) {
    return !held_.contains(page.number) || allocated_.contains(page.number);
  });
  return pages;
}

HeldPages::Ending HeldPages::EndTransaction(bool several) {
  Ending ending;
  SettlePrepared(0);
  for (const auto& [page, used] : used_) {
    if (!held_.contains(page) || allocated_.contains(page)) continue;
    const auto found = contended_.find(page);
    const bool wanted = found != contended_.end() && found->second.transactions > 0;
    if (wanted) --found->second.transactions;
    if (wanted || used.written) ending.to_free.push_back(PageId{page});
  }
  if (!several) return ending;
  for (auto& [page, contended] : contended_) {
    if (contended.transactions == 0) continue;
    const auto held = held_.find(page);
    if (held == held_.end() || !(contended.drop || held->second)) continue;
    if (used_.contains(page) && !allocated_.contains(page)) continue;
    --contended.transactions;
    ending.to_give_up.push_back({PageId{page}, contended.drop});
  }
  return ending;
}

void HeldPages::Free(PageId page) {
  const auto held = held_.find(page.number);
  const auto used = used_.find(page.number);
  if (held == held_.end() || used == used_.end()) return;
  if (held->second) free_writable_.insert(page.number);
  held_.erase(held);
  prefetched_.KeepUsed(page, std::move(used->second.record));
  used_.erase(used);
}

void HeldPages::NoteCommit(std::span<const PageWrite> writes, uint64_t version) {
  ++commits_;
  for (const PageWrite& write : writes) {
    (void)prefetched_.Drop(write.page);
    NoteWritten(write, version);
    wandering_.NoteWritten(write.page, version);
    const auto wanted = contended_.find(write.page.number);
    if (wanted != contended_.end()) wanted->second.written_by = commits_;
    // The number is free now.
    if (write.remove) held_.erase(write.page.number);
  }
}

void HeldPages::NoteWritten(const PageWrite& write, uint64_t version) {
  const auto used = used_.find(write.page.number);
  if (used == used_.end()) return;
  if (write.remove || !ApplyWrite(write, version, used->second.record.get()).ok()) {
    used_.erase(used);
    return;
  }
  used->second.written = true;
  used->second.prepared = version == 0;
}

void HeldPages::SettlePrepared(uint64_t version) {
  for (auto entry = used_.begin(); entry != used_.end();) {
    Used& used = entry->second;
    const bool settles = std::exchange(used.prepared, false);
    if (settles) used.record->version = version;
    entry = settles && version == 0 ? used_.erase(entry) : std::next(entry);
  }
}

void HeldPages::NoteConflict(std::span<const PageWrite> writes) {
  for (const PageWrite& write : writes) {
    (void)prefetched_.Drop(write.page);
    used_.erase(write.page.number);
    if (const auto held = held_.find(write.page.number); held != held_.end()) held->second = false;
  }
}

}  // namespace tenure::store
