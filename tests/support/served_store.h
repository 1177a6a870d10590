// A page server's service in the test's process: OpenStore finds it by its socket.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/bdb/bdb_environment.h"
#include "store/serve/page_service.h"
#include "store/server/page_server.h"

namespace tenure::testing {

// Accepts connections at the socket of a directory for a service that has started, until its end;
// then cuts all of them off.
class ServiceAtSocket {
 public:
  ServiceAtSocket(store::PageService& service, const std::string& directory);
  ~ServiceAtSocket();

 private:
  void AcceptAll();

  store::PageService& service_;
  const std::string directory_;
  int listener_ = -1;
  std::thread acceptor_;
};

class ServedStore {
 public:
  explicit ServedStore(const std::string& directory, bool checks_contents = false,
                       const store::BdbOptions& options = {});

 private:
  std::unique_ptr<store::PageServer> store_;
  std::unique_ptr<store::PageService> service_;
  std::unique_ptr<ServiceAtSocket> socket_;
};

}  // namespace tenure::testing
