#include "store/remote/server_reach.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "base/standard_error.h"
#include "store/format/status_text.h"
#include "store/remote/program_name.h"
#include "store/remote/server_away.h"
#include "store/remote/server_protocol.h"

namespace tenure::store {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class DirectoryReach final : public ServerReach {
 public:
  explicit DirectoryReach(std::string directory) : directory_(std::move(directory)) {}

  Result<ServerLink> Connect() override {
    const int made = ConnectToStore(directory_);
    if (made < 0) {
      return CallFailure(ServerCall::kConnect, errno,
                         "cannot reach the page server of " + directory_);
    }
    return ServerLink{NotedSocket(made), nullptr};
  }
  bool MayPass(const Status& failure) const override { return IsAway(failure); }
  seconds begin_patience() const override { return seconds(5); }
  seconds outcome_patience() const override { return seconds(10); }
  seconds silence_patience() const override { return seconds(kAnswerSeconds); }
  bool leases() const override { return false; }
  seconds open_patience(const Status&) const override { return seconds(0); }

 private:
  const std::string directory_;
};

constexpr milliseconds kConnectPatience(2000), kHandshakePatience(4000);
constexpr int kEnterSeconds = 5;
// A failure that takes this long costs time in each attempt: the node is asked last for a while.
constexpr milliseconds kSlowFailure(1000);
constexpr seconds kSilentFor(2);
// Nodes that one attempt follows, when each names another one as the leader.
constexpr size_t kRedirectsMost = 4;

class ClusterReach final : public ServerReach {
 public:
  ClusterReach(ClusterName name, std::shared_ptr<const TlsContext> tls)
      : name_(std::move(name)), tls_(std::move(tls)) {}

  Result<ServerLink> Connect() override;
  bool MayPass(const Status& failure) const override { return failure.code() == StatusCode::kIo; }
  seconds begin_patience() const override { return name_.patience; }
  seconds outcome_patience() const override { return name_.patience; }
  // A node that is silent for longer than a lease leads no more, as a rule.
  seconds silence_patience() const override { return seconds(5); }
  void NoteSilent() override { last_was_silent_ = true; }
  bool leases() const override { return true; }
  // A node that answers knows that another one takes over, or the leader was reached and has ended
  // since; a wrong address would not pass.
  seconds open_patience(const Status& failure) const override {
    return IsAway(failure) ? name_.patience : seconds(0);
  }

 private:
  // Returns a socket at which the node serves the store, or none and the leader's address.
  Result<ServerLink> Enter(const HostPort& node, std::optional<HostPort>* leader);

  const ClusterName name_;
  const std::shared_ptr<const TlsContext> tls_;
  std::optional<HostPort> last_;  // the leader that was found last
  std::atomic<bool> last_was_silent_{false};
  // Nodes that did not answer, until when they are asked after all others.
  std::vector<std::pair<HostPort, std::chrono::steady_clock::time_point>> silent_;
};

Result<ServerLink> ClusterReach::Enter(const HostPort& node, std::optional<HostPort>* leader) {
  const auto at = [&](const Status& status) {
    return Failure(status.code(),
                   "node " + node.text() + " of store " + name_.uri() + ": " + status.text(),
                   status.number());
  };
  TN_ASSIGN_OR_RETURN(const int tcp, ConnectTcp(node, kConnectPatience));
  ServerLink link;
  int socket = -1;
  TN_ASSIGN_OR_RETURN(link.tls, TlsLink::Start(tls_, tcp, node.host, &socket));
  link.socket = NotedSocket(socket);
  const Status shaken = link.tls->AwaitHandshake(kHandshakePatience);
  if (!shaken.ok()) return at(shaken);
  const timeval patience = {kEnterSeconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  Writer enter;
  enter.Put(kProtocolVersion);
  enter.PutText(name_.store);
  // For people who ask who uses the store.
  enter.Put(static_cast<int64_t>(getpid()));
  enter.PutText(ProgramName(getpid()));
  Message answer;
  if (!SendMessage(socket, MessageKind::kEnter, 0, enter.bytes()) ||
      !ReceiveMessage(socket, &answer)) {
    link.tls->AwaitEnd(milliseconds(100));
    const Status why = link.tls->failure();
    return at(why.ok() ? Status(StatusCode::kIo, "it does not answer", ETIMEDOUT) : why);
  }
  Reader reader(answer.body);
  Status status = reader.GetStatus();
  const std::string elsewhere = reader.GetText();
  if (status.ok() && !reader.AtEnd()) {
    status = Status(StatusCode::kCorrupt, "its answer makes no sense");
  }
  if (!status.ok()) return at(status);
  if (elsewhere.empty()) return link;
  *leader = ParseHostPort(elsewhere);
  return ServerLink();
}

Result<ServerLink> ClusterReach::Connect() {
  std::deque<HostPort> nodes(name_.servers.begin(), name_.servers.end());
  // The connection to this one was lost; the others know who leads now.
  if (last_) {
    std::erase(nodes, *last_);
    nodes.push_back(*last_);
  }
  const auto begin = std::chrono::steady_clock::now();
  std::erase_if(silent_, [&](const auto& node) { return node.second <= begin; });
  if (last_was_silent_.exchange(false) && last_) silent_.emplace_back(*last_, begin + kSilentFor);
  const auto is_silent = [&](const HostPort& node) {
    return std::any_of(silent_.begin(), silent_.end(),
                       [&](const auto& known) { return known.first == node; });
  };
  std::stable_partition(nodes.begin(), nodes.end(),
                        [&](const HostPort& node) { return !is_silent(node); });
  std::vector<HostPort> asked;
  size_t redirects = 0;
  Status failure(StatusCode::kIo, "no node answers", ECONNREFUSED);
  while (!nodes.empty()) {
    const HostPort node = nodes.front();
    // A node that answers knows about the leader; it is asked again soon.
    if (failure.number() == EAGAIN && is_silent(node)) break;
    nodes.pop_front();
    std::optional<HostPort> leader;
    const auto asked_at = std::chrono::steady_clock::now();
    Result<ServerLink> link = Enter(node, &leader);
    if (link.ok() && link->socket.get() >= 0) {
      last_ = node;
      return link;
    }
    asked.push_back(node);
    if (link.ok()) {
      // A leader that does not answer is asked again by a later attempt. The others name a node
      // that has stopped until its lease is over.
      if (leader && !is_silent(*leader) && ++redirects <= kRedirectsMost &&
          std::find(asked.begin(), asked.end(), *leader) == asked.end()) {
        std::erase(nodes, *leader);
        nodes.push_front(*leader);
      }
      if (failure.code() == StatusCode::kIo) {
        failure = Failure(StatusCode::kIo,
                          "the leader of store " + name_.uri() + " does not answer yet", EAGAIN);
      }
      continue;
    }
    // A lasting failure is reported rather than that another node is away; and the failure of a
    // node that answers rather than that a node cannot be reached.
    const Status& status = link.status();
    // Other connections need not wait for a node that fails so slowly.
    if (std::chrono::steady_clock::now() - asked_at > kSlowFailure && !is_silent(node)) {
      silent_.emplace_back(node, std::chrono::steady_clock::now() + kSilentFor);
    }
    if (failure.code() == StatusCode::kIo && failure.number() != EAGAIN) failure = status;
    if (!MayPass(status)) failure = status;
  }
  return failure;
}

}  // namespace

void SayThatItWaits(const char* who, const std::string& place, seconds at_most) {
  WriteToStandardError(std::string("*** ") + who + " waits for the page server of " + place +
                       ", which is away (at most " + std::to_string(at_most.count()) + " s)\n");
}

std::unique_ptr<ServerReach> ReachDirectory(const std::string& directory) {
  return std::make_unique<DirectoryReach>(directory);
}

Result<std::unique_ptr<ServerReach>> ReachCluster(const std::string& path) {
  TN_ASSIGN_OR_RETURN(ClusterName name, ReadClusterName(path));
  TN_ASSIGN_OR_RETURN(std::shared_ptr<const TlsContext> tls,
                      TlsContext::Load(name.tls, TlsSide::kClient));
  return std::unique_ptr<ServerReach>(
      std::make_unique<ClusterReach>(std::move(name), std::move(tls)));
}

}  // namespace tenure::store
