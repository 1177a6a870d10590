#include "compiler/emit/loop_barriers.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

#include <memory>
#include <string>

#include "tests/compiler/emit/analyses.h"

namespace tenure::compiler {
namespace {

// The barrier behind a store to %slot, in the middle of a block named `store`; the code goes on in
// a block `stored`.
constexpr char kBarrier[] = R"(
  %address = call i64 asm sideeffect "", "=r,0,*m"(ptr %slot, ptr elementtype(ptr) %slot)
  %shifted = lshr i64 %address, 8
  %moved = add i64 %shifted, 35184372088832
  %card_place = inttoptr i64 %moved to ptr
  %card = load i8, ptr %card_place, !tn.card !0
  %in_register = call i8 asm "", "=q,0"(i8 %card)
  %clean = icmp eq i8 %in_register, 0
  br i1 %clean, label %mark, label %stored
mark:
  store volatile i8 1, ptr %card_place
  br label %stored
stored:
)";

// FOR i := 0 TO last DO a[i] := b[i] END, with `body` behind the store.
std::string Loop(const std::string& before, const std::string& behind, int step = 8) {
  return R"(
declare void @tn_check_failed(ptr, i64, i64, i64)
declare void @work()
define void @f(ptr %a, ptr %b, i64 %last, i64 %length, ptr %found) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %end_of_body ]
)" + before +
         R"(
  br label %store
store:
  %offset = mul i64 %i, )" +
         std::to_string(step) + R"(
  %from = getelementptr i8, ptr %b, i64 %offset
  %slot = getelementptr i8, ptr %a, i64 %offset
  %value = load ptr, ptr %from
  store ptr %value, ptr %slot
)" + kBarrier +
         behind + R"(
  br label %end_of_body
end_of_body:
  %next = add nuw nsw i64 %i, 1
  %goes_on = icmp slt i64 %i, %last
  br i1 %goes_on, label %loop, label %end
bad:
  call void @tn_check_failed(ptr null, i64 %i, i64 %length, i64 poison)
  unreachable
end:
  ret void
}
!0 = !{}
)";
}

class LoopBarriersTest : public testing::Test {
 protected:
  void Run(const std::string& code) {
    module_ = ModuleOf(code, context_);
    ASSERT_NE(module_, nullptr);
    Analyses analyses;
    LoopBarriersPass().run(*module_->getFunction("f"), analyses.functions);
    std::string complaint;
    llvm::raw_string_ostream stream(complaint);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << complaint;
  }

  size_t Calls(const char* name) const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee != nullptr && callee->getName() == name) ++count;
    }
    return count;
  }
  size_t CardLoads() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      count += instruction.hasMetadata("tn.card") ? 1 : 0;
    }
    return count;
  }
  const llvm::CallInst& BeginCall() const {
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee != nullptr && callee->getName() == "tn_begin_stores") return *call;
    }
    ADD_FAILURE();
    abort();
  }
  size_t Stores() const {
    size_t count = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("f"))) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      count += store != nullptr && store->getValueOperand()->getType()->isPointerTy() ? 1 : 0;
    }
    return count;
  }
  void ExpectNoTwin() const {
    EXPECT_EQ(Calls("tn_begin_stores"), 0u);
    EXPECT_EQ(Stores(), 1u);
    EXPECT_EQ(CardLoads(), 1u);
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(LoopBarriersTest, LoopOverAnArrayGetsATwinWithoutBarriers) {
  Run(Loop("", ""));
  EXPECT_EQ(Calls("tn_begin_stores"), 1u);
  EXPECT_EQ(Calls("tn_end_stores"), 1u);
  EXPECT_EQ(Stores(), 2u);
  EXPECT_EQ(CardLoads(), 1u);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(BeginCall().getArgOperand(3))->getSExtValue(), 8);
}

TEST_F(LoopBarriersTest, DescendingLoopTellsItsLowestSlot) {
  Run(Loop("", "", -24));
  EXPECT_EQ(Calls("tn_begin_stores"), 1u);
  EXPECT_EQ(llvm::cast<llvm::ConstantInt>(BeginCall().getArgOperand(3))->getSExtValue(), 24);
  EXPECT_NE(BeginCall().getArgOperand(1), module_->getFunction("f")->getArg(0));
}

// When an error is raised, the run time marks the stored slots; the path to the error calls
// nothing.
TEST_F(LoopBarriersTest, CheckOfASubscriptMayEndTheTwin) {
  Run(Loop(
      "  %outside = icmp uge i64 %i, %length\n  br i1 %outside, label %bad, label %good\ngood:",
      ""));
  EXPECT_EQ(Calls("tn_begin_stores"), 1u);
  EXPECT_EQ(Calls("tn_end_stores"), 1u);
  EXPECT_EQ(Stores(), 2u);
}

TEST_F(LoopBarriersTest, CheckThatDependsOnDataMayEndTheTwin) {
  Run(Loop("", "  %nil = icmp eq ptr %value, null\n  br i1 %nil, label %bad, label %good\ngood:"));
  EXPECT_EQ(Calls("tn_begin_stores"), 1u);
  EXPECT_EQ(Calls("tn_end_stores"), 1u);
}

TEST_F(LoopBarriersTest, LoopThatCallsHasNoTwin) {
  Run(Loop("", "  call void @work()"));
  ExpectNoTwin();
}

// Only there it is known which slots were stored to.
TEST_F(LoopBarriersTest, LoopThatEndsWhenItFindsSomethingHasNoTwin) {
  Run(Loop(
      "", "  %is_it = icmp eq ptr %value, %found\n  br i1 %is_it, label %end, label %good\ngood:"));
  ExpectNoTwin();
}

TEST_F(LoopBarriersTest, StoreOnSomeWaysOnlyHasNoTwin) {
  Run(Loop("  %odd = trunc i64 %i to i1\n  br i1 %odd, label %end_of_body, label %even\neven:",
           ""));
  ExpectNoTwin();
}

TEST_F(LoopBarriersTest, SlotsFarFromEachOtherHaveNoTwin) {
  Run(Loop("", "", 4096));
  ExpectNoTwin();
}

}  // namespace
}  // namespace tenure::compiler
