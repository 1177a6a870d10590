#include "store/faults/simulated_engine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/mutex.h"
#include "store/format/status_text.h"

namespace tenure::store {

struct SimulatedCluster::StoreRow {
  std::string name;
  uint64_t term = 0;
  uint64_t last = 0;
  uint64_t applied = 0;
  uint64_t lineage = 0;
  NodeId leader;
  std::map<uint64_t, std::shared_ptr<const LogRecord>> log;
  std::map<std::pair<Uuid, PageId>, std::shared_ptr<const PageRecord>> pages;
  std::map<Uuid, DatabaseRow> databases;
  std::map<Uuid, std::pair<std::vector<ImportEntry>, std::vector<ExportEntry>>> references;
  std::vector<std::string> types;
  std::map<uint64_t, CommitId> outcomes;
  std::map<CommitId, std::string> prepared;
  std::map<CommitId, std::vector<Uuid>> decisions;
  std::map<Uuid, std::string> sessions;
};

namespace {

const Status kNoAnswer(StatusCode::kUnknownOutcome, "the engine has not answered");
const Status kRefused(StatusCode::kNoSpace, "the engine has no space left");
const Status kEnded(StatusCode::kClosed, "the engine's primary was lost");
const Status kTermOver(StatusCode::kConflict, "the term is over");
const Status kUnreadable(StatusCode::kIo, "the engine cannot be read");
const Status kNoStore(StatusCode::kNotFound, "the engine has no such store");

}  // namespace

class SimulatedCluster::Connection final : public Engine {
 public:
  explicit Connection(std::shared_ptr<SimulatedCluster> cluster) : cluster_(std::move(cluster)) {}

  Result<std::vector<std::string>> Stores() override {
    const MutexLock lock(cluster_->mutex_);
    cluster_->BeforeCall();
    std::vector<std::string> names;
    for (const auto& [uuid, row] : cluster_->stores_) names.push_back(row->name);
    std::ranges::sort(names);
    return names;
  }

  Status CreateStore(std::string_view name) override {
    const MutexLock lock(cluster_->mutex_);
    const Uuid uuid = NewUuid();
    const AppendAnswer answer =
        cluster_->Request([cluster = cluster_.get(), uuid, name = std::string(name)] {
          for (const auto& [other, row] : cluster->stores_) {
            if (row->name != name) continue;
            return AppendAnswer{AppendOutcome::kFailed,
                                Failure(StatusCode::kExists, "store " + name + " exists already")};
          }
          auto row = std::make_shared<StoreRow>();
          row->name = name;
          row->lineage = NewTag();
          cluster->Write(uuid, std::move(row));
          return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
        });
    return answer.status;
  }

  Result<Uuid> FindStore(std::string_view name) override {
    const MutexLock lock(cluster_->mutex_);
    cluster_->BeforeCall();
    for (const auto& [uuid, row] : cluster_->stores_) {
      if (row->name == name) return uuid;
    }
    return Failure(StatusCode::kNotFound, "store " + std::string(name) + " does not exist");
  }

  Result<NodeId> EnterNode(std::string_view name, std::string_view address,
                           std::string_view) override {
    const MutexLock lock(cluster_->mutex_);
    auto entered = std::make_shared<NodeId>(NodeId{std::string(name), 0});
    const AppendAnswer answer =
        cluster_->Request([cluster = cluster_.get(), entered, address = std::string(address)] {
          NodeRow row = cluster->nodes_[entered->name];
          row.name = entered->name;
          row.address = address;
          entered->epoch = ++row.epoch;
          cluster->WriteNode(row);
          return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
        });
    if (answer.outcome != AppendOutcome::kDurable) return answer.status;
    return *entered;
  }

  Result<bool> Beat(const NodeId& node, uint64_t number) override {
    const MutexLock lock(cluster_->mutex_);
    return AnswerOf(cluster_->Request([cluster = cluster_.get(), node, number] {
      if (!cluster->HasPlace(node)) return AppendAnswer{AppendOutcome::kFenced, kTermOver};
      NodeRow row = cluster->nodes_[node.name];
      row.beat = number;
      cluster->WriteNode(row);
      return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
    }));
  }

  Result<std::vector<NodeRow>> Nodes() override {
    const MutexLock lock(cluster_->mutex_);
    cluster_->BeforeCall();
    if (cluster_->Happens(cluster_->faults_.failed_read)) return kUnreadable;
    std::vector<NodeRow> rows;
    for (const auto& [name, row] : cluster_->nodes_) rows.push_back(row);
    return rows;
  }

  Result<bool> TakeNode(const NodeRow& seen) override {
    const MutexLock lock(cluster_->mutex_);
    return AnswerOf(cluster_->Request([cluster = cluster_.get(), seen] {
      NodeRow row = cluster->nodes_[seen.name];
      if (row.epoch != seen.epoch || row.beat != seen.beat) {
        return AppendAnswer{AppendOutcome::kFenced, kTermOver};
      }
      ++row.epoch;
      cluster->WriteNode(row);
      return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
    }));
  }

  Result<NodeId> LeaderOf(const Uuid& store) override {
    const MutexLock lock(cluster_->mutex_);
    cluster_->BeforeCall();
    if (cluster_->Happens(cluster_->faults_.failed_read)) return kUnreadable;
    const StoreRow* const row = cluster_->Find(store);
    if (row == nullptr) return kNoStore;
    return row->leader;
  }

  Result<Attachment> Attach(const Uuid& store, const NodeId& node, const NodeId* former) override {
    const MutexLock lock(cluster_->mutex_);
    // The answer, if the fault lets an answer come.
    auto attachment = std::make_shared<Attachment>();
    const std::optional<NodeId> expected =
        former == nullptr ? std::nullopt : std::optional<NodeId>(*former);
    const AppendAnswer answer = cluster_->Request([cluster = cluster_.get(), store, node, expected,
                                                   attachment] {
      const std::shared_ptr<StoreRow> row = cluster->Copy(store);
      if (row == nullptr) return AppendAnswer{AppendOutcome::kFailed, kNoStore};
      if (!node.name.empty() && !cluster->HasPlace(node)) {
        return AppendAnswer{AppendOutcome::kFenced, kTermOver};
      }
      if (expected && row->leader != *expected) {
        return AppendAnswer{AppendOutcome::kFenced, kTermOver};
      }
      row->leader = node;
      ++row->term;
      ++row->last;
      row->log[row->last] =
          std::make_shared<const LogRecord>(LogRecord{RecordKind::kTerm, CommitId{}, ""});
      *attachment = {
          .term = row->term, .last = row->last, .applied = row->applied, .lineage = row->lineage};
      cluster->Write(store, row);
      return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
    });
    if (answer.outcome != AppendOutcome::kDurable) return answer.status;
    primary_ = cluster_->counts_.failovers;
    return *attachment;
  }

  AppendAnswer Append(const Uuid& store, uint64_t term, uint64_t last,
                      std::span<const LogRecord> records) override {
    const MutexLock lock(cluster_->mutex_);
    ++cluster_->counts_.appends;
    if (Ended()) {
      ++cluster_->counts_.unknown;
      return {AppendOutcome::kUnknown, kEnded};
    }
    auto copies = std::make_shared<std::vector<std::shared_ptr<const LogRecord>>>();
    for (const LogRecord& record : records) {
      copies->push_back(std::make_shared<const LogRecord>(record));
    }
    const AppendAnswer answer =
        cluster_->Request([cluster = cluster_.get(), store, term, last, copies] {
          const std::shared_ptr<StoreRow> row = cluster->Copy(store);
          if (row == nullptr) return AppendAnswer{AppendOutcome::kFailed, kNoStore};
          if (row->term != term || row->last != last) {
            return AppendAnswer{AppendOutcome::kFenced, kTermOver};
          }
          for (const std::shared_ptr<const LogRecord>& record : *copies) {
            row->log[++row->last] = record;
          }
          cluster->Write(store, row);
          return AppendAnswer{AppendOutcome::kDurable, Status::Ok()};
        });
    cluster_->counts_.fenced += answer.outcome == AppendOutcome::kFenced;
    cluster_->counts_.unknown += answer.outcome == AppendOutcome::kUnknown;
    return answer;
  }

  Result<StoreContents> Load(const Uuid& store, uint64_t term) override {
    const MutexLock lock(cluster_->mutex_);
    TN_ASSIGN_OR_RETURN(const StoreRow* const row, BeforeRead(store));
    if (row->term != term) return kTermOver;
    StoreContents tables;
    for (const auto& [position, record] : row->log) tables.log.push_back({position, *record});
    for (const auto& [uuid, database] : row->databases) tables.databases.push_back(database);
    for (const auto& [uuid, entries] : row->references) {
      tables.references.push_back({.database = uuid,
                                   .imports_before = 0,
                                   .exports_before = 0,
                                   .imports = entries.first,
                                   .exports = entries.second});
    }
    tables.types = row->types;
    for (const auto& [version, id] : row->outcomes) tables.outcomes.push_back({id, version});
    for (const auto& [id, body] : row->prepared) tables.prepared.push_back({id, body});
    for (const auto& [id, waits_for] : row->decisions) tables.decisions.push_back({id, waits_for});
    for (const auto& [id, program] : row->sessions) tables.sessions.push_back({id, program});
    return tables;
  }

  Status ReadPages(const Uuid& store, const Uuid& database, std::span<const PageId> pages,
                   std::span<PageReply> replies) override {
    const MutexLock lock(cluster_->mutex_);
    TN_ASSIGN_OR_RETURN(const StoreRow* const row, BeforeRead(store));
    for (size_t i = 0; i < pages.size(); ++i) {
      const auto found = row->pages.find({database, pages[i]});
      if (found == row->pages.end()) {
        replies[i].status = Status(StatusCode::kNotFound, "the page does not exist");
      } else {
        replies[i].record = *found->second;
        replies[i].status = Status::Ok();
      }
    }
    return Status::Ok();
  }

  Result<uint64_t> CountPages(const Uuid& store, const Uuid& database) override {
    const MutexLock lock(cluster_->mutex_);
    TN_ASSIGN_OR_RETURN(const StoreRow* const row, BeforeRead(store));
    const auto first = row->pages.lower_bound({database, PageId{0}});
    const auto end = row->pages.upper_bound({database, PageId{~uint64_t{0}}});
    return static_cast<uint64_t>(std::distance(first, end));
  }

  Status Apply(const Uuid& store, uint64_t term, const ApplyBatch& batch) override {
    const MutexLock lock(cluster_->mutex_);
    cluster_->BeforeCall();
    if (Ended()) return kEnded;
    if (cluster_->Happens(cluster_->faults_.failed_request)) return kRefused;
    const std::shared_ptr<StoreRow> row = cluster_->Copy(store);
    if (row == nullptr) return kNoStore;
    if (row->term != term || batch.position > row->last) {
      return kTermOver;
    }
    for (const Uuid& uuid : batch.deleted) {
      row->pages.erase(row->pages.lower_bound({uuid, PageId{0}}),
                       row->pages.upper_bound({uuid, PageId{~uint64_t{0}}}));
      row->databases.erase(uuid);
      row->references.erase(uuid);
    }
    for (const DatabaseRow& database : batch.databases) row->databases[database.uuid] = database;
    for (const AppliedPage& page : batch.pages) {
      if (page.record == nullptr) {
        row->pages.erase({page.database, page.page});
      } else {
        row->pages[{page.database, page.page}] = std::make_shared<const PageRecord>(*page.record);
      }
    }
    for (const ReferenceRows& rows : batch.references) {
      auto& [imports, exports] = row->references[rows.database];
      TN_CHECK(imports.size() == rows.imports_before && exports.size() == rows.exports_before);
      imports.insert(imports.end(), rows.imports.begin(), rows.imports.end());
      exports.insert(exports.end(), rows.exports.begin(), rows.exports.end());
    }
    row->types.insert(row->types.end(), batch.types.begin(), batch.types.end());
    for (const uint64_t version : batch.forgotten) row->outcomes.erase(version);
    for (const CommitMark& mark : batch.outcomes) {
      TN_CHECK(row->outcomes.emplace(mark.version, mark.id).second);
    }
    for (const PreparedRow& prepared : batch.prepared) {
      if (prepared.body.empty()) {
        row->prepared.erase(prepared.id);
      } else {
        row->prepared[prepared.id] = prepared.body;
      }
    }
    for (const DecisionRow& decision : batch.decisions) {
      if (decision.waits_for.empty()) {
        row->decisions.erase(decision.id);
      } else {
        row->decisions[decision.id] = decision.waits_for;
      }
    }
    for (const SessionRow& session : batch.sessions) {
      if (session.ended) {
        row->sessions.erase(session.session);
      } else {
        row->sessions[session.session] = session.program;
      }
    }
    row->applied = batch.position;
    row->log.erase(row->log.begin(), row->log.upper_bound(batch.position));
    cluster_->Write(store, row);  // replicated some time later
    return Status::Ok();
  }

 private:
  // The primary that this connection attached at is lost.
  bool Ended() const { return primary_ != cluster_->counts_.failovers; }
  Result<const StoreRow*> BeforeRead(const Uuid& store) {
    cluster_->BeforeCall();
    if (Ended()) return kEnded;
    if (cluster_->Happens(cluster_->faults_.failed_read)) {
      return kUnreadable;
    }
    const StoreRow* const row = cluster_->Find(store);
    if (row == nullptr) return kNoStore;
    return row;
  }

  static Result<bool> AnswerOf(const AppendAnswer& answer) {
    if (answer.outcome == AppendOutcome::kFenced) return false;
    if (answer.outcome != AppendOutcome::kDurable) return answer.status;
    return true;
  }

  // A request that is carried out late outlives the connection: it refers to the cluster only.
  const std::shared_ptr<SimulatedCluster> cluster_;
  uint64_t primary_ = ~uint64_t{0};  // the number of failovers before this attached
};

SimulatedCluster::SimulatedCluster(uint64_t seed, const EngineFaults& faults)
    : random_(seed), faults_(faults) {}
SimulatedCluster::~SimulatedCluster() = default;

std::unique_ptr<Engine> SimulatedCluster::Connect(
    const std::shared_ptr<SimulatedCluster>& cluster) {
  return std::make_unique<Connection>(cluster);
}

void SimulatedCluster::SetFaults(const EngineFaults& faults) {
  const MutexLock lock(mutex_);
  faults_ = faults;
}

void SimulatedCluster::FailOver() {
  const MutexLock lock(mutex_);
  LosePrimary();
}

SimulatedCluster::Counts SimulatedCluster::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

uint64_t SimulatedCluster::Random() {  // SplitMix64
  random_ += 0x9E3779B97F4A7C15u;
  uint64_t z = random_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

bool SimulatedCluster::Happens(uint32_t thousandths) {
  return thousandths > 0 && Random() % 1000 < thousandths;
}

void SimulatedCluster::BeforeCall() {
  if (Happens(faults_.failover)) LosePrimary();
  // Requests that were under way arrive in any order.
  while (!late_.empty() && Random() % 3 == 0) {
    const auto which = late_.begin() + static_cast<ptrdiff_t>(Random() % late_.size());
    const std::function<AppendAnswer()> change = std::move(*which);
    late_.erase(which);
    static_cast<void>(change());
  }
}

void SimulatedCluster::LosePrimary() {
  ++counts_.failovers;
  late_.clear();  // their connections ended with it
  const size_t kept = Random() % (unreplicated_.size() + 1);
  while (unreplicated_.size() > kept) {
    Change& change = unreplicated_.back();
    if (change.nodes_before) {
      nodes_ = *std::move(change.nodes_before);
    } else if (change.before == nullptr) {
      stores_.erase(change.store);
    } else {
      stores_[change.store] = std::move(change.before);
    }
    unreplicated_.pop_back();
    ++counts_.changes_lost;
  }
  Replicate();
}

const SimulatedCluster::StoreRow* SimulatedCluster::Find(const Uuid& store) const {
  const auto found = stores_.find(store);
  return found == stores_.end() ? nullptr : found->second.get();
}

std::shared_ptr<SimulatedCluster::StoreRow> SimulatedCluster::Copy(const Uuid& store) const {
  const StoreRow* const row = Find(store);
  return row == nullptr ? nullptr : std::make_shared<StoreRow>(*row);
}

void SimulatedCluster::Write(const Uuid& store, std::shared_ptr<const StoreRow> row) {
  std::shared_ptr<const StoreRow>& place = stores_[store];
  unreplicated_.push_back({store, std::exchange(place, std::move(row)), std::nullopt});
}

void SimulatedCluster::WriteNode(const NodeRow& node) {
  unreplicated_.push_back({Uuid(), nullptr, nodes_});
  nodes_[node.name] = node;
}

bool SimulatedCluster::HasPlace(const NodeId& node) const {
  const auto found = nodes_.find(node.name);
  return found != nodes_.end() && found->second.epoch == node.epoch;
}

AppendAnswer SimulatedCluster::Request(const std::function<AppendAnswer()>& change) {
  BeforeCall();
  const AppendAnswer unknown{AppendOutcome::kUnknown, kNoAnswer};
  if (Happens(faults_.failed_request)) return {AppendOutcome::kFailed, kRefused};
  if (Happens(faults_.lost_request)) return unknown;
  if (Happens(faults_.late_request)) {
    late_.push_back(change);
    ++counts_.late;
    return unknown;
  }
  AppendAnswer answer = change();
  if (answer.outcome != AppendOutcome::kDurable) return answer;
  if (Happens(faults_.lost_replication)) return unknown;
  Replicate();
  return Happens(faults_.lost_answer) ? unknown : answer;
}

}  // namespace tenure::store
