#include "store/files/closed_in_child.h"

#include <pthread.h>
#include <unistd.h>

namespace tenure::store {

ClosedInChild& DescriptorsClosedInChild() {
  // Never destroyed: a thread may fork while the process ends.
  static ClosedInChild* const all = [] {
    auto* made = new ClosedInChild;
    // Forks happen with the mutex, which the analysis cannot follow.
    pthread_atfork([]() TN_NO_LOCK_ANALYSIS { DescriptorsClosedInChild().mutex.lock(); },
                   []() TN_NO_LOCK_ANALYSIS { DescriptorsClosedInChild().mutex.unlock(); },
                   []() TN_NO_LOCK_ANALYSIS {
                     ClosedInChild& inherited = DescriptorsClosedInChild();
                     for (const int fd : inherited.descriptors) close(fd);
                     inherited.descriptors.clear();
                     inherited.mutex.unlock();
                   });
    return made;
  }();
  return *all;
}

}  // namespace tenure::store
