// The cost of a durable transaction of Berkeley DB that changes a few bytes in records of a page's
// size: begin, partial puts, commit with DB_TXN_SYNC. This is the lower bound for a commit of the
// same number of pages.
//   commit_bdb DIR: reads lines `KIND COUNT COMMITS` and prints results like bench/commit; each
//     transaction puts 8 bytes into COUNT records.
//   commit_bdb DIR ROUNDS PAGES BYTES MICROSECONDS: transactions that change BYTES bytes, spread
//     over PAGES records, with one partial put for each record; and appends of BYTES bytes to a
//     file with allocated blocks, with fdatasync. These are the lower bounds for a larger commit
//     with `diff` and with `redo`. Before each transaction, work in memory takes MICROSECONDS, as
//     before a commit: a disk that has been idle takes longer.
#include <db.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

void Check(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "commit_bdb: %s: %s\n", what, db_strerror(code));
  std::exit(1);
}

DBT Bytes(void* data, uint32_t size) {
  DBT dbt;
  std::memset(&dbt, 0, sizeof dbt);
  dbt.data = data;
  dbt.size = size;
  return dbt;
}

double ProcessorMs() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

double Median(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

uint64_t LogBytes(DB_ENV* env) {
  DB_LOG_STAT* statistics = nullptr;
  Check(env->log_stat(env, &statistics, 0), "log_stat");
  const uint64_t bytes = (uint64_t{statistics->st_w_mbytes} << 20) + statistics->st_w_bytes;
  std::free(statistics);
  return bytes;
}

constexpr size_t kRecordBytes = 8216;

class Costs {
 public:
  void Start() {
    spent_ = ProcessorMs();
    start_ = std::chrono::steady_clock::now();
  }
  void Stop() {
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start_;
    times_.push_back(time.count());
    processor_.push_back(ProcessorMs() - spent_);
  }
  void PrintMedian(const char* kind, int number) {
    std::printf("%s-%d %.4f ms %.4f processor\n", kind, number, Median(times_), Median(processor_));
  }
  void PrintAll() const {
    for (size_t i = 0; i < times_.size(); ++i) std::printf("%.4f %.4f\n", times_[i], processor_[i]);
  }

 private:
  double spent_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::vector<double> times_, processor_;
};

// Uses the processor and its caches for this time.
void Work(int microseconds) {
  static std::vector<char> memory(16 << 20);
  static size_t at = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < 64; ++i) ++memory[at = (at + 4097) % memory.size()];
  }
}

struct Put {
  uint64_t key;
  uint32_t begin, bytes;  // of the record
};

// The changes of a round: `bytes` bytes in all, in words at equal distances.
void Change(std::vector<char>& record, const Put& put, size_t words, int round) {
  const size_t distance = put.bytes / std::max<size_t>(words, 1) / 8 * 8;
  for (size_t i = 0; i < std::max<size_t>(words, 1); ++i) {
    record[put.begin + i * distance + 3] = static_cast<char>(round);
  }
}

class Records {
 public:
  Records(DB_ENV* env, DB* tree) : env_(env), tree_(tree), record_(kRecordBytes) {}

  // The whole records, in one transaction.
  void Insert(const std::vector<Put>& puts) {
    Transaction([&](DB_TXN* transaction) {
      for (const Put& put : puts) PutBytes(transaction, {put.key, 0, kRecordBytes}, 0);
    });
  }

  // One transaction that makes these puts.
  void Update(const std::vector<Put>& puts, size_t words) {
    ++round_;
    Transaction([&](DB_TXN* transaction) {
      for (const Put& put : puts) {
        Change(record_, put, words, round_);
        PutBytes(transaction, put, DB_DBT_PARTIAL);
      }
    });
  }

 private:
  template <typename F>
  void Transaction(F&& make) {
    DB_TXN* transaction = nullptr;
    Check(env_->txn_begin(env_, nullptr, &transaction, 0), "begin");
    make(transaction);
    Check(transaction->commit(transaction, DB_TXN_SYNC), "commit");
  }

  void PutBytes(DB_TXN* transaction, Put put, uint32_t flags) {
    DBT key = Bytes(&put.key, sizeof put.key);
    DBT value = Bytes(record_.data() + put.begin, put.bytes);
    value.flags = flags;
    value.doff = put.begin;
    value.dlen = put.bytes;
    Check(tree_->put(tree_, transaction, &key, &value, 0), "put");
  }

  DB_ENV* env_;
  DB* tree_;
  std::vector<char> record_;
  int round_ = 0;
};

std::vector<Put> Puts(int count, uint32_t bytes) {
  std::vector<Put> puts;
  for (int i = 1; i <= count; ++i) puts.push_back({uint64_t(i), 0, bytes});
  return puts;
}

void Obey(DB_ENV* env, Records& records) {
  char kind[32];
  int count = 0, commits = 0, inserted = 0;
  std::printf("log 0\n");
  std::fflush(stdout);
  while (std::scanf("%31s %d %d", kind, &count, &commits) == 3) {
    if (count > inserted) records.Insert(Puts(inserted = count, kRecordBytes));
    Costs costs;
    for (int i = 0; i < commits; ++i) {
      costs.Start();
      // A version and a changed word, as a commit has them.
      records.Update(Puts(count, 8), 1);
      costs.Stop();
    }
    costs.PrintAll();
    std::printf("log %llu\n", static_cast<unsigned long long>(LogBytes(env)));
    std::fflush(stdout);
  }
}

void Transactions(Records& records, int rounds, int pages, size_t bytes, int microseconds) {
  const std::vector<Put> puts = Puts(pages, kRecordBytes);
  records.Insert(puts);
  Costs costs;
  for (int round = 0; round < rounds; ++round) {
    Work(microseconds);
    costs.Start();
    records.Update(puts, bytes / 8 / puts.size());
    costs.Stop();
  }
  costs.PrintMedian("puts", pages);
}

// Appends to a file that is filled with zeros already.
void Appends(const std::string& path, size_t bytes, int rounds, int microseconds) {
  const int fd = open(path.c_str(), O_CREAT | O_RDWR, 0600);
  const std::vector<char> zeros(bytes * static_cast<size_t>(rounds)), text(bytes, 'a');
  bool good =
      fd >= 0 && write(fd, zeros.data(), zeros.size()) == ssize_t(zeros.size()) && fsync(fd) == 0;
  Costs costs;
  for (int round = 0; round < rounds && good; ++round) {
    Work(microseconds);
    costs.Start();
    good = pwrite(fd, text.data(), bytes, off_t(bytes) * round) == ssize_t(bytes) &&
           fdatasync(fd) == 0;
    costs.Stop();
  }
  close(fd);
  if (!good) {
    std::perror("commit_bdb: append");
    std::exit(1);
  }
  costs.PrintMedian(microseconds == 0 ? "append" : "append_after_work", static_cast<int>(bytes));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 6) {
    std::fprintf(stderr, "usage: commit_bdb DIR [ROUNDS PAGES BYTES MICROSECONDS]\n");
    return 2;
  }
  mkdir(argv[1], 0700);
  DB_ENV* env = nullptr;
  Check(db_env_create(&env, 0), "env_create");
  Check(env->open(env, argv[1],
                  DB_CREATE | DB_PRIVATE | DB_THREAD | DB_INIT_MPOOL | DB_INIT_TXN | DB_INIT_LOG,
                  0600),
        "open environment");
  DB* tree = nullptr;
  Check(db_create(&tree, env, 0), "create");
  Check(tree->set_flags(tree, DB_CHKSUM), "checksum");
  Check(tree->set_pagesize(tree, 64 << 10), "page size");
  Check(tree->open(tree, nullptr, "pages.db", nullptr, DB_BTREE,
                   DB_CREATE | DB_AUTO_COMMIT | DB_THREAD, 0600),
        "open tree");
  Records records(env, tree);
  if (argc == 2) {
    Obey(env, records);
  } else {
    const int rounds = std::max(1, std::atoi(argv[2])), pages = std::max(1, std::atoi(argv[3]));
    const size_t bytes = static_cast<size_t>(std::max(8, std::atoi(argv[4])));
    const int microseconds = std::max(0, std::atoi(argv[5]));
    Transactions(records, rounds, pages, bytes, microseconds);
    Appends(std::string(argv[1]) + "/appended", bytes, rounds, microseconds);
    Appends(std::string(argv[1]) + "/appended", bytes, rounds, 0);
  }
  Check(tree->close(tree, 0), "close");
  Check(env->close(env, 0), "close environment");
  return 0;
}
