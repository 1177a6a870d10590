#include "gc/helper_threads.h"

#include <algorithm>

#include "base/mutex.h"
#include "base/shared_processor.h"
#include "base/signals_blocked.h"

namespace tenure::gc {

namespace {

constexpr size_t kStackBytes = size_t{256} << 10;

}  // namespace

HelperThreads::HelperThreads(size_t count) {
  count = std::min(count, kMostThreads - 1);
  if (count == 0) return;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  SharedProcessor::LeaveHere();
  const SignalsBlocked blocked;
  while (count_ < count) {
    Helper& helper = helpers_[count_];
    helper.team = this;
    helper.number = count_ + 1;
    if (pthread_create(&helper.thread, &attributes, Start, &helper) != 0) break;
    ++count_;
  }
  pthread_attr_destroy(&attributes);
}

HelperThreads::~HelperThreads() {
  {
    const MutexLock guard(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (size_t i = 0; i < count_; ++i) pthread_join(helpers_[i].thread, nullptr);
}

void HelperThreads::Run(void (*work)(void* context, size_t i), void* context) {
  {
    const MutexLock guard(mutex_);
    work_ = work;
    context_ = context;
    working_ = count_;
    ++round_;
  }
  changed_.notify_all();
  work(context, 0);
  MutexLock lock(mutex_);
  changed_.wait(lock, [&]() TN_REQUIRES(mutex_) { return working_ == 0; });
}

void* HelperThreads::Start(void* helper) {
  const auto& self = *static_cast<Helper*>(helper);
  self.team->Serve(self.number);
  return nullptr;
}

void HelperThreads::Serve(size_t number) {
  MutexLock lock(mutex_);
  for (size_t served = 0;;) {
    changed_.wait(lock, [&]() TN_REQUIRES(mutex_) { return ended_ || round_ != served; });
    if (round_ == served) return;
    served = round_;
    lock.unlock();
    work_(context_, number);
    lock.lock();
    if (--working_ == 0) changed_.notify_all();
  }
}

}  // namespace tenure::gc
