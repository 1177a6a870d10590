#include "tests/support/served_store.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "base/check.h"
#include "store/bdb/bdb_page_server.h"
#include "store/remote/server_protocol.h"

namespace tenure::testing {

using store::BdbPageServer;
using store::OpenMode;

ServedStore::ServedStore(const std::string& directory, bool checks_contents,
                         const store::BdbOptions& options) {
  auto store = BdbPageServer::Open(directory, OpenMode::kOpenOrCreate, options);
  TN_CHECK(store.ok());
  store_ = *std::move(store);
  service_ = std::make_unique<store::PageService>(*store_, directory);
  // Pages of these tests have arbitrary contents, unless a test says otherwise.
  if (!checks_contents) service_->TrustContents();
  TN_CHECK(service_->Start().ok());
  socket_ = std::make_unique<ServiceAtSocket>(*service_, directory);
}

ServiceAtSocket::ServiceAtSocket(store::PageService& service, const std::string& directory)
    : service_(service), directory_(directory), listener_(store::ListenAtStore(directory)) {
  TN_CHECK(listener_ >= 0);
  acceptor_ = std::thread([this] { AcceptAll(); });
}

void ServiceAtSocket::AcceptAll() {
  std::vector<std::thread> threads;
  int connection;
  while ((connection = accept(listener_, nullptr, nullptr)) >= 0) {
    threads.emplace_back([this, connection] { service_.Serve(connection); });
  }
  // A connection that was accepted last is perhaps not known to the service yet.
  std::atomic<bool> ended{false};
  std::thread cuts_off([&] {
    while (!ended) {
      service_.CutOffAll();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  for (std::thread& thread : threads) thread.join();
  ended = true;
  cuts_off.join();
}

ServiceAtSocket::~ServiceAtSocket() {
  unlink((directory_ + "/" + store::kSocketName).c_str());
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
}

}  // namespace tenure::testing
