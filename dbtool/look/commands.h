// The commands that look at data and change single values: show, query, set, shell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dbtool/values/views.h"

namespace tenure::dbtool {

struct LookArguments {
  std::string store, database;
  std::string expression;          // a path or a query
  std::string value;               // set: the new value
  std::vector<std::string> views;  // files
  std::string format = "table";    // query: table, jsonl or csv
  uint64_t limit = 20;
  bool json = false;
  bool statistics = false;  // query: says how many pages were read
  bool dry_run = false;
};

// Each returns the command's exit status, and writes errors to the standard error.
int ShowCommand(const LookArguments& arguments);
int QueryCommand(const LookArguments& arguments);
int SetCommand(const LookArguments& arguments);
int ShellCommand(const LookArguments& arguments);
// The objects of the type `expression`, as CSV, to a new file or, without a name, to the standard
// output.
int ExportCsv(const LookArguments& arguments, const std::string& file);

}  // namespace tenure::dbtool
