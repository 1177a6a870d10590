// `tenure explain CODE`: the rule behind a diagnostic, with an example.
#pragma once

#include <string>

namespace tenure::compiler {

// Prints the explanation of the code (as in M0304, in either case) on standard output. Returns an
// ExitStatus; what is wrong has been printed.
int Explain(const std::string& code);

}  // namespace tenure::compiler
