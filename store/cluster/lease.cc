#include "store/cluster/lease.h"

#include <time.h>

#include <algorithm>

namespace tenure::store {

LeaseTime LeaseNow() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void Lease::Answered(LeaseTime sent) {
  const int64_t end = (sent + length_).count();
  int64_t known = end_.load(std::memory_order_relaxed);
  while (known >= 0 && known < end &&
         !end_.compare_exchange_weak(known, end, std::memory_order_release)) {
  }
}

void Lease::Ended() { end_.store(-1, std::memory_order_release); }

LeaseTime Lease::Left(LeaseTime now) const {
  const LeaseTime end(end_.load(std::memory_order_acquire));
  return std::max(end - now, LeaseTime(0));
}

void BeatWatch::Saw(const NodeRow& row, uint64_t connection, LeaseTime now) {
  if (!watching_ || connection != connection_) connected_ = now;
  connection_ = connection;
  if (watching_ && row.beat == seen_.beat && row.epoch == seen_.epoch) return;
  // The place was taken and the beat is the same: the earlier life has not beaten since.
  vacant_ =
      watching_ && row.epoch > seen_.epoch && row.beat == seen_.beat && now - since_ >= lease_;
  if (vacant_) silent_epoch_ = seen_.epoch;
  heard_ = watching_ && row.beat != seen_.beat;
  watching_ = true;
  seen_ = row;
  since_ = now;
}

}  // namespace tenure::store
