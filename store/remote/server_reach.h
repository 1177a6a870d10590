// How a RemotePageServer gets a connection to its server.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/network/cluster_name.h"
#include "store/network/tls_link.h"
#include "store/remote/noted_sockets.h"

namespace tenure::store {

// A socket for the protocol, ready for the first message of RemotePageServer.
struct ServerLink {
  NotedSocket socket;
  std::shared_ptr<TlsLink> tls;  // what encrypts; null: a Unix socket of the machine
};

// One thread at a time.
class ServerReach {
 public:
  virtual ~ServerReach() = default;
  // Connects anew.
  virtual Result<ServerLink> Connect() = 0;
  // Whether a later Connect may succeed after this failure: the server is being started again, or
  // another node takes over.
  virtual bool MayPass(const Status& failure) const = 0;
  // How long a beginning transaction, or a question for an outcome, waits for that.
  virtual std::chrono::seconds begin_patience() const = 0;
  virtual std::chrono::seconds outcome_patience() const = 0;
  // A server that says nothing for this long, not even a pong, is given up.
  virtual std::chrono::seconds silence_patience() const = 0;
  // The server that Connect found last has been given up for that: the next Connect does not wait
  // for it first. From any thread.
  virtual void NoteSilent() {}
  // Whether the program's permissions last only as long as the server has said (kLease), because
  // another server may take over.
  virtual bool leases() const = 0;
  // How long the first connection waits.
  virtual std::chrono::seconds open_patience(const Status& failure) const = 0;
};

// The socket in the directory of a store that a process of this machine serves.
std::unique_ptr<ServerReach> ReachDirectory(const std::string& directory);
// The node that leads the store; any node of the cluster tells which one leads.
Result<std::unique_ptr<ServerReach>> ReachCluster(const std::string& path);

// A wait for a server is said after this time.
inline constexpr std::chrono::milliseconds kSayWaitAfter(1500);
// To standard error. `who`: "the program".
void SayThatItWaits(const char* who, const std::string& place, std::chrono::seconds at_most);

}  // namespace tenure::store
