#include "store/serve/page_service.h"

#include <unistd.h>

#include <utility>

#include "store/serve/service_client.h"

namespace tenure::store {

namespace {

// How many connections may be silent at once.
constexpr size_t kSilentMax = 64;

}  // namespace

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
  {
    const std::lock_guard guard(state_.clients_lock);
    state_.clients.insert(&client);
    state_.silent.push_back(&client);
    // Silent connections do not keep others from being served.
    if (state_.silent.size() > kSilentMax) {
      state_.silent.front()->CutOff();
      state_.silent.pop_front();
    }
  }
  client.Run();
  // Until here CutOffAll may use the socket.
  const std::lock_guard guard(state_.clients_lock);
  state_.clients.erase(&client);
  state_.silent.remove(&client);
  close(socket);
}

void PageService::CutOffAll() {
  const std::lock_guard guard(state_.clients_lock);
  for (ServiceClient* client : state_.clients) client->CutOff();
}

}  // namespace tenure::store
