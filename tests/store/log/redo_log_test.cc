// The redo log: damage is distinguished from the log's end, and reported with its place; a process
// that ends at any operation while a thread writes commits to the trees loses no acknowledged
// commit.
#include "store/log/redo_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include "base/crc32c.h"
#include "store/files/store_files.h"
#include "store/open.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/no_new_threads.h"
#include "tests/support/page_samples.h"

namespace tenure::store {
namespace {

using testing::Acknowledgements;
using testing::CommitBuilder;
using testing::CrashAtEach;
using testing::CrashRun;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;
using testing::RunWithFault;
using testing::TemporaryDirectory;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Status Append(RedoLog& log, uint64_t version, std::span<const std::string_view> pieces,
              std::string_view body) {
  const uint32_t checksum = Crc32c(0, std::as_bytes(std::span(body)));
  TN_RETURN_IF_ERROR(log.Write(version, version - 1, {version, 1}, pieces, checksum));
  return log.Sync();
}

// --- The file

class RedoLogFile : public ::testing::Test {
 protected:
  // Records of the commits `first` to `last`, in a log that is reused.
  void Write(uint64_t first, uint64_t last) {
    std::filesystem::create_directory(directory.path());
    RedoLog log;
    ASSERT_TRUE(log.Open(directory.path(), store).ok());
    for (uint64_t version = first; version <= last; ++version) {
      const std::string body = Body(version);
      // In pieces as well as whole.
      const std::string_view pieces[] = {std::string_view(body).substr(0, version % 3),
                                         std::string_view(body).substr(version % 3)};
      ASSERT_TRUE(Append(log, version, pieces, body).ok());
    }
  }

  static std::string Body(uint64_t version) {
    return "body of commit " + std::to_string(version) + std::string(version % 5 * 10, '.');
  }

  size_t PlaceOf(uint64_t version) {
    return ReadFile(file()).find("body of commit " + std::to_string(version));
  }

  void Damage(size_t at) {
    std::string bytes = ReadFile(file());
    ASSERT_LT(at, bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    WriteFile(file(), bytes);
  }

  // "3 4 5", the versions that are read; followed by "!" if there is damage behind them.
  std::string Read(uint64_t after) {
    const Result<RedoContents> contents = ReadRedoLog(directory.path(), store, after);
    if (!contents.ok()) return contents.status().text();
    std::string text;
    for (const RedoRecord& record : contents->records) {
      EXPECT_EQ(record.body, Body(record.version));
      text += (text.empty() ? "" : " ") + std::to_string(record.version);
    }
    damage = contents->damage;
    return contents->damage.ok() ? text : text + "!";
  }

  std::string file() const { return directory.path() + "/" + std::string(kRedoFile); }

  TemporaryDirectory directory;
  const Uuid store = NewUuid();
  Status damage;
};

TEST_F(RedoLogFile, WhatIsInTheTreesIsLeftOut) {
  EXPECT_EQ(Read(0), "");  // no file at all
  Write(3, 7);
  EXPECT_EQ(Read(2), "3 4 5 6 7");
  EXPECT_EQ(Read(5), "6 7");
  EXPECT_EQ(Read(7), "");
  EXPECT_EQ(Read(1), "!");  // commit 2 is nowhere
}

// More pieces than one system call accepts.
TEST_F(RedoLogFile, ALongBodyInManyPieces) {
  std::filesystem::create_directory(directory.path());
  std::string body(200'000, 'a');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i % 251);
  std::vector<std::string_view> pieces;
  for (size_t at = 0; at < body.size(); at += 77) {
    pieces.push_back(std::string_view(body).substr(at, 77));
    if (at % 2 == 0) pieces.emplace_back();
  }
  RedoLog log;
  ASSERT_TRUE(log.Open(directory.path(), store).ok());
  for (uint64_t version : {1, 2}) ASSERT_TRUE(Append(log, version, pieces, body).ok());
  const Result<RedoContents> contents = ReadRedoLog(directory.path(), store, 0);
  ASSERT_TRUE(contents.ok());
  ASSERT_EQ(contents->records.size(), 2u);
  for (const RedoRecord& record : contents->records) EXPECT_TRUE(record.body == body);
}

// The file may get its name before the first record; a failure of this is also reported by the
// first Sync.
TEST_F(RedoLogFile, TheNameBeforeTheFirstRecord) {
  std::filesystem::create_directory(directory.path());
  for (const bool named_before : {false, true}) {
    std::filesystem::remove(file());
    RedoLog log;
    ASSERT_TRUE(log.Open(directory.path(), store).ok());
    EXPECT_FALSE(std::filesystem::exists(file()));
    if (named_before) {
      EXPECT_TRUE(log.SyncName().ok());
      EXPECT_EQ(Read(0), "");
    }
    const std::string body = Body(1);
    const std::string_view whole[] = {body};
    ASSERT_TRUE(Append(log, 1, whole, body).ok());
    EXPECT_EQ(Read(0), "1");
  }
  std::filesystem::remove(file());
  // Syncs files that other tests have left unsynced.
  RedoLog first;
  ASSERT_TRUE(first.Open(directory.path(), store).ok());
  const std::string body = Body(1);
  const std::string_view whole[] = {body};
  ASSERT_TRUE(Append(first, 1, whole, body).ok());
  std::filesystem::remove(file());
  RedoLog log;
  ASSERT_TRUE(log.Open(directory.path(), store).ok());
  SetIoFault(IoFault::kError, 1, EIO);
  EXPECT_FALSE(log.SyncName().ok());
  EXPECT_FALSE(log.Sync().ok());
  SetIoFault(IoFault::kNone);
}

// A short record also writes zeros as room for later records; a long record has exactly its length.
TEST_F(RedoLogFile, OnlyShortRecordsMakeRoom) {
  std::filesystem::create_directory(directory.path());
  RedoLog log;
  ASSERT_TRUE(log.Open(directory.path(), store).ok());
  const std::string lengthy((1 << 20) + 5000, 'x');
  const auto append = [&](uint64_t version, std::string_view body) {
    const std::string_view whole[] = {body};
    ASSERT_TRUE(Append(log, version, whole, body).ok());
  };
  append(1, lengthy);
  const uintmax_t end = std::filesystem::file_size(file());
  EXPECT_LT(end - lengthy.size(), 200u);
  append(2, "short");
  EXPECT_EQ(std::filesystem::file_size(file()), 2u << 20);
  append(3, lengthy);
  const Result<RedoContents> contents = ReadRedoLog(directory.path(), store, 0);
  ASSERT_TRUE(contents.ok());
  EXPECT_EQ(contents->records.size(), 3u);
}

TEST_F(RedoLogFile, OlderRecordsBehindTheLastAreNoDamage) {
  Write(1, 9);
  Write(10, 12);
  EXPECT_EQ(Read(9), "10 11 12");
  EXPECT_EQ(Read(11), "12");
}

TEST_F(RedoLogFile, DamageInTheMiddleIsToldFromTheEnd) {
  // A byte of a body, a checksum, a length, a version, the durable version, a magic number; the
  // header has 48 bytes.
  for (const int offset : {0, 5, -44, -40, -32, -8, -48}) {
    SCOPED_TRACE(offset);
    std::filesystem::remove(directory.path() + "/" + std::string(kRedoFile));
    Write(1, 9);
    const size_t at = PlaceOf(5);
    Damage(at + static_cast<size_t>(static_cast<ssize_t>(offset)));
    EXPECT_EQ(Read(0), "1 2 3 4!");
    EXPECT_EQ(damage.code(), StatusCode::kCorrupt);
    const std::string text = damage.text();
    EXPECT_NE(text.find("at byte " + std::to_string(at - 48)), std::string::npos) << text;
    EXPECT_NE(text.find("commit 5 is not there, but commit 6"), std::string::npos) << text;
    EXPECT_EQ(Read(4), "!");
    // Commits that are in the trees are not needed.
    EXPECT_EQ(Read(5), "6 7 8 9");
    EXPECT_EQ(Read(7), "8 9");
  }
}

TEST_F(RedoLogFile, TheFirstAndTheLast) {
  Write(1, 3);
  const size_t first = PlaceOf(1);
  Damage(first);
  EXPECT_EQ(Read(0), "!");
  EXPECT_EQ(Read(1), "2 3");
  Damage(first);
  // As if the write had been interrupted.
  Damage(PlaceOf(3));
  EXPECT_EQ(Read(0), "1 2");
  EXPECT_EQ(Read(2), "");
}

TEST_F(RedoLogFile, AMissingPartIsDamage) {
  Write(1, 9);
  std::string bytes = ReadFile(file());
  bytes.erase(PlaceOf(4) - 48, PlaceOf(6) - PlaceOf(4));
  WriteFile(file(), bytes);
  EXPECT_EQ(Read(0), "1 2 3!");
}

// --- Records that were not durable when later ones were written

class RedoLogGroups : public RedoLogFile {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(directory.path());
    ASSERT_TRUE(log.Open(directory.path(), store).ok());
  }

  void Append(uint64_t version, uint64_t durable) {
    const std::string body = Body(version);
    const std::string_view whole[] = {body};
    const uint32_t checksum = Crc32c(0, std::as_bytes(std::span(body)));
    ASSERT_TRUE(log.Write(version, durable, {version, 1}, whole, checksum).ok());
    ASSERT_TRUE(log.Sync().ok());
  }

  RedoLog log;
};

// A crash may lose a record that was not durable and keep later ones of the same group.
TEST_F(RedoLogGroups, ALostRecordThatWasNotDurableIsTheEnd) {
  for (const uint64_t version : {1, 2, 3, 4, 5}) Append(version, version <= 2 ? version - 1 : 2);
  Damage(PlaceOf(3));
  EXPECT_EQ(Read(0), "1 2");
  EXPECT_EQ(Read(2), "");
  // Only a later record says that the lost commit was durable.
  Append(6, 5);
  EXPECT_EQ(Read(0), "1 2!");
  EXPECT_NE(std::string(damage.text()).find("commit 3 is not there, but commit 4"),
            std::string::npos)
      << damage.text();
  EXPECT_EQ(Read(2), "!");
  EXPECT_EQ(Read(3), "4 5 6");
  // The last record may be any.
  Damage(PlaceOf(6));
  EXPECT_EQ(Read(0), "1 2");
}

TEST_F(RedoLogGroups, TheFirstRecordsAreLost) {
  for (const uint64_t version : {4, 5, 6}) Append(version, 3);
  Damage(PlaceOf(4));
  EXPECT_EQ(Read(3), "");
  EXPECT_EQ(Read(4), "5 6");
  EXPECT_EQ(Read(2), "!");  // commit 3 was durable
  Append(7, 4);
  EXPECT_EQ(Read(3), "!");
}

// Commits of which only the trees have a record lie between two records.
TEST_F(RedoLogGroups, CommitsThatWentToTheTreesLeaveAGap) {
  Append(1, 0);
  Append(2, 1);
  Append(4, 2);
  Append(5, 2);
  EXPECT_EQ(Read(3), "4 5");
  EXPECT_EQ(Read(4), "5");
  // The trees have lost commit 3, which was not durable.
  EXPECT_EQ(Read(2), "");
  EXPECT_EQ(Read(0), "1 2");
  Append(6, 5);
  EXPECT_EQ(Read(0), "1 2!");
}

// The file is used again from its beginning; a crash leaves old records before a new one.
TEST_F(RedoLogGroups, OldRecordsBeforeANewOneAreNotTakenForIt) {
  for (const uint64_t version : {1, 2, 3, 4, 5}) Append(version, version - 1);
  const std::string old = ReadFile(file());
  log.Reset();
  for (const uint64_t version : {6, 7, 8}) Append(version, 5);
  std::string bytes = ReadFile(file());
  // Commits 6 and 7 are lost.
  const size_t lost = bytes.find("body of commit 8") - 48;
  bytes.replace(32, lost - 32, old, 32, lost - 32);
  WriteFile(file(), bytes);
  EXPECT_EQ(Read(5), "");
}

// Until version 2 a record was written when all before it were durable, and did not say so.
TEST_F(RedoLogGroups, ALogOfAnOlderVersionIsReadByItsRule) {
  for (const uint64_t version : {1, 2, 3, 4}) Append(version, 0);
  const std::string now = ReadFile(file());
  std::string old = now.substr(0, 32);
  old[8] = 2;
  for (size_t at = 32; now.compare(at, 4, "REDO") == 0;) {
    uint64_t length;
    std::memcpy(&length, now.data() + at + 8, sizeof length);
    std::string record = now.substr(at, 40) + now.substr(at + 48, length);
    const uint32_t checksum = Crc32c(0, std::as_bytes(std::span(record)).subspan(8));
    std::memcpy(record.data() + 4, &checksum, sizeof checksum);
    old += record;
    at += 48 + length;
  }
  WriteFile(file(), old + std::string(1000, '\0'));
  EXPECT_EQ(Read(0), "1 2 3 4");
  Damage(PlaceOf(2));
  EXPECT_EQ(Read(0), "1!");
  EXPECT_EQ(Read(2), "3 4");
  Damage(PlaceOf(4));
  Damage(PlaceOf(3));
  EXPECT_EQ(Read(0), "1");
}

// --- Pages ahead of the record of their commit

class RedoLogAhead : public RedoLogFile {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(directory.path());
    ASSERT_TRUE(log.Open(directory.path(), store).ok());
    Commit(1);
  }

  void Commit(uint64_t version) {
    const std::string body = Body(version);
    const std::string_view whole[] = {body};
    ASSERT_TRUE(Append(log, version, whole, body).ok());
  }

  // Pages of the following commit, one part each.
  void Ahead(uint64_t version, std::initializer_list<std::vector<const PageImage*>> parts) {
    for (const std::vector<const PageImage*>& part : parts) {
      std::vector<const std::byte*> pages;
      for (const PageImage* page : part) pages.push_back(page->bytes);
      ASSERT_TRUE(log.WritePrewritten(version, {version, 1}, pages).ok());
    }
  }

  static std::string_view Text(const PageImage& page) {
    return {reinterpret_cast<const char*>(page.bytes), sizeof page.bytes};
  }

  size_t PlaceOf(const PageImage& page) { return ReadFile(file()).find(Text(page)); }

  const PageImage a = MakePage(1), b = MakePage(2), c = MakePage(3);
  RedoLog log;
};

TEST_F(RedoLogAhead, TheyBelongToTheRecord) {
  Ahead(2, {{&a, &b}, {&c}});
  Commit(2);
  Commit(3);
  EXPECT_EQ(Read(0), "1 2 3");
  const Result<RedoContents> contents = ReadRedoLog(directory.path(), store, 0);
  EXPECT_EQ(contents->records[0].pages, "");
  EXPECT_TRUE(contents->records[1].pages ==
              std::string(Text(a)) + std::string(Text(b)) + std::string(Text(c)));
  EXPECT_EQ(contents->records[2].pages, "");
}

TEST_F(RedoLogAhead, WithoutTheRecordTheyCountForNothing) {
  Ahead(2, {{&a}, {&b}});
  EXPECT_EQ(Read(0), "1");
  log.DropAhead();
  Commit(2);
  EXPECT_EQ(Read(0), "1 2");
  // Pages of a commit that never came, and of another one that did.
  Ahead(3, {{&a}});
  const std::string body = Body(3);
  const std::string_view whole[] = {body};
  ASSERT_TRUE(log.Write(3, 2, {3, 2}, whole, Crc32c(0, std::as_bytes(std::span(body)))).ok());
  ASSERT_TRUE(log.Sync().ok());
  EXPECT_EQ(Read(0), "1 2 3");
  EXPECT_EQ(ReadRedoLog(directory.path(), store, 0)->records[2].pages, "");
}

// An interrupted write if no record follows, damage if one follows.
TEST_F(RedoLogAhead, WithoutOneOfThemTheRecordCountsForNothing) {
  for (const PageImage* page : {&a, &c}) {
    SCOPED_TRACE(page == &a ? "first part" : "last part");
    std::filesystem::remove(file());
    log.Close();
    ASSERT_TRUE(log.Open(directory.path(), store).ok());
    Commit(1);
    Ahead(2, {{&a, &b}, {&c}});
    Commit(2);
    const size_t at = PlaceOf(*page) + 100;
    Damage(at);
    EXPECT_EQ(Read(0), "1");
    Damage(at);
    Commit(3);
    Damage(at);
    EXPECT_EQ(Read(0), "1!");
    EXPECT_NE(std::string(damage.text()).find("commit 2 is not there, but commit 3"),
              std::string::npos);
    EXPECT_EQ(Read(2), "3");
  }
}

TEST_F(RedoLogFile, OfAnotherStoreOrNone) {
  Write(1, 3);
  EXPECT_FALSE(ReadRedoLog(directory.path(), NewUuid(), 0).ok());
  Damage(20);
  EXPECT_NE(Read(0).find("is not a redo log"), std::string::npos);
}

// --- A store with commits in its log. Pages 1 to kPages; commit n writes two of them, one partly.

constexpr uint64_t kPages = 6;
constexpr uint8_t kCommits = 25;

PageImage PageIn(uint64_t page, uint8_t state) {
  PageImage image = MakePage(page);
  for (uint8_t n = 1; n <= state; ++n) {
    if (n % kPages + 1 == page) image = MakePage(page * 100 + n);
    if (n * 7 % kPages + 1 != page) continue;
    std::memcpy(image.bytes + 10 * n, MakePage(page * 1000 + n).bytes, 300);
  }
  return image;
}

// `ahead`: the whole page is prewritten; before it another page, of a commit that does not come.
// `order`: the commit is only ordered.
CommitAnswer MakeCommit(PageServer& server, DatabaseId database, uint8_t n, bool ahead = false,
                        bool order = false) {
  CommitBuilder builder(server, database);
  const PageId whole{n % kPages + 1}, part{n * 7u % kPages + 1};
  const PageImage first = PageIn(whole.number, n), second = PageIn(part.number, n);
  const auto version = [&](PageId page) {
    return ReadPage(server, database, page)->record.version;
  };
  builder.Whole(whole, version(whole), first);
  if (part != whole) builder.Region(part, version(part), second, 10u * n, 300);
  const CommitId id = NewCommitId();
  const std::byte* const sent[] = {first.bytes};
  if (ahead) {
    if (n % 3 == 0) server.Prewrite(NewCommitId(), sent);
    if (n % 6 == 0) server.EndPrewrite();
    server.Prewrite(id, sent);
  }
  builder.Root(PersistentRef::Object(PageId{1}, 8u * (n + 1)));
  const CommitAnswer answer = order ? builder.Order(id) : builder.Commit(id);
  server.EndPrewrite();
  return answer;
}

// -1: none; -2: the store cannot be opened.
int StateOf(PageServer& server) {
  const Result<DatabaseId> database = server.OpenDatabase("main", OpenMode::kOpen);
  if (!database.ok()) return -1;
  const Result<PersistentRef> root = server.Root(*database);
  const auto state = static_cast<uint8_t>(root.ok() ? root->offset() / 8 - 1 : 0);
  for (uint64_t page = 1; page <= kPages; ++page) {
    if (!Holds(*ReadPage(server, *database, PageId{page}), PageIn(page, state))) return -1;
  }
  return state;
}

int StateOf(const std::string& path) {
  const Result<std::unique_ptr<PageServer>> server = OpenStore(path, StoreOptions());
  return server.ok() ? StateOf(**server) : -2;
}

std::unique_ptr<PageServer> Open(const std::string& path, bool thread, uint64_t lag) {
  StoreOptions options;
  options.bdb.redo = true;
  options.bdb.checkpoint_thread = thread;
  options.bdb.cache_bytes = 4 << 20;
  options.bdb.redo_lag_bytes = lag;
  options.bdb.redo_apply_seconds = 0.0005;
  Result<std::unique_ptr<PageServer>> server = OpenStore(path, options);
  return server.ok() ? *std::move(server) : nullptr;
}

void MakeStore(const std::string& path) {
  StoreOptions options;
  options.mode = OpenMode::kCreate;
  const auto server = *OpenStore(path, options);
  const DatabaseId database = *server->OpenDatabase("main", OpenMode::kCreate);
  ASSERT_TRUE(server->AllocatePages(database, kPages).ok());
  std::vector<PageImage> images;
  images.reserve(kPages);
  CommitBuilder builder(*server, database);
  for (uint64_t page = 1; page <= kPages; ++page) {
    builder.Whole(PageId{page}, 0, images.emplace_back(PageIn(page, 0)));
  }
  ASSERT_EQ(builder.Root(PersistentRef::Object(PageId{1}, 8)).Commit().outcome,
            CommitOutcome::kCommitted);
  ASSERT_TRUE(server->Close().ok());
}

TEST(RedoStore, DamageInTheMiddleStopsOpeningAndSalvageTakesWhatIsBefore) {
  TemporaryDirectory store;
  MakeStore(store.path());
  // All commits are in the log only when the process ends.
  const CrashRun run = RunWithFault(IoFault::kNone, 0, [&](Acknowledgements&) -> int {
    const auto server = Open(store.path(), false, 1 << 30);
    const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
    for (uint8_t n = 1; n <= kCommits; ++n) {
      if (MakeCommit(*server, database, n).outcome != CommitOutcome::kCommitted) _exit(1);
    }
    _exit(0);
  });
  ASSERT_EQ(run.status, 0);
  TemporaryDirectory copy;
  copy.CopyFrom(store.path());
  ASSERT_EQ(StateOf(copy.path()), kCommits);

  const std::string file = store.path() + "/REDO";
  std::string bytes = ReadFile(file);
  size_t at = 0;  // of the magic number of the eleventh record
  for (int i = 0; i < 11; ++i) at = bytes.find("REDO", at + 1);
  bytes[at + 100] = static_cast<char>(bytes[at + 100] ^ 1);
  WriteFile(file, bytes);
  for (const bool redo : {false, true}) {
    StoreOptions options;
    options.bdb.redo = redo;
    const auto opened = OpenStore(store.path(), options);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.status().code(), StatusCode::kCorrupt);
    EXPECT_NE(std::string(opened.status().text()).find("at byte " + std::to_string(at)),
              std::string::npos)
        << opened.status().text();
  }
  // The failed attempts have lost nothing.
  ASSERT_TRUE(ReadFile(file) == bytes);

  StoreOptions options;
  options.bdb.redo = options.bdb.redo_until_damage = true;
  {
    const auto opened = *OpenStore(store.path(), options);
    EXPECT_EQ(StateOf(*opened), 10);
    const DatabaseId database = *opened->OpenDatabase("main", OpenMode::kOpen);
    EXPECT_EQ(MakeCommit(*opened, database, 11).outcome, CommitOutcome::kCommitted);
  }
  // The records behind the damage do not come back.
  EXPECT_EQ(StateOf(store.path()), 11);
}

TEST(RedoStore, TheLogIsThereFromTheFirstCommitToTheEnd) {
  TemporaryDirectory store;
  MakeStore(store.path());
  const std::string file = store.path() + "/REDO";
  for (const bool commits : {false, true}) {
    const auto server = Open(store.path(), true, 1 << 20);
    const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
    EXPECT_EQ(StateOf(*server), 0);
    EXPECT_FALSE(std::filesystem::exists(file));
    if (commits) {
      EXPECT_EQ(MakeCommit(*server, database, 1).outcome, CommitOutcome::kCommitted);
      EXPECT_TRUE(std::filesystem::exists(file));
    }
    EXPECT_TRUE(server->Close().ok());
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  EXPECT_EQ(StateOf(store.path()), 1);
}

TEST(RedoStore, PagesOfACommitThatDoesNotComeLeaveNoFile) {
  TemporaryDirectory store;
  MakeStore(store.path());
  const auto server = Open(store.path(), true, 1 << 20);
  const PageImage image = MakePage(1);
  const std::byte* const sent[] = {image.bytes};
  server->Prewrite(NewCommitId(), sent);
  server->EndPrewrite();
  EXPECT_TRUE(std::filesystem::exists(store.path() + "/REDO"));
  EXPECT_TRUE(server->Close().ok());
  EXPECT_FALSE(std::filesystem::exists(store.path() + "/REDO"));
}

// The log has each page once, whether the page was prewritten or not.
TEST(RedoStore, PagesThatGoAheadAreCommittedOnce) {
  uint64_t bytes[2];
  for (const bool ahead : {false, true}) {
    TemporaryDirectory store;
    MakeStore(store.path());
    {
      const auto server = Open(store.path(), true, 1 << 30);
      const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
      const uint64_t before = server->statistics().log_bytes;
      ASSERT_EQ(MakeCommit(*server, database, 1, ahead).outcome, CommitOutcome::kCommitted);
      bytes[ahead] = server->statistics().log_bytes - before;
      EXPECT_EQ(StateOf(*server), 1);
      EXPECT_TRUE(server->Close().ok());
    }
    EXPECT_EQ(StateOf(store.path()), 1);
  }
  EXPECT_NEAR(static_cast<double>(bytes[0]), static_cast<double>(bytes[1]), 100);
}

// Without a checkpointer, too: then the committing thread does its work.
TEST(RedoStore, WithoutThreadsCommitsAreKept) {
  TemporaryDirectory store;
  MakeStore(store.path());
  {
    const testing::NoNewThreads none;
    const auto server = Open(store.path(), true, 1 << 20);
    ASSERT_NE(server, nullptr);
    const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
    for (uint8_t n = 1; n <= kCommits; ++n) {
      ASSERT_EQ(MakeCommit(*server, database, n).outcome, CommitOutcome::kCommitted);
    }
    EXPECT_TRUE(server->Close().ok());
  }
  EXPECT_EQ(StateOf(store.path()), kCommits);
}

// Pages that wait for the trees are bounded by the cache's size, even if each changes only a
// little.
TEST(RedoStore, LittleMemoryIsNotFilledWithPagesThatWait) {
  TemporaryDirectory store;
  MakeStore(store.path());
  StoreOptions options;
  options.bdb.redo = true;
  options.bdb.checkpoint_thread = false;
  options.bdb.cache_bytes = 1 << 20;  // 256 pages may wait
  const auto server = *OpenStore(store.path(), options);
  const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
  const PageImage image = MakePage(7);
  const uint64_t before = server->statistics().log_bytes;
  for (int i = 0; i < 40; ++i) {
    const PageId first = server->AllocatePages(database, 10)->first;
    CommitBuilder builder(*server, database);
    for (uint64_t page = 0; page < 10; ++page) builder.Whole(first + page, 0, image);
    ASSERT_EQ(builder.Commit().outcome, CommitOutcome::kCommitted);
  }
  // The redo log has all of them; Berkeley DB's log has the first 256 already.
  const uint64_t log = server->statistics().log_bytes - before;
  EXPECT_GT(log, (400u + 256u) * kPageRecordBytes);
  EXPECT_TRUE(server->Close().ok());
}

// The fault, and whether the redo log is used.
class GroupCrash : public ::testing::TestWithParam<std::tuple<IoFault, bool>> {};

// Several commits are ordered before the first of them is durable. A crash leaves any of their
// records: the store has a first part of the commits, and all that were durable.
TEST_P(GroupCrash, AtEveryOperation) {
  constexpr uint8_t kGroup = 4, kLast = 12;
  TemporaryDirectory before, store;
  MakeStore(before.path());
  CrashAtEach(
      {.fault = std::get<0>(GetParam())}, [&] { store.CopyFrom(before.path()); },
      [&](Acknowledgements& acknowledgements) {
        StoreOptions options;
        options.bdb.redo = std::get<1>(GetParam());
        options.bdb.checkpoint_thread = false;
        options.bdb.redo_lag_bytes = 40 << 10;
        Result<std::unique_ptr<PageServer>> opened = OpenStore(store.path(), options);
        if (!opened.ok()) return 1;
        PageServer& server = **opened;
        const DatabaseId database = *server.OpenDatabase("main", OpenMode::kOpen);
        for (uint8_t n = 1; n <= kLast; ++n) {
          const CommitAnswer answer = MakeCommit(server, database, n, n % 3 == 0, /*order=*/true);
          if (answer.outcome != CommitOutcome::kCommitted) return 2;
          if (n % kGroup != 0) continue;
          if (!server.AwaitDurable(answer.version).ok()) return 3;
          acknowledgements.Report(n);
        }
        return server.Close().ok() ? 0 : 4;
      },
      [&](const CrashRun& run, uint64_t at) {
        const int found = StateOf(store.path());
        const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
        EXPECT_TRUE(run.crashed || run.status == 0) << run.status;
        ASSERT_TRUE(found >= acknowledged && found <= acknowledged + kGroup)
            << "operation " << at << " after " << acknowledged << " commits; found " << found;
      });
}

INSTANTIATE_TEST_SUITE_P(Faults, GroupCrash,
                         ::testing::Combine(::testing::Values(IoFault::kCrashTorn,
                                                              IoFault::kCrashUnsynced,
                                                              IoFault::kCrashSomeSynced),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(testing::FaultText(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "Redo" : "Trees");
                         });

// The fault, and whether pages are prewritten.
class RedoThreadCrash : public ::testing::TestWithParam<std::tuple<IoFault, bool>> {};

// As in a program: the progress of the thread is unknown.
TEST_P(RedoThreadCrash, AtEveryOperation) {
  TemporaryDirectory before, store;
  MakeStore(before.path());
  const uint64_t crashes = CrashAtEach(
      {.fault = std::get<0>(GetParam())}, [&] { store.CopyFrom(before.path()); },
      [&](Acknowledgements& acknowledgements) {
        const auto server = Open(store.path(), true, 12 << 10);
        if (server == nullptr) return 1;
        const DatabaseId database = *server->OpenDatabase("main", OpenMode::kOpen);
        for (uint8_t n = 1; n <= kCommits; ++n) {
          const CommitAnswer answer = MakeCommit(*server, database, n, std::get<1>(GetParam()));
          if (answer.outcome != CommitOutcome::kCommitted) return 2;
          acknowledgements.Report(n);
          if (n % 3 == 0) usleep(1000);
        }
        return server->Close().ok() ? 0 : 3;
      },
      [&](const CrashRun& run, uint64_t at) {
        const int found = StateOf(store.path());
        if (!run.crashed) {
          EXPECT_EQ(run.status, 0);
          EXPECT_EQ(found, kCommits);
          return;
        }
        const int acknowledged = run.reported.empty() ? 0 : run.reported.back();
        ASSERT_TRUE(found == acknowledged || found == acknowledged + 1)
            << "operation " << at << " after " << acknowledged << " commits; found " << found;
      });
  EXPECT_GT(crashes, 3u * kCommits / 2);
}

INSTANTIATE_TEST_SUITE_P(Faults, RedoThreadCrash,
                         ::testing::Combine(::testing::Values(IoFault::kCrash, IoFault::kCrashTorn,
                                                              IoFault::kCrashUnsynced,
                                                              IoFault::kCrashHalfSynced,
                                                              IoFault::kCrashSomeSynced),
                                            ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(testing::FaultText(std::get<0>(info.param))) +
                                  (std::get<1>(info.param) ? "Ahead" : "");
                         });

}  // namespace
}  // namespace tenure::store
