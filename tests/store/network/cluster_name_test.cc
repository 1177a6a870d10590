#include "store/network/cluster_name.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tenure::store {
namespace {

class ClusterNameTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/tenure-cluster-name-XXXXXX";
    directory_ = mkdtemp(name);
    Write("settings", "ca = ca.crt\ncertificate = /else/a.crt\nkey = ../a.key\npatience = 7\n");
    setenv("TENURE_CLUSTER", (directory_ + "/settings").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TENURE_CLUSTER");
    std::filesystem::remove_all(directory_);
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ + "/" + name) << text;
  }

  std::string directory_;
};

TEST(HostPortTest, ANameOrAnAddressMayHaveAPort) {
  EXPECT_EQ(ParseHostPort("db1"), (HostPort{"db1", 7300}));
  EXPECT_EQ(ParseHostPort("db1:80"), (HostPort{"db1", 80}));
  EXPECT_EQ(ParseHostPort("10.0.0.1:0"), (HostPort{"10.0.0.1", 0}));
  EXPECT_EQ(ParseHostPort("[::1]:80"), (HostPort{"::1", 80}));
  EXPECT_EQ(ParseHostPort("[::1]"), (HostPort{"::1", 7300}));
  EXPECT_EQ((HostPort{"::1", 80}).text(), "[::1]:80");
  for (const char* wrong : {"", ":80", "a:", "a:x", "a:80x", "a:65536", "a:-1", "[::1", "a b",
                            "a/b", "::1", "[::1]80", "a,b"}) {
    EXPECT_EQ(ParseHostPort(wrong), std::nullopt) << wrong;
  }
}

TEST_F(ClusterNameTest, AUriNamesServersAndAStoreAndTheRestIsInASettingsFile) {
  const Result<ClusterName> name = ReadClusterName("tenure://a,b:80,[::1]:7/orders");
  ASSERT_TRUE(name.ok()) << name.status().text();
  EXPECT_EQ(name->servers, (std::vector<HostPort>{{"a", 7300}, {"b", 80}, {"::1", 7}}));
  EXPECT_EQ(name->store, "orders");
  EXPECT_EQ(name->tls.ca, directory_ + "/ca.crt");
  EXPECT_EQ(name->tls.certificate, "/else/a.crt");
  EXPECT_EQ(name->tls.key, "/tmp/a.key");
  EXPECT_EQ(name->patience, std::chrono::seconds(7));
  EXPECT_EQ(name->uri(), "tenure://a:7300,b:80,[::1]:7/orders");
}

TEST_F(ClusterNameTest, AUriThatNamesNoStoreIsRefused) {
  for (const char* wrong :
       {"tenure://", "tenure://a", "tenure:///s", "tenure://a/", "tenure://a/s/t", "tenure://u@a/s",
        "tenure://a:x/s", "tenure://a/-s", "tenure://,/s"}) {
    EXPECT_EQ(ReadClusterName(wrong).status().code(), StatusCode::kInvalidArgument) << wrong;
  }
}

TEST_F(ClusterNameTest, ADirectoryStandsForAUriWithSettingsOfItsOwn) {
  const std::string file = "servers = a:1 b\nstore=orders # ours\nca=x\ncertificate=y\nkey=z\n";
  EXPECT_EQ(ClusterUriOf(directory_), directory_);
  Write("CLUSTER", file);
  EXPECT_TRUE(IsClusterStore(directory_));
  EXPECT_EQ(ClusterUriOf(directory_), "tenure://a:1,b:7300/orders");
  const Result<ClusterName> name = ReadClusterName("tenure://a:1,b:7300/orders");
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->tls.ca, directory_ + "/x");
  EXPECT_EQ(name->patience, std::chrono::seconds(60));
  Write("CLUSTER", file + "srevers = b\n");
  EXPECT_EQ(ClusterUriOf(directory_), directory_);
  EXPECT_NE(std::string(ReadClusterName(directory_).status().text()).find("CLUSTER line 6"),
            std::string::npos);
}

TEST(ClusterStorePathTest, TheDatabaseStandsBehindTheStoresName) {
  const StorePath plain = SplitStorePath("tenure://a:80,b/orders");
  EXPECT_EQ(plain.store, "tenure://a:80,b/orders");
  EXPECT_FALSE(plain.named);
  const StorePath named = SplitStorePath("tenure://a:80/orders:archive");
  EXPECT_EQ(named.store, "tenure://a:80/orders");
  EXPECT_EQ(named.database, "archive");
  EXPECT_FALSE(SplitStorePath("tenure://a:80").named);
}

TEST(ClusterStorePathTest, StoresSayWhereOthersAreByTheirUris) {
  const std::string uri = "tenure://a/s", other = "tenure://b/t";
  EXPECT_EQ(StoreHint(uri, uri), "");
  EXPECT_EQ(StoreHint(uri, other), other);
  EXPECT_EQ(StoreHint("/x/y", uri), uri);
  EXPECT_EQ(StoreHint(uri, "/x/y"), "/x/y");
  EXPECT_EQ(StoreOfHint("/x/y", uri), uri);
  EXPECT_EQ(StoreOfHint(uri, ""), uri);
  EXPECT_EQ(StoreOfHint(uri, "/x/y"), "/x/y");
}

}  // namespace
}  // namespace tenure::store
