#include "compiler/emit/narrow_loops.h"

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

// A loop in which b becomes `b_next`, a 32 bits of what a was, rotated by 7 and `left`, plus b.
std::string Loop(const std::string& left, const std::string& b_next, const std::string& in_loop) {
  return R"(
declare void @work()
define i64 @f(i64 %a_first, i64 %b_first, i64 %rounds) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = phi i64 [ %a_first, %entry ], [ %a_next, %loop ]
  %b = phi i64 [ %b_first, %entry ], [ )" +
         b_next + R"(, %loop ]
  %low = lshr i64 %a, 7
  %high = shl i64 %a, )" +
         left + R"(
  %rotated = or i64 %low, %high
  %sum = add i64 %rotated, %b
  %a_next = and i64 %sum, 4294967295
)" + in_loop +
         R"(
  %next = add nuw i64 %i, 1
  %ends = icmp eq i64 %next, %rounds
  br i1 %ends, label %end, label %loop
end:
  %result = phi i64 [ %b, %loop ]
  ret i64 %result
}
)";
}

class NarrowLoopsTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    NarrowLoopsPass().run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }

  size_t NarrowVariables() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      if (llvm::isa<llvm::PHINode>(instruction) && instruction.getType()->isIntegerTy(32)) ++count;
    }
    return count;
  }

  // First values whose upper bits are looked at.
  size_t Guarded() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      count += llvm::isa<llvm::FreezeInst>(instruction) ? 1 : 0;
    }
    return count;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(NarrowLoopsTest, VariablesThatBecomeShortAreShortInTheTwin) {
  Run(Loop("25", "%a", ""));
  EXPECT_EQ(NarrowVariables(), 2u);
  EXPECT_EQ(Guarded(), 2u);
}

TEST_F(NarrowLoopsTest, VariableThatStaysLongTakesOthersWithItOnlyIfTheyNeedIt) {
  Run(Loop("25", "%sum", ""));
  EXPECT_EQ(NarrowVariables(), 1u);
  EXPECT_EQ(Guarded(), 1u);
}

TEST_F(NarrowLoopsTest, LoopThatRotatesNothingHasNoTwin) {
  Run(Loop("24", "%a", ""));
  EXPECT_EQ(NarrowVariables(), 0u);
}

TEST_F(NarrowLoopsTest, LoopThatCallsSomethingHasNoTwin) {
  Run(Loop("25", "%a", "  call void @work()\n"));
  EXPECT_EQ(NarrowVariables(), 0u);
}

}  // namespace
}  // namespace tenure::compiler
