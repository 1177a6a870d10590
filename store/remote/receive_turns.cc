#include "store/remote/receive_turns.h"

#include <poll.h>
#include <sys/epoll.h>

#include <cerrno>
#include <cstdint>

#include "base/mutex.h"

namespace tenure::store {

bool ReceiveTurns::Open(int socket) {
  socket_ = socket;
  epoll_ = NotedSocket(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event = {};
  event.events = EPOLLIN;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &event) == 0;
}

bool ReceiveTurns::Join() {
  const MutexLock guard(members_lock_);
  if (!ended_) ++members_;
  return !ended_;
}

void ReceiveTurns::Part() {
  const MutexLock guard(members_lock_);
  if (--members_ == 0) parted_.notify_all();
}

void ReceiveTurns::End() {
  MutexLock guard(members_lock_);
  ended_ = true;
  parted_.wait(guard, [&]() TN_REQUIRES(members_lock_) { return members_ == 0; });
}

void ReceiveTurns::Watch(bool watch) {
  epoll_event event = {};
  event.events = watch ? uint32_t{EPOLLIN} : 0;
  (void)epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, socket_, &event);
}

bool ReceiveTurns::IsReadable(std::chrono::milliseconds most) const {
  pollfd source = {socket_, POLLIN, 0};
  return poll(&source, 1, static_cast<int>(most.count())) > 0;
}

// A thread has the lock if taken_ says so, which the analysis cannot follow.

bool ReceiveTurns::Turn::TryTake() TN_NO_LOCK_ANALYSIS {
  if (!taken_ && turns_.lock_.try_lock()) {
    taken_ = true;
    turns_.Watch(false);
  }
  return taken_;
}

void ReceiveTurns::Turn::Take() TN_NO_LOCK_ANALYSIS {
  if (taken_) return;
  turns_.lock_.lock();
  taken_ = true;
  turns_.Watch(false);
}

void ReceiveTurns::Turn::Leave() TN_NO_LOCK_ANALYSIS {
  if (!taken_) return;
  turns_.Watch(true);
  taken_ = false;
  turns_.lock_.unlock();
}

void ReceiveTurns::AwaitInBackground() {
  while (true) {
    epoll_event event;
    const int ready = epoll_wait(epoll_.get(), &event, 1, -1);
    if (ready < 0 && errno == EINTR) continue;
    lock_.lock();
    if (ready < 0 || IsReadable(std::chrono::milliseconds(0))) return;
    // Another thread has received it meanwhile.
    lock_.unlock();
  }
}

}  // namespace tenure::store
