// One connection of a PageService, for its own source files.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <vector>

#include "stabilize/page_service.h"
#include "stabilize/server_commit.h"
#include "stabilize/server_protocol.h"

namespace tenure::stabilize {

// A thread receives, so that answers to callbacks are heard while a request waits for a permission;
// another carries out the requests in order.
class PageService::Client final : public PermissionClient, public CollectionClient {
 public:
  Client(PageService& service, int socket);

  // Serves until the connection ends.
  void Run();

  bool SendCallback(uint32_t database, uint64_t page, bool to_read) override;
  void CutOff() override;
  bool SendCandidates(uint32_t database, uint64_t question,
                      std::span<const Candidate> candidates) override;

 private:
  // False: the client does not keep to the protocol.
  bool Accept(Message& message);
  void Work();
  Status Answer(MessageKind kind, Reader& in, Writer& out);

  // Requests about databases and pages: service_requests.cc. Each reads its message to the end.
  Status OpenDatabase(Reader& in, Writer& out);
  Status DeleteDatabase(Reader& in);
  Status CloseDatabase(uint32_t id, Reader& in);
  Status ListDatabases(Reader& in, Writer& out);
  Status TypeEntries(Reader& in, Writer& out);
  Status AddType(Reader& in, Writer& out);
  Status Info(uint32_t id, Reader& in, Writer& out);
  Status Uuid(uint32_t id, Reader& in, Writer& out);
  Status Imports(uint32_t id, Reader& in, Writer& out);
  Status Exports(uint32_t id, Reader& in, Writer& out);
  Status Root(uint32_t id, Reader& in, Writer& out);
  struct WantedPages {
    uint64_t transaction = 0;
    bool bounded = false;  // the wait, because the program uses other servers too
    std::vector<PageId> pages;
  };
  static bool GetWanted(Reader& in, WantedPages* wanted);
  Status Read(uint32_t id, Reader& in, Writer& out);
  Status Want(uint32_t id, Reader& in, bool write);
  Status Allocate(uint32_t id, Reader& in, Writer& out);
  Status ReturnPages(uint32_t id, Reader& in);
  Status OfferCandidates(uint32_t id, Reader& in);
  Status HeldCandidates(uint32_t id, Reader& in, Writer& out);
  void LeaveDatabase(uint32_t id, bool lost);
  void ReturnAllocated();

  // Requests about commits: service_commits.cc.
  Status Commit(Reader& in, Writer& out);
  Status CommitNow(const CommitRequest& request, Writer& out);
  Status PutAnswer(const CommitAnswer& answer, const PageServerStatistics& before, Writer& out);
  Status Outcome(Reader& in, Writer& out);
  Status Decided(Reader& in, Writer& out);
  Status Acknowledge(Reader& in);
  Status Prepare(Reader& in);
  Status Resolve(Reader& in, Writer& out);
  Status Prepared(Reader& in, Writer& out);
  // Whether the client may write all this.
  Status CheckWrites(const CommitRequest& request);
  // Databases whose tables of references the request adds to: of each, only one commit at a time.
  Status LockTables(const CommitRequest& request, std::vector<Permissions::Key>* keys);
  void ReleaseTables(const std::vector<Permissions::Key>& keys);
  static Status Refuse(Status why, Writer& out);

  PageService& service_;
  const int socket_;
  const pid_t process_;  // 0: not known
  bool greeted_ = false;
  std::set<uint32_t> open_;
  std::set<Permissions::Key> allocated_;  // and not committed: may be returned
  std::mutex send_lock_;
  std::mutex queue_lock_;
  std::condition_variable queued_;
  std::deque<Message> queue_;
  bool ended_ = false;
};

Status BadRequest();

}  // namespace tenure::stabilize
