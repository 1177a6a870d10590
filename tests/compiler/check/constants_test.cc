// The values of constant expressions (docs/language.md 16, 17, 19).
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compiler/check/checked_strings.h"

namespace tenure::compiler {
namespace {

class ConstantsTest : public testing::Test {
 protected:
  // The value of `VAR x: type := expression` in an interface, which must be constant.
  const Constant* Value(const std::string& type, const std::string& expression,
                        const std::string& declarations = "") {
    sources_.push_back(std::make_unique<StringSource>());
    StringSource& source = *sources_.back();
    source.Library(
        "Word.i3",
        "INTERFACE Word; TYPE T = INTEGER; PROCEDURE Plus(x, y: T): T; PROCEDURE LT(x, y: T): "
        "BOOLEAN; "
        "PROCEDURE Not(x: T): T; PROCEDURE LeftShift(x: T; n: [0..63]): T; "
        "PROCEDURE Extract(x: T; i, n: CARDINAL): T; PROCEDURE Insert(x, y: T; i, n: CARDINAL): T; "
        "PROCEDURE Rotate(x: T; n: INTEGER): T; PROCEDURE Divide(x, y: T): T; END Word.");
    source.Package("I.i3", "INTERFACE I; IMPORT Word; " + declarations + "\nVAR x: " + type +
                               " := " + expression + ";\nCONST Used = Word.Plus(0, 0); END I.");
    programs_.push_back(source.Check(/*needs_main=*/false));
    EXPECT_NE(programs_.back(), nullptr) << source.Messages();
    if (programs_.back() == nullptr) return nullptr;
    return FindVariable(FindUnit(*programs_.back(), "I", true), "x")->initial;
  }
  int64_t Integer(const std::string& expression, const std::string& declarations = "") {
    const Constant* value = Value("INTEGER", expression, declarations);
    return value == nullptr ? -999999 : value->ordinal;
  }
  bool Boolean(const std::string& expression, const std::string& declarations = "") {
    const Constant* value = Value("BOOLEAN", expression, declarations);
    return value != nullptr && value->ordinal != 0;
  }

  std::vector<std::unique_ptr<StringSource>> sources_;
  std::vector<std::unique_ptr<Program>> programs_;
};

TEST_F(ConstantsTest, DivisionRoundsToTheFloor) {
  EXPECT_EQ(Integer("-7 DIV 2"), -4);
  EXPECT_EQ(Integer("-7 MOD 2"), 1);
  EXPECT_EQ(Integer("7 DIV -2"), -4);
  EXPECT_EQ(Integer("7 MOD -2"), -1);
  EXPECT_EQ(Integer("-7 MOD 3"), 2);
  EXPECT_EQ(Integer("FIRST(INTEGER) MOD -1"), 0);
}

TEST_F(ConstantsTest, BasedLiteralsWrap) {
  EXPECT_EQ(Integer("16_FFFFFFFFFFFFFFFF"), -1);
  EXPECT_EQ(Integer("16_8000000000000000"), INT64_MIN);
}

TEST_F(ConstantsTest, FloatsAreRoundedToTheirType) {
  EXPECT_EQ(Value("REAL", "0.1")->real, static_cast<double>(0.1f));
  EXPECT_EQ(Value("LONGREAL", "0.1d0")->real, 0.1);
  EXPECT_EQ(Value("REAL", "FLOAT(16777217)")->real, 16777216.0);
  EXPECT_EQ(Integer("ROUND(2.5)"), 2);
  EXPECT_EQ(Integer("ROUND(3.5)"), 4);
  EXPECT_EQ(Integer("FLOOR(-2.5)"), -3);
  EXPECT_EQ(Integer("CEILING(-2.5)"), -2);
  EXPECT_EQ(Integer("TRUNC(-2.5)"), -2);
}

TEST_F(ConstantsTest, Sets) {
  const std::string s =
      "TYPE S = SET OF [3..80]; CONST A = S{3, 70..72}; B = S{71, 80}; C = S{9..4};";
  EXPECT_TRUE(Boolean("70 IN A", s));
  EXPECT_FALSE(Boolean("73 IN A", s));
  EXPECT_FALSE(Boolean("-1 IN A", s));
  EXPECT_TRUE(Boolean("A + B = S{3, 70, 71, 72, 80}", s));
  EXPECT_TRUE(Boolean("A - B = S{3, 70, 72}", s));
  EXPECT_TRUE(Boolean("A * B = S{71}", s));
  EXPECT_TRUE(Boolean("A / B = S{3, 70, 72, 80}", s));
  EXPECT_TRUE(Boolean("S{71} < A", s));
  EXPECT_FALSE(Boolean("A < A", s));
  EXPECT_TRUE(Boolean("A >= A", s));
  EXPECT_TRUE(Boolean("C = S{}", s));
}

TEST_F(ConstantsTest, RecordsAndArrays) {
  const std::string d =
      "TYPE R = RECORD a: INTEGER; b := 7 END; A = ARRAY [1..4] OF INTEGER; "
      "CONST Q = R{a := 1}; P = A{5, 6, ..}; O = ARRAY OF INTEGER{1, 2, 3};";
  EXPECT_EQ(Integer("Q.b", d), 7);
  EXPECT_EQ(Integer("P[1]", d), 5);
  EXPECT_EQ(Integer("P[4]", d), 6);
  EXPECT_EQ(Integer("NUMBER(O)", d), 3);
  EXPECT_EQ(Integer("LAST(O)", d), 2);
  EXPECT_EQ(Integer("FIRST(P) + LAST(P)", d), 5);
  EXPECT_TRUE(Boolean("Q = R{1, 7}", d));
}

TEST_F(ConstantsTest, Ordinals) {
  const std::string d = "TYPE D = {a, b, c, d}; S = [D.c..D.d];";
  EXPECT_EQ(Integer("ORD(FIRST(S))", d), 2);
  EXPECT_EQ(Integer("NUMBER(S)", d), 2);
  EXPECT_EQ(Integer("ORD(VAL(3, S))", d), 3);
  EXPECT_EQ(Integer("ORD('a')"), 97);
  EXPECT_EQ(Integer("ORD(MAX('a', 'b'))"), 98);
  EXPECT_TRUE(Boolean("A.x = B.x", "TYPE A = {x, y}; B = {x, y};"));
  EXPECT_EQ(Integer("VAL(LAST(LONGINT) - LAST(LONGINT), INTEGER)"), 0);
}

TEST_F(ConstantsTest, Sizes) {
  EXPECT_EQ(Integer("BITSIZE(RECORD a: BITS 3 FOR [0..7]; b: BITS 5 FOR [0..31] END)"), 8);
  EXPECT_EQ(Integer("BYTESIZE(ARRAY [0..9] OF REAL)"), 40);
  EXPECT_EQ(Integer("ADRSIZE(CHAR)"), 1);
  EXPECT_EQ(Integer("BITSIZE(BITS 5 FOR [0..31])"), 5);
}

TEST_F(ConstantsTest, WordFunctions) {
  EXPECT_EQ(Integer("Word.Plus(LAST(INTEGER), 1)"), INT64_MIN);
  EXPECT_FALSE(Boolean("Word.LT(-1, 1)"));
  EXPECT_EQ(Integer("Word.Not(0)"), -1);
  EXPECT_EQ(Integer("Word.LeftShift(1, 63)"), INT64_MIN);
  EXPECT_EQ(Integer("Word.Extract(16_ABCD, 4, 8)"), 0xBC);
  EXPECT_EQ(Integer("Word.Insert(16_ABCD, 16_EE, 4, 8)"), 0xAEED);
  EXPECT_EQ(Integer("Word.Rotate(1, -1)"), INT64_MIN);
  EXPECT_EQ(Integer("Word.Divide(-1, 2)"), INT64_MAX);
}

TEST_F(ConstantsTest, ForwardReferencesAndRecursionUnderRef) {
  EXPECT_EQ(Integer("Late", "CONST Late = Later + 1; Later = 41;"), 42);
  EXPECT_EQ(Integer("Depth", "CONST Depth = BITSIZE(REF SET OF [1..Depth]);"), 64);
}

}  // namespace
}  // namespace tenure::compiler
