// The common part of the transfer programs: threads that transfer money between accounts of a
// store for some seconds, and lines that report what they did. bench/transfers/bank/Driver is the
// same in Modula-3; keep the two in step.
//
//   PROGRAM create STORE ACCOUNTS
//   PROGRAM run STORE DRAWS THREADS FIRST WARM-SECONDS SECONDS
//   PROGRAM sum STORE
//
// `run` prints "ready" when the store is open and waits for a line of its input. Then each thread
// makes one transfer after the other, each durable before the next. Transfers of the first
// WARM-SECONDS are not counted. At the end it prints
//   done count TRANSFERS ...    all transfers, those of the warm-up included, and their cost
//   counted count TRANSFERS aborted ATTEMPTS
//   latency bucket BUCKET count TRANSFERS    for each bucket with counted transfers (BucketOf)
//   end
// and waits for the end of its input before it closes the store. DRAWS is a file of pairs of
// account numbers, 32 bits each, drawn beforehand so that all programs make the same transfers at
// the same small cost. FIRST is the number of the program's first thread among all threads of all
// programs: each thread begins with other pairs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/cpp/usage.h"

namespace transfers {

constexpr int64_t kInitialBalance = 1'000'000;
constexpr size_t kFillerBytes = 36;

// 60 bytes of data. `transfers` counts those that the account took part in, so that a later
// process can tell how many transfers the store holds.
struct __attribute__((packed)) Account {
  int64_t id, balance, transfers;
  char filler[kFillerBytes];
};
static_assert(sizeof(Account) == 60);

struct Pair {
  int32_t from, to;
};

// The sum over all accounts in the store.
struct Sum {
  int64_t accounts = 0, balance = 0, transfers = 0;

  void Add(const Account& account) {
    ++accounts;
    balance += account.balance;
    transfers += account.transfers;
  }
};

inline Account NewAccount(int32_t id) {
  Account account{id, kInitialBalance, 0, {}};
  std::memset(account.filler, 'a' + id % 26, sizeof account.filler);
  return account;
}

inline int64_t AmountOf(uint64_t transfer) { return static_cast<int64_t>(transfer % 100) + 1; }

// Buckets of durations in nanoseconds: each below 128, then 64 for each power of two.
constexpr int kBuckets = 3072;

inline int BucketOf(int64_t nanoseconds) {
  int64_t value = std::max<int64_t>(nanoseconds, 0);
  int shift = 0;
  while (value >= 128) {
    value >>= 1;
    ++shift;
  }
  return std::min(shift * 64 + static_cast<int>(value), kBuckets - 1);
}

// What one thread did.
struct Tally {
  int64_t all = 0, counted = 0, aborted = 0;
  std::array<int64_t, kBuckets> latencies{};

  void Add(const Tally& other) {
    all += other.all;
    counted += other.counted;
    aborted += other.aborted;
    for (int i = 0; i < kBuckets; ++i) latencies[i] += other.latencies[i];
  }
};

inline std::vector<Pair> ReadDraws(const char* path) {
  FILE* file = std::fopen(path, "rb");
  if (file == nullptr) bench::Fail(std::string(path) + ": " + std::strerror(errno));
  std::fseek(file, 0, SEEK_END);
  std::vector<Pair> pairs(static_cast<size_t>(std::ftell(file)) / sizeof(Pair));
  std::rewind(file);
  if (pairs.empty() || std::fread(pairs.data(), sizeof(Pair), pairs.size(), file) != pairs.size()) {
    bench::Fail(std::string(path) + ": cannot be read");
  }
  std::fclose(file);
  return pairs;
}

// The pair with which a thread begins.
inline size_t FirstPair(int thread, size_t pairs) {
  return static_cast<size_t>(thread) * 104729 % pairs;
}

template <typename Teller>
void Work(Teller& teller, const std::vector<Pair>& pairs, size_t next, int64_t counted_from,
          int64_t end, Tally& tally) {
  for (int64_t now = bench::Nanoseconds(); now < end;) {
    const int64_t began = now;
    tally.aborted += teller.Transfer(pairs[next].from, pairs[next].to,
                                     AmountOf(static_cast<uint64_t>(tally.all)));
    next = next + 1 == pairs.size() ? 0 : next + 1;
    ++tally.all;
    now = bench::Nanoseconds();
    if (now >= counted_from && now < end) {
      ++tally.counted;
      ++tally.latencies[static_cast<size_t>(BucketOf(now - began))];
    }
  }
}

inline void Report(const Tally& tally, const bench::Spent& from, const bench::Spent& to) {
  bench::Tell("done", tally.all, from, to);
  std::printf("counted count %lld aborted %lld\n", static_cast<long long>(tally.counted),
              static_cast<long long>(tally.aborted));
  for (int i = 0; i < kBuckets; ++i) {
    if (tally.latencies[static_cast<size_t>(i)] == 0) continue;
    std::printf("latency bucket %d count %lld\n", i,
                static_cast<long long>(tally.latencies[static_cast<size_t>(i)]));
  }
  std::printf("end\n");
  std::fflush(stdout);
}

inline void WaitForLine() {
  for (int c = std::getchar(); c != '\n' && c != EOF;) c = std::getchar();
}

template <typename Bank>
void Run(Bank& bank, const std::vector<Pair>& pairs, int threads, int first, double warm_s,
         double seconds) {
  // A teller is a connection or a handle of one thread.
  std::vector<std::unique_ptr<typename Bank::Teller>> tellers;
  for (int i = 0; i < threads; ++i) {
    tellers.push_back(std::make_unique<typename Bank::Teller>(bank));
  }
  std::printf("ready\n");
  std::fflush(stdout);
  WaitForLine();

  const bench::Spent from = bench::Start();
  const int64_t counted_from = from.elapsed + static_cast<int64_t>(warm_s * 1e9);
  const int64_t end = counted_from + static_cast<int64_t>(seconds * 1e9);
  std::vector<std::unique_ptr<Tally>> tallies;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    tallies.push_back(std::make_unique<Tally>());
    auto work = [&pairs, counted_from, end, &teller = *tellers[static_cast<size_t>(i)],
                 next = FirstPair(first + i, pairs.size()),
                 &tally = *tallies.back()] { Work(teller, pairs, next, counted_from, end, tally); };
    running.emplace_back(work);
  }
  for (std::thread& thread : running) thread.join();
  Tally sum;
  for (const auto& tally : tallies) sum.Add(*tally);
  Report(sum, from, bench::Now());
  WaitForLine();
}

// Bank is a store:
//   static void Create(const char* store, int32_t accounts);
//   explicit Bank(const char* store);   opens the store
//   Sum GetSum();
//   class Teller { explicit Teller(Bank&); int Transfer(from, to, amount); };
// Transfer returns when the transfer is durable, and how many attempts a conflict has undone. All
// of them end the program with a message on failure.
template <typename Bank>
int Main(int argc, char** argv) {
  const std::string command = argc > 2 ? argv[1] : "";
  if (command == "create" && argc == 4) {
    Bank::Create(argv[2], std::atoi(argv[3]));
  } else if (command == "run" && argc == 8) {
    const std::vector<Pair> pairs = ReadDraws(argv[3]);
    Bank bank(argv[2]);
    Run(bank, pairs, std::max(1, std::atoi(argv[4])), std::atoi(argv[5]), std::atof(argv[6]),
        std::atof(argv[7]));
  } else if (command == "sum" && argc == 3) {
    Bank bank(argv[2]);
    const Sum sum = bank.GetSum();
    std::printf("sum accounts %lld balance %lld transfers %lld\n",
                static_cast<long long>(sum.accounts), static_cast<long long>(sum.balance),
                static_cast<long long>(sum.transfers));
  } else {
    std::fprintf(stderr,
                 "usage: %s create STORE ACCOUNTS\n"
                 "       %s run STORE DRAWS THREADS FIRST WARM-SECONDS SECONDS\n"
                 "       %s sum STORE\n",
                 argv[0], argv[0], argv[0]);
    return 2;
  }
  return 0;
}

}  // namespace transfers
