#include "store/serve/page_service.h"

#include <unistd.h>

#include <utility>

#include "store/files/store_sessions.h"
#include "store/serve/service_client.h"

namespace tenure::store {

PageService::PageService(PageServer& store, const std::string& directory)
    : state_(store, directory) {}

Status PageService::Start(std::unique_ptr<KnownSessions> sessions) {
  if (sessions == nullptr) {
    TN_ASSIGN_OR_RETURN(std::unique_ptr<StoreSessions> own, StoreSessions::Open(state_.directory));
    TN_RETURN_IF_ERROR(own->StartServing());
    sessions = std::move(own);
  }
  state_.sessions = std::move(sessions);
  TN_RETURN_IF_ERROR(state_.doubts.Adopt());
  const MutexLock guard(state_.databases_lock);
  for (const auto& [id, name] : state_.doubts.adopted()) state_.databases[id].name = name;
  return Status::Ok();
}

void PageService::Serve(int socket, const ServicePeer* peer) {
  ServiceClient client(state_, socket, peer);
  state_.clients.Add(client);
  client.Run();
  // Until here CutOffAll may use the socket.
  state_.clients.Remove(client);
  close(socket);
}

void PageService::CutOffAll() { state_.clients.CutOffAll(); }

}  // namespace tenure::store
