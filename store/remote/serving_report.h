// A server's report of its clients: which programs use its store, what they hold, who waits for
// whom (docs/page_server.md, "Who holds what").
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/remote/server_protocol.h"

namespace tenure::store {

// Durations are those at the time of the report.
struct ServingReport {
  using Duration = std::chrono::milliseconds;

  // A program, or a commit of several stores whose outcome is not known yet.
  struct Party {
    int64_t process = 0;  // 0: not known
    std::string program;  // its name, as /proc has it; empty: not known
    bool in_doubt = false;
    // Of a program that uses a store of a cluster: the common name in its certificate, and the end
    // of its connection at its machine. Its process and name are what the program itself says.
    std::string subject = {}, address = {};
  };
  struct Client {
    Party party;
    Duration connected{};
    bool answered = false;                // a program that is stopped does not answer
    std::optional<Duration> transaction;  // since the open transaction began
    uint64_t read_pages = 0;              // that it may read and not write
    uint64_t written_pages = 0;           // that it may write
    uint64_t free_pages = 0;              // of read_pages: that it has not touched
  };
  // A program that holds a page for which another one waits.
  struct Holder {
    Party party;
    bool write = false;
    Duration held{};
    std::optional<Duration> asked;  // since it was first asked to give the page up
    bool busy = false;              // it will do so when its transaction ends
  };
  struct Wait {
    Party party;
    std::string database;
    uint64_t page = 0;  // 0: the root; kTables: the tables of references to other databases
    bool write = false;
    Duration waited{};
    std::vector<Holder> holders;
    std::vector<Party> before;  // those that wait for the same page and came first
  };
  static constexpr uint64_t kTables = ~uint64_t{0};

  int64_t process = 0;
  Duration serving{};
  uint64_t commits = 0, syncs = 0, largest_group = 0;
  // Of a store of a cluster: the machine of its leader, the term in which it leads (0: the store is
  // of no cluster), and the bytes of pages in the log that are not applied yet.
  std::string host;
  uint64_t term = 0, behind_bytes = 0;
  std::vector<Client> clients;
  std::vector<Wait> waits;
};

void PutReport(Writer& out, const ServingReport& report);
// Reads the report; `in` tells afterwards whether the bytes were a valid one.
ServingReport GetReport(Reader& in);

// "process 17 (bank)", "process 17 (bank) of 'alice' at db4:51234"
std::string TextOf(const ServingReport::Party& party);
// "page 3 of database main, for writing"
std::string WantedText(const ServingReport::Wait& wait);
// Why the wait goes on, for each holder and each program before it: "process 17 (bank) has had
// it for reading for 12.0 s, and was asked for it 10.0 s ago: it is in a transaction".
std::vector<std::string> ReasonTexts(const ServingReport::Wait& wait);
// "12.0 s"
std::string TextOf(ServingReport::Duration duration);

}  // namespace tenure::store
