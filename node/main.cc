// `tenure node`: a node of a cluster, and what its administrator does.
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ending_signals.h"
#include "base/exit_status.h"
#include "base/inherited_signals.h"
#include "base/standard_descriptors.h"
#include "base/worker_thread.h"
#include "node/administration.h"
#include "node/entrance.h"
#include "node/group_member.h"
#include "node/node_options.h"
#include "store/format/page_record.h"
#include "store/network/cluster_name.h"
#include "store/network/tcp.h"
#include "store/serve/serving_messages.h"

namespace tenure::node {

namespace {

int Serve(const NodeOptions& options) {
  const std::optional<store::HostPort> at = store::ParseHostPort(options.listen);
  if (!at) return Refuse("'" + options.listen + "' is not an address: HOST:PORT is expected");
  const Result<std::shared_ptr<const store::TlsContext>> tls =
      store::TlsContext::Load(options.tls, store::TlsSide::kServer);
  if (!tls.ok()) return Refuse(tls.status().text());
  if (const Status good = (*tls)->CheckTime(); !good.ok()) return Refuse(good.text());
  // When a commit of several stores is in doubt, the node asks the leader of another store.
  store::UseForClusterUris(options.tls);

  const sigset_t ending = BlockEndingSignals();

  const Result<int> listener = store::ListenTcp(*at);
  if (!listener.ok()) return Refuse(listener.status().text());
  if (options.address.empty() && store::IsBoundToAll(*listener)) {
    return Refuse("--listen " + options.listen +
                  " means every address of this machine; say with --address HOST:PORT how programs "
                  "on other machines reach this node");
  }
  store::HostPort reached = *at;
  if (reached.port == 0) reached.port = store::BoundTo(*listener).port;
  if (!options.address.empty()) {
    const std::optional<store::HostPort> address = store::ParseHostPort(options.address);
    if (!address)
      return Refuse("'" + options.address + "' is not an address: HOST:PORT is expected");
    reached = *address;
  }
  if (options.allow_asynchronous) {
    std::fprintf(stderr,
                 "tenure node: --allow-asynchronous: commits wait for one PostgreSQL server only; "
                 "when its machine or disk is lost, so are commits that programs were told are "
                 "durable\n");
  }
  MemberOptions member_options;
  member_options.postgres = options.postgres();
  member_options.address = reached.text();
  member_options.name = options.name.empty() ? member_options.address : options.name;
  member_options.subject = (*tls)->subject();
  member_options.check_certificate = [tls = *tls] { return tls->CheckTime(); };
  member_options.lease = std::chrono::milliseconds(static_cast<int>(options.lease_seconds * 1000));
  member_options.session_timeout = std::chrono::seconds(options.session_timeout);
  if (options.cache_bytes != 0) {
    constexpr uint64_t kLeastRecords = 128;
    member_options.cached_records =
        std::max<uint64_t>(kLeastRecords, options.cache_bytes / store::kPageRecordBytes);
  }
  store::NameServingCommand("tenure node");
  GroupMember member(member_options);
  store::PostgresEngine grants(options.postgres());
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC);
  const Entrance entrance{member, grants, *tls};
  // The group may have no primary now. Until it has one, programs are told that no node leads.
  std::atomic<bool> started{false};
  WorkerThread starter;
  const bool starts = starter.Start([&] {
    if (const Status status = member.Start(); !status.ok()) {
      if (!member.failed()) return;  // the node was told to end
      Refuse(status.text());
      kill(getpid(), SIGTERM);
      return;
    }
    std::printf("serving at %s\n", member_options.address.c_str());
    std::fflush(stdout);
    started = true;
  });
  if (!starts) return Refuse("no thread can be made");
  ServeEntrance(entrance, *listener, signals);
  member.Stop();
  // An attempt to reach the group may take a while, and has nothing to finish.
  if (!started) _exit(member.failed() ? kExitEnvironment : kExitOk);
  starter.Join();
  AwaitThreads();
  return member.failed() ? kExitEnvironment : kExitOk;
}

int Main(const std::vector<std::string>& words) {
  NodeOptions options;
  if (const int status = ParseNodeOptions(words, &options); status >= 0) return status;
  switch (options.command) {
    case NodeCommand::kServe: return Serve(options);
    case NodeCommand::kInit: return InitGroup(options.postgres());
    case NodeCommand::kCreate:
      return CreateGroupStore(options.postgres(), options.store, options.owner);
    case NodeCommand::kGrant:
      return GrantRole(options.postgres(), options.store, options.subject, options.role);
    case NodeCommand::kStat: return PrintGroup(options.postgres());
  }
  return kExitInternal;
}

}  // namespace

}  // namespace tenure::node

int main(int argc, char** argv) {
  tenure::OpenStandardDescriptors(tenure::ClosedOutput::kFails);
  tenure::ResetInheritedSignals();
  return tenure::node::Main(std::vector<std::string>(argv + 1, argv + argc));
}
