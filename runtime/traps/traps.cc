#include "runtime/traps/traps.h"

#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "abi/heap_constants.h"
#include "base/check.h"
#include "gc/card_table.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/text.h"
#include "runtime/reports/dereferences.h"
#include "runtime/reports/report.h"
#include "runtime/sessions/persistence.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/safepoint.h"
#include "runtime/traps/trap_record.h"
#include "stabilize/frames/block_table.h"

extern "C" void tn_trap_trampoline();

namespace tenure::runtime {
namespace {

std::atomic<FaultHandler> fault_handler{nullptr};

constexpr uintptr_t kRedZoneBytes = 128;
// How far below the lowest address of its stack a thread may be seen to reach in one step.
constexpr uintptr_t kOverflowReachBytes = 1 << 20;
// In the page-fault error code of the processor.
constexpr greg_t kWriteAccess = 2;

greg_t& Register(ucontext_t& context, int index) { return context.uc_mcontext.gregs[index]; }

// The text of a fatal memory error: one process, one such error.
char fatal_text[96];

// Makes the thread go on in the trampoline, with the record on its stack.
void Deflect(Mutator& mutator, ucontext_t& context, TrapRecord record) {
  // A copy that traps does not reach its end, nor do stores.
  mutator.EndStores();
  mutator.EndCopy();
  if (mutator.stop_pending) {
    // Blocked until the handler returns.
    mutator.stop_pending = false;
    mutator.signalled.store(true);
    pthread_kill(mutator.pthread(), kStopSignal);
  }
  record.rip = static_cast<uintptr_t>(Register(context, REG_RIP));
  record.rsp = static_cast<uintptr_t>(Register(context, REG_RSP));
  record.r11 = static_cast<uintptr_t>(Register(context, REG_R11));
  uintptr_t place = record.rsp - kRedZoneBytes - sizeof record;
  const bool on_emergency_stack =
      record.rsp > mutator.emergency_low() && record.rsp <= mutator.emergency_high();
  if (on_emergency_stack) {
    if (place < mutator.emergency_low() + kStackRoomBytes) {
      ReportAndEndAtOnce("run-time error: StackOverflow: while another error was handled");
    }
  } else if (place < mutator.stack_low() + kStackRoomBytes || place > mutator.stack_high()) {
    mutator.interrupted_stack = record.rsp;
    place = mutator.emergency_high() - sizeof record;
  }
  place &= ~uintptr_t{15};
  std::memcpy(reinterpret_cast<void*>(place), &record, sizeof record);
  Register(context, REG_RSP) = static_cast<greg_t>(place);
  Register(context, REG_RIP) = reinterpret_cast<greg_t>(&tn_trap_trampoline);
}

TrapRecord ErrorRecord(TrapRecord::Cause cause, abi::RuntimeErrorCode error, const char* text) {
  return {0, 0, cause, error, nullptr, text};
}

bool IsStackOverflow(const Mutator& mutator, uintptr_t address) {
  return address >= mutator.stack_low() - kOverflowReachBytes && address < mutator.stack_high();
}

TrapRecord ClassifyMemoryFault(const Mutator& mutator, const siginfo_t& info, uintptr_t address,
                               const ucontext_t& context) {
  if (info.si_code == SI_KERNEL) {
    // The processor does not tell such addresses.
    return ErrorRecord(TrapRecord::Cause::kFatalError, abi::RuntimeErrorCode::kBadMemoryReference,
                       "access to an address that is none");
  }
  if (address < abi::kNilGuardBytes || address >= uintptr_t{0} - abi::kNilGuardBytes) {
    const greg_t* const registers = context.uc_mcontext.gregs;
    NoteNilAccess(static_cast<uintptr_t>(registers[REG_RIP]), address,
                  (registers[REG_ERR] & kWriteAccess) != 0);
    return ErrorRecord(TrapRecord::Cause::kRuntimeError, abi::RuntimeErrorCode::kBadMemoryReference,
                       kNilText);
  }
  if (IsStackOverflow(mutator, address)) {
    return ErrorRecord(TrapRecord::Cause::kRuntimeError, abi::RuntimeErrorCode::kStackOverflow,
                       nullptr);
  }
  std::snprintf(fatal_text, sizeof fatal_text,
                "access to address 0x%lx, which the program does not have",
                static_cast<unsigned long>(address));
  return ErrorRecord(TrapRecord::Cause::kFatalError, abi::RuntimeErrorCode::kBadMemoryReference,
                     fatal_text);
}

// For a signal that kill or raise has sent, not the processor: acts as the sender wanted.
bool WasSent(int signal, const siginfo_t& info) {
  if (info.si_code > 0) return false;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  return true;
}

void OnMemoryFault(int signal, siginfo_t* info, void* raw_context) {
  const int saved_errno = errno;
  if (WasSent(signal, *info)) return;
  auto& context = *static_cast<ucontext_t*>(raw_context);
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (info->si_code == SEGV_MAPERR) {
    Result<bool> covered = gc::CardTable::CoverByFault(address);
    if (covered.ok() && !*covered) covered = stabilize::BlockTable::CoverByFault(address);
    if (!covered.ok()) ReportAndEndAtOnce("out of memory: the system gives this process no more");
    if (*covered) {
      errno = saved_errno;
      return;
    }
  }
  Mutator* mutator = Mutator::Current();
  if (mutator == nullptr) ReportAndEndAtOnce("memory fault in a thread of the run time");
  if (mutator->fault_context != nullptr) {
    ReportAndEndAtOnce("memory fault while another one was handled");
  }

  if (const FaultHandler handler = fault_handler.load();
      handler != nullptr && info->si_code != SI_KERNEL) {
    mutator->fault_context = &context;
    const bool is_write = (Register(context, REG_ERR) & kWriteAccess) != 0;
    const FaultAnswer answer = handler(address, is_write, raw_context);
    mutator->fault_context = nullptr;
    switch (answer.kind) {
      case FaultAnswer::Kind::kResolved: errno = saved_errno; return;
      case FaultAnswer::Kind::kRaise:
        Deflect(*mutator, context,
                {0, 0, TrapRecord::Cause::kException, abi::RuntimeErrorCode::kSystemError,
                 answer.exception, answer.text});
        errno = saved_errno;
        return;
      case FaultAnswer::Kind::kNotMine: break;
    }
  }
  Deflect(*mutator, context, ClassifyMemoryFault(*mutator, *info, address, context));
  errno = saved_errno;
}

void OnArithmeticTrap(int signal, siginfo_t* info, void* raw_context) {
  if (WasSent(signal, *info)) return;
  Mutator* mutator = Mutator::Current();
  if (mutator == nullptr) ReportAndEndAtOnce("arithmetic trap in a thread of the run time");
  auto code = abi::RuntimeErrorCode::kUnknown;
  switch (info->si_code) {
    // The processor's one trap for a zero divisor and for a quotient that does not fit.
    case FPE_INTDIV: code = abi::RuntimeErrorCode::kIntegerDivideByZero; break;
    case FPE_INTOVF: code = abi::RuntimeErrorCode::kIntegerOverflow; break;
    case FPE_FLTDIV: code = abi::RuntimeErrorCode::kFloatDivideByZero; break;
    case FPE_FLTOVF: code = abi::RuntimeErrorCode::kFloatOverflow; break;
    case FPE_FLTUND: code = abi::RuntimeErrorCode::kFloatUnderflow; break;
    case FPE_FLTRES: code = abi::RuntimeErrorCode::kFloatInexact; break;
    case FPE_FLTINV: code = abi::RuntimeErrorCode::kFloatInvalid; break;
    default: break;
  }
  Deflect(*mutator, *static_cast<ucontext_t*>(raw_context),
          ErrorRecord(TrapRecord::Cause::kRuntimeError, code, nullptr));
}

void OnIllegalInstruction(int signal, siginfo_t* info, void* raw_context) {
  if (WasSent(signal, *info)) return;
  Mutator* mutator = Mutator::Current();
  if (mutator == nullptr) ReportAndEndAtOnce("illegal instruction in a thread of the run time");
  if (mutator->stack_exhausted) {
    mutator->stack_exhausted = false;
    TrapRecord record = ErrorRecord(TrapRecord::Cause::kRuntimeError,
                                    abi::RuntimeErrorCode::kStackOverflow, nullptr);
    record.place = mutator->stack_exhausted_at;
    return Deflect(*mutator, *static_cast<ucontext_t*>(raw_context), record);
  }
  Deflect(*mutator, *static_cast<ucontext_t*>(raw_context),
          ErrorRecord(TrapRecord::Cause::kFatalError, abi::RuntimeErrorCode::kPrivilegedInstruction,
                      nullptr));
}

void Install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  // Not blocked inside its own handler: a second fault there must reach us; a blocked one would
  // kill the process without a message.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  // A stop waits until the fault has been handled.
  sigaddset(&action.sa_mask, kStopSignal);
  sigaddset(&action.sa_mask, OtherCollector::StopSignal());
  TN_CHECK(sigaction(signal, &action, nullptr) == 0);
}

[[noreturn]] void RaiseStackOverflow(const ErrorPlace& place) {
  const Mutator* const mutator = Mutator::Current();
  constexpr auto kError = abi::RuntimeErrorCode::kStackOverflow;
  char text[320];
  const size_t kilobytes =
      mutator == nullptr ? 0 : (mutator->stack_high() - mutator->stack_low()) >> 10;
  std::snprintf(text, sizeof text,
                "%s: the stack of this thread has %zu KB. Does a recursion not end? `ulimit -s` "
                "allows the main thread more, Thread.IncDefaultStackSize other threads",
                RuntimeErrorText(kError), kilobytes);
  RaiseRuntimeError(kError, text, place);
}

}  // namespace

__attribute__((noinline)) void RequireStackRoom(const void* place) {
  Mutator* mutator = Mutator::Current();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (mutator == nullptr || here - mutator->stack_low() >= kStackRoomBytes) return;
  mutator->stack_exhausted_at = place;
  mutator->stack_exhausted = true;
  // Raising needs room, too: it happens on the emergency stack.
  __builtin_trap();
}

void SetFaultHandler(FaultHandler handler) { fault_handler = handler; }

void InstallTrapHandlers() {
  Install(SIGSEGV, OnMemoryFault);
  Install(SIGBUS, OnMemoryFault);
  Install(SIGFPE, OnArithmeticTrap);
  Install(SIGILL, OnIllegalInstruction);
}

}  // namespace tenure::runtime

// Called by the trampoline, on the thread's stack (or its emergency stack) and outside the signal
// handler.
extern "C" void tn_raise_from_trap(const tenure::runtime::TrapRecord* record) {
  using namespace tenure::runtime;
  const void* at =
      record->place != nullptr ? record->place : reinterpret_cast<const void*>(record->rip);
  const ErrorPlace place = {nullptr, 0, at};
  switch (record->cause) {
    case TrapRecord::Cause::kRuntimeError: {
      if (record->error == tenure::abi::RuntimeErrorCode::kStackOverflow) RaiseStackOverflow(place);
      RaiseRuntimeError(record->error, record->text, place);
    }
    case TrapRecord::Cause::kFatalError: ReportRuntimeError(record->error, record->text, place);
    case TrapRecord::Cause::kException: {
      if (record->exception == nullptr) {
        ReportRuntimeError(tenure::abi::RuntimeErrorCode::kSystemError, record->text, place);
      }
      FinishAbortedTransaction();
      RaiseWithText(*record->exception, record->text, place);
    }
  }
  TN_UNREACHABLE();
}
