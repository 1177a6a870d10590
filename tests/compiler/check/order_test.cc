// The order in which module bodies run (docs/language.md 22.2).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/compiler/check/checked_strings.h"

namespace tenure::compiler {
namespace {

class OrderTest : public testing::Test {
 protected:
  void Interface(const std::string& name, const std::string& imports = "") {
    source_.Library(name + ".i3", "INTERFACE " + name + "; " + imports + " END " + name + ".");
  }
  void Module(const std::string& name, const std::string& imports = "") {
    source_.Library(name + ".m3", "MODULE " + name + "; " + imports + " BEGIN END " + name + ".");
  }
  // Names of modules, in order.
  std::vector<std::string> Order(const std::string& imports_of_main) {
    source_.Basics().Package("Main.m3", "MODULE Main; " + imports_of_main + " BEGIN END Main.");
    program_ = source_.Check();
    EXPECT_NE(program_, nullptr) << source_.Messages();
    std::vector<std::string> order;
    for (const CheckedUnit* unit : program_->units) {
      if (!unit->is_interface) order.push_back(unit->name);
    }
    return order;
  }
  static bool Before(const std::vector<std::string>& order, const std::string& a,
                     const std::string& b) {
    const auto x = std::find(order.begin(), order.end(), a),
               y = std::find(order.begin(), order.end(), b);
    return x != order.end() && y != order.end() && x < y;
  }
  StringSource source_;
  std::unique_ptr<Program> program_;
};

TEST_F(OrderTest, WhatIsUsedRunsFirstAndMainLast) {
  Interface("A");
  Interface("B");
  Module("A", "IMPORT B;");
  Module("B");
  const auto order = Order("IMPORT A;");
  EXPECT_TRUE(Before(order, "B", "A"));
  EXPECT_EQ(order.back(), "Main");
}

TEST_F(OrderTest, InterfacesPassDependenciesOn) {
  Interface("A", "IMPORT B;");
  Interface("B");
  Module("A");
  Module("B");
  EXPECT_TRUE(Before(Order("IMPORT A;"), "B", "A"));
}

// A and B import each other, and only B imports C, so a search that begins with A reaches C late.
TEST_F(OrderTest, WhatACycleNeedsRunsBeforeAllOfIt) {
  for (const char* name : {"A", "B", "C"}) Interface(name);
  Module("A", "IMPORT B;");
  Module("B", "IMPORT A, C;");
  Module("C");
  const auto order = Order("IMPORT A;");
  EXPECT_TRUE(Before(order, "C", "A"));
  EXPECT_TRUE(Before(order, "C", "B"));
}

TEST_F(OrderTest, UnusedUnitsOfThePackageAreInTheProgram) {
  source_.Package("Lone.m3", "MODULE Lone EXPORTS Lone; BEGIN END Lone.")
      .Package("Lone.i3", "INTERFACE Lone; END Lone.");
  EXPECT_TRUE(Before(Order(""), "Lone", "Main"));
}

TEST_F(OrderTest, ContentKeysFollowImportsOnly) {
  auto keys = [](const std::string& a_text, const std::string& b_text) {
    StringSource source;
    source.Basics();
    source.Library("A.i3", a_text).Library("B.i3", b_text);
    source.Package("Main.m3", "MODULE Main; IMPORT A; BEGIN EVAL A.X END Main.");
    source.Package("Other.i3", "INTERFACE Other; IMPORT B; CONST Y = B.X; END Other.");
    const std::unique_ptr<Program> program = source.Check();
    EXPECT_NE(program, nullptr) << source.Messages();
    return std::pair{FindUnit(*program, "Main")->content_key,
                     FindUnit(*program, "Other", true)->content_key};
  };
  const std::string a = "INTERFACE A; CONST X = 1; END A.", b = "INTERFACE B; CONST X = 1; END B.";
  const auto before = keys(a, b);
  EXPECT_EQ(before, keys(a, b));
  const auto after = keys("INTERFACE A; CONST X = 2; END A.", b);
  EXPECT_NE(before.first, after.first);
  EXPECT_EQ(before.second, after.second);
}

}  // namespace
}  // namespace tenure::compiler
