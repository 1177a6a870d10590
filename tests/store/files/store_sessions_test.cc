// The sessions that may reconnect to a served store.
#include "store/files/store_sessions.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "store/files/store_files.h"
#include "tests/support/crashing_page_server.h"

namespace tenure::store {
namespace {

class StoreSessionsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkdir(directory_.path().c_str(), 0700), 0); }
  std::unique_ptr<StoreSessions> Serve() {
    auto sessions = *StoreSessions::Open(directory_.path());
    EXPECT_TRUE(sessions->StartServing().ok());
    return sessions;
  }
  std::string file() const { return directory_.path() + "/" + std::string(kSessionsFile); }

  testing::TemporaryDirectory directory_;
};

TEST_F(StoreSessionsTest, AStoreThatWasNeverServedGetsNoFile) {
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 7).ok());
  EXPECT_TRUE(StoreSessions::CheckNobodyAway(directory_.path()).ok());
  EXPECT_TRUE(StoreSessions::ForgetServings(directory_.path()).ok());
  EXPECT_NE(access(file().c_str(), F_OK), 0);
}

TEST_F(StoreSessionsTest, AProgramIsAwayUntilItLetsItsLockGo) {
  uint64_t place = 0, other = 0;
  int lock, second;
  {
    const auto sessions = Serve();
    lock = sessions->Lock(1234, &place);
    second = sessions->Lock(1234, &other);
    ASSERT_GE(lock, 0);
    ASSERT_GE(second, 0);
    EXPECT_NE(place, other);
    EXPECT_TRUE(sessions->CheckNobodyAway(std::set<uint64_t>{place, other}).ok());
    EXPECT_EQ(sessions->CheckNobodyAway(std::set<uint64_t>{other}).code(), StatusCode::kInUse);
    close(second);
  }
  // The server has ended.
  const Status away = StoreSessions::CheckNobodyAway(directory_.path());
  EXPECT_EQ(away.code(), StatusCode::kInUse);
  EXPECT_EQ(away.number(), 1234);
  EXPECT_EQ(Serve()->CheckNobodyAway(std::set<uint64_t>()).code(), StatusCode::kInUse);
  close(lock);
  EXPECT_TRUE(StoreSessions::CheckNobodyAway(directory_.path()).ok());
}

TEST_F(StoreSessionsTest, TheLockCannotBeWrittenThrough) {
  uint64_t place = 0;
  const int lock = Serve()->Lock(1, &place);
  EXPECT_LT(pwrite(lock, "x", 1, 0), 0);
  close(lock);
}

TEST_F(StoreSessionsTest, WhoHasSeenNoMoreThanTheServingHadMayCome) {
  const Uuid first = Serve()->serving();
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 10).ok());
  const auto second = Serve();
  EXPECT_TRUE(second->MayComeAgain(first, 10));
  EXPECT_FALSE(second->MayComeAgain(first, 11));
  EXPECT_TRUE(second->MayComeAgain(second->serving(), 99));
  EXPECT_FALSE(second->MayComeAgain(NewUuid(), 0));
}

TEST_F(StoreSessionsTest, AnOlderStateEndsWhatCameAfterIt) {
  const Uuid first = Serve()->serving();
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 10).ok());
  // A copy of version 5 has replaced the store and has new commits.
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 5).ok());
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 20).ok());
  const auto second = Serve();
  EXPECT_TRUE(second->MayComeAgain(first, 5));
  EXPECT_FALSE(second->MayComeAgain(first, 6));
}

TEST_F(StoreSessionsTest, WhoWasServedBeforeACollectionBeginsAnew) {
  const Uuid first = Serve()->serving();
  EXPECT_TRUE(StoreSessions::NoteOpened(directory_.path(), 10).ok());
  const auto second = Serve();
  EXPECT_TRUE(second->ForgetOthers().ok());
  EXPECT_FALSE(second->MayComeAgain(first, 0));
  EXPECT_TRUE(second->MayComeAgain(second->serving(), 0));
  EXPECT_TRUE(StoreSessions::ForgetServings(directory_.path()).ok());
  EXPECT_FALSE((*StoreSessions::Open(directory_.path()))->MayComeAgain(second->serving(), 0));
}

TEST_F(StoreSessionsTest, ADamagedFileKnowsNobody) {
  const Uuid first = Serve()->serving();
  for (const size_t at : {0, 20, 30, 45}) {
    std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(byte ^ 1));
    stream.close();
    EXPECT_FALSE((*StoreSessions::Open(directory_.path()))->MayComeAgain(first, 0)) << at;
    std::fstream back(file(), std::ios::in | std::ios::out | std::ios::binary);
    back.seekp(static_cast<std::streamoff>(at));
    back.put(static_cast<char>(byte));
  }
  EXPECT_TRUE((*StoreSessions::Open(directory_.path()))->MayComeAgain(first, 0));
}

TEST_F(StoreSessionsTest, ALinkInItsPlaceIsNotFollowed) {
  ASSERT_EQ(symlink("/etc/passwd", file().c_str()), 0);
  EXPECT_FALSE(StoreSessions::Open(directory_.path()).ok());
  EXPECT_FALSE(StoreSessions::NoteOpened(directory_.path(), 1).ok());
}

}  // namespace
}  // namespace tenure::store
