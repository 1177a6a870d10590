// What the program was started with: its arguments without the run time's flags, and every @M3 flag
// for those who ask by name (RTParams).
#pragma once

#include <string>
#include <vector>

#include "runtime/options.h"

namespace tenure::runtime {

struct Arguments {
  std::vector<std::string> program;  // [0] is the program's name
  std::vector<std::string>
      parameters;  // all flags, known or not, without @M3: "name" or "name=value"
};

// Splits argv and the words of `environment_options` (TENURE_OPTIONS, may be null; read first, so
// that an argument wins). Every word with @M3 is kept out of the program's arguments. False when
// the value of a known flag is bad; `error` then says which.
bool ParseArguments(int argc, const char* const* argv, const char* environment_options,
                    Arguments& arguments, Options& options, std::string& error);

// Those of this process; set once by start, before the first module body.
const Arguments& ProcessArguments();
void SetProcessArguments(Arguments arguments);

}  // namespace tenure::runtime
