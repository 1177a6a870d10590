// How much memory frames may take before somebody measures again, and how far the clock is behind
// (stabilize/session/frame_budget.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "store/server/page_server.h"

namespace tenure::stabilize {

class Database;

// Needs the session's lock.
class FrameAllowance {
 public:
  // While commits and the heap take less than this, another measurement is not worth its time.
  static constexpr uint64_t kMeasuredBytes = uint64_t{1} << 20;

  // The last limit that was measured.
  uint64_t limit() const { return limit_; }
  uint64_t SetLimit(uint64_t bytes) { return limit_ = bytes; }

  // True: the bytes may be taken without a measurement. False: measure; the allowance is used up.
  bool Take(uint64_t bytes) {
    if (spare_ > bytes) {
      spare_ -= bytes;
      return true;
    }
    spare_ = 0;
    return false;
  }
  // This many bytes are below the limit: half of them may be taken before the next measurement.
  void Renew(uint64_t bytes) { spare_ = std::min(bytes / 2, kMeasuredBytes); }
  void MeasureNext() { spare_ = 0; }

  // `committed`: bytes that commits have sent and given homes to; `heap`: bytes of the heap.
  // Whether they have grown little since the last call that returned false: measuring can wait.
  bool IsMeasured(uint64_t committed, uint64_t heap) {
    const uint64_t grown = heap - std::min(heap, heap_);
    if (is_measured_ && committed - committed_ + grown < kMeasuredBytes) return true;
    is_measured_ = true;
    committed_ = committed;
    heap_ = heap;
    return false;
  }

  // Pages that the clock is to close because pages were read.
  void AddClosings(uint64_t pages) { closings_ += pages; }
  bool has_closings() const { return closings_ > 0; }
  void CountClosing() { --closings_; }
  void DropClosings() { closings_ = 0; }

  // The page of the fault that is being answered stays in memory.
  void Keep(const Database* database, PageId page) {
    kept_database_ = database;
    kept_page_ = page;
  }
  bool IsKept(const Database* database, PageId page) const {
    return database == kept_database_ && page == kept_page_;
  }

 private:
  uint64_t limit_ = UINT64_MAX;
  uint64_t spare_ = 0;
  bool is_measured_ = false;
  uint64_t committed_ = 0, heap_ = 0;
  uint64_t closings_ = 0;
  const Database* kept_database_ = nullptr;
  PageId kept_page_;
};

}  // namespace tenure::stabilize
