// A store that this process has made and opens next: opening reuses the memory of making it, but
// only if the store is unchanged.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "store/bdb/bdb_environment.h"
#include "store/directory/store_directory.h"
#include "store/faults/io_faults.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::OpenForCrash;
using testing::PageImage;
using testing::ReadPage;
using testing::TemporaryDirectory;

constexpr PageId kPage{1};

// Options of the process that makes stores; without a thread, so that it can be forked.
StoreOptions Options() {
  StoreOptions options;
  options.bdb.checkpoint_thread = false;
  return options;
}

std::unique_ptr<PageServer> Open(const std::string& path) {
  Result<std::unique_ptr<PageServer>> server = OpenStore(path, Options());
  EXPECT_TRUE(server.ok()) << server.status().text();
  return server.ok() ? *std::move(server) : nullptr;
}

bool CommitPage(const std::string& path, uint64_t seed) {
  const std::unique_ptr<PageServer> server = Open(path);
  if (server == nullptr) return false;
  const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
  if (!database.ok() || !server->AllocatePages(*database, 1).ok()) return false;
  const PageImage image = MakePage(seed);
  return CommitBuilder(*server, *database).Whole(kPage, 0, image).Commit().outcome ==
             CommitOutcome::kCommitted &&
         server->Close().ok();
}

bool HasPage(const std::string& path, uint64_t seed) {
  const std::unique_ptr<PageServer> server = Open(path);
  if (server == nullptr) return false;
  const Result<DatabaseId> database = server->OpenDatabase("main", OpenMode::kOpen);
  return database.ok() && Holds(*ReadPage(*server, *database, kPage), MakePage(seed));
}

// The exit status of a process that does this.
int InAnotherProcess(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

// Reads, lists and look-ups.
uint64_t LooksOfOpening(const std::string& path) {
  const uint64_t before = IoLooks();
  EXPECT_NE(Open(path), nullptr);
  return IoLooks() - before;
}

TEST(MadeStore, IsOpenedWithoutItsFilesBeingRead) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  const uint64_t made = LooksOfOpening(store.path());
  const uint64_t others = LooksOfOpening(store.path());
  EXPECT_LT(made, others);
  EXPECT_TRUE(CommitPage(store.path(), 1));
  EXPECT_TRUE(HasPage(store.path(), 1));
}

TEST(MadeStore, OneThatCouldNotBeMadeConcernsNoOther) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  EXPECT_FALSE(CreateStore("/proc/store", "main", Options()).ok());
  EXPECT_TRUE(CommitPage(store.path(), 1));
  EXPECT_TRUE(HasPage(store.path(), 1));
}

TEST(MadeStore, IsForOthers) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  EXPECT_EQ(InAnotherProcess([&] { return CommitPage(store.path(), 2); }), 0);
  EXPECT_TRUE(HasPage(store.path(), 2));
}

TEST(MadeStore, IsHeldByWhoeverHasOpenedIt) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  int opened[2], done[2];
  ASSERT_EQ(pipe(opened), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::unique_ptr<PageServer> server = Open(store.path());
    char byte = server != nullptr;
    (void)!write(opened[1], &byte, 1);
    (void)!read(done[0], &byte, 1);
    _exit(0);  // a crash
  }
  char byte = 0;
  EXPECT_EQ(read(opened[0], &byte, 1), 1);
  EXPECT_EQ(byte, 1);
  EXPECT_EQ(OpenStore(store.path(), Options()).status().code(), StatusCode::kInUse);
  EXPECT_EQ(write(done[1], &byte, 1), 1);
  waitpid(child, nullptr, 0);
  for (const int fd : {opened[0], opened[1], done[0], done[1]}) close(fd);
  EXPECT_TRUE(CommitPage(store.path(), 3));
  EXPECT_TRUE(HasPage(store.path(), 3));
}

TEST(MadeStore, MayBeAnotherOneInItsPlace) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  const std::string moved = store.path() + ".moved";
  std::filesystem::rename(store.path(), moved);
  EXPECT_EQ(InAnotherProcess([&] {
              return CreateStore(store.path(), "main", Options()).ok() &&
                     CommitPage(store.path(), 4);
            }),
            0);
  EXPECT_TRUE(HasPage(store.path(), 4));
  EXPECT_TRUE(CommitPage(moved, 5));
  EXPECT_TRUE(HasPage(moved, 5));
}

TEST(MadeStore, MayHaveFilesThatOthersHavePutThere) {
  TemporaryDirectory store, copy;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  copy.CopyFrom(store.path());
  EXPECT_EQ(InAnotherProcess([&] { return CommitPage(copy.path(), 6); }), 0);
  for (const auto& entry : std::filesystem::directory_iterator(copy.path())) {
    const std::filesystem::path name = entry.path().filename();
    if (name == "LOCK") continue;
    std::filesystem::copy_file(entry.path(), std::filesystem::path(store.path()) / name,
                               std::filesystem::copy_options::overwrite_existing);
  }
  EXPECT_TRUE(HasPage(store.path(), 6));
}

TEST(MadeStore, OneIsRemembered) {
  TemporaryDirectory first, second;
  ASSERT_TRUE(CreateStore(first.path(), "main", Options()).ok());
  ASSERT_TRUE(CreateStore(second.path(), "main", Options()).ok());
  EXPECT_TRUE(CommitPage(first.path(), 7));
  EXPECT_TRUE(CommitPage(second.path(), 8));
  EXPECT_TRUE(HasPage(first.path(), 7));
  EXPECT_TRUE(HasPage(second.path(), 8));
}

TEST(MadeStore, NothingIsWrittenWhenItIsForgotten) {
  TemporaryDirectory first, second;
  const auto operations = [](const std::string& path) {
    const uint64_t before = IoOperations();
    EXPECT_TRUE(CreateStore(path, "main", Options()).ok());
    return IoOperations() - before;
  };
  const uint64_t alone = operations(first.path());
  EXPECT_EQ(operations(second.path()), alone);
}

TEST(MadeStore, IsOpenedAnewWithOtherOptions) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  const std::unique_ptr<PageServer> server = OpenForCrash(store.path(), OpenMode::kOpen, true);
  ASSERT_NE(server, nullptr);
  EXPECT_TRUE(server->OpenDatabase("main", OpenMode::kOpen).ok());
}

// A log that has been synced without a change in it: what MARK says of it and what is left of it
// after the closing fit together.
TEST(ClosedStore, OpensAfterALogWithoutChangesWasSynced) {
  TemporaryDirectory store;
  ASSERT_TRUE(CreateStore(store.path(), "main", Options()).ok());
  ASSERT_TRUE(CommitPage(store.path(), 7));
  for (int times = 0; times < 3; ++times) {
    Result<StoreDirectory> directory = StoreDirectory::Lock(store.path(), OpenMode::kOpen);
    ASSERT_TRUE(directory.ok()) << directory.status().text();
    Result<std::unique_ptr<BdbEnvironment>> environment =
        BdbEnvironment::Open(*directory, Options().bdb);
    ASSERT_TRUE(environment.ok()) << environment.status().text();
    const auto tree = (*environment)->OpenTree("main.db");
    ASSERT_TRUE(tree.ok());
    ASSERT_TRUE((*environment)->Flush().ok());
    (*environment)->CloseTree(*tree);
    ASSERT_TRUE((*environment)->Close().ok());
    directory->Unlock(/*clean=*/true);
  }
  EXPECT_TRUE(HasPage(store.path(), 7));
}

}  // namespace
}  // namespace tenure::store
