// For programs that serve until a signal ends them.
#pragma once

#include <pthread.h>

#include <csignal>
#include <initializer_list>

namespace tenure {

// Blocks these signals for the calling thread and for the threads that it starts later, so that the
// program takes them by signalfd or sigwait. The process ignores SIGPIPE from now on: a write to a
// connection that has ended fails. Call it before there are threads. Returns the blocked signals.
inline sigset_t BlockEndingSignals(std::initializer_list<int> signals = {SIGTERM, SIGINT}) {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : signals) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return ending;
}

}  // namespace tenure
