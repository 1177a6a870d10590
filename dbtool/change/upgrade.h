// Conversion of stored objects to the layouts that a program's types have now. Fields are matched
// by name: new ones get the value that NEW gives them, those that are gone are dropped if the user
// says so, others move; an integer type or subrange may become another one (when the values are in
// it), REAL LONGREAL, a reference REFANY. Fields for which there is no such way a converter
// computes. Types and fields may have got other names. All databases of a store are converted, or
// none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dbtool/change/converter.h"
#include "dbtool/change/renaming.h"
#include "dbtool/collect/compact.h"
#include "dbtool/stored/program_types.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

// A type whose objects are converted.
struct UpgradedType {
  std::string database, name;  // as they are stored
  uint64_t objects = 0;
  std::string difference;            // in words; empty: only names change
  std::vector<std::string> dropped;  // stored fields whose values are lost
};

struct UpgradeOptions {
  Converter* converter = nullptr;
  Renaming renaming = {};
  DroppedFields dropped = {};
  // Stored types of containers which the program makes anew, since their keys get another order or
  // another hash.
  std::vector<std::string> rebuilt = {};
  bool only_try = false;       // all that the upgrade does but writing
  std::string directory = {};  // the store's, as in RewriteOptions
  // Called for each type before anything is converted; and with what else the user should know.
  std::function<void(const UpgradedType& type)> planned = {};
  std::function<void(const std::string& text)> note = {};
};

// Closes the store. kTypeMismatch names the types and fields that cannot be converted, the fields
// that would be lost, or the object with a value that does not fit. kInvalidArgument names what the
// converter or an option asks for and the store lacks. After a failure nothing has been changed.
Result<RewriteTotals> Upgrade(OpenedStore& store, const std::vector<std::string>& databases,
                              const std::vector<ProgramType>& program,
                              const UpgradeOptions& options = {});

}  // namespace tenure::dbtool
