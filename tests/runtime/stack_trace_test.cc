#include "runtime/stack_trace.h"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace tenure::runtime
