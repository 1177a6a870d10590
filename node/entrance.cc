#include "node/entrance.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <list>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/shown_text.h"
#include "base/worker_thread.h"
#include "store/files/descriptor.h"
#include "store/format/status_text.h"
#include "store/network/tcp.h"
#include "store/network/tls_link.h"
#include "store/remote/program_name.h"
#include "store/remote/server_protocol.h"
#include "store/serve/service_peer.h"
#include "store/server/store_path.h"

namespace tenure::node {

using store::Failure;
using store::Message;
using store::MessageKind;
using store::StoreRole;
using store::TlsLink;

namespace {

constexpr std::chrono::seconds kHandshakePatience(10);
constexpr int kEnterSeconds = 10;
constexpr size_t kEnterBytesMost = 512;
// Connections that have not identified themselves yet. One more ends the oldest of them, so that
// connections that say nothing keep no program out.
constexpr size_t kStrangersMost = 256;

// A copy of the descriptor of a connection whose program is not admitted yet: the original belongs
// to its link.
using Stranger = std::shared_ptr<const store::Descriptor>;

struct Threads {
  Mutex mutex;
  CondVar changed;
  int running TN_GUARDED_BY(mutex) = 0;
  // The oldest first.
  std::list<Stranger> strangers TN_GUARDED_BY(mutex);
};

Threads& TheThreads() {
  static Threads& threads = *new Threads;
  return threads;
}

void Say(const std::string& from, const char* text) {
  std::fprintf(stderr, "tenure node: connection from %s: %s\n", ShownText(from).c_str(),
               ShownText(text).c_str());
}

struct Wanted {
  Status status;
  GroupMember::Place place;
  store::ServicePeer peer;
};

Wanted FindWanted(const Entrance& entrance, const TlsLink& link, const Message& message) {
  Wanted wanted;
  store::Reader reader(message.body);
  const auto version = reader.Get<uint32_t>();
  const auto refuse = [&](Status status) {
    wanted.status = status;
    return wanted;
  };
  if (message.kind != MessageKind::kEnter || !reader.ok()) {
    return refuse(Status(StatusCode::kInvalidArgument, "the request makes no sense"));
  }
  if (version != store::kProtocolVersion) {
    return refuse(Failure(StatusCode::kFormat,
                          "the node speaks version " + std::to_string(store::kProtocolVersion) +
                              " of the protocol, the program version " + std::to_string(version),
                          store::kProtocolVersion));
  }
  const std::string name = reader.GetText();
  if (!reader.AtEnd()) {
    wanted.peer.process = reader.Get<int64_t>();
    wanted.peer.program = store::ShownProgramName(reader.GetText());
  }
  if (!reader.AtEnd() || !store::CheckDatabaseName(name).ok()) {
    return refuse(Status(StatusCode::kInvalidArgument, "the request makes no sense"));
  }
  wanted.peer.subject = link.peer();
  if (wanted.peer.subject.empty()) {
    return refuse(
        Status(StatusCode::kPermission, "the certificate has no common name (CN) to go by"));
  }
  const Result<store::PostgresEngine::Rights> rights =
      entrance.grants.RightsOf(name, wanted.peer.subject);
  if (rights.status().code() == StatusCode::kNotFound) return refuse(rights.status());
  if (!rights.ok()) {
    return refuse(Failure(
        StatusCode::kIo,
        std::string("the node does not reach its group now: ") + rights.status().text(), EAGAIN));
  }
  wanted.peer.role = static_cast<StoreRole>(rights->role);
  wanted.peer.node = rights->node;
  if (wanted.peer.role > StoreRole::kOwner) wanted.peer.role = StoreRole::kNone;
  if (wanted.peer.role == StoreRole::kNone && !wanted.peer.node) {
    return refuse(Failure(StatusCode::kPermission, "'" + wanted.peer.subject +
                                                       "' has no role for store " + name +
                                                       " (tenure node grant " + name + " " +
                                                       wanted.peer.subject + " reader)"));
  }
  wanted.place = entrance.member.Find(name);
  if (wanted.place.here == nullptr && wanted.place.address.empty()) {
    wanted.status =
        Failure(StatusCode::kIo, "no node leads store " + name + " at the moment", EAGAIN);
  }
  return wanted;
}

// Null: the program is not admitted.
std::shared_ptr<LedStore> Admit(const Entrance& entrance, TlsLink& link, int socket,
                                const std::string& from, store::ServicePeer* peer) {
  const timeval patience = {kEnterSeconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  Message message;
  if (!store::ReceiveMessage(socket, &message, kEnterBytesMost)) {
    const Status failure = link.failure();
    Say(from, failure.ok() ? "it does not say what it wants" : failure.text());
    return nullptr;
  }
  Wanted wanted = FindWanted(entrance, link, message);
  if (!wanted.status.ok() && wanted.status.number() != EAGAIN) {
    Say(from + " ('" + link.peer() + "')", wanted.status.text());
  }
  store::Writer answer;
  answer.PutStatus(wanted.status);
  answer.PutText(wanted.place.address);
  if (!store::SendMessage(socket, MessageKind::kReply, message.number, answer.bytes())) {
    return nullptr;
  }
  *peer = std::move(wanted.peer);
  peer->address = from;
  peer->gone = [link = link.shared_from_this()] { return link->closed_by_peer(); };
  return wanted.place.here;
}

void Receive(const Entrance& entrance, int tcp, const std::string& from, Stranger stranger) {
  int socket = -1;
  store::ServicePeer peer;
  std::shared_ptr<LedStore> store;
  const Result<std::shared_ptr<TlsLink>> link = TlsLink::Start(entrance.tls, tcp, "", &socket);
  if (!link.ok()) {
    Say(from, link.status().text());
  } else if (const Status shaken = (*link)->AwaitHandshake(kHandshakePatience); !shaken.ok()) {
    Say(from, shaken.text());
  } else {
    store = Admit(entrance, **link, socket, from, &peer);
  }
  {
    Threads& threads = TheThreads();
    const MutexLock guard(threads.mutex);
    threads.strangers.remove(stranger);
  }
  stranger.reset();
  if (store != nullptr) {
    store->Serve(socket, peer);
  } else if (socket >= 0) {
    close(socket);
  }
}

}  // namespace

void ServeEntrance(const Entrance& entrance, int listener, int ending) {
  Threads& threads = TheThreads();
  pollfd sources[2] = {{listener, POLLIN, 0}, {ending, POLLIN, 0}};
  while (true) {
    if (poll(sources, 2, -1) < 0 && errno != EINTR) break;
    if ((sources[1].revents & POLLIN) != 0) break;
    if ((sources[0].revents & POLLIN) == 0) continue;
    std::string from;
    const int tcp = store::AcceptTcp(listener, &from);
    if (tcp < 0) {
      // No descriptors left: they come back when programs end.
      if (errno == EMFILE || errno == ENFILE) usleep(10'000);
      continue;
    }
    Stranger stranger = std::make_shared<store::Descriptor>(fcntl(tcp, F_DUPFD_CLOEXEC, 0));
    if (stranger->get() < 0) {
      close(tcp);
      continue;
    }
    {
      const MutexLock guard(threads.mutex);
      ++threads.running;
      if (threads.strangers.size() == kStrangersMost) {
        shutdown(threads.strangers.front()->get(), SHUT_RDWR);
        threads.strangers.pop_front();
      }
      threads.strangers.push_back(stranger);
    }
    const bool serves =
        WorkerThread::StartDetached([&entrance, &threads, tcp, from, stranger]() mutable {
          Receive(entrance, tcp, from, std::move(stranger));
          const MutexLock guard(threads.mutex);
          --threads.running;
          threads.changed.notify_all();
        });
    if (serves) continue;
    close(tcp);
    const MutexLock guard(threads.mutex);
    --threads.running;
    threads.strangers.remove(stranger);
  }
  close(listener);
}

void AwaitThreads() {
  Threads& threads = TheThreads();
  MutexLock guard(threads.mutex);
  // A program that does not identify itself is cut off after as long as a connection may be silent.
  threads.changed.wait_for(guard, std::chrono::seconds(kEnterSeconds + 1),
                           [&]() TN_REQUIRES(threads.mutex) { return threads.running == 0; });
}

}  // namespace tenure::node
