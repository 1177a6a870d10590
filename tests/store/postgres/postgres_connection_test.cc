// Two statements in one trip: whatever becomes of the first, its answer is not taken for that of
// another, and nothing counts as done whose commit may not have waited.

#include "store/postgres/postgres_connection.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "tests/support/postgres_node.h"

namespace tenure::store {
namespace {

using testing::PostgresNode;

class PostgresConnectionTest : public ::testing::Test {
 protected:
  static PostgresNode& Node() {
    static PostgresNode node;
    return node;
  }
  static std::unique_ptr<PostgresConnection> Connect() {
    auto connection = PostgresConnection::Open(Node().connection());
    EXPECT_TRUE(connection.ok()) << connection.status().text();
    return connection.ok() ? *std::move(connection) : nullptr;
  }
  void SetUp() override {
    connection = Connect();
    ASSERT_TRUE(connection->Run("DROP TABLE IF EXISTS t").status.ok());
    ASSERT_TRUE(connection->Run("CREATE TABLE t (n bigint PRIMARY KEY, b bytea)").status.ok());
  }
  PostgresConnection::Both Insert(uint64_t number, const std::string& body = "") {
    return connection->RunBoth("INSERT INTO t VALUES ($1::bigint, $2::bytea)",
                               Parameters().Int8(number).Bytes(body), &rows,
                               "SELECT count(*) FROM t", &counted);
  }

  std::unique_ptr<PostgresConnection> connection;
  std::unique_ptr<Rows> rows, counted;
};

TEST_F(PostgresConnectionTest, TheSecondSeesWhatTheFirstHasCommitted) {
  for (uint64_t i = 1; i <= 20; ++i) {
    const PostgresConnection::Both both = Insert(i);
    ASSERT_EQ(both.first.failure, StatementFailure::kNone) << both.first.status.text();
    ASSERT_EQ(both.second.failure, StatementFailure::kNone);
    EXPECT_EQ(rows->changed(), 1u);
    EXPECT_EQ(counted->Number(0, 0), i);
  }
  // A statement alone works as before.
  ASSERT_TRUE(connection->Run("SELECT 7::bigint", {}, &rows).status.ok());
  EXPECT_EQ(rows->Number(0, 0), 7u);
}

TEST_F(PostgresConnectionTest, AFirstThatIsRefusedLeavesTheSecondAlone) {
  ASSERT_EQ(Insert(1).first.failure, StatementFailure::kNone);
  const PostgresConnection::Both both = Insert(1);
  EXPECT_EQ(both.first.failure, StatementFailure::kRefused);
  EXPECT_EQ(both.first.sql_state, "23505");
  EXPECT_EQ(both.first.status.code(), StatusCode::kExists);
  EXPECT_NE(std::string(both.first.status.text()).find("duplicate key"), std::string::npos);
  EXPECT_EQ(both.second.failure, StatementFailure::kNone);
  EXPECT_EQ(counted->Number(0, 0), 1u);
  EXPECT_FALSE(connection->ended());
  EXPECT_EQ(Insert(2).first.failure, StatementFailure::kNone);
}

TEST_F(PostgresConnectionTest, AFailureOfTheCommitIsTheFirsts) {
  // A constraint that is looked at when the statement is committed, after the row was inserted.
  ASSERT_TRUE(
      connection->Run("ALTER TABLE t ADD UNIQUE (b) DEFERRABLE INITIALLY DEFERRED").status.ok());
  ASSERT_EQ(Insert(1, "same").first.failure, StatementFailure::kNone);
  const PostgresConnection::Both both = Insert(2, "same");
  EXPECT_NE(both.first.failure, StatementFailure::kNone);
  connection = Connect();
  ASSERT_TRUE(connection->Run("SELECT count(*) FROM t", {}, &counted).status.ok());
  EXPECT_EQ(counted->Number(0, 0), 1u);
}

TEST_F(PostgresConnectionTest, LargeParametersGoInOneTrip) {
  const std::string body(48 << 20, 'x');
  const PostgresConnection::Both both = Insert(1, body);
  EXPECT_EQ(both.first.failure, StatementFailure::kNone) << both.first.status.text();
  EXPECT_EQ(counted->Number(0, 0), 1u);
}

TEST_F(PostgresConnectionTest, ACommitThatDoesNotWaitIsUnknown) {
  // There is no such standby, so the commit waits until somebody cancels it.
  const auto set = [](const char* names) {
    const auto other = Connect();
    const std::string text =
        std::string("ALTER SYSTEM SET synchronous_standby_names = '") + names + "'";
    ASSERT_TRUE(other->Run(text.c_str()).status.ok());
    ASSERT_TRUE(other->Run("SELECT pg_reload_conf()").status.ok());
  };
  const auto cancel = [] {
    const auto other = Connect();
    std::unique_ptr<Rows> found;
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(other
                      ->Run("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
                            " WHERE wait_event = 'SyncRep'",
                            {}, &found)
                      .status.ok());
      if (found->Number(0, 0) > 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "no commit waits";
  };
  set("ANY 1 (nobody)");
  // The setting comes a little after it was made.
  StatementFailure failure = StatementFailure::kNone;
  std::thread canceller(cancel);
  for (uint64_t i = 1; i < 2000 && failure == StatementFailure::kNone; ++i) {
    const PostgresConnection::Both both = Insert(i);
    failure = both.first.failure;
    if (failure != StatementFailure::kNone) {
      EXPECT_EQ(both.second.failure, StatementFailure::kUnknown);
      EXPECT_NE(std::string(both.first.status.text()).find("canceling wait"), std::string::npos);
    }
  }
  canceller.join();
  EXPECT_EQ(failure, StatementFailure::kUnknown);
  set("");
}

TEST_F(PostgresConnectionTest, ACrashMakesBothUnknown) {
  Node().Crash();
  const PostgresConnection::Both both = Insert(1);
  EXPECT_EQ(both.first.failure, StatementFailure::kUnknown);
  EXPECT_EQ(both.second.failure, StatementFailure::kUnknown);
  EXPECT_TRUE(connection->ended());
}

}  // namespace
}  // namespace tenure::store
