#include "base/near_names.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace tenure {
namespace {

NearNames Among(std::string_view wanted, std::initializer_list<std::string_view> candidates) {
  NearNames names(wanted);
  for (const std::string_view candidate : candidates) names.Consider(candidate);
  return names;
}

TEST(NearNamesTest, CapitalsAndUnderscoresCountLeast) {
  EXPECT_EQ(Among("io", {"in", "IO"}).best(), "IO");
  EXPECT_EQ(Among("put_int", {"PutReal", "PutInt"}).best(), "PutInt");
  EXPECT_TRUE(Among("integer", {"INTEGER"}).is_sure());
}

TEST(NearNamesTest, OneSlipIsSureAndTwoAreSoOnlyInLongNames) {
  EXPECT_TRUE(Among("cuont", {"count"}).is_sure());
  EXPECT_FALSE(Among("cuomt", {"count"}).is_sure());
  EXPECT_TRUE(Among("adresss", {"address"}).is_sure());
  EXPECT_FALSE(Among("sun", {"sum"}).is_sure());
}

TEST(NearNamesTest, TwoNamesThatAreAsNearAreNoSureChoice) {
  const NearNames names = Among("count3", {"count1", "count2"});
  EXPECT_EQ(names.best(), "count1");
  EXPECT_FALSE(names.is_sure());
}

TEST(NearNamesTest, AbbreviationsResembleTheirName) {
  EXPECT_EQ(Among("Len", {"Equal", "Length"}).best(), "Length");
  EXPECT_EQ(Among("Cmp", {"Compare"}).best(), "Compare");
  EXPECT_FALSE(Among("Len", {"Length"}).is_sure());
}

TEST(NearNamesTest, OtherNamesAreNoSuggestionButCanBeListed) {
  const NearNames names = Among("address", {"name", "age"});
  EXPECT_EQ(names.best(), "");
  EXPECT_EQ(names.Nearest(1).size(), 1u);
  EXPECT_EQ(names.Nearest(5).size(), 2u);
  EXPECT_EQ(Among("x", {"y"}).best(), "");
}

TEST(NearNamesTest, ListsOfNamesEndWithAWord) {
  EXPECT_EQ(JoinNames({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(JoinNames({"a", "b"}, "or"), "a or b");
  EXPECT_EQ(JoinNames({}), "");
}

}  // namespace
}  // namespace tenure
