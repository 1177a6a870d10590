// Keeps signals away from threads of the run time: the program's own threads take them.
#pragma once

#include <signal.h>

namespace tenure {

// While an object of this class lives, the calling thread takes no signals, nor do threads that it
// starts: these inherit its mask and keep it.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace tenure
