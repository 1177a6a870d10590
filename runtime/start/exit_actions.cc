#include "runtime/start/exit_actions.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <vector>

#include "base/mutex.h"
#include "runtime/threads/safepoint.h"

namespace tenure::runtime {
namespace {

struct Actions {
  Mutex mutex;
  std::vector<void (*)()> list;
};

Actions& Registered() {
  // Never destroyed: actions run while the process ends.
  static auto* actions = new Actions;
  return *actions;
}

// Null when none is left. The lock is not held while an action runs: it may raise, which leaves
// frames of C++ without their destructors.
void (*TakeLast())() {
  Actions& actions = Registered();
  // The last action stops the other threads for good: none may have the lock then.
  const StopsHeld held;
  const MutexLock lock(actions.mutex);
  if (actions.list.empty()) return nullptr;
  void (*last)() = actions.list.back();
  actions.list.pop_back();
  return last;
}

std::atomic<bool> ending{false};
pthread_t ending_thread;
std::atomic<bool> flushed{false};
std::atomic<bool> failed{false};
std::atomic<bool> unread{false};

[[noreturn]] void DieOfPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  std::raise(SIGPIPE);
  constexpr int kAsShellsTell = 128 + SIGPIPE;
  _exit(kAsShellsTell);
}

}  // namespace

void ClaimTheEnd() {
  if (!ending.exchange(true)) {
    ending_thread = pthread_self();
  } else if (!pthread_equal(ending_thread, pthread_self())) {
    const SafeRegion waiting;
    for (;;) pause();
  }
}

void RegisterExitAction(void (*action)()) {
  Actions& actions = Registered();
  const StopsHeld held;
  const MutexLock lock(actions.mutex);
  actions.list.push_back(action);
}

void RunExitActions() {
  while (void (*action)() = TakeLast()) action();
}

void FlushAtTheEnd() {
  if (!flushed.exchange(true)) std::fflush(nullptr);
}

void FailAtTheEnd() { failed = true; }

void NoteUnreadOutput() { unread = true; }

bool OutputIsUnread() { return unread; }

void EndUnread() {
  ClaimTheEnd();
  RunExitActions();
  FlushAtTheEnd();
  DieOfPipe();
}

void ExitProcess(int status) {
  ClaimTheEnd();
  RunExitActions();
  FlushAtTheEnd();
  if (status == 0 && failed && unread) DieOfPipe();
  _exit(status == 0 && failed ? 1 : status);
}

}  // namespace tenure::runtime
