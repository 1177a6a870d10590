// A server that browse starts for a store without one, so that programs can use the store while it
// is browsed.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/worker_thread.h"

namespace tenure::dbtool {

class OwnServer {
 public:
  // Starts `tenure serve` of this program. Null: the store cannot be served; opening the store
  // reports the same reason.
  static std::unique_ptr<OwnServer> Start(const std::string& directory);
  ~OwnServer();

  // Ends the server, which brings the store to a clean state, and waits for that.
  void Stop();

 private:
  OwnServer(pid_t process, int output) : process_(process), output_(output) {}

  pid_t process_;
  int output_;  // what the server says
  WorkerThread forwarder_;
};

}  // namespace tenure::dbtool
