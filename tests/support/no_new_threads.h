// A system that makes no more threads.
#pragma once

#include <pthread.h>

namespace tenure::testing {

// While there is one, no thread without attributes of its own can be made by this process: each
// would get a stack for which there is no room.
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
