// For RTProcess.OnInterrupt: a signal handler counts the interrupt key, and a thread passes it on.

#include <csignal>
#include <cstdint>

#include "base/futex.h"
#include "runtime/threads/safepoint.h"

using namespace tenure::runtime;
using tenure::KernelFutexWait;
using tenure::KernelFutexWake;

namespace {

// Interrupts so far. The handler does nothing but count: the program's own procedure may allocate,
// so it runs in a thread that waits for this.
uint32_t interrupts = 0;

void CountInterrupt(int) {
  __atomic_fetch_add(&interrupts, 1, __ATOMIC_RELEASE);
  KernelFutexWake(&interrupts);
}

}  // namespace

extern "C" {

void tn_interrupt_catch(uint8_t on) {
  struct sigaction action = {};
  if (on != 0) {
    action.sa_handler = CountInterrupt;
  } else {
    action.sa_handler = SIG_DFL;
  }
  // System calls that are under way go on.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

int64_t tn_interrupt_await(int64_t seen) {
  const auto old = static_cast<uint32_t>(seen);
  for (;;) {
    const uint32_t now = __atomic_load_n(&interrupts, __ATOMIC_ACQUIRE);
    if (now != old) return now;
    const SafeRegion waiting;
    KernelFutexWait(&interrupts, old);
  }
}

}  // extern "C"
