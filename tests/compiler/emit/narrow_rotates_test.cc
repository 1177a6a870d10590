#include "compiler/emit/narrow_rotates.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// The function `f` of the module after the pass.
std::string AfterPass(const std::string& code) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(code, context);
  if (module == nullptr) return "";
  Analyses analyses;
  llvm::Function& function = *module->getFunction("f");
  NarrowRotatesPass().run(function, analyses.functions);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  std::string text;
  llvm::raw_string_ostream stream(text);
  function.print(stream);
  return text;
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(NarrowRotatesTest, RotatesAWordWhoseUpperBitsAreZero) {
  const std::string text = AfterPass(R"(
define i64 @f(i32 %low) {
  %x = zext i32 %low to i64
  %right = lshr i64 %x, 7
  %left = shl i64 %x, 25
  %both = or i64 %left, %right
  %result = and i64 %both, 4294967295
  ret i64 %result
}
)");
  EXPECT_EQ(Count(text, "call i32 @llvm.fshr.i32"), 1u) << text;
}

TEST(NarrowRotatesTest, RotatesSixteenBits) {
  const std::string text = AfterPass(R"(
define i64 @f(i16 %low) {
  %x = zext i16 %low to i64
  %right = lshr i64 %x, 3
  %left = shl i64 %x, 13
  %masked = and i64 %left, 57344
  %both = or i64 %right, %masked
  %result = and i64 %both, 65535
  ret i64 %result
}
)");
  EXPECT_EQ(Count(text, "call i16 @llvm.fshr.i16"), 1u) << text;
}

TEST(NarrowRotatesTest, RotationsOfAnUnknownWordShareItsRepetition) {
  const std::string text = AfterPass(R"(
define i64 @f(i64 %x) {
  %right = lshr i64 %x, 7
  %left = shl i64 %x, 25
  %both = or i64 %left, %right
  %right2 = lshr i64 %x, 18
  %left2 = shl i64 %x, 14
  %both2 = or i64 %left2, %right2
  %sum = xor i64 %both, %both2
  %result = and i64 %sum, 4294967295
  ret i64 %result
}
)");
  EXPECT_EQ(Count(text, "shl i64 %x, 32"), 1u) << text;
  EXPECT_EQ(Count(text, "llvm.fshr"), 0u) << text;
  EXPECT_EQ(Count(text, "xor i64 %both, %both2"), 1u) << text;
}

TEST(NarrowRotatesTest, UsedUpperBitsStay) {
  const std::string code = R"(
define i64 @f(i32 %low) {
  %x = zext i32 %low to i64
  %right = lshr i64 %x, 7
  %left = shl i64 %x, 25
  %both = or i64 %left, %right
  ret i64 %both
}
)";
  EXPECT_EQ(Count(AfterPass(code), "llvm.fshr"), 0u);
}

TEST(NarrowRotatesTest, AMaskThatClearsUsedBitsStays) {
  const std::string code = R"(
define i64 @f(i32 %low) {
  %x = zext i32 %low to i64
  %right = lshr i64 %x, 7
  %left = shl i64 %x, 25
  %masked = and i64 %left, 2147483648
  %both = or i64 %masked, %right
  %result = and i64 %both, 4294967295
  ret i64 %result
}
)";
  EXPECT_EQ(Count(AfterPass(code), "llvm.fshr"), 0u);
}

}  // namespace
}  // namespace tenure::compiler
