#include "base/worker_thread.h"

#include <memory>
#include <utility>

#include "base/shared_processor.h"
#include "base/signals_blocked.h"

namespace tenure {

namespace {

using Work = std::function<void()>;

void* Run(void* work) {
  const std::unique_ptr<Work> owned(static_cast<Work*>(work));
  (*owned)();
  return nullptr;
}

bool Create(pthread_t* thread, Work work) {
  auto owned = std::make_unique<Work>(std::move(work));
  SharedProcessor::LeaveHere();
  const SignalsBlocked blocked;
  if (pthread_create(thread, nullptr, Run, owned.get()) != 0) return false;
  static_cast<void>(owned.release());  // the thread's
  return true;
}

}  // namespace

bool WorkerThread::Start(Work work) {
  started_ = Create(&thread_, std::move(work));
  return started_;
}

void WorkerThread::Join() {
  if (!started_) return;
  pthread_join(thread_, nullptr);
  started_ = false;
}

bool WorkerThread::StartDetached(Work work) {
  pthread_t thread;
  if (!Create(&thread, std::move(work))) return false;
  pthread_detach(thread);
  return true;
}

}  // namespace tenure
