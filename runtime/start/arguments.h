// The program's arguments without the run time's flags, and the values of all @M3 flags by name
// (RTParams).
#pragma once

#include <string>
#include <vector>

#include "runtime/start/options.h"

namespace tenure::runtime {

struct Arguments {
  std::vector<std::string> program;  // [0] is the program's name
  std::vector<std::string>
      parameters;  // all flags, known or not, without @M3: "name" or "name=value"
};

// Which flags a program takes.
struct FlagRules {
  // The program looks for flags of its own (it contains RTParams): those not known here are its.
  bool program_has_flags = false;
  // False: the program runs with the rights of another user (AT_SECURE, as of a set-user-ID file).
  // The caller may not make it write files or change its work: an @M3 argument is an error, and
  // TENURE_OPTIONS is not read.
  bool allowed = true;
};

// Splits argv and the words of `environment_options` (TENURE_OPTIONS, may be null; read first, so
// that an argument wins). Every word with @M3 is kept out of the program's arguments. False when a
// flag is not allowed, the value of a known one is bad, an unknown one is near to a known one
// (OptionMeant), or one of argv is neither known nor the program's; `error` then says in one line
// which, and what to do. TENURE_OPTIONS is for all programs, so it may have the flags of others.
bool ParseArguments(int argc, const char* const* argv, const char* environment_options,
                    const FlagRules& rules, Arguments& arguments, Options& options,
                    std::string& error);

// The arguments of this process; set once by start, before the first module body.
const Arguments& ProcessArguments();
void SetProcessArguments(Arguments arguments);

}  // namespace tenure::runtime
