// `tenure db export` and `import`: files, several databases, and messages to the user.
#pragma once

#include <string>

namespace tenure::dbtool {

struct ExchangeArguments {
  std::string store, database;
  bool named = false;  // the database was; else it is main
  bool all = false;    // all databases of the store; `file` is a directory with a file for each
  std::string file;    // empty: the standard streams
  bool json = false;   // what was done is told as one JSON value
};

// These return the exit status of their command (base/exit_status.h).
int ExportCommand(const ExchangeArguments& arguments);
int ImportCommand(const ExchangeArguments& arguments);

}  // namespace tenure::dbtool
