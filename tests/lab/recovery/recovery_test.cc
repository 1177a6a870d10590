// The recovery study: the records that schemes log, the atomicity of transactions, and the restart
// from a log.
#include <gtest/gtest.h>

#include <bitset>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lab/recovery/cell.h"
#include "lab/recovery/log_record.h"
#include "lab/recovery/protocol.h"
#include "lab/recovery/server.h"
#include "lab/support/device.h"
#include "lab/support/lab_store.h"
#include "store/open.h"

namespace tenure::lab::recovery {
namespace {

// A page with objects of these lengths.
std::vector<std::byte> PageWith(const std::vector<uint32_t>& lengths) {
  std::vector<std::byte> page(kPageBytes);
  size_t at = 0;
  for (const uint32_t length : lengths) {
    const ObjectHead head{length, ObjectKind::kOther};
    std::memcpy(page.data() + at, &head, sizeof head);
    at += length;
  }
  const ObjectHead rest{static_cast<uint32_t>(kPageBytes - at), ObjectKind::kFiller};
  std::memcpy(page.data() + at, &rest, sizeof rest);
  return page;
}

std::vector<std::pair<size_t, size_t>> Regions(const std::vector<std::byte>& page,
                                               const std::vector<size_t>& changed_at) {
  std::bitset<kPageWords> changed;
  for (const size_t at : changed_at) changed.set(at / kWordBytes);
  std::vector<std::pair<size_t, size_t>> found;
  ForEachRegion(page.data(), changed,
                [&](size_t begin, size_t end) { found.emplace_back(begin, end); });
  return found;
}

using Pairs = std::vector<std::pair<size_t, size_t>>;

TEST(RegionsTest, JoinWhereOneRecordIsShorterThanTwo) {
  const std::vector<std::byte> page = PageWith({400});
  // The paper's example: the first and the third word.
  EXPECT_EQ(Regions(page, {8, 16}), (Pairs{{8, 20}}));
  // 2 x 24 is at most 50, 2 x 28 is more.
  EXPECT_EQ(Regions(page, {8, 36}), (Pairs{{8, 40}}));
  EXPECT_EQ(Regions(page, {8, 40}), (Pairs{{8, 12}, {40, 44}}));
  EXPECT_EQ(Regions(page, {8, 12, 16}), (Pairs{{8, 20}}));
  EXPECT_EQ(Regions(page, {}), Pairs{});
}

TEST(RegionsTest, DoNotSpanObjects) {
  const std::vector<std::byte> page = PageWith({40, 40, 80});
  EXPECT_EQ(Regions(page, {36, 48}), (Pairs{{36, 40}, {48, 52}}));
  EXPECT_EQ(Regions(page, {84, 100}), (Pairs{{84, 104}}));
  EXPECT_EQ(Regions(page, {12, 200}), (Pairs{{12, 16}, {200, 204}}));
}

TEST(DeviceTest, TakesTheTimeOfItsModel) {
  EXPECT_FALSE(DeviceNamed("drum"));
  const DeviceModel model = *DeviceNamed("1995");
  EXPECT_DOUBLE_EQ(model.Microseconds(1000), 15400);
  Device device(*DeviceNamed("none"));
  device.Do(5);
  device.Do(7);
  EXPECT_EQ(device.operations(), 2u);
  EXPECT_EQ(device.bytes(), 12u);
}

class RecoveryTest : public ::testing::TestWithParam<Scheme> {
 protected:
  static void SetUpTestSuite() {
    made = new LabStore("");
    pages = MakeStore(made->path(), Size::kSmall, Placement::kCreation);
  }
  static void TearDownTestSuite() { delete std::exchange(made, nullptr); }
  void SetUp() override { std::filesystem::copy(made->path(), folder_.path()); }

  CellOptions Cell() const {
    CellOptions cell;
    cell.store = folder_.path();
    cell.module_pages = pages;
    cell.client.scheme = GetParam();
    cell.transactions = 2;
    cell.server.log_device = cell.server.data_device = *DeviceNamed("none");
    cell.server.log_file = folder_.path() + ".log";
    return cell;
  }

  static LabStore* made;
  static size_t pages;
  LabStore folder_{""};
};

LabStore* RecoveryTest::made;
size_t RecoveryTest::pages;

TEST_P(RecoveryTest, EachUpdateOfATransactionIsInTheStore) {
  CellOptions cell = Cell();
  const CellResult plenty = RunCell(cell);
  EXPECT_EQ(plenty.count, 2187u);
  EXPECT_TRUE(plenty.sums_right);
  EXPECT_EQ(plenty.first.early, 0u);
  EXPECT_EQ(plenty.first.replaced, 0u);
  // Little memory at the clients and at the server: pages and records are shipped early, and pages
  // are written to their places before their transaction commits.
  cell.clients = 2;
  cell.client.pool_pages = 300;
  cell.client.recovery_bytes = 20 * kPageBytes;
  cell.server.pool_pages = 500;
  cell.server.checkpoint_bytes = 1 << 20;
  const CellResult little = RunCell(cell);
  EXPECT_EQ(little.count, 2187u);
  EXPECT_TRUE(little.sums_right);
  EXPECT_GT(little.first.replaced, 0u);
  EXPECT_LE(little.first.most_copied, cell.client.recovery_bytes);
  EXPECT_GE(little.first.log_bytes, plenty.first.log_bytes);
}

TEST_P(RecoveryTest, AKilledServerLosesNothingThatWasAcknowledged) {
  CellOptions cell = Cell();
  cell.clients = 2;
  cell.client.pool_pages = 700;
  cell.client.recovery_bytes = 64 * kPageBytes;
  cell.server.pool_pages = 900;
  cell.server.checkpoint_bytes = 4 << 20;
  const CrashResult result = RunCrash(cell, 20000);
  for (size_t i = 0; i < cell.clients; ++i) {
    EXPECT_GE(result.found[i], result.acknowledged[i]);
    EXPECT_LE(result.found[i], result.acknowledged[i] + 1);
  }
  EXPECT_TRUE(result.whole);
}

INSTANTIATE_TEST_SUITE_P(Schemes, RecoveryTest,
                         ::testing::Values(Scheme::kPdEsm, Scheme::kSdEsm, Scheme::kSlEsm,
                                           Scheme::kPdRedo, Scheme::kWpl),
                         [](const auto& scheme) {
                           std::string name = kSchemeNames[static_cast<int>(scheme.param)];
                           std::erase(name, '-');
                           return name;
                         });

// A log as a crash leaves it: a transaction that has committed, one that has not, and half a
// record.
TEST(RestartTest, UndoesWhatDidNotCommit) {
  const LabStore folder("");
  const std::string path = folder.path(), log_file = folder.path() + ".log";
  (void)MakeStore(path, Size::kSmall, Placement::kCreation);
  const auto record = [](RecordKind kind, uint64_t transaction, uint32_t page, uint16_t offset,
                         const std::string& images) {
    std::string text;
    PutHead(text, {kind, 0, transaction, page, offset, static_cast<uint32_t>(images.size())});
    return text + images;
  };
  std::string log = record(RecordKind::kUpdate, 1, 3, 100, "aaaabbbb");
  log += record(RecordKind::kCommit, 1, 0, 0, "");
  log += record(RecordKind::kUpdate, 2, 3, 100, "bbbbcccc");
  log += record(RecordKind::kUpdate, 2, 3, 104, "eeeeffff");
  log += record(RecordKind::kPage, 2, 5, 0, std::string(kPageBytes, 'x'));
  log += record(RecordKind::kCommit, 2, 0, 0, "").substr(0, 30);
  std::ofstream(log_file, std::ios::binary) << log;
  store::StoreOptions options;
  for (int again = 0; again < 2; ++again) {
    auto store = store::OpenStore(path, options);
    ASSERT_TRUE(store.ok());
    EXPECT_EQ(Restart(**store, {"module0"}, log_file), std::vector<uint64_t>{1});
    ASSERT_TRUE((*store)->Close().ok());
  }
  auto store = store::OpenStore(path, options);
  ASSERT_TRUE(store.ok());
  const auto database = (*store)->OpenDatabase("module0", store::OpenMode::kOpen);
  const store::PageId ids[] = {{4}, {6}};
  store::PageReply replies[2];
  ASSERT_TRUE((*store)->Read(*database, ids, replies).ok());
  EXPECT_EQ(std::memcmp(replies[0].record.contents + 100, "bbbbeeee", 8), 0);
  EXPECT_NE(std::memcmp(replies[1].record.contents, "xxxxxxxx", 8), 0);
}

// A transaction has committed a page; another has sent the page anew and not committed when a third
// one's commit makes a checkpoint.
TEST(RestartTest, FindsTheCommittedPageBehindThatOfAnOpenTransaction) {
  const LabStore folder("");
  const std::string path = folder.path(), log_file = folder.path() + ".log";
  (void)MakeStore(path, Size::kSmall, Placement::kCreation);
  const std::vector<std::string> names = {"module0", "module1"};
  store::StoreOptions store_options;
  {
    auto store = store::OpenStore(path, store_options);
    ASSERT_TRUE(store.ok());
    ServerOptions options;
    options.log_device = options.data_device = *DeviceNamed("none");
    options.checkpoint_bytes = 3 * kPageBytes;
    options.log_file = log_file;
    RecoveryServer server(**store, names, options);
    int ends[2][2];
    std::vector<std::thread> threads;
    for (uint32_t client = 0; client < 2; ++client) {
      ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends[client]), 0);
      threads.emplace_back([&server, &ends, client] { server.Serve(ends[client][1], client); });
    }
    const auto send = [&](uint32_t client, MessageKind kind, uint64_t page, char fill) {
      const std::string bytes(fill == 0 ? 0 : kPageBytes, fill);
      const MessageHead head{kind, static_cast<uint32_t>(bytes.size()), page};
      SendAll(ends[client][0], &head, sizeof head);
      SendAll(ends[client][0], bytes.data(), bytes.size());
    };
    const auto commit = [&](uint32_t client) {
      send(client, MessageKind::kCommit, 0, 0);
      char done = 0;
      EXPECT_TRUE(ReceiveAll(ends[client][0], &done, sizeof done));
    };
    send(0, MessageKind::kLogPage, 5, 'a');
    commit(0);
    send(0, MessageKind::kLogPage, 5, 'b');
    send(0, MessageKind::kReport, 0, 0);  // the server has the page
    ServerReport report;
    ASSERT_TRUE(ReceiveAll(ends[0][0], &report, sizeof report));
    send(1, MessageKind::kLogPage, 7, 'c');
    commit(1);
    commit(1);  // writes the checkpoint with its own record
    for (uint32_t client = 0; client < 2; ++client) close(ends[client][0]);
    for (std::thread& thread : threads) thread.join();
    for (uint32_t client = 0; client < 2; ++client) close(ends[client][1]);
    ASSERT_TRUE((*store)->Close().ok());
  }
  std::ifstream log(log_file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(log), {});
  size_t checkpoints = 0;
  EXPECT_TRUE(ForEachRecord(text, [&](const RecordHead& head, std::string_view) {
    checkpoints += head.kind == RecordKind::kCheckpoint;
  }));
  auto store = store::OpenStore(path, store_options);
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(Restart(**store, names, log_file), (std::vector<uint64_t>{1, 2}));
  const auto database = (*store)->OpenDatabase("module0", store::OpenMode::kOpen);
  const store::PageId id{6};
  store::PageReply reply;
  ASSERT_TRUE((*store)->Read(*database, std::span(&id, 1), std::span(&reply, 1)).ok());
  EXPECT_EQ(reply.record.contents[0], std::byte{'a'});
  EXPECT_EQ(checkpoints, 1u);
}

}  // namespace
}  // namespace tenure::lab::recovery
