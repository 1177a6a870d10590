#include "store/serve/connected_clients.h"

#include "base/mutex.h"

namespace tenure::store {

void ConnectedClients::Add(ConnectedClient& client) {
  const MutexLock guard(lock_);
  all_.insert(&client);
  silent_.push_back(&client);
  // Silent connections do not keep others from being served.
  if (silent_.size() > kSilentMax) {
    silent_.front()->CutOff();
    silent_.pop_front();
  }
}

void ConnectedClients::Remove(ConnectedClient& client) {
  const MutexLock guard(lock_);
  all_.erase(&client);
  silent_.remove(&client);
}

void ConnectedClients::NoteGreeted(ConnectedClient& client) {
  const MutexLock guard(lock_);
  silent_.remove(&client);
}

std::set<uint64_t> ConnectedClients::Places() {
  std::set<uint64_t> places;
  ForEach([&](const ConnectedClient& client) { places.insert(client.place()); });
  return places;
}

void ConnectedClients::CutOffAll() {
  ForEach([](ConnectedClient& client) { client.CutOff(); });
}

}  // namespace tenure::store
