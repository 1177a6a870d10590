#include "compiler/emit/unroll_recursion.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <string>

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
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(code, problem, context_);
    ASSERT_NE(module_, nullptr) << problem.getMessage().str();
    functions_before_ = module_->size();
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::ModulePassManager passes;
    passes.addPass(UnrollRecursionPass());
    passes.run(*module_, modules);
    EXPECT_FALSE(llvm::verifyModule(*module_, nullptr));
  }

  size_t CallsIn(const char* name, const char* callee) {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction(name))) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->getCalledFunction() == module_->getFunction(callee)) ++count;
    }
    return count;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  size_t functions_before_ = 0;
};

TEST_F(UnrollRecursionTest, ShortProcedureIsPutIntoItself) {
  Run(kDepths);
  // Of 12 instructions: 4 levels, whose 2 calls of each place make 32.
  EXPECT_EQ(CallsIn("depths", "depths"), 32u);
  EXPECT_LE(module_->getFunction("depths")->getInstructionCount(), 450u);
  EXPECT_EQ(module_->size(), functions_before_);
}

TEST_F(UnrollRecursionTest, LongProcedureStaysAsItIs) {
  std::string code = "declare void @work()\ndefine void @walk(ptr %t) {\n";
  for (int i = 0; i < 300; ++i) code += "  call void @work()\n";
  code += "  call void @walk(ptr %t)\n  ret void\n}\n";
  Run(code);
  EXPECT_EQ(CallsIn("walk", "work"), 300u);
  EXPECT_EQ(CallsIn("walk", "walk"), 1u);
}

// A body of TRY is a function that must not be part of its caller.
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
