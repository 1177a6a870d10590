// The contract of store/server/page_server.h, tested with every implementation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <thread>

#include "store/cluster/cluster_page_server.h"
#include "store/faults/simulated_engine.h"
#include "store/open.h"
#include "store/postgres/postgres_engine.h"
#include "store/server/memory_page_server.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/postgres_node.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::CommitWanted;
using ::testing::ElementsAre;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

// kCluster: over a simulated engine.
enum class Kind { kBdb, kMemory, kServed, kCluster, kPostgres };

class PageServerContract : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::kServed) served.emplace(directory.path());
    server = Open(served ? OpenMode::kOpen : OpenMode::kCreate);
    ASSERT_NE(server, nullptr);
    db = *server->OpenDatabase("main", OpenMode::kCreate);
  }
  void TearDown() override {
    server.reset();
    MemoryPageServer::Forget(directory.path());
  }

  static inline int stores_made = 0;

  bool in_cluster() const { return GetParam() == Kind::kCluster || GetParam() == Kind::kPostgres; }
  std::unique_ptr<Engine> NewEngine() const {
    if (GetParam() == Kind::kCluster) return SimulatedCluster::Connect(cluster);
    static testing::PostgresNode node;
    const PostgresOptions options{.connection = node.connection(), .quorum = false};
    EXPECT_TRUE(PostgresEngine::MakeTables(options).ok());
    return std::make_unique<PostgresEngine>(options);
  }

  std::unique_ptr<PageServer> Open(OpenMode mode) {
    if (in_cluster()) {
      auto opened = ClusterPageServer::Open(NewEngine(), store_name, mode, {});
      EXPECT_TRUE(opened.ok()) << opened.status().text();
      return opened.ok() ? *std::move(opened) : nullptr;
    }
    StoreOptions options;
    options.kind = GetParam() == Kind::kMemory ? PageServerKind::kMemory : PageServerKind::kBdb;
    options.mode = mode;
    Result<std::unique_ptr<PageServer>> opened = OpenStore(directory.path(), options);
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  void Reopen() {
    ASSERT_TRUE(server->Close().ok());
    server = Open(OpenMode::kOpen);
    ASSERT_NE(server, nullptr);
    const Result<DatabaseId> opened = server->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    db = *opened;
  }
  PageId Allocate(uint64_t count = 1) { return server->AllocatePages(db, count)->first; }
  StatusCode ReadCode(PageId page) { return ReadPage(*server, db, page)->status.code(); }
  static std::span<const std::byte> Bytes(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
  }

  TemporaryDirectory directory;
  std::optional<testing::ServedStore> served;
  const std::shared_ptr<SimulatedCluster> cluster = std::make_shared<SimulatedCluster>(1);
  const std::string store_name = "store" + std::to_string(++stores_made);
  std::unique_ptr<PageServer> server;
  DatabaseId db;
};

TEST_P(PageServerContract, ANewDatabaseIsEmpty) {
  EXPECT_TRUE(server->Root(db)->nil());
  EXPECT_FALSE(server->MaxPage(db)->valid());
  const DatabaseInfo info = *server->Info(db);
  EXPECT_EQ(info.name, "main");
  EXPECT_EQ(info.pages, 0u);
  EXPECT_NE(info.uuid, Uuid{});
  EXPECT_EQ(ReadCode(PageId{1}), StatusCode::kNotFound);
  EXPECT_EQ(ReadCode(PageId{0}), StatusCode::kNotFound);
}

TEST_P(PageServerContract, WhatIsCommittedIsReadAlsoAfterReopening) {
  const PageImage one = MakePage(1), two = MakePage(2);
  const PageId page = Allocate(2);
  EXPECT_EQ(page, PageId{1});
  const PersistentRef root = PersistentRef::Object(page, 8);
  const CommitAnswer answer =
      CommitBuilder(*server, db).Whole(page, 0, one).Whole(page + 1, 0, two).Root(root).Commit();
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
    EXPECT_TRUE(Holds(*ReadPage(*server, db, page + 1), two));
    EXPECT_EQ(ReadPage(*server, db, page)->record.version, answer.version);
    EXPECT_EQ(*server->Root(db), root);
    EXPECT_EQ(server->MaxPage(db)->number, 2u);
    EXPECT_EQ(server->Info(db)->pages, 2u);
    Reopen();
  }
}

TEST_P(PageServerContract, RegionsChangeOnlyTheirBytes) {
  PageImage image = MakePage(1);
  const PageId page = Allocate();
  uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const auto offset = static_cast<uint32_t>(random.Below(abi::kPageBytes));
    const size_t count = 1 + random.Below(abi::kPageBytes - offset);
    const PageImage other = MakePage(100 + i);
    std::memcpy(image.bytes + offset, other.bytes + offset, count);
    const CommitAnswer answer =
        CommitBuilder(*server, db).Region(page, version, image, offset, count).Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    EXPECT_GT(answer.version, version);
    version = answer.version;
    ASSERT_TRUE(Holds(*ReadPage(*server, db, page), image)) << "offset " << offset;
  }
  Reopen();
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
}

TEST_P(PageServerContract, SeveralRegionsOfOnePageAreOneCommit) {
  PageImage image = MakePage(1);
  const PageId page = Allocate();
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  image.bytes[0] ^= std::byte{1};
  image.bytes[4000] ^= std::byte{1};
  image.bytes[abi::kPageBytes - 1] ^= std::byte{1};
  const std::span bytes(image.bytes);
  const ChangedRegion regions[] = {
      {0, bytes.subspan(0, 1)}, {4000, bytes.subspan(4000, 1)}, {8191, bytes.subspan(8191, 1)}};
  const PageWrite write{.page = page,
                        .expected_version = version,
                        .checksum = PageChecksum(page, {}, image.bytes),
                        .regions = regions};
  const DatabaseCommit commit{db, std::span(&write, 1), std::nullopt};
  ASSERT_EQ(CommitWanted(*server, std::span(&commit, 1)).outcome, CommitOutcome::kCommitted);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
}

// The log gets the regions, the server keeps the page.
TEST_P(PageServerContract, APageMayComeWithItsRegions) {
  PageImage image = MakePage(1);
  const PageId page = Allocate();
  uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  const auto commit_with = [&](const PageImage& whole, const PageImage& changed) {
    const ChangedRegion region{400, std::span(changed.bytes).subspan(400, 8)};
    const PageWrite write{.page = page,
                          .expected_version = version,
                          .checksum = PageChecksum(page, {}, whole.bytes),
                          .contents = whole.bytes,
                          .regions = std::span(&region, 1)};
    const DatabaseCommit commit{db, std::span(&write, 1), std::nullopt};
    return CommitWanted(*server, std::span(&commit, 1));
  };
  for (int i = 1; i < 4; ++i) {
    image.bytes[400] ^= std::byte{1};
    image.bytes[407] = static_cast<std::byte>(i);
    const CommitAnswer answer = commit_with(image, image);
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    version = answer.version;
    ASSERT_TRUE(Holds(*ReadPage(*server, db, page), image));
  }
  PageImage other = image;
  other.bytes[401] ^= std::byte{1};
  const CommitAnswer answer = commit_with(image, other);
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(answer.status.code(), StatusCode::kInvalidArgument);
  Reopen();
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
}

TEST_P(PageServerContract, AConflictChangesNothing) {
  const PageImage one = MakePage(1), two = MakePage(2);
  const PageId page = Allocate(3);
  const uint64_t version =
      CommitBuilder(*server, db).Whole(page, 0, one).Whole(page + 1, 0, one).Commit().version;

  const CommitId id = NewCommitId();
  const CommitAnswer stale = CommitBuilder(*server, db)
                                 .Whole(page, version, two)
                                 .Whole(page + 1, version + 1, two)
                                 .Whole(page + 2, 0, two)
                                 .Root(PersistentRef::Object(page, 8))
                                 .Commit(id);
  EXPECT_EQ(stale.outcome, CommitOutcome::kConflict);
  EXPECT_EQ(stale.status.code(), StatusCode::kConflict);
  EXPECT_EQ(stale.status.number(), 2);
  EXPECT_EQ(*server->Outcome({id}), std::nullopt);
  EXPECT_EQ(CommitBuilder(*server, db).Whole(page, 0, two).Commit().outcome,
            CommitOutcome::kConflict);  // it exists
  EXPECT_EQ(CommitBuilder(*server, db).Region(page + 2, 1, two, 0, 8).Commit().outcome,
            CommitOutcome::kConflict);  // it does not
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page + 1), one));
  EXPECT_EQ(ReadCode(page + 2), StatusCode::kNotFound);
  EXPECT_TRUE(server->Root(db)->nil());
}

TEST_P(PageServerContract, ACommitOverTwoDatabasesIsOne) {
  const DatabaseId other = *server->OpenDatabase("other", OpenMode::kCreate);
  const PageImage one = MakePage(1), two = MakePage(2);
  const PageId page = Allocate();
  ASSERT_EQ(server->AllocatePages(other, 1)->first, page);
  CommitBuilder a(*server, db), b(*server, other), wrong(*server, other);
  a.Whole(page, 0, one);
  wrong.Whole(page, 99, two);
  b.Whole(page, 0, two);
  const DatabaseCommit refused[] = {a.part(), wrong.part()};
  EXPECT_EQ(CommitWanted(*server, refused).outcome, CommitOutcome::kConflict);
  EXPECT_EQ(ReadCode(page), StatusCode::kNotFound);
  const DatabaseCommit good[] = {a.part(), b.part()};
  EXPECT_EQ(CommitWanted(*server, good).outcome, CommitOutcome::kCommitted);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), one));
  EXPECT_TRUE(Holds(*ReadPage(*server, other, page), two));
}

TEST_P(PageServerContract, ABatchAnswersEachPageByItself) {
  const PageId first = Allocate(20);
  CommitBuilder builder(*server, db);
  std::vector<PageImage> images;
  for (uint64_t i = 0; i < 20; ++i) images.push_back(MakePage(i));
  for (uint64_t i = 0; i < 20; ++i) {
    if (i % 7 != 3) builder.Whole(first + i, 0, images[i]);
  }
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  std::vector<PageId> wanted;
  for (uint64_t i = 0; i < 20; ++i) wanted.push_back(first + i);
  for (const uint64_t i : {19, 0, 25, 5, 5, 6}) wanted.push_back(first + i);
  std::vector<PageReply> replies(wanted.size());
  ASSERT_TRUE(server->Read(db, wanted, replies).ok());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const uint64_t index = wanted[i].number - first.number;
    if (index >= 20 || index % 7 == 3) {
      EXPECT_EQ(replies[i].status.code(), StatusCode::kNotFound) << index;
      EXPECT_EQ(replies[i].status.number(), static_cast<int64_t>(wanted[i].number));
    } else {
      EXPECT_TRUE(Holds(replies[i], images[index])) << index;
    }
  }
}

TEST_P(PageServerContract, LargeRunsAreKept) {
  const PageImage image = MakePage(1);
  const PageId first = Allocate(2);
  const LargeRun head{5, 0, 2}, tail{5, 1, 2};
  ASSERT_EQ(CommitBuilder(*server, db)
                .Whole(first, 0, image, head)
                .Whole(first + 1, 0, image, tail)
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  EXPECT_EQ(ReadPage(*server, db, first)->record.run, head);
  EXPECT_EQ(ReadPage(*server, db, first + 1)->record.run, tail);
}

TEST_P(PageServerContract, AWrongChecksumIsRefused) {
  PageImage image = MakePage(1);
  const PageId page = Allocate();
  const auto commit = [&](PageWrite write) {
    const DatabaseCommit commit{db, std::span(&write, 1), std::nullopt};
    return CommitWanted(*server, std::span(&commit, 1));
  };
  CommitAnswer answer = commit({.page = page, .checksum = 12345, .contents = image.bytes});
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(answer.status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadCode(page), StatusCode::kNotFound);

  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  // Correct for the version that the client believes the page to have, which is not the page's
  // version.
  PageImage belief = image;
  belief.bytes[100] ^= std::byte{1};
  belief.bytes[5000] ^= std::byte{1};
  const ChangedRegion region{5000, std::span(belief.bytes).subspan(5000, 1)};
  answer = commit({.page = page,
                   .expected_version = version,
                   .checksum = PageChecksum(page, {}, belief.bytes),
                   .regions = std::span(&region, 1)});
  EXPECT_EQ(answer.outcome, CommitOutcome::kFailed);
  EXPECT_EQ(answer.status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(answer.status.number(), 1);
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
}

TEST_P(PageServerContract, PagesWithoutChecksumsAreSummedWhereTheServerSaysSo) {
  if (!server->capabilities().sums_pages) GTEST_SKIP() << "it does not";
  PageImage image = MakePage(1);
  const LargeRun run{5, 0, 2};
  const PageId page = Allocate();
  const auto commit = [&](PageWrite write) {
    const DatabaseCommit commit{db, std::span(&write, 1), std::nullopt};
    return CommitWanted(*server, std::span(&commit, 1));
  };
  CommitAnswer answer = commit({.page = page, .run = run, .contents = image.bytes});
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
  EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
  for (const size_t at : {size_t{0}, size_t{5000}}) {
    image.bytes[at] ^= std::byte{1};
    const ChangedRegion region{static_cast<uint32_t>(at), std::span(image.bytes).subspan(at, 1)};
    answer = commit(
        {.page = page, .expected_version = answer.version, .regions = std::span(&region, 1)});
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    EXPECT_TRUE(Holds(*ReadPage(*server, db, page), image));
  }
  Reopen();
  const auto reply = ReadPage(*server, db, page);
  EXPECT_TRUE(Holds(*reply, image));
  EXPECT_EQ(reply->record.run, run);
}

TEST_P(PageServerContract, RequestsThatMakeNoSenseAreRefusedWhole) {
  const PageImage image = MakePage(1);
  const PageId page = Allocate();
  const auto refused = [](CommitAnswer answer) {
    return answer.outcome == CommitOutcome::kFailed &&
           answer.status.code() == StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused(CommitBuilder(*server, db).Whole(page + 1, 0, image).Commit()));
  EXPECT_TRUE(refused(CommitBuilder(*server, db).Whole(PageId{0}, 0, image).Commit()));
  EXPECT_TRUE(
      refused(CommitBuilder(*server, db).Whole(page, 0, image).Whole(page, 0, image).Commit()));
  EXPECT_TRUE(refused(CommitBuilder(*server, db).Region(page, 0, image, 0, 8).Commit()));
  EXPECT_TRUE(refused(CommitBuilder(*server, db)
                          .Whole(page, 0, image)
                          .Root(PersistentRef::Object(page + 9, 8))
                          .Commit()));
  EXPECT_TRUE(refused(CommitBuilder(*server, db).Root(PersistentRef{8192 + 4}).Commit()));
  const ChangedRegion outside{8190, std::span(image.bytes).first(4)};
  const PageWrite write{.page = page, .expected_version = 1, .regions = std::span(&outside, 1)};
  const DatabaseCommit commit{db, std::span(&write, 1), std::nullopt};
  EXPECT_TRUE(refused(CommitWanted(*server, std::span(&commit, 1))));
  EXPECT_EQ(ReadCode(page), StatusCode::kNotFound);
}

TEST_P(PageServerContract, AnEmptyCommitSucceeds) {
  EXPECT_EQ(CommitBuilder(*server, db).Commit().outcome, CommitOutcome::kCommitted);
  EXPECT_EQ(server->statistics().commits, 0u);
}

TEST_P(PageServerContract, OutcomesAreKnownAlsoAfterReopening) {
  const PageImage image = MakePage(1);
  const PageId page = Allocate();
  const CommitId id = NewCommitId();
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit(id).version;
  EXPECT_EQ(*server->Outcome({id}), version);
  EXPECT_EQ(*server->Outcome({NewCommitId()}), std::nullopt);
  Reopen();
  EXPECT_EQ(*server->Outcome({id}), version);
  EXPECT_EQ(*server->Outcome({NewCommitId()}), std::nullopt);
}

TEST_P(PageServerContract, VersionsGrowAcrossReopening) {
  const PageImage image = MakePage(1);
  const PageId page = Allocate();
  uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  for (int i = 0; i < 3; ++i) {
    Reopen();
    const uint64_t next = CommitBuilder(*server, db).Whole(page, version, image).Commit().version;
    EXPECT_GT(next, version);
    version = next;
  }
}

TEST_P(PageServerContract, AllocatedPagesAreNeverHandedOutTwice) {
  std::set<uint64_t> seen;
  Random random(3);
  std::vector<PageRun> unused;
  const PageImage image = MakePage(1);
  for (int i = 0; i < 300; ++i) {
    const PageRun run = *server->AllocatePages(db, 1 + random.Below(70));
    for (uint64_t p = 0; p < run.pages; ++p) {
      ASSERT_TRUE(seen.insert(run.first.number + p).second) << "page " << run.first.number + p;
    }
    unused.push_back(run);
    if (random.OneIn(3)) {
      const size_t which = random.Below(unused.size());
      const PageRun back = unused[which];
      unused.erase(unused.begin() + static_cast<long>(which));
      ASSERT_TRUE(server->ReturnPages(db, back).ok());
      for (uint64_t p = 0; p < back.pages; ++p) seen.erase(back.first.number + p);
    }
  }
  EXPECT_FALSE(server->ReturnPages(db, {PageId{1000000}, 1}).ok());
  EXPECT_FALSE(server->AllocatePages(db, 0).ok());
  EXPECT_EQ(server->AllocatePages(db, ~uint64_t{0}).status().code(), StatusCode::kNoSpace);
  // A later opening does not allocate a committed number again; an uncommitted one may be
  // allocated.
  const PageId last = unused.back().first;
  ASSERT_EQ(CommitBuilder(*server, db).Whole(last, 0, image).Commit().outcome,
            CommitOutcome::kCommitted);
  Reopen();
  const PageId next = Allocate();
  if (served) {
    EXPECT_NE(next, last);  // its store has not been opened again: other sessions may reconnect
  } else {
    EXPECT_GT(next, last);
  }
}

TEST_P(PageServerContract, ReturnedPagesComeAgain) {
  const PageRun run = *server->AllocatePages(db, 10);
  const PageId after = Allocate();
  ASSERT_TRUE(server->ReturnPages(db, {run.first + 4, 3}).ok());
  EXPECT_FALSE(server->ReturnPages(db, {run.first + 5, 1}).ok());  // the page exists already
  EXPECT_EQ(Allocate(3), run.first + 4);
  EXPECT_EQ(Allocate(), after + 1);
}

TEST_P(PageServerContract, DatabasesAreCreatedOpenedListedAndDeleted) {
  EXPECT_EQ(server->OpenDatabase("main", OpenMode::kCreate).status().code(), StatusCode::kExists);
  EXPECT_EQ(server->OpenDatabase("b", OpenMode::kOpen).status().code(), StatusCode::kNotFound);
  const Result<DatabaseId> b = server->OpenDatabase("b", OpenMode::kOpenOrCreate);
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(*server->OpenDatabase("b", OpenMode::kOpen), *b);
  EXPECT_NE(server->Info(*b)->uuid, server->Info(db)->uuid);
  EXPECT_THAT(*server->ListDatabases(), ElementsAre("b", "main"));
  EXPECT_EQ(server->DeleteDatabase("b").code(), StatusCode::kInUse);
  EXPECT_TRUE(server->CloseDatabase(*b).ok());
  EXPECT_EQ(server->Root(*b).status().code(), StatusCode::kClosed);
  EXPECT_EQ(server->OpenDatabase("b", OpenMode::kCreate).status().code(), StatusCode::kExists);
  EXPECT_TRUE(server->DeleteDatabase("b").ok());
  EXPECT_EQ(server->DeleteDatabase("b").code(), StatusCode::kNotFound);
  EXPECT_THAT(*server->ListDatabases(), ElementsAre("main"));
  EXPECT_TRUE(server->OpenDatabase("b", OpenMode::kCreate).ok());
  Reopen();
  EXPECT_THAT(*server->ListDatabases(), ElementsAre("b", "main"));
}

TEST_P(PageServerContract, ADeletedDatabaseLeavesNothingToItsNamesake) {
  const PageImage image = MakePage(1);
  const DatabaseId old = *server->OpenDatabase("b", OpenMode::kCreate);
  const PageId page = server->AllocatePages(old, 1)->first;
  ASSERT_EQ(CommitBuilder(*server, old).Whole(page, 0, image).Commit().outcome,
            CommitOutcome::kCommitted);
  ASSERT_TRUE(server->CloseDatabase(old).ok());
  ASSERT_TRUE(server->DeleteDatabase("b").ok());
  const DatabaseId made = *server->OpenDatabase("b", OpenMode::kCreate);
  EXPECT_EQ(ReadPage(*server, made, page)->status.code(), StatusCode::kNotFound);
  EXPECT_EQ(server->Info(made)->pages, 0u);
}

TEST_P(PageServerContract, ADatabaseMayBeMadeWithAUuid) {
  const Uuid uuid = NewUuid();
  const Result<DatabaseId> made = server->CreateDatabase("imported", uuid);
  if (in_cluster()) {
    // The stores of a cluster share tables, in which a uuid comes once.
    EXPECT_EQ(made.status().code(), StatusCode::kNotSupported);
    return;
  }
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_NE(*made, db);
  EXPECT_EQ(*server->DatabaseUuid(*made), uuid);
  EXPECT_EQ(server->CreateDatabase("imported", NewUuid()).status().code(), StatusCode::kExists);
  EXPECT_EQ(server->CreateDatabase("main", NewUuid()).status().code(), StatusCode::kExists);
  // Others make databases at a shared server, too, and references find a database by its uuid.
  if (server->capabilities().shared) {
    EXPECT_EQ(server->CreateDatabase("twin", uuid).status().code(), StatusCode::kExists);
    EXPECT_THAT(*server->ListDatabases(), ElementsAre("imported", "main"));
  }
  Reopen();
  EXPECT_EQ(*server->DatabaseUuid(*server->OpenDatabase("imported", OpenMode::kOpen)), uuid);
}

TEST_P(PageServerContract, NamesOfDatabasesAreChecked) {
  for (const char* name : {"", ".hidden", "_store", "-x", "a/b", "..", "a b", "a\n"}) {
    EXPECT_EQ(server->OpenDatabase(name, OpenMode::kOpenOrCreate).status().code(),
              StatusCode::kInvalidArgument)
        << name;
  }
  EXPECT_FALSE(server->OpenDatabase(std::string(101, 'a'), OpenMode::kCreate).ok());
  EXPECT_TRUE(server->OpenDatabase(std::string(100, 'a'), OpenMode::kCreate).ok());
  EXPECT_TRUE(server->OpenDatabase("Bücher.2-x_y", OpenMode::kCreate).ok());
}

TEST_P(PageServerContract, TypesGetIndexesThatStay) {
  EXPECT_TRUE(server->TypeEntries()->empty());
  EXPECT_EQ(*server->AddType(Bytes("one")), 1u);
  EXPECT_EQ(*server->AddType(Bytes(std::string(100000, 'x'))), 2u);
  EXPECT_EQ(*server->AddType(Bytes("one")), 1u);
  EXPECT_EQ(*server->AddType(Bytes("")), 3u);
  Reopen();
  const std::vector<TypeEntry> entries = *server->TypeEntries();
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].index, 1u);
  EXPECT_EQ(entries[0].description, "one");
  EXPECT_EQ(entries[1].description, std::string(100000, 'x'));
  EXPECT_EQ(entries[2].description, "");
  EXPECT_EQ(*server->AddType(Bytes("four")), 4u);
}

TEST_P(PageServerContract, AClosedServerAnswersClosed) {
  ASSERT_TRUE(server->Close().ok());
  EXPECT_EQ(server->Close().code(), StatusCode::kClosed);
  EXPECT_EQ(server->OpenDatabase("main", OpenMode::kOpen).status().code(), StatusCode::kClosed);
  EXPECT_EQ(ReadCode(PageId{1}), StatusCode::kClosed);
  EXPECT_EQ(CommitBuilder(*server, db).Commit().outcome, CommitOutcome::kFailed);
  EXPECT_EQ(server->AllocatePages(db, 1).status().code(), StatusCode::kClosed);
  EXPECT_EQ(server->TypeEntries().status().code(), StatusCode::kClosed);
}

TEST_P(PageServerContract, AStoreIsOpenOnce) {
  if (in_cluster()) {
    // The other node is the leader from now on.
    const std::unique_ptr<PageServer> other = Open(OpenMode::kOpen);
    EXPECT_EQ(server->OpenDatabase("b", OpenMode::kCreate).status().code(), StatusCode::kInUse);
    EXPECT_EQ(ReadCode(PageId{1}), StatusCode::kInUse);
    return;
  }
  StoreOptions options;
  options.kind = GetParam() == Kind::kMemory ? PageServerKind::kMemory : PageServerKind::kBdb;
  // Unless the store is served.
  EXPECT_EQ(OpenStore(directory.path(), options).status().code(),
            served ? StatusCode::kOk : StatusCode::kInUse);
  options.mode = OpenMode::kCreate;
  EXPECT_EQ(OpenStore(directory.path(), options).status().code(), StatusCode::kExists);
  options.mode = OpenMode::kOpen;
  EXPECT_EQ(OpenStore(directory.path() + "-absent", options).status().code(),
            StatusCode::kNotFound);
}

TEST_P(PageServerContract, StatisticsCountPagesAndBytes) {
  const PageImage image = MakePage(1);
  const PageId page = Allocate();
  const uint64_t version = CommitBuilder(*server, db).Whole(page, 0, image).Commit().version;
  CommitBuilder(*server, db).Region(page, version, image, 8, 16).Commit();
  ReadPage(*server, db, page);
  const PageServerStatistics s = server->statistics();
  EXPECT_EQ(s.commits, 2u);
  EXPECT_EQ(s.pages_written, 1u);
  EXPECT_EQ(s.pages_changed, 1u);
  EXPECT_EQ(s.bytes_written, kPageRecordBytes + kPageRecordHeaderBytes + 16);
  EXPECT_EQ(s.pages_read, 1u);
  EXPECT_EQ(s.bytes_read, kPageRecordBytes);
  EXPECT_EQ(s.read_calls, 1u);
  EXPECT_EQ(s.syncs > 0, server->capabilities().durable);
}

// Readers beside a committer see each page whole, and one of the states that it had.
TEST_P(PageServerContract, ReadersRunBesideCommits) {
  constexpr uint64_t kPages = 40;
  const PageId first = Allocate(kPages);
  const PageImage image = MakePage(5);
  CommitBuilder start(*server, db);
  for (uint64_t i = 0; i < kPages; ++i) start.Whole(first + i, 0, image);
  uint64_t version = start.Commit().version;
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> bad{0};
  std::vector<std::thread> readers;
  for (uint64_t seed = 0; seed < 2; ++seed) {
    readers.emplace_back([&, seed] {
      Random random(seed);
      while (!stop) bad += !ReadPage(*server, db, first + random.Below(kPages))->status.ok();
    });
  }
  for (int round = 0; round < 60; ++round) {
    const PageImage next = MakePage(1000 + static_cast<uint64_t>(round));
    CommitBuilder builder(*server, db);
    for (uint64_t i = 0; i < kPages; ++i) builder.Whole(first + i, version, next);
    const CommitAnswer answer = builder.Commit();
    ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted) << answer.status.text();
    version = answer.version;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(bad, 0u);
}

INSTANTIATE_TEST_SUITE_P(Servers, PageServerContract,
                         ::testing::Values(Kind::kBdb, Kind::kMemory, Kind::kServed, Kind::kCluster,
                                           Kind::kPostgres),
                         [](const auto& info) {
                           switch (info.param) {
                             case Kind::kBdb: return "Bdb";
                             case Kind::kMemory: return "Memory";
                             case Kind::kServed: return "Served";
                             case Kind::kCluster: return "Cluster";
                             case Kind::kPostgres: return "Postgres";
                           }
                           return "";
                         });

}  // namespace
}  // namespace tenure::store
