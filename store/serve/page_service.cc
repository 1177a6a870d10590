#include "store/serve/page_service.h"

#include <unistd.h>

#include <utility>

#include "store/serve/service_client.h"

namespace tenure::store {

PageService::PageService(PageServer& store, const std::string& directory)
    : state_(store, directory) {}

Status PageService::Start() {
  TN_ASSIGN_OR_RETURN(state_.sessions, StoreSessions::Open(state_.directory));
  TN_RETURN_IF_ERROR(state_.sessions->StartServing());
  TN_RETURN_IF_ERROR(state_.doubts.Adopt());
  for (const auto& [id, name] : state_.doubts.adopted()) state_.databases[id].name = name;
  return Status::Ok();
}

void PageService::Serve(int socket) {
  ServiceClient client(state_, socket);
  state_.clients.Add(client);
  client.Run();
  // Until here CutOffAll may use the socket.
  state_.clients.Remove(client);
  close(socket);
}

void PageService::CutOffAll() { state_.clients.CutOffAll(); }

}  // namespace tenure::store
