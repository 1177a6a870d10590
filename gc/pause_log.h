// The lengths of the last pauses, for percentiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tenure::gc {

class PauseLog {
 public:
  static constexpr size_t kKept = 4096;

  void Record(uint64_t pause_us) {
    last_[count_++ % kKept] = static_cast<uint32_t>(std::min<uint64_t>(pause_us, UINT32_MAX));
  }

  // The pause that `percent` of the last ones do not exceed, 0 when there were none.
  uint64_t Percentile(unsigned percent) const {
    const size_t count = std::min(count_, kKept);
    if (count == 0) return 0;
    uint32_t sorted[kKept];
    std::copy(last_, last_ + count, sorted);
    const size_t rank = std::min(count - 1, count * percent / 100);
    std::nth_element(sorted, sorted + rank, sorted + count);
    return sorted[rank];
  }

 private:
  uint32_t last_[kKept];
  size_t count_ = 0;
};

}  // namespace tenure::gc
