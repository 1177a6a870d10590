#include "runtime/threads/workers.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/futex.h"
#include "base/metrics.h"
#include "base/shared_processor.h"
#include "base/spinning.h"
#include "runtime/reports/report.h"
#include "runtime/threads/file_waits.h"
#include "runtime/threads/own_errno.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/signal_masks.h"
#include "runtime/threads/spin_lock.h"
#include "runtime/threads/threads.h"

extern "C" {
void tn_switch_stacks(void** left, void* entered);
void tn_thread_entry();
}

namespace tenure::runtime {
namespace {

using State = Carried::State;

// The stack of the loop of the first worker, whose own stack is the first thread's.
constexpr uint64_t kLoopStackBytes = 256 << 10;
constexpr size_t kWorkerStackBytes = 256 << 10;

// How long a worker without work looks for some before it sleeps.
constexpr int64_t kSearchNanoseconds = 20'000;
// How often the monitor looks: at first, and when there was nothing to do for long.
constexpr int64_t kShortestTick = 50'000, kLongestTick = 10'000'000;
// A sleep of the monitor that is ended when something changes; and the longest one.
constexpr int64_t kLongSleep = 1'000'000, kLongestSleep = 3600 * int64_t{1'000'000'000};
// Looks in vain before the ticks grow.
constexpr int kLooksBeforeGrowth = 10;
// A thread that computes this long keeps its worker.
constexpr int64_t kLongWork = 10'000'000;
// Each 64th thread that a worker takes is the one that waits longest.
constexpr uint32_t kFairness = 64;
// A thread that has released a lock gives way at most so often. A lock that is held longer than
// this goes to the thread that waits, one that is held for less is not passed on at each release.
constexpr int64_t kBetweenGivingWay = 50'000;
// Workers are added while threads can run and all workers are kept, but not without end.
constexpr size_t kMostWorkers = 512;

int64_t Now() { return static_cast<int64_t>(MonotonicNanoseconds()); }

int64_t NanosecondsOf(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

timespec TimeOf(int64_t nanoseconds) {
  using Clock = std::chrono::steady_clock;
  return FutexDeadline(Clock::time_point(std::chrono::nanoseconds(nanoseconds)));
}

// What becomes of a thread once its worker has left its stack.
enum class After : uint8_t { kNothing, kPark, kReady, kEnd };

struct Worker {
  HandlerStacks stacks;
  abi::MutatorState* state = nullptr;
  void* loop_stack_pointer = nullptr;
  bool has_buffer = false;  // Mutator::has_buffer, of the worker while no thread runs
  After after = After::kNothing;
  Carried* left = nullptr;
  uint32_t taken = 0;
  int64_t gave_way_at = 0;

  // With the scheduler's lock:
  Carried* current = nullptr;  // what the worker took last; null: it runs its loop
  Carried* next = nullptr;     // ready, and goes on here before others
  bool is_idle = false, is_stuck = false;
  bool is_searching = false;
  std::atomic<bool> polls{false};  // idle, and waits for files
  std::atomic<uint64_t> switches{0};
  uint64_t seen_switches = 0;  // by the monitor
  int64_t seen_at = 0;

  std::atomic<uint32_t> wake_word{0};
};

constinit thread_local Worker* this_worker __attribute__((tls_model("local-exec"))) = nullptr;

// --- The scheduler ---

SpinLock scheduler_lock;
bool in_use = false;
bool migrates = false;
size_t wanted_workers = 1;
std::vector<Worker*>* workers = nullptr;  // all, never freed
std::vector<Worker*>* idle = nullptr;
Carried *first_ready = nullptr, *last_ready = nullptr;
std::atomic<size_t> ready_count{0};
size_t active = 0;     // workers that are not idle
size_t stuck = 0;      // active workers that do not count, since threads keep them
size_t searching = 0;  // active workers that look for work
std::atomic<bool> someone_polls{false};  // an idle worker waits for files

std::atomic<uint32_t> monitor_word{0};
// The monitor looks, or sleeps for long: it is to be told what changes.
std::atomic<bool> monitor_wants_pokes{true};
std::atomic<int64_t> monitor_until{0};
std::atomic<bool> monitor_runs{false};  // and so do the other workers

void PokeMonitor() {
  monitor_word.fetch_add(1);
  KernelFutexWake(&monitor_word, 1);
}

void PushReady(Carried& thread) {
  thread.next_ready = nullptr;
  (last_ready == nullptr ? first_ready : last_ready->next_ready) = &thread;
  last_ready = &thread;
  ready_count.store(ready_count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

// With the lock: other workers may take the thread that was to go on here.
void GiveUpNext(Worker& worker) {
  if (worker.next != nullptr) PushReady(*std::exchange(worker.next, nullptr));
}

// The first ready thread that `may` admits; null: there is none.
template <typename May>
Carried* PopReady(May&& may) {
  Carried* before = nullptr;
  for (Carried* thread = first_ready; thread != nullptr;
       before = std::exchange(thread, thread->next_ready)) {
    if (!may(*thread)) continue;
    (before == nullptr ? first_ready : before->next_ready) = thread->next_ready;
    if (last_ready == thread) last_ready = before;
    ready_count.store(ready_count.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    return thread;
  }
  return nullptr;
}

// With the lock: an idle worker that is to look for work, to be woken without the lock; null: none
// is needed, or none is there.
Worker* CallIdle() {
  if (first_ready == nullptr || searching > 0 || idle->empty() ||
      active - stuck >= wanted_workers) {
    return nullptr;
  }
  auto at = idle->end() - 1;
  // One that has just taken the files' events need not be woken.
  if (Worker* const here = this_worker; here != nullptr && here->is_idle && !migrates) {
    at = std::find(idle->begin(), idle->end(), here);
  }
  if (migrates && *at == first_ready->last_worker && at != idle->begin()) --at;
  Worker* const called = *at;
  idle->erase(at);
  called->is_idle = false;
  called->is_searching = true;
  ++active;
  ++searching;
  return called;
}

void WakeWorker(Worker* called) {
  if (called == nullptr) return;
  const bool polls = called->polls.load();
  called->wake_word.store(1);
  if (called != this_worker) {
    if (polls) {
      InterruptFileEvents();
    } else {
      KernelFutexWake(&called->wake_word, 1);
    }
  }
  if (monitor_wants_pokes.load()) PokeMonitor();
}

// The threads, which run on no worker, can go on.
void MakeReady(Carried* const* threads, size_t count) {
  if (count == 0) return;
  Worker* called;
  bool poke = false;
  {
    const SpinLocked locked(scheduler_lock);
    Worker* const here = this_worker;
    size_t i = 0;
    if (here != nullptr && here->current != nullptr && here->next == nullptr && !migrates) {
      here->next = threads[i++];
      // It goes on when this worker switches. Should that take long, the monitor sees to it.
      poke = !idle->empty();
    }
    for (; i < count; ++i) PushReady(*threads[i]);
    called = CallIdle();
  }
  WakeWorker(called);
  if (poke && called == nullptr && monitor_wants_pokes.load()) PokeMonitor();
}

// With the lock: the thread that the calling worker is to run; null: none.
Carried* Choose(Worker& here) {
  here.switches.store(here.switches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (here.is_stuck) {
    here.is_stuck = false;
    --stuck;
  }
  if (active - stuck > wanted_workers) return nullptr;
  if (migrates) {
    Carried* const other =
        PopReady([&](const Carried& thread) { return thread.last_worker != &here; });
    // An idle worker will be called for those of this one.
    if (other != nullptr || !idle->empty()) return other;
  }
  const auto any = [](const Carried&) { return true; };
  if (++here.taken % kFairness == 0) {
    if (Carried* const waiting = PopReady(any)) return waiting;
  }
  if (here.next != nullptr) return std::exchange(here.next, nullptr);
  return PopReady(any);
}

// With the lock: the calling worker has the chosen thread from here on. A thread that others see as
// `current`, with the lock, has not ended.
Carried* Take(Worker& here) { return here.current = Choose(here); }

void EndCarried(Carried& thread);

// After a switch, on the new stack: what becomes of the thread that the worker has left. Not in
// line: a thread may have moved to another worker.
__attribute__((noinline)) void FinishSwitch() {
  Worker& here = *this_worker;
  Carried* const left = here.left;
  switch (std::exchange(here.after, After::kNothing)) {
    case After::kNothing: return;
    case After::kPark: {
      State parking = State::kParking;
      if (left->state.compare_exchange_strong(parking, State::kParked)) return;
      return MakeReady(&left, 1);
    }
    case After::kReady: {
      Worker* called;
      {
        const SpinLocked locked(scheduler_lock);
        PushReady(*left);
        called = CallIdle();
      }
      return WakeWorker(called);
    }
    case After::kEnd: return EndCarried(*left);
  }
}

// Leaves the stack of `from` (null: of the worker's loop) for that of `to` (null: of the loop).
__attribute__((noinline)) void Switch(Carried* from, Carried* to, After after) {
  Worker& here = *this_worker;
  if (from != nullptr) {
    here.has_buffer = std::exchange(from->mutator.has_buffer, false);
    from->last_worker = &here;
  }
  here.left = from;
  here.after = after;
  if (to != nullptr) to->mutator.has_buffer = here.has_buffer;
  Mutator::Become(to == nullptr ? nullptr : &to->mutator, here.stacks);
  tn_switch_stacks(from == nullptr ? &here.loop_stack_pointer : &from->stack_pointer,
                   to == nullptr ? here.loop_stack_pointer : to->stack_pointer);
  FinishSwitch();
}

// Makes threads ready whose files are, unless an idle worker waits for that.
void LookAtFiles() {
  if (FilesAreAwaited() && !someone_polls.load(std::memory_order_relaxed)) {
    TakeFileEvents(/*waits=*/false);
  }
}

// The calling thread leaves its worker, which goes on with another.
void Leave(Carried& self, After after) {
  const int saved_errno = OwnErrno();
  if (this_worker->taken % kFairness == 0) LookAtFiles();
  Carried* next;
  {
    const SpinLocked locked(scheduler_lock);
    next = Take(*this_worker);
  }
  Switch(&self, next, after);
  SetOwnErrno(saved_errno);
}

// --- The loop of a worker ---

bool SearchFor(int64_t nanoseconds) {
  const int64_t until = Now() + nanoseconds;
  do {
    LookAtFiles();
    for (int i = 0; i < 64; ++i) {
      if (ready_count.load(std::memory_order_relaxed) != 0) return true;
      __builtin_ia32_pause();
    }
  } while (Now() < until);
  return false;
}

// Waits until there is a thread for this worker.
Carried* AwaitWork(Worker& here) {
  bool may_search = true;
  for (;;) {
    bool searches = false;
    Worker* called = nullptr;
    Carried* found;
    {
      const SpinLocked locked(scheduler_lock);
      found = Take(here);
      const bool searched = std::exchange(here.is_searching, false);
      if (searched) --searching;
      if (found != nullptr) {
        called = CallIdle();
      } else if (may_search && first_ready == nullptr && searching == 0 &&
                 active - stuck <= wanted_workers) {
        searches = here.is_searching = true;
        ++searching;
      } else {
        GiveUpNext(here);
        here.wake_word.store(0);
        here.is_idle = true;
        here.polls.store(FilesAreAwaited() && !someone_polls.load());
        if (here.polls.load()) someone_polls.store(true);
        idle->push_back(&here);
        --active;
        // Those that this worker leaves behind.
        called = CallIdle();
      }
    }
    if (found != nullptr) {
      WakeWorker(called);
      return found;
    }
    if (searches) {
      may_search = SearchFor(kSearchNanoseconds);
      continue;
    }
    WakeWorker(called);
    while (here.wake_word.load() == 0) {
      if (here.polls.load()) {
        TakeFileEvents(/*waits=*/true);
      } else {
        KernelFutexWait(&here.wake_word, 0);
      }
    }
    if (here.polls.exchange(false)) someone_polls.store(false);
    may_search = true;
  }
}

[[noreturn]] void Loop() {
  FinishSwitch();
  for (;;) {
    Worker& here = *this_worker;
    Switch(nullptr, AwaitWork(here), After::kNothing);
  }
}

void* WorkerMain(void* argument) {
  auto* const worker = static_cast<Worker*>(argument);
  const Result<HandlerStacks> stacks = HandlerStacks::MakeForThisThread();
  if (!stacks.ok()) ReportAndEndAtOnce("no memory for a thread");
  UnblockNeededSignals();
  worker->stacks = *stacks;
  worker->state = &tn_mutator;
  this_worker = worker;
  Loop();
}

// A kernel thread that takes the signals of the program, other than a WorkerThread
// (base/worker_thread.h): threads of the program will run on it, or on those that it starts.
bool StartKernelThread(void* (*main)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kWorkerStackBytes);
  pthread_t created;
  const int error = pthread_create(&created, &attributes, main, argument);
  pthread_attr_destroy(&attributes);
  return error == 0;
}

// A worker that counts as active and searches.
void AddWorker() {
  auto* const worker = new Worker;
  worker->is_searching = true;
  {
    const SpinLocked locked(scheduler_lock);
    workers->push_back(worker);
    ++active;
    ++searching;
  }
  if (StartKernelThread(WorkerMain, worker)) return;
  // Those that there are must do.
  const SpinLocked locked(scheduler_lock);
  std::erase(*workers, worker);
  --active;
  --searching;
  delete worker;
}

// --- Waiting for words ---

// Threads that wait for words with the same hash.
struct alignas(64) Bucket {
  SpinLock lock;
  uint32_t kernel_waits = 0;  // threads that wait for such words in the kernel
  Carried *first = nullptr, *last = nullptr;
};

constexpr size_t kBuckets = 1024;
Bucket buckets[kBuckets];

Bucket& BucketOf(const void* word) {
  const uint64_t mixed = (reinterpret_cast<uintptr_t>(word) >> 2) * 0x9E3779B97F4A7C15u;
  return buckets[mixed >> 54];
}

void List(Bucket& bucket, Carried& thread) {
  thread.is_listed = true;
  thread.next_waiting = nullptr;
  thread.before_waiting = bucket.last;
  (bucket.last == nullptr ? bucket.first : bucket.last->next_waiting) = &thread;
  bucket.last = &thread;
}

void TakeOutOfList(Bucket& bucket, Carried& thread) {
  thread.is_listed = false;
  (thread.before_waiting == nullptr ? bucket.first : thread.before_waiting->next_waiting) =
      thread.next_waiting;
  (thread.next_waiting == nullptr ? bucket.last : thread.next_waiting->before_waiting) =
      thread.before_waiting;
}

SpinLock timers_lock;
Carried::Timers* timers = nullptr;

void SetTimer(Carried& thread, int64_t deadline) {
  {
    const SpinLocked locked(timers_lock);
    thread.timer = timers->emplace(deadline, &thread);
    thread.has_timer = true;
  }
  if (monitor_wants_pokes.load() || deadline < monitor_until.load()) PokeMonitor();
}

void ClearTimer(Carried& thread) {
  const SpinLocked locked(timers_lock);
  if (std::exchange(thread.has_timer, false)) timers->erase(thread.timer);
}

// Whether a thread in this state may leave its worker: it is on its own stack, and not in the
// middle of something that belongs to its kernel thread.
bool MaySwitch(const Mutator* self, RunState state = RunState::kSafe) {
  if (self == nullptr || self->carried == nullptr || this_worker == nullptr) return false;
  // The first thread is alone, and nobody would look after its deadline.
  if (!monitor_runs.load(std::memory_order_relaxed)) return false;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return self->run_state.load(std::memory_order_relaxed) == state && self->holds == 0 &&
         self->fault_context == nullptr && self->interrupted_stack == 0 &&
         here >= self->stack_low() && here < self->stack_high() && !HasStoppedWorld(*self);
}

void LetOthersRun();

bool WaitInKernel(const void* word, uint32_t expected, const timespec* deadline) {
  Bucket& bucket = BucketOf(word);
  const auto count = [&](int change) {
    const StopsHeld held;
    const SpinLocked locked(bucket.lock);
    bucket.kernel_waits += static_cast<uint32_t>(change);
  };
  count(1);
  LetOthersRun();
  const bool in_time = KernelFutexWait(word, expected, deadline);
  count(-1);
  return in_time;
}

bool Wait(const void* word, uint32_t expected, const timespec* deadline) {
  Mutator* const self = Mutator::Current();
  if (!MaySwitch(self)) return WaitInKernel(word, expected, deadline);
  Carried& thread = *self->carried;
  Bucket& bucket = BucketOf(word);
  const int64_t until = deadline == nullptr ? 0 : NanosecondsOf(*deadline);
  if (deadline != nullptr && until <= Now()) {
    return __atomic_load_n(static_cast<const uint32_t*>(word), __ATOMIC_SEQ_CST) != expected;
  }
  thread.state.store(State::kParking);
  thread.word = word;
  thread.timed_out = false;
  {
    const SpinLocked locked(bucket.lock);
    List(bucket, thread);
  }
  if (__atomic_load_n(static_cast<const uint32_t*>(word), __ATOMIC_SEQ_CST) != expected) {
    const SpinLocked locked(bucket.lock);
    if (thread.is_listed) TakeOutOfList(bucket, thread);
    thread.state.store(State::kActive);
    return true;
  }
  if (deadline != nullptr) SetTimer(thread, until);
  Leave(thread, After::kPark);
  thread.state.store(State::kActive);
  if (deadline != nullptr) ClearTimer(thread);
  return !thread.timed_out;
}

void Wake(const void* word, int count) {
  const StopsHeld held;
  Bucket& bucket = BucketOf(word);
  constexpr size_t kTogether = 32;
  for (bool more = true; more;) {
    more = false;
    Carried* woken[kTogether];
    size_t found = 0;
    bool in_kernel;
    {
      const SpinLocked locked(bucket.lock);
      for (Carried* thread = bucket.first; thread != nullptr && count > 0;) {
        Carried* const next = thread->next_waiting;
        if (thread->word == word) {
          if (found == kTogether) {
            more = true;
            break;
          }
          TakeOutOfList(bucket, *thread);
          --count;
          if (thread->state.exchange(State::kWoken) == State::kParked) woken[found++] = thread;
        }
        thread = next;
      }
      in_kernel = bucket.kernel_waits > 0;
    }
    MakeReady(woken, found);
    if (!more && in_kernel && count > 0) KernelFutexWake(word, count);
  }
}

// With the timers' lock: the thread's deadline has passed.
void TimeOut(Carried& thread) {
  Bucket& bucket = BucketOf(thread.word);
  bool is_parked;
  {
    const SpinLocked locked(bucket.lock);
    if (!thread.is_listed) return;
    TakeOutOfList(bucket, thread);
    thread.timed_out = true;
    is_parked = thread.state.exchange(State::kWoken) == State::kParked;
  }
  Carried* const woken = &thread;
  if (is_parked) MakeReady(&woken, 1);
}

// --- The monitor ---

// Ends the waits whose deadlines have passed; when the next one does, or INT64_MAX.
int64_t ExpireTimers() {
  const SpinLocked locked(timers_lock);
  while (!timers->empty()) {
    const auto first = timers->begin();
    if (first->first > Now()) return first->first;
    Carried& thread = *first->second;
    timers->erase(first);
    thread.has_timer = false;
    TimeOut(thread);
  }
  return INT64_MAX;
}

// For ready threads, while others keep their workers.
struct Help {
  Worker* called = nullptr;  // an idle worker, to be woken
  bool add = false;          // one more is needed
};

// With the lock.
Help CallHelp() {
  Help help;
  help.called = CallIdle();
  help.add = help.called == nullptr && first_ready != nullptr && searching == 0 && idle->empty() &&
             active - stuck < wanted_workers && workers->size() < kMostWorkers;
  return help;
}

// Without the lock.
void Send(const Help& help) {
  WakeWorker(help.called);
  if (help.add) AddWorker();
}

// Gives threads that can run a worker, while others are kept. Whether there was something to do.
bool GiveWorkers(int64_t now) {
  Help help;
  bool found = false;
  {
    const SpinLocked locked(scheduler_lock);
    for (Worker* worker : *workers) {
      if (worker->is_idle) continue;
      const uint64_t switches = worker->switches.load(std::memory_order_relaxed);
      if (switches != worker->seen_switches) {
        worker->seen_switches = switches;
        worker->seen_at = now;
        continue;
      }
      found |= worker->next != nullptr;
      GiveUpNext(*worker);
      if (first_ready == nullptr || worker->is_stuck || worker->current == nullptr) continue;
      const bool waits =
          worker->current->mutator.run_state.load(std::memory_order_relaxed) == RunState::kSafe;
      if (waits || now - worker->seen_at >= kLongWork) {
        worker->is_stuck = true;
        ++stuck;
        found = true;
      }
    }
    help = CallHelp();
  }
  Send(help);
  return found || help.called != nullptr || help.add;
}

// The calling thread keeps its worker from here on until it waits for a word.
void LetOthersRun() {
  Worker* const here = this_worker;
  if (here == nullptr || here->current == nullptr || !monitor_runs.load()) return;
  const StopsHeld held;
  Help help;
  {
    const SpinLocked locked(scheduler_lock);
    GiveUpNext(*here);
    if (!here->is_stuck) {
      here->is_stuck = true;
      ++stuck;
    }
    help = CallHelp();
  }
  Send(help);
}

// Whether nothing happens until a thread of another kind, or a timer, wakes one of ours.
bool AllSleep() {
  if (FilesAreAwaited() && !someone_polls.load()) return false;
  const SpinLocked locked(scheduler_lock);
  return active == 0;
}

void* MonitorMain(void*) {
  int64_t tick = kShortestTick;
  int in_vain = 0;
  for (;;) {
    // What changes from here on ends the sleep below.
    monitor_wants_pokes.store(true);
    const uint32_t seen = monitor_word.load();
    LookAtFiles();
    const int64_t next_timer = ExpireTimers();
    const int64_t now = Now();
    if (GiveWorkers(now)) {
      tick = kShortestTick;
      in_vain = 0;
    } else if (++in_vain > kLooksBeforeGrowth) {
      tick = std::min(2 * tick, kLongestTick);
    }
    const int64_t until = std::min(AllSleep() ? INT64_MAX : now + tick, next_timer);
    const bool is_long = until - now > kLongSleep;
    monitor_until.store(until);
    if (!is_long) monitor_wants_pokes.store(false);
    const timespec deadline = TimeOf(std::min(until, now + kLongestSleep));
    KernelFutexWait(&monitor_word, seen, &deadline);
    if (is_long && monitor_word.load() != seen) {
      tick = kShortestTick;
      in_vain = 0;
    }
  }
}

// The other workers and the monitor exist once there is a second thread.
bool StartOthers() {
  static SpinLock once;
  const SpinLocked locked(once);
  if (monitor_runs) return true;
  if (!StartKernelThread(MonitorMain, nullptr)) return false;
  for (size_t i = 1; i < wanted_workers; ++i) AddWorker();
  monitor_runs = true;
  return true;
}

// --- The life of a thread ---

void EndCarried(Carried& thread) {
  GiveBackStack(thread.stack);
  Mutator* const mutator = &thread.mutator;
  delete &thread;
  Mutator::DeleteCarried(mutator);
}

[[noreturn]] void RunCarried(void* argument) {
  FinishSwitch();
  auto* const thread = static_cast<Carried*>(argument);
  Mutator& mutator = thread->mutator;
  mutator.RootsEndAt(__builtin_frame_address(0));
  LeaveSafety(mutator);
  thread->run(mutator.thread_object);
  EndsToWorkIn(mutator.transaction);
  Mutator::LeaveList();
  BecomeSafe(mutator);
  GiveBackBiasedSection(mutator);
  Leave(*thread, After::kEnd);
  TN_UNREACHABLE();
}

// Makes the stack as tn_switch_stacks leaves one, so that begin(argument) is called when it is
// entered; returns the stack pointer.
void* PrepareStack(const ThreadStack& stack, void (*begin)(void* argument), void* argument) {
  auto* words = reinterpret_cast<uintptr_t*>(stack.high);
  *--words = 0;  // what would be a return address
  *--words = 0;
  *--words = reinterpret_cast<uintptr_t>(&tn_thread_entry);
  *--words = 0;                                      // rbp
  *--words = reinterpret_cast<uintptr_t>(begin);     // rbx
  *--words = reinterpret_cast<uintptr_t>(argument);  // r12
  *--words = 0;                                      // r13
  *--words = 0;                                      // r14
  *--words = 0;                                      // r15
  --words;
  auto* const float_state = reinterpret_cast<uint32_t*>(words);
  float_state[0] = 0x1f80;  // MXCSR: no traps, round to nearest
  float_state[1] = 0x37f;   // the control word of the x87
  return words;
}

// The stack of the first worker's loop, entered when the first thread waits.
[[noreturn]] void RunFirstLoop(void*) { Loop(); }

constexpr FutexCalls kCalls = {Wait, Wake, LetOthersRun};

}  // namespace

Status Workers::Use(const ThreadsMode& mode) {
  Mutator& self = *Mutator::Current();
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  wanted_workers = mode.workers != 0 ? mode.workers
                   : known           ? static_cast<size_t>(std::max(CPU_COUNT(&allowed), 1))
                                     : 1;
  migrates = mode.kind == ThreadsMode::Kind::kMigrate;
  if (migrates) wanted_workers = std::max<size_t>(wanted_workers, 2);
  workers = new std::vector<Worker*>;
  idle = new std::vector<Worker*>;
  workers->reserve(kMostWorkers);
  idle->reserve(kMostWorkers);
  timers = new Carried::Timers;

  auto* const worker = new Worker;
  worker->stacks = self.handler_stacks();
  worker->state = &self.state();
  const ThreadStack loop = TakeStack(kLoopStackBytes);
  if (loop.high == 0) return Status(StatusCode::kNoMemory, "no memory for a thread's stack");
  worker->loop_stack_pointer = PrepareStack(loop, RunFirstLoop, nullptr);
  self.carried = new Carried(self);
  worker->current = self.carried;
  workers->push_back(worker);
  active = 1;
  this_worker = worker;
  in_use = true;
  SharedProcessor::Forbid();
  SpinPatience::Forbid();
  futex_calls.store(&kCalls);
  return Status::Ok();
}

bool Workers::InUse() { return in_use; }

bool Workers::IsAlone() { return !monitor_runs.load(std::memory_order_relaxed); }

int Workers::Start(abi::Ref thread, void (*run)(abi::Ref thread), uint64_t stack_bytes,
                   uint64_t transaction) {
  ThreadStack stack;
  {
    const StopsHeld held;
    if (!StartOthers()) return EAGAIN;
    stack = TakeStack(stack_bytes);
    if (stack.high == 0) return errno == 0 ? ENOMEM : errno;
  }
  // Not while stops are held: a thread that stops the world has the lock of the list.
  Mutator* const mutator = Mutator::NewCarried(stack.low, stack.high, thread);
  Carried* const carried = mutator == nullptr ? nullptr : new (std::nothrow) Carried(*mutator);
  if (carried == nullptr && mutator != nullptr) Mutator::DeleteCarried(mutator);
  const StopsHeld held;
  if (carried == nullptr) {
    GiveBackStack(stack);
    return ENOMEM;
  }
  carried->stack = stack;
  carried->run = run;
  carried->stack_pointer = PrepareStack(stack, RunCarried, carried);
  mutator->transaction = transaction;
  mutator->carried = carried;
  MakeReady(&carried, 1);
  return 0;
}

void Workers::Yield() {
  Mutator* const self = Mutator::Current();
  if (!MaySwitch(self)) {
    sched_yield();
    return;
  }
  {
    const SpinLocked locked(scheduler_lock);
    // The one that waits longest: the thread that became ready last is often the one that yielded.
    GiveUpNext(*this_worker);
    if (first_ready == nullptr && !migrates) return;
  }
  Leave(*self->carried, After::kReady);
}

void Workers::GiveWay() {
  if (!in_use || !MaySwitch(Mutator::Current(), RunState::kRunning)) return;
  const int64_t now = Now();
  if (now - this_worker->gave_way_at < kBetweenGivingWay) return;
  this_worker->gave_way_at = now;
  const SafeRegion waiting;
  Yield();
}

void Workers::Pause(const timespec& deadline) {
  const uint32_t word = 0;
  while (FutexWait(&word, 0, &deadline)) {
  }
}

void Workers::FilesAreAwaitedNow() { PokeMonitor(); }

void Workers::ForgetInChild(gc::Heap& heap) {
  if (!in_use) return;
  in_use = false;
  for (const Worker* worker : *workers) {
    if (worker != this_worker && worker->state != nullptr) heap.RemoveMutator(*worker->state);
  }
  futex_calls.store(nullptr);
  if (Mutator* const self = Mutator::Current()) self->carried = nullptr;
  this_worker = nullptr;
}

}  // namespace tenure::runtime
