// `tenure explain`: messages of the compiler with examples, and rules of the language.
#pragma once

#include <string>

namespace tenure::compiler {

// Prints the explanation of the code (as in M0304, in either case) or the rule (as in 8.1) on
// standard output. Returns an ExitStatus; what is wrong has been printed.
int Explain(const std::string& code);

// Prints all codes with their messages, one a line.
int ListExplanations();

}  // namespace tenure::compiler
