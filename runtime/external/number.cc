// The C side of the library's formatting and scanning of numbers: shortest digits, correctly
// rounded both ways.

#include <emmintrin.h>
#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "base/metrics.h"
#include "runtime/heap/text.h"

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

constexpr uint64_t kTenTo8 = 100'000'000;
constexpr uint64_t kTenTo16 = kTenTo8 * kTenTo8;

constexpr uint64_t kPowersOfTen[] = {1,
                                     10,
                                     100,
                                     1'000,
                                     10'000,
                                     100'000,
                                     1'000'000,
                                     10'000'000,
                                     kTenTo8,
                                     1'000'000'000,
                                     10'000'000'000,
                                     100'000'000'000,
                                     1'000'000'000'000,
                                     10'000'000'000'000,
                                     100'000'000'000'000,
                                     1'000'000'000'000'000};

// Characters in a register: the first one in the lowest byte. They are stored at once, so that the
// copy into a text, which loads several at a time, need not wait for single bytes.
using Characters = unsigned __int128;

// The 8 decimal digits of n, below 10 to the power of 8, as numbers.
uint64_t EightDigits(uint64_t n) {
  const uint64_t fours = n / 10'000 | n % 10'000 << 32;
  const uint64_t hundreds = fours * 10'486 >> 20 & 0x7f'0000'007f;
  const uint64_t pairs = (fours - 100 * hundreds) << 16 | hundreds;
  const uint64_t tens = pairs * 103 >> 10 & 0x000f'000f'000f'000f;
  return (pairs - 10 * tens) << 8 | tens;
}

// The 16 decimal digits of n, below 10 to the power of 16, as numbers.
Characters SixteenDigits(uint64_t n) {
  return EightDigits(n / kTenTo8) | Characters{EightDigits(n % kTenTo8)} << 64;
}

constexpr Characters kZeros = Characters{0x3030'3030'3030'3030} << 64 | 0x3030'3030'3030'3030;

void StoreCharacters(char* to, Characters characters) {
  const __m128i both =
      _mm_set_epi64x(static_cast<int64_t>(characters >> 64), static_cast<int64_t>(characters));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), both);
}

// Writes the digits of n, below 10 to the power of 16; their number. Changes 16 characters.
size_t PutDecimal(char* to, uint64_t n) {
  if (n < kTenTo8) {
    const uint64_t digits = EightDigits(n);
    const int zeros = std::countr_zero(digits | uint64_t{1} << 56) / 8;
    StoreCharacters(to, kZeros | digits >> 8 * zeros);
    return static_cast<size_t>(8 - zeros);
  }
  const Characters digits = SixteenDigits(n);
  const int zeros = std::countr_zero(static_cast<uint64_t>(digits)) / 8;
  StoreCharacters(to, kZeros | digits >> 8 * zeros);
  return static_cast<size_t>(16 - zeros);
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

// Writes the digits so that they end at `end`, and returns where they begin. For integers, most of
// which are small, this takes less time than PutDecimal.
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

// Room for any integer in any base, with a sign.
constexpr size_t kMostOfInteger = 66;

// Writes the digits of n in the base, after a minus sign if `negative`, somewhere in `room`.
std::string_view IntegerIn(char (&room)[kMostOfInteger], uint64_t n, int64_t base, bool negative) {
  char* const end = room + kMostOfInteger;
  if (base == 10) {
    char* begin = DecimalBefore(end, n);
    if (negative) *--begin = '-';
    return {begin, static_cast<size_t>(end - begin)};
  }
  const size_t sign = negative ? 1 : 0;
  room[0] = '-';
  const auto result = std::to_chars(room + sign, end, n, static_cast<int>(base));
  return {room, static_cast<size_t>(result.ptr - room)};
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

// Numbers that are read are rounded to the nearest, also when the program has set another rounding
// for its own sums.
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
  char characters[kMostOfInteger];
  return NewText(IntegerIn(characters, n, base, negative != 0));
}

int64_t tn_integer_chars(uint64_t n, int64_t base, uint8_t negative, char* to, int64_t count) {
  char characters[kMostOfInteger];
  const std::string_view integer = IntegerIn(characters, n, base, negative != 0);
  if (count < static_cast<int64_t>(integer.size())) return -1;
  std::memcpy(to, integer.data(), integer.size());
  return static_cast<int64_t>(integer.size());
}

Ref tn_real_text(double x) {
  const double magnitude = std::fabs(x);
  if (!(magnitude < 1e6) || (magnitude < 1e-5 && magnitude != 0)) return nullptr;
  char characters[64];
  const auto result =
      std::to_chars(characters, characters + sizeof characters, x, std::chars_format::fixed);
  return NewText({characters, static_cast<size_t>(result.ptr - characters)});
}

Ref tn_real_fixed_text(double x, int64_t decimals, int64_t digits) {
  constexpr int64_t kMostDigits = 15;
  if (decimals < 0 || decimals > digits || digits > kMostDigits) return nullptr;
  const double magnitude = std::fabs(x);
  if (!(magnitude < static_cast<double>(kPowersOfTen[digits - decimals]))) return nullptr;
  // The mantissa, below 2 to the power of 53, times a power of ten below 2 to the power of 50:
  // exact.
  const auto bits = std::bit_cast<uint64_t>(magnitude);
  const uint64_t fraction_bits = bits & ((uint64_t{1} << 52) - 1);
  const auto exponent = static_cast<int>(bits >> 52);
  const uint64_t mantissa = exponent == 0 ? fraction_bits : fraction_bits | uint64_t{1} << 52;
  // Between 3, as x is below 10 to the power of 15, and 1074.
  const int shift = 1075 - std::max(exponent, 1);
  const unsigned __int128 product =
      static_cast<unsigned __int128>(mantissa) * kPowersOfTen[decimals];
  uint64_t rounded = 0;
  if (shift < 110) {
    rounded = static_cast<uint64_t>(product >> shift);
    const unsigned __int128 rest = product & ((static_cast<unsigned __int128>(1) << shift) - 1);
    const unsigned __int128 half = static_cast<unsigned __int128>(1) << (shift - 1);
    // To even at ties.
    if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  }
  char characters[64];
  size_t size = 0;
  characters[0] = '-';
  if (std::signbit(x)) ++size;
  size += PutDecimal(characters + size, rounded / kPowersOfTen[decimals]);
  if (decimals > 0) {
    characters[size++] = '.';
    const Characters all = SixteenDigits(rounded % kPowersOfTen[decimals]);
    StoreCharacters(characters + size, kZeros | all >> 8 * (16 - decimals));
    size += static_cast<size_t>(decimals);
  }
  return NewText({characters, size});
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
