#include "tests/support/random_session.h"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "store/faults/linked_faults.h"
#include "store/server/verifier.h"
#include "tests/support/persistent_types.h"
#include "tests/support/random.h"
#include "tests/support/test_heap.h"
#include "tests/support/traps.h"

namespace tenure::testing {

using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;
using stabilize::FaultAnswer;
using stabilize::Session;
using store::FailPoint;

namespace {

using Id = int;  // 0: NIL; negative: a literal; else an object
using Error = FaultAnswer::Error;

constexpr size_t kVariables = 10;

struct Node {
  const TypeDescriptor* type = nullptr;
  uint32_t value = 0;
  size_t edges = 0;
  std::map<size_t, Id> edge;  // the edges that are not NIL

  Id At(size_t i) const {
    const auto it = edge.find(i);
    return it == edge.end() ? 0 : it->second;
  }
  void Set(size_t i, Id to) {
    if (to == 0) {
      edge.erase(i);
    } else {
      edge[i] = to;
    }
  }
};

// Word number of an edge. A holder's edge 0 is its reference, 1 its TRANSIENT reference.
size_t WordOfEdge(const TypeDescriptor* type, size_t i) {
  return (type == &kHolderType ? kHolderEdge : kCellFirstEdge) + i;
}
bool IsTransientEdge(const TypeDescriptor* type, size_t i) {
  return type == &kHolderType && i == 1;
}
bool IsLocal(const Node& node) { return (node.type->flags & abi::kTypeTransient) != 0; }
uint64_t FirstWord(Id id, const Node& node) {
  return static_cast<uint64_t>(static_cast<uint32_t>(id)) | uint64_t{node.value} << 32;
}

// The program's view of a database.
struct Model {
  std::map<Id, Node> nodes;      // as they are now
  std::map<Id, Node> committed;  // persistent objects in the state that an abort restores
  Id root = 0, committed_root = 0;
  Id last_id = 0;

  bool IsPersistent(Id id) const { return id > 0 && committed.contains(id); }

  // The objects that a commit would make durable now.
  std::set<Id> Reached() const {
    std::set<Id> persistent;
    std::vector<Id> work{root};
    for (const auto& [id, node] : committed) work.push_back(id);
    while (!work.empty()) {
      const Id id = work.back();
      work.pop_back();
      if (id <= 0 || IsLocal(nodes.at(id)) || !persistent.insert(id).second) continue;
      const Node& node = nodes.at(id);
      for (const auto& [i, to] : node.edge) {
        if (!IsTransientEdge(node.type, i)) work.push_back(to);
      }
    }
    return persistent;
  }

  void Commit() {
    if (root > 0 && IsLocal(nodes.at(root))) root = 0;
    const std::set<Id> persistent = Reached();
    committed.clear();
    for (Id id : persistent) committed[id] = nodes.at(id);
    committed_root = root;
  }

  void Abort() {
    for (const auto& [id, node] : committed) nodes[id] = node;
    root = committed_root;
  }

  // The state that an abort of a child that begins now restores. Objects that a commit would not
  // reach keep the child's stores.
  struct Child {
    uint64_t serial = 0;
    std::map<Id, Node> before;
    Id root_before = 0;
  };
  Child BeginChild(uint64_t serial) const {
    Child child{serial, {}, root};
    for (const Id id : Reached()) child.before[id] = nodes.at(id);
    return child;
  }
  void AbortChild(const Child& child) {
    for (const auto& [id, node] : child.before) nodes[id] = node;
    root = child.root_before;
  }

  // The process ends, or the database is closed and all references to it are dropped.
  void Restart() {
    std::map<Id, Node> kept;
    std::vector<Id> work{committed_root};
    while (!work.empty()) {
      const Id id = work.back();
      work.pop_back();
      if (id <= 0 || kept.contains(id)) continue;
      Node& node = kept[id] = committed.at(id);
      std::erase_if(node.edge, [&](const auto& edge) {
        return IsTransientEdge(node.type, edge.first) ||
               (edge.second > 0 && !committed.contains(edge.second));
      });
      for (const auto& [i, to] : node.edge) work.push_back(to);
    }
    nodes = committed = kept;
    root = committed_root;
  }
};

class Driver {
 public:
  explicit Driver(const RandomSessionOptions& options) : options_(options), random_(options.seed) {}

  RandomSessionResult Run() {
    Start(/*create=*/true);
    for (step_ = 1; step_ <= options_.steps && result_.wrong.empty(); ++step_) Step();
    while (result_.wrong.empty() && transaction_ != 0) EndTransaction(random_.OneIn(2) ? 0 : 3);
    if (result_.wrong.empty()) Restart();
    if (session_ != nullptr) AddStatistics();
    HandleTrapsBy(nullptr);
    session_.reset();
    return result_;
  }

 private:
  void Wrong(const std::string& what) {
    if (result_.wrong.empty()) {
      result_.wrong = "step " + std::to_string(step_) + ", " + doing_ + ": " + what;
    }
  }
  void Expect(bool good, const std::string& what) {
    if (!good) Wrong(what);
  }
  // A failure without a fail point is an error.
  bool MayFail() { return fail_.kind != store::FailPointKind::kNone; }

  void AddStatistics() {
    const stabilize::SessionStatistics statistics = session_->statistics();
    result_.went_home += statistics.objects_moved_home;
    result_.pages_dropped += statistics.pages_dropped;
    result_.pages_spilled += statistics.pages_spilled;
  }

  // --- Starting and stopping ---

  void Start(bool create) {
    doing_ = "start";
    fail_ = {};
    if (options_.failures) ChooseFailPoint();
    heap_ = std::make_unique<gc::TestHeap>();
    heap_->roots().exact.resize(kVariables);
    variables_.assign(kVariables, 0);
    stabilize::SessionOptions options;
    options.mapping.tier = options_.tier;
    options.mapping.reserve_bytes = size_t{1} << 30;
    options.mapping.random_base = true;
    options.store.kind = options_.server;
    options.store.bdb.checkpoint_thread = false;
    options.store.bdb.cache_bytes = 4 << 20;
    options.store.fail = store::FaultsAt(fail_);
    options.frame_bytes = options_.frame_bytes;
    options.twin_bytes = options_.twin_bytes;
    // Its reads would fail where no failure is expected.
    options.paranoid = !options_.failures && options_.seed % 4 == 1;
    options.cluster = options_.cluster;
    session_ = std::make_unique<Session>(heap_->heap(), nullptr,
                                         stabilize::ProgramTypes(kPersistentTypes), options);
    HandleTrapsBy(session_.get());
    ++result_.starts;
    if (create) {
      const Status status = session_->CreateDatabase(Path());
      Expect(status.ok(), status.text());
    }
    Open();
  }

  void ChooseFailPoint() {
    using Kind = store::FailPointKind;
    constexpr Kind kKinds[] = {Kind::kCommitConflict,
                               Kind::kCommitNoSpace,
                               Kind::kCommitIo,
                               Kind::kCommitUnknownDone,
                               Kind::kCommitUnknownLost,
                               Kind::kCommitUnknownSilent,
                               Kind::kAllocateNoSpace,
                               Kind::kTypeNoSpace,
                               Kind::kWriteConflict,
                               Kind::kReadConflict,
                               Kind::kReadIo,
                               Kind::kReadCorrupt};
    fail_ = {kKinds[random_.Below(std::size(kKinds))], 1 + random_.Below(4)};
  }

  // Stores in memory last as long as the process, directories of tests do not.
  std::string Path() const { return options_.directory + "/store" + std::to_string(number_); }

  void Open() {
    Result<stabilize::Database*> opened = session_->OpenDatabase(Path());
    if (!opened.ok()) return Wrong(std::string("cannot open: ") + opened.status().text());
    database_ = *opened;
  }

  void DropVariables() {
    for (Ref& slot : heap_->roots().exact) slot = nullptr;
    variables_.assign(kVariables, 0);
    heap_->roots().ambiguous.clear();
  }

  // Another process, or the database is closed and opened again.
  void Restart() {
    doing_ = "restart";
    Result<store::VerifyReport> report =
        store::VerifyDatabase(database_->server(), database_->id());
    const std::string problem = !report.ok()   ? report.status().text()
                                : report->ok() ? ""
                                               : report->problems[0];
    // The verifier may be the one that reaches the fail point.
    if (problem.find("@M3dbfail") == std::string::npos) Expect(problem.empty(), problem);
    model_.Restart();
    if (random_.OneIn(2)) {
      AddStatistics();
      const Status status = session_->Shutdown();
      Expect(status.ok(), status.text());
      session_.reset();
      Start(/*create=*/false);
    } else {
      DropVariables();
      const Status status = session_->CloseDatabase(database_);
      Expect(status.ok(), status.text());
      heap_->Verify();
      Open();
    }
    Check();
  }

  // --- Steps ---

  void Step() {
    const uint64_t kind = random_.Below(1000);
    if (kind < 40) return Collect(random_.OneIn(3));
    if (kind < 70) return Pin();
    if (kind < 90) return Unpin();
    if (kind < 130) return Clear();
    if (kind < 135) {
      doing_ = "garbage";
      return heap_->AllocateGarbage(random_.Below(300) * 1024);
    }
    if (transaction_ == 0) {
      if (kind < 160) return Restart();
      if (kind < 600) return Begin();
    } else if (kind < 190) {
      return EndTransaction(random_.Below(4));
    } else if (kind < 290) {
      return children_.empty() || random_.Below(5) > children_.size() ? BeginChild() : EndChild();
    }
    switch (random_.Below(9)) {
      case 0:
      case 1: return New();
      case 2:
      case 3: return Load();
      case 4:
      case 5: return Store();
      case 6: return SetValue();
      case 7: return transaction_ != 0 ? GetRoot() : New();
      default: return transaction_ != 0 && random_.OneIn(2) ? SetRoot() : Store();
    }
  }

  void Begin() {
    doing_ = "begin";
    Result<uint64_t> begun = session_->Begin();
    if (!begun.ok()) return Wrong(begun.status().text());
    transaction_ = *begun;
  }

  void BeginChild() {
    doing_ = "begin a child";
    const Result<uint64_t> begun = session_->Begin();
    if (!begun.ok()) return Wrong(begun.status().text());
    Expect(*begun != transaction_ && session_->IsOpen(*begun), "the child is not open");
    children_.push_back(model_.BeginChild(*begun));
  }

  // Ends any of the open children; those inside it are aborted.
  void EndChild() {
    const size_t which = random_.OneIn(3) ? random_.Below(children_.size()) : children_.size() - 1;
    AbortInnermost(children_.size() - which - 1);
    Model::Child& child = children_.back();
    const uint64_t how = random_.Below(4);
    Status status;
    if (how == 0) {
      doing_ = "checkpoint of a child";
      status = session_->Checkpoint(child.serial);
      child = model_.BeginChild(child.serial);
    } else if (how == 1) {
      doing_ = "commit of a child";
      status = session_->Commit(child.serial);
      children_.pop_back();
    } else {
      doing_ = "abort of a child";
      status = session_->Abort(child.serial);
      model_.AbortChild(child);
      children_.pop_back();
      ++result_.child_aborts;
    }
    Expect(status.ok(), status.text());
    Check();
  }

  // Each child restores the state of its own begin.
  void AbortInnermost(size_t children) {
    for (; children > 0; --children) {
      model_.AbortChild(children_.back());
      children_.pop_back();
    }
  }

  void EndTransaction(uint64_t how) {
    Status status;
    AbortInnermost(children_.size());
    switch (how) {
      case 0:
        doing_ = "commit";
        status = session_->Commit(transaction_);
        break;
      case 1:
        doing_ = "checkpoint";
        status = session_->Checkpoint(transaction_);
        break;
      case 2:
        doing_ = "chain";
        status = session_->Chain(transaction_);
        break;
      default:
        doing_ = "abort";
        status = session_->Abort(transaction_);
        Expect(status.ok(), status.text());
        model_.Abort();
        ++result_.aborts;
        transaction_ = 0;
        return Check();
    }
    if (status.ok()) {
      model_.Commit();
      ++result_.commits;
      if (how == 0) transaction_ = 0;
    } else if (!MayFail()) {
      return Wrong(status.text());
    } else {
      ++result_.failed_commits;
      Expect(!session_->IsOpen(transaction_), "a failed commit leaves the transaction open");
      transaction_ = 0;
      if (status.code() == StatusCode::kUnknownOutcome) {
        // This fail point makes the commit happen.
        Expect(fail_.kind == store::FailPointKind::kCommitUnknownSilent, status.text());
        Expect(!database_->open(), "the outcome is unknown, and the database is open");
        model_.Commit();
        model_.Restart();
        DropVariables();
        Open();
      } else {
        Expect(fail_.kind != store::FailPointKind::kCommitUnknownDone, status.text());
        model_.Abort();
      }
    }
    Check();
  }

  void New() {
    doing_ = "new";
    const size_t v = random_.Below(kVariables);
    Node node;
    switch (random_.Below(16)) {
      case 0: node = {&kCellType, 0, 1100 + random_.Below(3000), {}}; break;  // large
      case 1: node = {&kCellType, 0, 520 + random_.Below(400), {}}; break;    // pages of its own
      case 2: node = {&kCellType, 0, 50 + random_.Below(200), {}}; break;
      case 3: node = {&kLocalType, 0, random_.Below(4), {}}; break;
      case 4:
      case 5:
      case 6: node = {&kHolderType, 0, 2, {}}; break;
      default: node = {&kCellType, 0, random_.Below(5), {}};
    }
    const Id id = ++model_.last_id;
    node.value = static_cast<uint32_t>(random_.Below(1000));
    Ref object;
    if (node.type == &kHolderType) {
      object = heap_->Allocate(kHolderType, kHolderType.payload_bytes);
      WordOf(object, kHolderUntraced) = 0x1234;
    } else {
      const int64_t length = static_cast<int64_t>(node.edges);
      object = heap_->Allocate(*node.type, CellPayloadBytes(node.edges), &length);
    }
    WordOf(object) = FirstWord(id, node);
    for (size_t i = 0; i < node.edges && i < 3; ++i) {
      if (random_.OneIn(2)) continue;
      const size_t w = random_.Below(kVariables);
      gc::StoreReference(SlotOf(object, WordOfEdge(node.type, i)), heap_->roots().exact[w]);
      node.Set(i, variables_[w]);
    }
    heap_->roots().exact[v] = object;
    variables_[v] = id;
    model_.nodes[id] = std::move(node);
  }

  // A variable with an object that may be used now; kVariables for none.
  size_t ChooseUsable() {
    for (int tries = 0; tries < 8; ++tries) {
      const size_t v = random_.Below(kVariables);
      if (variables_[v] <= 0) continue;
      if (transaction_ == 0 && model_.IsPersistent(variables_[v])) continue;
      return v;
    }
    return kVariables;
  }
  size_t ChooseEdge(const Node& node) {
    if (!node.edge.empty() && random_.OneIn(2)) {
      auto it = node.edge.begin();
      std::advance(it, static_cast<ptrdiff_t>(random_.Below(node.edge.size())));
      return it->first;
    }
    return random_.Below(node.edges);
  }

  // True if the access was made. Applies the effects of a failure on the transaction to the model.
  bool Survived(Error error) {
    if (error == Error::kNone) return true;
    if (!MayFail()) {
      Wrong(std::string("raised: ") + CaughtStatus().text());
    } else if (error == Error::kAborted) {
      Expect(!session_->IsOpen(transaction_), "Aborted is raised, and the transaction is open");
      transaction_ = 0;
      children_.clear();
      model_.Abort();
      ++result_.aborts;
    }
    return false;
  }

  void Load() {
    doing_ = "load";
    const size_t from = ChooseUsable();
    if (from == kVariables) return;
    const Node& node = model_.nodes.at(variables_[from]);
    if (node.edges == 0) return;
    const size_t i = ChooseEdge(node), to = random_.Below(kVariables);
    Ref* const slot = SlotOf(heap_->roots().exact[from], WordOfEdge(node.type, i));
    Ref loaded = nullptr;
    if (!Survived(Catch([&] { loaded = *static_cast<Ref volatile*>(slot); }))) return;
    const Id id = node.At(i);
    Expect((loaded == nullptr) == (id == 0), "NIL or not");
    heap_->roots().exact[to] = loaded;
    variables_[to] = id;
  }

  void Store() {
    doing_ = "store";
    const size_t to = ChooseUsable();
    if (to == kVariables) return;
    Node& node = model_.nodes.at(variables_[to]);
    if (node.edges == 0) return;
    const size_t i = ChooseEdge(node), from = random_.Below(kVariables);
    const bool literal = random_.OneIn(20), nil = !literal && random_.OneIn(6);
    const size_t which = random_.Below(literals_.size());
    const Ref value = nil ? nullptr : literal ? literals_[which].ref() : heap_->roots().exact[from];
    const Id id = nil ? 0 : literal ? -1 - static_cast<Id>(which) : variables_[from];
    Ref* const slot = SlotOf(heap_->roots().exact[to], WordOfEdge(node.type, i));
    if (!Survived(Catch([&] { gc::StoreReference(slot, value); }))) return;
    node.Set(i, id);
  }

  void SetValue() {
    doing_ = "set a value";
    const size_t v = ChooseUsable();
    if (v == kVariables) return;
    const uint32_t value = static_cast<uint32_t>(random_.Below(1000));
    Node& node = model_.nodes.at(variables_[v]);
    Node changed = node;
    changed.value = value;
    const uint64_t word = FirstWord(variables_[v], changed);
    const Ref object = heap_->roots().exact[v];
    if (!Survived(Catch([&] { WordOf(object) = word; }))) return;
    node.value = value;
  }

  void GetRoot() {
    doing_ = "get the root";
    const size_t v = random_.Below(kVariables);
    Result<Ref> root = session_->GetRoot(database_);
    if (!root.ok()) return Wrong(root.status().text());
    heap_->roots().exact[v] = *root;
    variables_[v] = model_.root;
  }

  void SetRoot() {
    doing_ = "set the root";
    const size_t v = random_.Below(kVariables);
    if (variables_[v] == 0 && !random_.OneIn(5)) return;
    const Status status = session_->SetRoot(database_, heap_->roots().exact[v]);
    Expect(status.ok(), status.text());
    model_.root = variables_[v];
  }

  void Clear() {
    doing_ = "clear";
    const size_t v = random_.Below(kVariables);
    heap_->roots().exact[v] = nullptr;
    variables_[v] = 0;
  }

  void Collect(bool major) {
    doing_ = major ? "major collection" : "minor collection";
    if (major) {
      heap_->CollectMajor();
    } else {
      heap_->CollectMinor();
    }
    heap_->Verify();
    const std::string wrong = CheckFrames(heap_->heap(), *session_, *database_, LiteralRefs());
    Expect(wrong.empty(), wrong);
    if (transaction_ != 0 && random_.OneIn(3)) Check();
  }

  void Pin() {
    doing_ = "pin";
    const Ref object = heap_->roots().exact[random_.Below(kVariables)];
    if (object == nullptr || !heap_->heap().Contains(object)) return;
    heap_->roots().ambiguous.push_back(reinterpret_cast<uintptr_t>(object) + 8 * random_.Below(2));
  }

  void Unpin() {
    doing_ = "unpin";
    std::vector<uintptr_t>& pins = heap_->roots().ambiguous;
    if (pins.empty()) return;
    std::swap(pins[random_.Below(pins.size())], pins.back());
    pins.pop_back();
    if (random_.OneIn(4)) pins.clear();
  }

  // --- Comparison ---

  std::vector<Ref> LiteralRefs() {
    std::vector<Ref> refs;
    for (TextLiteral& literal : literals_) refs.push_back(literal.ref());
    return refs;
  }

  // All objects that the root and the variables reach.
  void Check() {
    const std::string before = doing_;
    bool begun = false;
    while (result_.wrong.empty()) {
      if (transaction_ == 0) {
        Begin();
        begun = true;
        if (!result_.wrong.empty()) return;
      }
      doing_ = "check after " + before;
      if (Compare()) break;
      // A planned failure, which comes once.
    }
    if (begun && result_.wrong.empty()) {
      // The transaction has written nothing.
      if (random_.OneIn(3)) return;
      const Status status =
          random_.OneIn(2) ? session_->Commit(transaction_) : session_->Abort(transaction_);
      Expect(status.ok(), status.text());
      transaction_ = 0;
    }
  }

  // False: a planned failure came.
  bool Compare() {
    Result<Ref> root = session_->GetRoot(database_);
    if (!root.ok()) {
      Wrong(root.status().text());
      return true;
    }
    std::unordered_map<Ref, Id> id_at;
    std::map<Id, Ref> place_of;
    std::deque<std::pair<Ref, Id>> work{{*root, model_.root}};
    for (size_t v = 0; v < kVariables; ++v) {
      work.push_back({heap_->roots().exact[v], variables_[v]});
    }
    std::vector<Ref> edges(6000);
    while (!work.empty() && result_.wrong.empty()) {
      const auto [object, id] = work.front();
      work.pop_front();
      Expect((object == nullptr) == (id == 0), "NIL where there is object " + std::to_string(id));
      if (object == nullptr || !result_.wrong.empty()) continue;
      if (id < 0) {
        if (!CompareLiteral(object, literals_[static_cast<size_t>(-1 - id)])) return false;
        continue;
      }
      const auto [seen, fresh] = id_at.insert({object, id});
      const auto [placed, fresh_place] = place_of.insert({id, object});
      Expect(seen->second == id && placed->second == object,
             "object " + std::to_string(id) + " is in two places");
      if (!fresh) continue;
      const Node& node = model_.nodes.at(id);
      uint64_t header = 0, first = 0, second = 0;
      const bool survived = Survived(Catch([&] {
        header = static_cast<const volatile uint64_t*>(object)[-1];
        first = WordOf(object, 0);
        second = WordOf(object, 1);
        const size_t words = WordOfEdge(node.type, 0);
        if (ObjectHeader{header}.type() != node.type) return;
        if (node.type != &kHolderType && second != node.edges) return;
        for (size_t i = 0; i < node.edges; ++i) edges[i] = *SlotOf(object, words + i);
      }));
      if (!survived) return false;
      Expect(ObjectHeader{header}.type() == node.type, "the type of object " + std::to_string(id));
      Expect(first == FirstWord(id, node), "the value of object " + std::to_string(id) + " is " +
                                               std::to_string(first >> 32) + " of " +
                                               std::to_string(first & 0xffffffff) + ", not " +
                                               std::to_string(node.value));
      if (node.type != &kHolderType) Expect(second == node.edges, "the length of an object");
      if (!result_.wrong.empty()) break;
      for (size_t i = 0; i < node.edges; ++i) {
        const Id to = node.At(i);
        if ((edges[i] == nullptr) != (to == 0)) {
          Wrong("edge " + std::to_string(i) + " of object " + std::to_string(id) + " is " +
                (to == 0 ? "not NIL" : "NIL") + " where there is " + std::to_string(to));
          break;
        }
        if (to != 0) work.push_back({edges[i], to});
      }
    }
    return true;
  }

  bool CompareLiteral(Ref object, const TextLiteral& literal) {
    TextLiteral found("");
    const bool survived = Survived(Catch([&] {
      found.header = static_cast<const volatile uint64_t*>(object)[-1];
      found.length = WordOf(object);
      if (found.length > sizeof found.text) return;
      __builtin_memcpy(found.text, static_cast<const char*>(object) + 8, found.length);
    }));
    if (!survived) return false;
    Expect(found.header == literal.header && found.length == literal.length &&
               std::string(found.text) == literal.text,
           "a literal's text");
    return true;
  }

  static int NextNumber() {
    static int last = 0;
    return ++last;
  }

  const int number_ = NextNumber();
  const RandomSessionOptions options_;
  Random random_;
  RandomSessionResult result_;
  int step_ = 0;
  std::string doing_;
  Model model_;
  std::vector<Id> variables_;  // the object of each exact root
  static inline std::array<TextLiteral, 3> literals_{TextLiteral("alpha"), TextLiteral("beta"),
                                                     TextLiteral("")};
  FailPoint fail_;
  std::unique_ptr<gc::TestHeap> heap_;
  std::unique_ptr<Session> session_;
  stabilize::Database* database_ = nullptr;
  uint64_t transaction_ = 0;
  std::vector<Model::Child> children_;  // open ones, the innermost last
};

}  // namespace

RandomSessionResult RunRandomSession(const RandomSessionOptions& options) {
  return Driver(options).Run();
}

}  // namespace tenure::testing
