#include "stabilize/frames/mapping_quota.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace tenure::stabilize {

namespace {

// The kernel's default.
constexpr uint64_t kUsualMappings = 65'530;

uint64_t KernelsLimit() {
  const int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  if (file < 0) return kUsualMappings;
  char text[32] = {};
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  const unsigned long long number = bytes > 0 ? std::strtoull(text, nullptr, 10) : 0;
  return number == 0 ? kUsualMappings : number;
}

}  // namespace

MappingQuota& MappingQuota::OfProcess() {
  // Never destroyed: a thread may fault until the process ends.
  static const uint64_t kernels = KernelsLimit();
  static MappingQuota& quota = *new MappingQuota(std::max(kernels / 2, kLeast), kernels);
  return quota;
}

void MappingQuota::SetLimit(uint64_t mappings) {
  limit_.store(std::max(mappings, kLeast), std::memory_order_relaxed);
}

ProtectionMap::Chunk* ProtectionMap::Find(uint64_t chunk) const {
  if (chunk == last_number_) return last_;
  const auto found = chunks_.find(chunk);
  if (found == chunks_.end()) return nullptr;
  last_number_ = chunk;
  return last_ = found->second.get();
}

uint8_t ProtectionMap::At(uint64_t page) const {
  const Chunk* const chunk = Find(page / kChunkPages);
  return chunk == nullptr ? 0 : chunk->protections[page % kChunkPages];
}

// How many of these pages, and the one behind them, differ from the page before.
uint64_t ProtectionMap::Differing(uint64_t first, uint64_t pages) const {
  uint64_t differing = 0;
  uint8_t before = first == 0 ? 0 : Effective(first - 1);
  for (uint64_t page = first; page <= first + pages; ++page) {
    const uint8_t now = Effective(page);
    differing += now != before;
    before = now;
  }
  return differing;
}

template <typename Change>
void ProtectionMap::ChangeAll(uint64_t first, uint64_t pages, bool makes_chunks, Change&& change) {
  if (pages == 0) return;
  const uint64_t before = Differing(first, pages);
  for (uint64_t page = first; page < first + pages;) {
    const uint64_t number = page / kChunkPages;
    const uint64_t end = std::min(first + pages, (number + 1) * kChunkPages);
    Chunk* chunk = Find(number);
    if (chunk == nullptr && makes_chunks) {
      chunk = (chunks_[number] = std::make_unique<Chunk>()).get();
      last_number_ = number;
      last_ = chunk;
    }
    if (chunk != nullptr) {
      for (uint64_t at = page; at < end; ++at) {
        uint8_t& now = chunk->protections[at % kChunkPages];
        const uint8_t next = change(now);
        chunk->set += (next != 0) - (now != 0);
        now = next;
      }
    }
    page = end;
  }
  const uint64_t after = Differing(first, pages);
  boundaries_ += after - before;
  quota_.Add(static_cast<int64_t>(after - before));
}

void ProtectionMap::Set(uint64_t first, uint64_t pages, uint8_t protection) {
  ChangeAll(first, pages, protection != 0, [&](uint8_t) { return protection; });
}

void ProtectionMap::Shut(uint64_t first, uint64_t pages) {
  ChangeAll(first, pages, false,
            [](uint8_t now) { return now == 0 ? now : static_cast<uint8_t>(now | kShut); });
}

void ProtectionMap::Clear() {
  chunks_.clear();
  last_number_ = UINT64_MAX;
  last_ = nullptr;
  quota_.Add(-static_cast<int64_t>(boundaries_));
  boundaries_ = 0;
}

ProtectionMap::Run ProtectionMap::RunFrom(uint64_t page) const {
  for (auto it = chunks_.lower_bound(page / kChunkPages); it != chunks_.end(); ++it) {
    if (it->second->set == 0) continue;
    const uint64_t begin = it->first * kChunkPages;
    for (uint64_t at = std::max(page, begin); at < begin + kChunkPages; ++at) {
      const uint8_t protection = it->second->protections[at % kChunkPages];
      if (protection == 0 || (protection & kShut) != 0) continue;
      uint64_t end = at + 1;
      while (At(end) == protection) ++end;
      return {at, end, protection};
    }
  }
  return {};
}

}  // namespace tenure::stabilize
