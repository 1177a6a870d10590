// From object files to a program, by the system's C++ compiler as linker driver.
#pragma once

#include <string>
#include <vector>

#include "compiler/driver/package.h"

namespace tenure::compiler {

// Links the objects with the run time to `output`. Returns an empty string, or what went wrong
// (with what the linker said).
std::string Link(const std::vector<std::string>& objects, const Installation& installation,
                 const std::string& output, bool verbose);

}  // namespace tenure::compiler
