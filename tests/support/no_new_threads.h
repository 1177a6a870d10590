// Simulates a system that cannot make more threads.
#pragma once

#include <pthread.h>

namespace tenure::testing {

// While such an object exists, this process cannot make threads with default attributes: there is
// no room for their stacks.
class NoNewThreads {
 public:
  NoNewThreads() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{1} << 46);
    pthread_getattr_default_np(&before_);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  ~NoNewThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoNewThreads(const NoNewThreads&) = delete;
  NoNewThreads& operator=(const NoNewThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace tenure::testing
