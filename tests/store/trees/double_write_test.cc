#include "store/trees/double_write.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "store/faults/io_faults.h"
#include "store/files/store_files.h"
#include "store/trees/tree_io.h"
#include "tests/support/crashing_page_server.h"

namespace tenure::store {
namespace {

using testing::TemporaryDirectory;

constexpr size_t kPage = 64 << 10;

// Uses a file of a store as Berkeley DB does.
class DoubleWriteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mkdir(directory_.path().c_str(), 0700), 0);
    pages_ = std::make_unique<DoubleWrite>(directory_.path());
  }

  std::string PathOf(std::string_view name) const {
    return directory_.path() + "/" + std::string(name);
  }
  int Open(const std::string& name) {
    return TreeOpen(PathOf(name).c_str(), O_RDWR | O_CREAT, 0600);
  }
  static void Write(int fd, size_t page, char content) {
    const std::string bytes(kPage, content);
    ASSERT_EQ(TreeWrite(fd, bytes.data(), kPage, static_cast<off_t>(page * kPage)),
              static_cast<ssize_t>(kPage));
  }
  static char Read(int fd, size_t page) {
    std::string bytes(kPage, '?');
    const ssize_t count = TreeRead(fd, bytes.data(), kPage, static_cast<off_t>(page * kPage));
    if (count != static_cast<ssize_t>(kPage)) return '-';
    return bytes == std::string(kPage, bytes[0]) ? bytes[0] : 'x';
  }
  std::string Contents(const std::string& name) const {
    std::ifstream file(PathOf(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Put(const std::string& name, const std::string& contents) const {
    std::ofstream(PathOf(name), std::ios::binary) << contents;
  }
  // The process ends without closing: only DOUBLEWRITE has the pages.
  void Abandon() { pages_ = nullptr; }

  TemporaryDirectory directory_;
  std::unique_ptr<DoubleWrite> pages_;
};

TEST_F(DoubleWriteTest, ReadsAreAnsweredWithPagesThatAreNotInTheirPlaces) {
  const int fd = Open("a.db");
  Write(fd, 0, 'a');
  Write(fd, 1, 'b');
  EXPECT_EQ(Contents("a.db"), "");
  EXPECT_EQ(Read(fd, 0), 'a');
  EXPECT_EQ(Read(fd, 1), 'b');
  EXPECT_EQ(Read(fd, 2), '-');
  Write(fd, 1, 'c');
  EXPECT_EQ(Read(fd, 1), 'c');
  ASSERT_EQ(TreeSync(fd), 0);
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'a') + std::string(kPage, 'c'));
  close(fd);
}

TEST_F(DoubleWriteTest, ABatchGoesToItsPlacesWithoutASync) {
  const int fd = Open("a.db");
  for (size_t page = 0; page < kDoubleWriteBatchBytes / kPage; ++page) Write(fd, page, 'a');
  EXPECT_EQ(Contents("a.db").size(), kDoubleWriteBatchBytes);
  close(fd);
}

TEST_F(DoubleWriteTest, WhatIsHalfWrittenIsRestored) {
  const int fd = Open("a.db"), other = Open("b.db");
  for (size_t page = 0; page < 3; ++page) Write(fd, page, 'a');
  ASSERT_EQ(TreeSync(fd), 0);
  Write(fd, 1, 'b');
  Write(other, 0, 'c');
  ASSERT_EQ(pages_->Settle(), 0);
  Write(fd, 2, 'd');  // never leaves memory
  Abandon();
  close(fd);
  close(other);
  std::string torn = Contents("a.db");
  torn.replace(kPage + kPage / 2, kPage / 2, kPage / 2, '#');
  Put("a.db", torn);
  Put("b.db", "");
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_EQ(Contents("a.db"),
            std::string(kPage, 'a') + std::string(kPage, 'b') + std::string(kPage, 'a'));
  EXPECT_EQ(Contents("b.db"), std::string(kPage, 'c'));
  EXPECT_EQ(Contents(std::string(kDoubleWriteFile)), "");
}

TEST_F(DoubleWriteTest, RecordsFromBeforeTheLastSyncAreLeftOut) {
  const int fd = Open("a.db");
  for (size_t page = 0; page < 4; ++page) Write(fd, page, 'a');
  ASSERT_EQ(TreeSync(fd), 0);
  Write(fd, 0, 'b');
  ASSERT_EQ(pages_->Settle(), 0);  // over the first of four records
  Abandon();
  close(fd);
  Put("a.db", std::string(4 * kPage, '#'));
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'b') + std::string(3 * kPage, '#'));
}

// A page that was written twice since the last sync has two records: the older record must not be
// restored even if the records behind it are cut off or overwritten.
TEST_F(DoubleWriteTest, NoRecordCountsWhenAllIsInItsPlace) {
  for (const size_t batches :
       {2, 12}) {  // the second batch is longer than the kept part of the file
    const int fd = Open("a.db");
    const size_t pages = kDoubleWriteBatchBytes / kPage;
    for (size_t batch = 0; batch < batches; ++batch) {
      for (size_t page = 0; page < pages; ++page) Write(fd, page, static_cast<char>('a' + batch));
    }
    ASSERT_EQ(TreeSync(fd), 0);
    Abandon();
    close(fd);
    const std::string last(kDoubleWriteBatchBytes, static_cast<char>('a' + batches - 1));
    ASSERT_TRUE(Contents("a.db") == last);  // not printed when it is not
    ASSERT_GT(Contents(std::string(kDoubleWriteFile)).size(), kDoubleWriteBatchBytes);
    ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
    EXPECT_TRUE(Contents("a.db") == last) << batches;
    pages_ = std::make_unique<DoubleWrite>(directory_.path());
  }
}

// Not all of a batch that a power failure interrupts is at the beginning of the file.
TEST_F(DoubleWriteTest, ABatchThatIsHalfThereBringsNothingBack) {
  const int fd = Open("a.db");
  for (const char content : {'a', 'b'}) {
    for (size_t page = 0; page < 3; ++page) Write(fd, page, content);
    ASSERT_EQ(pages_->Settle(), 0);
  }
  ASSERT_EQ(TreeSync(fd), 0);
  const std::string old = Contents(std::string(kDoubleWriteFile));
  for (size_t page = 0; page < 4; ++page) Write(fd, page, 'c');
  ASSERT_EQ(pages_->Settle(), 0);
  Abandon();
  close(fd);
  std::string mixed = Contents(std::string(kDoubleWriteFile));
  const size_t record = old.size() / 6;
  mixed.replace(0, record, old, 0, record);
  Put(std::string(kDoubleWriteFile), mixed);
  const std::string places(3 * kPage, 'b');
  Put("a.db", places);
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_TRUE(Contents("a.db") == places);
}

TEST_F(DoubleWriteTest, ARecordThatIsNotWholeIsTheEnd) {
  const int fd = Open("a.db");
  for (size_t page = 0; page < 3; ++page) Write(fd, page, 'a');
  ASSERT_EQ(pages_->Settle(), 0);
  Abandon();
  close(fd);
  const std::string records = Contents(std::string(kDoubleWriteFile));
  for (const bool cut : {true, false}) {
    std::string damaged = records;
    if (cut) {
      damaged.resize(records.size() - 1);
    } else {
      damaged[records.size() - 1] ^= 1;
    }
    Put(std::string(kDoubleWriteFile), damaged);
    Put("a.db", std::string(3 * kPage, '#'));
    ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
    EXPECT_EQ(Contents("a.db"), std::string(2 * kPage, 'a') + std::string(kPage, '#'));
  }
}

// Each session numbers generations from the beginning, so useless records must be removed before
// another session's first ones.
TEST_F(DoubleWriteTest, RecordsOfAnInterruptedStartAreForgotten) {
  int fd = Open("a.db");
  for (size_t page = 0; page < 3; ++page) Write(fd, page, 'a');
  ASSERT_EQ(TreeSync(fd), 0);
  Abandon();
  close(fd);
  std::string records = Contents(std::string(kDoubleWriteFile));
  records[100] ^= 1;
  Put(std::string(kDoubleWriteFile), records);
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());

  pages_ = std::make_unique<DoubleWrite>(directory_.path());
  fd = Open("a.db");
  Write(fd, 0, 'b');
  ASSERT_EQ(pages_->Settle(), 0);
  Abandon();
  close(fd);
  Put("a.db", std::string(3 * kPage, '#'));
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'b') + std::string(2 * kPage, '#'));
}

TEST_F(DoubleWriteTest, NoRecordOutlivesAChangeOfFiles) {
  const int fd = Open("a.db"), other = Open("b.db");
  Write(fd, 0, 'a');
  Write(other, 0, 'b');
  ASSERT_EQ(pages_->Settle(), 0);
  ASSERT_EQ(TreeUnlink(PathOf("a.db").c_str()), 0);
  EXPECT_EQ(Contents(std::string(kDoubleWriteFile)), "");
  EXPECT_EQ(Contents("b.db"), std::string(kPage, 'b'));

  Write(other, 0, 'c');
  ASSERT_EQ(TreeRename(PathOf("b.db").c_str(), PathOf("c.db").c_str()), 0);
  EXPECT_EQ(Contents("c.db"), std::string(kPage, 'c'));
  Write(other, 0, 'd');
  ASSERT_EQ(pages_->Settle(), 0);
  Abandon();
  close(fd);
  close(other);
  Put("b.db", "new");
  Put("c.db", std::string(kPage, '#'));
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_EQ(Contents("b.db"), "new");
  EXPECT_EQ(Contents("c.db"), std::string(kPage, 'd'));
}

TEST_F(DoubleWriteTest, CloseLeavesEverythingInItsPlaceAndNoRecords) {
  const int fd = Open("a.db");
  Write(fd, 0, 'a');
  close(fd);
  ASSERT_TRUE(pages_->Close().ok());
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'a'));
  EXPECT_EQ(Contents(std::string(kDoubleWriteFile)), "");
}

TEST_F(DoubleWriteTest, AnErrorIsReportedAndPagesAreKept) {
  const int fd = Open("a.db");
  Write(fd, 0, 'a');
  for (uint64_t at = 1; at <= 4; ++at) {
    SetIoFault(IoFault::kError, at, ENOSPC);
    EXPECT_EQ(TreeSync(fd), ENOSPC) << "operation " << at;
    EXPECT_EQ(Read(fd, 0), 'a');
    SetIoFault(IoFault::kNone);
  }
  ASSERT_EQ(TreeSync(fd), 0);
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'a'));
  close(fd);
}

// A full disk: the beginning of DOUBLEWRITE has room, and pages have places.
TEST_F(DoubleWriteTest, StartsAnewWhenThereIsNoSpace) {
  const int fd = Open("a.db");
  Write(fd, 0, 'a');
  ASSERT_EQ(pages_->Settle(), 0);
  Write(fd, 0, 'b');
  SetIoFault(IoFault::kError, 1, ENOSPC);
  EXPECT_EQ(pages_->Settle(), 0);
  SetIoFault(IoFault::kNone);
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'b'));
  EXPECT_LT(Contents(std::string(kDoubleWriteFile)).size(), 2 * kPage);
  close(fd);
}

// A page whose place was half written when the disk was full is not lost either: its record stays
// until the page is written.
TEST_F(DoubleWriteTest, APlaceIsWrittenAgainBeforeItsRecordIsForgotten) {
  const int fd = Open("a.db");
  Write(fd, 0, 'a');
  SetIoFault(IoFault::kError, 4, ENOSPC);  // DOUBLEWRITE is made, written, synced; then the place
  EXPECT_EQ(pages_->Settle(), -1);
  const std::string recorded = Contents(std::string(kDoubleWriteFile));
  ASSERT_GT(recorded.size(), kPage);
  Write(fd, 1, 'b');
  SetIoFault(IoFault::kError, 1, ENOSPC);
  EXPECT_EQ(pages_->Settle(), -1);
  EXPECT_EQ(Contents(std::string(kDoubleWriteFile)), recorded);
  SetIoFault(IoFault::kNone);
  ASSERT_EQ(pages_->Settle(), 0);
  EXPECT_EQ(Contents("a.db"), std::string(kPage, 'a') + std::string(kPage, 'b'));
  close(fd);
}

TEST_F(DoubleWriteTest, PagesForWhichThereIsNoSpaceStayInMemory) {
  const int fd = Open("a.db");
  const size_t pages = 3 * kDoubleWriteBatchBytes / kPage;
  SetIoFault(IoFault::kWritesFail, 1, ENOSPC);
  for (size_t page = 0; page < pages; ++page) Write(fd, page, 'a');
  EXPECT_EQ(Read(fd, 0), 'a');
  EXPECT_EQ(TreeSync(fd), ENOSPC);
  SetIoFault(IoFault::kNone);
  ASSERT_EQ(TreeSync(fd), 0);
  EXPECT_TRUE(Contents("a.db") == std::string(pages * kPage, 'a'));
  close(fd);
}

// However many pages are written between two syncs.
TEST_F(DoubleWriteTest, TheFileIsBounded) {
  const int fd = Open("a.db");
  const size_t pages = kDoubleWriteBatchBytes / kPage;
  for (size_t batch = 0; batch < 60; ++batch) {
    for (size_t page = 0; page < pages; ++page) Write(fd, page, static_cast<char>('a' + batch));
  }
  EXPECT_LT(Contents(std::string(kDoubleWriteFile)).size(), 100u << 20);
  Abandon();
  close(fd);
  const std::string last = Contents("a.db");
  ASSERT_TRUE(RestoreTornPages(directory_.path()).ok());
  EXPECT_TRUE(Contents("a.db") == last);
}

TEST_F(DoubleWriteTest, OtherFilesAreLeftAlone) {
  const int log = Open("log.0000000001");
  const std::string bytes(100, 'l');
  ASSERT_EQ(TreeWrite(log, bytes.data(), bytes.size(), 0), 100);
  EXPECT_EQ(Contents("log.0000000001"), bytes);
  EXPECT_FALSE(pages_->HasPages({}));
  EXPECT_NE(access(PathOf(kDoubleWriteFile).c_str(), F_OK), 0);
  close(log);
}

}  // namespace
}  // namespace tenure::store
