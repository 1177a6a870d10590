// The disk collector frees exactly the unreachable objects, and the database is intact at whatever
// point it is interrupted.

#include "dbtool/collect/collect.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/format/page_codec.h"
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

// Pages and problems.
store::VerifyReport Verified(store::PageServer& server) {
  const DatabaseId database = *server.OpenDatabase("main", OpenMode::kOpen);
  store::VerifyReport report = *store::VerifyDatabase(server, database);
  EXPECT_TRUE(server.CloseDatabase(database).ok());
  EXPECT_TRUE(report.ok()) << report.problems.front();
  return report;
}

void MakeStore(const std::string& path, const std::vector<testing::GraphNode>& nodes,
               const std::vector<size_t>& exported) {
  const auto server = OpenForCrash(path, OpenMode::kCreate);
  ASSERT_NE(server, nullptr);
  const Status status = StoreGraph(*server, nodes, exported);
  ASSERT_TRUE(status.ok()) << status.text();
  ASSERT_EQ(Traverse(*server, "main"), Traverse(nodes, exported));
  ASSERT_TRUE(server->Close().ok());
}

class CollectBy : public ::testing::TestWithParam<uint64_t> {};

TEST_P(CollectBy, FreesWhatCannotBeReached) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    auto nodes = RandomGraph(seed, 3000);
    // Without its exports no odd node can be reached.
    TemporaryDirectory directory;
    const std::vector<size_t> exported = {4};
    MakeStore(directory.path(), nodes, exported);
    OpenedStore store = OpenGraph(directory.path());
    const auto before = Verified(*store.server);
    const Result<CollectTotals> totals = Collect(store, "main", {GetParam()});
    ASSERT_TRUE(totals.ok()) << totals.status().text();
    const auto after = Verified(*store.server);
    EXPECT_EQ(totals->objects, 3000u);
    EXPECT_EQ(totals->freed_objects, 1500u);
    EXPECT_EQ(after.objects, 1500u);
    EXPECT_EQ(after.large_objects, 1u);
    EXPECT_EQ(totals->freed_pages, before.pages - after.pages);
    EXPECT_GE(totals->freed_pages, 2 * 3u);  // the pages of two large objects
    EXPECT_EQ(Traverse(*store.server, "main"), Traverse(nodes, exported));
    // A second collection finds nothing.
    const Result<CollectTotals> again = Collect(store, "main", {GetParam()});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->freed_objects + again->freed_pages, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(PagesAtOnce, CollectBy, ::testing::Values(1, 3, 2048));

TEST(Collect, LargeObjectWithoutReferencesIsNotReadAgain) {
  constexpr uint32_t kPages = 64;
  TemporaryDirectory directory;
  const auto made = OpenForCrash(directory.path(), OpenMode::kCreate);
  const DatabaseId database = *made->OpenDatabase("main", OpenMode::kCreate);
  const std::string numbers = "fingerprint 05\nname Numbers\npayload 0\nopen 1 8\nend\n";
  const uint32_t type = *made->AddType(std::as_bytes(std::span(numbers)));
  const store::PageId first = made->AllocatePages(database, kPages)->first;
  std::vector<testing::PageImage> images(kPages);
  const uint64_t start[] = {uint64_t{type} << store::kStoredTypeShift,
                            kPages * abi::kPageBytes / 8 - 2};
  std::memcpy(images[0].bytes, start, sizeof start);
  testing::CommitBuilder builder(*made, database);
  for (uint32_t i = 0; i < kPages; ++i) builder.Whole(first + i, 0, images[i], {type, i, kPages});
  builder.Root(store::PersistentRef::Object(first, abi::kHeaderBytes));
  ASSERT_EQ(builder.Commit().outcome, store::CommitOutcome::kCommitted);
  ASSERT_TRUE(made->Close().ok());

  OpenedStore store = OpenGraph(directory.path());
  const Result<CollectTotals> totals = Collect(store, "main", {});
  ASSERT_TRUE(totals.ok()) << totals.status().text();
  EXPECT_EQ(totals->objects, 1u);
  EXPECT_EQ(totals->freed_objects + totals->freed_pages, 0u);
  // Verification reads the whole database.
  EXPECT_LT(store.server->statistics().pages_read, 2 * kPages);
}

TEST(Collect, PagesAreUsedAgain) {
  TemporaryDirectory directory;
  MakeStore(directory.path(), RandomGraph(1, 3000), {});
  OpenedStore store = OpenGraph(directory.path());
  const Result<CollectTotals> totals = Collect(store, "main", {});
  ASSERT_TRUE(totals.ok());
  ASSERT_GT(totals->freed_pages, 3u);
  ASSERT_TRUE(store.server->Close().ok());

  const auto server = OpenForCrash(directory.path(), OpenMode::kOpen);
  const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
  const store::PageId last = *server->MaxPage(database);
  const auto runs = *server->AllocateRemoved(database, 1000);
  uint64_t pages = 0;
  for (const auto& run : runs) pages += run.pages;
  EXPECT_EQ(pages, totals->freed_pages);
  EXPECT_TRUE(server->AllocateRemoved(database, 1000)->empty());
  const testing::PageImage image = testing::MakePage(1);
  EXPECT_EQ(
      testing::CommitBuilder(*server, database).Whole(runs[0].first, 0, image).Commit().outcome,
      store::CommitOutcome::kCommitted);
  ASSERT_TRUE(server->Close().ok());

  // The page that was used meanwhile is not allocated again; the others are.
  const auto reopened = OpenForCrash(directory.path(), OpenMode::kOpen);
  const DatabaseId again = *reopened->OpenDatabase("main", OpenMode::kOpen);
  EXPECT_EQ(*reopened->MaxPage(again), last);
  EXPECT_TRUE(testing::Holds(*testing::ReadPage(*reopened, again, runs[0].first), image));
  pages = 0;
  const auto left = *reopened->AllocateRemoved(again, 1000);
  for (const auto& run : left) {
    EXPECT_GT(run.first, runs[0].first);
    pages += run.pages;
  }
  EXPECT_EQ(pages, totals->freed_pages - 1);
}

class CollectCrash : public ::testing::TestWithParam<IoFault> {};

TEST_P(CollectCrash, AtEveryOperation) {
  TemporaryDirectory before, directory;
  const auto nodes = RandomGraph(7, 600);
  MakeStore(before.path(), nodes, {4});
  const std::string wanted = Traverse(nodes, {4});
  uint64_t crashes = 0, partly = 0;
  for (uint64_t at = 1;; at += testing::kFaultStep) {
    SCOPED_TRACE("operation " + std::to_string(at));
    directory.CopyFrom(before.path());
    const auto run = RunWithFault(GetParam(), at, [&](Acknowledgements&) {
      OpenedStore store = OpenGraph(directory.path());
      if (!Collect(store, "main", {2}).ok()) return 1;
      return store.server->Close().ok() ? 0 : 2;
    });
    OpenedStore store = OpenGraph(directory.path());
    const auto report = Verified(*store.server);
    partly += report.objects < 600 && report.objects > 300;
    ASSERT_EQ(Traverse(*store.server, "main"), wanted);
    // The next collection does the rest.
    ASSERT_TRUE(Collect(store, "main", {2}).ok());
    ASSERT_EQ(Verified(*store.server).objects, 300u);
    ASSERT_EQ(Traverse(*store.server, "main"), wanted);
    ASSERT_FALSE(HasFailure());
    if (!run.crashed) {
      ASSERT_EQ(run.status, 0);
      break;
    }
    crashes += testing::kFaultStep;
  }
  EXPECT_GT(crashes, 10u);
  if (testing::kFaultStep == 1) {
    EXPECT_GT(partly, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, CollectCrash,
                         ::testing::Values(IoFault::kCrash, IoFault::kCrashUnsynced),
                         [](const auto& info) {
                           return info.param == IoFault::kCrash ? "Crash" : "UnsyncedWritesLost";
                         });

}  // namespace
}  // namespace tenure::dbtool
