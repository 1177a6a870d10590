#include "base/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

namespace tenure {

void OpenStandardDescriptors(ClosedOutput output) {
  // The lowest free number is taken, so those below are open.
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    int flags = O_RDWR;
    // Opens for the opposite direction, so that each use fails.
    if (output == ClosedOutput::kFails) {
      flags = (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC;
    }
    if (open("/dev/null", flags) < 0) return;  // nobody can say so
  }
}

}  // namespace tenure
