#include "runtime/threads/file_waits.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cmath>

#include "base/futex.h"
#include "runtime/threads/own_errno.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/spin_lock.h"
#include "runtime/threads/workers.h"

namespace tenure::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// A thread that waits for a file.
struct Waiter {
  static constexpr uint32_t kReady = 1, kWoken = 2;

  std::atomic<uint32_t> word{0};  // not 0: the thread is to look
  bool output = false;
  // With the lock of the file's place:
  bool is_listed = false;
  Waiter* next = nullptr;
};

// Those that wait for one descriptor. Never freed: an event may come late.
struct Place {
  SpinLock lock;
  Waiter* first = nullptr;
};

constexpr size_t kPlacesTogether = 1024, kMostGroups = 1 << 20;
std::atomic<Place*> places[kMostGroups];  // in groups

Place& PlaceOf(int fd) {
  const auto number = static_cast<size_t>(fd);
  std::atomic<Place*>& group = places[number / kPlacesTogether];
  Place* found = group.load();
  if (found == nullptr) {
    auto* const made = new Place[kPlacesTogether];
    if (group.compare_exchange_strong(found, made)) {
      found = made;
    } else {
      delete[] made;
    }
  }
  return found[number % kPlacesTogether];
}

struct Poller {
  int epoll = -1, interrupt = -1;
};

std::atomic<bool> files_are_awaited{false};

const Poller& ThePoller() {
  static const Poller poller = [] {
    Poller made;
    made.epoll = epoll_create1(EPOLL_CLOEXEC);
    made.interrupt = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.fd = -1;
    const bool good = made.epoll >= 0 && made.interrupt >= 0 &&
                      epoll_ctl(made.epoll, EPOLL_CTL_ADD, made.interrupt, &event) == 0;
    if (!good) made.epoll = -1;
    return made;
  }();
  return poller;
}

// With the place's lock: asks for the events that its waiters wait for, once. False: the kernel
// does not tell of this file.
bool Arm(int fd, const Place& place) {
  epoll_event event = {};
  event.events = EPOLLONESHOT;
  event.data.fd = fd;
  for (const Waiter* waiter = place.first; waiter != nullptr; waiter = waiter->next) {
    event.events |= waiter->output ? EPOLLOUT : EPOLLIN | EPOLLRDHUP;
  }
  const int epoll = ThePoller().epoll;
  if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return true;
  return errno == ENOENT && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void TakeOut(Place& place, Waiter& waiter) {
  Waiter** link = &place.first;
  while (*link != &waiter) link = &(*link)->next;
  *link = waiter.next;
  waiter.is_listed = false;
}

enum class Awaited : uint8_t { kEvent, kDeadline, kImpossible };

// In a safe region.
Awaited AwaitEvent(int fd, Waiter& waiter, const timespec* deadline) {
  Place& place = PlaceOf(fd);
  {
    const SpinLocked locked(place.lock);
    waiter.next = place.first;
    waiter.is_listed = true;
    place.first = &waiter;
    if (!Arm(fd, place)) {
      TakeOut(place, waiter);
      return Awaited::kImpossible;
    }
  }
  if (!files_are_awaited.exchange(true)) Workers::FilesAreAwaitedNow();
  const bool in_time = FutexWait(&waiter.word, 0, deadline);
  const SpinLocked locked(place.lock);
  if (waiter.is_listed) TakeOut(place, waiter);
  return in_time ? Awaited::kEvent : Awaited::kDeadline;
}

void NoteEvent(int fd, uint32_t events) {
  Place& place = PlaceOf(fd);
  constexpr uint32_t kBroken = EPOLLERR | EPOLLHUP;
  constexpr size_t kTogether = 16;
  const void* woken[kTogether];
  size_t count = 0;
  {
    const SpinLocked locked(place.lock);
    bool waits = false;
    for (Waiter* waiter = place.first; waiter != nullptr;) {
      Waiter* const next = waiter->next;
      const uint32_t wanted = kBroken | (waiter->output ? EPOLLOUT : EPOLLIN | EPOLLRDHUP);
      if ((events & wanted) == 0 || count == kTogether) {
        waits = true;
      } else {
        TakeOut(place, *waiter);
        waiter->word.fetch_or(Waiter::kReady);
        woken[count++] = &waiter->word;
      }
      waiter = next;
    }
    if (waits) static_cast<void>(Arm(fd, place));
  }
  // The words may be gone: waking then does nothing.
  for (size_t i = 0; i < count; ++i) FutexWake(woken[i], 1);
}

short EventsOf(bool output) { return output ? POLLOUT : POLLIN; }

FileState Look(int fd, bool output) {
  pollfd file = {fd, EventsOf(output), 0};
  while (poll(&file, 1, 0) < 0) {
    if (OwnErrno() != EINTR) return FileState::kUnknown;
  }
  if ((file.revents & POLLNVAL) != 0) return FileState::kClosed;
  return file.revents != 0 ? FileState::kReady : FileState::kWaits;
}

// By a kernel thread of its own. poll leaves out a waker of -1.
FileState AwaitInKernel(int fd, bool output, int64_t waker, double seconds) {
  pollfd files[] = {{fd, EventsOf(output), 0}, {static_cast<int>(waker), POLLIN, 0}};
  const Clock::time_point start = Clock::now();
  for (;;) {
    int milliseconds = -1;
    if (seconds >= 0) {
      const std::chrono::duration<double> passed = Clock::now() - start;
      milliseconds = static_cast<int>(
          std::clamp(std::ceil((seconds - passed.count()) * 1000), 0.0, double{INT_MAX}));
    }
    const SafeRegion waiting;
    if (poll(files, 2, milliseconds) >= 0) {
      if ((files[0].revents & POLLNVAL) != 0) return FileState::kClosed;
      return files[0].revents != 0 ? FileState::kReady : FileState::kWaits;
    }
    if (errno != EINTR) return FileState::kUnknown;
  }
}

Waiter* WaiterOf(int64_t waker) { return reinterpret_cast<Waiter*>(waker); }

// Whether a call that blocks would keep a worker.
bool WouldKeepWorker() { return Workers::InUse() && !Workers::IsAlone(); }

bool IsNonblocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

void AwaitReady(int fd, bool output) {
  if (!WouldKeepWorker() || Look(fd, output) != FileState::kWaits || IsNonblocking(fd)) return;
  static_cast<void>(AwaitFile(fd, output, -1, -1));
}

// `now` does the call without waiting where the file can do that, `call` otherwise.
template <typename Now, typename Call>
ssize_t CallWhenReady(int fd, bool output, Now&& now, Call&& call) {
  if (WouldKeepWorker()) {
    const ssize_t done = now();
    if (done >= 0) return done;
    const int error = OwnErrno();
    // EAGAIN is also said of files that are not in memory: these are ready.
    if (error != EAGAIN && error != EOPNOTSUPP && error != EINVAL && error != ENOSYS) return done;
    AwaitReady(fd, output);
  }
  return call();
}

}  // namespace

int64_t NewWaker() {
  if (!Workers::InUse()) return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return reinterpret_cast<int64_t>(new Waiter);
}

void WakeByWaker(int64_t waker) {
  if (!Workers::InUse()) {
    eventfd_write(static_cast<int>(waker), 1);
    return;
  }
  WaiterOf(waker)->word.fetch_or(Waiter::kWoken);
  FutexWake(&WaiterOf(waker)->word, 1);
}

void CloseWaker(int64_t waker) {
  if (!Workers::InUse()) {
    close(static_cast<int>(waker));
    return;
  }
  delete WaiterOf(waker);
}

FileState AwaitFile(int fd, bool output, int64_t waker, double seconds) {
  if (!Workers::InUse()) return AwaitInKernel(fd, output, waker, seconds);
  if (fd >= 0 && Workers::IsAlone()) return AwaitInKernel(fd, output, -1, seconds);
  const timespec deadline = FutexDeadlineAfter(seconds);
  Waiter own;
  Waiter& waiter = waker == -1 ? own : *WaiterOf(waker);
  waiter.output = output;
  for (;;) {
    const FileState state = Look(fd, output);
    if (state != FileState::kWaits || seconds == 0) return state;
    if ((waiter.word.fetch_and(~Waiter::kReady) & Waiter::kWoken) != 0) return state;
    const SafeRegion waiting;
    switch (AwaitEvent(fd, waiter, seconds < 0 ? nullptr : &deadline)) {
      case Awaited::kEvent: break;
      case Awaited::kDeadline: return Look(fd, output);
      case Awaited::kImpossible: return FileState::kReady;
    }
  }
}

ssize_t ReadWhenReady(int fd, void* buffer, size_t bytes) {
  return CallWhenReady(
      fd, /*output=*/false,
      [&] {
        const iovec part = {buffer, bytes};
        return preadv2(fd, &part, 1, -1, RWF_NOWAIT);
      },
      [&] { return read(fd, buffer, bytes); });
}

ssize_t WriteWhenReady(int fd, const void* buffer, size_t bytes) {
  return CallWhenReady(
      fd, /*output=*/true,
      [&] {
        const iovec part = {const_cast<void*>(buffer), bytes};
        return pwritev2(fd, &part, 1, -1, RWF_NOWAIT);
      },
      [&] { return write(fd, buffer, bytes); });
}

void AwaitInput(int fd) { AwaitReady(fd, /*output=*/false); }
void AwaitOutput(int fd) { AwaitReady(fd, /*output=*/true); }

bool FilesAreAwaited() { return files_are_awaited.load(std::memory_order_relaxed); }

void TakeFileEvents(bool waits) {
  constexpr int kTogether = 64;
  epoll_event events[kTogether];
  const int found = epoll_wait(ThePoller().epoll, events, kTogether, waits ? -1 : 0);
  for (int i = 0; i < found; ++i) {
    if (events[i].data.fd >= 0) {
      NoteEvent(events[i].data.fd, events[i].events);
    } else if (waits) {
      eventfd_t count;
      eventfd_read(ThePoller().interrupt, &count);
    }
  }
}

void InterruptFileEvents() { eventfd_write(ThePoller().interrupt, 1); }

}  // namespace tenure::runtime
