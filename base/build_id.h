// Which build of this program runs.
#pragma once

#include <string>

namespace tenure {

// The identifier that the linker computed from the program's contents (--build-id), in hexadecimal;
// copies and stripped copies have the same one. Empty if the program was linked without. Any
// thread.
std::string BuildId();

}  // namespace tenure
