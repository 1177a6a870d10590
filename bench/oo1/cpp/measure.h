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
#include "lab/oo1/operations.h"

namespace oo1 {

using bench::Draw;
using tenure::lab::oo1::kConnections;
using tenure::lab::oo1::kHops;
using tenure::lab::oo1::kInsertions;
using tenure::lab::oo1::kLookups;
using tenure::lab::oo1::kParts;
using tenure::lab::oo1::Operation;
using tenure::lab::oo1::seen;
using tenure::lab::oo1::ShortText;
using tenure::lab::oo1::Target;
using tenure::lab::oo1::Type;
using tenure::lab::oo1::Use;

constexpr int kIterations = 10;

inline Operation OperationNamed(std::string_view name) {
  if (name == "lookup") return Operation::kLookup;
  if (name == "traversal") return Operation::kTraversal;
  if (name == "insert") return Operation::kInsert;
  bench::Fail("'" + std::string(name) + "' is not an operation");
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
