#include "compiler/emit/constant_arguments.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// The module after the pass, without the quotes of names.
std::string AfterPass(const std::string& code) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(code, context);
  if (module == nullptr) return "";
  Analyses analyses;
  ConstantArgumentsPass().run(*module, analyses.modules);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  std::erase(text, '"');
  return text;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr char kSort[] = R"(
@table = global ptr @sort
define linkonce_odr hidden i64 @sort(ptr %order, i64 %n) {
  %more = call i64 @sort(ptr %order, i64 %n)
  %result = call i64 %order(i64 %more)
  ret i64 %result
}
declare i64 @less(i64)
declare i64 @more(i64)
declare i64 @third(i64)
declare i64 @fourth(i64)
)";

TEST(ConstantArgumentsTest, CopiesAProcedureThatPassesAKnownFunctionToItself) {
  const std::string text = AfterPass(std::string(kSort) + R"(
define i64 @user(i64 %n) {
  %a = call i64 @sort(ptr @less, i64 1)
  %b = call i64 @sort(ptr @less, i64 %n)
  ret i64 %b
}
)");
  EXPECT_TRUE(Has(text, "define linkonce_odr hidden i64 @sort$0$less(ptr %order, i64 %n)")) << text;
  EXPECT_TRUE(Has(text, "%more = call i64 @sort$0$less(ptr @less, i64 %n)")) << text;
  EXPECT_TRUE(Has(text, "%result = call i64 @less(i64 %more)")) << text;
  EXPECT_TRUE(Has(text, "%a = call i64 @sort$0$less(ptr @less, i64 1)")) << text;
  EXPECT_TRUE(Has(text, "%b = call i64 @sort$0$less(ptr @less, i64 %n)")) << text;
  // The procedure itself, whose value others may have, calls what it is given.
  EXPECT_TRUE(Has(text, "%result = call i64 %order(i64 %more)")) << text;
}

TEST(ConstantArgumentsTest, CopiesAProcedureForThreeFunctionsAtMost) {
  const std::string text = AfterPass(std::string(kSort) + R"(
define i64 @user(i64 %n) {
  %a = call i64 @sort(ptr @less, i64 1)
  %b = call i64 @sort(ptr @more, i64 1)
  %c = call i64 @sort(ptr @third, i64 1)
  %d = call i64 @sort(ptr @fourth, i64 1)
  ret i64 %b
}
)");
  int copies = 0;
  for (const char* copy : {"@sort$0$less", "@sort$0$more", "@sort$0$third", "@sort$0$fourth"}) {
    if (Has(text, std::string("define linkonce_odr hidden i64 ") + copy)) ++copies;
  }
  EXPECT_EQ(copies, 3) << text;
  EXPECT_TRUE(Has(text, "call i64 @sort(ptr @")) << text;
}

TEST(ConstantArgumentsTest, KnowsTheFunctionBehindAProcedureThatPassesItOn) {
  const std::string text = AfterPass(std::string(kSort) + R"(
define weak_odr i64 @twice(ptr %order, i64 %n) {
  %a = call i64 @sort(ptr %order, i64 %n)
  %b = call i64 @sort(ptr %order, i64 %a)
  ret i64 %b
}
define i64 @user(i64 %n) {
  %a = call i64 @twice(ptr @less, i64 1)
  ret i64 %a
}
)");
  EXPECT_TRUE(Has(text, "define linkonce_odr hidden i64 @twice$0$less(")) << text;
  EXPECT_TRUE(Has(text, "%b = call i64 @sort$0$less(ptr @less, i64 %a)")) << text;
}

TEST(ConstantArgumentsTest, PutsAShortKnownFunctionInLine) {
  std::string code = R"(
define linkonce_odr hidden i64 @count(ptr %order, i64 %n) {
  %more = call i64 @count(ptr %order, i64 %n)
  %result = call i64 %order(i64 %more)
  ret i64 %result
}
define i64 @short(i64 %n) {
  %x = xor i64 %n, 12345
  ret i64 %x
}
define i64 @apart(i64 %n) noinline {
  ret i64 %n
}
define i64 @long(i64 %n) {
  %x0 = add i64 %n, 1
)";
  // Twice as many instructions as a short one has.
  for (int i = 1; i <= 80; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    code += "  %x" + now + " = mul i64 %x" + before + ", %x" + before + "\n";
  }
  code += R"(
  ret i64 %x80
}
define i64 @user(i64 %n) {
  %a = call i64 @count(ptr @short, i64 1)
  %b = call i64 @count(ptr @long, i64 %n)
  %c = call i64 @count(ptr @apart, i64 %n)
  %ab = add i64 %a, %b
  %abc = add i64 %ab, %c
  ret i64 %abc
}
)";
  const std::string text = AfterPass(code);
  EXPECT_FALSE(Has(text, "call i64 @short(")) << text;
  EXPECT_TRUE(Has(text, ", 12345\n  ret i64")) << text;
  EXPECT_TRUE(Has(text, "call i64 @count$0$short(ptr @short")) << text;
  EXPECT_TRUE(Has(text, "call i64 @long(")) << text;
  EXPECT_TRUE(Has(text, "call i64 @apart(")) << text;
}

TEST(ConstantArgumentsTest, CopiesNothingForOtherArguments) {
  const std::string text = AfterPass(std::string(kSort) + R"(
define i64 @user(ptr %order, i64 %n) {
  %a = call i64 @sort(ptr %order, i64 1)
  %b = call i64 @sort(ptr null, i64 1)
  ret i64 %b
}
)");
  EXPECT_FALSE(Has(text, "@sort$")) << text;
}

TEST(ConstantArgumentsTest, DropsTheTestForAClosureOfAKnownFunction) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(R"(
define i1 @f(ptr %other) {
  %word = load i64, ptr @less, align 1
  %closure = icmp eq i64 %word, -1
  %other_word = load i64, ptr %other, align 1
  %other_closure = icmp eq i64 %other_word, -1
  %either = or i1 %closure, %other_closure
  ret i1 %either
}
define i64 @code() {
  %word = load i64, ptr @less, align 1
  ret i64 %word
}
declare i64 @less(i64)
)",
                                                        context);
  ASSERT_NE(module, nullptr);
  Analyses analyses;
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const char* name : {"f", "code"}) {
    llvm::Function& function = *module->getFunction(name);
    KnownProceduresPass().run(function, analyses.functions);
    function.print(stream);
  }
  EXPECT_TRUE(Has(text, "icmp eq i64 0, -1")) << text;
  EXPECT_TRUE(Has(text, "icmp eq i64 %other_word, -1")) << text;
  // Who reads the code itself gets the code.
  EXPECT_TRUE(Has(text, "ret i64 %word")) << text;
}

TEST(ConstantArgumentsTest, DropsTheStaticLinkOfAKnownFunctionThatHasNone) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(R"(
define i64 @f(ptr %link) {
  %a = call i64 @less(i64 1, ptr nest null)
  %b = call i64 @nested(i64 %a, ptr nest null)
  %c = call i64 @less(i64 %b, ptr nest %link)
  %d = call i64 @less(i64 %c, ptr null)
  ret i64 %d
}
declare i64 @less(i64)
declare i64 @nested(i64, ptr nest)
)",
                                                        context);
  ASSERT_NE(module, nullptr);
  Analyses analyses;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::Function& function = *module->getFunction("f");
  KnownProceduresPass().run(function, analyses.functions);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  function.print(stream);
  EXPECT_TRUE(Has(text, "%a = call i64 @less(i64 1)")) << text;
  EXPECT_TRUE(Has(text, "%b = call i64 @nested(i64 %a, ptr nest null)")) << text;
  EXPECT_TRUE(Has(text, "call i64 @less(i64 %b, ptr nest %link)")) << text;
  EXPECT_TRUE(Has(text, "call i64 @less(i64 %c, ptr null)")) << text;
}

}  // namespace
}  // namespace tenure::compiler
