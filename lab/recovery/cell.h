// One cell of a table: a server and some clients, each a process of its own, that repeat a
// traversal as a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/recovery/client.h"
#include "lab/recovery/module.h"
#include "lab/recovery/server.h"

namespace tenure::lab::recovery {

inline constexpr size_t kMostClients = 5;

// Makes a store in the new directory `path`, with a module for each client. Returns the number of
// pages of each of them.
size_t MakeStore(const std::string& path, Size size, Placement placement);

struct CellOptions {
  std::string store;  // its path
  size_t module_pages = 0;
  Traversal traversal = Traversal::kT2A;
  size_t clients = 1;
  uint64_t transactions = 4;  // of each client, that count; one more goes before them
  ClientOptions client;
  ServerOptions server;
};

struct CellResult {
  uint64_t count = 0;  // updates of a transaction
  // Microseconds. By transaction of all clients: until it was durable. By client: elapsed for all
  // transactions, and processor time for one. For all transactions: the server's processor time for
  // one.
  std::vector<double> response, elapsed, client_processor;
  double server_processor = 0;
  bool sums_right = true;      // x and y have grown by the number of updates
  ClientCounters first;        // of the first client, in its last transaction
  uint64_t first_regions = 0;  // of the first client, in all transactions
  ServerReport server;         // while transactions counted
};

// Ends the program if a process of the cell fails.
CellResult RunCell(const CellOptions& options);

// The server is killed while the clients work; the store is restarted. For each client, in order:
// the acknowledged commits and those in the store; `whole`: each module is as after that many of
// its transactions.
struct CrashResult {
  std::vector<uint64_t> acknowledged, found;
  bool whole = true;
};
CrashResult RunCrash(const CellOptions& options, uint64_t after_us);

}  // namespace tenure::lab::recovery
