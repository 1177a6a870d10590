// Where this program's own file is.
#pragma once

#include <string>

namespace tenure {

// The path, links resolved; without /proc, that which the program was started by, so it must be
// asked for before the working directory changes. Empty if it cannot be told. Any thread.
std::string ExecutablePath();

// A path by which the file can be examined, even if it has been removed meanwhile.
std::string ExecutableFile();

}  // namespace tenure
