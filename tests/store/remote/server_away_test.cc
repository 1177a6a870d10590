// What counts as a page server that is away, for each error of each call; and programs whose server
// ends, and is started again, in each state of a connection.

#include "store/remote/server_away.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "store/open.h"
#include "store/remote/remote_page_server.h"
#include "store/remote/server_protocol.h"
#include "tests/support/crashing_page_server.h"
#include "tests/support/page_samples.h"
#include "tests/support/served_store.h"

namespace tenure::store {
namespace {

using testing::CommitBuilder;
using testing::Holds;
using testing::MakePage;
using testing::PageImage;
using testing::ReadPage;

TEST(ServerAway, EachErrorOfEachCallIsDecided) {
  using enum ServerCall;
  struct Row {
    ServerCall call;
    int error;
    bool away;
  };
  const Row rows[] = {
      {kConnect, ENOENT, true},      {kConnect, ECONNREFUSED, true},
      {kConnect, ECONNRESET, true},  {kConnect, EAGAIN, true},
      {kConnect, ETIMEDOUT, true},   {kConnect, EACCES, false},
      {kConnect, EPERM, false},      {kConnect, ENOTSOCK, false},
      {kConnect, ENOTDIR, false},    {kConnect, ELOOP, false},
      {kConnect, EMFILE, false},     {kConnect, ENFILE, false},
      {kConnect, EPROTOTYPE, false}, {kConnect, ENOMEM, false},
      {kSend, EPIPE, true},          {kSend, ECONNRESET, true},
      {kSend, ENOTCONN, true},       {kSend, EAGAIN, true},
      {kSend, ETIMEDOUT, true},      {kSend, ENOMEM, false},
      {kSend, EBADF, false},         {kSend, EMSGSIZE, false},
      {kReceive, 0, true},           {kReceive, ECONNRESET, true},
      {kReceive, ENOTCONN, true},    {kReceive, EAGAIN, true},
      {kReceive, ETIMEDOUT, true},   {kReceive, EBADMSG, false},
      {kReceive, EIO, false},        {kReceive, EBADF, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::to_string(static_cast<int>(row.call)) + " " + std::to_string(row.error));
    EXPECT_EQ(MeansAway(row.call, row.error), row.away);
    const Status failure = CallFailure(row.call, row.error, "the server");
    EXPECT_FALSE(failure.ok());
    EXPECT_EQ(IsAway(failure), row.away);
  }
  EXPECT_FALSE(IsAway(Status::Ok()));
  EXPECT_FALSE(IsAway(Status(StatusCode::kIo, "the disk", EIO)));
  EXPECT_EQ(CallFailure(kConnect, EACCES, "").code(), StatusCode::kPermission);
  EXPECT_EQ(CallFailure(kReceive, EBADMSG, "").code(), StatusCode::kCorrupt);
}

TEST(ServerAway, AReceiveSaysWhyItFailed) {
  const auto receive = [](const auto& send) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    send(ends[0]);
    close(ends[0]);
    Message message;
    EXPECT_FALSE(ReceiveMessage(ends[1], &message));
    const int error = errno;
    close(ends[1]);
    return error;
  };
  EXPECT_EQ(receive([](int) {}), 0);
  EXPECT_EQ(receive([](int socket) { EXPECT_EQ(write(socket, "abc", 3), 3); }), 0);
  const std::string noise(24, 'x');
  EXPECT_EQ(receive([&](int socket) { EXPECT_EQ(write(socket, noise.data(), 24), 24); }), EBADMSG);
}

// Stands before the server of a store at its socket, and ends connections as a server does that is
// killed: after it has passed on a number of messages from the server.
class EndsConnections {
 public:
  explicit EndsConnections(const std::string& directory)
      : directory_(directory), behind_(directory + ".behind") {
    std::filesystem::create_directory(behind_);
    std::filesystem::rename(Socket(directory_), Socket(behind_));
    listener_ = ListenAtStore(directory_);
    EXPECT_GE(listener_, 0);
    thread_ = std::thread([this] { AcceptAll(); });
  }
  ~EndsConnections() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
    std::filesystem::rename(Socket(behind_), Socket(directory_));
    std::filesystem::remove_all(behind_);
  }

  // The present connection ends, and each of the next `connections` after so many messages.
  void End(int connections, int messages) {
    messages_ = messages;
    connections_ = connections;
    cut_ = true;
  }
  int ended() const { return ended_; }

 private:
  static std::string Socket(const std::string& directory) { return directory + "/" + kSocketName; }

  void AcceptAll() {
    int client;
    while ((client = accept(listener_, nullptr, nullptr)) >= 0) {
      cut_ = false;
      const bool ends = connections_ > 0;
      if (ends && messages_ < 0) {
        // Taken down with the listening socket, before the server has accepted it.
        --connections_;
        ++ended_;
        close(client);
        continue;
      }
      const int server = ConnectToStore(behind_);
      if (server >= 0) Pass(client, server, ends);
      close(client);
      if (server >= 0) close(server);
    }
  }

  void Pass(int client, int server, bool ends) {
    int left = messages_;
    pollfd ready[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
    while (!cut_) {
      if (ends && left == 0) {
        --connections_;
        ++ended_;
        return;
      }
      if (poll(ready, 2, 5) <= 0) continue;
      Message message;
      int file = -1;
      if (ready[0].revents != 0) {
        if (!ReceiveMessage(client, &message)) return;
        SendMessage(server, message.kind, message.number, message.body);
        // The answer to the last request is lost with the server.
        if (ends && left == 0) continue;
      }
      if (ready[1].revents != 0) {
        if (!ReceiveMessage(server, &message, kMessageBytesMax, &file)) return;
        if (SendMessage(client, message.kind, message.number, message.body, true, nullptr, file) &&
            file >= 0) {
          close(file);
        }
        --left;
      }
    }
  }

  const std::string directory_, behind_;
  int listener_ = -1;
  std::atomic<int> connections_{0}, messages_{0}, ended_{0};
  std::atomic<bool> cut_{false};
  std::thread thread_;
};

class ServerAwayAt : public ::testing::TestWithParam<int> {};

// -1: before the connection is accepted. 0: before hello is answered. 1: before the database is
// open again. 2 and more: later.
TEST_P(ServerAwayAt, AProgramWaitsForAServerThatIsStartedAgain) {
  testing::TemporaryDirectory directory;
  std::optional<testing::ServedStore> served(directory.path());
  auto between = std::make_unique<EndsConnections>(directory.path());
  auto server = *RemotePageServer::Connect(directory.path());
  const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
  const PageId page = server->AllocatePages(db, 1)->first;
  const PageImage image = MakePage(1);
  ASSERT_EQ(CommitBuilder(*server, db).Whole(page, 0, image).Commit().outcome,
            CommitOutcome::kCommitted);
  // Between transactions.
  between->End(/*connections=*/3, GetParam());
  ASSERT_TRUE(server->StartTransaction().ok());
  for (int tries = 0;; ++tries) {
    ASSERT_LT(tries, 20);
    const auto reply = ReadPage(*server, db, page);
    if (reply != nullptr && reply->status.ok()) {
      EXPECT_TRUE(Holds(*reply, image));
      break;
    }
    // It ended in the transaction.
    server->EndTransaction();
    const Result<bool> begun = server->StartTransaction();
    ASSERT_TRUE(begun.ok()) << begun.status().text();
  }
  server->EndTransaction();
  EXPECT_EQ(between->ended(), 3);
  server.reset();
  between.reset();
}

TEST_P(ServerAwayAt, AnOutcomeIsAskedUntilThereIsAnAnswer) {
  testing::TemporaryDirectory directory;
  std::optional<testing::ServedStore> served(directory.path());
  auto between = std::make_unique<EndsConnections>(directory.path());
  auto server = *RemotePageServer::Connect(directory.path());
  const DatabaseId db = *server->OpenDatabase("main", OpenMode::kCreate);
  const PageId page = server->AllocatePages(db, 1)->first;
  const CommitId id = NewCommitId();
  const CommitAnswer answer = CommitBuilder(*server, db).Whole(page, 0, MakePage(1)).Commit(id);
  ASSERT_EQ(answer.outcome, CommitOutcome::kCommitted);
  ASSERT_TRUE(server->StartTransaction().ok());
  between->End(/*connections=*/3, GetParam());
  EXPECT_EQ(*server->Outcome({.id = id}), std::optional(answer.version));
  server->EndTransaction();
  server.reset();
  between.reset();
}

INSTANTIATE_TEST_SUITE_P(States, ServerAwayAt, ::testing::Range(-1, 3));

TEST(ServerAway, AStoreWhoseServerHasJustEndedIsOpenedAlone) {
  testing::TemporaryDirectory directory;
  testing::ServedStore(directory.path());
  // A socket that accepts one more connection, and is gone then.
  const int listener = ListenAtStore(directory.path());
  ASSERT_GE(listener, 0);
  std::thread ends([&] {
    for (int i = 0; i < 2; ++i) {  // who looks whether the store is served, and who connects
      const int accepted = accept(listener, nullptr, nullptr);
      if (accepted >= 0) close(accepted);
    }
    close(listener);
  });
  const auto opened = OpenStore(directory.path(), {});
  ends.join();
  ASSERT_TRUE(opened.ok()) << opened.status().text();
  EXPECT_FALSE((*opened)->capabilities().shared);
}

TEST(ServerAway, ForeverIsFiveSeconds) {
  testing::TemporaryDirectory directory;
  std::optional<testing::ServedStore> served(directory.path());
  auto server = *RemotePageServer::Connect(directory.path());
  served.reset();
  const auto begin = std::chrono::steady_clock::now();
  const Result<bool> begun = server->StartTransaction();
  const auto waited = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(IsAway(begun.status())) << begun.status().text();
  EXPECT_GE(waited, std::chrono::milliseconds(4900));
  EXPECT_LT(waited, std::chrono::seconds(9));
}

}  // namespace
}  // namespace tenure::store
