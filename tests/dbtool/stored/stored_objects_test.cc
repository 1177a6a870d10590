// The tool reads one state of a served store.

#include "dbtool/stored/stored_objects.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "store/remote/remote_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"
#include "tests/support/session_world.h"

namespace tenure::dbtool {
namespace {

using store::CommitOutcome;
using store::DatabaseId;
using store::OpenMode;
using store::PageId;
using store::RemotePageServer;
using testing::CommitBuilder;
using testing::MakePage;

class BeginReadOnlyTest : public ::testing::Test {
 protected:
  std::unique_ptr<RemotePageServer> Connect() {
    return *RemotePageServer::Connect(directory_.path());
  }

  testing::TemporaryDirectory directory_;
  testing::ServedStore served_{directory_.path()};
};

// A program has a page for which the tool begins to wait. The program then commits pages with new
// numbers: in this database, and in one that the tool has read already.
TEST_F(BeginReadOnlyTest, HoldsPagesThatWereAddedWhileItWaited) {
  const auto program = Connect();
  const DatabaseId first = *program->OpenDatabase("first", OpenMode::kCreate);
  const DatabaseId second = *program->OpenDatabase("second", OpenMode::kCreate);
  const testing::PageImage image = MakePage(1);
  const PageId page = program->AllocatePages(second, 1)->first;
  const uint64_t version = CommitBuilder(*program, second).Whole(page, 0, image).Commit().version;
  ASSERT_NE(version, 0u);
  ASSERT_TRUE(program->StartTransaction().ok());
  ASSERT_TRUE(program->WantWrite(second, std::span(&page, 1)).ok());

  const auto tool = Connect();
  Status held(StatusCode::kAborted, "not yet");
  std::thread holder([&] { held = BeginReadOnly(*tool); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const PageId in_first = program->AllocatePages(first, 70)->first + 69;
  const PageId in_second = program->AllocatePages(second, 70)->first + 69;
  EXPECT_EQ(CommitBuilder(*program, first).Whole(in_first, 0, image).Commit().outcome,
            CommitOutcome::kCommitted);
  EXPECT_EQ(CommitBuilder(*program, second)
                .Whole(page, version, MakePage(2))
                .Whole(in_second, 0, image)
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  program->EndTransaction();
  holder.join();
  ASSERT_TRUE(held.ok()) << held.text();
  EXPECT_EQ(tool->MaxPage(*tool->OpenDatabase("first", OpenMode::kOpen))->number, in_first.number);
  EXPECT_EQ(tool->MaxPage(*tool->OpenDatabase("second", OpenMode::kOpen))->number,
            in_second.number);
  // The tool has locked these pages, so no program writes them any more.
  ASSERT_TRUE(program->StartTransaction().ok());
  EXPECT_EQ(program->WantWrite(first, std::span(&in_first, 1)).code(), StatusCode::kConflict);
  EXPECT_EQ(program->WantWrite(second, std::span(&in_second, 1)).code(), StatusCode::kConflict);
  program->EndTransaction();
  tool->EndTransaction();
}

// The tool began first, so by age the program would be the victim.
TEST_F(BeginReadOnlyTest, OfAToolAndAProgramThatWaitForEachOtherTheToolBeginsAgain) {
  const auto program = Connect();
  const DatabaseId database = *program->OpenDatabase("one", OpenMode::kCreate);
  const PageId first = program->AllocatePages(database, 2)->first;
  const PageId second = first + 1;
  const testing::PageImage image = MakePage(1);
  ASSERT_EQ(CommitBuilder(*program, database)
                .Whole(first, 0, image)
                .Whole(second, 0, image)
                .Commit()
                .outcome,
            CommitOutcome::kCommitted);
  program->EndTransaction();

  const OpenedStore tool = *OpenForReading(directory_.path());
  const DatabaseId seen = *tool.server->OpenDatabase("one", OpenMode::kOpen);
  ASSERT_TRUE(tool.server->StartTransaction().ok());
  ASSERT_TRUE(tool.server->WantRead(seen, std::span(&first, 1)).ok());
  ASSERT_TRUE(program->StartTransaction().ok());
  ASSERT_TRUE(program->WantWrite(database, std::span(&second, 1)).ok());
  Status of_tool;
  std::thread waits([&] {
    of_tool = tool.server->WantRead(seen, std::span(&second, 1));
    tool.server->EndTransaction();
  });
  const Status of_program = program->WantWrite(database, std::span(&first, 1));
  waits.join();
  program->EndTransaction();
  EXPECT_TRUE(of_program.ok()) << of_program.text();
  EXPECT_EQ(of_tool.code(), StatusCode::kConflict);
}

}  // namespace
}  // namespace tenure::dbtool
