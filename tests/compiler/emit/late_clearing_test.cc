#include "compiler/emit/late_clearing.h"

#include <gtest/gtest.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

const std::string kClear = "  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 800, i1 false)\n";
// Behind the clearing: one branch ends at once.
const std::string kEndsOrGoesOn = kClear + R"(
  br i1 %short, label %quick, label %slow
quick:
  ret void
slow:
)";

// The name of the block that clears the variable after the pass, in a function with this body.
std::string ClearingBlock(const std::string& body) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(R"(
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @use(ptr)
declare void @other()
declare i32 @personality(...)
define void @f(i1 %short, i1 %left, i64 %n, ptr %given) personality ptr @personality {
entry:
  %array = alloca [100 x ptr]
)" + body + "}\n",
                                                        context);
  if (module == nullptr) return "";
  Analyses analyses;
  llvm::Function& function = *module->getFunction("f");
  LateClearingPass().run(function, analyses.functions);
  EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::MemSetInst>(instruction)) return block.getName().str();
    }
  }
  return "none";
}

TEST(LateClearingTest, ClearsInTheOnlyBranchThatUsesTheVariable) {
  EXPECT_EQ(ClearingBlock("  %third = getelementptr [100 x ptr], ptr %array, i64 0, i64 3\n" +
                          kEndsOrGoesOn + R"(
  store ptr null, ptr %third
  call void @use(ptr %array)
  ret void
)"),
            "slow");
}

TEST(LateClearingTest, ClearsBeforeTheBranchesThatUseTheVariable) {
  EXPECT_EQ(ClearingBlock(kEndsOrGoesOn + R"(
  br i1 %left, label %one, label %two
one:
  call void @use(ptr %array)
  ret void
two:
  call void @use(ptr %array)
  ret void
)"),
            "slow");
}

TEST(LateClearingTest, AnAddressThatIsChosenIsUsedWhereTheChoiceComesFrom) {
  EXPECT_EQ(ClearingBlock(kClear + R"(
  br i1 %short, label %both, label %own
own:
  br label %both
both:
  %place = phi ptr [ %given, %entry ], [ %array, %own ]
  call void @use(ptr %place)
  ret void
)"),
            "own");
}

TEST(LateClearingTest, ClearsOnceBeforeALoop) {
  EXPECT_EQ(ClearingBlock(kEndsOrGoesOn + R"(
  br label %loop
loop:
  %i = phi i64 [ 0, %slow ], [ %next, %loop ]
  call void @use(ptr %array)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %quick
)"),
            "slow");
}

TEST(LateClearingTest, AVariableOfALoopIsClearedInEachTurn) {
  EXPECT_EQ(ClearingBlock(R"(
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %last ]
)" + kClear + R"(
  br i1 %short, label %last, label %rare
rare:
  call void @use(ptr %array)
  br label %last
last:
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
)"),
            "rare");
}

TEST(LateClearingTest, AUseBeforeTheClearingKeepsItInItsPlace) {
  EXPECT_EQ(ClearingBlock("  call void @use(ptr %array)\n" + kEndsOrGoesOn + R"(
  call void @use(ptr %array)
  ret void
)"),
            "entry");
}

TEST(LateClearingTest, ClearsBeforeACallWhoseHandlerUsesTheVariable) {
  EXPECT_EQ(ClearingBlock(kEndsOrGoesOn + R"(
  invoke void @other() to label %quick unwind label %handler
handler:
  %caught = landingpad { ptr, i32 } catch ptr null
  call void @use(ptr %array)
  ret void
)"),
            "slow");
}

}  // namespace
}  // namespace tenure::compiler
