// Which bytes of a page a transaction has changed, and how much log that makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tenure::lab::esm {

struct Region {
  uint32_t offset, bytes;
};

// Regions of one page that do not touch each other.
class RegionSet {
 public:
  void Add(Region region) {
    uint32_t begin = region.offset, end = region.offset + region.bytes;
    auto at = ends_.lower_bound(begin);  // the first that ends at `begin` or behind it
    while (at != ends_.end() && at->second <= end) {
      begin = at->second < begin ? at->second : begin;
      end = at->first > end ? at->first : end;
      at = ends_.erase(at);
    }
    ends_[end] = begin;
  }
  bool empty() const { return ends_.empty(); }
  std::vector<Region> InOrder() const {
    std::vector<Region> regions;
    for (const auto& [end, begin] : ends_) regions.push_back({begin, end - begin});
    return regions;
  }

 private:
  std::map<uint32_t, uint32_t> ends_;  // end -> begin
};

// A log record has this much besides the values before and after (White & DeWitt 1995, 4.6).
inline constexpr uint32_t kLogHeaderBytes = 50;

struct LogCounters {
  uint64_t records = 0;
  uint64_t bytes = 0;
  void Add(uint32_t changed) {
    ++records;
    bytes += kLogHeaderBytes + 2 * uint64_t{changed};
  }
};

// The changed parts of one object (before, after: its `bytes` bytes, which lie at `offset` of the
// page). Neighbours are joined if and only if that makes less log.
inline void DiffObject(const std::byte* before, const std::byte* after, uint32_t offset,
                       uint32_t bytes, RegionSet* regions, LogCounters* log) {
  uint32_t begin = 0, end = 0;  // of the region that is being made; empty: none yet
  for (uint32_t i = 0; i < bytes; ++i) {
    if (before[i] == after[i]) continue;
    if (end != 0 && 2 * (i - end) <= kLogHeaderBytes) {
      end = i + 1;
      continue;
    }
    if (end != 0) {
      regions->Add({offset + begin, end - begin});
      log->Add(end - begin);
    }
    begin = i;
    end = i + 1;
  }
  if (end == 0) return;
  regions->Add({offset + begin, end - begin});
  log->Add(end - begin);
}

}  // namespace tenure::lab::esm
