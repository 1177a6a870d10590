#include "compiler/format/fixes.h"

#include <gtest/gtest.h>

namespace tenure::compiler {
namespace {

FoundMessage At(const std::string& path, uint32_t begin, const std::string& text,
                std::vector<TextChange> changes, bool is_error = true) {
  return {path, begin, 1, "M0001", text, is_error, std::move(changes)};
}

class FixesTest : public testing::Test {
 protected:
  FixesTest() {
    texts_.Add("a", "0123456789");
    texts_.Add("b", "abcdef");
  }
  std::string a() const { return texts_.texts().at("a"); }
  std::string b() const { return texts_.texts().at("b"); }

  FixingTexts texts_;
};

TEST_F(FixesTest, AppliesAllThatDoNotOverlap) {
  EXPECT_TRUE(
      texts_.Round({At("a", 1, "x", {{"a", 1, 3, "X"}}), At("a", 2, "y", {{"a", 2, 4, "Y"}}),
                    At("a", 5, "z", {{"a", 5, 5, "Z"}})}));
  EXPECT_EQ(a(), "0X34Z56789");
  EXPECT_EQ(texts_.fix_count(), 2);
  EXPECT_EQ(texts_.changed(), std::vector<std::string>{"a"});
  EXPECT_FALSE(texts_.Round({}));
  EXPECT_EQ(texts_.fix_count(), 2);
}

TEST_F(FixesTest, AMessageIsFixedWholeOrNotAtAll) {
  EXPECT_TRUE(texts_.Round({At("a", 0, "x", {{"a", 0, 1, "X"}}),
                            At("b", 0, "y", {{"b", 0, 1, "Y"}, {"a", 0, 2, "Y"}})}));
  EXPECT_EQ(a(), "X123456789");
  EXPECT_EQ(b(), "abcdef");
}

TEST_F(FixesTest, TwoInsertionsAtOnePlaceAreTwoRounds) {
  const FoundMessage second = At("a", 4, "y", {{"a", 3, 3, "Y"}});
  EXPECT_TRUE(texts_.Round({At("a", 3, "x", {{"a", 3, 3, "X"}}), second}));
  EXPECT_EQ(a(), "012X3456789");
  EXPECT_TRUE(texts_.Round({At("a", 5, "y", {{"a", 4, 4, "Y"}})}));
  EXPECT_EQ(a(), "012XY3456789");
}

TEST_F(FixesTest, InsertionsOfOneMessageKeepTheirOrder) {
  EXPECT_TRUE(texts_.Round({At("a", 3, "x", {{"a", 3, 3, "("}, {"a", 3, 3, "-"}})}));
  EXPECT_EQ(a(), "012(-3456789");
}

TEST_F(FixesTest, AFileWhoseMessageStaysIsRestored) {
  // The first fix moves the message of the second.
  const FoundMessage helps = At("a", 0, "x", {{"a", 0, 0, "long"}});
  const FoundMessage fails = At("a", 5, "y", {{"a", 5, 6, "Y"}});
  EXPECT_TRUE(texts_.Round({helps, fails, At("b", 0, "z", {{"b", 0, 1, "Z"}})}));
  EXPECT_EQ(a(), "long01234Y6789");
  EXPECT_TRUE(texts_.Round({At("a", 9, "y", {{"a", 9, 10, "Y"}})}));
  EXPECT_EQ(a(), "0123456789");
  EXPECT_EQ(b(), "Zbcdef");
  ASSERT_EQ(texts_.restored().size(), 1u);
  EXPECT_EQ(texts_.restored()[0].path, "a");
  // The fix that helps is applied again, and the other one is not.
  EXPECT_TRUE(texts_.Round({helps, fails}));
  EXPECT_EQ(a(), "long0123456789");
  EXPECT_FALSE(texts_.Round({At("a", 9, "y", {{"a", 9, 10, "Y"}})}));
  EXPECT_EQ(texts_.fix_count(), 2);
}

TEST_F(FixesTest, AnEqualMessageElsewhereIsNoFailure) {
  EXPECT_TRUE(texts_.Round({At("a", 2, "x", {{"a", 2, 3, "X"}})}));
  EXPECT_FALSE(texts_.Round({At("a", 7, "x", {})}));
  EXPECT_EQ(a(), "01X3456789");
  EXPECT_TRUE(texts_.restored().empty());
}

TEST_F(FixesTest, AFixThatCausesTheFirstErrorsIsUndoneInAllItsFiles) {
  const FoundMessage warning =
      At("a", 2, "x", {{"a", 2, 3, "X"}, {"b", 0, 1, "Y"}}, /*is_error=*/false);
  EXPECT_TRUE(texts_.Round({warning}));
  EXPECT_TRUE(texts_.Round({At("b", 0, "wrong", {})}));
  EXPECT_EQ(a(), "0123456789");
  EXPECT_EQ(b(), "abcdef");
  EXPECT_FALSE(texts_.Round({warning}));
  EXPECT_EQ(texts_.fix_count(), 0);
}

}  // namespace
}  // namespace tenure::compiler
