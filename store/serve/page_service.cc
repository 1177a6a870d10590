#include "store/serve/page_service.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "store/serve/service_client.h"

namespace tenure::store {

namespace {

// As sessions name stores, so that paths relative to one another mean the same.
std::string Absolute(const std::string& directory) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(directory, error);
  std::string text = error ? directory : path.string();
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

constexpr size_t kSilentMax = 64;

}  // namespace

PageService::PageService(PageServer& store, const std::string& directory)
    : store_(store),
      directory_(directory),
      check_(store),
      doubts_(store, permissions_, Absolute(directory), [this] { Fail(); }) {}

Status PageService::Start() {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<StoreSessions> sessions, StoreSessions::Open(directory_));
  sessions_ = std::move(sessions);
  TN_RETURN_IF_ERROR(sessions_->StartServing());
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
    silent_.push_back(&client);
    // Who says nothing keeps nobody from being served.
    if (silent_.size() > kSilentMax) {
      silent_.front()->CutOff();
      silent_.pop_front();
    }
  }
  client.Run();
  // Until here CutOffAll may use the socket.
  const std::lock_guard guard(clients_lock_);
  clients_.erase(&client);
  silent_.remove(&client);
  close(socket);
}

void PageService::NoteGreeted(Client& client) {
  const std::lock_guard guard(clients_lock_);
  silent_.remove(&client);
}

std::set<uint64_t> PageService::Here() {
  std::set<uint64_t> places;
  const std::lock_guard guard(clients_lock_);
  for (const Client* client : clients_) places.insert(client->place());
  return places;
}

void PageService::CutOffAll() {
  const std::lock_guard guard(clients_lock_);
  for (Client* client : clients_) client->CutOff();
}

}  // namespace tenure::store
