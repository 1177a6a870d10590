// The quota of the kernel's mappings that protections may take. The kernel keeps a mapping for each
// run of neighbouring pages with one protection, and allows a process vm.max_map_count of them;
// stacks of threads, memory and files need some too. All users of mprotect together keep within the
// quota.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "base/result.h"

namespace tenure::stabilize {

// Any thread.
class MappingQuota {
 public:
  // The process's. Its limit is half of vm.max_map_count (of 65,530 where that cannot be read),
  // until SetLimit or Refused.
  static MappingQuota& OfProcess();

  // `kernels`: how many the kernel allows the process.
  explicit MappingQuota(uint64_t limit, uint64_t kernels = UINT64_MAX)
      : limit_(limit), kernels_(kernels) {}
  MappingQuota(const MappingQuota&) = delete;
  MappingQuota& operator=(const MappingQuota&) = delete;

  uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // Whether `mappings` more are allowed.
  bool HasRoom(uint64_t mappings) const { return used() + mappings <= limit(); }
  // Whether more than three quarters of the kernel's mappings are used: the rest of the process may
  // soon get none.
  bool IsCritical() const { return used() > kernels_ / 4 * 3; }
  // Whether freeing half of the mappings in use would leave the rest of the process much more.
  bool IsWorthHalving() const { return used() > kernels_ / 32; }
  void SetLimit(uint64_t mappings);
  void Add(int64_t mappings) {
    used_.fetch_add(static_cast<uint64_t>(mappings), std::memory_order_relaxed);
  }
  // The kernel has refused a mapping before the limit was reached: the rest of the process has more
  // mappings than expected. The limit becomes less than the number in use.
  void Refused() { SetLimit(used() / 4 * 3); }

  // No limit is less: a loop over a few pages must come to its end.
  static constexpr uint64_t kLeast = 64;

 private:
  std::atomic<uint64_t> limit_;
  const uint64_t kernels_;
  std::atomic<uint64_t> used_{0};
};

// Called when the rest of the process was refused a mapping: frees half of those that protections
// of frames take, for good. False: there are too few to be worth it. Any thread that no collection
// stops meanwhile.
bool GiveUpMappings();

// The protection of each page of a range, as a number below kShut; 0 at first. For the kernel, a
// page that is shut has protection 0, and gets its own protection back later. The map counts the
// places where the kernel's protections of neighbours differ: a range has that many mappings and
// one more.
class ProtectionMap {
 public:
  explicit ProtectionMap(MappingQuota& quota) : quota_(quota) {}
  ~ProtectionMap() { Clear(); }
  ProtectionMap(const ProtectionMap&) = delete;
  ProtectionMap& operator=(const ProtectionMap&) = delete;

  static constexpr uint8_t kShut = 0x80;

  // With kShut beside it if the page is shut.
  uint8_t At(uint64_t page) const;
  // For the kernel.
  uint8_t Effective(uint64_t page) const {
    const uint8_t protection = At(page);
    return (protection & kShut) != 0 ? 0 : protection;
  }
  // Shuts the pages whose protection is not 0; they keep the protection for later.
  void Shut(uint64_t first, uint64_t pages);
  void Set(uint64_t first, uint64_t pages, uint8_t protection);
  // All are 0.
  void Clear();
  uint64_t boundaries() const { return boundaries_; }

  struct Run {
    uint64_t begin = 0, end = 0;
    uint8_t protection = 0;
    bool empty() const { return begin == end; }
  };
  // The first run of pages of one effective protection other than 0 that ends behind `page`, from
  // `page` on; empty when there is none.
  Run RunFrom(uint64_t page) const;

 private:
  static constexpr uint64_t kChunkPages = 512;
  struct Chunk {
    uint8_t protections[kChunkPages] = {};
    uint32_t set = 0;  // how many are not 0
  };
  uint64_t Differing(uint64_t first, uint64_t pages) const;
  Chunk* Find(uint64_t chunk) const;
  template <typename Change>
  void ChangeAll(uint64_t first, uint64_t pages, bool makes_chunks, Change&& change);

  MappingQuota& quota_;
  std::map<uint64_t, std::unique_ptr<Chunk>> chunks_;
  mutable uint64_t last_number_ = UINT64_MAX;
  mutable Chunk* last_ = nullptr;
  uint64_t boundaries_ = 0;
};

}  // namespace tenure::stabilize
