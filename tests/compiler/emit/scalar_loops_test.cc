#include "compiler/emit/scalar_loops.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// Whether the only loop of the function may be vectorized after the pass.
bool MayBeVectorized(const std::string& code) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = ModuleOf(code, context);
  if (module == nullptr) return false;
  Analyses analyses;
  llvm::Function& function = *module->getFunction("f");
  ScalarLoopsPass().run(function, analyses.functions);
  llvm::LoopInfo& found = analyses.functions.getResult<llvm::LoopAnalysis>(function);
  EXPECT_EQ(found.getTopLevelLoops().size(), 1u);
  return !llvm::getBooleanLoopAttribute(*found.begin(), "llvm.loop.isvectorized");
}

// Repeated INC of a field with a range: the field is in a register while the loop runs.
TEST(ScalarLoopsTest, CheckedCounterStaysAsItIs) {
  EXPECT_FALSE(MayBeVectorized(R"(
declare void @error()
define void @f(ptr %field, i64 %times) {
entry:
  %first = load i32, ptr %field
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %good ]
  %value = phi i32 [ %first, %entry ], [ %more, %good ]
  %full = icmp eq i32 %value, 2147483647
  br i1 %full, label %bad, label %good
good:
  %more = add i32 %value, 1
  store i32 %more, ptr %field
  %next = add i64 %i, 1
  %goes_on = icmp slt i64 %i, %times
  br i1 %goes_on, label %loop, label %end
bad:
  call void @error()
  unreachable
end:
  ret void
}
)"));
}

TEST(ScalarLoopsTest, WalkThroughAnArrayMayBeVectorized) {
  EXPECT_TRUE(MayBeVectorized(R"(
declare void @error()
define i32 @f(ptr %array, i64 %length, i64 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %good ]
  %sum = phi i32 [ 0, %entry ], [ %more, %good ]
  %outside = icmp uge i64 %i, %length
  br i1 %outside, label %bad, label %good
good:
  %place = getelementptr i32, ptr %array, i64 %i
  %element = load i32, ptr %place
  %more = add i32 %sum, %element
  %next = add i64 %i, 1
  %goes_on = icmp slt i64 %i, %last
  br i1 %goes_on, label %loop, label %end
bad:
  call void @error()
  unreachable
end:
  ret i32 %more
}
)"));
}

// Without checks the loop has one exit, and formulas replace the loop before the pass.
TEST(ScalarLoopsTest, LoopWithOneExitMayBeVectorized) {
  EXPECT_TRUE(MayBeVectorized(R"(
define i32 @f(i64 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %hash = phi i32 [ 1, %entry ], [ %more, %loop ]
  %more = mul i32 %hash, 31
  %next = add i64 %i, 1
  %goes_on = icmp slt i64 %i, %last
  br i1 %goes_on, label %loop, label %end
end:
  ret i32 %more
}
)"));
}

}  // namespace
}  // namespace tenure::compiler
