// Databases as the run time uses them: faults, commit, abort, and collections in between. Each test
// runs in both fault tiers, over the page server in memory and over Berkeley DB.
#include "stabilize/session/session.h"

#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "stabilize/frames/fault_tiers.h"
#include "store/faults/linked_faults.h"
#include "tests/support/test_heap.h"
#include "tests/support/tiers.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using gc::kBytesType;
using gc::kNodeType;
using gc::NodeEdge;
using gc::NodeId;
using gc::StoreReference;
using gc::TestHeap;

Session* current_session = nullptr;

// The run time's handling of a trap; an access that must raise leaves the test by siglongjmp.
sigjmp_buf raise_target;
FaultAnswer raised;
bool catching = false;

void OnTrap(int signal, siginfo_t* info, void* context) {
  const bool is_write = (static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
  const FaultAnswer answer = current_session == nullptr
                                 ? FaultAnswer{}
                                 : current_session->HandleFault(info->si_addr, is_write);
  if (answer.kind == FaultAnswer::Kind::kResolved) return;
  if (answer.kind == FaultAnswer::Kind::kFailed && catching) {
    raised = answer;
    siglongjmp(raise_target, 1);
  }
  ::signal(signal, SIG_DFL);
}

// The error that the access raises, or kNone.
template <typename Access>
FaultAnswer::Error Catch(Access&& access) {
  raised = {};
  catching = true;
  if (sigsetjmp(raise_target, 1) == 0) access();
  catching = false;
  return raised.error;
}

const abi::TypeDescriptor* const kTypes[] = {&kNodeType, &kBytesType, &gc::kPairType,
                                             &gc::kMatrixType};

class SessionTest : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind>> {
 protected:
  void SetUp() override {
    struct sigaction action = {};
    action.sa_sigaction = OnTrap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    std::string pattern =
        (std::filesystem::temp_directory_path() / "tenure-session-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    Start();
    ASSERT_TRUE(session->CreateDatabase(Path()).ok());
    Open();
  }
  void TearDown() override {
    if (heap != nullptr) heap->Verify();
    session.reset();
    current_session = nullptr;
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  std::string Path() const { return directory_ + "/store"; }
  bool durable() const { return std::get<1>(GetParam()) == PageServerKind::kBdb; }

  void Start(FailPoint fail = {}) {
    session.reset();
    if (heap == nullptr) heap = std::make_unique<TestHeap>();
    SessionOptions options;
    options.mapping.tier = std::get<0>(GetParam());
    options.mapping.reserve_bytes = size_t{1} << 30;
    options.mapping.random_base = true;
    options.store.kind = std::get<1>(GetParam());
    options.store.fail = FaultsAt(fail);
    session = std::make_unique<Session>(heap->heap(), nullptr, ProgramTypes(kTypes), options);
    current_session = session.get();
  }
  void Open() {
    Result<Database*> opened = session->OpenDatabase(Path());
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    database = *opened;
  }
  // The state as another process would find it. A store in memory belongs to its session: there the
  // database is only closed and opened.
  void Restart(FailPoint fail = {}) {
    heap->ClearRoots();
    if (durable()) {
      ASSERT_TRUE(session->Shutdown().ok());
      Start(fail);
    } else {
      ASSERT_TRUE(session->CloseDatabase(database).ok());
    }
    Open();
  }

  uint64_t Begin() { return *session->Begin(); }
  Ref Root() { return *session->GetRoot(database); }
  void SetRoot(Ref root) { ASSERT_TRUE(session->SetRoot(database, root).ok()); }
  // n0 -> n1 -> ... as the root, committed. The objects have ids 1, 2, ...
  void CommitList(size_t length) {
    heap->Build(Graph::MakeList(length));
    const uint64_t transaction = Begin();
    SetRoot(heap->Find("n0"));
    const Status status = session->Commit(transaction);
    ASSERT_TRUE(status.ok()) << status.text();
  }
  // The ids along the list from the root; in a transaction.
  std::vector<uint64_t> Ids() {
    std::vector<uint64_t> ids;
    for (Ref node = Root(); node != nullptr;
         node = gc::NodeEdgeCount(node) == 0 ? nullptr : *NodeEdge(node, 0)) {
      ids.push_back(NodeId(node));
    }
    return ids;
  }
  static std::vector<uint64_t> Upto(uint64_t n) {
    std::vector<uint64_t> ids;
    for (uint64_t i = 1; i <= n; ++i) ids.push_back(i);
    return ids;
  }

  std::unique_ptr<TestHeap> heap;
  std::unique_ptr<Session> session;
  Database* database = nullptr;

 private:
  std::string directory_;
};

TEST_P(SessionTest, CommittedListIsReadByAnotherProcess) {
  CommitList(1000);
  Restart();
  const uint64_t transaction = Begin();
  EXPECT_EQ(Ids(), Upto(1000));
  EXPECT_GT(session->statistics().read_faults, 0u);
  EXPECT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, EmptyDatabaseHasNilRoot) {
  const uint64_t transaction = Begin();
  EXPECT_EQ(Root(), nullptr);
  EXPECT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, ObjectsStayWhereTheyAreAtCommitAndGoHomeAtTheNextCollection) {
  heap->Build({{"a", {"b"}}, {"b", {}}});
  heap->AddExactRoot("a");
  const Ref a = heap->Find("a"), b = heap->Find("b");
  uint64_t transaction = Begin();
  SetRoot(a);
  ASSERT_TRUE(session->Commit(transaction).ok());
  EXPECT_EQ(heap->Find("a"), a);
  EXPECT_EQ(heap->Find("b"), b);
  EXPECT_EQ(session->statistics().objects_displaced, 2u);
  heap->CollectMinor();
  EXPECT_EQ(session->statistics().objects_displaced, 0u);
  EXPECT_EQ(session->statistics().pages_governed, 0u);
  const Ref home = heap->roots().exact[0];
  EXPECT_TRUE(database->Contains(home));
  transaction = Begin();
  EXPECT_EQ(Root(), home);
  EXPECT_EQ(Ids(), Upto(2));
  EXPECT_TRUE(session->Commit(transaction).ok());
}

// The root is too long to have small objects behind it, and `long` is not small, so the objects of
// `b` come only behind `b` itself.
TEST_P(SessionTest, SmallObjectsLieBehindTheFirstThatRefersToThem) {
  std::vector<std::string> edges(40);
  edges[0] = "a";
  edges[1] = "b";
  heap->Build({{"root", edges},
               {"a", {"a1"}},
               {"b", {"b1", "long"}},
               {"a1", {"a2", "b"}},
               {"b1", {}},
               {"a2", {}},
               {"long", std::vector<std::string>(20)}});
  heap->AddExactRoot("root");
  const uint64_t transaction = Begin();
  SetRoot(heap->Find("root"));
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMinor();
  const Ref root = heap->roots().exact[0];
  const Ref a = *NodeEdge(root, 0), b = *NodeEdge(root, 1);
  const Ref a1 = *NodeEdge(a, 0);
  const std::vector<Ref> expected = {root,           a, a1, *NodeEdge(a1, 0), b, *NodeEdge(b, 0),
                                     *NodeEdge(b, 1)};
  std::vector<Ref> by_address = expected;
  std::sort(by_address.begin(), by_address.end());
  EXPECT_EQ(by_address, expected);
  EXPECT_TRUE(database->Contains(root));
}

// A cycle, an object that two others share, and one that is reached while it waits.
TEST_P(SessionTest, SmallObjectsFollowEachOtherDepthFirst) {
  heap->Build({{"root", std::vector<std::string>(40, "a")},
               {"a", {"b", "e"}},
               {"b", {"c", "a"}},
               {"c", {"d", "e", "b"}},
               {"d", {}},
               {"e", {"d", "f"}},
               {"f", {"root"}}});
  heap->AddExactRoot("root");
  const uint64_t transaction = Begin();
  SetRoot(heap->Find("root"));
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMinor();
  const Ref root = heap->roots().exact[0];
  const Ref a = *NodeEdge(root, 0), b = *NodeEdge(a, 0), e = *NodeEdge(a, 1);
  const Ref c = *NodeEdge(b, 0), d = *NodeEdge(c, 0), f = *NodeEdge(e, 1);
  // `f` refers to a long object: `f` comes when `e` is visited.
  const std::vector<Ref> expected = {root, a, b, c, d, e, f};
  std::vector<Ref> by_address = expected;
  std::sort(by_address.begin(), by_address.end());
  EXPECT_EQ(by_address, expected);
}

// If an object does not fit on a page, smaller objects use the page's end.
TEST_P(SessionTest, SmallerObjectsFillThePageBeforeTheLast) {
  const std::vector<std::string> long_edges(615), short_edges(380);
  heap->Build({{"root", {"l1", "l2", "s1", "s2"}},
               {"l1", long_edges},
               {"l2", long_edges},
               {"s1", short_edges},
               {"s2", short_edges}});
  heap->AddExactRoot("root");
  uint64_t transaction = Begin();
  SetRoot(heap->Find("root"));
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMajor();
  const Ref root = heap->roots().exact[0];
  const auto page = [&](Ref object) { return database->HomeAt(object).page().number; };
  EXPECT_EQ(page(*NodeEdge(root, 0)), page(root));
  EXPECT_EQ(page(*NodeEdge(root, 1)), page(root) + 1);
  EXPECT_EQ(page(*NodeEdge(root, 2)), page(root));
  EXPECT_EQ(page(*NodeEdge(root, 3)), page(root) + 1);

  // Both stay open.
  transaction = Begin();
  heap->Build({{"small", {}}});
  StoreReference(NodeEdge(Root(), 0), heap->Find("small"));
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMinor();
  EXPECT_EQ(page(*NodeEdge(root, 0)), page(root));
  Restart();
  transaction = Begin();
  const Ref again = Root();
  EXPECT_EQ(gc::NodeEdgeCount(*NodeEdge(again, 0)), 0u);
  EXPECT_EQ(gc::NodeEdgeCount(*NodeEdge(again, 1)), long_edges.size());
  EXPECT_EQ(gc::NodeEdgeCount(*NodeEdge(again, 3)), short_edges.size());
  EXPECT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, PinnedObjectStaysDisplacedAndIsStillTheOneThatIsCommitted) {
  heap->Build({{"a", {""}}});
  heap->AddAmbiguousRoot("a");
  const Ref a = heap->Find("a");
  uint64_t transaction = Begin();
  SetRoot(a);
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMinor();
  heap->CollectMajor();
  EXPECT_EQ(session->statistics().objects_displaced, 1u);
  transaction = Begin();
  EXPECT_EQ(Root(), a);
  NodeId(a) = 77;
  ASSERT_TRUE(session->Commit(transaction).ok());
  Restart();
  transaction = Begin();
  EXPECT_EQ(Ids(), std::vector<uint64_t>{77});
  EXPECT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, AbortRestoresFramesAndDisplacedObjectsAndOnlyThese) {
  CommitList(3);
  heap->AddExactRoot("n0");
  heap->Build({{"transient", {}}});
  heap->AddExactRoot("transient");
  const Ref mate = heap->Find("transient");
  uint64_t transaction = Begin();
  NodeId(Root()) = 50;  // displaced
  NodeId(mate) = 60;    // transient, perhaps on the same page
  ASSERT_TRUE(session->Abort(transaction).ok());
  EXPECT_EQ(NodeId(mate), 60u);
  transaction = Begin();
  EXPECT_EQ(Ids(), Upto(3));
  ASSERT_TRUE(session->Commit(transaction).ok());

  heap->CollectMajor();  // all home
  transaction = Begin();
  NodeId(Root()) = 51;
  heap->CollectMajor();
  ASSERT_TRUE(session->Abort(transaction).ok());
  transaction = Begin();
  EXPECT_EQ(Ids(), Upto(3));
  ASSERT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, CollectionsBetweenWritesAndAbortKeepTheImageBefore) {
  CommitList(2);
  heap->CollectMajor();
  Restart();
  uint64_t transaction = Begin();
  // The frame's object refers to a fresh transient one; the twin to the second node.
  heap->Build({{"fresh", {}}});
  StoreReference(NodeEdge(Root(), 0), heap->Find("fresh"));
  heap->CollectMinor();
  heap->CollectMajor();
  EXPECT_TRUE(heap->IsLive("fresh"));
  ASSERT_TRUE(session->Abort(transaction).ok());
  transaction = Begin();
  EXPECT_EQ(Ids(), Upto(2));
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMajor();
  heap->CollectMajor();
  EXPECT_FALSE(heap->IsLive("fresh"));
}

TEST_P(SessionTest, CheckpointIsWhatALaterAbortReturnsTo) {
  CommitList(1);
  uint64_t transaction = Begin();
  NodeId(Root()) = 10;
  ASSERT_TRUE(session->Checkpoint(transaction).ok());
  NodeId(Root()) = 20;
  ASSERT_TRUE(session->Abort(transaction).ok());
  Restart();
  transaction = Begin();
  EXPECT_EQ(Ids(), std::vector<uint64_t>{10});
  ASSERT_TRUE(session->Chain(transaction).ok());
  NodeId(Root()) = 30;
  ASSERT_TRUE(session->Commit(transaction).ok());
  transaction = Begin();
  EXPECT_EQ(Ids(), std::vector<uint64_t>{30});
  ASSERT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, CommitWritesWhatChanged) {
  CommitList(2000);
  Restart();
  uint64_t transaction = Begin();
  EXPECT_EQ(Ids().size(), 2000u);
  const uint64_t before = session->statistics().bytes_written;
  NodeId(Root()) = 9;
  ASSERT_TRUE(session->Commit(transaction).ok());
  EXPECT_LT(session->statistics().bytes_written - before, 200u);
  EXPECT_GT(session->statistics().bytes_written, before);
}

TEST_P(SessionTest, LargeObjectComesBack) {
  const Ref large = heap->MakeNode("large", 5000);
  heap->Build({{"leaf", {}}});
  heap->SetEdge("large", 0, "leaf");
  heap->SetEdge("large", 4999, "leaf");
  uint64_t transaction = Begin();
  SetRoot(large);
  ASSERT_TRUE(session->Commit(transaction).ok());
  Restart();
  transaction = Begin();
  const Ref again = Root();
  EXPECT_EQ(gc::NodeEdgeCount(again), 5000u);
  EXPECT_EQ(*NodeEdge(again, 0), *NodeEdge(again, 4999));
  ASSERT_NE(*NodeEdge(again, 4999), nullptr);
  EXPECT_EQ(NodeId(*NodeEdge(again, 4999)), 2u);
  EXPECT_EQ(*NodeEdge(again, 2500), nullptr);
  StoreReference(NodeEdge(again, 2500), again);
  ASSERT_TRUE(session->Commit(transaction).ok());
  Restart();
  transaction = Begin();
  EXPECT_EQ(*NodeEdge(Root(), 2500), Root());
  EXPECT_EQ(NodeId(*NodeEdge(Root(), 4999)), 2u);
  ASSERT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, DisplacedLargeObjectIsWrittenAndRestored) {
  const Ref large = heap->MakeNode("large", 3000);
  heap->AddExactRoot("large");
  uint64_t transaction = Begin();
  SetRoot(large);
  ASSERT_TRUE(session->Commit(transaction).ok());
  transaction = Begin();
  StoreReference(NodeEdge(Root(), 2999), Root());
  ASSERT_TRUE(session->Abort(transaction).ok());
  transaction = Begin();
  EXPECT_EQ(*NodeEdge(Root(), 2999), nullptr);
  StoreReference(NodeEdge(Root(), 2000), Root());
  ASSERT_TRUE(session->Commit(transaction).ok());
  heap->CollectMajor();
  Restart();
  transaction = Begin();
  EXPECT_EQ(*NodeEdge(Root(), 2000), Root());
  EXPECT_EQ(*NodeEdge(Root(), 2999), nullptr);
  ASSERT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, UseOutsideATransactionRaises) {
  CommitList(1);
  const Ref displaced = [&] {
    const uint64_t transaction = Begin();
    const Ref root = Root();
    EXPECT_TRUE(session->Commit(transaction).ok());
    return root;
  }();
  EXPECT_EQ(NodeId(displaced), 1u);  // Reading the committed state is allowed.
  EXPECT_EQ(Catch([&] { NodeId(displaced) = 5; }), FaultAnswer::Error::kTransactionNotInProgress);
  Restart();
  uint64_t transaction = Begin();
  const Ref root = Root();
  ASSERT_TRUE(session->Commit(transaction).ok());
  EXPECT_EQ(Catch([&] {
              volatile uint64_t id = NodeId(root);
              (void)id;
            }),
            FaultAnswer::Error::kTransactionNotInProgress);
  transaction = Begin();
  EXPECT_EQ(NodeId(root), 1u);
  ASSERT_TRUE(session->Commit(transaction).ok());
  EXPECT_EQ(Catch([&] { NodeId(root) = 5; }), FaultAnswer::Error::kTransactionNotInProgress);
  EXPECT_EQ(NodeId(root), 1u);
}

TEST_P(SessionTest, TransientNeighboursOfDisplacedObjectsAreWrittenFreely) {
  heap->Build({{"a", {}}, {"mate", {}}});
  heap->AddExactRoot("a");
  heap->AddExactRoot("mate");
  const Ref mate = heap->Find("mate");
  uint64_t transaction = Begin();
  SetRoot(heap->Find("a"));
  ASSERT_TRUE(session->Commit(transaction).ok());
  NodeId(mate) = 500;
  heap->CollectMinor();
  NodeId(heap->roots().exact[1]) = 501;
  transaction = Begin();
  EXPECT_EQ(Ids(), Upto(1));
  NodeId(heap->roots().exact[1]) = 502;
  ASSERT_TRUE(session->Abort(transaction).ok());
  EXPECT_EQ(NodeId(heap->roots().exact[1]), 502u);
}

TEST_P(SessionTest, ClosedDatabaseIsAnError) {
  CommitList(1);
  heap->CollectMajor();
  uint64_t transaction = Begin();
  const Ref root = Root();
  ASSERT_TRUE(session->Commit(transaction).ok());
  ASSERT_TRUE(session->CloseDatabase(database).ok());
  EXPECT_EQ(session->CloseDatabase(database).code(), StatusCode::kClosed);
  EXPECT_EQ(session->GetRoot(database).status().code(), StatusCode::kClosed);
  if (database->Contains(root)) {
    EXPECT_EQ(Catch([&] {
                volatile uint64_t id = NodeId(root);
                (void)id;
              }),
              FaultAnswer::Error::kFailure);
  }
}

TEST_P(SessionTest, GrowsByManyCommits) {
  for (int round = 0; round < 50; ++round) {
    const uint64_t transaction = Begin();
    const Ref old = Root();
    const std::string name = "r" + std::to_string(round);
    const Ref node = heap->MakeNode(name, 1);
    // A list that grows at its head; the old head may be displaced or at home.
    StoreReference(NodeEdge(node, 0), old);
    SetRoot(node);
    ASSERT_TRUE(session->Commit(transaction).ok());
    if (round % 7 == 3) heap->CollectMinor();
    if (round % 11 == 5) heap->CollectMajor();
    if (round % 13 == 6) Restart();
  }
  Restart();
  const uint64_t transaction = Begin();
  EXPECT_EQ(Ids().size(), 50u);
  ASSERT_TRUE(session->Commit(transaction).ok());
}

TEST_P(SessionTest, FailedCommitLeavesMemoryAsItWas) {
  CommitList(5);
  for (const char* point : {"commit-conflict:1", "commit-nospace:1"}) {
    Result<FailPoint> fail = ParseFailPoint(point);
    if (!fail.ok()) continue;
    if (!durable()) continue;
    Restart(*fail);
    uint64_t transaction = Begin();
    heap->Build({{std::string("new") + point, {}}});
    const Ref fresh = heap->Find(std::string("new") + point);
    NodeId(Root()) = 99;
    StoreReference(NodeEdge(Root(), 0), fresh);
    EXPECT_FALSE(session->Commit(transaction).ok());
    EXPECT_FALSE(abi::ObjectHeader::Of(fresh)->displaced());
    EXPECT_EQ(session->statistics().pages_governed, 0u);
    transaction = Begin();
    EXPECT_EQ(Ids(), Upto(5));
    NodeId(Root()) = 1;
    EXPECT_TRUE(session->Commit(transaction).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, SessionTest, testing::AllTiers(), testing::NameOf);

}  // namespace
}  // namespace tenure::stabilize
