#include "dbtool/stored_objects.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "stabilize/remote_page_server.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::dbtool {
namespace {

using stabilize::DatabaseId;
using stabilize::OpenMode;
using stabilize::PageId;
using stabilize::RemotePageServer;
using testing::CommitBuilder;
using testing::MakePage;

// A disk collection once saw the beginning of a large object only: its last pages were made while
// the first was waited for.
TEST(StoredObjects, WhatIsMadeWhileATransactionIsWaitedForIsHeldToo) {
  const testing::TemporaryDirectory directory;
  const testing::ServedStore served(directory.path());
  const std::unique_ptr<RemotePageServer> program = *RemotePageServer::Connect(directory.path());
  const DatabaseId database = *program->OpenDatabase("main", OpenMode::kCreate);
  ASSERT_TRUE(program->StartTransaction().ok());
  const PageId first = program->AllocatePages(database, 1)->first;
  // A transaction waits for the tool only if it has used something.
  ASSERT_EQ(CommitBuilder(*program, database).Whole(first, 0, MakePage(1)).Commit().outcome,
            stabilize::CommitOutcome::kCommitted);

  const std::unique_ptr<RemotePageServer> tool = *RemotePageServer::Connect(directory.path());
  const DatabaseId same = *tool->OpenDatabase("main", OpenMode::kOpen);
  std::atomic<bool> held = false;
  std::thread holder([&] {
    EXPECT_TRUE(HoldStill(*tool).ok());
    held = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(held);
  const stabilize::PageRun more = *program->AllocatePages(database, 3);
  program->EndTransaction();
  holder.join();

  const uint64_t before = tool->messages();
  for (uint64_t i = 0; i < more.pages; ++i) {
    const PageId page = more.first + i;
    EXPECT_TRUE(tool->WantRead(same, std::span(&page, 1)).ok());
  }
  EXPECT_EQ(tool->messages(), before);
  EXPECT_GE(tool->MaxPage(same)->number, more.first.number + more.pages - 1);
}

}  // namespace
}  // namespace tenure::dbtool
