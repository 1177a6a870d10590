// Where the program is: code addresses to procedures and lines, through libbacktrace and the
// program's own DWARF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tenure::runtime {

struct StackFrame {
  uintptr_t code = 0;
  std::string procedure;  // "Main.Foo"; empty: not known
  std::string file;       // empty: not known
  int line = 0;
};

// The calling thread's frames from the one that holds `code` (its return address, or the address of
// an instruction that trapped; null: the caller's) outwards, without the run time's own. Of a deep
// stack the innermost and the outermost frames; `frames_left_out` says how many are missing in the
// middle, which is after frames[cut]. Not in a signal handler.
struct StackTrace {
  std::vector<StackFrame> frames;
  size_t cut = 0;
  size_t frames_left_out = 0;
};
StackTrace CaptureStackTrace(const void* code);

// What is known of one address.
StackFrame DescribeCode(const void* code);

// The name that a programmer knows for a linker symbol: "Main.m3.Foo" is private to module Main.
std::string ProcedureOfSymbol(const std::string& symbol);

}  // namespace tenure::runtime
