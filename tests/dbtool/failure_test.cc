// Commands that rewrite or copy stores, with a failure of each file operation in turn: the command
// reports the failure, and the store afterwards is intact, with its old or its new contents.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>

#include "dbtool/change/upgrade.h"
#include "dbtool/collect/collect.h"
#include "dbtool/collect/compact.h"
#include "dbtool/move/exchange.h"
#include "dbtool/stored/copies.h"
#include "store/faults/io_faults.h"
#include "store/open.h"
#include "store/server/verifier.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/stored_graph.h"

namespace tenure::dbtool {
namespace {

using store::IoFault;
using store::OpenMode;
using testing::Acknowledgements;
using testing::CrashRun;
using testing::OpenForCrash;
using testing::RandomGraph;
using testing::RunWithFault;
using testing::TemporaryDirectory;
using testing::Traverse;

enum class Work { kCollect, kCompact, kUpgrade, kImport, kBackup };
enum class Failing { kNoSpaceOnce, kNoSpaceEver, kErrorOnce, kErrorEver };

const std::vector<size_t> kExported = {4};
constexpr size_t kObjects = 240, kReachable = 120;

Result<OpenedStore> OpenQuietly(const std::string& path) {
  store::StoreOptions options;
  options.mode = OpenMode::kOpen;
  options.bdb.checkpoint_thread = false;  // the same operations in every run
  Result<std::unique_ptr<store::PageServer>> server = store::OpenStore(path, options);
  if (!server.ok()) return server.status();
  Result<StoredTypes> types = StoredTypes::Read(**server);
  if (!types.ok()) return types.status();
  return OpenedStore{*std::move(server), *std::move(types)};
}

// The graph's types; one has an additional field.
std::vector<ProgramType> NewTypes() {
  ProgramType small, large;
  small.type = *ParseType(0,
                          "fingerprint 0000000000000003\nname Test.Small\nkind ref\npayload 32\n"
                          "slots 8 2 8 0\nfield 0 64 number INTEGER\nfield 64 64 left Small\n"
                          "field 128 64 right Small\nfield 192 64 more INTEGER\nend\n");
  small.defaults.resize(32);
  small.defaults[24] = std::byte{7};
  large.type = *ParseType(0,
                          "fingerprint 0000000000000002\nname Test.Large\nkind ref\npayload 0\n"
                          "open 1 8\nelement-slots 0 1 8 0\nend\n");
  return {small, large};
}

class Failure : public ::testing::TestWithParam<std::tuple<Work, Failing>> {
 protected:
  static Work work() { return std::get<0>(GetParam()); }

  void SetUp() override {
    {
      const auto server = OpenForCrash(before.path(), OpenMode::kCreate);
      ASSERT_NE(server, nullptr);
      ASSERT_TRUE(testing::StoreGraph(*server, nodes, kExported).ok());
      ASSERT_TRUE(server->Close().ok());
    }
    Result<OpenedStore> store = OpenForReading(before.path());
    ASSERT_TRUE(store.ok());
    exported = before.path() + ".json";
    FILE* const file = fopen(exported.c_str(), "w");
    ASSERT_TRUE(Export(*store, "main", file).ok());
    fclose(file);
    ASSERT_TRUE(store->server->Close().ok());
  }

  // New directories for a run.
  void Prepare() {
    store.CopyFrom(before.path());
    target = store.path() + ".target";
    std::filesystem::remove_all(target);
  }

  Status Run() {
    switch (work()) {
      case Work::kImport: {
        FILE* const file = fopen(exported.c_str(), "r");
        const Status status = Import(target, {{"main", file, "the lines"}}).status();
        fclose(file);
        return status;
      }
      case Work::kBackup: return CopyStore(store.path(), target);  // and restore
      default: break;
    }
    Result<OpenedStore> opened = OpenQuietly(store.path());
    if (!opened.ok()) return opened.status();
    if (work() == Work::kCompact) return Rewrite(*opened, {"main"}, RewriteOptions{3}).status();
    if (work() == Work::kUpgrade) return Upgrade(*opened, {"main"}, NewTypes()).status();
    const Status status = Collect(*opened, "main", {2}).status();
    const Status closed = opened->server->Close();
    return status.ok() ? closed : status;
  }

  // The number of objects in the database, which must be intact and equal to the graph; no value if
  // there is no database.
  std::optional<uint64_t> Whole(const std::string& path, bool upgraded = false) {
    const Result<OpenedStore> opened = OpenQuietly(path);
    if (!opened.ok()) {
      EXPECT_EQ(opened.status().code(), StatusCode::kNotFound) << opened.status().text();
      return std::nullopt;
    }
    store::PageServer& server = *opened->server;
    const Result<store::DatabaseId> database = server.OpenDatabase("main", OpenMode::kOpen);
    if (!database.ok()) return std::nullopt;
    const auto report = store::VerifyDatabase(server, *database);
    if (!report.ok() || !report->ok()) {
      ADD_FAILURE() << (report.ok() ? report->problems.front() : report.status().text());
      return std::nullopt;
    }
    EXPECT_EQ(Traverse(server, "main"), Traverse(nodes, kExported));
    uint64_t old_ones = 0, new_ones = 0;
    WalkTotals totals;
    const Result<store::DatabaseId> again = server.OpenDatabase("main", OpenMode::kOpen);
    EXPECT_TRUE(ForEachObject(server, *again, opened->types, &totals, [&](const StoredObject& it) {
                  (it.payload.size() == 32 ? new_ones : old_ones) += it.type->name == "Test.Small";
                  return true;
                }).ok());
    EXPECT_TRUE(old_ones == 0 || new_ones == 0);  // all or nothing
    EXPECT_EQ(new_ones != 0, upgraded);
    return report->objects;
  }

  void Check(bool done) {
    // No temporary files of the command are left.
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(store.path()).parent_path())) {
      EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
    }
    struct stat info;
    switch (work()) {
      case Work::kImport: {
        const auto objects = Whole(target);
        if (done) {
          EXPECT_EQ(objects, kObjects);
        }
        if (objects) {
          EXPECT_EQ(*objects, kObjects);
        }
        // Without the fault the command succeeds.
        if (!objects) {
          FILE* const file = fopen(exported.c_str(), "r");
          const auto totals = Import(target, {{"main", file, "the lines"}});
          fclose(file);
          EXPECT_TRUE(totals.ok()) << totals.status().text();
        }
        return;
      }
      case Work::kBackup:  // and restore
        EXPECT_EQ(Whole(store.path()), kObjects);
        if (stat(target.c_str(), &info) == 0) {
          EXPECT_EQ(Whole(target), kObjects);
        } else {
          EXPECT_FALSE(done);
          EXPECT_TRUE(CopyStore(store.path(), target).ok());
        }
        return;
      case Work::kCollect: {
        const auto objects = Whole(store.path());
        ASSERT_TRUE(objects);
        if (done) {
          EXPECT_EQ(objects, kReachable);
        }
        EXPECT_TRUE(*objects >= kReachable && *objects <= kObjects);
        break;
      }
      case Work::kCompact:
      case Work::kUpgrade: {
        const Result<OpenedStore> opened = OpenQuietly(store.path());
        ASSERT_TRUE(opened.ok()) << opened.status().text();
        const auto database = opened->server->OpenDatabase("main", OpenMode::kOpen);
        const uint64_t objects = store::VerifyDatabase(*opened->server, *database)->objects;
        ASSERT_TRUE(opened->server->Close().ok());
        EXPECT_TRUE(objects == kReachable || (objects == kObjects && !done)) << objects;
        EXPECT_EQ(Whole(store.path(), work() == Work::kUpgrade && objects == kReachable), objects);
        EXPECT_NE(stat((store.path() + "/main.db.new").c_str(), &info), 0);
        EXPECT_NE(stat((store.path() + "/SWITCH").c_str(), &info), 0);
        break;
      }
    }
    EXPECT_TRUE(Run().ok());
  }

  const std::vector<testing::GraphNode> nodes = RandomGraph(7, kObjects);
  TemporaryDirectory before, store;
  std::string exported, target;
};

TEST_P(Failure, AtEveryOperation) {
  const Failing failing = std::get<1>(GetParam());
  const bool ever = failing == Failing::kNoSpaceEver || failing == Failing::kErrorEver;
  const bool space = failing == Failing::kNoSpaceOnce || failing == Failing::kNoSpaceEver;
  uint64_t failures = 0;
  for (uint64_t at = 1;; at += testing::kFaultStep) {
    SCOPED_TRACE("operation " + std::to_string(at));
    Prepare();
    ASSERT_LT(at, 2000u);
    enum : int { kDone = 0, kNeverReached, kSaid, kSaidNothing, kWrongCode };
    const CrashRun run = RunWithFault(IoFault::kNone, 0, [&](Acknowledgements&) -> int {
      const uint64_t start = store::IoOperations();
      store::SetIoFault(ever ? IoFault::kErrorForever : IoFault::kError, at, space ? ENOSPC : EIO);
      const Status status = Run();
      if (status.ok()) {
        return store::IoOperations() - start < at ? kNeverReached : kDone;
      }
      const std::string text = status.text();
      if (text.find('/') == std::string::npos && text.find("database") == std::string::npos) {
        fprintf(stderr, "operation %d: %s\n", static_cast<int>(at), text.c_str());
        return kSaidNothing;
      }
      if (status.code() == StatusCode::kIo || status.code() == StatusCode::kNoSpace) return kSaid;
      fprintf(stderr, "operation %d: %s\n", static_cast<int>(at), text.c_str());
      return kWrongCode;
    });
    ASSERT_GE(run.status, 0) << "died of a signal";
    ASSERT_TRUE(run.status <= kSaid) << run.status;
    Check(run.status != kSaid);
    ASSERT_FALSE(HasFailure());
    if (run.status == kNeverReached) break;
    if (run.status == kSaid) failures += testing::kFaultStep;
  }
  EXPECT_GT(failures, 10u);
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<Work, Failing>>& info) {
  constexpr const char* kWorks[] = {"Collect", "Compact", "Upgrade", "Import", "Backup"};
  constexpr const char* kFailings[] = {"NoSpaceOnce", "NoSpaceEver", "ErrorOnce", "ErrorEver"};
  return std::string(kWorks[static_cast<int>(std::get<0>(info.param))]) +
         kFailings[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Failure,
    ::testing::Combine(::testing::Values(Work::kCollect, Work::kCompact, Work::kUpgrade,
                                         Work::kImport, Work::kBackup),
                       ::testing::Values(Failing::kNoSpaceOnce, Failing::kNoSpaceEver,
                                         Failing::kErrorOnce, Failing::kErrorEver)),
    NameOf);

}  // namespace
}  // namespace tenure::dbtool
