// Clients that send arbitrary bytes to a page server: it continues to serve others, takes no memory
// for a client before its hello, and its store passes verification.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "store/format/page_codec.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_protocol.h"
#include "store/server/request_check.h"
#include "store/server/verifier.h"
#include "tests/support/page_samples.h"
#include "tests/support/random.h"
#include "tests/support/resident_memory.h"
#include "tests/support/served_store.h"
#include "tests/support/session_world.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::CommitWanted;
using testing::PageImage;
using testing::ReadPage;
using testing::ServedStore;
using testing::SessionWorld;

// Forwards the messages between a program and its server. At the end *messages has the program's
// messages on the connection with the most messages.
class Recorder {
 public:
  Recorder(const std::string& directory, const std::string& store, std::vector<Message>* messages)
      : store_(store), messages_(messages) {
    std::filesystem::create_directory(directory);
    // A directory that looks like a store.
    std::filesystem::copy(store + "/FORMAT", directory + "/FORMAT");
    listener_ = ListenAtStore(directory);
    thread_ = std::thread([this] {
      int client;
      while ((client = accept(listener_, nullptr, nullptr)) >= 0) Pass(client);
    });
  }
  ~Recorder() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

 private:
  void Pass(int client) {
    const int server = ConnectToStore(store_);
    std::thread answers([&] {
      Message message;
      while (ReceiveMessage(server, &message)) {
        (void)SendMessage(client, message.kind, message.number, message.body);
      }
      shutdown(client, SHUT_RDWR);
    });
    std::vector<Message> said;
    Message message;
    while (ReceiveMessage(client, &message)) {
      if (!SendMessage(server, message.kind, message.number, message.body)) break;
      said.push_back(message);
    }
    shutdown(server, SHUT_RDWR);
    answers.join();
    close(server);
    close(client);
    if (said.size() > messages_->size()) *messages_ = std::move(said);
  }

  const std::string store_;
  std::vector<Message>* const messages_;
  int listener_;
  std::thread thread_;
};

class HostileClient : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(directory_.path());
    store = directory_.path() + "/store";
    {
      const ServedStore served(store, /*checks_contents=*/true);
      SessionWorld world(stabilize::FaultTier::kMprotect, PageServerKind::kBdb, store);
      world.Start();
      world.Create();
      world.Open();
      world.CommitManyPages();
      world.Stop();
    }
    ExpectWhole(store);
  }

  static void ExpectWhole(const std::string& path) {
    StoreOptions options;
    options.mode = OpenMode::kOpen;
    auto opened = OpenStore(path, options);
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    PageServer& server = **opened;
    const auto types = server.TypeEntries();
    ASSERT_TRUE(types.ok());
    for (const TypeEntry& entry : *types) {
      DescribedType type;
      EXPECT_TRUE(ParseDescription(entry.description, &type)) << entry.description;
    }
    const auto names = server.ListDatabases();
    ASSERT_TRUE(names.ok());
    for (const std::string& name : *names) {
      const auto database = server.OpenDatabase(name, OpenMode::kOpen);
      ASSERT_TRUE(database.ok()) << name;
      const auto report = VerifyDatabase(server, *database);
      ASSERT_TRUE(report.ok()) << report.status().text();
      EXPECT_TRUE(report->ok()) << report->problems.front();
      EXPECT_TRUE(name != "main" || report->pages > 0);
    }
    EXPECT_TRUE(server.Prepared()->empty());
    EXPECT_TRUE(server.Close().ok());
  }

  static void ExpectServing(const std::string& path) {
    const auto server = RemotePageServer::Connect(path);
    ASSERT_TRUE(server.ok());
    const auto database = (*server)->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE((*server)->StartTransaction().ok());
    EXPECT_TRUE(ReadPage(**server, *database, PageId{1})->status.ok());
    (*server)->EndTransaction();
  }

  testing::TemporaryDirectory directory_;
  std::string store;
};

// --- Before hello

TEST_F(HostileClient, WhoHasNotSaidHelloTakesNoMemory) {
  const ServedStore served(store);
  const int client = ConnectToStore(store);
  const uint32_t header[6] = {0x544E5053, 1u << 29, 0, 2, 1, 0};
  ASSERT_EQ(send(client, header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
  // The connection is closed at once.
  pollfd source = {client, POLLIN | POLLRDHUP, 0};
  EXPECT_EQ(poll(&source, 1, 5000), 1);
  char byte;
  EXPECT_LE(recv(client, &byte, 1, 0), 0);
  close(client);
  ExpectServing(store);
}

TEST_F(HostileClient, WhoDoesNotSayHelloFirstIsNotHeard) {
  const ServedStore served(store);
  const int client = ConnectToStore(store);
  ASSERT_TRUE(SendMessage(client, MessageKind::kListDatabases, 1, {}));
  Message answer;
  ASSERT_TRUE(ReceiveMessage(client, &answer));
  EXPECT_EQ(Reader(answer.body).GetStatus().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(ReceiveMessage(client, &answer));
  close(client);
}

TEST_F(HostileClient, ManyWhoSayNothingKeepNobodyOut) {
  const ServedStore served(store);
  std::vector<int> silent;
  for (int i = 0; i < 200; ++i) {
    const int client = ConnectToStore(store);
    if (client >= 0) silent.push_back(client);
  }
  EXPECT_GT(silent.size(), 100u);
  ExpectServing(store);
  // All but a few connections have been closed.
  const auto cut_off = [&] {
    return std::count_if(silent.begin(), silent.end(), [](int client) {
      pollfd source = {client, POLLRDHUP, 0};
      return poll(&source, 1, 0) == 1;
    });
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (cut_off() + 64 < static_cast<ptrdiff_t>(silent.size()) &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GE(cut_off() + 64, static_cast<ptrdiff_t>(silent.size()));
  for (const int client : silent) close(client);
}

// --- Requests in order, with invalid contents

class HostileRequests : public HostileClient {
 protected:
  void SetUp() override {
    HostileClient::SetUp();
    served_ = std::make_unique<ServedStore>(store, /*checks_contents=*/true);
    server_ = *RemotePageServer::Connect(store);
    database_ = *server_->OpenDatabase("main", OpenMode::kOpen);
    ASSERT_TRUE(server_->StartTransaction().ok());
    // Pages of ordinary objects.
    for (PageId page{1};; page = page + 1) {
      reply_ = ReadPage(*server_, database_, page);
      ASSERT_TRUE(reply_->status.ok());
      if (reply_->record.run.large()) continue;
      page_ = page;
      break;
    }
    std::memcpy(image_.bytes, reply_->record.contents, sizeof image_.bytes);
  }
  void TearDown() override {
    server_->EndTransaction();
    server_.reset();
    ExpectServing(store);
    served_.reset();
    ExpectWhole(store);
  }

  uint64_t Word(size_t at) const {
    uint64_t word;
    std::memcpy(&word, image_.bytes + at, sizeof word);
    return word;
  }
  void SetWord(size_t at, uint64_t word) { std::memcpy(image_.bytes + at, &word, sizeof word); }
  // The page is sent whole, and as its changed words.
  void ExpectRefused(const char* what) {
    SCOPED_TRACE(what);
    for (const bool whole : {true, false}) {
      CommitBuilder builder(*server_, database_);
      if (whole) {
        builder.Whole(page_, reply_->record.version, image_);
      } else {
        size_t first = 0, last = abi::kPageBytes;
        while (image_.bytes[first] == reply_->record.contents[first]) ++first;
        while (image_.bytes[last - 1] == reply_->record.contents[last - 1]) --last;
        builder.Region(page_, reply_->record.version, image_, static_cast<uint32_t>(first),
                       last - first);
      }
      EXPECT_EQ(builder.Commit().status.code(), StatusCode::kInvalidArgument) << whole;
    }
    std::memcpy(image_.bytes, reply_->record.contents, sizeof image_.bytes);
  }
  // The offset in the page of the first object's reference.
  size_t FirstReference() const {
    for (size_t at = 8; at < abi::kPageBytes; at += 8) {
      const PersistentRef reference{Word(at)};
      if (reference.well_formed_object() && reference.page() <= *server_->MaxPage(database_)) {
        return at;
      }
    }
    return 0;
  }

  std::unique_ptr<ServedStore> served_;
  std::unique_ptr<RemotePageServer> server_;
  DatabaseId database_;
  PageId page_;
  std::unique_ptr<PageReply> reply_;
  PageImage image_;
};

TEST_F(HostileRequests, PagesThatMakeNoSense) {
  SetWord(0, Word(0) + 1);
  ExpectRefused("a header that is none");
  SetWord(0, uint64_t{1000} << kStoredTypeShift);
  ExpectRefused("an unknown type");
  SetWord(0, abi::ObjectHeader::ForFiller(4));
  ExpectRefused("a free place of no length");
  SetWord(0, abi::ObjectHeader::ForFiller(abi::kPageBytes));
  ExpectRefused("a free place that is not empty");
  const size_t reference = FirstReference();
  ASSERT_NE(reference, 0u);
  SetWord(reference, Word(reference) + 8);
  ExpectRefused("a reference into the middle of an object");
  SetWord(reference, PersistentRef::Object(PageId{1 << 20}, 8).bits);
  ExpectRefused("a reference beyond all pages");
  SetWord(reference, PersistentRef::Entry(RefKind::kImport, 1).bits);
  ExpectRefused("an entry of the import table that is not there");
  SetWord(reference, PersistentRef::Entry(RefKind::kProcedure, 1).bits);
  ExpectRefused("a procedure in the place of a reference");
}

TEST_F(HostileRequests, AFreshPageThatMakesNoSense) {
  const PageId fresh = server_->AllocatePages(database_, 1)->first;
  const PageImage noise = testing::MakePage(5);
  EXPECT_EQ(CommitBuilder(*server_, database_).Whole(fresh, 0, noise).Commit().status.code(),
            StatusCode::kInvalidArgument);
  for (const LargeRun run : {LargeRun{1, 3, 2}, LargeRun{1, 0, 1}, LargeRun{0, 0, 7},
                             LargeRun{99, 0, 1}, LargeRun{1, 1, ~0u}}) {
    EXPECT_EQ(CommitBuilder(*server_, database_).Whole(fresh, 0, image_, run).Commit().outcome,
              CommitOutcome::kFailed);
  }
}

TEST_F(HostileRequests, RootsAndTablesThatMakeNoSense) {
  for (const uint64_t bits : {uint64_t{1} << 40, page_.number * abi::kPageBytes + 16 + 8 * 3 + 1,
                              PersistentRef::Entry(RefKind::kImport, 7).bits}) {
    EXPECT_NE(CommitBuilder(*server_, database_).Root(PersistentRef{bits}).Commit().outcome,
              CommitOutcome::kCommitted);
  }
  const auto commit_tables = [&](const ImportEntry& import, PersistentRef exported) {
    DatabaseCommit commit{database_, {}, std::nullopt};
    if (!import.name.empty()) commit.imports = std::span(&import, 1);
    const ExportEntry entry = {exported, NewTag()};
    if (!exported.nil()) commit.exports = std::span(&entry, 1);
    return CommitWanted(*server_, std::span(&commit, 1)).status.code();
  };
  EXPECT_EQ(commit_tables({NewUuid(), "", "main", 0}, {}), StatusCode::kInvalidArgument);
  EXPECT_EQ(commit_tables({NewUuid(), "", "../x", 1}, {}), StatusCode::kInvalidArgument);
  EXPECT_EQ(commit_tables({NewUuid(), std::string(100000, 'x'), "main", 1}, {}),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(commit_tables({}, PersistentRef::Object(PageId{999}, 8)), StatusCode::kInvalidArgument);
  EXPECT_EQ(commit_tables({}, PersistentRef{3}), StatusCode::kInvalidArgument);
}

TEST_F(HostileRequests, TypesThatMakeNoSense) {
  const std::string good = "fingerprint 01\nname T\nkind ref\npayload 16\nslots 0 1 8 0\nend\n";
  const auto add = [&](const std::string& text) {
    return server_->AddType(std::as_bytes(std::span(text))).status().code();
  };
  EXPECT_EQ(add(good), StatusCode::kOk);
  for (const char* const bad :
       {"", "x", "end\n", "procedure \n", "procedure P",
        "fingerprint 01\nname T\nkind ref\npayload 16\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nslots 8 1 8 0\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nslots 4 1 8 0\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nslots 0 1 8 4\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 99999999999\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 18446744073709551617\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 16\nslots 0 18446744073709551615 8 0\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nopen 65 8\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nopen 1 12\nelement-slots 0 1 8 0\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nfield 0 65 a INTEGER\nend\n",
        "fingerprint 01\nname T\nkind ref\npayload 8\nend\nend\n",
        "name T\nkind ref\npayload 8\nend\n",
        "fingerprint 0x1\nname T\nkind ref\npayload 8\nend\n"}) {
    EXPECT_EQ(add(bad), StatusCode::kInvalidArgument) << bad;
  }
  EXPECT_EQ(add(good + '\0'), StatusCode::kInvalidArgument);
}

TEST_F(HostileRequests, NumbersOfPagesThatWereNeverGiven) {
  for (const uint64_t number : {uint64_t{1} << 40, ~uint64_t{0}, Permissions::kTables}) {
    const PageId page{number};
    EXPECT_EQ(server_->WantWrite(database_, std::span(&page, 1)).code(),
              StatusCode::kInvalidArgument);
    EXPECT_FALSE(ReadPage(*server_, database_, page)->status.ok());
    EXPECT_FALSE(server_->ReturnPages(database_, {page, 1}).ok());
  }
  EXPECT_FALSE(server_->AllocatePages(database_, uint64_t{1} << 60).ok());
}

TEST_F(HostileRequests, APageIsNotRemovedThatNoCollectionHasFoundDead) {
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&page_, 1)).ok());
  const PageWrite write{.page = page_, .expected_version = reply_->record.version, .remove = true};
  const DatabaseCommit commit{database_, std::span(&write, 1), std::nullopt};
  EXPECT_EQ(server_->Commit({NewCommitId(), std::span(&commit, 1)}).status.code(),
            StatusCode::kInvalidArgument);
}

TEST_F(HostileRequests, NothingIsPreparedThatNobodyDecidesAbout) {
  const PageId root{0};
  ASSERT_TRUE(server_->WantWrite(database_, std::span(&root, 1)).ok());
  DatabaseCommit commit{database_, {}, PersistentRef::Nil()};
  for (const Coordinator& coordinator :
       {Coordinator{NewUuid(), "../nowhere"}, Coordinator{server_->store_uuid(), ""},
        Coordinator{NewUuid(), std::string(1 << 16, 'x')}}) {
    EXPECT_EQ(server_->Prepare({NewCommitId(), std::span(&commit, 1)}, coordinator).code(),
              StatusCode::kInvalidArgument);
  }
}

// --- A program's messages, with some bytes changed

TEST_F(HostileClient, RecordedRequestsWithChangedBytes) {
  const std::string work = directory_.path() + "/work", relay = directory_.path() + "/relay";
  std::vector<Message> recorded;
  const auto copy = [&] {
    std::filesystem::remove_all(work);
    std::filesystem::copy(store, work);
  };
  copy();
  {
    const ServedStore served(work, /*checks_contents=*/true);
    const Recorder recorder(relay, work, &recorded);
    SessionWorld world(stabilize::FaultTier::kMprotect, PageServerKind::kBdb, relay);
    world.Start();
    world.Open();
    world.CommitManyPages();
    const uint64_t transaction = world.Begin();
    world.SetEdge(world.Keep(world.NewCell(7, 2)), 0, world.Root());
    world.SetRoot(world.Keep(world.NewCell(8, 1)));
    world.Commit(transaction);
    world.Stop();
  }
  ASSERT_GT(recorded.size(), 8u);
  const uint64_t seed = 7;
  Random random(seed);
  const int rounds = getenv("TENURE_LONG") != nullptr ? 5000 : 60;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
    copy();
    {
      const ServedStore served(work, /*checks_contents=*/true);
      const int client = ConnectToStore(work);
      ASSERT_GE(client, 0);
      const timeval patience = {2, 0};
      setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      // Usually not in the hello.
      const size_t victim = random.Below(8) == 0 ? 0 : 1 + random.Below(recorded.size() - 1);
      for (size_t i = 0; i < recorded.size(); ++i) {
        Message message = recorded[i];
        if (i == victim) {
          for (uint64_t n = 1 + random.Below(4); n > 0; --n) {
            const uint64_t how = random.Below(4);
            std::vector<std::byte>& body = message.body;
            if (how == 0) {
              message.kind = static_cast<MessageKind>(random.Below(39));
            } else if (how == 1) {
              body.resize(random.Below(body.size() + 9));
            } else if (!body.empty()) {
              // The beginning of a message has the most structure.
              const size_t most =
                  random.Below(2) == 0 ? std::min<size_t>(body.size(), 64) : body.size();
              body[random.Below(most)] = static_cast<std::byte>(random.Next());
            }
          }
        }
        if (!SendMessage(client, message.kind, message.number, message.body)) break;
        const bool answered =
            message.kind < MessageKind::kRelease && message.kind >= MessageKind::kHello;
        Message answer;
        if (answered && !ReceiveMessage(client, &answer)) break;
      }
      close(client);
      ExpectServing(work);
    }
    ExpectWhole(work);
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace tenure::store
