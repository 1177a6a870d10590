// Transfers in LMDB, a record for each account; each commit synchronous. One transaction writes at
// a time.
#include <lmdb.h>
#include <sys/stat.h>

#include <cstring>
#include <string>

#include "bench/transfers/cpp/driver.h"
#include "bench/transfers/cpp/key.h"

namespace {

using transfers::Account;
using transfers::Key;

constexpr size_t kMostBytes = size_t{1} << 30;

void Check(int status) {
  if (status != 0) bench::Fail(std::string("LMDB: ") + mdb_strerror(status));
}

class Bank {
 public:
  class Teller {
   public:
    explicit Teller(Bank& bank) : bank_(bank) {}

    int Transfer(int32_t from, int32_t to, int64_t amount) {
      MDB_txn* txn = nullptr;
      Check(mdb_txn_begin(bank_.env_, nullptr, 0, &txn));
      Add(txn, from, -amount);
      Add(txn, to, amount);
      Check(mdb_txn_commit(txn));
      return 0;
    }

   private:
    void Add(MDB_txn* txn, int32_t id, int64_t amount) {
      Key key(id);
      MDB_val k = {sizeof key.bytes, key.bytes}, v;
      Check(mdb_get(txn, bank_.table_, &k, &v));
      Account account;
      if (v.mv_size != sizeof account) bench::Fail("LMDB: a record has the wrong size");
      std::memcpy(&account, v.mv_data, sizeof account);
      account.balance += amount;
      ++account.transfers;
      v = {sizeof account, &account};
      Check(mdb_put(txn, bank_.table_, &k, &v, 0));
    }

    Bank& bank_;
  };

  explicit Bank(const char* path) {
    Check(mdb_env_create(&env_));
    Check(mdb_env_set_mapsize(env_, kMostBytes));
    Check(mdb_env_open(env_, path, 0, 0600));
    MDB_txn* txn = nullptr;
    Check(mdb_txn_begin(env_, nullptr, 0, &txn));
    Check(mdb_dbi_open(txn, nullptr, 0, &table_));
    Check(mdb_txn_commit(txn));
  }
  Bank(const Bank&) = delete;
  ~Bank() { mdb_env_close(env_); }

  static void Create(const char* path, int32_t accounts) {
    if (mkdir(path, 0700) != 0) bench::Fail(std::string(path) + ": " + std::strerror(errno));
    Bank bank(path);
    MDB_txn* txn = nullptr;
    Check(mdb_txn_begin(bank.env_, nullptr, 0, &txn));
    for (int32_t id = 0; id < accounts; ++id) {
      Key key(id);
      Account account = transfers::NewAccount(id);
      MDB_val k = {sizeof key.bytes, key.bytes}, v = {sizeof account, &account};
      Check(mdb_put(txn, bank.table_, &k, &v, MDB_APPEND));
    }
    Check(mdb_txn_commit(txn));
  }

  transfers::Sum GetSum() {
    MDB_txn* txn = nullptr;
    MDB_cursor* cursor = nullptr;
    Check(mdb_txn_begin(env_, nullptr, MDB_RDONLY, &txn));
    Check(mdb_cursor_open(txn, table_, &cursor));
    transfers::Sum sum;
    MDB_val k, v;
    int status = mdb_cursor_get(cursor, &k, &v, MDB_FIRST);
    for (; status == 0; status = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) {
      Account account;
      if (v.mv_size != sizeof account) bench::Fail("LMDB: a record has the wrong size");
      std::memcpy(&account, v.mv_data, sizeof account);
      sum.Add(account);
    }
    if (status != MDB_NOTFOUND) Check(status);
    mdb_cursor_close(cursor);
    mdb_txn_abort(txn);
    return sum;
  }

 private:
  MDB_env* env_ = nullptr;
  MDB_dbi table_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return transfers::Main<Bank>(argc, argv); }
