// The main program of every OO1 program, over its own operations: the twin of
// bench/oo1/tenure/Main.m3.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "bench/support/cpp/random.h"
#include "bench/support/cpp/usage.h"

namespace oo1 {

using bench::Draw;

constexpr int kParts = 20000;
constexpr int kConnections = 3;   // from a part
constexpr int kLookups = 1000;    // of one operation
constexpr int kHops = 7;          // depth of a traversal: 3,280 parts, some of them more than once
constexpr int kInsertions = 100;  // of one operation
constexpr int kNearShare = 90;    // percentage of connections that lead to the nearest parts:
constexpr int kNearParts = kParts / 100;
constexpr int kIterations = 10;

struct ShortText {
  char chars[10];
};

enum class Operation { kLookup, kTraversal, kInsert };

inline Operation OperationNamed(std::string_view name) {
  if (name == "lookup") return Operation::kLookup;
  if (name == "traversal") return Operation::kTraversal;
  if (name == "insert") return Operation::kInsert;
  bench::Fail("'" + std::string(name) + "' is no operation");
}

inline ShortText Type(int n) { return {{'t', 'y', 'p', 'e', static_cast<char>('0' + n)}}; }

// The part that a connection from part `id` leads to.
inline int32_t Target(int64_t parts, int64_t id) {
  if (Draw(100) >= kNearShare) return Draw(parts);
  const int64_t first = std::min(std::max<int64_t>(id - kNearParts / 2, 0), parts - kNearParts);
  return static_cast<int32_t>(first) + Draw(kNearParts);
}

inline int64_t seen;  // the sum of the values that the operation met

// Stands for the procedure of the program that uses the parts.
__attribute__((noinline)) inline void Use(int32_t x, int32_t y, const ShortText& type) {
  seen += x + y + type.chars[4];
}

// Ten iterations of an operation, and one more that repeats the tenth. `end` is called after each
// iteration, and timed.
template <class Perform, class End>
void Iterate(const Perform& perform, const End& end) {
  for (int i = 1; i <= kIterations + 1; ++i) {
    bench::StartRandom(static_cast<uint64_t>(std::min(i, kIterations)));
    seen = 0;
    const bench::Spent from = bench::Start();
    perform();
    const bench::Spent to = bench::Now();
    bench::Tell("iteration", seen, from, to);
    end(to);
  }
}

constexpr char kStoreUsage[] = "usage: create PATH | measure PATH lookup|traversal|insert";

// The program of a store. `build` makes the store with all the parts; `open` opens it, begins the
// first transaction and returns the number of parts; `chain` ends a transaction and begins the
// next; `close` also ends the last one.
template <class Build, class Open, class Perform, class Chain, class Close>
int StoreMain(int argc, char** argv, const Build& build, const Open& open, const Perform& perform,
              const Chain& chain, const Close& close) {
  if (argc == 3 && std::strcmp(argv[1], "create") == 0) {
    const bench::Spent from = bench::Start();
    build(argv[2]);
    bench::Tell("create", kParts, from, bench::Now());
    return 0;
  }
  if (argc != 4 || std::strcmp(argv[1], "measure") != 0) bench::Fail(kStoreUsage);
  const Operation operation = OperationNamed(argv[3]);
  const bench::Spent from = bench::Start();
  const int64_t parts = open(argv[2], operation == Operation::kInsert);
  bench::Tell("open", parts, from, bench::Now());
  Iterate([&] { perform(operation); },
          [&](const bench::Spent& since) {
            chain();
            bench::Tell("chain", 0, since, bench::Now());
          });
  close();
  bench::TellMemory();
  return 0;
}

}  // namespace oo1
