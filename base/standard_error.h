// Writing to standard error without stdio: it takes no lock and allocates nothing, so it may be
// done while other threads are stopped, and in signal handlers.
#pragma once

#include <string_view>

namespace tenure {

// Tries until all is written or the system refuses.
void WriteToStandardError(std::string_view text);

}  // namespace tenure
