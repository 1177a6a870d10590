// The C functions behind Database and Transaction, on the page server in memory.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "abi/entry_points.h"
#include "runtime/exceptions/exceptions.h"
#include "runtime/heap/text.h"
#include "runtime/sessions/io_buffer.h"
#include "runtime/start/runtime.h"
#include "tests/runtime/test_program.h"

extern "C" {
using tenure::abi::Ref;
Ref tn_database_message();
int64_t tn_database_create(const char*, int64_t);
int64_t tn_database_open(const char*, int64_t, void**);
int64_t tn_database_delete(const char*, int64_t);
int64_t tn_database_close(void*);
int64_t tn_database_get_root(void*, Ref*);
int64_t tn_database_set_root(void*, Ref);
int64_t tn_transaction_begin(void**);
int64_t tn_transaction_commit(void**);
int64_t tn_transaction_checkpoint(void**);
int64_t tn_transaction_abort(void**);
int64_t tn_transaction_lock(void*, Ref, uint8_t);
int64_t tn_transaction_join(void*);
uint8_t tn_transaction_is_open(void*);
int64_t tn_database_statistic(int64_t);
int64_t tn_file_read(int64_t, char*, int64_t);
int64_t tn_file_write(int64_t, const char*, int64_t, int64_t*);
Ref tn_text8_from(const char*, int64_t);
}

namespace tenure::runtime::test {

using namespace abi;  // the entry points

namespace {

enum : int64_t {
  kOk = 0,
  kDatabaseExists = 1,
  kDatabaseNotFound = 2,
  kDatabaseOpen = 3,
  kFailure = 6,
  kTransactionInProgress = 9,
  kTransactionNotInProgress = 10,
};

// Each test has a database of its own.
class DatabaseTest : public testing::Test {
 protected:
  void SetUp() override {
    name_ = std::string("store_") + testing::UnitTest::GetInstance()->current_test_info()->name();
    ASSERT_EQ(Create(), kOk) << Message();
    ASSERT_EQ(Open(), kOk) << Message();
  }
  void TearDown() override {
    if (tn_transaction_is_open(transaction_)) tn_transaction_abort(&transaction_);
    if (database_ != nullptr) {
      EXPECT_EQ(tn_database_close(database_), kOk) << Message();
    }
  }

  int64_t Create() { return tn_database_create(name_.c_str(), Length()); }
  int64_t Open() { return tn_database_open(name_.c_str(), Length(), &database_); }
  int64_t Length() const { return static_cast<int64_t>(name_.size()); }
  std::string Message() const { return CopyOfText(tn_database_message()); }

  void Begin() { ASSERT_EQ(tn_transaction_begin(&transaction_), kOk) << Message(); }
  void Commit() { ASSERT_EQ(tn_transaction_commit(&transaction_), kOk) << Message(); }
  Cell* Root() {
    Ref root = nullptr;
    EXPECT_EQ(tn_database_get_root(database_, &root), kOk) << Message();
    return static_cast<Cell*>(root);
  }
  void Reopen() {
    ASSERT_EQ(tn_database_close(database_), kOk) << Message();
    ASSERT_EQ(Open(), kOk) << Message();
  }

  std::string name_;
  void* database_ = nullptr;
  void* transaction_ = nullptr;
};

TEST_F(DatabaseTest, MisuseIsAnsweredWithItsStatus) {
  EXPECT_EQ(Create(), kDatabaseExists);
  void* second = nullptr;
  EXPECT_EQ(tn_database_open(name_.c_str(), Length(), &second), kDatabaseOpen);
  EXPECT_EQ(tn_database_open("nowhere", 7, &second), kDatabaseNotFound);
  EXPECT_EQ(tn_database_delete(name_.c_str(), Length()), kDatabaseOpen);
  EXPECT_EQ(tn_transaction_commit(&transaction_), kTransactionNotInProgress);
  EXPECT_EQ(tn_transaction_join(transaction_), kTransactionNotInProgress);
  Ref root = nullptr;
  EXPECT_EQ(tn_database_get_root(database_, &root), kTransactionNotInProgress);
  Begin();
  EXPECT_TRUE(tn_transaction_is_open(transaction_));
  EXPECT_EQ(tn_transaction_begin(&transaction_), kTransactionInProgress);
  void* child = nullptr;
  EXPECT_EQ(tn_transaction_begin(&child), kOk);
  EXPECT_EQ(tn_transaction_abort(&child), kOk);
  EXPECT_EQ(tn_database_close(database_), kTransactionInProgress);
  EXPECT_EQ(tn_transaction_join(transaction_), kOk);
  Commit();
  EXPECT_FALSE(tn_transaction_is_open(transaction_));
  EXPECT_EQ(tn_database_close(nullptr), kFailure);
  EXPECT_EQ(Message(), "the database is closed");
}

TEST_F(DatabaseTest, WhatIsCommittedIsThereAfterReopening) {
  Begin();
  EXPECT_EQ(Root(), nullptr);
  Cell* list = nullptr;
  for (int64_t i = 0; i < 1000; ++i) list = NewCell(i, list);
  ASSERT_EQ(tn_database_set_root(database_, list), kOk) << Message();
  Commit();
  Reopen();
  Begin();
  const int64_t faults = tn_database_statistic(0);
  int64_t expected = 999;
  for (Cell* c = Root(); c != nullptr; c = c->next) ASSERT_EQ(c->value, expected--);
  EXPECT_EQ(expected, -1);
  EXPECT_GT(tn_database_statistic(0), faults);
  Commit();
}

TEST_F(DatabaseTest, AbortRestoresWhatWasCommitted) {
  Begin();
  ASSERT_EQ(tn_database_set_root(database_, NewCell(1, nullptr)), kOk);
  Commit();
  Begin();
  Root()->value = 2;
  ASSERT_EQ(tn_transaction_checkpoint(&transaction_), kOk) << Message();
  Root()->value = 3;
  ASSERT_EQ(tn_transaction_abort(&transaction_), kOk) << Message();
  Begin();
  EXPECT_EQ(Root()->value, 2);
  Commit();
}

TEST_F(DatabaseTest, WritingOutsideATransactionRaises) {
  Begin();
  ASSERT_EQ(tn_database_set_root(database_, NewCell(1, nullptr)), kOk);
  Commit();
  Reopen();
  Begin();
  Cell* cell = Root();
  EXPECT_EQ(cell->value, 1);
  Commit();
  const auto write = [](void* raw) {
    const_cast<volatile int64_t&>(static_cast<Cell*>(raw)->value) = 7;
  };
  void* exception = nullptr;
  ASSERT_EQ(tn_test_try_a_b_any(write, cell, &exception), 3);
  EXPECT_EQ(ExceptionInFlight::Of(exception)->descriptor, &tn_test_not_in_progress);
  tn_end_catch(exception);
  EXPECT_EQ(cell->value, 1);
}

TEST_F(DatabaseTest, SystemCallsReachClosedPages) {
  Begin();
  const std::string contents(3000, 'x');
  ASSERT_EQ(tn_database_set_root(database_, tn_text8_from(contents.data(), 3000)), kOk);
  Commit();
  Reopen();
  Begin();
  Ref text = Root();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  // Neither page nor header has been touched: only the system call's buffer is.
  char* characters = static_cast<char*>(text) + 8;
  int64_t written = 0;
  EXPECT_EQ(tn_file_write(pipe_ends[1], characters, 3000, &written), 0);
  EXPECT_EQ(tn_file_write(pipe_ends[1], "abc", 3, &written), 0);
  EXPECT_EQ(tn_file_read(pipe_ends[0], characters, 1000), 1000);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  EXPECT_EQ(CopyOfText(text), contents);
  Commit();
}

TEST_F(DatabaseTest, AnExplicitLockTouchesTheObject) {
  Begin();
  ASSERT_EQ(tn_database_set_root(database_, NewCell(1, nullptr)), kOk);
  Commit();
  Reopen();
  Begin();
  const int64_t writes = tn_database_statistic(1);
  EXPECT_EQ(tn_transaction_lock(transaction_, Root(), 0), kOk);
  EXPECT_EQ(tn_database_statistic(1), writes);
  EXPECT_EQ(tn_transaction_lock(transaction_, Root(), 1), kOk);
  EXPECT_EQ(tn_database_statistic(1), writes + 1);
  Commit();
}

TEST_F(DatabaseTest, PersistentObjectsSurviveCollections) {
  Begin();
  Cell* list = nullptr;
  for (int64_t i = 0; i < 2000; ++i) list = NewCell(i, list);
  ASSERT_EQ(tn_database_set_root(database_, list), kOk);
  list = nullptr;
  Commit();
  for (int round = 0; round < 4; ++round) {
    Runtime::Get().heap().Collect(round % 2 == 0 ? gc::CollectionKind::kMinor
                                                 : gc::CollectionKind::kMajor);
    Begin();
    int64_t expected = 1999;
    for (Cell* c = Root(); c != nullptr; c = c->next) {
      ASSERT_EQ(c->value, expected + round);
      c->value = expected + round + 1;
      --expected;
    }
    EXPECT_EQ(expected, -1);
    Commit();
  }
}

}  // namespace
}  // namespace tenure::runtime::test
