// Transfers in RocksDB's TransactionDB (pessimistic locks), a record for each account; each commit
// syncs the write-ahead log, and commits of several threads share a sync.
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstring>
#include <memory>
#include <string>

#include "bench/transfers/cpp/driver.h"
#include "bench/transfers/cpp/key.h"

namespace {

using transfers::Account;
using transfers::Key;

void Check(const rocksdb::Status& status) {
  if (!status.ok()) bench::Fail("RocksDB: " + status.ToString());
}

rocksdb::Slice SliceOf(const Key& key) { return {key.bytes, sizeof key.bytes}; }
rocksdb::Slice SliceOf(const Account& account) {
  return {reinterpret_cast<const char*>(&account), sizeof account};
}

Account AccountOf(const rocksdb::Slice& value) {
  Account account;
  if (value.size() != sizeof account) bench::Fail("RocksDB: a record has the wrong size");
  std::memcpy(&account, value.data(), sizeof account);
  return account;
}

class Bank {
 public:
  class Teller {
   public:
    explicit Teller(Bank& bank) : db_(*bank.db_) { write_.sync = true; }

    int Transfer(int32_t from, int32_t to, int64_t amount) {
      for (int aborted = 0;; ++aborted) {
        transaction_.reset(db_.BeginTransaction(write_, {}, transaction_.release()));
        // Locks are taken in the order of the numbers, so no deadlock is possible.
        rocksdb::Status status = from < to ? Add(from, -amount) : Add(to, amount);
        if (status.ok()) status = from < to ? Add(to, amount) : Add(from, -amount);
        if (status.ok()) status = transaction_->Commit();
        if (status.ok()) return aborted;
        if (!status.IsBusy() && !status.IsTimedOut() && !status.IsTryAgain()) Check(status);
        Check(transaction_->Rollback());
      }
    }

   private:
    rocksdb::Status Add(int32_t id, int64_t amount) {
      const Key key(id);
      rocksdb::PinnableSlice value;
      const rocksdb::Status status =
          transaction_->GetForUpdate({}, db_.DefaultColumnFamily(), SliceOf(key), &value);
      if (!status.ok()) return status;
      Account account = AccountOf(value);
      account.balance += amount;
      ++account.transfers;
      return transaction_->Put(SliceOf(key), SliceOf(account));
    }

    rocksdb::TransactionDB& db_;
    rocksdb::WriteOptions write_;
    std::unique_ptr<rocksdb::Transaction> transaction_;
  };

  explicit Bank(const char* path) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.enable_pipelined_write = true;
    rocksdb::TransactionDBOptions locks;
    locks.transaction_lock_timeout = locks.default_lock_timeout = 60'000;
    rocksdb::TransactionDB* db = nullptr;
    Check(rocksdb::TransactionDB::Open(options, locks, path, &db));
    db_.reset(db);
  }

  static void Create(const char* path, int32_t accounts) {
    Bank bank(path);
    rocksdb::WriteBatch batch;
    for (int32_t id = 0; id < accounts; ++id) {
      Check(batch.Put(SliceOf(Key(id)), SliceOf(transfers::NewAccount(id))));
    }
    rocksdb::WriteOptions write;
    write.sync = true;
    Check(bank.db_->Write(write, &batch));
    Check(bank.db_->Flush({}));
  }

  transfers::Sum GetSum() {
    transfers::Sum sum;
    std::unique_ptr<rocksdb::Iterator> all(db_->NewIterator({}));
    for (all->SeekToFirst(); all->Valid(); all->Next()) sum.Add(AccountOf(all->value()));
    Check(all->status());
    return sum;
  }

 private:
  std::unique_ptr<rocksdb::TransactionDB> db_;
};

}  // namespace

int main(int argc, char** argv) { return transfers::Main<Bank>(argc, argv); }
