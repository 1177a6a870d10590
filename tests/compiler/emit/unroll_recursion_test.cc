#include "compiler/emit/unroll_recursion.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Scalar/TailRecursionElimination.h>

#include <memory>
#include <string>
#include <utility>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

constexpr char kDepths[] = R"(
define i64 @depths(ptr %t, i64 %depth) {
  %nil = icmp eq ptr %t, null
  br i1 %nil, label %none, label %some
none:
  ret i64 0
some:
  %left = load ptr, ptr %t
  %right_place = getelementptr i8, ptr %t, i64 8
  %right = load ptr, ptr %right_place
  %next = add i64 %depth, 1
  %a = call i64 @depths(ptr %left, i64 %next)
  %b = call i64 @depths(ptr %right, i64 %next)
  %ab = add i64 %a, %b
  %sum = add i64 %ab, %depth
  ret i64 %sum
}
)";

class UnrollRecursionTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    functions_before_ = module_->size();
    RunPasses(llvm::FunctionPassManager());
  }

  // As Run, after the passes that make tail calls loops and test at their ends.
  void RunBehindTailCalls(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    llvm::FunctionPassManager simplify;
    simplify.addPass(MarkRecursionPass());
    simplify.addPass(llvm::TailCallElimPass());
    simplify.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
    simplify.addPass(llvm::InstCombinePass());
    simplify.addPass(llvm::SimplifyCFGPass());
    RunPasses(std::move(simplify));
  }

  size_t CallsIn(const char* name, const char* callee) {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction(name))) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->getCalledFunction() == module_->getFunction(callee)) ++count;
    }
    return count;
  }

  void RunPasses(llvm::FunctionPassManager simplify) {
    Analyses analyses;
    llvm::ModulePassManager passes;
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
    passes.addPass(UnrollRecursionPass());
    passes.run(*module_, analyses.modules);
    EXPECT_FALSE(llvm::verifyModule(*module_, nullptr));
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  size_t functions_before_ = 0;
};

TEST_F(UnrollRecursionTest, ShortProcedureIsPutIntoItself) {
  Run(kDepths);
  // A procedure of 12 instructions gets 4 levels; with 2 calls in each this makes 32 calls.
  EXPECT_EQ(CallsIn("depths", "depths"), 32u);
  EXPECT_LE(module_->getFunction("depths")->getInstructionCount(), 500u);
  EXPECT_EQ(module_->size(), functions_before_);
}

// A call that would only find that there is nothing to do is not made.
TEST_F(UnrollRecursionTest, TestAtTheBeginningComesBeforeTheCall) {
  Run(kDepths);
  for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("depths"))) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr) continue;
    const llvm::BasicBlock* const before = call->getParent()->getSinglePredecessor();
    ASSERT_NE(before, nullptr);
    const auto* test = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    ASSERT_TRUE(test != nullptr && test->isConditional());
    const auto* is_nil = llvm::dyn_cast<llvm::ICmpInst>(test->getCondition());
    ASSERT_NE(is_nil, nullptr);
    EXPECT_EQ(is_nil->getOperand(0), call->getArgOperand(0));
  }
}

// Code with an effect, such as marking a visited node, is not done twice.
TEST_F(UnrollRecursionTest, TestBehindAStoreStaysInTheCall) {
  Run(R"(
define void @visit(ptr %t) {
  store i64 1, ptr %t
  %next_place = getelementptr i8, ptr %t, i64 8
  %next = load ptr, ptr %next_place
  %nil = icmp eq ptr %next, null
  br i1 %nil, label %none, label %some
none:
  ret void
some:
  call void @visit(ptr %next)
  call void @visit(ptr %next)
  ret void
}
)");
  size_t stores = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("visit"))) {
    stores += llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0;
  }
  // One for each inlined call, and one for the first.
  EXPECT_EQ(stores, CallsIn("visit", "visit") - 1);
}

TEST_F(UnrollRecursionTest, CallInALoopStaysACall) {
  Run(R"(
define i64 @place(i64 %row, i64 %n) {
  %last = icmp eq i64 %row, %n
  br i1 %last, label %one, label %more
one:
  ret i64 1
more:
  %next = add i64 %row, 1
  br label %loop
loop:
  %i = phi i64 [ 0, %more ], [ %j, %loop ]
  %sum = phi i64 [ 0, %more ], [ %total, %loop ]
  %found = call i64 @place(i64 %next, i64 %n)
  %total = add i64 %sum, %found
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %n
  br i1 %again, label %loop, label %done
done:
  ret i64 %total
}
)");
  EXPECT_EQ(CallsIn("place", "place"), 1u);
}

// LLVM makes the second call of a walk a loop. The first call is unrolled all the same.
TEST_F(UnrollRecursionTest, CallInATailCallThatBecameALoopIsUnrolled) {
  RunBehindTailCalls(kDepths);
  EXPECT_GE(CallsIn("depths", "depths"), 8u);
}

// The test of this loop is at its end, behind a test before the loop: as in a tail call that LLVM
// has made a loop.
TEST_F(UnrollRecursionTest, CallInALoopOfTheSourceStaysACallBesideATailCall) {
  RunBehindTailCalls(R"(
define void @place(i64 %row, i64 %n) {
  %last = icmp eq i64 %row, %n
  br i1 %last, label %done, label %loop
loop:
  %i = phi i64 [ %row, %0 ], [ %j, %loop ]
  %next = add i64 %row, 1
  call void @place(i64 %next, i64 %n)
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %n
  br i1 %again, label %loop, label %after
after:
  call void @place(i64 %row, i64 %next)
  ret void
done:
  ret void
}
)");
  EXPECT_EQ(CallsIn("place", "place"), 1u);
}

// An inline allocation of an object called `name`.
std::string Allocation(const std::string& name) {
  const std::string n = name;
  return "  %pointer_" + n + " = load ptr, ptr @tn_mutator\n  %end_" + n +
         " = getelementptr i8, ptr %pointer_" + n + ", i64 32\n  %limit_" + n +
         " = load ptr, ptr getelementptr inbounds (i8, ptr @tn_mutator, i64 8)\n  %full_" + n +
         " = icmp ugt ptr %end_" + n + ", %limit_" + n + "\n  br i1 %full_" + n + ", label %slow_" +
         n + ", label %fast_" + n + "\nslow_" + n + ":\n  %slowly_" + n +
         " = call ptr @tn_allocate_slow(ptr null, i64 24)\n  br label %both_" + n + "\nfast_" + n +
         ":\n  store ptr %end_" + n + ", ptr @tn_mutator\n  br label %both_" + n + "\nboth_" + n +
         ":\n  %" + n + " = phi ptr [ %slowly_" + n + ", %slow_" + n + " ], [ %pointer_" + n +
         ", %fast_" + n + " ]\n";
}

// Also where paths from two allocations meet.
TEST_F(UnrollRecursionTest, AllocationTakesThePointerFromTheOneBefore) {
  Run(R"(
@tn_mutator = external thread_local(localexec) global [16 x i8]
declare ptr @tn_allocate_slow(ptr, i64)
define ptr @make(i64 %depth) {
  %done = icmp eq i64 %depth, 0
  br i1 %done, label %leaf, label %inner
leaf:
)" + Allocation("end") +
      R"(  ret ptr %end
inner:
  %next = sub i64 %depth, 1
  call ptr @make(i64 %next)
)" + Allocation("node") +
      R"(  ret ptr %node
}
)");
  size_t fast = 0, in_line = 0;
  for (const llvm::BasicBlock& block : *module_->getFunction("make")) {
    bool called = false, loaded = false;
    for (const llvm::Instruction& instruction : block) {
      called |= llvm::isa<llvm::CallInst>(instruction);
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      loaded |= load != nullptr && llvm::isa<llvm::GlobalVariable>(load->getPointerOperand());
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store != nullptr && llvm::isa<llvm::GlobalVariable>(store->getPointerOperand())) ++fast;
    }
    in_line += loaded && !called ? 1 : 0;
  }
  // Loads remain after calls, and in the leaves, where no call came before.
  EXPECT_GE(fast, 8u);
  EXPECT_LE(in_line, fast / 2 + 1) << "of " << fast;
}

TEST_F(UnrollRecursionTest, LongProcedureStaysAsItIs) {
  std::string code = "declare void @work()\ndefine void @walk(ptr %t) {\n";
  for (int i = 0; i < 300; ++i) code += "  call void @work()\n";
  code += "  call void @walk(ptr %t)\n  ret void\n}\n";
  Run(code);
  EXPECT_EQ(CallsIn("walk", "work"), 300u);
  EXPECT_EQ(CallsIn("walk", "walk"), 1u);
}

// The body of a TRY is a function that must not be inlined into its caller.
TEST_F(UnrollRecursionTest, CallThatMustStayACallStays) {
  Run(R"(
declare void @work()
define void @walk(i64 %n) {
  call void @work()
  call void @walk(i64 %n) noinline
  ret void
}
define void @body(i64 %n) noinline {
  call void @work()
  call void @body(i64 %n)
  ret void
}
)");
  EXPECT_EQ(CallsIn("walk", "work"), 1u);
  EXPECT_EQ(CallsIn("body", "work"), 1u);
}

TEST_F(UnrollRecursionTest, LargeFramesDoNotAddUp) {
  Run(R"(
declare void @fill(ptr)
define void @walk(i64 %n) {
  %row = alloca [400 x i8]
  call void @fill(ptr %row)
  call void @walk(i64 %n)
  ret void
}
)");
  EXPECT_EQ(CallsIn("walk", "fill"), 1u);
}

TEST_F(UnrollRecursionTest, OthersAreLeftAlone) {
  Run(R"(
declare void @work()
define void @a() {
  call void @b()
  ret void
}
define void @b() {
  call void @work()
  ret void
}
)");
  EXPECT_EQ(CallsIn("a", "b"), 1u);
}

}  // namespace
}  // namespace tenure::compiler
