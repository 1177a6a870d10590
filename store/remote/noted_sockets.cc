#include "store/remote/noted_sockets.h"

#include <unistd.h>

#include "base/mutex.h"
#include "store/files/closed_in_child.h"

namespace tenure::store {

void NoteSocket(int socket) {
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const MutexLock guard(sockets.mutex);
  sockets.descriptors.insert(socket);
}

void CloseSocket(int socket) {
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const MutexLock guard(sockets.mutex);
  // Only if the number is in the set: in a forked child the number may name another file by now.
  if (sockets.descriptors.erase(socket) != 0) close(socket);
}

}  // namespace tenure::store
