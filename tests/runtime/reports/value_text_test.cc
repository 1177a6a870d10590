#include "runtime/reports/value_text.h"

#include <gtest/gtest.h>

#include <cstring>

#include "runtime/heap/text.h"
#include "runtime/reports/check_text.h"
#include "tests/runtime/test_program.h"

namespace tenure::runtime::test {
namespace {

using abi::CheckForm;
using abi::RuntimeErrorCode;
using abi::ValueDescriptor;
using abi::ValueKind;

constexpr ValueDescriptor Ordinal(ValueKind kind, uint32_t bits, int64_t first, int64_t last,
                                  const char* names = nullptr) {
  return {kind, bits, first, last, names, nullptr, nullptr, 0, 0};
}

constexpr ValueDescriptor kInteger = Ordinal(ValueKind::kInteger, 64, INT64_MIN, INT64_MAX);
constexpr ValueDescriptor kByte = Ordinal(ValueKind::kInteger, 8, 0, 255);
constexpr ValueDescriptor kSmall = Ordinal(ValueKind::kInteger, 8, -5, 5);
constexpr ValueDescriptor kColor = Ordinal(ValueKind::kEnumeration, 8, 0, 2, "Red,Green,Blue");
constexpr ValueDescriptor kCharacter = Ordinal(ValueKind::kCharacter, 8, 0, 255);
constexpr ValueDescriptor kText = Ordinal(ValueKind::kText, 64, 0, 0);

std::string TextOf(CheckForm form, RuntimeErrorCode code, const void* detail, int64_t a,
                   int64_t b = 0, int64_t c = 0) {
  const abi::CheckSite site = {nullptr, 0, static_cast<uint16_t>(code), form, detail};
  return CheckText(site, a, b, c);
}

TEST(ValueTextTest, OrdinalsAreWrittenAsInTheSource) {
  EXPECT_EQ(OrdinalText(kInteger, -7), "-7");
  EXPECT_EQ(OrdinalText(kColor, 2), "Blue");
  EXPECT_EQ(OrdinalText(kColor, 3), "3");
  EXPECT_EQ(OrdinalText(kCharacter, 'x'), "'x'");
  EXPECT_EQ(OrdinalText(kCharacter, '\n'), "'\\n'");
  EXPECT_EQ(OrdinalText(kCharacter, 1), "'\\001'");
  EXPECT_EQ(OrdinalText(kCharacter, -1), "-1");
  EXPECT_EQ(OrdinalText(kCharacter, 0xff), "'\\377'");
  EXPECT_EQ(OrdinalText(kCharacter, 300), "300");
  EXPECT_EQ(BoundsText(kColor), "[Red..Blue]");
}

TEST(ValueTextTest, ARecordShowsItsFieldsAlsoIfTheyArePacked) {
  const ValueDescriptor three_bits = Ordinal(ValueKind::kInteger, 3, -4, 3);
  const ValueDescriptor* const parts[] = {&kByte, &kSmall, &three_bits, &kColor};
  const uint32_t offsets[] = {0, 8, 16, 19};
  ValueDescriptor color = kColor;
  color.bits = 2;
  const ValueDescriptor* const packed[] = {parts[0], parts[1], parts[2], &color};
  const ValueDescriptor record = {ValueKind::kRecord, 32, 0, 0, "a,b,c,d", packed, offsets, 4, 0};
  const uint32_t bits = 200 | (0xfeu << 8) | (0x5u << 16) | (1u << 19);
  EXPECT_EQ(ValueText(record, &bits), "{a = 200, b = -2, c = -3, d = Green}");
}

TEST(ValueTextTest, LongArraysAndSetsAreShortened) {
  const ValueDescriptor* const parts[] = {&kByte};
  const ValueDescriptor array = {ValueKind::kArray, 800, 0, 99, nullptr, parts, nullptr, 1, 8};
  const unsigned char bytes[100] = {1, 2, 3};
  EXPECT_EQ(ValueText(array, bytes), "{1, 2, 3, 0, 0, 0, 0, 0, ...}");
  const ValueDescriptor* const colors[] = {&kColor};
  const ValueDescriptor set = {ValueKind::kSet, 8, 0, 2, nullptr, colors, nullptr, 1, 0};
  const uint64_t red_and_blue = 0b101;
  EXPECT_EQ(ValueText(set, &red_and_blue), "{Red, Blue}");
}

TEST(ValueTextTest, TextsAreQuotedAndFloatsReadBack) {
  abi::Ref text = NewText("say \"yes\"\n");
  EXPECT_EQ(ValueText(kText, &text), "\"say \\\"yes\\\"\\n\"");
  text = nullptr;
  EXPECT_EQ(ValueText(kText, &text), "NIL");
  const double tenth = 0.1;
  EXPECT_EQ(ValueText(Ordinal(ValueKind::kLongreal, 64, 0, 0), &tenth), "0.1");
  const float half = 0.5f;
  EXPECT_EQ(ValueText(Ordinal(ValueKind::kReal, 32, 0, 0), &half), "0.5");
}

TEST(CheckTextTest, SubscriptsAndRangesNameTheBounds) {
  const auto kSubscript = RuntimeErrorCode::kSubscriptOutOfRange;
  EXPECT_EQ(TextOf(CheckForm::kOpenSubscript, kSubscript, nullptr, 5, 3),
            "subscript out of range: 5 is not in [0..2], the array has 3 elements");
  EXPECT_EQ(TextOf(CheckForm::kOpenSubscript, kSubscript, nullptr, 0, 0),
            "subscript out of range: 0, but the array has no elements");
  EXPECT_EQ(TextOf(CheckForm::kFixedSubscript, kSubscript, &kSmall, 11),
            "subscript out of range: 6 is not in [-5..5]");
  EXPECT_EQ(TextOf(CheckForm::kRange, RuntimeErrorCode::kValueOutOfRange, &kByte, 256),
            "value out of range: 256 is not in [0..255]");
}

TEST(CheckTextTest, ASumThatWrapsAroundIsShownAsItWouldBe) {
  const auto kRange = RuntimeErrorCode::kValueOutOfRange;
  const auto wrapped = static_cast<int64_t>(static_cast<uint64_t>(INT64_MAX) + 5);
  EXPECT_EQ(TextOf(CheckForm::kIncrement, kRange, &kByte, wrapped, 5),
            "value out of range: 9223372036854775812 is not in [0..255]");
  EXPECT_EQ(TextOf(CheckForm::kDecrement, kRange, &kByte, -3, 5),
            "value out of range: -3 is not in [0..255]");
  // FIRST(INTEGER) - FIRST(INTEGER) does not wrap around; 0 - FIRST(INTEGER) does.
  EXPECT_EQ(TextOf(CheckForm::kDecrement, kRange, &kByte, INT64_MIN, INT64_MIN),
            "value out of range: 9223372036854775808 is not in [0..255]");
}

TEST(CheckTextTest, ADivisionNamesTheDividend) {
  const auto kDivision = RuntimeErrorCode::kIntegerDivideByZero;
  EXPECT_EQ(TextOf(CheckForm::kDivision, kDivision, "MOD", -7),
            "integer division by zero: -7 MOD 0");
  EXPECT_EQ(TextOf(CheckForm::kUnsignedDivision, kDivision, "DIV", -1),
            "integer division by zero: 18446744073709551615 DIV 0");
}

TEST(CheckTextTest, TypesAreNamed) {
  const auto object = reinterpret_cast<int64_t>(NewCell(1, nullptr));
  EXPECT_EQ(TextOf(CheckForm::kNarrow, RuntimeErrorCode::kNarrowFailed, "Main.Circle", object),
            std::string("object is not of the required type: found ") + kCellType->name +
                ", wanted Main.Circle");
  EXPECT_EQ(TextOf(CheckForm::kTypecase, RuntimeErrorCode::kUnhandledTypecase, nullptr, 0),
            "no type of TYPECASE matches: found NIL");
}

}  // namespace
}  // namespace tenure::runtime::test
