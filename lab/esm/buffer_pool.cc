#include "lab/esm/buffer_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "lab/support/fail.h"

namespace tenure::lab::esm {

BufferPool::BufferPool(store::PageServer& server, store::DatabaseId database, uint32_t slots,
                       Clock clock, PoolUser& user)
    : server_(server),
      database_(database),
      clock_(clock),
      user_(user),
      file_(memfd_create("pool", MFD_CLOEXEC)),
      slots_(slots),
      reply_(std::make_unique<store::PageReply>()) {
  const size_t bytes = size_t{slots} * kPageBytes;
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes)) != 0) Fail("cannot make a pool");
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) Fail("cannot map the pool");
  memory_ = static_cast<std::byte*>(memory);
}

BufferPool::~BufferPool() {
  munmap(memory_, slots_.size() * kPageBytes);
  close(file_);
}

uint32_t BufferPool::Fix(uint64_t page, PageUse use) {
  if (const std::optional<uint32_t> there = Find(page, /*touch=*/true)) return *there;
  const uint32_t slot = TakeSlot();
  Slot& taken = slots_[slot];
  const auto change = changed_.find(page);
  if (change != changed_.end() && change->second.spilled) {
    Check(spill_.Read(*change->second.spilled, Bytes(slot)), "read a spilled page");
    spill_.Free(*change->second.spilled);
    change->second.spilled.reset();
    taken.version = change->second.version;
    if (use == PageUse::kData) ++counters_.spilled_reads;
  } else {
    const store::PageId id{page};
    Check(server_.Read(database_, std::span(&id, 1), std::span(reply_.get(), 1)), "read a page");
    Check(reply_->status, "read a page");
    std::memcpy(Bytes(slot), reply_->record.contents, kPageBytes);
    taken.version = reply_->record.version;
    ++(use == PageUse::kData  ? counters_.data_reads
       : use == PageUse::kMap ? counters_.map_reads
                              : counters_.index_reads);
  }
  taken.page = page;
  taken.used = true;
  slot_of_[page] = slot;
  return slot;
}

uint32_t BufferPool::FixNew(uint64_t page) {
  const uint32_t slot = TakeSlot();
  std::memset(Bytes(slot), 0, kPageBytes);
  slots_[slot] = {page, 0, 0, true};
  slot_of_[page] = slot;
  changed_[page].whole = true;
  return slot;
}

uint32_t BufferPool::TakeSlot() {
  if (filled_ < slots_.size()) return filled_++;
  for (int sweep = 0; sweep < 3; ++sweep) {
    while (hand_ < slots_.size()) {
      Slot& slot = slots_[hand_++];
      if (slot.pins != 0) continue;
      if (!slot.used) {
        Evict(hand_ - 1);
        return hand_ - 1;
      }
      if (clock_ == Clock::kBits) slot.used = false;
    }
    hand_ = 0;
    ++counters_.sweeps;
    if (clock_ == Clock::kProtection) {
      user_.ProtectAll();
      for (Slot& slot : slots_) slot.used = false;
    }
  }
  Fail("all pages of the pool are pinned");
}

void BufferPool::Evict(uint32_t number) {
  Slot& slot = slots_[number];
  user_.Leaves(slot.page, number);
  const auto change = changed_.find(slot.page);
  if (change != changed_.end()) {
    change->second.spilled = Check(spill_.Write(Bytes(number)), "spill a page");
    ++counters_.spilled;
  }
  ++counters_.evicted;
  slot_of_.erase(slot.page);
  slot = {};
}

uint64_t BufferPool::Allocate(uint64_t count) {
  return Check(server_.AllocatePages(database_, count), "allocate pages").first.number;
}

BufferPool::Change& BufferPool::ChangeOf(uint64_t page) {
  const auto [at, first] = changed_.try_emplace(page);
  if (first) {
    const std::optional<uint32_t> slot = Find(page, false);
    if (!slot) Fail("a page is changed that is not in the pool");
    at->second.version = slots_[*slot].version;
    const store::PageId id{page};
    Check(server_.WantWrite(database_, std::span(&id, 1)), "lock a page");
  }
  return at->second;
}

void BufferPool::WillChange(uint64_t page) { (void)ChangeOf(page); }

void BufferPool::ChangedWhole(uint64_t page) { ChangeOf(page).whole = true; }

RegionSet& BufferPool::Regions(uint64_t page) { return ChangeOf(page).regions; }

std::vector<uint64_t> BufferPool::ChangedPages() const {
  std::vector<uint64_t> pages;
  for (const auto& [page, change] : changed_) pages.push_back(page);
  return pages;
}

void BufferPool::Commit() {
  std::vector<store::PageWrite> writes;
  std::vector<std::vector<store::ChangedRegion>> regions(changed_.size());
  std::vector<std::unique_ptr<std::byte[]>> read_back;
  size_t i = 0;
  for (auto& [page, change] : changed_) {
    std::vector<store::ChangedRegion>& parts = regions[i++];
    if (!change.whole && change.regions.empty()) continue;
    const std::byte* bytes;
    if (change.spilled) {
      read_back.push_back(std::make_unique_for_overwrite<std::byte[]>(kPageBytes));
      Check(spill_.Read(*change.spilled, read_back.back().get()), "read a spilled page");
      bytes = read_back.back().get();
    } else {
      bytes = Bytes(slot_of_.at(page));
    }
    store::PageWrite write;
    write.page = store::PageId{page};
    write.expected_version = change.version;
    write.checksum = store::PageChecksum(write.page, {}, bytes);
    if (change.whole) {
      write.contents = bytes;
      ++counters_.pages_written;
    } else {
      for (const Region& region : change.regions.InOrder()) {
        parts.push_back({region.offset, {bytes + region.offset, region.bytes}});
      }
      write.regions = parts;
      ++counters_.pages_changed;
    }
    writes.push_back(write);
  }
  if (!writes.empty()) {
    store::DatabaseCommit commit;
    commit.database = database_;
    commit.pages = writes;
    const store::CommitAnswer answer =
        server_.Commit({store::NewCommitId(), std::span(&commit, 1)});
    Check(answer.status, "commit");
    for (const store::PageWrite& write : writes) {
      if (const std::optional<uint32_t> slot = Find(write.page.number, false)) {
        slots_[*slot].version = answer.version;
      }
    }
  }
  for (auto& [page, change] : changed_) {
    if (change.spilled) spill_.Free(*change.spilled);
  }
  changed_.clear();
}

}  // namespace tenure::lab::esm
