// The C functions behind the library, called as compiled code calls them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "runtime/heap/text.h"
#include "runtime/start/runtime.h"
#include "tests/runtime/test_program.h"

extern "C" {
using tenure::abi::Ref;
Ref tn_text8_from(const char*, int64_t);
Ref tn_text16_from(const uint16_t*, int64_t);
int64_t tn_text8_length(Ref);
uint8_t tn_text8_get(Ref, int64_t);
int64_t tn_text_flat_kind(Ref);
int64_t tn_chars_compare(const char*, int64_t, const char*, int64_t);
int64_t tn_chars_find(const char*, int64_t, uint8_t);
int64_t tn_chars_hash(const char*, int64_t, int64_t);
int64_t tn_wide_chars_hash(const uint16_t*, int64_t, int64_t);
int64_t tn_file_open(const char*, int64_t, int64_t, int64_t);
int64_t tn_file_read(int64_t, char*, int64_t);
int64_t tn_file_write(int64_t, const char*, int64_t, int64_t*);
int64_t tn_file_seek(int64_t, int64_t, int64_t);
int64_t tn_file_size(int64_t);
int64_t tn_file_close(int64_t);
int64_t tn_file_kind(int64_t);
int64_t tn_path_delete(const char*, int64_t);
Ref tn_error_text(int64_t);
Ref tn_time_pieces(double, uint8_t, int64_t*, int64_t);
double tn_time_from_pieces(const int64_t*, int64_t);
int64_t tn_real_shortest(double, char*, int64_t, int64_t*);
int64_t tn_real32_shortest(float, char*, int64_t, int64_t*);
int64_t tn_real_fixed(double, int64_t, char*, int64_t);
double tn_real_parse(const char*, int64_t, int64_t*);
Ref tn_integer_text(uint64_t, int64_t, uint8_t);
}

namespace tenure::runtime::test {
namespace {

int64_t Size(const std::string& text) { return static_cast<int64_t>(text.size()); }

TEST(ExternalTextTest, IntegersOfEveryLength) {
  uint64_t power = 1;
  for (int digits = 1; digits <= 20; ++digits) {
    for (const uint64_t n : {power - 1, power, power + 1, power / 3 * 7}) {
      EXPECT_EQ(CopyOfText(tn_integer_text(n, 10, 0)), std::to_string(n));
      EXPECT_EQ(CopyOfText(tn_integer_text(n, 10, 1)), "-" + std::to_string(n));
    }
    power *= 10;
  }
  EXPECT_EQ(CopyOfText(tn_integer_text(~uint64_t{0}, 10, 0)), "18446744073709551615");
  EXPECT_EQ(CopyOfText(tn_integer_text(~uint64_t{0}, 2, 1)), "-" + std::string(64, '1'));
  EXPECT_EQ(CopyOfText(tn_integer_text(255, 16, 0)), "ff");
}

// Long texts take another path than short ones.
TEST(ExternalTextTest, TextsOfEveryLength) {
  std::string characters;
  for (int i = 0; i < 5000; ++i) {
    if (i < 100 || i % 97 == 0 || (i > 1000 && i < 1050)) {
      Ref text = tn_text8_from(characters.data(), Size(characters));
      ASSERT_EQ(tn_text8_length(text), i);
      ASSERT_EQ(CopyOfText(text), characters);
      ASSERT_EQ(tn_text8_get(text, i), 0);
    }
    characters += static_cast<char>('a' + i % 26);
  }
}

TEST(ExternalTextTest, AFlatTextEndsWithAZero) {
  Ref text = tn_text8_from("abc", 3);
  EXPECT_EQ(tn_text8_length(text), 3);
  EXPECT_EQ(tn_text8_get(text, 2), 'c');
  EXPECT_EQ(tn_text8_get(text, 3), 0);
  EXPECT_EQ(tn_text_flat_kind(text), 8);
  const uint16_t wide[] = {'x', 300};
  Ref text16 = tn_text16_from(wide, 2);
  EXPECT_EQ(tn_text_flat_kind(text16), 16);
  EXPECT_EQ(CopyOfText(text16), "x?");
  EXPECT_EQ(tn_text8_length(tn_text8_from("", 0)), 0);
}

TEST(ExternalMemoryTest, ComparesFindsAndHashes) {
  EXPECT_EQ(tn_chars_compare("ab", 2, "abc", 3), -1);
  EXPECT_EQ(tn_chars_compare("b", 1, "abc", 3), 1);
  EXPECT_EQ(tn_chars_compare("\xff", 1, "a", 1), 1);
  EXPECT_EQ(tn_chars_compare("", 0, "", 0), 0);
  EXPECT_EQ(tn_chars_find("hello", 5, 'l'), 2);
  EXPECT_EQ(tn_chars_find("hello", 5, 'z'), -1);
  const uint16_t wide[] = {'h', 'e', 'y'};
  EXPECT_EQ(tn_wide_chars_hash(wide, 3, 4), tn_chars_hash("hey", 3, 4));
  EXPECT_NE(tn_chars_hash("hey", 3, 4), tn_chars_hash("hez", 3, 4));
}

TEST(ExternalFileTest, WritesSeeksAndReads) {
  const std::string path = testing::TempDir() + "tn_file_test_" + std::to_string(getpid());
  const int64_t fd = tn_file_open(path.c_str(), Size(path), 1 + 2 + 4 + 16, 0600);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(tn_file_kind(fd), 0);
  int64_t written = 0;
  EXPECT_EQ(tn_file_write(fd, "persistent", 10, &written), 0);
  EXPECT_EQ(written, 10);
  EXPECT_EQ(tn_file_size(fd), 10);
  EXPECT_EQ(tn_file_seek(fd, 0, 3), 3);
  char buffer[32];
  EXPECT_EQ(tn_file_read(fd, buffer, sizeof buffer), 7);
  EXPECT_EQ(std::string(buffer, 7), "sistent");
  EXPECT_EQ(tn_file_read(fd, buffer, sizeof buffer), 0);
  EXPECT_EQ(tn_file_close(fd), 0);
  EXPECT_EQ(tn_file_close(fd), -EBADF);
  EXPECT_EQ(tn_path_delete(path.c_str(), Size(path)), 0);
  EXPECT_EQ(tn_file_open(path.c_str(), Size(path), 1, 0), -ENOENT);
  EXPECT_EQ(CopyOfText(tn_error_text(ENOENT)), "No such file or directory");
}

TEST(ExternalTimeTest, PiecesAndBack) {
  int64_t pieces[8];
  EXPECT_EQ(CopyOfText(tn_time_pieces(951827696.0, 1, pieces, 8)), "UTC");  // 2000-02-29 12:34:56
  const int64_t expected[8] = {2000, 1, 29, 12, 34, 56, 0, 2};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(pieces[i], expected[i]) << i;
  EXPECT_EQ(tn_time_from_pieces(pieces, 8), 951827696.0);
  pieces[0] = 2001;
  EXPECT_TRUE(std::isnan(tn_time_from_pieces(pieces, 8)));
}

TEST(ExternalNumberTest, ShortestDigitsReadBack) {
  char digits[32];
  int64_t exponent = 0;
  EXPECT_EQ(tn_real_shortest(123.5, digits, 32, &exponent), 4);
  EXPECT_EQ(std::string(digits, 4), "1235");
  EXPECT_EQ(exponent, 2);
  EXPECT_EQ(tn_real_shortest(-0.001, digits, 32, &exponent), 1);
  EXPECT_EQ(exponent, -3);
  EXPECT_EQ(tn_real_shortest(0, digits, 32, &exponent), 1);
  EXPECT_EQ(digits[0], '0');
  EXPECT_EQ(tn_real_shortest(std::numeric_limits<double>::infinity(), digits, 32, &exponent), -1);
  EXPECT_EQ(tn_real_shortest(std::nan(""), digits, 32, &exponent), -2);
  EXPECT_EQ(tn_real32_shortest(0.1f, digits, 32, &exponent), 1);

  std::mt19937_64 random(20);
  for (int i = 0; i < 20000; ++i) {
    double x;
    const uint64_t bits = random() & ~(uint64_t{1} << 63);
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isfinite(x)) continue;
    const int64_t count = tn_real_shortest(x, digits, 32, &exponent);
    ASSERT_LE(count, 17);
    const std::string text = std::string(digits, 1) + "." + std::string(digits + 1, count - 1) +
                             "d" + std::to_string(exponent);
    int64_t used = 0;
    ASSERT_EQ(tn_real_parse(text.c_str(), Size(text), &used), x) << text;
    ASSERT_EQ(used, Size(text)) << text;
  }
}

TEST(ExternalNumberTest, ParseTakesTheLongestNumberAndNoMore) {
  const auto parse = [](const std::string& text) {
    int64_t used = 0;
    const double value = tn_real_parse(text.c_str(), Size(text), &used);
    return std::pair(value, used);
  };
  EXPECT_EQ(parse("+1.5e3x"), std::pair(1500.0, int64_t{6}));
  EXPECT_EQ(parse("-2.5E+2"), std::pair(-250.0, int64_t{7}));
  EXPECT_EQ(parse("12e"), std::pair(12.0, int64_t{2}));
  EXPECT_EQ(parse("12.e"), std::pair(12.0, int64_t{3}));
  EXPECT_EQ(parse(".5"), std::pair(0.5, int64_t{2}));
  EXPECT_EQ(parse(".").second, 0);
  EXPECT_EQ(parse("abc").second, 0);
  EXPECT_EQ(parse("1e999"), std::pair(std::numeric_limits<double>::infinity(), int64_t{5}));
  EXPECT_EQ(parse("1e-999"), std::pair(0.0, int64_t{6}));
}

TEST(ExternalNumberTest, FixedIsRoundedCorrectly) {
  char buffer[400];
  const int64_t count = tn_real_fixed(2.675, 2, buffer, sizeof buffer);
  EXPECT_EQ(std::string(buffer, count), "2.67");
  EXPECT_EQ(tn_real_fixed(1e300, 2, buffer, 10), -1);
}

}  // namespace
}  // namespace tenure::runtime::test
