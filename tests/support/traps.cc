#include "tests/support/traps.h"

#include <signal.h>
#include <ucontext.h>

namespace tenure::testing {

namespace internal {
sigjmp_buf raise_target;
bool catching = false;
stabilize::FaultAnswer raised;
}  // namespace internal

namespace {

stabilize::Session* current_session = nullptr;

void OnTrap(int signal, siginfo_t* info, void* context) {
  using Kind = stabilize::FaultAnswer::Kind;
  constexpr greg_t kWriteBit = 2;  // of the processor's page fault code
  const bool is_write =
      (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
  const stabilize::FaultAnswer answer = current_session == nullptr
                                            ? stabilize::FaultAnswer{}
                                            : current_session->HandleFault(info->si_addr, is_write);
  if (answer.kind == Kind::kResolved) return;
  if (answer.kind == Kind::kFailed && internal::catching) {
    internal::raised = answer;
    siglongjmp(internal::raise_target, 1);
  }
  ::signal(signal, SIG_DFL);
}

}  // namespace

void internal::FinishRaise() {
  if (raised.error == stabilize::FaultAnswer::Error::kAborted) current_session->FinishAbort();
}

void HandleTrapsBy(stabilize::Session* session) {
  current_session = session;
  struct sigaction action = {};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace tenure::testing
