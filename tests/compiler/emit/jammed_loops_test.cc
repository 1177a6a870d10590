#include "compiler/emit/jammed_loops.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// FOR j := 0 TO columns - 1 DO
//   sum := 0; FOR k := 0 TO rows - 1 DO sum := sum OPERATION a[k] * b[k * columns + j] END;
//   c[j] := sum
// END, with `in_inner` in the inner loop and `in_outer` before the store.
std::string Loops(const std::string& operation, const std::string& in_inner,
                  const std::string& in_outer) {
  return R"(
declare void @tn_check_failed(ptr, i64, i64, i64)
declare void @work()
define void @f(ptr %a, ptr %b, ptr %c, i64 %rows, i64 %columns, i64 %length) {
entry:
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %next_j, %outer_latch ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next_k, %good ]
  %sum = phi double [ 0.0, %outer ], [ %more, %good ]
)" + in_inner +
         R"(
good:
  %a_place = getelementptr inbounds double, ptr %a, i64 %k
  %a_value = load double, ptr %a_place
  %row = mul nuw nsw i64 %k, %columns
  %index = add nuw nsw i64 %row, %j
  %b_place = getelementptr inbounds double, ptr %b, i64 %index
  %b_value = load double, ptr %b_place
  %product = fmul double %a_value, %b_value
  %more = )" +
         operation + R"( double %sum, %product
  %next_k = add nuw nsw i64 %k, 1
  %inner_ends = icmp eq i64 %next_k, %rows
  br i1 %inner_ends, label %behind, label %inner
behind:
  %result = phi double [ %more, %good ]
)" + in_outer +
         R"(
outer_latch:
  %c_place = getelementptr inbounds double, ptr %c, i64 %j
  store double %result, ptr %c_place
  %next_j = add nuw nsw i64 %j, 1
  %outer_ends = icmp eq i64 %next_j, %columns
  br i1 %outer_ends, label %end, label %outer
bad:
  call void @tn_check_failed(ptr null, i64 %j, i64 %length, i64 poison)
  unreachable
end:
  ret void
}
)";
}

constexpr char kNoCheck[] = "  br label %good\n";
constexpr char kNothing[] = "  br label %outer_latch\n";
constexpr char kCheckOfInner[] =
    "  %outside = icmp uge i64 %k, %length\n  br i1 %outside, label %bad, label %good\n";
constexpr char kCheckOfOuter[] =
    "  %outside = icmp uge i64 %j, %length\n  br i1 %outside, label %bad, label %outer_latch\n";

class JammedLoopsTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    JammedLoopsPass().run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }

  // Sums that the block with the most of them makes.
  size_t SumsTogether() const {
    size_t most = 0;
    for (const llvm::BasicBlock& block : *module_->getFunction("f")) {
      size_t count = 0;
      for (const llvm::PHINode& phi : block.phis()) count += phi.getType()->isDoubleTy() ? 1 : 0;
      most = std::max(most, count);
    }
    return most;
  }

  // The comparison of the numbers of rounds with the numbers until a check fails.
  size_t ComparisonsOfRounds() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction);
      if (freeze == nullptr) continue;
      const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(freeze->getOperand(0));
      if (comparison == nullptr) continue;
      count += comparison->getPredicate() == llvm::CmpInst::ICMP_ULT ? 1 : 0;
    }
    return count;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(JammedLoopsTest, FourSumsAreMadeTogether) {
  Run(Loops("fadd", kNoCheck, kNothing));
  EXPECT_EQ(SumsTogether(), 4u);
  EXPECT_EQ(ComparisonsOfRounds(), 0u);
}

TEST_F(JammedLoopsTest, ChecksOfBothLoopsAreMadeBeforeThem) {
  Run(Loops("fadd", kCheckOfInner, kNothing));
  EXPECT_EQ(SumsTogether(), 4u);
  EXPECT_EQ(ComparisonsOfRounds(), 1u);
  Run(Loops("fsub", kNoCheck, kCheckOfOuter));
  EXPECT_EQ(SumsTogether(), 4u);
  EXPECT_EQ(ComparisonsOfRounds(), 1u);
}

TEST_F(JammedLoopsTest, CheckThatDependsOnDataKeepsTheLoopsAsTheyAre) {
  Run(Loops("fadd", kNoCheck,
            "  %outside = fcmp ogt double %result, 1.0\n"
            "  br i1 %outside, label %bad, label %outer_latch\n"));
  EXPECT_EQ(SumsTogether(), 1u);
}

TEST_F(JammedLoopsTest, ChoiceInTheOuterLoopKeepsTheLoopsAsTheyAre) {
  Run(Loops("fadd", kNoCheck,
            "  %positive = fcmp ogt double %result, 0.0\n"
            "  br i1 %positive, label %other, label %outer_latch\n"
            "other:\n  store double 0.0, ptr %a\n  br label %outer_latch\n"));
  EXPECT_EQ(SumsTogether(), 1u);
}

TEST_F(JammedLoopsTest, LoopsThatCallSomethingStayAsTheyAre) {
  Run(Loops("fadd", kNoCheck, "  call void @work()\n  br label %outer_latch\n"));
  EXPECT_EQ(SumsTogether(), 1u);
}

TEST_F(JammedLoopsTest, ProductsOfAllElementsStayAsTheyAre) {
  Run(Loops("fmul", kNoCheck, kNothing));
  EXPECT_EQ(SumsTogether(), 1u);
}

TEST_F(JammedLoopsTest, StoreInTheInnerLoopKeepsTheLoopsAsTheyAre) {
  Run(Loops("fadd", "  store double 1.0, ptr %c\n  br label %good\n", kNothing));
  EXPECT_EQ(SumsTogether(), 1u);
}

}  // namespace
}  // namespace tenure::compiler
