#include "store/remote/receive_turns.h"

#include <poll.h>
#include <sys/epoll.h>

#include <cerrno>
#include <cstdint>

#include "store/remote/noted_sockets.h"

namespace tenure::store {

ReceiveTurns::~ReceiveTurns() {
  if (epoll_ >= 0) CloseSocket(epoll_);
}

bool ReceiveTurns::Open(int socket) {
  socket_ = socket;
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ >= 0) NoteSocket(epoll_);
  epoll_event event = {};
  event.events = EPOLLIN;
  return epoll_ >= 0 && epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0;
}

bool ReceiveTurns::Join() {
  const std::lock_guard guard(members_lock_);
  if (!ended_) ++members_;
  return !ended_;
}

void ReceiveTurns::Part() {
  const std::lock_guard guard(members_lock_);
  if (--members_ == 0) parted_.notify_all();
}

void ReceiveTurns::End() {
  std::unique_lock guard(members_lock_);
  ended_ = true;
  parted_.wait(guard, [&] { return members_ == 0; });
}

void ReceiveTurns::Watch(bool watch) {
  epoll_event event = {};
  event.events = watch ? uint32_t{EPOLLIN} : 0;
  (void)epoll_ctl(epoll_, EPOLL_CTL_MOD, socket_, &event);
}

bool ReceiveTurns::IsReadable(std::chrono::milliseconds most) const {
  pollfd source = {socket_, POLLIN, 0};
  return poll(&source, 1, static_cast<int>(most.count())) > 0;
}

bool ReceiveTurns::Turn::TryTake() {
  if (!lock_.owns_lock() && lock_.try_lock()) turns_.Watch(false);
  return lock_.owns_lock();
}

void ReceiveTurns::Turn::Take() {
  if (lock_.owns_lock()) return;
  lock_.lock();
  turns_.Watch(false);
}

void ReceiveTurns::Turn::Leave() {
  if (!lock_.owns_lock()) return;
  turns_.Watch(true);
  lock_.unlock();
}

std::unique_lock<std::mutex> ReceiveTurns::AwaitInBackground() {
  while (true) {
    epoll_event event;
    const int ready = epoll_wait(epoll_, &event, 1, -1);
    if (ready < 0 && errno == EINTR) continue;
    std::unique_lock turn(lock_);
    // Another thread may have received it meanwhile.
    if (ready < 0 || IsReadable(std::chrono::milliseconds(0))) return turn;
  }
}

}  // namespace tenure::store
