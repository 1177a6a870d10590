// The output of `tenure --version`.
#pragma once

#include <string>

namespace tenure::compiler {

// The compiler's version, the commit that it was built from, LLVM's version and that of the
// interface between compiled code and the run time. `tenure-db` knows the formats of stores.
std::string VersionText();

}  // namespace tenure::compiler
