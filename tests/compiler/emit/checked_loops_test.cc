#include "compiler/emit/checked_loops.h"

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

// FOR i := 0 TO last DO sum := sum + a[i] END, with `body` before the load of a[i]; the body goes
// on in a block `good`, or goes to `bad` or `end`.
std::string Loop(const std::string& body) {
  return R"(
declare void @tn_check_failed(ptr, i64, i64, i64)
declare void @work()
define i64 @f(ptr %a, i64 %last, i64 %length) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %more, %latch ]
)" + body +
         R"(
good:
  %place = getelementptr i64, ptr %a, i64 %i
  %value = load i64, ptr %place
  %more = add i64 %sum, %value
  %last_round = icmp eq i64 %i, %last
  br i1 %last_round, label %end, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  br label %loop
bad:
  call void @tn_check_failed(ptr null, i64 %i, i64 %length, i64 poison)
  unreachable
end:
  %result = phi i64 [ %more, %good ]
  ret i64 %result
}
)";
}

constexpr char kSubscript[] =
    "  %outside = icmp uge i64 %i, %length\n  br i1 %outside, label %bad, label %good\n";

class CheckedLoopsTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    CheckedLoopsPass().run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }

  // Loops are recognised by the load that each of them has.
  size_t Loops() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      count += llvm::isa<llvm::LoadInst>(instruction) ? 1 : 0;
    }
    return count;
  }

  // Conditional branches to an error.
  size_t Checks() const {
    size_t count = 0;
    for (const llvm::BasicBlock& block : *module_->getFunction("f")) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (branch == nullptr || !branch->isConditional()) continue;
      for (const llvm::BasicBlock* next : branch->successors()) {
        while (const llvm::BasicBlock* only = next->getSingleSuccessor()) {
          if (only->getSinglePredecessor() == nullptr && only->getName() != "bad") break;
          next = only;
        }
        count += llvm::isa<llvm::UnreachableInst>(next->getTerminator()) ? 1 : 0;
      }
    }
    return count;
  }

  // The comparison of the number of rounds with the number until the check fails.
  llvm::CmpInst::Predicate Question() const {
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction);
      if (freeze == nullptr) continue;
      return llvm::cast<llvm::ICmpInst>(freeze->getOperand(0))->getPredicate();
    }
    return llvm::CmpInst::BAD_ICMP_PREDICATE;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(CheckedLoopsTest, LoopWithACheckGetsATwinWithoutTheCheck) {
  Run(Loop(kSubscript));
  EXPECT_EQ(Loops(), 2u);
  EXPECT_EQ(Checks(), 1u);
  // The check of the last round comes before its test for the end.
  EXPECT_EQ(Question(), llvm::CmpInst::ICMP_ULT);
}

TEST_F(CheckedLoopsTest, LoopThatChecksNothingHasNoTwin) {
  Run(Loop("  br label %good\n"));
  EXPECT_EQ(Loops(), 1u);
}

TEST_F(CheckedLoopsTest, CheckThatDependsOnDataStaysInTheTwin) {
  Run(
      Loop("  %outside = icmp uge i64 %i, %length\n  br i1 %outside, label %bad, label %inside\n"
           "inside:\n  %large = icmp sgt i64 %sum, 1000\n"
           "  br i1 %large, label %bad, label %good\n"));
  EXPECT_EQ(Loops(), 2u);
  EXPECT_EQ(Checks(), 3u);
}

// The loop may go on for ever, or end at a check.
TEST_F(CheckedLoopsTest, LoopWithoutAKnownEndHasNoTwin) {
  std::string code = Loop(kSubscript);
  const std::string last = "icmp eq i64 %i, %last";
  code.replace(code.find(last), last.size(), "icmp eq i64 %value, %last");
  Run(code);
  EXPECT_EQ(Loops(), 1u);
}

TEST_F(CheckedLoopsTest, LoopThatCallsHasNoTwin) {
  Run(Loop(std::string("  call void @work()\n") + kSubscript));
  EXPECT_EQ(Loops(), 1u);
}

}  // namespace
}  // namespace tenure::compiler
