// The C side of the library's formatting and scanning of numbers: shortest digits, correctly
// rounded both ways.

#include <sys/random.h>

#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include "base/metrics.h"
#include "runtime/text.h"

using tenure::abi::Ref;
using tenure::runtime::NewText;

namespace {

constexpr int64_t kInfinity = -1;
constexpr int64_t kNotANumber = -2;

// Digits without point, and the exponent of the first one.
template <typename Float>
int64_t Shortest(Float x, char* digits, int64_t* exponent) {
  *exponent = 0;
  if (std::isnan(x)) return kNotANumber;
  if (std::isinf(x)) return kInfinity;
  char buffer[64];
  // "d.ddde+dd"
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(x), std::chars_format::scientific);
  int64_t count = 0;
  const char* at = buffer;
  for (; at < result.ptr && *at != 'e'; ++at) {
    if (*at != '.') digits[count++] = *at;
  }
  ++at;
  if (*at == '+') ++at;
  std::from_chars(at, result.ptr, *exponent);
  return count;
}

int64_t Format(double x, std::chars_format format, int64_t decimals, char* to, int64_t count) {
  const auto result = std::to_chars(to, to + count, x, format, static_cast<int>(decimals));
  return result.ec == std::errc() ? result.ptr - to : -1;
}

struct DigitPairs {
  constexpr DigitPairs() {
    for (int i = 0; i < 100; ++i) {
      digits[2 * i] = static_cast<char>('0' + i / 10);
      digits[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
  }
  char digits[200] = {};
};
constexpr DigitPairs kPairs;

// Writes the digits so that they end at `end`; where they begin.
char* DecimalBefore(char* end, uint64_t n) {
  while (n >= 100) {
    end -= 2;
    std::memcpy(end, kPairs.digits + 2 * (n % 100), 2);
    n /= 100;
  }
  if (n < 10) {
    *--end = static_cast<char>('0' + n);
    return end;
  }
  end -= 2;
  std::memcpy(end, kPairs.digits + 2 * n, 2);
  return end;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsExponentMark(char c) { return std::strchr("eEdDxX", c) != nullptr && c != '\0'; }

// The longest prefix of the form [sign] digits [. digits] [mark [sign] digits], in C's spelling;
// its length in `used`, 0 when there is none.
std::string NumberPrefix(const char* characters, int64_t count, int64_t* used) {
  std::string text;
  int64_t at = 0;
  const auto digits = [&] {
    const int64_t before = at;
    while (at < count && IsDigit(characters[at])) text += characters[at++];
    return at > before;
  };
  *used = 0;
  if (at < count && (characters[at] == '+' || characters[at] == '-')) {
    if (characters[at] == '-') text += '-';
    ++at;
  }
  bool some = digits();
  if (at < count && characters[at] == '.') {
    if (some || (at + 1 < count && IsDigit(characters[at + 1]))) {
      text += characters[at++];
      some |= digits();
    }
  }
  if (!some) return text;
  *used = at;
  if (at < count && IsExponentMark(characters[at])) {
    const size_t mantissa = text.size();
    text += 'e';
    ++at;
    if (at < count && (characters[at] == '+' || characters[at] == '-')) text += characters[at++];
    if (digits()) {
      *used = at;
    } else {
      text.resize(mantissa);
    }
  }
  return text;
}

// What is read is rounded to the nearest, whatever rounding the program has set for its own sums.
class RoundingToNearest {
 public:
  RoundingToNearest() : former_(std::fegetround()) {
    if (former_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }
  ~RoundingToNearest() {
    if (former_ != FE_TONEAREST) std::fesetround(former_);
  }
  RoundingToNearest(const RoundingToNearest&) = delete;
  RoundingToNearest& operator=(const RoundingToNearest&) = delete;

 private:
  const int former_;
};

template <typename Float>
Float Parse(const char* characters, int64_t count, int64_t* used) {
  const RoundingToNearest rounding;
  Float value = 0;
  // Most numbers are spelt as in C, and nothing follows them.
  const bool sign = count > 0 && characters[0] == '-';
  if (count > sign && IsDigit(characters[sign])) {
    const auto whole = std::from_chars(characters, characters + count, value);
    if (whole.ec == std::errc() && whole.ptr == characters + count) {
      *used = count;
      return value;
    }
  }
  const std::string text = NumberPrefix(characters, count, used);
  if (*used == 0) return 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  // Too large or too small: the C library tells which by its result.
  if constexpr (sizeof(Float) == sizeof(float)) {
    return std::strtof(text.c_str(), nullptr);
  } else {
    return std::strtod(text.c_str(), nullptr);
  }
}

}  // namespace

extern "C" {

Ref tn_integer_text(uint64_t n, int64_t base, uint8_t negative) {
  char digits[66];
  char* const end = digits + sizeof digits;
  if (base == 10) {
    char* begin = DecimalBefore(end, n);
    if (negative != 0) *--begin = '-';
    return NewText({begin, static_cast<size_t>(end - begin)});
  }
  const size_t sign = negative != 0 ? 1 : 0;
  digits[0] = '-';
  const auto result = std::to_chars(digits + sign, end, n, static_cast<int>(base));
  return NewText({digits, static_cast<size_t>(result.ptr - digits)});
}

Ref tn_real_text(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 1e6) || (magnitude < 1e-5 && magnitude != 0)) return nullptr;
  char characters[64];
  const auto result =
      std::to_chars(characters, characters + sizeof characters, x, std::chars_format::fixed);
  return NewText({characters, static_cast<size_t>(result.ptr - characters)});
}

int64_t tn_real_shortest(double x, char* digits, int64_t /*count*/, int64_t* exponent) {
  return Shortest(x, digits, exponent);
}

int64_t tn_real32_shortest(float x, char* digits, int64_t /*count*/, int64_t* exponent) {
  return Shortest(x, digits, exponent);
}

int64_t tn_real_fixed(double x, int64_t decimals, char* to, int64_t count) {
  return Format(x, std::chars_format::fixed, decimals, to, count);
}

int64_t tn_real_scientific(double x, int64_t decimals, char* to, int64_t count) {
  return Format(x, std::chars_format::scientific, decimals, to, count);
}

double tn_real_parse(const char* characters, int64_t count, int64_t* used) {
  return Parse<double>(characters, count, used);
}

float tn_real32_parse(const char* characters, int64_t count, int64_t* used) {
  return Parse<float>(characters, count, used);
}

int64_t tn_random_seed() {
  int64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) {
    seed = static_cast<int64_t>(tenure::MonotonicNanoseconds());
  }
  return seed;
}

}  // extern "C"
