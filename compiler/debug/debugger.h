// `tenure debug`: gdb on a program, with values as Modula-3 writes them.
#pragma once

#include <string>
#include <vector>

namespace tenure::compiler {

// Becomes gdb on the program: with `words` as gdb's own arguments (-batch, -ex COMMAND, -x FILE),
// and `arguments` as the program's. Returns, with what went wrong, only if gdb cannot be started.
std::string StartDebugger(const std::string& program, const std::vector<std::string>& words,
                          const std::vector<std::string>& arguments);

// The text of the script.
std::string DebuggerScript();

}  // namespace tenure::compiler
