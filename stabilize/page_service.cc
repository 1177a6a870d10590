#include "stabilize/page_service.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "stabilize/service_client.h"

namespace tenure::stabilize {

namespace {

// As sessions name stores, so that paths relative to one another mean the same.
std::string Absolute(const std::string& directory) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(directory, error);
  std::string text = error ? directory : path.string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

PageService::PageService(PageServer& store, const std::string& directory)
    : store_(store), doubts_(store, permissions_, Absolute(directory), [this] { Fail(); }) {}

Status PageService::Start() {
  TN_RETURN_IF_ERROR(doubts_.Adopt());
  for (const auto& [id, name] : doubts_.adopted()) databases_[id].name = name;
  return Status::Ok();
}

void PageService::Fail() {
  if (!failed_.exchange(true)) kill(getpid(), SIGTERM);
}

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
