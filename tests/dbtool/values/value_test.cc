#include "dbtool/values/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "dbtool/values/json.h"

namespace tenure::dbtool {
namespace {

TEST(ValueTest, TextsAreQuotedWithEscapesForControls) {
  EXPECT_EQ(Quoted("a\"b\\c\n\x1B"), R"("a\"b\\c\n\033")");
  EXPECT_EQ(Quoted("\xC2\x9B"
                   "31m"),
            R"("\23331m")");
  EXPECT_EQ(Quoted("\xE2\x80\xAE\xE2\x80\xA8\xEF\xBB\xBF"), R"("\x202e\x2028\xfeff")");
  EXPECT_EQ(Quoted("\xC3\xA9\xE2\x82\xAC"), "\"\xC3\xA9\xE2\x82\xAC\"");
  EXPECT_EQ(Quoted("\x9B"), R"("\233")");
  EXPECT_EQ(Quoted("ab", 3), "\"ab\"... 3 more characters");
}

TEST(ValueTest, JsonHasNoControlsEither) {
  const Json json = {{"a",
                      "\xC2\x9B\xE2\x80\xAE\x7F"
                      "b\xC3\xA9"}};
  EXPECT_EQ(LineOf(json),
            "{\"a\":\"\\u009b\\u202e\\u007f"
            "b\xC3\xA9\"}");
  EXPECT_EQ(Json::parse(LineOf(json)), json);
  EXPECT_EQ(LineOf(Json("a\xFF")), "\"a\xEF\xBF\xBD\"");
}

TEST(ValueTest, DeepJsonIsNotParsed) {
  EXPECT_FALSE(IsTooDeep(std::string(1000, '[')));
  EXPECT_TRUE(IsTooDeep(std::string(1001, '[')));
  EXPECT_FALSE(IsTooDeep("\"" + std::string(2000, '[') + "\\\"" + std::string(2000, '{') + "\""));
  std::string flat;
  for (int i = 0; i < 2000; ++i) flat += "[{}],";
  EXPECT_FALSE(IsTooDeep(flat));
}

TEST(ValueTest, NumbersHaveTheFewestDigits) {
  EXPECT_EQ(RealText(0.1, false), "0.1");
  EXPECT_EQ(RealText(0.1f, true), "0.1");
  EXPECT_EQ(RealText(-0.0, false), "-0.0");
  EXPECT_EQ(RealText(1e100, false), "1e+100");
  EXPECT_EQ(RealText(std::nan(""), false), "NaN");
  EXPECT_EQ(RealText(-INFINITY, true), "-Infinity");
}

}  // namespace
}  // namespace tenure::dbtool
