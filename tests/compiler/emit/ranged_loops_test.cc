#include "compiler/emit/ranged_loops.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// FOR i := first TO last DO IF `number` IN set THEN work() END END, where an iteration comes to
// `number`.
std::string Loop(const std::string& number, const std::string& call) {
  return R"(
declare void @work()
define void @f(i64 %first, i64 %last, i64 %set, i64 %shift, ptr %place) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %latch ]
)" + number +
         R"(
  %inside = icmp ult i64 %number, 64
  %low = and i64 %number, 63
  %bit = shl nuw i64 1, %low
  %mask = select i1 %inside, i64 %bit, i64 0
  %both = and i64 %mask, %set
  %isnt = icmp eq i64 %both, 0
  br i1 %isnt, label %latch, label %found
found:
)" + call +
         R"(
  br label %latch
latch:
  %next = add nsw i64 %i, 1
  %ends = icmp eq i64 %i, %last
  br i1 %ends, label %end, label %loop
end:
  ret void
}
)";
}

class RangedLoopsTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    RangedLoopsPass().run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }

  // Choices of a mask; in a twin they are made.
  size_t Masks(bool made) const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
      if (select == nullptr) continue;
      count += llvm::isa<llvm::ConstantInt>(select->getCondition()) == made ? 1 : 0;
    }
    return count;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(RangedLoopsTest, NumbersThatGrowOrFallEvenlyAreInsideInTheTwin) {
  Run(Loop("  %number = add i64 %i, %shift", ""));
  EXPECT_EQ(Masks(true), 1u);
  EXPECT_EQ(Masks(false), 1u);
  Run(Loop("  %number = sub i64 %shift, %i", "  call void @work()\n"));
  EXPECT_EQ(Masks(true), 1u);
  EXPECT_EQ(Masks(false), 1u);
}

TEST_F(RangedLoopsTest, OtherNumbersAreLookedAtInEachIteration) {
  Run(Loop("  %number = load i64, ptr %place", ""));
  EXPECT_EQ(Masks(true), 0u);
  EXPECT_EQ(Masks(false), 1u);
  Run(Loop("  %number = mul i64 %i, %shift", ""));
  EXPECT_EQ(Masks(true), 0u);
  EXPECT_EQ(Masks(false), 1u);
}

}  // namespace
}  // namespace tenure::compiler
