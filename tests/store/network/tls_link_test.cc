#include "store/network/tls_link.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <utility>

namespace tenure::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Certificates that are made once, by the program openssl.
class TlsLinkTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    char name[] = "/tmp/tenure-tls-link-XXXXXX";
    directory_ = mkdtemp(name);
    for (const char* ca : {"ca", "strange"}) {
      Run(std::string("req -x509 ") + kKey + " -days 2 -subj /CN=" + ca + " -keyout " + ca +
          ".key -out " + ca + ".crt");
      for (const char* subject : {"node", "alice"}) {
        const std::string file = std::string(ca) + "-" + subject;
        Run(std::string("req -x509 -CA ") + ca + ".crt -CAkey " + ca + ".key " + kKey +
            " -days 2 -addext basicConstraints=CA:FALSE -addext subjectAltName=DNS:here,IP:10.0.0.1"
            " -subj /CN=" +
            subject + " -keyout " + file + ".key -out " + file + ".crt");
      }
    }
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(directory_); }
  static void Run(const std::string& words) {
    const std::string command = "cd " + directory_ + " && openssl " + words + " 2>/dev/null";
    ASSERT_EQ(system(command.c_str()), 0) << command;
  }
  static TlsFiles Files(const std::string& ca, const std::string& certificate) {
    const std::string at = directory_ + "/";
    return {at + ca + ".crt", at + certificate + ".crt", at + certificate + ".key"};
  }

  void Connect(const TlsFiles& node, const TlsFiles& program, const std::string& host = "here") {
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    const auto start = [](const TlsFiles& files, TlsSide side, int socket, const std::string& to,
                          int* local) {
      auto context = TlsContext::Load(files, side);
      EXPECT_TRUE(context.ok()) << context.status().text();
      auto link = TlsLink::Start(*context, socket, to, local);
      EXPECT_TRUE(link.ok()) << link.status().text();
      return *link;
    };
    node_ = start(node, TlsSide::kServer, pair[0], "", &at_node_);
    program_ = start(program, TlsSide::kClient, pair[1], host, &at_program_);
  }
  void TearDown() override {
    if (at_node_ >= 0) close(at_node_);
    if (at_program_ >= 0) close(at_program_);
  }

  static constexpr const char* kKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  static inline std::string directory_;
  std::shared_ptr<TlsLink> node_, program_;
  int at_node_ = -1, at_program_ = -1;
};

std::string ReadAll(int socket, size_t bytes) {
  std::string text(bytes, '\0');
  size_t got = 0;
  while (got < bytes) {
    const ssize_t count = recv(socket, text.data() + got, bytes - got, 0);
    if (count <= 0) break;
    got += static_cast<size_t>(count);
  }
  text.resize(got);
  return text;
}

void WriteAll(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    ASSERT_GT(count, 0);
    text.remove_prefix(static_cast<size_t>(count));
  }
}

TEST_F(TlsLinkTest, BothSidesKnowEachOtherAndWhatIsSentArrives) {
  Connect(Files("ca", "ca-node"), Files("ca", "ca-alice"));
  ASSERT_TRUE(program_->AwaitHandshake(seconds(10)).ok()) << program_->failure().text();
  ASSERT_TRUE(node_->AwaitHandshake(seconds(10)).ok()) << node_->failure().text();
  EXPECT_EQ(node_->peer(), "alice");
  EXPECT_EQ(program_->peer(), "node");
  // More than all buffers hold, in both directions at the same time.
  std::string text(8 << 20, '\0');
  for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 7 + i / 251);
  std::thread there([&] { WriteAll(at_program_, text); });
  std::thread back([&] { WriteAll(at_node_, text); });
  std::thread reader([&] { EXPECT_EQ(ReadAll(at_node_, text.size()), text); });
  EXPECT_EQ(ReadAll(at_program_, text.size()), text);
  there.join();
  back.join();
  reader.join();
}

TEST_F(TlsLinkTest, WhatWasSentBeforeClosingArrivesAndTheOtherSideIsTold) {
  Connect(Files("ca", "ca-node"), Files("ca", "ca-alice"), "10.0.0.1");
  ASSERT_TRUE(program_->AwaitHandshake(seconds(10)).ok());
  WriteAll(at_program_, "the last words");
  close(std::exchange(at_program_, -1));
  program_->AwaitEnd(seconds(10));
  EXPECT_EQ(ReadAll(at_node_, 100), "the last words");
  EXPECT_TRUE(node_->closed_by_peer());
  EXPECT_TRUE(node_->failure().ok());
}

TEST_F(TlsLinkTest, ANodeOfAnotherCaIsRefused) {
  Connect(Files("ca", "strange-node"), Files("ca", "ca-alice"));
  const Status status = program_->AwaitHandshake(seconds(10));
  EXPECT_EQ(status.code(), StatusCode::kPermission);
  EXPECT_NE(std::string(status.text()).find("certificate is refused"), std::string::npos)
      << status.text();
}

TEST_F(TlsLinkTest, ANodeWithAnotherNameIsRefused) {
  Connect(Files("ca", "ca-node"), Files("ca", "ca-alice"), "elsewhere");
  EXPECT_EQ(program_->AwaitHandshake(seconds(10)).code(), StatusCode::kPermission);
}

TEST_F(TlsLinkTest, AProgramOfAnotherCaIsRefusedAndTold) {
  Connect(Files("ca", "ca-node"), Files("ca", "strange-alice"));
  EXPECT_EQ(node_->AwaitHandshake(seconds(10)).code(), StatusCode::kPermission);
  EXPECT_EQ(ReadAll(at_program_, 1), "");
  program_->AwaitEnd(seconds(10));
  EXPECT_EQ(program_->failure().code(), StatusCode::kPermission);
  EXPECT_NE(std::string(program_->failure().text()).find("refuses this side's certificate"),
            std::string::npos)
      << program_->failure().text();
}

TEST_F(TlsLinkTest, FilesThatDoNotFitAreNamed) {
  TlsFiles files = Files("ca", "ca-alice");
  files.key = directory_ + "/ca-node.key";
  EXPECT_NE(std::string(TlsContext::Load(files, TlsSide::kClient).status().text()).find(files.key),
            std::string::npos);
  files.key = directory_ + "/missing";
  EXPECT_EQ(TlsContext::Load(files, TlsSide::kClient).status().number(), ENOENT);
  files = Files("ca", "ca-alice");
  files.certificate = files.key;
  EXPECT_EQ(TlsContext::Load(files, TlsSide::kClient).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tenure::store
