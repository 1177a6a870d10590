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

class ServedStore {
 public:
  explicit ServedStore(const std::string& directory, bool checks_contents = false,
                       const store::BdbOptions& options = {});
  ~ServedStore();

 private:
  void AcceptAll();

  const std::string directory_;
  std::unique_ptr<store::PageServer> store_;
  std::unique_ptr<store::PageService> service_;
  int listener_ = -1;
  std::thread acceptor_;
};

}  // namespace tenure::testing
