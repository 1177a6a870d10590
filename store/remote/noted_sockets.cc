#include "store/remote/noted_sockets.h"

#include <unistd.h>

#include "base/mutex.h"
#include "store/files/closed_in_child.h"

namespace tenure::store {

NotedSocket::NotedSocket(int descriptor) : descriptor_(descriptor) {
  if (descriptor < 0) return;
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const MutexLock guard(sockets.mutex);
  sockets.descriptors.insert(descriptor);
}

void NotedSocket::Close() {
  if (descriptor_ < 0) return;
  const int descriptor = std::exchange(descriptor_, -1);
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const MutexLock guard(sockets.mutex);
  // Only if the number is in the set: in a forked child the number may name another file by now.
  if (sockets.descriptors.erase(descriptor) != 0) close(descriptor);
}

}  // namespace tenure::store
