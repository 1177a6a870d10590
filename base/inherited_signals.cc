#include "base/inherited_signals.h"

#include <csignal>

namespace tenure {

void ResetInheritedSignals() {
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace tenure
