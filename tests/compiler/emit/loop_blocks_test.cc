#include "compiler/emit/loop_blocks.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include <memory>
#include <string>

#include "compiler/emit/local_barriers.h"
#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// The software barrier behind a store of %value to %slot.
constexpr char kBarrier[] = R"(
  %address = call i64 asm sideeffect "", "=r,0,*m"(ptr %slot, ptr elementtype(ptr) %slot)
  %shifted = lshr i64 %address, 8
  %moved = add i64 %shifted, 35734127902720
  %place = inttoptr i64 %moved to ptr
  %byte = load i8, ptr %place, !tn.block !0
  %calls = icmp slt i8 %byte, 0
  br i1 %calls, label %mark, label %stored
mark:
  call void @tn_mark_store(ptr %slot, i64 %value, i32 8)
  br label %stored
stored:
)";

// FOR i := 0 TO last DO a[i] := i END.
std::string Loop(const std::string& behind, const std::string& offset = "mul i64 %i, 8") {
  return R"(
declare void @tn_mark_store(ptr, i64, i32)
declare void @work()
define void @f(ptr %a, i64 %last) {
entry:
  %local = alloca i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end_of_body ]
  %offset = )" +
         offset + R"(
  %slot = getelementptr i8, ptr %a, i64 %offset
  %value = add i64 %i, 0
  store i64 %value, ptr %slot
)" + kBarrier +
         behind + R"(
  br label %end_of_body
end_of_body:
  %next = add nuw nsw i64 %i, 1
  %goes_on = icmp slt i64 %i, %last
  br i1 %goes_on, label %loop, label %end
end:
  ret void
}
!0 = !{}
)";
}

class LoopBlocksTest : public testing::Test {
 protected:
  template <typename Pass>
  void Run(Pass pass, const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    pass.run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }
  template <typename Is>
  size_t Count(Is&& is) const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      count += is(instruction) ? 1 : 0;
    }
    return count;
  }
  size_t Calls(const char* name) const {
    return Count([&](const llvm::Instruction& instruction) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      return callee != nullptr && callee->getName() == name;
    });
  }
  size_t Stores() const {
    return Count([](const auto& instruction) { return llvm::isa<llvm::StoreInst>(instruction); });
  }
  size_t BlockLoads() const { return Count(IsBlockLoad); }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(LoopBlocksTest, LoopOverAnArrayGetsATwinWithoutStoreBarriers) {
  Run(LoopBlocksPass(), Loop(""));
  EXPECT_EQ(Calls("tn_in_no_frame"), 1u);
  EXPECT_EQ(Stores(), 2u);
  EXPECT_EQ(BlockLoads(), 1u);
  // Only the loop with barriers has the call.
  EXPECT_EQ(Calls("tn_mark_store"), 1u);
}

TEST_F(LoopBlocksTest, LoopThatStoresToOneAddressGetsATwin) {
  Run(LoopBlocksPass(), Loop("", "add i64 0, 0"));
  EXPECT_EQ(Calls("tn_in_no_frame"), 1u);
  EXPECT_EQ(Stores(), 2u);
}

TEST_F(LoopBlocksTest, LoopThatCallsHasNoTwin) {
  Run(LoopBlocksPass(), Loop("  call void @work()"));
  EXPECT_EQ(Calls("tn_in_no_frame"), 0u);
  EXPECT_EQ(Stores(), 1u);
}

TEST_F(LoopBlocksTest, LoopThatStoresAnywhereHasNoTwin) {
  Run(LoopBlocksPass(), Loop("", "mul i64 %i, %i"));
  EXPECT_EQ(Calls("tn_in_no_frame"), 0u);
  EXPECT_EQ(Stores(), 1u);
}

TEST_F(LoopBlocksTest, LocalVariableHasNoBarrier) {
  std::string code = Loop("");
  const std::string from = "ptr %a, i64 %offset";
  code.replace(code.find(from), from.size(), "ptr %local, i64 0");
  Run(LocalBarriersPass(), code);
  EXPECT_EQ(BlockLoads(), 0u);
  Run(LocalBarriersPass(), Loop(""));
  EXPECT_EQ(BlockLoads(), 1u);
}

}  // namespace
}  // namespace tenure::compiler
