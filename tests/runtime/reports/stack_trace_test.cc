#include "runtime/reports/stack_trace.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unwind.h>

#include <algorithm>

namespace {

int stacks_walked = 0;

}  // namespace

// In place of the library's, which it calls.
extern "C" _Unwind_Reason_Code _Unwind_Backtrace(_Unwind_Trace_Fn visit, void* data) {
  static const auto library =
      reinterpret_cast<decltype(&_Unwind_Backtrace)>(dlsym(RTLD_NEXT, "_Unwind_Backtrace"));
  ++stacks_walked;
  return library(visit, data);
}

namespace tenure::runtime {
namespace {

__attribute__((noinline)) StackTrace TraceHere(int depth) {
  if (depth == 0) return CaptureStackTrace(nullptr);
  StackTrace trace = TraceHere(depth - 1);
  __asm__ volatile("" ::: "memory");  // not a tail call
  return trace;
}

TEST(StackTraceTest, PrivateProceduresAreShownWithTheirModule) {
  EXPECT_EQ(ProcedureOfSymbol("Main.m3.Foo"), "Main.Foo");
  EXPECT_EQ(ProcedureOfSymbol("Text.Length"), "Text.Length");
  EXPECT_EQ(ProcedureOfSymbol("qsort"), "qsort");
}

TEST(StackTraceTest, ADeepStackIsCutInTheMiddle) {
  const StackTrace trace = TraceHere(500);
  EXPECT_GT(trace.frames_left_out, 400u);
  EXPECT_LT(trace.frames.size(), 80u);
  EXPECT_LE(trace.cut, trace.frames.size());
}

TEST(StackTraceTest, AnAddressHasAFileAndALine) {
  const StackFrame frame = DescribeCode(reinterpret_cast<const void*>(TraceHere));
  EXPECT_NE(frame.file.find("stack_trace_test.cc"), std::string::npos) << frame.file;
  EXPECT_GT(frame.line, 0);
  EXPECT_NE(frame.procedure.find("TraceHere"), std::string::npos) << frame.procedure;
}

constexpr int kCalls = 40;

// Calls of as many procedures as the stack is deep.
template <int depth>
__attribute__((noinline)) size_t CaptureBelow(uintptr_t* codes) {
  size_t count;
  if constexpr (depth == 0) {
    count = CaptureCallers(__builtin_frame_address(0), codes, kCalls);
  } else {
    count = CaptureBelow<depth - 1>(codes);
  }
  __asm__ volatile("" ::: "memory");  // not a tail call
  return count;
}

TEST(StackTraceTest, AStackIsWalkedOnlyOnceForTheSameCalls) {
  uintptr_t first[kCalls], again[kCalls];
  const auto capture = [](uintptr_t* codes) { return CaptureBelow<kCalls>(codes); };
  const int before = stacks_walked;
  for (uintptr_t* codes : {first, again}) ASSERT_EQ(capture(codes), size_t{kCalls});
  EXPECT_EQ(stacks_walked, before + 1);
  EXPECT_TRUE(std::equal(first, first + kCalls, again));
}

}  // namespace
}  // namespace tenure::runtime
