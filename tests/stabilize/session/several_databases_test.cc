// Several databases in one transaction, and references between them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "stabilize/frames/fault_tiers.h"
#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/session_world.h"
#include "tests/support/tiers.h"
#include "tests/support/traps.h"

namespace tenure::stabilize {
namespace {

using abi::Ref;
using testing::Catch;
using testing::SessionWorld;
using testing::SlotOf;
using testing::TemporaryDirectory;
using testing::WordOf;

class SeveralDatabases : public ::testing::TestWithParam<std::tuple<FaultTier, PageServerKind>> {
 protected:
  SeveralDatabases()
      : world(std::get<0>(GetParam()), std::get<1>(GetParam()), directory.path() + "/here") {}

  void SetUp() override {
    if (std::get<0>(GetParam()) == FaultTier::kUserfaultfd && !ProbeUserfaultfd().ok()) {
      GTEST_SKIP() << ProbeUserfaultfd().text();
    }
    std::filesystem::create_directory(directory.path());
    world.Start();
  }
  bool durable() const { return std::get<1>(GetParam()) == PageServerKind::kBdb; }

  std::string Path(const std::string& name) const { return directory.path() + "/" + name; }
  void Create(const std::string& name) {
    const Status status = world.session->CreateDatabase(Path(name));
    ASSERT_TRUE(status.ok()) << status.text();
  }
  Database* Open(const std::string& name) {
    Result<Database*> database = world.session->OpenDatabase(Path(name));
    EXPECT_TRUE(database.ok()) << database.status().text();
    world.database = *database;
    opened.push_back(*database);
    return *database;
  }
  Ref Root(Database* database) { return *world.session->GetRoot(database); }
  void SetRoot(Database* database, Ref object) {
    ASSERT_TRUE(world.session->SetRoot(database, object).ok());
  }
  void Commit(uint64_t transaction) {
    const Status status = world.session->Commit(transaction);
    ASSERT_TRUE(status.ok()) << status.text();
  }
  void ExpectVerified(Database* database) {
    Result<VerifyReport> report = VerifyDatabase(database->server(), database->id());
    ASSERT_TRUE(report.ok()) << report.status().text();
    EXPECT_TRUE(report->ok()) << report->problems[0];
  }
  // Starts another process. A store in memory would be lost, so there the databases are only
  // closed.
  void Restart() {
    world.ClearRoots();
    world.database = nullptr;
    if (durable()) {
      ASSERT_TRUE(world.session->Shutdown().ok());
      world.Start();
      return;
    }
    for (const char* name : {"one:a", "one:b", "two:a"}) {
      // Also a database that only a reference has opened.
      Result<Database*> implicit = world.session->OpenDatabase(Path(name));
      if (implicit.ok()) opened.push_back(*implicit);
    }
    for (Database* database : opened) {
      if (database->open()) {
        ASSERT_TRUE(world.session->CloseDatabase(database).ok());
      }
    }
    opened.clear();
  }
  // a.root -> cell 1 -> object 2 in b, committed.
  void Link(Database* a, Database* b) {
    uint64_t transaction = world.Begin();
    SetRoot(b, world.NewCell(2, 1));
    Commit(transaction);
    transaction = world.Begin();
    Ref& cell = world.Keep(world.NewCell(1, 2));
    SetRoot(a, cell);
    world.SetEdge(cell, 0, Root(b));
    world.SetEdge(cell, 1, Root(b));
    Commit(transaction);
  }
  void ExpectLinked(Database* a, Database* b) {
    const uint64_t transaction = world.Begin();
    Ref root = nullptr, edge = nullptr;
    EXPECT_EQ(Catch([&] {
                root = Root(a);
                edge = world.Edge(root, 0);
              }),
              FaultAnswer::Error::kNone)
        << testing::CaughtStatus().text();
    ASSERT_NE(edge, nullptr);
    EXPECT_EQ(edge, Root(b));
    EXPECT_EQ(edge, world.Edge(root, 1));
    EXPECT_EQ(WordOf(edge), 2u);
    Commit(transaction);
    ExpectVerified(a);
    ExpectVerified(b);
  }

  TemporaryDirectory directory;
  SessionWorld world;
  std::vector<Database*> opened;
};

TEST_P(SeveralDatabases, CommitTogetherInOneStoreAndInTwo) {
  for (const char* name : {"one:a", "one:b", "two:a"}) Create(name);
  std::vector<Database*> open{Open("one:a"), Open("one:b"), Open("two:a")};
  for (uint64_t round = 1; round <= 3; ++round) {
    const uint64_t transaction = world.Begin();
    for (size_t i = 0; i < open.size(); ++i) {
      if (round == 1) SetRoot(open[i], world.NewCell(0, 0));
      WordOf(Root(open[i])) = 10 * round + i;
    }
    Commit(transaction);
    world.CollectMajor();
  }
  const uint64_t transaction = world.Begin();
  for (size_t i = 0; i < open.size(); ++i) WordOf(Root(open[i])) = 1000;
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  Restart();
  open = {Open("one:a"), Open("one:b"), Open("two:a")};
  const uint64_t later = world.Begin();
  for (size_t i = 0; i < open.size(); ++i) EXPECT_EQ(WordOf(Root(open[i])), 30 + i);
  Commit(later);
}

TEST_P(SeveralDatabases, ReferencesBetweenThemLastWhateverIsOpenedFirst) {
  for (const auto& [from, to] : {std::pair{"one:a", "one:b"}, std::pair{"one:a", "two:a"}}) {
    SCOPED_TRACE(to);
    for (const char* name : {from, to}) Create(name);
    Link(Open(from), Open(to));
    world.CollectMajor();
    Restart();
    Database* a = Open(from);
    Database* b = Open(to);
    ExpectLinked(a, b);
    Restart();
    b = Open(to);
    ExpectLinked(Open(from), b);
    // Not opened by the program: the reference opens the database, and then the program may open
    // it, too.
    Restart();
    a = Open(from);
    uint64_t transaction = world.Begin();
    EXPECT_EQ(WordOf(world.Edge(Root(a), 0)), 2u);
    WordOf(world.Edge(Root(a), 0)) = 2;
    world.SetEdge(world.Edge(Root(a), 0), 0, world.NewCell(3, 0));
    Commit(transaction);
    ExpectLinked(a, Open(to));
    transaction = world.Begin();
    EXPECT_EQ(WordOf(world.Edge(Root(world.database), 0)), 3u);
    Commit(transaction);
    Restart();
    for (const char* name : {from, to}) {
      ASSERT_TRUE(world.session->DeleteDatabase(Path(name)).ok()) << name;
    }
  }
}

TEST_P(SeveralDatabases, AnObjectOfBothBelongsToTheFirstAndCyclesClose) {
  for (const char* name : {"one:a", "one:b"}) Create(name);
  Database* a = Open("one:a");
  Database* b = Open("one:b");
  uint64_t transaction = world.Begin();
  Ref& shared = world.Keep(world.NewCell(3, 1));
  Ref& mine = world.Keep(world.NewCell(1, 1));
  Ref& other = world.Keep(world.NewCell(2, 1));
  world.SetEdge(mine, 0, shared);
  world.SetEdge(other, 0, shared);
  world.SetEdge(shared, 0, other);
  SetRoot(a, mine);
  SetRoot(b, other);
  Commit(transaction);
  world.CollectMinor();
  world.CollectMajor();
  for (int round = 0; round < 2; ++round) {
    transaction = world.Begin();
    const Ref found = world.Edge(Root(a), 0);
    EXPECT_EQ(WordOf(found), 3u);
    EXPECT_EQ(world.Edge(Root(b), 0), found);
    EXPECT_EQ(world.Edge(found, 0), Root(b));
    Commit(transaction);
    ExpectVerified(a);
    ExpectVerified(b);
    Restart();
    a = Open("one:a");
    b = Open("one:b");
  }
}

TEST_P(SeveralDatabases, AMissingTargetIsSaidWhenItIsTouchedAndMayComeBack) {
  for (const char* name : {"one:a", "one:b"}) Create(name);
  Link(Open("one:a"), Open("one:b"));
  Restart();
  ASSERT_TRUE(world.session->DeleteDatabase(Path("one:b")).ok());
  for (int round = 0; round < 2; ++round) {
    Database* a = Open("one:a");
    uint64_t transaction = world.Begin();
    Ref edge = nullptr;
    EXPECT_EQ(Catch([&] { edge = world.Edge(Root(a), 1); }), FaultAnswer::Error::kNone);
    ASSERT_NE(edge, nullptr);
    EXPECT_EQ(world.Edge(Root(a), 0), round == 0 ? edge : nullptr);
    for (bool write : {false, true}) {
      EXPECT_EQ(Catch([&] {
                  if (write) {
                    WordOf(edge) = 1;
                  } else {
                    (void)*const_cast<volatile uint64_t*>(&WordOf(edge));
                  }
                }),
                FaultAnswer::Error::kMissing);
      const std::string text = testing::CaughtStatus().text();
      EXPECT_NE(text.find("/one:b"), std::string::npos) << text;
      EXPECT_NE(text.find("/one:a"), std::string::npos) << text;
    }
    // The reference may be moved and stored without a touch.
    world.SetEdge(Root(a), 0, nullptr);
    world.SetEdge(Root(a), 1, edge);
    world.CollectMajor();
    Commit(transaction);
    ExpectVerified(a);
    Restart();
    // Another database of that name is not the original one.
    if (round == 0) Create("one:b");
  }
}

TEST_P(SeveralDatabases, ATargetFromBeforeTheReferenceIsMissing) {
  if (!durable()) GTEST_SKIP() << "copies files";
  for (const char* name : {"one:a", "two:a"}) Create(name);
  Database* b = Open("two:a");
  uint64_t transaction = world.Begin();
  SetRoot(b, world.NewCell(2, 1));
  Commit(transaction);
  Restart();
  std::filesystem::copy(Path("two"), Path("old"), std::filesystem::copy_options::recursive);
  Link(Open("one:a"), Open("two:a"));
  Restart();
  std::filesystem::remove_all(Path("two"));
  std::filesystem::rename(Path("old"), Path("two"));
  Database* a = Open("one:a");
  transaction = world.Begin();
  const Ref edge = world.Edge(Root(a), 0);
  EXPECT_EQ(Catch([&] { WordOf(edge) = 1; }), FaultAnswer::Error::kMissing);
  EXPECT_NE(std::string(testing::CaughtStatus().text()).find("older copy"), std::string::npos);
  Commit(transaction);
}

TEST_P(SeveralDatabases, AReferenceToAReplacedDatabaseLeavesTheNewOneOpen) {
  for (const char* name : {"one:a", "one:b"}) Create(name);
  Link(Open("one:a"), Open("one:b"));
  Restart();
  ASSERT_TRUE(world.session->DeleteDatabase(Path("one:b")).ok());
  Create("one:b");
  Database* b = Open("one:b");
  Database* a = Open("one:a");
  const uint64_t transaction = world.Begin();
  const Ref edge = world.Edge(Root(a), 0);
  EXPECT_EQ(Catch([&] { WordOf(edge) = 1; }), FaultAnswer::Error::kMissing);
  SetRoot(b, world.NewCell(3, 1));
  Commit(transaction);
  EXPECT_TRUE(b->open());
}

TEST_P(SeveralDatabases, ACopyOfTheDirectoryIsOpenBesideItsOriginal) {
  if (!durable()) GTEST_SKIP() << "copies files";
  for (const char* name : {"one:a", "one:b"}) Create(name);
  Link(Open("one:a"), Open("one:b"));
  Restart();
  std::filesystem::copy(Path("one"), Path("copy"), std::filesystem::copy_options::recursive);
  Database* a = Open("one:a");
  Database* copy = Open("copy:a");
  uint64_t transaction = world.Begin();
  // The copy's reference leads into the copy.
  const Ref first = world.Edge(Root(a), 0), second = world.Edge(Root(copy), 0);
  EXPECT_NE(first, second);
  WordOf(first) = 21;
  WordOf(second) = 22;
  Commit(transaction);
  Restart();
  transaction = world.Begin();
  Commit(transaction);
  Database* b = Open("one:b");
  Database* copy_b = Open("copy:b");
  transaction = world.Begin();
  EXPECT_EQ(WordOf(Root(b)), 21u);
  EXPECT_EQ(WordOf(Root(copy_b)), 22u);
  Commit(transaction);
}

TEST_P(SeveralDatabases, ARootMayBeAnObjectOfAnother) {
  for (const char* name : {"one:a", "two:a"}) Create(name);
  Database* a = Open("one:a");
  Database* b = Open("two:a");
  uint64_t transaction = world.Begin();
  SetRoot(a, world.NewCell(5, 0));
  Commit(transaction);
  transaction = world.Begin();
  SetRoot(b, Root(a));
  Commit(transaction);
  Restart();
  b = Open("two:a");
  transaction = world.Begin();
  EXPECT_EQ(WordOf(Root(b)), 5u);
  Commit(transaction);
  ExpectVerified(b);
}

TEST_P(SeveralDatabases, OneStoreHasOneNameHere) {
  Create("one");
  Open("one");
  for (const char* name : {"one/", "./one", "one/../one:main"}) {
    EXPECT_EQ(world.session->OpenDatabase(Path(name)).status().code(), StatusCode::kOpenHere)
        << name;
  }
}

TEST_P(SeveralDatabases, ReferencesOfAnAbortedTransactionLeaveNothing) {
  for (const char* name : {"one:a", "one:b"}) Create(name);
  Database* a = Open("one:a");
  Database* b = Open("one:b");
  Link(a, b);
  const size_t imports = a->imports().size(), exports = b->exports().size();
  EXPECT_EQ(imports, 1u);
  EXPECT_EQ(exports, 1u);
  const uint64_t transaction = world.Begin();
  world.SetEdge(Root(b), 0, Root(a));
  world.SetEdge(Root(a), 0, nullptr);
  ASSERT_TRUE(world.session->Abort(transaction).ok());
  EXPECT_EQ(b->imports().size(), 0u);
  ExpectLinked(a, b);
}

INSTANTIATE_TEST_SUITE_P(Tiers, SeveralDatabases, testing::AllTiers(), testing::NameOf);

// --- crashes ---
// --

// A transaction over three stores, interrupted at every operation on a file: it takes place in all
// stores or in none, also when they are opened in another order.
class SeveralStoresCrash : public ::testing::TestWithParam<IoFault> {};

TEST_P(SeveralStoresCrash, CommitIsEverywhereOrNowhere) {
  TemporaryDirectory before;
  const char* const kNames[] = {"x", "y", "z"};
  std::filesystem::create_directory(before.path());
  const auto with_all = [&](const std::string& parent, auto&& use) {
    SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, parent + "/unused");
    world.Start();
    std::vector<Database*> open;
    for (const char* name : kNames) {
      Result<Database*> database = world.session->OpenDatabase(parent + "/" + name);
      if (!database.ok()) return 1;
      open.push_back(*database);
    }
    return use(world, open);
  };
  {
    SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, before.path() + "/unused");
    world.Start();
    for (const char* name : kNames) {
      ASSERT_TRUE(world.session->CreateDatabase(before.path() + "/" + name).ok());
    }
    ASSERT_TRUE(world.session->Shutdown().ok());
  }
  const auto change = [](SessionWorld& world, std::vector<Database*>& open, uint64_t value) {
    const uint64_t transaction = world.Begin();
    Ref first = nullptr;
    for (Database* database : open) {
      Ref cell = world.NewCell(value, 1);
      if (first == nullptr) first = cell;
      SessionWorld::SetEdge(cell, 0, first);
      if (!world.session->SetRoot(database, cell).ok()) return false;
    }
    return world.session->Commit(transaction).ok();
  };
  ASSERT_EQ(with_all(before.path(),
                     [&](SessionWorld& world, std::vector<Database*>& open) {
                       return change(world, open, 1) ? 0 : 2;
                     }),
            0);

  TemporaryDirectory copy;
  uint64_t crashes = 0, done = 0;
  for (uint64_t at = 1;; at += testing::kFaultStep) {
    copy.CopyFrom(before.path());
    const testing::CrashRun run =
        testing::RunWithFault(GetParam(), at, [&](testing::Acknowledgements& acknowledgements) {
          return with_all(copy.path(), [&](SessionWorld& world, std::vector<Database*>& open) {
            if (!change(world, open, 2)) return 2;
            acknowledgements.Report(1);
            return world.session->Shutdown().ok() ? 0 : 3;
          });
        });
    const bool acknowledged = !run.reported.empty();
    // The participants alone first, or the coordinator.
    std::vector<uint64_t> found;
    const auto look = [&](const char* name) {
      SessionWorld world(FaultTier::kChoose, PageServerKind::kBdb, copy.path() + "/unused");
      world.Start();
      Result<Database*> database = world.session->OpenDatabase(copy.path() + "/" + name);
      ASSERT_TRUE(database.ok()) << name << ": " << database.status().text() << ", at " << at;
      const uint64_t transaction = world.Begin();
      found.push_back(WordOf(*world.session->GetRoot(*database)));
      Result<VerifyReport> report = VerifyDatabase((*database)->server(), (*database)->id());
      ASSERT_TRUE(report.ok() && report->ok());
      EXPECT_TRUE((*database)->server().Prepared()->empty());
      world.Commit(transaction);
    };
    if (at % 2 == 0) {
      for (const char* name : {"y", "x", "z"}) look(name);
    } else {
      for (const char* name : {"x", "z", "y"}) look(name);
    }
    if (HasFatalFailure()) return;
    EXPECT_EQ(found[0], found[1]) << "at " << at;
    EXPECT_EQ(found[0], found[2]) << "at " << at;
    if (acknowledged) {
      EXPECT_EQ(found[0], 2u) << "at " << at;
    }
    if (found[0] == 2 && !acknowledged) ++done;
    if (!run.crashed) {
      EXPECT_EQ(run.status, 0);
      break;
    }
    crashes += testing::kFaultStep;
  }
  EXPECT_GT(crashes, 10u);
  if (testing::kFaultStep == 1) {
    EXPECT_GT(done, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, SeveralStoresCrash,
                         ::testing::Values(IoFault::kCrash, IoFault::kCrashUnsynced));

}  // namespace
}  // namespace tenure::stabilize
