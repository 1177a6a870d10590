// Tier B: mprotect. Works everywhere; each protection that differs from its neighbour's costs the
// kernel a mapping, and the number of mappings is limited (stabilize/frames/mapping_quota.h). When
// mappings run short, some frames lose their access: their contents stay, and the next touch of
// such a frame traps and gives the access back. So protections are a cache: any frame may be
// touched in any order.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/mutex.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/mapping_quota.h"
#include "stabilize/frames/store_names.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

// A run of this many open frames is worth its mappings: it loses its access only after all shorter
// runs.
constexpr uint64_t kLongRun = 64;
// Frames that are opened again together, at most.
constexpr uint64_t kPiece = 64;
// Mappings that are freed at once: the quota divided by this.
constexpr uint64_t kFreedPart = 8;
// The most runs that one call closes, so that it is soon known whether enough is free.
constexpr uint64_t kClosedTogether = 256;

int ProtectionOf(Access access) {
  switch (access) {
    case Access::kNone: return PROT_NONE;
    case Access::kRead: return PROT_READ;
    case Access::kWrite: return PROT_READ | PROT_WRITE;
  }
  return PROT_NONE;
}

Status Protect(void* begin, size_t bytes, int protection) {
  if (mprotect(begin, bytes, protection) == 0) return Status::Ok();
  if (errno == ENOMEM) {
    return Failure(StatusCode::kNoMemory,
                   "this process has as many mappings as the kernel allows (vm.max_map_count), and "
                   "none is left for protecting a database's pages");
  }
  return SystemFailure(errno, "cannot protect a database's pages");
}

class MprotectMapping;

// All mappings of the process: to get mappings for one, those of another are freed. The mutex
// protects changes of all of them.
struct AllMappings {
  Mutex mutex;
  std::vector<MprotectMapping*> mappings TN_GUARDED_BY(mutex);
  MappingQuota& quota = MappingQuota::OfProcess();

  // Shuts frames until `wanted` of the kernel's mappings are free, or no
  // frame is open.
  void FreeSome(uint64_t wanted) TN_REQUIRES(mutex);
  // Frees mappings, if necessary, for pages some of which are protected now.
  void MakeRoom() TN_REQUIRES(mutex) {
    if (!quota.HasRoom(2)) FreeSome(std::max<uint64_t>(quota.limit() / kFreedPart, 2));
  }
  // change() protects something; if the kernel has no mapping left, change()
  // is called again after some have been freed.
  template <typename Change>
  Status Try(Change&& change) TN_REQUIRES(mutex) {
    MakeRoom();
    Status status = change();
    if (status.code() != StatusCode::kNoMemory) return status;
    quota.Refused();
    FreeSome(quota.used() / 2);
    status = change();
    if (status.code() != StatusCode::kNoMemory) return status;
    FreeSome(UINT64_MAX);
    return change();
  }
};

// Never destroyed, as databases are closed at the very end.
AllMappings& TheMappings() {
  static AllMappings& all = *new AllMappings;
  return all;
}

class MprotectMapping : public FrameMapping {
 public:
  Status Initialize(const MappingOptions& options) {
    TN_RETURN_IF_ERROR(Map(options, PROT_NONE));
    const MutexLock lock(all_.mutex);
    all_.mappings.push_back(this);
    return Status::Ok();
  }
  ~MprotectMapping() override {
    const MutexLock lock(all_.mutex);
    std::erase(all_.mappings, this);
  }

  Status SetAccess(char* frame, size_t pages, Access from, Access to) override {
    const MutexLock lock(all_.mutex);
    const uint64_t first = static_cast<uint64_t>(frame - base()) / abi::kPageBytes;
    if (to == Access::kNone) return SetRun({first, first + pages, 0});
    if (from <= to) return SetRun(WithShutNeighbours(first, pages, to));
    // A shut frame opens at its next touch.
    for (uint64_t at = first; at < first + pages;) {
      uint64_t end = at;
      while (end < first + pages && map_.Effective(end) > Number(to)) ++end;
      if (end > at) {
        TN_RETURN_IF_ERROR(SetRun({at, end, Number(to)}));
        at = end;
      } else {
        if (map_.At(at) > (ProtectionMap::kShut | Number(to))) {
          map_.Set(at, 1, ProtectionMap::kShut | Number(to));
        }
        ++at;
      }
    }
    return Status::Ok();
  }
  FaultTier tier() const override { return FaultTier::kMprotect; }
  void Retire(size_t used_bytes) override {
    const MutexLock lock(all_.mutex);
    map_.Clear();
    FrameMapping::Retire(used_bytes);
  }

  // Shuts frames, from the clock's hand on, until `wanted` mappings are free or the hand has passed
  // all frames. Returns how many mappings are free. A range that begins and ends where protections
  // differ already needs no mapping of its own.
  uint64_t CloseSome(uint64_t wanted, bool long_ones) {
    const uint64_t before = map_.boundaries();
    const auto freed = [&] { return before - std::min(before, map_.boundaries()); };
    ProtectionMap::Run closing;
    uint64_t runs = 0;
    const auto close = [&] {
      runs = 0;
      const ProtectionMap::Run range = std::exchange(closing, {});
      if (range.empty() || !Protect(base() + range.begin * abi::kPageBytes,
                                    (range.end - range.begin) * abi::kPageBytes, PROT_NONE)
                                .ok()) {
        return;
      }
      map_.Shut(range.begin, range.end - range.begin);
    };
    const uint64_t start = hand_;
    for (bool again = false; freed() < wanted;) {
      const ProtectionMap::Run run = map_.RunFrom(hand_);
      if (run.empty() || (again && run.begin >= start)) {
        close();
        if (again || start == 0) break;
        again = true;
        hand_ = 0;
        continue;
      }
      hand_ = run.end;
      if (!long_ones && run.end - run.begin >= kLongRun) {
        close();
        continue;
      }
      if (closing.empty()) closing.begin = run.begin;
      closing.end = run.end;
      ++runs;
      if (runs == kClosedTogether || freed() + runs >= wanted) close();
    }
    return freed();
  }

 private:
  static uint8_t Number(Access access) { return static_cast<uint8_t>(access); }

  // Frames, and if the first is shut those around them that are to have the same access.
  ProtectionMap::Run WithShutNeighbours(uint64_t first, uint64_t pages, Access to) const {
    ProtectionMap::Run run{first, first + pages, Number(to)};
    const uint8_t shut = ProtectionMap::kShut | Number(to);
    if (map_.At(first) != shut) return run;
    const uint64_t begin = first / kPiece * kPiece, end = begin + kPiece;
    while (run.begin > begin && map_.At(run.begin - 1) == shut) --run.begin;
    while (run.end < end && map_.At(run.end) == shut) ++run.end;
    return run;
  }

  Status SetRun(const ProtectionMap::Run& run) TN_REQUIRES(all_.mutex) {
    char* const begin = base() + run.begin * abi::kPageBytes;
    const size_t pages = run.end - run.begin;
    const Status status = all_.Try([&] {
      return Protect(begin, pages * abi::kPageBytes,
                     ProtectionOf(static_cast<Access>(run.protection)));
    });
    if (status.ok()) map_.Set(run.begin, pages, run.protection);
    return status;
  }

  AllMappings& all_ = TheMappings();
  ProtectionMap map_{all_.quota};  // as Access
  uint64_t hand_ = 0;
};

void AllMappings::FreeSome(uint64_t wanted) {
  for (const bool long_ones : {false, true}) {
    for (MprotectMapping* mapping : mappings) {
      if (wanted == 0) return;
      wanted -= std::min(wanted, mapping->CloseSome(wanted, long_ones));
    }
  }
}

}  // namespace

bool GiveUpMappings() {
  AllMappings& all = TheMappings();
  const MutexLock lock(all.mutex);
  if (!all.quota.IsWorthHalving()) return false;
  const uint64_t used = all.quota.used();
  all.quota.SetLimit(used / 2);
  all.FreeSome(used / 2);
  return true;
}

namespace {

class MprotectProtection : public HeapProtection {
 public:
  Status SetWritable(void* page, size_t pages, bool writable) override {
    const MutexLock lock(all_.mutex);
    if (getpid() != process_) {
      // The child of a fork does not have all pages.
      mprotect(page, pages * abi::kPageBytes, PROT_READ | PROT_WRITE);
      return Status::Ok();
    }
    const Status status = all_.Try([&] {
      return Protect(page, pages * abi::kPageBytes,
                     ProtectionOf(writable ? Access::kWrite : Access::kRead));
    });
    if (status.ok()) {
      map_.Set(reinterpret_cast<uintptr_t>(page) / abi::kPageBytes, pages, writable ? 0 : 1);
    }
    return status;
  }
  bool IsShort() const override { return !all_.quota.HasRoom(2); }

 private:
  AllMappings& all_ = TheMappings();
  ProtectionMap map_{all_.quota};  // 1: read-only
  const pid_t process_ = getpid();
};

}  // namespace

Result<std::unique_ptr<FrameMapping>> NewMprotectMapping(const MappingOptions& options) {
  auto mapping = std::make_unique<MprotectMapping>();
  TN_RETURN_IF_ERROR(mapping->Initialize(options));
  return std::unique_ptr<FrameMapping>(std::move(mapping));
}

std::unique_ptr<HeapProtection> NewMprotectProtection() {
  return std::make_unique<MprotectProtection>();
}

}  // namespace tenure::stabilize
