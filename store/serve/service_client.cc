#include "store/serve/service_client.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/mutex.h"
#include "base/worker_thread.h"
#include "store/format/status_text.h"
#include "store/remote/program_name.h"
#include "store/serve/serving_messages.h"

namespace tenure::store {

namespace {

// Requests of one client that wait for an earlier one; programs send one per thread.
constexpr size_t kQueueMax = 1024;
// A connection is closed unless its first message is a hello of at most kHelloBytesMax bytes that
// comes within kHelloSeconds.
constexpr int kHelloSeconds = 10;
constexpr size_t kHelloBytesMax = 64;

}  // namespace

Status BadRequest() { return Status(StatusCode::kInvalidArgument, "the request makes no sense"); }

namespace {

// What a program may send after its hello.
struct MessageRule {
  enum class Way : uint8_t { kRefused, kRequest, kNotice } way = Way::kRefused;
  StoreRole role = StoreRole::kNone;  // the least one
  bool of_nodes = false;              // a node may send it without a role
  const char* words = "";
};

constexpr MessageRule RuleOf(MessageKind kind) {
  using Way = MessageRule::Way;
  switch (kind) {
#define REQUEST(name, number, role, words) \
  case MessageKind::k##name: return {Way::kRequest, StoreRole::role, false, words};
#define NODE_REQUEST(name, number, role, words) \
  case MessageKind::k##name: return {Way::kRequest, StoreRole::role, true, words};
#define DATABASE_REQUEST(name, number, role, words) REQUEST(name, number, role, words)
#define NOTICE(name, number) \
  case MessageKind::k##name: return {Way::kNotice};
#include "store/remote/messages.def"
    default: return {};
  }
}

pid_t ProcessAt(int socket) {
  ucred peer = {};
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
}

}  // namespace

ServiceClient::ServiceClient(ServiceState& service, int socket, const ServicePeer* peer)
    : service_(service),
      socket_(socket),
      role_(peer == nullptr ? StoreRole::kOwner : peer->role),
      node_(peer != nullptr && peer->node),
      gone_(peer == nullptr ? nullptr : peer->gone),
      peer_(peer == nullptr ? std::nullopt : std::optional(*peer)),
      process_(peer == nullptr ? ProcessAt(socket) : 0),
      program_(peer == nullptr ? ProgramName(process_) : peer->subject) {
  const timeval patience = {kAnswerSeconds, 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

void ServiceClient::Run() {
  if (Greet()) ServeGreeted();
  // A collection that begins from now on sees that the program is away.
  if (const uint64_t place = place_.exchange(0); place != 0) {
    for (const uint32_t id : open_) LeaveDatabase(id, /*lost=*/!said_bye_);
    service_.sessions->Leave(place, said_bye_);
    if (said_bye_) service_.store.ForgetAsker(place);
  }
}

void ServiceClient::ServeGreeted() {
  WorkerThread hears;
  if (turns_.Open(socket_) && hears.Start([this] { Hear(); })) Work();
  End();
  hears.Join();
  AwaitLeaseEnd();
  service_.durability.Leave(*this);
  // Others get a page only when the commit that wrote the page is durable.
  (void)service_.store.AwaitDurable(undurable_.version());
  service_.doubts.Abandon(*this);
  service_.permissions.Forget(*this);
  ReturnAllocated();
}

// A program that is stopped, or cut off from this node, may use the pages that it holds until its
// lease ends. Others get these pages afterwards.
void ServiceClient::AwaitLeaseEnd() {
  if (!gone_) return;
  constexpr std::chrono::milliseconds kLookAgain(20);
  std::chrono::steady_clock::time_point end;
  {
    const MutexLock guard(queue_lock_);
    end = leased_until_;
  }
  while (std::chrono::steady_clock::now() < end && !gone_()) {
    std::this_thread::sleep_for(kLookAgain);
  }
}

Status ServiceClient::Lease(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  std::chrono::milliseconds left{0};
  if (service_.lease_left) left = service_.lease_left();
  {
    const MutexLock guard(queue_lock_);
    leased_until_ = std::max(leased_until_, std::chrono::steady_clock::now() + left);
  }
  out.Put(static_cast<uint64_t>(left.count()));
  return Status::Ok();
}

bool ServiceClient::Greet() {
  timeval patience = {kHelloSeconds, 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Message message;
  if (!ReceiveMessage(socket_, &message, kHelloBytesMax)) return false;
  Reader in(message.body);
  const auto version = in.Get<uint32_t>();
  Writer reply;
  KnownSessions::Entered entered;
  Status status;
  // Another version may have more in its message, so the version is compared first.
  const bool is_hello = message.kind == MessageKind::kHello && in.ok();
  const auto earlier = in.Get<Uuid>();
  if (is_hello && version != kProtocolVersion) {
    status = Status(StatusCode::kFormat, "the page server speaks another version of the protocol",
                    kProtocolVersion);
  } else if (!is_hello || !in.AtEnd()) {
    status = BadRequest();
  } else if (role_ != StoreRole::kNone) {  // a node that asks for outcomes has no references
    const Result<KnownSessions::Entered> known =
        service_.sessions->Enter(process_, program_, earlier);
    status = known.status();
    if (known.ok()) entered = *known;
    returning_ = entered.again;
    place_ = entered.place;
  }
  reply.PutStatus(status);
  if (status.ok()) {
    reply.Put(service_.store.store_uuid());
    reply.Put(service_.store.lineage());
    reply.Put(entered.serving);
    const uint64_t durable = service_.store.DurableVersion();
    reply.Put(durable == ~uint64_t{0} ? 0 : durable);  // a store in memory has none
  }
  // This is the first message: no other thread sends yet.
  const bool sent = SendMessage(socket_, MessageKind::kReply, message.number, reply.bytes(),
                                /*wait=*/true, /*sent_nothing=*/nullptr, entered.descriptor);
  if (entered.descriptor >= 0) close(entered.descriptor);
  patience.tv_sec = 0;
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (status.ok() && sent) {
    service_.clients.NoteGreeted(*this);
    greeted_ = true;
  }
  return status.ok() && sent;
}

bool ServiceClient::SendCallback(uint32_t database, uint64_t page, bool to_read) {
  Writer body;
  body.Put(database);
  body.Put(page);
  body.Put(static_cast<uint8_t>(to_read));
  return SendAtOnce(MessageKind::kCallback, body);
}

bool ServiceClient::SendAtOnce(MessageKind kind, const Writer& body) {
  if (!send_lock_.try_lock()) return false;
  const MutexLock guard(send_lock_, std::adopt_lock);
  bool sent_nothing = false;
  const bool sent = SendMessage(socket_, kind, 0, body.bytes(), /*wait=*/false, &sent_nothing);
  if (!sent && !sent_nothing) CutOff();
  return sent;
}

void ServiceClient::SendAskTransaction(uint64_t question) {
  Writer body;
  body.Put(question);
  (void)SendAtOnce(MessageKind::kAskTransaction, body);
}

Status ServiceClient::Serving(Reader& in, Writer& out) {
  if (!in.AtEnd()) return BadRequest();
  PutReport(out, service_.watch.Report(*this));
  return Status::Ok();
}

Status ServiceClient::RecentCommits(Reader& in, Writer& out) {
  const auto most = in.Get<uint32_t>();
  if (!in.AtEnd()) return BadRequest();
  PutRecent(out, service_.history.Recent(most));
  return Status::Ok();
}

void ServiceClient::SendWaitsFor(int64_t process) {
  Writer body;
  body.Put(process);
  (void)SendAtOnce(MessageKind::kWaitsFor, body);
}

bool ServiceClient::TellDurable(uint64_t version) {
  ReleaseDurable(version);
  if (version <= told_durable_) return true;
  Writer body;
  body.Put(version);
  if (!SendAtOnce(MessageKind::kDurable, body)) return false;
  told_durable_ = version;
  return true;
}

void ServiceClient::ReleaseDurable(uint64_t durable) {
  for (const UndurablePages::Release& release : undurable_.Take(durable)) {
    service_.permissions.Release(*this, release.key, release.keep_read);
  }
}

void ServiceClient::SettleReleases() {
  const uint64_t version = undurable_.deferred_version();
  if (version == 0) return;
  // If the sync fails the process ends.
  if (service_.store.AwaitDurable(version).ok()) ReleaseDurable(version);
}

bool ServiceClient::SendCandidates(uint32_t database, uint64_t question,
                                   std::span<const Candidate> candidates) {
  Writer body;
  body.Put(database);
  body.Put(question);
  PutCandidates(body, candidates);
  const MutexLock guard(send_lock_);
  return SendMessage(socket_, MessageKind::kAskCandidates, 0, body.bytes());
}

void ServiceClient::End() {
  CutOff();
  service_.permissions.Stop(*this);
  const MutexLock guard(queue_lock_);
  ended_ = true;
}

bool ServiceClient::ReceiveOne() {
  Message message;
  if (ReceiveMessage(socket_, &message) && Accept(message)) return true;
  End();
  return false;
}

void ServiceClient::Hear() {
  const auto ended = [this] {
    const MutexLock guard(queue_lock_);
    return ended_;
  };
  while (true) {
    turns_.AwaitInBackground();
    const MutexLock turn(turns_.turn(), std::adopt_lock);
    if (ended() || !ReceiveOne()) return;
  }
}

void ServiceClient::CutOff() { shutdown(socket_, SHUT_RDWR); }

bool ServiceClient::HearRelease(Reader& in) {
  bool deferred = false;
  do {
    const auto database = in.Get<uint32_t>();
    const auto page = in.Get<uint64_t>();
    const auto keep = in.Get<uint8_t>();
    if (!in.ok()) return false;
    if (undurable_.Defer({database, page}, keep != 0, service_.store.DurableVersion())) {
      deferred = true;
    } else {
      service_.permissions.Release(*this, {database, page}, keep != 0);
    }
  } while (!in.AtEnd());
  // The commit may have become durable in between.
  if (deferred) ReleaseDurable(service_.store.DurableVersion());
  return true;
}

bool ServiceClient::HearBusy(Reader& in) {
  const auto database = in.Get<uint32_t>();
  const auto page = in.Get<uint64_t>();
  if (!in.AtEnd()) return false;
  service_.permissions.Busy(*this, {database, page});
  return true;
}

bool ServiceClient::HearGiveUp(Reader& in) {
  if (!in.AtEnd()) return false;
  service_.permissions.GiveUp(*this);
  return true;
}

bool ServiceClient::HearReturned(Reader& in) {
  if (!in.AtEnd()) return false;
  returning_ = false;
  return true;
}

bool ServiceClient::HearBye(Reader& in) {
  if (!in.AtEnd()) return false;
  returning_ = false;
  said_bye_ = true;
  return true;
}

bool ServiceClient::HearPing(Reader&) {
  // If the lock is taken another message is being sent to the client, which serves as well.
  if (!send_lock_.try_lock()) return true;
  const MutexLock guard(send_lock_, std::adopt_lock);
  return SendMessage(socket_, MessageKind::kPong, 0, {});
}

bool ServiceClient::HearRefersTo(Reader& in) {
  const auto question = in.Get<uint64_t>();
  const std::vector<bool> flags = GetFlags(in);
  return in.AtEnd() && service_.collections.Told(*this, question, flags);
}

bool ServiceClient::HearTellsTransaction(Reader& in) {
  ToldTransaction told;
  told.question = in.Get<uint64_t>();
  const bool is_open = in.Get<uint8_t>() != 0;
  const auto since = in.Get<uint64_t>();
  if (is_open) told.since = std::chrono::milliseconds(std::min<uint64_t>(since, INT64_MAX));
  told.free_pages = in.Get<uint64_t>();
  if (!in.AtEnd()) return false;
  service_.watch.Told(*this, told);
  return true;
}

bool ServiceClient::HearNotice(const Message& message) {
  Reader in(message.body);
  switch (message.kind) {
#define NOTICE(name, number) \
  case MessageKind::k##name: return Hear##name(in);
#include "store/remote/messages.def"
    default: return false;
  }
}

bool ServiceClient::Accept(Message& message) {
  using Way = MessageRule::Way;
  const Way way = RuleOf(message.kind).way;
  if (way == Way::kRefused) return false;
  if (way == Way::kNotice) return HearNotice(message);
  const MutexLock guard(queue_lock_);
  if (queue_.size() >= kQueueMax || queue_bytes_ > kMessageBytesMax) return false;
  queue_bytes_ += message.body.size();
  queue_.push_back(std::move(message));
  return true;
}

bool ServiceClient::Next(Message* request) {
  while (true) {
    {
      const MutexLock guard(queue_lock_);
      if (ended_) return false;
      if (!queue_.empty()) {
        *request = std::move(queue_.front());
        queue_.pop_front();
        queue_bytes_ -= request->body.size();
        return true;
      }
    }
    if (!ReceiveOne()) return false;
  }
}

void ServiceClient::Work() {
  {
    ReceiveTurns::Turn turn(turns_);
    turn.Take();
    Message request;
    while (Next(&request)) CarryOut(request, turn);
  }
  // The client may end without waiting for the answer to an acknowledgement. An acknowledgement
  // that stayed in the queue would leave its record in the store for ever. The queue gets no more
  // messages.
  for (const Message& request : queue_) {
    if (request.kind != MessageKind::kAcknowledge) continue;
    Reader reader(request.body);
    Writer unsent;
    (void)Acknowledge(reader, unsent);
  }
}

void ServiceClient::CarryOut(const Message& request, ReceiveTurns::Turn& turn) {
  turn.Leave();
  Writer rest;
  Reader reader(request.body);
  const Status role = CheckRole(request.kind);
  const Status status = role.ok() ? Answer(request.kind, reader, rest) : role;
  if (!service_.Leads()) {
    CutOff();
    return turn.Take();
  }
  if (status.code() == StatusCode::kConflict) {
    service_.permissions.KeepAge(*this);
    if (service_.log_conflicts) {
      SayAsServer("conflict: process " + std::to_string(process_) + ", " +
                  RuleOf(request.kind).words + ": " + status.text());
    }
  }
  Writer reply;
  reply.PutStatus(status);
  const bool commit = request.kind == MessageKind::kCommit || request.kind == MessageKind::kOrder ||
                      request.kind == MessageKind::kResolve;
  if (commit && !role.ok()) (void)Refuse(role, rest);
  const std::span body = status.ok() || commit ? rest.bytes() : std::span<const std::byte>();
  // The next request must not wake the other thread. But while a long answer is sent that thread
  // receives, since the client may be sending as well.
  constexpr size_t kShortBytes = 32 << 10;
  if (body.size() <= kShortBytes) turn.Take();
  {
    const MutexLock guard(send_lock_);
    if (!SendInParts(socket_, MessageKind::kReply, request.number, reply.bytes(), body)) CutOff();
  }
  turn.Take();
}

Status ServiceClient::CheckRole(StoreRole needed, const char* what) const {
  if (role_ >= needed) return Status::Ok();
  return Failure(StatusCode::kPermission,
                 "'" + program_ + "' is " + NameOf(role_) + " of store " + service_.directory +
                     ", and only " + (needed == StoreRole::kOwner ? "an owner" : "a writer") +
                     " may " + what);
}

Status ServiceClient::CheckRole(MessageKind kind) const {
  const MessageRule rule = RuleOf(kind);
  if (node_ && rule.of_nodes) return Status::Ok();
  if (role_ == StoreRole::kNone) {
    return Failure(StatusCode::kPermission,
                   "'" + program_ + "' has no role for store " + service_.directory);
  }
  return CheckRole(rule.role, rule.role == StoreRole::kWriter ? "write to it" : rule.words);
}

Status ServiceClient::Answer(MessageKind kind, Reader& in, Writer& out) {
  switch (kind) {
#define REQUEST(name, number, role, words) \
  case MessageKind::k##name: return name(in, out);
#include "store/remote/messages.def"
    default: break;
  }
  const auto id = in.Get<uint32_t>();
  if (!in.ok() || !open_.contains(id)) return BadRequest();
  SettleReleases();
  switch (kind) {
#define DATABASE_REQUEST(name, number, role, words) \
  case MessageKind::k##name: return name(id, in, out);
#include "store/remote/messages.def"
    default: return BadRequest();
  }
}

}  // namespace tenure::store
