// A page server's service in the test's process: OpenStore finds it by its socket.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "stabilize/page_server.h"
#include "stabilize/page_service.h"

namespace tenure::testing {

class ServedStore {
 public:
  explicit ServedStore(const std::string& directory, bool checks_contents = false);
  ~ServedStore();

 private:
  void AcceptAll();

  const std::string directory_;
  std::unique_ptr<stabilize::PageServer> store_;
  std::unique_ptr<stabilize::PageService> service_;
  int listener_ = -1;
  std::thread acceptor_;
};

}  // namespace tenure::testing
