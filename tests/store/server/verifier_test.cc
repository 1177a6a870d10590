#include "store/server/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "store/format/type_description.h"
#include "store/server/memory_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/session_world.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::PageImage;
using testing::SessionWorld;
using testing::SlotOf;
using testing::TemporaryDirectory;

// Pages as bytes, with right checksums, to a server in memory.
class Verifier : public ::testing::Test {
 protected:
  static constexpr size_t kLargeEdges = 1500;
  uint64_t version = 0;

  void SetUp() override {
    static int stores = 0;
    server = *MemoryPageServer::Open("verifier" + std::to_string(++stores), OpenMode::kCreate);
    database = *server->OpenDatabase("main", OpenMode::kCreate);
    cell = AddType(testing::kCellType);
    holder = AddType(testing::kHolderType);
    const std::string description = "procedure Test.P 0000000000000001\n";
    procedure = *server->AddType(std::as_bytes(std::span(description)));
    ASSERT_TRUE(server->AllocatePages(database, 20).ok());
  }
  uint32_t AddType(const abi::TypeDescriptor& type) {
    const std::string description = DescribeType(type);
    return *server->AddType(std::as_bytes(std::span(description)));
  }

  static uint64_t& Word(PageImage& page, size_t offset) {
    return *reinterpret_cast<uint64_t*>(page.bytes + offset);
  }
  static uint64_t Header(uint32_t type) { return uint64_t{type} << 4; }
  static uint64_t Filler(uint64_t bytes) { return bytes << 32 | 2; }
  static uint64_t Ref(uint64_t page, uint64_t offset) { return page * abi::kPageBytes + offset; }

  // A cell with two references at offset 0 (first field at 8, edges at 24 and 32), a holder behind
  // it (first field at 48), then nothing.
  PageImage GoodPage() {
    PageImage page = {};
    Word(page, 0) = Header(cell);
    Word(page, 8) = 77;
    Word(page, 16) = 2;
    Word(page, 24) = Ref(1, 48);
    Word(page, 40) = Header(holder);
    Word(page, 48) = 78;
    Word(page, 64) = Ref(1, 8);
    Word(page, 80) = PersistentRef::Entry(RefKind::kProcedure, procedure).bits;
    Word(page, 88) = Filler(abi::kPageBytes - 88);
    return page;
  }
  // A cell with kLargeEdges references on pages 2 and 3.
  void AddLarge(CommitBuilder& builder, PageImage* first, PageImage* second) {
    *first = *second = {};
    Word(*first, 0) = Header(cell);
    Word(*first, 16) = kLargeEdges;
    Word(*first, 24) = Ref(1, 8);
    const size_t last = 8 + 16 + 8 * (kLargeEdges - 1) - abi::kPageBytes;
    Word(*second, last) = Ref(2, 8);
    builder.Whole(PageId{2}, 0, *first, {cell, 0, 2}).Whole(PageId{3}, 0, *second, {cell, 1, 2});
  }

  VerifyReport Verify() {
    Result<VerifyReport> report = VerifyDatabase(*server, database);
    EXPECT_TRUE(report.ok()) << report.status().text();
    return report.ok() ? *report : VerifyReport{};
  }
  // Commits the good page with a change.
  VerifyReport VerifyWith(const std::function<void(PageImage&)>& change) {
    PageImage page = GoodPage();
    change(page);
    CommitBuilder builder(*server, database);
    builder.Whole(PageId{1}, 0, page);
    EXPECT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
    return Verify();
  }

  std::unique_ptr<PageServer> server;
  DatabaseId database;
  uint32_t cell = 0, holder = 0, procedure = 0;
};

TEST_F(Verifier, EmptyDatabaseIsGood) {
  const VerifyReport report = Verify();
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report.pages, 0u);
}

TEST_F(Verifier, GoodPagesAreCounted) {
  PageImage page = GoodPage(), first, second;
  CommitBuilder builder(*server, database);
  AddLarge(builder.Whole(PageId{1}, 0, page), &first, &second);
  ASSERT_EQ(builder.Root(PersistentRef::Object(PageId{2}, 8)).Commit().outcome,
            CommitOutcome::kCommitted);
  const VerifyReport report = Verify();
  EXPECT_THAT(report.problems, ElementsAre());
  EXPECT_EQ(report.pages, 3u);
  EXPECT_EQ(report.objects, 3u);
  EXPECT_EQ(report.large_objects, 1u);
  EXPECT_EQ(report.references, 4u);
  EXPECT_EQ(report.free_bytes, abi::kPageBytes - 88);
}

TEST_F(Verifier, ReferenceToTheMiddleOfAnObject) {
  EXPECT_THAT(
      VerifyWith([](PageImage& page) { Word(page, 24) = Ref(1, 56); }).problems,
      ElementsAre("page 1 offset 24: a reference to page 1 offset 56, where no object begins"));
}

// Two objects: one of a type that refers to `declared`, one of the type `target`.
TEST_F(Verifier, AReferenceToAnObjectOfAnotherTypeThanItsFieldIsDeclaredAs) {
  const auto add = [&](const std::string& text) {
    return *server->AddType(std::as_bytes(std::span(text)));
  };
  const uint32_t wide = add("fingerprint 01\nname T.Wide\nkind object\npayload 8\nend\n");
  const uint32_t narrow =
      add("fingerprint 02\nname T.Narrow\nsupertype T.Wide\nbelow 01 T.Wide\nkind object\n"
          "payload 8\nend\n");
  const uint32_t other = add("fingerprint 03\nname T.Other\nkind ref\npayload 8\nend\n");
  const auto verify = [&](const std::string& field, uint32_t target) {
    const uint32_t from =
        add("fingerprint 04\nname T.From\nkind ref\npayload 8\nslots 0 1 8 0\n" + field + "end\n");
    PageImage page = {};
    Word(page, 0) = Header(from);
    Word(page, 8) = Ref(9, 24);
    Word(page, 16) = Header(target);
    Word(page, 32) = Filler(abi::kPageBytes - 32);
    CommitBuilder builder(*server, database);
    builder.Whole(PageId{9}, version, page);
    const CommitAnswer answer = builder.Commit();
    EXPECT_EQ(answer.outcome, CommitOutcome::kCommitted);
    version = answer.version;
    return Verify().problems;
  };
  const std::string as_wide = "field 0 64 f T.Wide\nrefers 01 T.Wide\n";
  const std::string as_narrow = "field 0 64 f T.Narrow\nrefers 02 T.Narrow\n";
  EXPECT_THAT(verify(as_wide, wide), ElementsAre());
  EXPECT_THAT(verify(as_wide, narrow), ElementsAre());
  EXPECT_THAT(
      verify(as_wide, other),
      ElementsAre("page 9 offset 8: a reference to a T.Wide that leads to page 9 offset 24, "
                  "an object of type T.Other"));
  EXPECT_THAT(verify(as_narrow, wide), ElementsAre(HasSubstr("T.Narrow")));
  EXPECT_THAT(verify("field 0 64 f REFANY\nrefers 09 REFANY\n", other), ElementsAre());
  EXPECT_THAT(verify("field 0 64 f ROOT\nrefers 08 ROOT\n", other), ElementsAre(HasSubstr("ROOT")));
  EXPECT_THAT(verify("field 0 64 f T.Wide\n", other), ElementsAre())
      << "written when it was not said";
  // Another layout of the type was declared under the same name.
  EXPECT_THAT(verify("field 0 64 f T.Wide\nrefers 77 T.Wide\n", narrow), ElementsAre());
}

TEST_F(Verifier, OnlyPagesWithReferencesForwardAreReadTwice) {
  PageImage back = GoodPage(), forward = GoodPage(), plain = GoodPage();
  Word(forward, 24) = Ref(3, 8);
  CommitBuilder builder(*server, database);
  builder.Whole(PageId{1}, 0, back).Whole(PageId{2}, 0, forward).Whole(PageId{3}, 0, plain);
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  const uint64_t before = server->statistics().pages_read;
  const VerifyReport report = Verify();
  EXPECT_THAT(report.problems, ElementsAre());
  EXPECT_EQ(report.references, 6u);
  EXPECT_EQ(server->statistics().pages_read - before, 4u);
}

TEST_F(Verifier, ReferenceForwardToNoObject) {
  PageImage page = GoodPage(), later = GoodPage();
  Word(page, 24) = Ref(2, 56);
  CommitBuilder builder(*server, database);
  builder.Whole(PageId{1}, 0, page).Whole(PageId{2}, 0, later);
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  const VerifyReport report = Verify();
  EXPECT_THAT(
      report.problems,
      ElementsAre("page 1 offset 24: a reference to page 2 offset 56, where no object begins"));
  EXPECT_EQ(report.references, 4u);
}

TEST_F(Verifier, ReferenceToAFreePlace) {
  EXPECT_THAT(VerifyWith([](PageImage& page) { Word(page, 32) = Ref(1, 96); }).problems,
              ElementsAre(HasSubstr("offset 32: a reference to page 1 offset 96")));
}

TEST_F(Verifier, ReferenceToAPageThatDoesNotExist) {
  EXPECT_EQ(VerifyWith([](PageImage& page) {
              Word(page, 24) = Ref(9, 8);
              Word(page, 32) = ~uint64_t{7};
            }).problem_count,
            2u);
}

TEST_F(Verifier, ReferenceOfAnotherKind) {
  EXPECT_FALSE(VerifyWith([](PageImage& page) { Word(page, 24) = Ref(1, 48) | 1; }).ok());
}

TEST_F(Verifier, RootThatIsNoObject) {
  PageImage page = GoodPage();
  CommitBuilder builder(*server, database);
  builder.Whole(PageId{1}, 0, page).Root(PersistentRef::Object(PageId{1}, 16));
  ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  EXPECT_THAT(Verify().problems, ElementsAre(HasSubstr("the root is page 1 offset 16")));
}

TEST_F(Verifier, UnknownType) {
  EXPECT_THAT(VerifyWith([](PageImage& page) { Word(page, 0) = Header(99); }).problems,
              ElementsAre(HasSubstr("offset 0: neither an object of a known type")));
}

TEST_F(Verifier, ProcedureEntryIsNoType) {
  EXPECT_FALSE(VerifyWith([&](PageImage& page) { Word(page, 0) = Header(procedure); }).ok());
}

TEST_F(Verifier, ArrayThatDoesNotFit) {
  for (const uint64_t length : {uint64_t{1022}, uint64_t{1} << 61, ~uint64_t{0}}) {
    SetUp();
    EXPECT_THAT(VerifyWith([&](PageImage& page) { Word(page, 16) = length; }).problems,
                ElementsAre(HasSubstr("offset 0: an object that does not fit")));
  }
}

TEST_F(Verifier, FreePlaceOfImpossibleLength) {
  for (const uint64_t bytes : {0, 4, 12, 8192}) {
    SetUp();
    EXPECT_THAT(VerifyWith([&](PageImage& page) { Word(page, 88) = Filler(bytes); }).problems,
                ElementsAre(HasSubstr("offset 88: a free place of")));
  }
}

TEST_F(Verifier, FreePlaceThatIsNotZero) {
  EXPECT_THAT(VerifyWith([](PageImage& page) { Word(page, 8000) = 1; }).problems,
              ElementsAre(HasSubstr("offset 8000: a free place is not zero")));
}

TEST_F(Verifier, TransientAndUntracedSlotsThatAreNotZero) {
  EXPECT_EQ(VerifyWith([](PageImage& page) {
              Word(page, 56) = Word(page, 72) = Ref(1, 8);
            }).problem_count,
            2u);
}

TEST_F(Verifier, ProcedureThatIsNone) {
  EXPECT_THAT(VerifyWith([&](PageImage& page) {
                Word(page, 80) = PersistentRef::Entry(RefKind::kProcedure, cell).bits;
              }).problems,
              ElementsAre(HasSubstr("offset 80: a procedure value")));
}

TEST_F(Verifier, LargeObjectInPieces) {
  PageImage page = GoodPage(), first, second;
  {
    CommitBuilder builder(*server, database);
    AddLarge(builder.Whole(PageId{1}, 0, page), &first, &second);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  }
  const auto version = [&](uint64_t n) {
    return testing::ReadPage(*server, database, PageId{n})->record.version;
  };
  // The page's end is not zero.
  PageImage changed = second;
  Word(changed, abi::kPageBytes - 8) = 5;
  ASSERT_EQ(CommitBuilder(*server, database)
                .Whole(PageId{3}, version(3), changed, {cell, 1, 2})
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  EXPECT_THAT(Verify().problems, ElementsAre(HasSubstr("what follows a large object is not zero")));
  // The second page belongs to another object.
  ASSERT_EQ(CommitBuilder(*server, database).Whole(PageId{3}, version(3), page).Commit().outcome,
            CommitOutcome::kCommitted);
  EXPECT_THAT(Verify().problems,
              ::testing::Contains(HasSubstr("a large object of 2 pages that ends")));
  // The first is.
  ASSERT_EQ(CommitBuilder(*server, database)
                .Whole(PageId{2}, version(2), page)
                .Whole(PageId{3}, version(3), second, {cell, 1, 2})
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  EXPECT_THAT(Verify().problems, ::testing::Contains(HasSubstr("that does not begin")));
  // A length that is not that of the run.
  changed = first;
  Word(changed, 16) = 900;
  ASSERT_EQ(CommitBuilder(*server, database)
                .Whole(PageId{2}, version(2), changed, {cell, 0, 2})
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  EXPECT_THAT(Verify().problems,
              ::testing::Contains(HasSubstr("a large object whose header or length is wrong")));
}

TEST_F(Verifier, WrongChecksumIsSaid) {
  PageImage page = GoodPage();
  const ChangedRegion region{8, std::as_bytes(std::span("12345678", 8))};
  PageWrite whole{.page = PageId{1},
                  .checksum = PageChecksum(PageId{1}, {}, page.bytes),
                  .contents = page.bytes};
  DatabaseCommit commit{database, std::span(&whole, 1), {}};
  ASSERT_EQ(server->Commit({NewCommitId(), std::span(&commit, 1)}).outcome,
            CommitOutcome::kCommitted);
  PageWrite part{
      .page = PageId{1},
      .expected_version = testing::ReadPage(*server, database, PageId{1})->record.version,
      .checksum = whole.checksum,
      .regions = std::span(&region, 1)};
  commit = {database, std::span(&part, 1), {}};
  if (server->Commit({NewCommitId(), std::span(&commit, 1)}).outcome != CommitOutcome::kCommitted) {
    GTEST_SKIP() << "the server in memory refuses what does not fit its checksum";
  }
  EXPECT_THAT(Verify().problems, ElementsAre(HasSubstr("its checksum is wrong")));
}

TEST_F(Verifier, UnreadableTypesAreProblems) {
  for (const std::string& description :
       {std::string("nonsense"), std::string("payload 8\nend\n"),
        std::string("f\x80ngerprint 01\npayload 8\nend\n"),
        std::string("fingerprint zz\npayload 8\nend\n"), std::string("fingerprint 01\npayload 8\n"),
        std::string("fingerprint 01\npayload 8\nslots 8 1 8 0\nend\n"),
        std::string("fingerprint 01\npayload 16\nslots 0 3 8 0\nend\n"),
        std::string("fingerprint 01\npayload 16\nslots 0 2 0 0\nend\n"),
        std::string("fingerprint 01\npayload 8\nslots 0 1 8 9\nend\n"),
        std::string("fingerprint 01\npayload 0\nopen 1 12\nelement-slots 0 1 8 0\nend\n"),
        std::string("fingerprint 01\npayload 8\nslots 0 18446744073709551615 8 0\nend\n"),
        std::string("fingerprint 01\npayload 18446744073709551615\nend\n"),
        std::string("\n\n \0 x", 6)}) {
    SetUp();
    ASSERT_TRUE(server->AddType(std::as_bytes(std::span(description))).ok());
    EXPECT_THAT(Verify().problems, ElementsAre("type entry 4 is unreadable")) << description;
  }
}

TEST_F(Verifier, RandomPagesAreNeverTakenForGood) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    PageImage page = GoodPage();
    // Words that look like headers or references.
    const uint64_t choices[] = {Header(cell), Header(holder), Filler(8),          Filler(16),
                                Ref(1, 8),    random.Next(),  random.Below(2000), 0};
    const size_t first = random.Below(20);
    for (size_t i = 0; i < 40; ++i) Word(page, 8 * (first + i)) = choices[random.Below(8)];
    const std::unique_ptr<PageReply> old = testing::ReadPage(*server, database, PageId{1});
    CommitBuilder builder(*server, database);
    builder.Whole(PageId{1}, old->status.ok() ? old->record.version : 0, page);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
    (void)Verify();  // reports an error, and does not crash
  }
}

// --- A store on disk, with a byte changed somewhere ---

class DamagedStore : public ::testing::Test {
 protected:
  // The contents of all pages, for comparison.
  static std::string ContentsOf(PageServer& server, DatabaseId database) {
    std::string all;
    for (uint64_t n = 1; n <= server.MaxPage(database)->number; ++n) {
      const auto reply = testing::ReadPage(server, database, PageId{n});
      if (reply->status.ok()) {
        all.append(reinterpret_cast<const char*>(&reply->record), sizeof reply->record);
      }
    }
    return all + std::to_string(server.Root(database)->bits);
  }
};

TEST_F(DamagedStore, ByteThatChangedIsFoundOrHarmless) {
  TemporaryDirectory good;
  std::string contents;
  {
    SessionWorld world(stabilize::FaultTier::kChoose, PageServerKind::kBdb, good.path());
    world.Start();
    world.Create();
    world.Open();
    const uint64_t transaction = world.Begin();
    abi::Ref& root = world.Keep(world.NewCell(1, 400));
    for (size_t i = 0; i < 399; ++i) {
      world.SetEdge(root, i, i % 2 == 0 ? world.NewCell(i, 10) : world.NewHolder(i));
    }
    world.SetEdge(root, 399, world.NewCell(2, 3000));
    world.SetRoot(root);
    world.Commit(transaction);
    PageServer& server = world.database->server();
    ASSERT_TRUE(VerifyDatabase(server, world.database->id())->ok());
    contents = ContentsOf(server, world.database->id());
    ASSERT_TRUE(world.session->Shutdown().ok());
  }
  Random random(7);
  const int rounds = getenv("TENURE_LONG") != nullptr ? 4000 : 120;
  int found = 0, harmless = 0;
  TemporaryDirectory copy;
  for (const char* file : {"main.db", "_store.db"}) {
    const uint64_t size = std::filesystem::file_size(good.path() + "/" + file);
    for (int round = 0; round < rounds; ++round) {
      copy.CopyFrom(good.path());
      const uint64_t at = random.Below(size);
      {
        std::fstream stream(copy.path() + "/" + file,
                            std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(static_cast<std::streamoff>(at));
        const char byte =
            static_cast<char>(stream.get() ^ static_cast<char>(1 + random.Below(255)));
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(byte);
      }
      SCOPED_TRACE(std::string(file) + ", byte " + std::to_string(at));
      SessionWorld world(stabilize::FaultTier::kChoose, PageServerKind::kBdb, copy.path());
      world.Start();
      Result<stabilize::Database*> opened = world.session->OpenDatabase(copy.path());
      if (!opened.ok()) {
        EXPECT_STRNE(opened.status().text(), "");
        ++found;
        continue;
      }
      PageServer& server = (*opened)->server();
      Result<VerifyReport> report = VerifyDatabase(server, (*opened)->id());
      if (!report.ok() || !report->ok()) {
        ++found;
        continue;
      }
      ++harmless;
      ASSERT_EQ(ContentsOf(server, (*opened)->id()), contents);
    }
  }
  EXPECT_GT(found, rounds / 4);
  RecordProperty("found", found);
  RecordProperty("harmless", harmless);
}

}  // namespace
}  // namespace tenure::store
