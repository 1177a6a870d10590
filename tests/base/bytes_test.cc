// Written values are read back, and their bytes are those of existing stores and messages.
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace tenure {
namespace {

std::string Bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

TEST(BytesTest, NumbersHaveTheBytesOfTheirForm) {
  const auto written = [](NumberForm form, uint64_t number) {
    ByteWriter writer(form);
    writer.PutNumber(number);
    return std::move(writer).Take();
  };
  EXPECT_EQ(written(NumberForm::kFixed, 0x0102), Bytes({2, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(written(NumberForm::kFixed4, 0x0102), Bytes({2, 1, 0, 0}));
  EXPECT_EQ(written(NumberForm::kShort, 0), Bytes({0}));
  EXPECT_EQ(written(NumberForm::kShort, 0x7F), Bytes({0x7F}));
  EXPECT_EQ(written(NumberForm::kShort, 0x80), Bytes({0x80, 1}));
  EXPECT_EQ(written(NumberForm::kShort, 0x3FFF), Bytes({0xFF, 0x7F}));
  EXPECT_EQ(written(NumberForm::kShort, 0x4000), Bytes({0x80, 0x80, 1}));
  EXPECT_EQ(written(NumberForm::kShort, ~uint64_t{0}),
            Bytes({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}));
}

TEST(BytesTest, TextsHaveTheirLengthBeforeThem) {
  ByteWriter writer(NumberForm::kFixed4);
  writer.PutText("ab");
  writer.Put(uint8_t{7});
  EXPECT_EQ(writer.text(), Bytes({2, 0, 0, 0, 'a', 'b', 7}));
  EXPECT_EQ(writer.bytes().size(), 7u);
}

TEST(BytesTest, WhatIsWrittenIsRead) {
  for (const NumberForm form : {NumberForm::kFixed, NumberForm::kFixed4, NumberForm::kShort}) {
    const std::string page(8192, 'p');
    ByteWriter writer(form);
    writer.Reserve(3);
    std::vector<uint64_t> numbers;
    for (unsigned bits = 0; bits < (form == NumberForm::kFixed4 ? 32 : 64); ++bits) {
      numbers.push_back((uint64_t{1} << bits) - 1);
      numbers.push_back(uint64_t{1} << bits);
    }
    for (const uint64_t number : numbers) writer.PutNumber(number);
    writer.PutText("");
    writer.PutText(page);
    writer.Put(int16_t{-3});
    writer.PutBytes(std::as_bytes(std::span(page)));
    writer.PutNumber(2);
    writer.PutBytes("wordsize", 8);

    ByteReader reader(writer.bytes(), form);
    for (const uint64_t number : numbers) EXPECT_EQ(reader.GetNumber(), number);
    EXPECT_EQ(reader.GetText(), "");
    EXPECT_EQ(reader.GetText(), page);
    EXPECT_EQ(reader.Get<int16_t>(), -3);
    EXPECT_EQ(reader.GetBytes(page.size()).size(), page.size());
    EXPECT_EQ(reader.GetCount(4), 2u);
    EXPECT_TRUE(reader.ok());
    EXPECT_FALSE(reader.AtEnd());
    EXPECT_EQ(reader.GetRest().size(), 8u);
    EXPECT_TRUE(reader.AtEnd());
  }
}

TEST(BytesTest, ReadingBehindTheEndGivesZerosFromThenOn) {
  ByteWriter writer;
  writer.Put(uint32_t{5});
  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.Get<uint64_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.Get<uint32_t>(), 0u);  // although there are enough bytes
  char bytes[3] = {'x', 'y', 'z'};
  reader.GetBytes(bytes, 3);
  EXPECT_EQ(std::string_view(bytes, 3), std::string_view("\0\0\0", 3));
  EXPECT_EQ(reader.GetText(), "");
  EXPECT_TRUE(reader.GetRest().empty());
  EXPECT_FALSE(reader.AtEnd());
}

TEST(BytesTest, ACountThatCannotBeRightIsNone) {
  for (const NumberForm form : {NumberForm::kFixed, NumberForm::kFixed4, NumberForm::kShort}) {
    ByteWriter writer(form);
    writer.PutNumber(1000);
    writer.PutBytes(std::string(100, 'x').data(), 100);
    ByteReader reader(writer.bytes(), form);
    EXPECT_EQ(reader.GetCount(8), 0u);
    EXPECT_FALSE(reader.ok());
  }
}

TEST(BytesTest, ANumberOfTooManyBytesIsNone) {
  const std::string bytes(11, static_cast<char>(0x80));
  ByteReader reader(std::as_bytes(std::span(bytes)), NumberForm::kShort);
  EXPECT_EQ(reader.GetNumber(), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(BytesTest, WhoFindsAMistakeSaysSo) {
  ByteReader reader({});
  EXPECT_TRUE(reader.AtEnd());
  reader.Fail();
  EXPECT_FALSE(reader.ok());
  EXPECT_FALSE(reader.AtEnd());
}

}  // namespace
}  // namespace tenure
