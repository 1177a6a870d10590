#include "dbtool/values/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace tenure::dbtool {
namespace {

Datum Element(const ValueTypePtr& type, int number) {
  Datum element;
  element.kind = DatumKind::kEnumeration;
  element.type = type;
  element.number = number;
  return element;
}

Datum Character(int code) {
  Datum character;
  character.kind = DatumKind::kCharacter;
  character.number = code;
  return character;
}

TEST(CompareTest, NumbersAreComparedExactly) {
  EXPECT_EQ(CompareData(OfNumber(9007199254740993), OfReal(9007199254740992.0)), 1);
  EXPECT_EQ(CompareData(OfNumber(3), OfReal(3.0)), 0);
  EXPECT_EQ(CompareData(OfReal(std::nan("")), OfNumber(3)), std::nullopt);
  EXPECT_EQ(CompareData(OfNumber(0), OfText("0")), std::nullopt);
}

TEST(CompareTest, OnlyWhatIsOfTheKindIsAnOrdinal) {
  const ValueTypePtr small = ParseValueType("[0..10]"), chars = ParseValueType("CHAR"),
                     truths = ParseValueType("BOOLEAN");
  EXPECT_EQ(OrdinalIn(*small, OfNumber(3)), 3);
  EXPECT_EQ(OrdinalIn(*small, OfReal(3.0)), 3);
  EXPECT_EQ(OrdinalIn(*small, OfNumber(30)), 30);  // outside of the bounds, but an ordinal
  EXPECT_EQ(OrdinalIn(*chars, OfText("b")), 'b');
  EXPECT_EQ(OrdinalIn(*chars, OfText("\xC3\xA9")), 0xE9);
  EXPECT_EQ(OrdinalIn(*chars, Character('b')), 'b');
  EXPECT_EQ(OrdinalIn(*truths, OfBoolean(true)), 1);
  for (const Datum& wrong : {Datum(), OfReal(0.5), OfReal(std::nan("")), OfReal(INFINITY),
                             OfText("3"), OfBoolean(false)}) {
    EXPECT_EQ(OrdinalIn(*small, wrong), std::nullopt);
  }
  for (const Datum& wrong : {Datum(), OfText(""), OfText("ab"), OfNumber(98)}) {
    EXPECT_EQ(OrdinalIn(*chars, wrong), std::nullopt);
  }
}

TEST(CompareTest, ElementsOfAnEnumerationThatHasGrownAreTheSameByName) {
  const ValueTypePtr before = ParseValueType("{Asset, Debt}"),
                     now = ParseValueType("{Equity, Asset, Debt}");
  EXPECT_EQ(CompareData(Element(before, 0), Element(now, 1)), 0);
  EXPECT_EQ(CompareData(Element(now, 2), Element(before, 1)), 0);
  EXPECT_EQ(CompareData(Element(before, 1), Element(now, 1)), 1);
  EXPECT_EQ(OrdinalIn(*before, Element(now, 0)), std::nullopt);
  EXPECT_EQ(CompareData(Element(before, 0), Element(ParseValueType("{Red}"), 0)), std::nullopt);
}

}  // namespace
}  // namespace tenure::dbtool
