// A server of browse's own for a store that nobody serves, so that programs can use the store while
// it is browsed.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "base/worker_thread.h"

namespace tenure::dbtool {

class OwnServer {
 public:
  // Starts `tenure serve` of this program. Null: the store cannot be served, which whoever opens it
  // himself is told as well.
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
