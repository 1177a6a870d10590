/* A thread that stops behind each of its instructions, until another one has collected: the
   processor's trap flag, and a handler that waits. The collector must find all live objects from
   the registers and the stack as that instruction left them. Calls out of the tested code are
   not stepped through: the thread stops again behind the call. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { kTrapFlag = 0x100, kBreakpoint = 0xCC, kPageBytes = 4096 };

static uintptr_t low, high;
static long every, seen;
static unsigned char* broken; /* the instruction that is a breakpoint, null for none */
static unsigned char instead;
static uintptr_t stack; /* the stack pointer at the last tested instruction */
static _Atomic uint32_t requested, served;

/* Waits at most `most`; for ever if `most` is null. */
static void WaitWhile(_Atomic uint32_t* word, uint32_t value, const struct timespec* most) {
  while (atomic_load(word) == value) {
    if (syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, most, NULL, 0) < 0 && errno == ETIMEDOUT) return;
  }
}

static void Increase(_Atomic uint32_t* word) {
  atomic_fetch_add(word, 1);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static int IsLookedAt(uintptr_t at) { return at >= low && at < high; }

static void OnTrap(int signal, siginfo_t* info, void* context) {
  greg_t* const registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  if (broken != NULL) {
    *broken = instead;
    registers[REG_RIP] = (greg_t)(uintptr_t)broken;
    registers[REG_EFL] |= kTrapFlag;
    broken = NULL;
  } else if (!IsLookedAt((uintptr_t)registers[REG_RIP])) {
    const uintptr_t back = *(uintptr_t*)registers[REG_RSP];
    const int is_call = (uintptr_t)registers[REG_RSP] == stack - sizeof back;
    stack = 0;
    if (!is_call || !IsLookedAt(back)) return; /* a return, or a jump: step by step */
    broken = (unsigned char*)back;
    instead = *broken;
    *broken = kBreakpoint;
    registers[REG_EFL] &= ~(greg_t)kTrapFlag;
    return;
  }
  stack = (uintptr_t)registers[REG_RSP];
  const uint32_t before = atomic_load(&served);
  if (++seen % every != 0 || before != atomic_load(&requested)) return;
  Increase(&requested);
  /* If this thread delays stops, as in a copy, it is stopped a few instructions later. */
  const struct timespec most = {0, 20 * 1000 * 1000};
  WaitWhile(&served, before, &most);
}

/* Leaves the red zone intact. */
static void SetTrapFlag(uint64_t clear, uint64_t set) {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t"
      "pushfq\n\t"
      "andq %0, (%%rsp)\n\t"
      "orq %1, (%%rsp)\n\t"
      "popfq\n\t"
      "leaq 128(%%rsp), %%rsp"
      :
      : "r"(clear), "r"(set)
      : "memory", "cc");
}

void step_between(void* first, void* last, long every_nth) {
  struct sigaction action = {0};
  action.sa_sigaction = OnTrap;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  low = (uintptr_t)first;
  high = (uintptr_t)last;
  every = every_nth;
  const uintptr_t begin = low & ~(uintptr_t)(kPageBytes - 1);
  if (sigaction(SIGTRAP, &action, NULL) != 0 ||
      mprotect((void*)begin, high - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    abort();
  }
}

void step_begin(void) { SetTrapFlag(~UINT64_C(0), kTrapFlag); }
void step_end(void) { SetTrapFlag(~(uint64_t)kTrapFlag, 0); }
long step_count(void) { return atomic_load(&served); }

/* For the other thread. */
void step_await(void) { WaitWhile(&requested, atomic_load(&served), NULL); }
void step_serve(void) { Increase(&served); }
