// What does one durable transaction of Berkeley DB cost that changes a few bytes of one record of a
// page's size? The floor under a commit of one object. usage: commit_bdb DIR ROUNDS; prints a
// line like those of bench/commit.
#include <db.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: commit_bdb DIR ROUNDS\n");
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
  std::vector<char> record(8216);
  uint64_t number = 1;
  DBT key = Bytes(&number, sizeof number);
  std::vector<double> times, processor;
  uint64_t log = 0;
  for (int round = -1; round < rounds; ++round) {
    DB_TXN* transaction = nullptr;
    const double spent = ProcessorMs();
    const auto start = std::chrono::steady_clock::now();
    Check(env->txn_begin(env, nullptr, &transaction, 0), "begin");
    DBT value = Bytes(record.data(), static_cast<uint32_t>(record.size()));
    if (round >= 0) {
      // A version and a changed word, as a commit has them.
      record[3] = static_cast<char>(round);
      value = Bytes(record.data(), 8);
      value.flags = DB_DBT_PARTIAL;
      value.doff = 0;
      value.dlen = 8;
    }
    Check(tree->put(tree, transaction, &key, &value, 0), "put");
    Check(transaction->commit(transaction, DB_TXN_SYNC), "commit");
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (round >= 0) {
      times.push_back(time.count());
      processor.push_back(ProcessorMs() - spent);
    } else {
      log = LogBytes(env);
    }
  }
  log = (LogBytes(env) - log) / static_cast<uint64_t>(rounds);
  std::printf("plain bdb-1 %.4f ms %.4f processor %llu log\n", Median(times), Median(processor),
              static_cast<unsigned long long>(log));
  Check(tree->close(tree, 0), "close");
  Check(env->close(env, 0), "close environment");
  return 0;
}
