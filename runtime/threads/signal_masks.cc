#include "runtime/threads/signal_masks.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/sanitizers.h"
#include "runtime/heap/other_collector.h"
#include "runtime/threads/safepoint.h"

namespace tenure::runtime {
namespace {

void ForEachNeeded(sigset_t* set, int (*change)(sigset_t*, int)) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, kStopSignal}) change(set, signal);
  if (LinkedCollector() != nullptr) change(set, OtherCollector::StopSignal());
}

}  // namespace

void UnblockNeededSignals() {
  sigset_t needed;
  sigemptyset(&needed);
  ForEachNeeded(&needed, sigaddset);
  pthread_sigmask(SIG_UNBLOCK, &needed, nullptr);
}

}  // namespace tenure::runtime

// Sanitizers have replacements of their own.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

namespace {

// The C library's own signals, which it never lets a thread block.
constexpr int kLibrarySignals[] = {32, 33};
// The kernel's set has one bit for each signal.
constexpr size_t kKernelSetBytes = 8;

int SetMask(int how, const sigset_t* set, sigset_t* old) {
  sigset_t allowed;
  if (set != nullptr && how != SIG_UNBLOCK) {
    sigset_t needed, now;
    sigemptyset(&needed);
    sigemptyset(&now);
    tenure::runtime::ForEachNeeded(&needed, sigaddset);
    // In the handler of a fault a stop is blocked. It must stay so when the thread has blocked all
    // signals for a moment, to start another, and restores its mask.
    if (how == SIG_SETMASK) {
      syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &now, kKernelSetBytes);
      sigandset(&now, &now, &needed);
    }
    for (const int signal : kLibrarySignals) {
      reinterpret_cast<unsigned long&>(needed) |= 1UL << (signal - 1);
    }
    allowed = *set;
    auto& bits = reinterpret_cast<unsigned long&>(allowed);
    bits &= ~reinterpret_cast<unsigned long&>(needed);
    bits |= reinterpret_cast<unsigned long&>(now);
    set = &allowed;
  }
  const long result = syscall(SYS_rt_sigprocmask, how, set, old, kKernelSetBytes);
  return result == 0 ? 0 : errno;
}

}  // namespace

extern "C" int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int saved_errno = errno;
  const int error = SetMask(how, set, old);
  errno = saved_errno;
  return error;
}

extern "C" int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  const int error = SetMask(how, set, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

#endif
