#include "store/remote/remote_connection.h"

#include "store/files/closed_in_child.h"

namespace tenure::store {

void NoteSocket(int socket) {
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const std::lock_guard guard(sockets.mutex);
  sockets.descriptors.insert(socket);
}

void CloseSocket(int socket) {
  ClosedInChild& sockets = DescriptorsClosedInChild();
  const std::lock_guard guard(sockets.mutex);
  // Not there: this is a forked child, where the number may name something else by now.
  if (sockets.descriptors.erase(socket) != 0) close(socket);
}

}  // namespace tenure::store
