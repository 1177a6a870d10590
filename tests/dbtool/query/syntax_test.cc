#include "dbtool/query/syntax.h"

#include <gtest/gtest.h>

#include <string>

namespace tenure::dbtool {
namespace {

std::string Repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

ExprPtr Parsed(const std::string& text) {
  QueryProblem problem;
  ExprPtr expr = ParseExpression(text, &problem);
  EXPECT_NE(expr, nullptr) << problem.what;
  return expr;
}

TEST(SyntaxTest, ConditionsOfManyTermsAreNotDeep) {
  const ExprPtr expr = Parsed("a = 0" + Repeated(" or a = 1 and b = 2", 10'000));
  EXPECT_EQ(expr->parts.size(), 10'001u);
  EXPECT_EQ(expr->depth, 4);
}

TEST(SyntaxTest, DepthIsLimitedHoweverItComes) {
  for (const std::string& text :
       {"1" + Repeated(" + 1", 501), "1" + Repeated(" * 1", 501), "a" + Repeated(".b", 501),
        "a" + Repeated("[1]", 501), "1" + Repeated(" = 1", 501), Repeated("not ", 501) + "a",
        Repeated("- ", 501) + "a", Repeated("(", 501) + "1" + Repeated(")", 501),
        Repeated("abs(", 501) + "1" + Repeated(")", 501), Repeated("[", 501) + Repeated("]", 501),
        "a" + Repeated(" not in b", 501), "a" + Repeated(" between 1 and 2", 501)}) {
    QueryProblem problem;
    EXPECT_EQ(ParseExpression(text, &problem), nullptr) << text.substr(0, 20);
    EXPECT_NE(problem.what.find("nested too deeply"), std::string::npos) << problem.what;
  }
  EXPECT_LE(Parsed("1" + Repeated(" + 1", 400))->depth, 401);
}

TEST(SyntaxTest, TheOperandOfBetweenStandsOnce) {
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text = "(" + text + " between 1 and 2)";
  const ExprPtr expr = Parsed(text);
  EXPECT_EQ(expr->kind, ExprKind::kBetween);
  EXPECT_EQ(expr->parts.size(), 3u);
  EXPECT_EQ(expr->depth, 101);
}

TEST(SyntaxTest, AClauseStandsOnce) {
  for (const char* text :
       {"a limit 1 limit 2", "a offset 1 offset 1", "a where b where c", "a group by b group by c",
        "a sort by b order by c", "select a from b select c", "a group by b having c having d"}) {
    QueryProblem problem;
    EXPECT_FALSE(ParseQuery(text, &problem)) << text;
    EXPECT_NE(problem.what.find("stands twice"), std::string::npos) << problem.what;
  }
}

TEST(SyntaxTest, EscapesOfWideTexts) {
  EXPECT_EQ(Parsed(R"("\x20ac\233")")->literal.text, "\xE2\x82\xAC\xC2\x9B");
  QueryProblem problem;
  EXPECT_EQ(ParseExpression(R"("\x20g")", &problem), nullptr);
}

}  // namespace
}  // namespace tenure::dbtool
