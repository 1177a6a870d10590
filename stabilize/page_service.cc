#include "stabilize/page_service.h"

#include <unistd.h>

#include "stabilize/service_client.h"

namespace tenure::stabilize {

void PageService::Serve(int socket) {
  Client client(*this, socket);
  {
    const std::lock_guard guard(clients_lock_);
    clients_.insert(&client);
  }
  client.Run();
  // Until here CutOffAll may use the socket.
  const std::lock_guard guard(clients_lock_);
  clients_.erase(&client);
  close(socket);
}

void PageService::CutOffAll() {
  const std::lock_guard guard(clients_lock_);
  for (Client* client : clients_) client->CutOff();
}

}  // namespace tenure::stabilize
