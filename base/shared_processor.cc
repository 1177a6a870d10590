#include "base/shared_processor.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <iterator>
#include <memory>

#include "base/mutex.h"
#include "base/signals_blocked.h"

namespace tenure {

namespace {

std::atomic<bool> is_forbidden{false};

bool IsAlive(pid_t thread) { return syscall(SYS_tgkill, getpid(), thread, 0) == 0; }

}  // namespace

thread_local SharedProcessor::Member* SharedProcessor::own_ = nullptr;

SharedProcessor& SharedProcessor::OfProcess() {
  static SharedProcessor& shared = []() -> SharedProcessor& {
    auto& made = *new SharedProcessor;
    pthread_atfork(nullptr, nullptr, ForgetInChild);
    return made;
  }();
  return shared;
}

void SharedProcessor::Forbid() { is_forbidden = true; }

SharedProcessor::~SharedProcessor() {
  {
    const MutexLock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (has_watcher_) pthread_join(watcher_, nullptr);
}

bool SharedProcessor::IsMember() { return own_ != nullptr && own_->is_here; }

void SharedProcessor::NoteWork(Clock::time_point since) {
  if (own_ != nullptr) own_->works_since = since.time_since_epoch().count();
}

void SharedProcessor::NoteWait() {
  if (own_ != nullptr) own_->works_since = 0;
}

void SharedProcessor::Join() {
  if (IsMember() || is_forbidden || (own_ != nullptr && own_->of != this)) return;
  const MutexLock lock(mutex_);
  if (is_useless_ || ends_) return;
  const Clock::time_point now = Clock::now();
  if (now < paused_until_) return;
  cpu_set_t before;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return;
  if (CPU_COUNT(&before) < 2) {
    // Does not ask again at each turn.
    paused_until_ = now + limits_.choice_lasts;
    return;
  }
  if (processor_ < 0) {
    processor_ = sched_getcpu();
    chosen_at_ = now;
  }
  if (processor_ < 0 || processor_ >= CPU_SETSIZE || !CPU_ISSET(processor_, &before)) return;
  // Without the watcher a thread that stays away from turns would never be let go.
  if (!has_watcher_ && !StartWatcher()) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor_, &only);
  if (sched_setaffinity(0, sizeof only, &only) != 0) {
    is_useless_ = true;
    return;
  }
  if (own_ == nullptr) {
    own_ = &members_.emplace_back();
    own_->of = this;
    own_->thread = gettid();
  }
  own_->before = before;
  own_->works_since = 0;
  own_->is_here = true;
  if (here_++ == 0) changed_.notify_one();
}

void SharedProcessor::LeaveHere() {
  if (own_ == nullptr) return;
  SharedProcessor& shared = *own_->of;
  const MutexLock lock(shared.mutex_);
  if (own_->is_here) {
    Release(*own_);
    --shared.here_;
  }
  shared.members_.remove_if([](const Member& member) { return &member == own_; });
  own_ = nullptr;
}

// Changes that others have made to the thread's processors stay.
void SharedProcessor::Release(Member& member) {
  cpu_set_t now;
  if (sched_getaffinity(member.thread, sizeof now, &now) == 0 && CPU_COUNT(&now) == 1) {
    sched_setaffinity(member.thread, sizeof member.before, &member.before);
  }
  member.is_here = false;
}

void SharedProcessor::ReleaseAll() {
  for (auto it = members_.begin(); it != members_.end();) {
    if (it->is_here) Release(*it);
    it = IsAlive(it->thread) ? std::next(it) : members_.erase(it);
  }
  here_ = 0;
  processor_ = -1;
}

void SharedProcessor::LetLongWorkersGo(Clock::time_point now) {
  for (Member& member : members_) {
    const int64_t since = member.works_since;
    if (!member.is_here || since == 0) continue;
    if (now - Clock::time_point(Clock::duration(since)) < limits_.longest_work) continue;
    Release(member);
    --here_;
  }
}

bool SharedProcessor::StartWatcher() {
  const SignalsBlocked blocked;
  const auto run = [](void* shared) -> void* {
    static_cast<SharedProcessor*>(shared)->Watch();
    return nullptr;
  };
  has_watcher_ = pthread_create(&watcher_, nullptr, run, this) == 0;
  return has_watcher_;
}

void SharedProcessor::Watch() {
  MutexLock lock(mutex_);
  while (!ends_) {
    if (here_ == 0) {
      processor_ = -1;
      changed_.wait(lock);
      continue;
    }
    changed_.wait_for(lock, limits_.longest_work);
    const Clock::time_point now = Clock::now();
    if (now - chosen_at_ < limits_.choice_lasts) {
      LetLongWorkersGo(now);
    } else {
      ReleaseAll();
      paused_until_ = now + limits_.pause;
    }
  }
}

// The child's only thread may be a member. Another thread of the parent may have held the lock.
void SharedProcessor::ForgetInChild() TN_NO_LOCK_ANALYSIS {
  SharedProcessor& shared = OfProcess();
  if (own_ != nullptr && own_->is_here) {
    own_->thread = gettid();
    Release(*own_);
  }
  own_ = nullptr;
  shared.has_watcher_ = false;
  std::construct_at(&shared.mutex_);
  std::construct_at(&shared.changed_);
  std::construct_at(&shared.members_);  // the old ones may have been half changed
  shared.here_ = 0;
  shared.processor_ = -1;
}

}  // namespace tenure
