// A commit request as a message of the page-server protocol (docs/page_server.md).
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "store/remote/server_protocol.h"

namespace tenure::store {

// The request, with `remote_id` for the server's number of a database.
template <typename RemoteId>
void PutCommit(Writer& out, const CommitRequest& request, RemoteId&& remote_id);

// The inverse. The request refers to this object's memory and to the message's.
class ReceivedCommit {
 public:
  // Reads the commit and leaves the rest of the message in `in`. False: the bytes are not a commit.
  bool Read(Reader& in);
  const CommitRequest& request() const { return request_; }
  // The program that has sent it.
  void set_place(uint64_t place) { request_.asker.place = place; }

 private:
  CommitRequest request_;
  // Sizes are fixed before anything points into them.
  std::vector<DatabaseCommit> databases_;
  std::deque<std::vector<PageWrite>> pages_;
  std::deque<std::vector<ChangedRegion>> regions_;
  std::deque<std::vector<ImportEntry>> imports_;
  std::deque<std::vector<ExportEntry>> exports_;
  std::vector<Uuid> participants_;
};

void PutDatabaseCommit(Writer& out, const DatabaseCommit& commit, uint32_t remote_id);

template <typename RemoteId>
void PutCommit(Writer& out, const CommitRequest& request, RemoteId&& remote_id) {
  out.Put(request.id);
  out.Put(request.asker.settled);
  out.Put(static_cast<uint32_t>(request.databases.size()));
  for (const DatabaseCommit& commit : request.databases) {
    PutDatabaseCommit(out, commit, remote_id(commit.database));
  }
  out.Put(static_cast<uint32_t>(request.participants.size()));
  for (const Uuid& store : request.participants) out.Put(store);
}

}  // namespace tenure::store
