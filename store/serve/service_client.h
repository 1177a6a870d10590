// One connection of a PageService, for the source files of this folder.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "store/remote/receive_turns.h"
#include "store/remote/server_commit.h"
#include "store/remote/server_protocol.h"
#include "store/serve/service_peer.h"
#include "store/serve/service_state.h"

namespace tenure::store {

// A thread receives requests and carries them out in order. While it carries one out, another
// thread hears what comes, for example the client's answers to callbacks, and queues requests.
class ServiceClient final : public ConnectedClient,
                            public CollectionClient,
                            public DurabilityClient {
 public:
  ServiceClient(ServiceState& service, int socket, const ServicePeer* peer = nullptr);

  // Serves until the connection ends.
  void Run();

  bool SendCallback(uint32_t database, uint64_t page, bool to_read) override;
  void CutOff() override;
  bool SendCandidates(uint32_t database, uint64_t question,
                      std::span<const Candidate> candidates) override;
  // Both of CollectionClient and PermissionClient.
  int64_t process() const override { return process_; }
  std::string program() const override { return program_; }
  const ServicePeer* peer() const override { return peer_ ? &*peer_ : nullptr; }
  uint64_t place() const override { return returning_ ? 0 : place_.load(); }
  bool greeted() const override { return greeted_; }
  std::chrono::steady_clock::time_point connected_since() const override {
    return connected_since_;
  }
  void SendAskTransaction(uint64_t question) override;
  void SendWaitsFor(int64_t process) override;
  bool TellDurable(uint64_t version) override;

 private:
  // The first message and its answer. False: the connection is to end.
  bool Greet();
  void ServeGreeted();
  // False: the client does not keep to the protocol.
  bool Accept(Message& message);
  // Notices: messages.def. False: the message is malformed.
  bool HearNotice(const Message& message);
#define NOTICE(name, number) bool Hear##name(Reader& in);
#include "store/remote/messages.def"
  // The connection ends: its requests wait for nothing more.
  void End();
  // Receives a message in the caller's turn. False: the connection has ended.
  bool ReceiveOne();
  // Receives messages until the connection has ended.
  void Hear();
  void Work();
  // In the caller's turn: the next request. False: the connection has ended.
  bool Next(Message* request);
  void CarryOut(const Message& request, ReceiveTurns::Turn& turn);
  // Waits until the program no longer uses what it holds.
  void AwaitLeaseEnd();
  // Sends a message that has no number, unless the connection is busy. False: not sent.
  bool SendAtOnce(MessageKind kind, const Writer& body);
  Status Answer(MessageKind kind, Reader& in, Writer& out);
  // kPermission: the program at the other end lacks the role that the request needs.
  Status CheckRole(MessageKind kind) const;
  Status CheckRole(StoreRole needed, const char* what) const;

  // Requests: messages.def. Each reads its message to the end. kInvalidArgument: it makes no sense.
#define REQUEST(name, number, role, words) Status name(Reader& in, Writer& out);
#define DATABASE_REQUEST(name, number, role, words) \
  Status name(uint32_t id, Reader& in, Writer& out);
#include "store/remote/messages.def"

  // For requests about databases and pages: service_requests.cc.
  Status CheckNewUuid(const Uuid& uuid) TN_REQUIRES(service_.databases_lock);
  struct WantedPages {
    uint64_t transaction = 0;
    WaitManner manner;  // of the waits
    bool to_write = false;
    std::vector<PageId> pages;
    PageId last;  // that has been handed out
  };
  // kInvalidArgument: the request makes no sense. Other failures are those of the store.
  Status GetWanted(uint32_t id, Reader& in, WantedPages* wanted);
  Status Want(uint32_t id, Reader& in, bool write);
  void LeaveDatabase(uint32_t id, bool lost);
  void ReturnAllocated();

  // For requests about commits: service_commits.cc.
  enum class Answers : bool { kWhenDurable, kWhenOrdered };
  Status CommitRequested(Reader& in, Writer& out, Answers answers);
  Status CommitNow(const CommitRequest& request, CheckedCommit* checked, Writer& out,
                   Answers answers);
  // Carries out the releases of pages whose commits have become durable.
  void ReleaseDurable(uint64_t durable);
  // Call before the client asks for a page: releases that wait for their commits come first.
  void SettleReleases();
  Status PutAnswer(const CommitAnswer& answer, const PageServerStatistics& before, Writer& out);
  // Checks that the client may write all this, and that the request makes sense.
  Status CheckWrites(const CommitRequest& request, CheckedCommit* checked);
  // Checks, with commit_lock and before the commit is ordered or prepared, that it is right still.
  Status CheckAgain(const CommitRequest& request, CheckedCommit* checked);
  CommitRequester requester() const { return {this, role_ == StoreRole::kOwner}; }
  // Lets only one commit at a time add to a database's tables of references.
  Status LockTables(const CommitRequest& request, std::vector<Permissions::Key>* keys);
  void ReleaseTables(const std::vector<Permissions::Key>& keys);
  static Status Refuse(Status why, Writer& out);
  // Notes that a commit was asked for and has not happened: no client may commit it later.
  Status NoteRefused(CommitId id) TN_REQUIRES(service_.commit_lock);

  ServiceState& service_;
  const int socket_;
  const StoreRole role_;
  const bool node_;                   // ServicePeer::node
  const std::function<bool()> gone_;  // ServicePeer::gone; null: gone when disconnected
  std::chrono::steady_clock::time_point leased_until_{};  // with queue_lock_
  const std::optional<ServicePeer> peer_;
  const pid_t process_;        // 0: not known
  const std::string program_;  // its name, or its subject; empty: not known
  const std::chrono::steady_clock::time_point connected_since_ = std::chrono::steady_clock::now();
  std::atomic<bool> greeted_{false};
  std::atomic<uint64_t> place_{0};
  // It has references from before, and not all of its databases are open again: it counts as away,
  // since a collection would not ask it about each of them.
  std::atomic<bool> returning_{false};
  std::atomic<bool> said_bye_{false};
  std::set<uint32_t> open_;
  std::set<Permissions::Key> allocated_;  // and not committed: may be returned
  std::set<Permissions::Key> dead_;       // pages whose objects this client found dead
  // The references between the candidates that it has offered last, by database.
  std::map<uint32_t, std::vector<CandidateEdge>> edges_;
  size_t unknown_outcomes_ = 0;  // that it has asked for
  UndurablePages undurable_;
  uint64_t told_durable_ = 0;  // with the lock of ServiceDurability
  Mutex send_lock_;
  ReceiveTurns turns_;
  Mutex queue_lock_;
  std::deque<Message> queue_;
  size_t queue_bytes_ TN_GUARDED_BY(queue_lock_) = 0;
  bool ended_ TN_GUARDED_BY(queue_lock_) = false;
};

Status BadRequest();

}  // namespace tenure::store
