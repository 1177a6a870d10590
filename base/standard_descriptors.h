// The starter of a process may have closed its standard input, output or error. The next file that
// it opens would then get that number, and printed text would be written into the file.
#pragma once

namespace tenure {

enum class ClosedOutput {
  kFails,    // writing fails as before, and processes that are started find the descriptor closed
  kVanishes  // it is /dev/null
};

// Opens 0, 1 and 2 where they are closed. Call before the process opens anything.
void OpenStandardDescriptors(ClosedOutput output);

}  // namespace tenure
