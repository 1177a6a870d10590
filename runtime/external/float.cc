// The C side of the library's FloatMode: rounding and the flags of the calling thread.

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>

#include "runtime/threads/threads.h"

namespace {

constexpr int kRoundingModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
// In the order of FloatMode.Flag.
constexpr int kFlags[] = {FE_INVALID, FE_INEXACT, FE_OVERFLOW, FE_UNDERFLOW, FE_DIVBYZERO};

}  // namespace

extern "C" {

void tn_float_set_rounding(int64_t mode) { std::fesetround(kRoundingModes[mode & 3]); }

int64_t tn_float_get_rounding() {
  const int mode = std::fegetround();
  for (int64_t i = 0; i < 4; ++i) {
    if (kRoundingModes[i] == mode) return i;
  }
  return 0;
}

int64_t tn_float_get_flags() {
  int64_t flags = 0;
  for (int i = 0; i < 5; ++i) {
    if (std::fetestexcept(kFlags[i]) != 0) flags |= int64_t{1} << i;
  }
  return flags;
}

void tn_float_set_flags(int64_t flags) {
  std::feclearexcept(FE_ALL_EXCEPT);
  for (int i = 0; i < 5; ++i) {
    if ((flags >> i & 1) != 0) std::feraiseexcept(kFlags[i]);
  }
  // Raising an overflow may raise inexact with it.
  for (int i = 0; i < 5; ++i) {
    if ((flags >> i & 1) == 0) std::feclearexcept(kFlags[i]);
  }
}

void tn_float_set_ignored(int64_t flags) {
  tenure::runtime::AttachedMutator().ignored_float_flags = flags;
}

int64_t tn_float_get_ignored() { return tenure::runtime::AttachedMutator().ignored_float_flags; }

double tn_float_scalb(double x, int64_t n) {
  return std::ldexp(x, static_cast<int>(std::clamp<int64_t>(n, -5000, 5000)));
}

float tn_float32_scalb(float x, int64_t n) {
  return std::ldexp(x, static_cast<int>(std::clamp<int64_t>(n, -5000, 5000)));
}

}  // extern "C"
