// The C side of the library's clocks and calendar.

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>

#include "base/futex.h"
#include "base/metrics.h"
#include "runtime/heap/text.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/workers.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

double Seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

extern "C" {

double tn_time_now() {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  return Seconds(now);
}

double tn_time_grain() {
  timespec grain = {};
  clock_getres(CLOCK_REALTIME, &grain);
  return Seconds(grain);
}

int64_t tn_tick_now() { return static_cast<int64_t>(tenure::MonotonicNanoseconds()); }

void tn_time_pause(double seconds) {
  if (!(seconds > 0)) return;
  // Longer than any program runs, and it fits.
  seconds = std::min(seconds, 1e9);
  const double whole = std::floor(seconds);
  timespec left = {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
  const SafeRegion sleeping;
  if (Workers::InUse()) return Workers::Pause(tenure::FutexDeadlineAfter(seconds));
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

Ref tn_time_pieces(double time, uint8_t utc, int64_t* pieces, int64_t /*count*/) {
  const auto seconds = static_cast<time_t>(std::floor(time));
  tm parts = {};
  if (utc != 0) {
    gmtime_r(&seconds, &parts);
  } else {
    localtime_r(&seconds, &parts);
  }
  pieces[0] = int64_t{parts.tm_year} + 1900;
  pieces[1] = parts.tm_mon;
  pieces[2] = parts.tm_mday;
  pieces[3] = parts.tm_hour;
  pieces[4] = parts.tm_min;
  pieces[5] = parts.tm_sec;
  pieces[6] = -parts.tm_gmtoff;
  pieces[7] = parts.tm_wday;
  return NewText(utc != 0 ? "UTC" : parts.tm_zone);
}

double tn_time_from_pieces(const int64_t* pieces, int64_t /*count*/) {
  constexpr double kImpossible = std::numeric_limits<double>::quiet_NaN();
  if (pieces[0] < 0 || pieces[0] - 1900 > INT_MAX) return kImpossible;
  tm parts = {};
  parts.tm_year = static_cast<int>(pieces[0] - 1900);
  parts.tm_mon = static_cast<int>(pieces[1]);
  parts.tm_mday = static_cast<int>(pieces[2]);
  parts.tm_hour = static_cast<int>(pieces[3]);
  parts.tm_min = static_cast<int>(pieces[4]);
  parts.tm_sec = static_cast<int>(pieces[5]);
  // Computed without the seconds: a leap second, 60, is in the next minute, and perhaps the next
  // day.
  tm normal = parts;
  normal.tm_sec = 0;
  const time_t minute = timegm(&normal);
  // 31 April became 1 May: there is no such day.
  if (normal.tm_mon != parts.tm_mon || normal.tm_mday != parts.tm_mday) return kImpossible;
  return static_cast<double>(minute + pieces[5] + pieces[6]);
}

}  // extern "C"
