// The whole compiler, phase by phase.
#pragma once

#include <string>

#include "compiler/driver/options.h"

namespace tenure::compiler {

// Builds the package that the options name. Prints diagnostics and problems on stderr. Returns an
// ExitStatus; on success `program` is the path of the executable (empty after a --dump).
int Build(const Options& options, std::string* program);

}  // namespace tenure::compiler
