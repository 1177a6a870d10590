// Rewriting of databases: the result is an equal graph in the order of traversal; an interrupted
// rewriting leaves the old or the new database.

#include "dbtool/collect/compact.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "dbtool/stored/object_reader.h"
#include "store/open.h"
#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/stored_graph.h"

namespace tenure::dbtool {
namespace {

using store::DatabaseId;
using store::IoFault;
using store::OpenMode;
using testing::Acknowledgements;
using testing::OpenForCrash;
using testing::RandomGraph;
using testing::RunWithFault;
using testing::StoreGraph;
using testing::TemporaryDirectory;
using testing::Traverse;

OpenedStore OpenGraph(const std::string& path) {
  OpenedStore store;
  store.server = OpenForCrash(path, OpenMode::kOpen);
  store.types = *StoredTypes::Read(*store.server);
  return store;
}

uint64_t ObjectsIn(store::PageServer& server) {
  const DatabaseId database = *server.OpenDatabase("main", OpenMode::kOpen);
  const store::VerifyReport report = *store::VerifyDatabase(server, database);
  EXPECT_TRUE(server.CloseDatabase(database).ok());
  EXPECT_TRUE(report.ok()) << report.problems.front();
  return report.objects;
}

void MakeStore(const std::string& path, const std::vector<testing::GraphNode>& nodes,
               const std::vector<size_t>& exported = {4, 12}) {
  const auto server = OpenForCrash(path, OpenMode::kCreate);
  ASSERT_NE(server, nullptr);
  ASSERT_TRUE(StoreGraph(*server, nodes, exported).ok());
  ASSERT_TRUE(server->Close().ok());
}

TEST(Compact, EqualGraphInOrderOfTraversal) {
  for (const uint64_t at_once : {1, 7, 2048}) {
    SCOPED_TRACE(at_once);
    const auto nodes = RandomGraph(at_once, 3000);
    TemporaryDirectory directory;
    MakeStore(directory.path(), nodes);
    OpenedStore store = OpenGraph(directory.path());
    DatabaseId id = *store.server->OpenDatabase("main", OpenMode::kOpen);
    const store::Uuid uuid = *store.server->DatabaseUuid(id);
    ASSERT_TRUE(store.server->CloseDatabase(id).ok());
    const Result<RewriteTotals> totals = Rewrite(store, {"main"}, RewriteOptions{at_once});
    ASSERT_TRUE(totals.ok()) << totals.status().text();
    EXPECT_EQ(totals->objects, 1500u);
    EXPECT_LT(totals->pages, totals->pages_before);

    OpenedStore after = OpenGraph(directory.path());
    EXPECT_EQ(ObjectsIn(*after.server), 1500u);
    EXPECT_EQ(Traverse(*after.server, "main"), Traverse(nodes, {4, 12}));
    id = *after.server->OpenDatabase("main", OpenMode::kOpen);
    EXPECT_EQ(*after.server->DatabaseUuid(id), uuid);
    EXPECT_EQ(after.server->ListDatabases()->size(), 1u);
    // The first child of the root follows it.
    EXPECT_EQ(*after.server->Root(id), store::PersistentRef::Object(store::PageId{1}, 8));
    // Commits go on.
    const auto run = *after.server->AllocatePages(id, 1);
    const testing::PageImage image = testing::MakePage(1);
    EXPECT_EQ(testing::CommitBuilder(*after.server, id).Whole(run.first, 0, image).Commit().outcome,
              store::CommitOutcome::kCommitted);
    ASSERT_TRUE(after.server->Close().ok());
    const auto again = OpenForCrash(directory.path(), OpenMode::kOpen);
    id = *again->OpenDatabase("main", OpenMode::kOpen);
    EXPECT_TRUE(testing::Holds(*testing::ReadPage(*again, id, run.first), image));
  }
}

// The objects lie as a commit places them. Node 6 refers to a large object, and waits until node 2
// is visited.
TEST(Compact, SmallObjectsComeDepthFirst) {
  const size_t kLarge = 7;
  std::vector<testing::GraphNode> nodes(8);
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i].number = i;
  nodes[kLarge].large = true;
  nodes[0].to = {1, 2};
  nodes[1].to = {4, 3};
  nodes[4].to = {5, 0};
  nodes[2].to = {6, 3};
  nodes[6].to = {kLarge, 5};
  TemporaryDirectory directory;
  MakeStore(directory.path(), nodes, {});
  OpenedStore store = OpenGraph(directory.path());
  ASSERT_TRUE(Rewrite(store, {"main"}, {}).ok());

  OpenedStore after = OpenGraph(directory.path());
  const DatabaseId id = *after.server->OpenDatabase("main", OpenMode::kOpen);
  ObjectReader reader(*after.server, id, after.types);
  std::vector<uint64_t> numbers(7);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Result<StoredObject> object =
        reader.Read(store::PersistentRef::Object(store::PageId{1}, 8 + 32 * i));
    ASSERT_TRUE(object.ok()) << object.status().text();
    std::memcpy(&numbers[i], object->payload.data(), sizeof numbers[i]);
  }
  EXPECT_EQ(numbers, (std::vector<uint64_t>{0, 1, 4, 5, 3, 2, 6}));
}

TEST(Compact, DamagedDatabaseStaysAsItIs) {
  const auto nodes = RandomGraph(3, 200);
  TemporaryDirectory directory;
  MakeStore(directory.path(), nodes);
  OpenedStore store = OpenGraph(directory.path());
  const DatabaseId id = *store.server->OpenDatabase("main", OpenMode::kOpen);
  const auto page = testing::ReadPage(*store.server, id, store::PageId{1});
  testing::PageImage image = testing::MakePage(1);  // no objects
  ASSERT_EQ(testing::CommitBuilder(*store.server, id)
                .Whole(store::PageId{1}, page->record.version, image)
                .Commit()
                .outcome,
            store::CommitOutcome::kCommitted);
  ASSERT_TRUE(store.server->CloseDatabase(id).ok());
  EXPECT_EQ(Rewrite(store, {"main"}, {}).status().code(), StatusCode::kCorrupt);
  OpenedStore after = OpenGraph(directory.path());
  const DatabaseId again = *after.server->OpenDatabase("main", OpenMode::kOpen);
  EXPECT_TRUE(testing::Holds(*testing::ReadPage(*after.server, again, store::PageId{1}), image));
}

class CompactCrash : public ::testing::TestWithParam<IoFault> {};

TEST_P(CompactCrash, AtEveryOperation) {
  TemporaryDirectory before, directory;
  const auto nodes = RandomGraph(7, 400);
  MakeStore(before.path(), nodes);
  const std::string wanted = Traverse(nodes, {4, 12});
  uint64_t crashes = 0, old = 0;
  for (uint64_t at = 1;; at += testing::kFaultStep) {
    SCOPED_TRACE("operation " + std::to_string(at));
    directory.CopyFrom(before.path());
    const auto run = RunWithFault(GetParam(), at, [&](Acknowledgements& a) {
      OpenedStore store = OpenGraph(directory.path());
      if (!Rewrite(store, {"main"}, RewriteOptions{3}).ok()) return 1;
      a.Report(1);
      return 0;
    });
    OpenedStore store = OpenGraph(directory.path());
    const uint64_t objects = ObjectsIn(*store.server);
    ASSERT_TRUE(objects == 200 || (objects == 400 && run.reported.empty())) << objects;
    if (objects == 400) old += testing::kFaultStep;
    ASSERT_EQ(Traverse(*store.server, "main"), wanted);
    struct stat info;
    ASSERT_NE(stat((directory.path() + "/main.db.new").c_str(), &info), 0);
    ASSERT_NE(stat((directory.path() + "/SWITCH").c_str(), &info), 0);
    // No page is left that a checkpoint would write to the removed file.
    ASSERT_TRUE(store.server->Close().ok());
    OpenedStore again = OpenGraph(directory.path());
    ASSERT_TRUE(Rewrite(again, {"main"}, {}).ok());
    if (!run.crashed) {
      ASSERT_EQ(run.status, 0);
      break;
    }
    crashes += testing::kFaultStep;
  }
  EXPECT_GT(old, 10u);
  if (testing::kFaultStep == 1) {
    EXPECT_GT(crashes, old);  // some in the middle of the switch
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, CompactCrash,
                         ::testing::Values(IoFault::kCrash, IoFault::kCrashUnsynced),
                         [](const auto& info) {
                           return info.param == IoFault::kCrash ? "Crash" : "UnsyncedWritesLost";
                         });

}  // namespace
}  // namespace tenure::dbtool
