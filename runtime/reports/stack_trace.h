// Where the program is: code addresses to procedures and lines, through libbacktrace and the
// program's own DWARF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tenure::runtime {

struct StackFrame {
  uintptr_t code = 0;
  std::string procedure;  // "Main.Foo"; empty: not known
  std::string file;       // empty: not known
  int line = 0;
};

// The calling thread's frames from the one that contains `code` (its return address, or the address
// of a trapped instruction; null: the caller's) outwards, without the run time's own. Of a deep
// stack the innermost and the outermost frames; `frames_left_out` says how many are missing in the
// middle, which is after frames[cut]. Not in a signal handler.
struct StackTrace {
  std::vector<StackFrame> frames;
  size_t cut = 0;
  size_t frames_left_out = 0;
};
StackTrace CaptureStackTrace(const void* code);

// Stores the code addresses of the callers of the procedure whose frame address
// (__builtin_frame_address) this is, and which is running, in `codes`: the innermost first, at most
// `most`. Returns how many. Looks up no names; takes some nanoseconds for a frame when the same
// calls were captured before. Not in a signal handler.
size_t CaptureCallers(const void* frame_address, uintptr_t* codes, size_t most);

// The first frame at these addresses, inlined frames included, that belongs neither to the run time
// nor to one of the modules. All fields are empty if no frame is known.
StackFrame DescribeFirst(const uintptr_t* codes, size_t count,
                         std::initializer_list<std::string_view> not_of_modules);

// All frames at these addresses, inlined frames included, without the run time's own.
std::vector<StackFrame> DescribeProgramFrames(const uintptr_t* codes, size_t count);

// The frame of one code address: of what was put in line there, the innermost.
StackFrame DescribeCode(const void* code);

// The procedure whose own code is at the address, whatever was put in line there.
StackFrame DescribeProcedure(const void* code);

// Keeps what is needed to look up names although the program has used up its descriptors later.
// Called once, before the program runs.
void PrepareForTraces();

// A path as reports show it: relative to the working directory if it lies in it.
std::string PathForPeople(const char* path);

// The name that a programmer knows for a linker symbol: "Main.m3.Foo" is private to module Main.
std::string ProcedureOfSymbol(const std::string& symbol);

}  // namespace tenure::runtime
