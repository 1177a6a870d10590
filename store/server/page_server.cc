#include "store/server/page_server.h"

namespace tenure::store {

Uuid PageServer::participant() const {
  Uuid uuid = store_uuid();
  for (size_t i = 0; i < sizeof(uint64_t); ++i) {
    uuid.bytes[i] ^= static_cast<uint8_t>(lineage() >> (8 * i));
  }
  return uuid;
}

Result<Uuid> PageServer::DatabaseUuid(DatabaseId database) {
  TN_ASSIGN_OR_RETURN(const DatabaseInfo info, Info(database));
  return info.uuid;
}

Result<std::vector<PageRun>> PageServer::AllocateRemoved(DatabaseId, uint64_t) {
  return std::vector<PageRun>();
}

Status DiskCollection::OfferCandidates(DatabaseId, std::span<const Candidate>) {
  return Status(StatusCode::kNotSupported, "this page server is used by one program");
}
Result<std::vector<bool>> DiskCollection::HeldCandidates(DatabaseId) {
  return Status(StatusCode::kNotSupported, "this page server is used by one program");
}

Result<DatabaseId> PageServer::CreateDatabase(std::string_view, const Uuid&) {
  return Status(StatusCode::kNotSupported, "this page server chooses the uuid of a database");
}

Result<DatabaseId> PageServer::CreateReplacement(std::string_view, const Uuid*) {
  return Status(StatusCode::kNotSupported, "this page server cannot replace a database");
}
Status PageServer::CloseReplacing(std::span<const DatabaseId>) {
  return Status(StatusCode::kNotSupported, "this page server cannot replace a database");
}

// A server without these has no references between databases.
Result<std::vector<ImportEntry>> PageServer::Imports(DatabaseId) {
  return std::vector<ImportEntry>();
}
Result<std::vector<ExportEntry>> PageServer::Exports(DatabaseId) {
  return std::vector<ExportEntry>();
}

Status TwoPhaseCommits::Prepare(const CommitRequest&, const Coordinator&) {
  return Status(StatusCode::kNotSupported,
                "this page server takes no part in transactions over several stores");
}
CommitAnswer TwoPhaseCommits::Resolve(CommitId, bool) {
  return {CommitOutcome::kFailed, 0, Status(StatusCode::kNotFound, "there is no such commit")};
}
Result<std::vector<PreparedCommit>> TwoPhaseCommits::Prepared() {
  return std::vector<PreparedCommit>();
}
Result<bool> TwoPhaseCommits::Decided(CommitId) { return false; }
Status TwoPhaseCommits::Acknowledge(CommitId, const Uuid&) { return Status::Ok(); }

}  // namespace tenure::store
