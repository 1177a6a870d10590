// What does one durable transaction of Berkeley DB cost that changes a few bytes of one record of a
// page's size: begin, one partial put, commit with DB_TXN_SYNC? The floor under a commit of one
// object. And with PAGES and BYTES: of one that changes so many bytes, spread over so many records,
// one partial put each from the first to the last; and an append of so many bytes to a file that
// has its blocks, with fdatasync: the floors under a larger commit with `diff` and with `redo`.
// usage: commit_bdb DIR ROUNDS [PAGES BYTES]; prints lines like those of bench/commit.
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
  void Print(const char* kind, int number, uint64_t log) {
    std::printf("plain %s-%d %.4f ms %.4f processor %llu log\n", kind, number, Median(times_),
                Median(processor_), static_cast<unsigned long long>(log));
  }

 private:
  double spent_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::vector<double> times_, processor_;
};

struct Put {
  uint64_t key;
  uint32_t begin, bytes;  // of the record
};

// What each round changes: `bytes` bytes in all, in words at equal distances.
void Change(std::vector<char>& record, const Put& put, size_t words, int round) {
  const size_t distance = put.bytes / std::max<size_t>(words, 1) / 8 * 8;
  for (size_t i = 0; i < std::max<size_t>(words, 1); ++i) {
    record[put.begin + i * distance + 3] = static_cast<char>(round);
  }
}

// Transactions that make these puts. Returns bytes of log of one.
uint64_t Transactions(DB_ENV* env, DB* tree, const std::vector<Put>& puts, size_t words, int rounds,
                      Costs* costs) {
  std::vector<char> record(kRecordBytes);
  uint64_t log = 0;
  for (int round = -1; round < rounds; ++round) {
    DB_TXN* transaction = nullptr;
    if (round == 0) log = LogBytes(env);
    costs->Start();
    Check(env->txn_begin(env, nullptr, &transaction, 0), "begin");
    for (const Put& put : puts) {
      uint64_t number = put.key;
      DBT key = Bytes(&number, sizeof number);
      DBT value = Bytes(record.data(), static_cast<uint32_t>(record.size()));
      if (round >= 0) {
        Change(record, put, words, round);
        value = Bytes(record.data() + put.begin, put.bytes);
        value.flags = DB_DBT_PARTIAL;
        value.doff = put.begin;
        value.dlen = put.bytes;
      }
      Check(tree->put(tree, transaction, &key, &value, 0), "put");
    }
    Check(transaction->commit(transaction, DB_TXN_SYNC), "commit");
    if (round >= 0) costs->Stop();
  }
  return (LogBytes(env) - log) / static_cast<uint64_t>(rounds);
}

// Appends to a file that is filled with zeros already.
void Appends(const std::string& path, size_t bytes, int rounds, Costs* costs) {
  const int fd = open(path.c_str(), O_CREAT | O_RDWR, 0600);
  const std::vector<char> zeros(bytes * static_cast<size_t>(rounds)), text(bytes, 'a');
  bool good =
      fd >= 0 && write(fd, zeros.data(), zeros.size()) == ssize_t(zeros.size()) && fsync(fd) == 0;
  for (int round = 0; round < rounds && good; ++round) {
    costs->Start();
    good = pwrite(fd, text.data(), bytes, off_t(bytes) * round) == ssize_t(bytes) &&
           fdatasync(fd) == 0;
    costs->Stop();
  }
  close(fd);
  if (good) return;
  std::perror("commit_bdb: append");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::fprintf(stderr, "usage: commit_bdb DIR ROUNDS [PAGES BYTES]\n");
    return 2;
  }
  const int rounds = std::max(1, std::atoi(argv[2]));
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
  if (argc == 3) {
    // A version and a changed word, as a commit has them.
    Costs costs;
    const uint64_t log = Transactions(env, tree, {{1, 0, 8}}, 1, rounds, &costs);
    costs.Print("bdb", 1, log);
  } else {
    const int pages = std::max(1, std::atoi(argv[3]));
    const size_t bytes = static_cast<size_t>(std::max(8, std::atoi(argv[4])));
    std::vector<Put> puts;
    for (int i = 1; i <= pages; ++i) puts.push_back({uint64_t(i), 0, kRecordBytes});
    Costs in_tree, appended;
    const uint64_t log = Transactions(env, tree, puts, bytes / 8 / puts.size(), rounds, &in_tree);
    in_tree.Print("puts", pages, log);
    Appends(std::string(argv[1]) + "/appended", bytes, rounds, &appended);
    appended.Print("append", static_cast<int>(bytes), bytes);
  }
  Check(tree->close(tree, 0), "close");
  Check(env->close(env, 0), "close environment");
  return 0;
}
