// The commands of `tenure db` (main.cc), each with its output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "dbtool/look/commands.h"

namespace tenure::dbtool {

// The parsed command line; each command uses its part of it.
struct Arguments {
  std::string place;            // DIR or DIR:NAME, as Database.Open takes it
  std::string store, database;  // the parts of it
  bool named = false;           // whether there is a NAME
  uint64_t page = 0;            // 0: all
  std::string object, file, target, program, converter;
  std::vector<std::string> renamed_types, renamed_fields;  // "OLD=NEW"
  std::vector<std::string> dropped_fields;                 // "TYPE.FIELD"
  bool drop_all = false;
  std::vector<std::string> rebuilt;  // types
  bool dry_run = false;
  bool json = false;
  bool clients = false;
  LookArguments look;
  uint16_t port = 0;  // browse
  bool read_write = false;
  bool all = false;  // show: no limit; export, import: all databases
  bool csv = false;  // query

  std::string DatabaseOrMain() const { return named ? database : "main"; }
};

// Prints the failure, and returns the exit status of a command that could not be carried out.
int Failed(const Status& status);

// Prints the problem of a command line, and returns the exit status for wrong usage. `command` is
// empty where none is known.
int Usage(const std::string& problem, const std::string& command = "");

// Each carries out one command and returns the exit status.
int Statistics(const Arguments& arguments);
int VerifyAll(const Arguments& arguments);
int Schema(const Arguments& arguments);
int ShowAt(const Arguments& arguments);
int QueryAll(const Arguments& arguments);
int SetAt(const Arguments& arguments);
int ShellOf(const Arguments& arguments);
int Browse(const Arguments& arguments);
int DumpAll(const Arguments& arguments);
int Why(const Arguments& arguments);
int ExportAll(const Arguments& arguments);
int ImportAll(const Arguments& arguments);
int CollectAll(const Arguments& arguments);
int Compact(const Arguments& arguments);
int CheckAll(const Arguments& arguments);
int UpgradeAll(const Arguments& arguments);
int Forget(const Arguments& arguments);
int SalvageAll(const Arguments& arguments);
int Copy(const Arguments& arguments);

}  // namespace tenure::dbtool
