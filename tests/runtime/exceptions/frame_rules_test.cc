#include "runtime/exceptions/frame_rules.h"

#include <alloca.h>
#include <gtest/gtest.h>
#include <unwind.h>

#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" void tn_read_frame(tenure::runtime::FrameRegisters* registers);

namespace tenure::runtime {
namespace {

// The frames above the caller, as libgcc finds them and as the rules do.
struct Walks {
  std::vector<FrameRegisters> by_libgcc;
  std::vector<FrameRegisters> by_rules;
};

_Unwind_Reason_Code AddFrame(_Unwind_Context* context, void* walk) {
  FrameRegisters frame = {};
  frame.rbx = _Unwind_GetGR(context, 3);
  frame.rbp = _Unwind_GetGR(context, 6);
  frame.r12 = _Unwind_GetGR(context, 12);
  frame.r13 = _Unwind_GetGR(context, 13);
  frame.r14 = _Unwind_GetGR(context, 14);
  frame.r15 = _Unwind_GetGR(context, 15);
  frame.rsp = _Unwind_GetCFA(context);
  frame.rip = _Unwind_GetIP(context);
  static_cast<std::vector<FrameRegisters>*>(walk)->push_back(frame);
  return _URC_NO_REASON;
}

__attribute__((noinline)) void WalkFrames(Walks& walks) {
  _Unwind_Backtrace(AddFrame, &walks.by_libgcc);
  // Without this function, at another call, and what stands between it and libgcc.
  const auto own = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  std::erase_if(walks.by_libgcc, [own](const FrameRegisters& frame) { return frame.rsp <= own; });
  FrameRegisters frame;
  tn_read_frame(&frame);
  while (const FrameRule* rule = FrameRuleOf(frame.rip)) {
    frame = CallerOf(frame, *rule);
    walks.by_rules.push_back(frame);
  }
}

// Frames of several shapes: of unknown size, with much in registers, and with little.
__attribute__((noinline)) size_t Descend(Walks& walks, size_t depth, size_t a, size_t b, size_t c,
                                         size_t d);

__attribute__((noinline)) size_t DescendWithRoom(Walks& walks, size_t depth, size_t a) {
  auto* room = static_cast<char*>(alloca(16 + depth * 8));
  std::memset(room, static_cast<int>(a), 16 + depth * 8);
  const size_t sum = Descend(walks, depth, a, a + 1, a + 2, a + 3);
  return sum + static_cast<size_t>(room[depth]);
}

size_t Descend(Walks& walks, size_t depth, size_t a, size_t b, size_t c, size_t d) {
  if (depth == 0) {
    WalkFrames(walks);
    return a;
  }
  const size_t sum =
      depth % 3 == 0 ? DescendWithRoom(walks, depth - 1, b) : Descend(walks, depth - 1, b, c, d, a);
  return sum + a * b + c * d + depth;
}

TEST(FrameRulesTest, RulesFindTheFramesAndRegistersThatLibgccFinds) {
  Walks walks;
  EXPECT_NE(Descend(walks, 20, 1, 2, 3, 4), 0u);
  ASSERT_GE(walks.by_rules.size(), 20u);
  ASSERT_GE(walks.by_libgcc.size(), walks.by_rules.size());
  for (size_t i = 0; i < walks.by_rules.size(); ++i) {
    EXPECT_EQ(std::memcmp(&walks.by_rules[i], &walks.by_libgcc[i], sizeof(FrameRegisters)), 0) << i;
  }
}

// A return address in a function without destructors, so without the personality of C++.
__attribute__((noinline)) uintptr_t ReturnAddressInAPlainFunction() {
  FrameRegisters frame;
  tn_read_frame(&frame);
  return frame.rip;
}

TEST(FrameRulesTest, ARuleIsMadeOnce) {
  const uintptr_t code = ReturnAddressInAPlainFunction();
  const FrameRule* rule = FrameRuleOf(code);
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(FrameRuleOf(code), rule);
  EXPECT_EQ(rule->lsda, nullptr);
}

TEST(FrameRulesTest, CodeOfASharedLibraryHasNoRule) {
  EXPECT_EQ(FrameRuleOf(reinterpret_cast<uintptr_t>(&std::strtod) + 1), nullptr);
}

}  // namespace
}  // namespace tenure::runtime
